/* VTK XML unstructured grid, version 1.0: a short XML text that names the arrays, then the arrays
   as raw little-endian bytes, each behind its length in 8 bytes. */
#include "file/vtu_write.h"

#include "file/polygons.h"

/* Cell types of VTK. */
enum { CELL_VERTEX = 1, CELL_TRIANGLE = 5, CELL_POLYGON = 7, CELL_QUAD = 9, CELL_TET = 10 };

typedef struct vtu {
    supi_writer* out;
    int32_t surface_count;
    const sup_surface* surfaces;
    uint64_t point_count, cell_count, corner_count; /* of all surfaces */
    uint64_t offset; /* of the next array among the raw bytes, while the text names them */
} vtu;

/* Cells are polygons, or points of a cloud. */
static int32_t cells_of(const sup_surface* surface) {
    return supi_polygons_is_cloud(surface) ? surface->point_count : surface->polygon_count;
}

/* Where cell k begins in the corners of its surface; k = cells_of: where all end. */
static int32_t start_of(const sup_surface* surface, int32_t k) {
    return supi_polygons_is_cloud(surface) ? k : surface->starts[k];
}

static vtu count_all(supi_writer* out, int32_t surface_count, const sup_surface* surfaces) {
    vtu self = {.out = out, .surface_count = surface_count, .surfaces = surfaces};
    for (int32_t k = 0; k < surface_count; k++) {
        self.point_count += (uint64_t)surfaces[k].point_count;
        self.cell_count += (uint64_t)cells_of(&surfaces[k]);
        self.corner_count += (uint64_t)start_of(&surfaces[k], cells_of(&surfaces[k]));
    }
    return self;
}

/* --- the text --- */

/* Names an array of `size` bytes, which must follow in the same order. */
static void name_array(vtu* self, const char* type, const char* name, uint64_t size) {
    supi_writer_print(self->out, "<DataArray type=\"%s\" Name=\"%s\" ", type, name);
    supi_writer_print(self->out, "format=\"appended\" offset=\"%llu\"",
                      (unsigned long long)self->offset);
    self->offset += 8 + size;
}

static void name_numbers(vtu* self, const char* type, const char* name, uint64_t size) {
    name_array(self, type, name, size);
    supi_writer_print(self->out, "/>\n");
}

static void name_vectors(vtu* self, const char* name) {
    name_array(self, "Float32", name, 12 * self->point_count);
    supi_writer_print(self->out, " NumberOfComponents=\"3\"/>\n");
}

/* Up to the end of the cells. */
static void put_head(vtu* self) {
    supi_writer* out = self->out;
    supi_writer_print(out, "<?xml version=\"1.0\"?>\n<!-- Supple %s -->\n", sup_version());
    supi_writer_print(out, "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                           "byte_order=\"LittleEndian\" header_type=\"UInt64\">\n");
    supi_writer_print(out,
                      "<UnstructuredGrid>\n"
                      "<Piece NumberOfPoints=\"%llu\" NumberOfCells=\"%llu\">\n",
                      (unsigned long long)self->point_count, (unsigned long long)self->cell_count);
    supi_writer_print(out, "<Points>\n");
    name_vectors(self, "Points");
    supi_writer_print(out, "</Points>\n<Cells>\n");
    name_numbers(self, "Int32", "connectivity", 4 * self->corner_count);
    name_numbers(self, "Int32", "offsets", 4 * self->cell_count);
    name_numbers(self, "UInt8", "types", self->cell_count);
    supi_writer_print(out, "</Cells>\n");
}

