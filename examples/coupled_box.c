/* A rigid box of another engine falls on a soft block and is thrown back.

   The world of Supple knows the box as a collider. In every frame the host moves the collider to
   where its box would go by itself, steps the world, and gives the box what the collider felt. Both
   sides thus see equal and opposite impulses: the program ends with 0 only when the momentum of box
   and block, less what gravity and the floor added, is the same in the end. */
#include <supple/mesh.h>
#include <supple/supple.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define FRAME (1.0 / 120.0)
#define GRAVITY (-9.81)

/* ---- The host's own rigid body: a cube, so that its inertia is the same about every axis ---- */

typedef struct rigid_box {
    double mass, inertia; /* kg, kg m^2 */
    double position[3], rotation[4], velocity[3], spin[3];
} rigid_box;

static rigid_box make_box(double half_size, double mass) {
    return (rigid_box){
        .mass = mass,
        .inertia = mass * 4 * half_size * half_size / 6,
        .position = {0.08, 1.4, 0},
        .rotation = {0, 0, 0, 1},
        .spin = {0, 0, 0.5},
    };
}

/* Gravity for a frame, then where velocity and spin lead. */
static void box_advance(rigid_box* box, double dt) {
    box->velocity[1] += dt * GRAVITY;
    for (int k = 0; k < 3; k++) box->position[k] += dt * box->velocity[k];
    const double *q = box->rotation, *w = box->spin;
    double turned[4] = {
        q[0] + 0.5 * dt * (w[0] * q[3] + w[1] * q[2] - w[2] * q[1]),
        q[1] + 0.5 * dt * (w[1] * q[3] + w[2] * q[0] - w[0] * q[2]),
        q[2] + 0.5 * dt * (w[2] * q[3] + w[0] * q[1] - w[1] * q[0]),
        q[3] - 0.5 * dt * (w[0] * q[0] + w[1] * q[1] + w[2] * q[2]),
    };
    double length = sqrt(turned[0] * turned[0] + turned[1] * turned[1] + turned[2] * turned[2] +
                         turned[3] * turned[3]);
    for (int k = 0; k < 4; k++) box->rotation[k] = turned[k] / length;
}

static void box_push(rigid_box* box, const double impulse[3], const double moment[3]) {
    for (int k = 0; k < 3; k++) {
        box->velocity[k] += impulse[k] / box->mass;
        box->spin[k] += moment[k] / box->inertia;
    }
}

/* ---- The world ---- */

typedef struct stage {
    sup_world* world;
    sup_body block;
    sup_collider floor, box;
    double block_mass; /* kg */
    int32_t particle_count;
    sup_vec3* velocities;
} stage;

static void check(sup_result result, const sup_error* error) {
    if (result == SUP_OK) return;
    fprintf(stderr, "%s\n", error->text[0] ? error->text : sup_result_name(result));
    exit(1);
}

/* A soft block of 1 m x 0.4 m x 1 m that hardly damps. */
static void add_block(stage* s) {
    sup_error error = {0};
    sup_mesh mesh;
    sup_blueprint* blueprint;
    check(sup_mesh_box(NULL, (double[3]){1, 0.4, 1}, (int32_t[3]){10, 4, 10}, &mesh, &error),
          &error);
    sup_blueprint_def recipe = sup_blueprint_default();
    recipe.surface = &mesh;
    recipe.fill = 0.1;
    recipe.density = 100;
    recipe.layout = SUP_CLUSTERS_CUBES;
    check(sup_blueprint_create(&recipe, &blueprint, &error), &error);
    sup_mesh_free(&mesh);

    sup_body_def def = sup_body_default();
    def.blueprint = blueprint;
    def.position[1] = 0.21;
    def.material.stiffness = 60;
    def.material.damping = 0.02;
    check(sup_body_create(s->world, &def, &s->block, &error), &error);
    sup_blueprint_info info = sup_blueprint_get_info(blueprint);
    s->block_mass = info.mass;
    s->particle_count = info.particle_count;
    s->velocities = calloc((size_t)info.particle_count, sizeof *s->velocities);
    if (!s->velocities) exit(1);
    sup_blueprint_release(blueprint); /* the body keeps it */
}

