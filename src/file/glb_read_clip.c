/* GLB and glTF as a clip: one animation of the weights of morph targets. The clip has a frame at
   every key time of every track; since weights change linearly between keys, so do points. Where a
   stepping track has a key, there are two frames of the same time: the pose before and the pose
   after. */
#include <math.h>
#include <string.h>

#include "base/check.h"
#include "base/error.h"
#include "file/clip.h"
#include "file/gltf_scene.h"

typedef struct glb_sampler {
    int32_t key_count;
    double* times;   /* s (key_count); NULL: not read yet */
    double* weights; /* key after key (weight_count) */
    int32_t weight_count;
    bool steps; /* holds a key until the next */
} glb_sampler;

/* The weights of one node over time. */
typedef struct glb_track {
    const glb_sampler* sampler;
    int32_t key; /* the last one that is not later than now; -1: all are */
} glb_track;

typedef struct clip_reader {
    supi_gltf gltf;
    supi_gltf_scene scene;
    int32_t track_count;
    glb_track* tracks;   /* room for (node_count) */
    glb_track** of_node; /* NULL: its weights do not move (node_count) */
    double* weights;     /* of one node, for the pose of now (most targets of a mesh) */
    double now;
    sup_clip* clip; /* NULL while the frames are counted */
    int32_t frame_count;
} clip_reader;

/* --- samplers --- */

static sup_result read_numbers(supi_gltf* gltf, const supi_gltf_accessor* accessor,
                               double** values) {
    sup_result result = supi_gltf_accessor_check(gltf, accessor);
    if (result != SUP_OK) return result;
    *values = supi_arena_push(&gltf->store, (size_t)accessor->count, sizeof **values);
    if (!*values) return supi_error_memory(gltf->error);
    supi_gltf_accessor_add(accessor, 1, *values);
    return SUP_OK;
}

static sup_result read_times(supi_gltf* gltf, const supi_gltf_accessor* input,
                             glb_sampler* sampler) {
    if (input->width != 1 || input->component != SUPI_GLTF_FLOAT) {
        return supi_gltf_fail(gltf, input->place, "times must be SCALAR of floats");
    }
    double* times;
    sup_result result = read_numbers(gltf, input, &times);
    if (result != SUP_OK) return result;
    for (int32_t i = 0; i < input->count; i++) {
        if (i == 0 ? times[0] >= 0 : times[i] > times[i - 1]) continue;
        return supi_gltf_fail(gltf, input->place, "time %d does not grow from 0 on", (int)i);
    }
    sampler->key_count = input->count;
    sampler->times = times;
    return SUP_OK;
}

static sup_result read_interpolation(const supi_gltf* gltf, const supi_json* place, bool* steps) {
    const supi_json* word;
    sup_result result = supi_gltf_field(gltf, place, "interpolation", SUPI_JSON_STRING, &word);
    if (result != SUP_OK) return result;
    *steps = word && strcmp(word->text, "STEP") == 0;
    if (!word || *steps || strcmp(word->text, "LINEAR") == 0) return SUP_OK;
    bool spline = strcmp(word->text, "CUBICSPLINE") == 0;
    return supi_gltf_fail(gltf, word, "%s; sample the animation to LINEAR or STEP",
                          spline ? "CUBICSPLINE is not read" : "the interpolation is not known");
}

static sup_result read_sampler(supi_gltf* gltf, const supi_json* place, glb_sampler* sampler) {
    int32_t input, output, count = gltf->accessor_count;
    sup_result result = read_interpolation(gltf, place, &sampler->steps);
    if (result == SUP_OK) result = supi_gltf_needed_index(gltf, place, "input", count, &input);
    if (result == SUP_OK) result = supi_gltf_needed_index(gltf, place, "output", count, &output);
    if (result != SUP_OK) return result;
    const supi_gltf_accessor* weights = &gltf->accessors[output];
    bool numbers = weights->component == SUPI_GLTF_FLOAT || weights->normalized;
    if (weights->width != 1 || !numbers) {
        return supi_gltf_fail(gltf, weights->place,
                              "weights must be SCALAR of floats or normalized integers");
    }
    sampler->weight_count = weights->count;
    result = read_numbers(gltf, weights, &sampler->weights);
    return result == SUP_OK ? read_times(gltf, &gltf->accessors[input], sampler) : result;
}

