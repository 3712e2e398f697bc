/* The skin of a blueprint is bound to its clusters, through the particles that these hold, or to
   its oriented particles, or hangs on its tetrahedra. */
#include "base/error.h"
#include "blueprint/directions.h"
#include "blueprint/hang.h"
#include "blueprint/members.h"
#include "geom/vector.h"
#include "skin/carriers.h"

supi_carriers_def supi_blueprint_carriers(const sup_blueprint* b) {
    return (supi_carriers_def){.count = b->info.particle_count,
                               .centres = b->rest,
                               .ellipsoids = b->ellipsoids,
                               .link_starts = b->self.joined_starts,
                               .links = b->self.joined,
                               .paint_count = b->paint_count,
                               .paint = b->paint};
}

/* To oriented particles. */
static bool bind_carried(sup_blueprint* b, supi_arena* scratch) {
    const supi_carriers_def def = supi_blueprint_carriers(b);
    const double* middle = b->info.centre;
    const float origin[3] = {(float)middle[0], (float)middle[1], (float)middle[2]};
    supi_carriers carriers;
    b->carriers = supi_arena_push(&b->arena, (size_t)b->row_count, sizeof *b->carriers);
    if (!b->carriers) return false;
    for (int32_t r = 0; r < b->info.particle_count; r++) {
        const sup_vec3* p = b->rest + r;
        b->carriers[r] = (sup_row){p->x - origin[0], p->y - origin[1], p->z - origin[2], 0.0f};
    }
    const sup_vec3* normals = supi_directions_normals(b, scratch);
    return normals && supi_carriers_build(&def, scratch, &carriers) &&
           supi_carriers_bind(&carriers, b->skin_slots, b->skin.count, b->skin.rest, &b->arena,
                              scratch, &b->skin) &&
           supi_skin_plan_build(&b->skin, origin, normals, b->tangents, &b->arena, scratch,
                                &b->carried);
}

static bool bind(sup_blueprint* b, supi_arena* scratch) {
    if (supi_skin_carried(b->info.skin)) return bind_carried(b, scratch);
    supi_skin_cloud cloud = {.count = b->info.particle_count,
                             .points = b->rest,
                             .frame_count = b->cluster_count,
                             .spacing = b->info.spacing};
    if (b->lattice) {
        /* Each node has a cluster about it: that one alone bends more finely than the mean of all
           that it is in. */
        int32_t* own = supi_arena_push(scratch, (size_t)cloud.count + 1, sizeof *own);
        if (!own) return false;
        for (int32_t i = 0; i <= cloud.count; i++) own[i] = i;
        cloud.starts = cloud.frames = own;
    } else if (!b->single) {
        int32_t total = b->ask_starts[b->info.particle_count];
        int32_t* clusters = supi_arena_push(scratch, (size_t)total, sizeof *clusters);
        if (!clusters) return false;
        for (int32_t i = 0; i < total; i++) {
            clusters[i] = b->blocks[supi_members_block(b, b->asks[i])].cluster;
        }
        cloud.starts = b->ask_starts;
        cloud.frames = clusters;
    }
    return supi_skin_bind(&cloud, b->skin.count, b->skin.rest, &b->arena, scratch, &b->skin);
}

/* Where a frame of the skin is at rest. */
static void frame_centre(const sup_blueprint* b, int32_t frame, double out[3]) {
    if (supi_skin_carried(b->info.skin)) {
        supi_vector_from(b->rest + frame, out);
        return;
    }
    for (int k = 0; k < 3; k++) out[k] = b->centres[3 * frame + k];
}

static void find_reach(sup_blueprint* b) {
    double reach = 0.0;
    for (int32_t i = 0; i < b->skin.count; i++) {
        double p[3], away[3];
        supi_vector_from(b->skin.rest + i, p);
        for (int32_t s = b->skin.starts[i]; s < b->skin.starts[i + 1]; s++) {
            double centre[3];
            frame_centre(b, b->skin.frames[s], centre);
            supi_vector_subtract(p, centre, away);
            double far = supi_vector_length(away);
            reach = far > reach ? far : reach;
        }
    }
    b->skin.reach = (float)reach;
}

sup_result supi_blueprint_bind(sup_blueprint* b, sup_error* error) {
    if (b->skin.count == 0) return SUP_OK;
    supi_arena scratch;
    sup_result result = SUP_OK;
    supi_arena_init(&scratch, b->arena.allocator);
    if (b->info.skin == SUP_SKIN_TETS)
        result = supi_hang_bind(b, &scratch, error);
    else if (bind(b, &scratch))
        find_reach(b);
    else
        result = supi_error_memory(error);
    supi_arena_free(&scratch);
    return result;
}
