/* See columns.h. */
#include "plot/columns.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const column_info column_table[COLUMN_COUNT] = {
    [COLUMN_TIME] = {"time", "s", "since the start"},
    [COLUMN_KINETIC] = {"kinetic", "J", "energy of motion"},
    [COLUMN_POTENTIAL] = {"potential", "J", "energy in the field of gravity, against the origin"},
    [COLUMN_ELASTIC] = {"elastic", "J", "energy of deformation"},
    [COLUMN_ENERGY] = {"energy", "J", "kinetic + potential + elastic"},
    [COLUMN_MOMENTUM_X] = {"momentum.x", "kg m/s", "of all bodies, along x"},
    [COLUMN_MOMENTUM_Y] = {"momentum.y", "kg m/s", "along y"},
    [COLUMN_MOMENTUM_Z] = {"momentum.z", "kg m/s", "along z"},
    [COLUMN_MOMENTUM] = {"|momentum|", "kg m/s", "its length"},
    [COLUMN_ANGULAR_X] = {"angular_momentum.x", "kg m²/s",
                          "of all bodies about the origin, along x"},
    [COLUMN_ANGULAR_Y] = {"angular_momentum.y", "kg m²/s", "along y"},
    [COLUMN_ANGULAR_Z] = {"angular_momentum.z", "kg m²/s", "along z"},
    [COLUMN_ANGULAR] = {"|angular_momentum|", "kg m²/s", "its length"},
    [COLUMN_TOP_SPEED] = {"top_speed", "m/s", "of any particle"},
    [COLUMN_STRAIN_LARGEST] = {"strain_largest", "",
                               "of any cluster or spring, as a share of its size"},
    [COLUMN_STRAIN_MEAN] = {"strain_mean", "", "of all clusters and springs, weighted by mass"},
    [COLUMN_CONTACTS] = {"contacts", "", "in the last substep"},
    [COLUMN_CLUSTERS] = {"clusters", "", "of all bodies; 0: the file does not say"},
    [COLUMN_DEEPEST] = {"deepest", "m", "deepest contact after the frame"},
    [COLUMN_DEEPEST_SHARE] = {"deepest_share", "",
                              "deepest contact between bodies, as a share of the particle radius"},
    [COLUMN_HASTE] =
        {"haste", "",
         "how far two came nearer in a substep, over half the thinner one's thickness"},
    [COLUMN_SPRING_ENERGY] = {"spring.energy", "J", "in all springs"},
    [COLUMN_SPRING_MEAN_STRAIN] = {"spring.mean_strain", "", "of structural springs"},
    [COLUMN_SPRING_MOST_STRAIN] = {"spring.most_strain", "",
                                   "of the most strained structural spring"},
    [COLUMN_SPRING_STEPS] = {"spring.steps", "", "of all integrators in the frame"},
    [COLUMN_SPRING_REJECTED] = {"spring.rejected", "",
                                "tries that were thrown away for shorter ones"},
    [COLUMN_SPRING_FORCED] = {"spring.forced", "", "bad steps that could not be shorter"},
    [COLUMN_SPRING_FREQUENCY] = {"spring.frequency", "rad/s",
                                 "largest of the springs, or a bound of it"},
    [COLUMN_SPRING_ITERATIONS] = {"spring.iterations", "", "of the implicit solver in the frame"},
    [COLUMN_SPRING_RESIDUAL] = {"spring.residual", "",
                                "largest that an implicit solve has left, relative"},
    [COLUMN_SPRING_EXCESS] = {"spring.excess", "", "strain that is left beyond the limit"},
    [COLUMN_SPRING_TORN] = {"spring.torn", "", "times that particles of surfaces have parted"},
    [COLUMN_SPRING_ACTIVE] = {"spring.active", "",
                              "particles that move by themselves; 0: the file does not say"},
    [COLUMN_SPRING_LEVEL] = {"spring.level", "", "of the finest cells of cloth that is cut"},
    [COLUMN_THIN_CANDIDATES] = {"thin.candidates", "",
                                "pairs of thin features that might have met in the frame"},
    [COLUMN_THIN_ACTIVE] = {"thin.active", "", "of these, pushed apart"},
    [COLUMN_THIN_BOUNDED] = {"thin.bounded", "", "kept from closing too far"},
    [COLUMN_THIN_CLAMPED] = {"thin.clamped", "", "particles kept within reach"},
    [COLUMN_THIN_ZONED] = {"thin.zoned", "", "particles that moved as one with others"},
    [COLUMN_THIN_ROUNDS] = {"thin.rounds", "", "of the bound in the frame"},
    [COLUMN_THIN_CROSSINGS] = {"thin.crossings", "",
                               "edges through triangles at the start of the frame"},
    [COLUMN_THIN_LEAST] = {"thin.least", "",
                           "smallest gap, as a share of the thickness to be kept"},
    [COLUMN_THIN_LED] = {"thin.led", "",
                         "how far a pin went in a substep, over the reach of other particles"},
    [COLUMN_MS_BEGIN] = {"ms.begin", "ms", "wall time of the beginning of the step"},
    [COLUMN_MS_INTEGRATE] = {"ms.integrate", "ms", "of integrating"},
    [COLUMN_MS_CONTACTS] = {"ms.contacts", "ms", "of finding contacts"},
    [COLUMN_MS_PROJECT] = {"ms.project", "ms", "of projecting"},
    [COLUMN_MS_SETTLE] = {"ms.settle", "ms", "of the end of the step"},
    [COLUMN_MS_TOTAL] = {"ms.total", "ms", "of the whole step"},
};