/* --- channels --- */

typedef enum channel_kind { CHANNEL_OTHER, CHANNEL_WEIGHTS, CHANNEL_PLACE } channel_kind;

/* What a channel does to the scene; *node is whom it does it to. */
static sup_result read_target(clip_reader* reader, const supi_json* channel, channel_kind* kind,
                              int32_t* node) {
    const supi_gltf* gltf = &reader->gltf;
    const supi_json *target, *path;
    *kind = CHANNEL_OTHER;
    sup_result result = supi_gltf_needed(gltf, channel, "target", SUPI_JSON_OBJECT, &target);
    if (result == SUP_OK) {
        result = supi_gltf_needed(gltf, target, "path", SUPI_JSON_STRING, &path);
    }
    if (result == SUP_OK) {
        result = supi_gltf_index(gltf, target, "node", reader->scene.node_count, node);
    }
    if (result != SUP_OK) return result;
    bool weights = strcmp(path->text, "weights") == 0;
    bool counts = *node >= 0 && reader->scene.nodes[*node].in_scene &&
                  reader->scene.nodes[*node].moves_points;
    *kind = !counts ? CHANNEL_OTHER : weights ? CHANNEL_WEIGHTS : CHANNEL_PLACE;
    return SUP_OK;
}

static sup_result read_channel(clip_reader* reader, const supi_json* channel,
                               const supi_gltf_table* places, glb_sampler* samplers) {
    supi_gltf* gltf = &reader->gltf;
    channel_kind kind;
    int32_t node, index;
    sup_result result = read_target(reader, channel, &kind, &node);
    if (result != SUP_OK || kind == CHANNEL_OTHER) return result;
    if (kind == CHANNEL_PLACE) {
        return supi_gltf_fail(gltf, channel,
                              "the animation moves node %d and so the mesh; only weights are read",
                              (int)node);
    }
    int32_t mesh = reader->scene.nodes[node].mesh;
    int32_t targets = mesh < 0 ? 0 : reader->scene.meshes[mesh].target_count;
    if (targets == 0) return supi_gltf_fail(gltf, channel, "node %d has no weights", (int)node);
    if (reader->of_node[node]) {
        return supi_gltf_fail(gltf, channel, "the weights of node %d move already", (int)node);
    }
    result = supi_gltf_needed_index(gltf, channel, "sampler", places->count, &index);
    if (result != SUP_OK) return result;
    glb_sampler* sampler = &samplers[index];
    if (!sampler->times) result = read_sampler(gltf, places->rows[index], sampler);
    if (result != SUP_OK) return result;
    if (sampler->weight_count != (int64_t)sampler->key_count * targets) {
        return supi_gltf_fail(gltf, channel, "%d times of %d targets do not make %d weights",
                              (int)sampler->key_count, (int)targets, (int)sampler->weight_count);
    }
    reader->of_node[node] = &reader->tracks[reader->track_count++];
    reader->of_node[node]->sampler = sampler;
    return SUP_OK;
}

static sup_result moves_weights(clip_reader* reader, const supi_json* animation, bool* moves) {
    supi_gltf_table channels;
    sup_result result = supi_gltf_table_read(&reader->gltf, animation, "channels", &channels);
    *moves = false;
    for (int32_t i = 0; i < channels.count && result == SUP_OK; i++) {
        channel_kind kind;
        int32_t node;
        result = read_target(reader, channels.rows[i], &kind, &node);
        *moves = *moves || kind == CHANNEL_WEIGHTS;
    }
    return result;
}

static sup_result read_animation(clip_reader* reader, const supi_json* animation) {
    supi_gltf* gltf = &reader->gltf;
    supi_gltf_table channels, places;
    sup_result result = supi_gltf_table_read(gltf, animation, "channels", &channels);
    if (result == SUP_OK) result = supi_gltf_table_read(gltf, animation, "samplers", &places);
    if (result != SUP_OK) return result;
    glb_sampler* samplers = supi_arena_push(&gltf->store, (size_t)places.count, sizeof *samplers);
    if (!samplers) return supi_error_memory(gltf->error);
    for (int32_t i = 0; i < channels.count && result == SUP_OK; i++) {
        result = read_channel(reader, channels.rows[i], &places, samplers);
    }
    return result;
}

