/* An ellipsoid against boxes, capsules and triangles.

   The direction of largest separation from a convex solid with corners is a normal of one of its
   faces, or across one of its edges, or free about one of its corners. Across an edge the
   ellipsoid is seen as an ellipse and the edge as a point; so every feature has a best direction of
   its own, and the best of these, each tried against the whole solid, is the best of all. */
#include "contact/ellipsoid.h"

#include "contact/nearest_root.h"
#include "contact/vec3.h"

#include <float.h>
#include <math.h>

/* Cosine of how far from the normal of a facet it may be left: what lies beside it goes on. */
#define SLANT 0.5f

/* The convex hull of a few places, as thick as radius. */
typedef struct hull {
    const sup_vec3* corners;
    int32_t count;
    float radius;
} hull;

typedef struct best {
    const supi_ellipsoid* e;
    hull of;
    float distance;
    sup_vec3 normal;
} best;

static best begin(const supi_ellipsoid* e, hull of) {
    return (best){.e = e, .of = of, .distance = -FLT_MAX, .normal = {0, 1, 0}};
}

static void try_direction(best* b, sup_vec3 n) {
    float furthest = -FLT_MAX;
    for (int32_t i = 0; i < b->of.count; i++) {
        float along = supi_vec3_dot(n, b->of.corners[i]);
        furthest = along > furthest ? along : furthest;
    }
    float centre = supi_vec3_dot(n, b->e->centre);
    float distance = centre - furthest - b->of.radius - supi_ellipsoid_reach(b->e, n);
    if (!(distance > b->distance)) return;
    b->distance = distance;
    b->normal = n;
}

static supi_gap finish(const best* b) {
    sup_vec3 back = supi_vec3_scaled(b->normal, -1);
    return (supi_gap){b->distance, b->normal, supi_ellipsoid_foremost(b->e, back)};
}

static void try_corner(best* b, sup_vec3 corner) {
    try_direction(b, supi_ellipsoid_sphere(b->e, corner, 0).normal);
}

/* A unit vector across a unit vector. */
static sup_vec3 any_across(sup_vec3 n) {
    float x = fabsf(n.x), y = fabsf(n.y), z = fabsf(n.z);
    sup_vec3 axis = {x <= y && x <= z, y < x && y <= z, z < x && z < y};
    sup_vec3 t = supi_vec3_cross(n, axis);
    return supi_vec3_scaled(t, 1 / sqrtf(supi_vec3_dot(t, t)));
}

/* The ellipsoid as it looks along a direction: an ellipse with its radii and its unit axes. */
typedef struct outline {
    float radii[2];
    sup_vec3 axes[2];
} outline;

/* B^T t, B being axes times radii */
static sup_vec3 within(const supi_ellipsoid* e, sup_vec3 t) {
    float s[3];
    for (int k = 0; k < 3; k++) s[k] = e->radii[k] * supi_vec3_dot(supi_vec3_from(e->axes[k]), t);
    return supi_vec3_from(s);
}

static outline see_along(const supi_ellipsoid* e, sup_vec3 edge) {
    sup_vec3 t = any_across(edge), u = supi_vec3_cross(edge, t);
    sup_vec3 p = within(e, t), q = within(e, u), pxq = supi_vec3_cross(p, q);
    float a = supi_vec3_dot(p, p), b = supi_vec3_dot(p, q), c = supi_vec3_dot(q, q);
    float half = 0.5f * (a - c), root = sqrtf(half * half + b * b);
    float large = 0.5f * (a + c) + root, cosine = 1, sine = 0;
    /* The angle of the large axis is half of that of (half, b). */
    if (root > 1e-6f * large) {
        cosine = sqrtf(0.5f * (1 + fabsf(half) / root));
        sine = 0.5f * fabsf(b) / (root * cosine);
        if (half < 0) {
            float swap = cosine;
            cosine = sine;
            sine = swap;
        }
        if (b < 0) sine = -sine;
    }
    float radius = sqrtf(large), least = 1e-3f * radius;
    float small = radius > 0 ? sqrtf(supi_vec3_dot(pxq, pxq)) / radius : 0;
    outline o = {.radii = {radius, small > least ? small : least}};
    o.axes[0] = supi_vec3_along(supi_vec3_scaled(t, cosine), sine, u);
    o.axes[1] = supi_vec3_along(supi_vec3_scaled(u, cosine), -sine, t);
    return o;
}

static void try_edge(best* b, sup_vec3 on_edge, const outline* o) {
    sup_vec3 d = supi_vec3_minus(on_edge, b->e->centre);
    float z[2] = {supi_vec3_dot(d, o->axes[0]), supi_vec3_dot(d, o->axes[1])}, y[2], n[2];
    if (o->radii[0] > 0) {
        supi_nearest_root(2, o->radii, z, y, n);
    } else {
        float length = sqrtf(z[0] * z[0] + z[1] * z[1]);
        if (!(length > 0)) return;
        n[0] = z[0] / length;
        n[1] = z[1] / length;
    }
    try_direction(b, supi_vec3_along(supi_vec3_scaled(o->axes[0], -n[0]), -n[1], o->axes[1]));
}

static bool unit_between(sup_vec3 a, sup_vec3 b, sup_vec3* out) {
    sup_vec3 d = supi_vec3_minus(b, a);
    float square = supi_vec3_dot(d, d);
    if (!(square >= FLT_MIN)) return false;
    *out = supi_vec3_scaled(d, 1 / sqrtf(square));
    return true;
}

static void try_side(best* b, sup_vec3 from, sup_vec3 to) {
    sup_vec3 edge;
    if (!unit_between(from, to, &edge)) return;
    outline o = see_along(b->e, edge);
    try_edge(b, from, &o);
}

