/* All scenarios in which memory and files are made to fail. A new one is a row here: how it is
   prepared, what is played, and how many allocations and calls of the disk it has at least. */
#ifndef SUPPLE_TESTS_TRUST_SCENARIOS_H
#define SUPPLE_TESTS_TRUST_SCENARIOS_H

#include "trust/build_scenarios.h"
#include "trust/deform_scenarios.h"
#include "trust/file_scenarios.h"
#include "trust/scene_scenarios.h"
#include "trust/skin_scenarios.h"
#include "trust/spring_scenarios.h"
#include "trust/tape_scenarios.h"
#include "trust/world_scenarios.h"

static const scenario scenarios[] = {
    {"create a world", make_prints, play_create, 1, 100, 0},
    {"load a mesh", prepare_files, play_load_mesh, MESH_FILES, 20, 16},
    {"load a clip", prepare_files, play_load_clip, CLIP_FILES, 15, 12},
    {"make a mesh", NULL, play_mesh, SHAPES, 50, 0},
    {"build a blueprint", NULL, play_blueprint, PRINT_KINDS, 100, 0},
    {"deform a mesh", NULL, play_deform, DEFORMERS, 60, 0},
    {"step", prepare_world, play_step, 1, 40, 0},
    {"step with two threads", prepare_threaded_world, play_step, 1, 40, 0},
    {"let contacts grow", prepare_fall, play_growth, 1, 40, 0},
    {"exchange blueprints", prepare_run, play_exchange, 1, 8, 0},
    {"save a snapshot", prepare_run, play_save, 1, 1, 0},
    {"restore into an empty world", prepare_snapshot, play_restore, 1, 100, 0},
    {"restore into a full world", prepare_snapshot_for_full_world, play_restore, 1, 100, 0},
    {"record a tape", prepare_recording, play_record, TAPE_SUBJECTS, 80, 40},
    {"go on with a tape", prepare_half, play_resume, TAPE_SUBJECTS, 80, 80},
    {"play a tape", prepare_tape, play_tape, TAPE_SUBJECTS, 40, 80},
    {"write an animation", place_old_files, play_write_clip, CLIP_FORMATS, 100, 100},
    {"write a mesh", place_old_files, play_save_mesh, MESH_FORMATS, 20, 40},
    {"bake a rest shape", prepare_run, play_bake, 1, 15, 0},
    {"ask questions", prepare_run, play_query, 1, 0, 0},
    {"draw a skin", prepare_skin, play_skin, 1, 100, 0},
    {"make and draw solids", prepare_skin, play_solids, SKIN_BODIES, 300, 0},
    {"let solids meet", prepare_solids, play_solids_meet, 1, 20, 0},
    {"run a scene", prepare_scene, play_scene, 1, 200, 12},
    {"weave and hang springs", NULL, play_weave, SPRING_BODIES, 100, 0},
    {"change springs", prepare_springs, play_spring_edits, 1, 20, 0},
    {"step springs", prepare_springs, play_springs, 1, 1, 0},
    {"step springs with two threads", prepare_threaded_springs, play_springs, 1, 1, 0},
    {"bake springs", prepare_spring_run, play_spring_bake, 1, 15, 0},
    {"restore springs", prepare_spring_snapshot, play_spring_restore, 1, 100, 0},
    {"restore over springs", prepare_spring_snapshot_for_full_world, play_spring_restore, 1, 100,
     0},
    {"run a scene of springs", prepare_woven_scene, play_woven_scene, 1, 200, 2},
};
enum { SCENARIOS = sizeof scenarios / sizeof *scenarios };

#endif