/* The one animation that moves weights; NULL where none does. */
static sup_result find_animation(clip_reader* reader, const supi_json** chosen) {
    supi_gltf* gltf = &reader->gltf;
    supi_gltf_table animations;
    *chosen = NULL;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "animations", &animations);
    for (int32_t i = 0; i < animations.count && result == SUP_OK; i++) {
        bool moves;
        result = moves_weights(reader, animations.rows[i], &moves);
        if (result != SUP_OK || !moves) continue;
        if (*chosen) {
            return supi_gltf_fail(gltf, animations.rows[i],
                                  "a second animation moves weights; a clip is one");
        }
        *chosen = animations.rows[i];
    }
    return result;
}

/* A file without any animation is one frame. */
static sup_result read_animations(clip_reader* reader) {
    supi_gltf* gltf = &reader->gltf;
    supi_gltf_table animations;
    const supi_json* chosen = NULL;
    sup_result result = supi_gltf_table_read(gltf, gltf->json.root, "animations", &animations);
    if (result == SUP_OK) result = find_animation(reader, &chosen);
    if (result != SUP_OK || animations.count == 0) return result;
    if (!chosen) return supi_gltf_fail(gltf, gltf->json.root, "no animation moves weights");
    return read_animation(reader, chosen);
}

/* --- frames --- */

static bool has_next(const glb_track* track) { return track->key + 1 < track->sampler->key_count; }

/* Goes on to the next key time; false after the last. */
static bool advance(clip_reader* reader) {
    double next = INFINITY;
    for (int32_t i = 0; i < reader->track_count; i++) {
        const glb_track* track = &reader->tracks[i];
        if (!has_next(track)) continue;
        double time = track->sampler->times[track->key + 1];
        next = time < next ? time : next;
    }
    reader->now = next;
    for (int32_t i = 0; i < reader->track_count; i++) {
        glb_track* track = &reader->tracks[i];
        if (has_next(track)) track->key += track->sampler->times[track->key + 1] == next;
    }
    return next < INFINITY;
}

/* Now is a key of a stepping track, and not its first. */
static bool steps_now(const clip_reader* reader, const glb_track* track) {
    const glb_sampler* sampler = track->sampler;
    return sampler->steps && track->key > 0 && sampler->times[track->key] == reader->now;
}

static bool jumps(const clip_reader* reader) {
    for (int32_t i = 0; i < reader->track_count; i++) {
        if (steps_now(reader, &reader->tracks[i])) return true;
    }
    return false;
}

/* The weights of a node now, or just before now. */
static const double* weights_of(const clip_reader* reader, const supi_gltf_part* part,
                                bool before) {
    const glb_track* track = reader->of_node[part->node - reader->scene.nodes];
    if (!track) return part->node->weights;
    const glb_sampler* sampler = track->sampler;
    int32_t count = part->mesh->target_count;
    int32_t key = track->key < 0 ? 0 : track->key;
    if (before && steps_now(reader, track)) key--;
    const double* from = sampler->weights + (size_t)key * (size_t)count;
    bool still = sampler->steps || track->key < 0 || key + 1 == sampler->key_count;
    if (still) return from;
    double start = sampler->times[key], end = sampler->times[key + 1];
    double share = (reader->now - start) / (end - start);
    for (int32_t i = 0; i < count; i++) {
        reader->weights[i] = from[i] + (from[count + i] - from[i]) * share;
    }
    return reader->weights;
}