static void put_tail(vtu* self) {
    supi_writer_print(self->out,
                      "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static void put_text(vtu* self, bool moving) {
    supi_writer* out = self->out;
    put_head(self);
    supi_writer_print(out, "<CellData Scalars=\"surface\">\n");
    name_numbers(self, "Int32", "surface", 4 * self->cell_count);
    supi_writer_print(out, "</CellData>\n");
    if (moving) {
        supi_writer_print(out, "<PointData Vectors=\"displacement\">\n");
        name_vectors(self, "displacement");
        name_vectors(self, "velocity");
        supi_writer_print(out, "</PointData>\n");
    }
    put_tail(self);
}

/* --- the arrays --- */

static void put_length(vtu* self, uint64_t size) {
    supi_writer_put_u32(self->out, (uint32_t)size);
    supi_writer_put_u32(self->out, (uint32_t)(size >> 32));
}

static void put_connectivity(vtu* self) {
    int32_t first = 0;
    put_length(self, 4 * self->corner_count);
    for (int32_t k = 0; k < self->surface_count; k++) {
        const sup_surface* surface = &self->surfaces[k];
        int32_t corners = start_of(surface, cells_of(surface));
        for (int32_t c = 0; c < corners; c++) {
            int32_t point = supi_polygons_is_cloud(surface) ? c : surface->corners[c];
            supi_writer_put_u32(self->out, (uint32_t)(first + point));
        }
        first += surface->point_count;
    }
}

/* Where each cell ends in the connectivity. */
static void put_offsets(vtu* self) {
    int32_t first = 0;
    put_length(self, 4 * self->cell_count);
    for (int32_t k = 0; k < self->surface_count; k++) {
        const sup_surface* surface = &self->surfaces[k];
        int32_t cells = cells_of(surface);
        for (int32_t p = 1; p <= cells; p++) {
            supi_writer_put_u32(self->out, (uint32_t)(first + start_of(surface, p)));
        }
        first += start_of(surface, cells);
    }
}

static uint8_t type_of(int32_t corners) {
    if (corners == 1) return CELL_VERTEX;
    return corners == 3 ? CELL_TRIANGLE : corners == 4 ? CELL_QUAD : CELL_POLYGON;
}

static void put_types(vtu* self) {
    put_length(self, self->cell_count);
    for (int32_t k = 0; k < self->surface_count; k++) {
        const sup_surface* surface = &self->surfaces[k];
        for (int32_t p = 0; p < cells_of(surface); p++) {
            uint8_t type = type_of(start_of(surface, p + 1) - start_of(surface, p));
            supi_writer_put(self->out, &type, 1);
        }
    }
}

static void put_surface_numbers(vtu* self) {
    put_length(self, 4 * self->cell_count);
    for (int32_t k = 0; k < self->surface_count; k++) {
        for (int32_t p = 0; p < cells_of(&self->surfaces[k]); p++) {
            supi_writer_put_u32(self->out, (uint32_t)k);
        }
    }
}

/* (to - from) * scale for every point. */
static void put_differences(vtu* self, const sup_vec3* from, const sup_vec3* to, double scale) {
    put_length(self, 12 * self->point_count);
    for (uint64_t i = 0; i < self->point_count; i++) {
        float difference[3] = {(float)(((double)to[i].x - from[i].x) * scale),
                               (float)(((double)to[i].y - from[i].y) * scale),
                               (float)(((double)to[i].z - from[i].z) * scale)};
        supi_writer_put_floats(self->out, difference, 3);
    }
}

void supi_vtu_put(supi_writer* out, int32_t surface_count, const sup_surface* surfaces,
                  const sup_vec3* points, const supi_vtu_motion* motion) {
    vtu self = count_all(out, surface_count, surfaces);
    put_text(&self, motion != NULL);
    put_length(&self, 12 * self.point_count);
    supi_writer_put_points(out, points, (size_t)self.point_count);
    put_connectivity(&self);
    put_offsets(&self);
    put_types(&self);
    put_surface_numbers(&self);
    if (motion) {
        put_differences(&self, motion->first, points, 1.0);
        put_differences(&self, motion->before, points, motion->fps);
    }
    supi_writer_print(out, "\n</AppendedData>\n</VTKFile>\n");
}

void supi_vtu_put_tets(supi_writer* out, const sup_tets* tets) {
    vtu self = {.out = out,
                .point_count = (uint64_t)tets->point_count,
                .cell_count = (uint64_t)tets->tet_count,
                .corner_count = 4 * (uint64_t)tets->tet_count};
    put_head(&self);
    put_tail(&self);
    put_length(&self, 12 * self.point_count);
    supi_writer_put_points(out, tets->points, (size_t)tets->point_count);
    put_length(&self, 4 * self.corner_count);
    for (uint64_t c = 0; c < self.corner_count; c++)
        supi_writer_put_u32(out, (uint32_t)tets->tets[c]);
    put_length(&self, 4 * self.cell_count);
    for (uint64_t t = 1; t <= self.cell_count; t++) supi_writer_put_u32(out, (uint32_t)(4 * t));
    put_length(&self, self.cell_count);
    for (uint64_t t = 0; t < self.cell_count; t++) supi_writer_put(out, &(uint8_t){CELL_TET}, 1);
    supi_writer_print(out, "\n</AppendedData>\n</VTKFile>\n");
}