static double length_of(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

bool columns_add(columns* c, const sup_measures* measures, int64_t clusters,
                 const sup_profile* profile, const double (*parts)[PART_COUNT]) {
    size_t width = (size_t)columns_width(c);
    void* rows = c->rows;
    bool grown = supi_memory_grow(sup_allocator_default(), &rows, &c->capacity, c->count + 1,
                                  width * sizeof *c->rows);
    c->rows = rows;
    if (!grown) return false;
    const sup_measures* now = measures;
    const double* p = now->momentum;
    const double* l = now->angular_momentum;
    const double row[COLUMN_COUNT] = {
        [COLUMN_TIME] = now->time,
        [COLUMN_KINETIC] = now->kinetic,
        [COLUMN_POTENTIAL] = now->potential,
        [COLUMN_ELASTIC] = now->elastic,
        [COLUMN_ENERGY] = now->kinetic + now->potential + now->elastic,
        [COLUMN_MOMENTUM_X] = p[0],
        [COLUMN_MOMENTUM_Y] = p[1],
        [COLUMN_MOMENTUM_Z] = p[2],
        [COLUMN_MOMENTUM] = length_of(p),
        [COLUMN_ANGULAR_X] = l[0],
        [COLUMN_ANGULAR_Y] = l[1],
        [COLUMN_ANGULAR_Z] = l[2],
        [COLUMN_ANGULAR] = length_of(l),
        [COLUMN_TOP_SPEED] = now->top_speed,
        [COLUMN_STRAIN_LARGEST] = now->strain_largest,
        [COLUMN_STRAIN_MEAN] = now->strain_mean,
        [COLUMN_CONTACTS] = now->contact_count,
        [COLUMN_CLUSTERS] = (double)clusters,
        [COLUMN_DEEPEST] = now->deepest,
        [COLUMN_DEEPEST_SHARE] = now->deepest_share,
        [COLUMN_HASTE] = now->haste,
        [COLUMN_SPRING_ENERGY] = now->springs.energy,
        [COLUMN_SPRING_MEAN_STRAIN] = now->springs.mean_strain,
        [COLUMN_SPRING_MOST_STRAIN] = now->springs.most_strain,
        [COLUMN_SPRING_STEPS] = now->springs.steps,
        [COLUMN_SPRING_REJECTED] = now->springs.rejected,
        [COLUMN_SPRING_FORCED] = now->springs.forced,
        [COLUMN_SPRING_FREQUENCY] = now->springs.frequency,
        [COLUMN_SPRING_ITERATIONS] = now->springs.iterations,
        [COLUMN_SPRING_RESIDUAL] = now->springs.residual,
        [COLUMN_SPRING_EXCESS] = now->springs.excess,
        [COLUMN_SPRING_TORN] = now->springs.torn,
        [COLUMN_SPRING_ACTIVE] = now->springs.active,
        [COLUMN_SPRING_LEVEL] = now->springs.level,
        [COLUMN_THIN_CANDIDATES] = now->thin.candidates,
        [COLUMN_THIN_ACTIVE] = now->thin.active,
        [COLUMN_THIN_BOUNDED] = now->thin.bounded,
        [COLUMN_THIN_CLAMPED] = now->thin.clamped,
        [COLUMN_THIN_ZONED] = now->thin.zoned,
        [COLUMN_THIN_ROUNDS] = now->thin.rounds,
        [COLUMN_THIN_CROSSINGS] = now->thin.crossings,
        [COLUMN_THIN_LEAST] = now->thin.least,
        [COLUMN_THIN_LED] = now->thin.led,
        [COLUMN_MS_BEGIN] = profile->begin,
        [COLUMN_MS_INTEGRATE] = profile->integrate,
        [COLUMN_MS_CONTACTS] = profile->contacts,
        [COLUMN_MS_PROJECT] = profile->project,
        [COLUMN_MS_SETTLE] = profile->settle,
        [COLUMN_MS_TOTAL] = profile->total,
    };
    double* to = c->rows + width * (size_t)c->count++;
    memcpy(to, row, sizeof row);
    if (c->name_count > 0) {
        memcpy(to + COLUMN_COUNT, parts, (size_t)c->name_count * sizeof *parts);
    }
    return true;
}

void columns_free(columns* c) {
    supi_memory_free(sup_allocator_default(), c->rows, (size_t)c->capacity,
                     (size_t)columns_width(c) * sizeof *c->rows);
    *c = (columns){0};
}

static bool same_name(const char* full, const char* name, size_t length) {
    if (strlen(full) == length && strncmp(full, name, length) == 0) return true;
    return full[0] == '|' && strlen(full) == length + 2 && strncmp(full + 1, name, length) == 0;
}

int32_t columns_find(const columns* c, const char* name, size_t length) {
    char room[48];
    int32_t which = 0;
    while (which < columns_width(c) && !same_name(columns_info(c, which, room).name, name, length))
        which++;
    return which;
}

column_info columns_info(const columns* c, int32_t which, char room[48]) {
    static const column_info parts[PART_COUNT] = {
        [PART_ENERGY] = {"energy", "J", "kinetic + potential + elastic, of this body"},
        [PART_MOMENTUM_X] = {"momentum.x", "kg m/s", "of this body, along x"},
        [PART_MOMENTUM_Y] = {"momentum.y", "kg m/s", "along y"},
        [PART_MOMENTUM_Z] = {"momentum.z", "kg m/s", "along z"},
    };
    if (which < COLUMN_COUNT) return column_table[which];
    int32_t of_names = which - COLUMN_COUNT;
    column_info info = parts[of_names % PART_COUNT];
    snprintf(room, 48, "%.36s.%s", c->names[of_names / PART_COUNT], info.name);
    info.name = room;
    return info;
}

chart_series columns_series(const columns* c, int32_t which) {
    /* Before the first step there is no time of a step. */
    bool of_step = which >= COLUMN_MS_BEGIN && which <= COLUMN_MS_TOTAL;
    int32_t width = columns_width(c);
    int32_t first = of_step && c->count > 1 && c->rows[COLUMN_TIME] == 0 ? 1 : 0;
    char room[48];
    column_info info = columns_info(c, which, room);
    const double* row = c->rows + (size_t)first * (size_t)width;
    chart_series series = {.unit = info.unit,
                           .times = row + COLUMN_TIME,
                           .values = row + which,
                           .count = c->count - first,
                           .stride = width};
    snprintf(series.name, sizeof series.name, "%s", info.name);
    return series;
}