static sup_result put_frame(clip_reader* reader, bool before) {
    int32_t frame = reader->frame_count++;
    if (!reader->clip) {
        supi_gltf* gltf = &reader->gltf;
        if (frame == INT32_MAX - 1) {
            return supi_gltf_fail(gltf, gltf->json.root, "the animation has too many keys");
        }
        return supi_gltf_spend(gltf, gltf->json.root, (uint64_t)reader->scene.point_count);
    }
    reader->clip->times[frame] = reader->now;
    sup_vec3* points = reader->clip->points + (size_t)frame * (size_t)reader->scene.point_count;
    for (int32_t p = 0; p < reader->scene.part_count; p++) {
        const supi_gltf_part* part = &reader->scene.parts[p];
        if (part->primitive->shares_points) continue;
        sup_result result =
            supi_gltf_part_pose(&reader->gltf, &reader->scene, part,
                                weights_of(reader, part, before), points + part->first_point);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

/* From the first key to the last, or the one frame of what stands still. */
static sup_result play(clip_reader* reader, sup_clip* clip) {
    reader->clip = clip;
    reader->frame_count = 0;
    reader->now = 0;
    if (reader->track_count == 0) return put_frame(reader, false);
    for (int32_t i = 0; i < reader->track_count; i++) reader->tracks[i].key = -1;
    while (advance(reader)) {
        sup_result result = jumps(reader) ? put_frame(reader, true) : SUP_OK;
        if (result == SUP_OK) result = put_frame(reader, false);
        if (result != SUP_OK) return result;
    }
    return SUP_OK;
}

static sup_result make_room(clip_reader* reader) {
    supi_gltf* gltf = &reader->gltf;
    const supi_gltf_scene* scene = &reader->scene;
    int32_t most = 0;
    for (int32_t i = 0; i < scene->mesh_count; i++) {
        int32_t count = scene->meshes[i].target_count;
        most = count > most ? count : most;
    }
    reader->tracks =
        supi_arena_push(&gltf->store, (size_t)scene->node_count, sizeof *reader->tracks);
    reader->of_node =
        supi_arena_push(&gltf->store, (size_t)scene->node_count, sizeof *reader->of_node);
    reader->weights = supi_arena_push(&gltf->store, (size_t)most, sizeof *reader->weights);
    bool room = reader->tracks && reader->of_node && reader->weights;
    return room ? SUP_OK : supi_error_memory(gltf->error);
}

static sup_result read_clip(clip_reader* reader, sup_clip* clip) {
    supi_gltf* gltf = &reader->gltf;
    sup_result result = supi_gltf_scene_read(gltf, &reader->scene);
    if (result == SUP_OK) result = make_room(reader);
    if (result == SUP_OK) result = read_animations(reader);
    if (result == SUP_OK) result = play(reader, NULL);
    if (result != SUP_OK) return result;
    if (!supi_clip_new(gltf->allocator, reader->frame_count, reader->scene.point_count, clip)) {
        return supi_error_memory(gltf->error);
    }
    result = play(reader, clip);
    if (result != SUP_OK) sup_clip_free(clip);
    return result;
}

sup_result sup_glb_parse_clip(const sup_allocator* allocator, const sup_file_gate* files,
                              const char* name, const uint8_t* bytes, size_t size, sup_clip* out,
                              sup_error* error) {
    SUPI_NEED(error, name, out);
    if (size > 0) SUPI_NEED(error, bytes);
    if (!allocator) allocator = sup_allocator_default();
    if (!files) files = sup_file_gate_default();
    clip_reader reader = {0};
    sup_clip clip;
    sup_result result = supi_gltf_open(&reader.gltf, allocator, files, name, bytes, size, error);
    if (result == SUP_OK) result = read_clip(&reader, &clip);
    result = supi_gltf_close(&reader.gltf, result);
    if (result != SUP_OK) return result;
    *out = clip;
    out->allocator = allocator;
    return SUP_OK;
}

sup_result supi_glb_moves(const char* path, bool* moves, sup_error* error) {
    const sup_allocator* allocator = sup_allocator_default();
    const sup_file_gate* files = sup_file_gate_default();
    supi_bytes bytes;
    sup_result result = supi_file_read(files, allocator, path, &bytes, error);
    if (result != SUP_OK) return result;
    clip_reader reader = {0};
    const supi_json* animation = NULL;
    result = supi_gltf_open(&reader.gltf, allocator, files, path, bytes.data, bytes.size, error);
    if (result == SUP_OK) result = supi_gltf_scene_read(&reader.gltf, &reader.scene);
    if (result == SUP_OK) result = find_animation(&reader, &animation);
    *moves = animation != NULL;
    result = supi_gltf_close(&reader.gltf, result);
    supi_bytes_free(allocator, &bytes);
    return result;
}