static stage make_stage(const rigid_box* box, double half_size) {
    stage s = {0};
    sup_error error = {0};
    sup_world_def world = sup_world_default();
    world.gravity[1] = GRAVITY;
    check(sup_world_create(&world, &s.world, &error), &error);
    sup_collider_def def = sup_collider_default();
    check(sup_collider_create(s.world, &def, &s.floor, &error), &error);
    def.kind = SUP_COLLIDER_BOX;
    for (int k = 0; k < 3; k++) {
        def.position[k] = box->position[k];
        def.half_size[k] = half_size;
    }
    check(sup_collider_create(s.world, &def, &s.box, &error), &error);
    add_block(&s);
    return s;
}

static void block_momentum(stage* s, double momentum[3]) {
    check(sup_body_read_particles(s->world, s->block, NULL, s->velocities), &(sup_error){0});
    double sum[3] = {0, 0, 0}, each = s->block_mass / s->particle_count;
    for (int32_t i = 0; i < s->particle_count; i++) {
        sum[0] += each * (double)s->velocities[i].x;
        sum[1] += each * (double)s->velocities[i].y;
        sum[2] += each * (double)s->velocities[i].z;
    }
    for (int k = 0; k < 3; k++) momentum[k] = sum[k];
}

/* ---- Both together ---- */

/* One frame; adds what came from outside, gravity and floor, to `outside`. */
static void couple(stage* s, rigid_box* box, double outside[3]) {
    sup_error error = {0};
    double impulse[3], moment[3], on_floor[3];
    box_advance(box, FRAME);
    check(sup_collider_move(s->world, s->box, box->position, box->rotation, &error), &error);
    check(sup_world_step(s->world, FRAME), &error);
    check(sup_collider_read_impulse(s->world, s->box, impulse, moment), &error);
    check(sup_collider_read_impulse(s->world, s->floor, on_floor, NULL), &error);
    box_push(box, impulse, moment);
    outside[1] += FRAME * GRAVITY * (box->mass + s->block_mass);
    for (int k = 0; k < 3; k++) outside[k] -= on_floor[k];
}

int main(void) {
    const double half_size = 0.2;
    rigid_box box = make_box(half_size, 10);
    stage s = make_stage(&box, half_size);
    double outside[3] = {0, 0, 0}, block[3], fastest_down = 0, fastest_up = 0, worst = 0;
    printf("  time   height   speed   box kg m/s  block kg m/s  from outside  missing\n");
    for (int frame = 1; frame <= 180; frame++) {
        couple(&s, &box, outside);
        block_momentum(&s, block);
        double missing = 0;
        for (int k = 0; k < 3; k++) {
            double m = box.mass * box.velocity[k] + block[k] - outside[k];
            missing += m * m;
        }
        missing = sqrt(missing);
        worst = missing > worst ? missing : worst;
        double speed = box.velocity[1];
        fastest_down = speed < fastest_down ? speed : fastest_down;
        if (fastest_down < -1 && speed > fastest_up) fastest_up = speed;
        if (frame % 10 == 0) {
            printf("%6.2f %8.3f %7.2f %12.3f %13.3f %13.3f %8.4f\n", frame * FRAME, box.position[1],
                   speed, box.mass * speed, block[1], outside[1], missing);
        }
    }
    double exchanged = box.mass * (fastest_up - fastest_down);
    printf("came down at %.2f m/s, went up at %.2f m/s; of %.1f kg m/s exchanged at most %.4f are "
           "missing (%.3f %%)\n",
           -fastest_down, fastest_up, exchanged, worst, 100 * worst / exchanged);
    bool thrown_back = fastest_up > -0.3 * fastest_down, kept = worst < 0.01 * exchanged;
    free(s.velocities);
    sup_world_destroy(s.world);
    return thrown_back && kept ? 0 : 1;
}
