/* See stats.h. */
#include "stats.h"

#include "by_name.h"

static void write_names(emitter* out, const sup_scene* scene) {
    const char* names[BY_NAME_MOST];
    int32_t count = by_name_count(scene);
    if (count == 0) return;
    by_name_list(scene, names);
    emit_open(out, "names", "[ ");
    for (int32_t i = 0; i < count; i++) emit_text(out, NULL, names[i]);
    emit_close(out, ']');
}

static void write_parts(emitter* out, sup_scene* scene) {
    double parts[BY_NAME_MOST][PART_COUNT];
    int32_t count = by_name_count(scene);
    if (count == 0) return;
    by_name_measure(scene, parts);
    emit_open(out, "by_name", "[ ");
    for (int32_t i = 0; i < count; i++) emit_row(out, NULL, parts[i], PART_COUNT);
    emit_close(out, ']');
}

tool_exit stats_open(frame_stats* stats, const char* path, sup_scene* scene, int32_t threads) {
    *stats = (frame_stats){.open = false};
    if (!path) return TOOL_DONE;
    sup_error error;
    sup_result result = supi_writer_begin(&stats->writer, sup_file_gate_default(),
                                          sup_allocator_default(), path, &error);
    if (result != SUP_OK) return tool_fail_error(&error);
    stats->open = true;
    stats->out.writer = &stats->writer;
    sup_scene_info info = sup_scene_get_info(scene);
    emitter* out = &stats->out;
    emit_open(out, NULL, "{");
    emit_integer(out, "version", 1);
    emit_text(out, "scene", sup_scene_file(scene, 0));
    emit_number(out, "fps", info.fps);
    emit_integer(out, "substeps", info.substeps);
    emit_integer(out, "bodies", info.body_count);
    emit_integer(out, "particles", info.particle_count);
    emit_integer(out, "threads", threads);
    emit_text(out, "simd", sup_simd_name(sup_world_simd(sup_scene_world(scene))));
    write_names(out, scene);
    emit_open(out, "frames", "[");
    for (int32_t i = 0; i < info.body_count; i++) {
        stats->details = stats->details || sup_scene_detail_count(scene, i) > 0;
    }
    for (int32_t i = 0; i < info.entry_count; i++) {
        const sup_blueprint_info print = sup_scene_get_entry(scene, i).blueprint;
        stats->springs |= print.spring_count > 0;
        stats->levels |= print.refine_levels > 0;
    }
    return TOOL_DONE;
}

/* Of all bodies as they are held together now. */
static int64_t count_clusters(sup_scene* scene) {
    int64_t sum = 0;
    for (int32_t i = 0; i < sup_scene_get_info(scene).body_count; i++) {
        sup_body body = sup_scene_get_body(scene, i, NULL);
        const sup_blueprint* print = sup_body_blueprint(sup_scene_world(scene), body);
        if (print) sum += sup_blueprint_get_info(print).cluster_count;
    }
    return sum;
}

static void write_springs(emitter* out, const sup_spring_measures* s, bool levels) {
    emit_open(out, "springs", "{ ");
    emit_number(out, "energy", s->energy);
    emit_number(out, "mean_strain", s->mean_strain);
    emit_number(out, "most_strain", s->most_strain);
    emit_integer(out, "steps", s->steps);
    emit_integer(out, "rejected", s->rejected);
    emit_integer(out, "forced", s->forced);
    emit_number(out, "frequency", s->frequency);
    emit_integer(out, "iterations", s->iterations);
    emit_number(out, "residual", s->residual);
    emit_number(out, "excess", s->excess);
    emit_integer(out, "torn", s->torn);
    if (levels) {
        emit_integer(out, "active", s->active);
        emit_integer(out, "level", s->level);
    }
    emit_close(out, '}');
}

static void write_thin(emitter* out, const sup_thin_measures* t) {
    emit_open(out, "thin", "{ ");
    emit_integer(out, "candidates", t->candidates);
    emit_integer(out, "active", t->active);
    emit_integer(out, "bounded", t->bounded);
    emit_integer(out, "clamped", t->clamped);
    emit_integer(out, "zoned", t->zoned);
    emit_integer(out, "rounds", t->rounds);
    emit_integer(out, "crossings", t->crossings);
    emit_number(out, "least", t->least);
    emit_number(out, "led", t->led);
    emit_close(out, '}');
}

static void write_phases(emitter* out, const sup_profile* profile) {
    emit_open(out, "ms", "{ ");
    emit_number(out, "begin", profile->begin);
    emit_number(out, "integrate", profile->integrate);
    emit_number(out, "contacts", profile->contacts);
    emit_number(out, "project", profile->project);
    emit_number(out, "settle", profile->settle);
    emit_number(out, "total", profile->total);
    emit_close(out, '}');
}

void stats_write(frame_stats* stats, sup_scene* scene, int32_t frame) {
    if (!stats->open) return;
    const sup_world* world = sup_scene_world(scene);
    sup_measures now = sup_world_measure(world);
    sup_profile profile = sup_world_profile(world);
    emitter* out = &stats->out;
    emit_open(out, NULL, "{ ");
    emit_integer(out, "frame", frame);
    emit_number(out, "time", now.time);
    emit_number(out, "kinetic", now.kinetic);
    emit_number(out, "potential", now.potential);
    emit_number(out, "elastic", now.elastic);
    emit_row(out, "momentum", now.momentum, 3);
    emit_row(out, "angular_momentum", now.angular_momentum, 3);
    emit_number(out, "top_speed", now.top_speed);
    emit_number(out, "strain_largest", now.strain_largest);
    emit_number(out, "strain_mean", now.strain_mean);
    emit_integer(out, "contacts", now.contact_count);
    emit_number(out, "deepest", now.deepest);
    emit_number(out, "deepest_share", now.deepest_share);
    emit_number(out, "haste", now.haste);
    if (stats->details) emit_integer(out, "clusters", count_clusters(scene));
    if (stats->springs) write_springs(out, &now.springs, stats->levels);
    if (now.thin.rounds > 0) write_thin(out, &now.thin);
    write_parts(out, scene);
    write_phases(out, &profile);
    emit_hash(out, "hash", sup_world_hash(world));
    emit_close(out, '}');
}

tool_exit stats_close(frame_stats* stats) {
    if (!stats->open) return TOOL_DONE;
    emit_close(&stats->out, ']');
    emit_close(&stats->out, '}');
    sup_error error;
    stats->open = false;
    sup_result result = supi_writer_commit(&stats->writer, &error);
    return result == SUP_OK ? TOOL_DONE : tool_fail_error(&error);
}

void stats_free(frame_stats* stats) {
    if (stats->open) supi_writer_abort(&stats->writer);
}
