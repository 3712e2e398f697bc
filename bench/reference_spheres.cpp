// Reference: contact of spheres by a hash table as it is usually written: std::unordered_map from
// cells to std::vector of particles; or by one of two arrays, as those write it who have measured:
// where the particles of a bucket begin, and the particles by bucket (Müller, Ten Minute Physics
// 11), with cells told apart.
#include "spheres.h"

#include <algorithm>
#include <cmath>
#include <new>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

struct Cell {
    int x, y, z;
    bool operator==(const Cell& o) const { return x == o.x && y == o.y && z == o.z; }
};

struct CellHash {
    std::size_t operator()(const Cell& c) const {
        return std::size_t(c.x) * 73856093u ^ std::size_t(c.y) * 19349663u ^
               std::size_t(c.z) * 83492791u;
    }
};

} // namespace

struct bench_plain_spheres {
    const sup_row* x;
    int32_t count;
    float radius;
    bool arrays;
    std::unordered_map<Cell, std::vector<int32_t>, CellHash> table;
    std::vector<std::pair<int32_t, int32_t>> pairs;
    std::vector<int32_t> sorted;
    std::vector<int32_t> starts, entries;
    std::vector<Cell> cells;

    Cell cell(const sup_row& r) const {
        float size = 2 * radius;
        return {int(std::floor(r.x / size)), int(std::floor(r.y / size)),
                int(std::floor(r.z / size))};
    }

    std::size_t bucket(const Cell& c) const { return CellHash{}(c) % (starts.size() - 1); }

    void test(int32_t i, int32_t j) {
        if (j <= i) return;
        float ex = x[i].x - x[j].x, ey = x[i].y - x[j].y, ez = x[i].z - x[j].z;
        float reach = radius + radius;
        if (ex * ex + ey * ey + ez * ez < reach * reach) pairs.emplace_back(i, j);
    }

    void step_arrays() {
        pairs.clear();
        starts.assign(2 * std::size_t(count) + 1, 0);
        entries.resize(std::size_t(count));
        cells.resize(std::size_t(count));
        for (int32_t i = 0; i < count; i++) {
            cells[i] = cell(x[i]);
            starts[bucket(cells[i])]++;
        }
        for (std::size_t k = 1; k < starts.size(); k++) starts[k] += starts[k - 1];
        for (int32_t i = 0; i < count; i++) entries[--starts[bucket(cells[i])]] = i;
        for (int32_t i = 0; i < count; i++) {
            Cell at = cells[i];
            for (int dz = -1; dz <= 1; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        Cell to{at.x + dx, at.y + dy, at.z + dz};
                        std::size_t b = bucket(to);
                        for (int32_t k = starts[b]; k < starts[b + 1]; k++) {
                            if (cells[entries[k]] == to) test(i, entries[k]);
                        }
                    }
        }
    }

    void step_map() {
        table.clear();
        pairs.clear();
        for (int32_t i = 0; i < count; i++) table[cell(x[i])].push_back(i);
        for (int32_t i = 0; i < count; i++) {
            Cell at = cell(x[i]);
            for (int dz = -1; dz <= 1; dz++)
                for (int dy = -1; dy <= 1; dy++)
                    for (int dx = -1; dx <= 1; dx++) {
                        auto found = table.find({at.x + dx, at.y + dy, at.z + dz});
                        if (found == table.end()) continue;
                        for (int32_t j : found->second) test(i, j);
                    }
        }
    }
};

extern "C" {

bench_plain_spheres* bench_plain_spheres_create(const sup_row* x, int32_t count, float radius,
                                                bool arrays) {
    try {
        return new bench_plain_spheres{x, count, radius, arrays, {}, {}, {}, {}, {}, {}};
    } catch (const std::bad_alloc&) {
        return nullptr;
    }
}

void bench_plain_spheres_destroy(bench_plain_spheres* spheres) { delete spheres; }

bool bench_plain_spheres_step(void* spheres) {
    try {
        auto* plain = static_cast<bench_plain_spheres*>(spheres);
        plain->arrays ? plain->step_arrays() : plain->step_map();
        return true;
    } catch (const std::bad_alloc&) {
        return false;
    }
}

const int32_t* bench_plain_spheres_pairs(bench_plain_spheres* spheres, int32_t* count) {
    std::sort(spheres->pairs.begin(), spheres->pairs.end());
    spheres->sorted.clear();
    for (auto& p : spheres->pairs) {
        spheres->sorted.push_back(p.first);
        spheres->sorted.push_back(p.second);
    }
    *count = int32_t(spheres->pairs.size());
    return spheres->sorted.data();
}
}
