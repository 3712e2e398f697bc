/* The skin of a blueprint is bound to its clusters, through the particles that these hold. */
#include "blueprint/members.h"
#include "geom/vector.h"

static bool bind(sup_blueprint* b, supi_arena* scratch) {
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

static void find_reach(sup_blueprint* b) {
    double reach = 0.0;
    for (int32_t i = 0; i < b->skin.count; i++) {
        double p[3], away[3];
        supi_vector_from(b->skin.rest + i, p);
        for (int32_t s = b->skin.starts[i]; s < b->skin.starts[i + 1]; s++) {
            supi_vector_subtract(p, b->centres + 3 * b->skin.frames[s], away);
            double far = supi_vector_length(away);
            reach = far > reach ? far : reach;
        }
    }
    b->skin.reach = (float)reach;
}

bool supi_blueprint_bind(sup_blueprint* b) {
    if (b->skin.count == 0) return true;
    supi_arena scratch;
    supi_arena_init(&scratch, b->arena.allocator);
    bool bound = bind(b, &scratch);
    supi_arena_free(&scratch);
    if (bound) find_reach(b);
    return bound;
}