supi_gap supi_ellipsoid_capsule(const supi_ellipsoid* e, sup_vec3 from, sup_vec3 to, float radius) {
    const sup_vec3 ends[2] = {from, to};
    best b = begin(e, (hull){ends, 2, radius});
    try_side(&b, from, to);
    try_corner(&b, from);
    try_corner(&b, to);
    return finish(&b);
}

/* The normal on the centre's side; false: the triangle has no area. */
static bool facing(const supi_ellipsoid* e, const sup_vec3 c[3], sup_vec3* n) {
    *n = supi_vec3_cross(supi_vec3_minus(c[1], c[0]), supi_vec3_minus(c[2], c[0]));
    float square = supi_vec3_dot(*n, *n);
    if (!(square >= FLT_MIN)) return false;
    bool behind = supi_vec3_dot(*n, supi_vec3_minus(e->centre, c[0])) < 0;
    *n = supi_vec3_scaled(*n, (behind ? -1 : 1) / sqrtf(square));
    return true;
}

/* Whether the place foremost against the normal n lies over or under the triangle. */
static bool lies_over(const supi_ellipsoid* e, const sup_vec3 c[3], sup_vec3 n) {
    sup_vec3 place = supi_ellipsoid_foremost(e, supi_vec3_scaled(n, -1));
    int left = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        sup_vec3 side = supi_vec3_minus(c[(k + 1) % 3], c[k]);
        float turn = supi_vec3_dot(n, supi_vec3_cross(side, supi_vec3_minus(place, c[k])));
        left += turn >= 0;
        right += turn <= 0;
    }
    return left == 3 || right == 3;
}

static void try_rim(best* b, const sup_vec3 corners[3]) {
    for (int k = 0; k < 3; k++) try_side(b, corners[k], corners[(k + 1) % 3]);
    for (int k = 0; k < 3; k++) try_corner(b, corners[k]);
}

supi_gap supi_ellipsoid_triangle(const supi_ellipsoid* e, const sup_vec3 corners[3]) {
    best b = begin(e, (hull){corners, 3, 0});
    sup_vec3 n;
    if (facing(e, corners, &n)) try_direction(&b, n);
    bool sure = b.distance >= 0 && lies_over(e, corners, n);
    if (!sure) try_rim(&b, corners);
    return finish(&b);
}

supi_gap supi_ellipsoid_facet(const supi_ellipsoid* e, const sup_vec3 corners[3]) {
    best b = begin(e, (hull){corners, 3, 0});
    sup_vec3 n;
    if (!facing(e, corners, &n)) return supi_ellipsoid_triangle(e, corners);
    try_direction(&b, n);
    if (lies_over(e, corners, n)) return finish(&b);
    try_rim(&b, corners);
    float along = supi_vec3_dot(b.normal, n);
    if (b.distance >= 0 || along >= SLANT) return finish(&b);
    /* Half way up: of unit vectors along n and across it, 1/2 and sqrt(3/4). */
    sup_vec3 across = supi_vec3_along(b.normal, -along, n);
    float square = supi_vec3_dot(across, across);
    sup_vec3 bent = supi_vec3_scaled(n, SLANT);
    if (square > 0) bent = supi_vec3_along(bent, sqrtf((1 - SLANT * SLANT) / square), across);
    b.distance = -FLT_MAX;
    try_direction(&b, bent);
    return finish(&b);
}

/* Where the box ends in the direction of `signs` (three bits). */
static sup_vec3 box_corner(sup_vec3 centre, const float axes[3][3], const float half[3],
                           int signs) {
    for (int k = 0; k < 3; k++) {
        centre =
            supi_vec3_along(centre, signs >> k & 1 ? half[k] : -half[k], supi_vec3_from(axes[k]));
    }
    return centre;
}

/* The face that is separated most; true: it is touched in its inside, so it is the answer. */
static bool try_faces(best* b, sup_vec3 centre, const float axes[3][3], const float half[3]) {
    sup_vec3 d = supi_vec3_minus(b->e->centre, centre);
    for (int k = 0; k < 3; k++) {
        sup_vec3 n = supi_vec3_from(axes[k]);
        try_direction(b, supi_vec3_scaled(n, supi_vec3_dot(n, d) < 0 ? -1 : 1));
    }
    sup_vec3 place = supi_ellipsoid_foremost(b->e, supi_vec3_scaled(b->normal, -1));
    sup_vec3 from = supi_vec3_minus(place, centre);
    for (int k = 0; k < 3; k++) {
        sup_vec3 axis = supi_vec3_from(axes[k]);
        if (fabsf(supi_vec3_dot(axis, b->normal)) > 0.5f) continue;
        if (fabsf(supi_vec3_dot(axis, from)) > half[k]) return false;
    }
    return true;
}

supi_gap supi_ellipsoid_box(const supi_ellipsoid* e, sup_vec3 centre, const float axes[3][3],
                            const float half[3]) {
    sup_vec3 corners[8];
    for (int i = 0; i < 8; i++) corners[i] = box_corner(centre, axes, half, i);
    best b = begin(e, (hull){corners, 8, 0});
    if (try_faces(&b, centre, axes, half)) return finish(&b);
    for (int k = 0; k < 3; k++) {
        outline o = see_along(e, supi_vec3_from(axes[k]));
        for (int i = 0; i < 8; i++) {
            if (!(i >> k & 1)) try_edge(&b, corners[i], &o);
        }
    }
    for (int i = 0; i < 8; i++) try_corner(&b, corners[i]);
    return finish(&b);
}
