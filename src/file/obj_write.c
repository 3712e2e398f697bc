/* Wavefront OBJ: points, then what names them from 1: polygons, or points of a cloud. */
#include "file/obj_write.h"

#include "file/polygons.h"
#include "file/text_write.h"

/* One word: blanks would end the name, a backslash would join lines, # would start a comment. */
static void put_word(supi_writer* obj, const char* name) {
    for (const char* c = name; *c; c++) {
        bool plain = (unsigned char)*c > ' ' && *c != 127 && *c != '\\' && *c != '#';
        supi_writer_put(obj, plain ? c : "_", 1);
    }
}

static void put_points(supi_writer* obj, const sup_vec3* points, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        supi_writer_put(obj, "v ", 2);
        supi_text_put_float(obj, points[i].x);
        supi_writer_put(obj, " ", 1);
        supi_text_put_float(obj, points[i].y);
        supi_writer_put(obj, " ", 1);
        supi_text_put_float(obj, points[i].z);
        supi_writer_put(obj, "\n", 1);
    }
}

/* Surfaces are groups (g) of one object, not objects (o): importers split objects, and then a cache
   with the points of all surfaces would fit none of them. */
static void put_elements(supi_writer* obj, const sup_surface* surface, int64_t first) {
    supi_writer_put(obj, "g ", 2);
    put_word(obj, surface->name);
    supi_writer_put(obj, "\n", 1);
    for (int32_t p = 0; p < surface->polygon_count; p++) {
        supi_writer_put(obj, "f", 1);
        for (int32_t c = surface->starts[p]; c < surface->starts[p + 1]; c++) {
            supi_writer_print(obj, " %lld", (long long)(first + surface->corners[c]));
        }
        supi_writer_put(obj, "\n", 1);
    }
    for (int32_t i = 0; supi_polygons_is_cloud(surface) && i < surface->point_count; i++) {
        supi_writer_print(obj, "p %lld\n", (long long)(first + i));
    }
}

void supi_obj_put(supi_writer* out, int32_t surface_count, const sup_surface* surfaces,
                  const sup_vec3* points, const char* comment) {
    supi_writer_print(out, "# Supple %s%s%s\n", sup_version(), comment ? ": " : "",
                      comment ? comment : "");
    for (int32_t k = 0; k < surface_count; k++) {
        put_points(out, points, surfaces[k].point_count);
        points += surfaces[k].point_count;
    }
    int64_t first = 1;
    for (int32_t k = 0; k < surface_count; k++) {
        put_elements(out, &surfaces[k], first);
        first += surfaces[k].point_count;
    }
}
