/* A host of ABI 1.8 with the muscles of muscle_skin: compiled with the header of that time, it works with every later library. */
#include <sinew/sinew.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void expect(int line, int condition) {
    if (!condition) {
        fprintf(stderr, "line %d: %s\n", line, sinew_last_error_message());
        exit(1);
    }
}
#define EXPECT(condition) expect(__LINE__, condition)

enum { RINGS = 3, AROUND = 4, VERTICES = 2 * RINGS * AROUND, FACES = 2 * (RINGS - 1) * AROUND };

static void set(SinewNode *node, const char *port, int32_t element, uint32_t components, const void *data, uint64_t count) {
    const SinewArray array = {sizeof array, element, components, 0, data, count, 0};
    EXPECT(sinew_node_set_array(node, port, &array) == SINEW_OK);
}

static uint64_t count_of(SinewNode *node, const char *port) {
    uint64_t count = 99;
    EXPECT(sinew_node_output_count(node, port, &count) == SINEW_OK);
    return count;
}

static void read(SinewNode *node, const char *port, int32_t element, uint32_t components, void *data, uint64_t count) {
    const SinewArrayMut array = {sizeof array, element, components, 0, data, count, 0};
    EXPECT(sinew_node_read_output(node, port, &array) == SINEW_OK);
}

/* The vertex at a corner of the faces, which go around ring after ring and muscle after muscle. */
static uint32_t vertex_at(int face, int corner) {
    const int muscle = face / ((RINGS - 1) * AROUND), own = face % ((RINGS - 1) * AROUND);
    const int next = corner == 1 || corner == 2, above = corner >= 2;
    return (uint32_t)((muscle * RINGS + own / AROUND + above) * AROUND + (own + next) % AROUND);
}

static SinewPortInfo port_named(const char *id, int32_t direction) {
    for (uint32_t k = 0;; ++k) {
        SinewPortInfo port = {0};
        port.struct_size = sizeof port;
        EXPECT(sinew_port_info("muscle_skin", k, &port) == SINEW_OK);
        if (port.direction == direction && strcmp(port.id, id) == 0) return port;
    }
}

static SinewNodeInfo muscle_skin(void) {
    for (uint32_t k = 0;; ++k) {
        SinewNodeInfo node = {0};
        node.struct_size = sizeof node;
        EXPECT(sinew_node_info(k, &node) == SINEW_OK);
        if (strcmp(node.id, "muscle_skin") == 0) return node;
    }
}

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    const SinewPortInfo points = port_named("muscle_points", SINEW_OUTPUT), faces = port_named("muscle_faces", SINEW_OUTPUT);
    EXPECT(points.kind == SINEW_PORT_REALS && strcmp(points.domain, "free") == 0 && strcmp(points.items, "muscle vertex") == 0);
    EXPECT(faces.kind == SINEW_PORT_REALS && faces.components == 4 && faces.whole == 1);
    EXPECT(strcmp(faces.domain, "free") == 0 && strcmp(faces.items, "muscle face") == 0);
    EXPECT(strcmp(port_named("points", SINEW_OUTPUT).domain, "vertex") == 0 && muscle_skin().stateful == 1);
    for (uint32_t k = 0; k < muscle_skin().param_count; ++k) {
        SinewParamInfo param = {0};
        param.struct_size = sizeof param;
        EXPECT(sinew_param_info("muscle_skin", k, &param) == SINEW_OK && param.animatable <= 1);
    }

    SinewContext *context = NULL;
    SinewNode *node = NULL;
    EXPECT(sinew_context_create(NULL, &context) == SINEW_OK && sinew_node_create(context, "muscle_skin", &node) == SINEW_OK);
    double joints[2][16] = {{0}};
    for (int joint = 0; joint < 2; ++joint)
        for (int axis = 0; axis < 4; ++axis) joints[joint][5 * axis] = 1;
    const uint32_t none[2] = {0, 0}, one[2] = {1, 1}, rings[2] = {RINGS, RINGS}, around[2] = {AROUND, AROUND};
    const double origins[2][3] = {{0, 0, 0}, {0, 1, 0}}, insertions[2][3] = {{1, 0, 0}, {1, 1, 0}};
    const double sizes[2] = {0.1, 0.1}, skin[3] = {0.5, 0.1, 0}, weight[1] = {1};
    set(node, "rest_joints", SINEW_F64, 16, joints, 2);
    set(node, "muscle_origin_joints", SINEW_U32, 1, none, 2);
    set(node, "muscle_insertion_joints", SINEW_U32, 1, one, 2);
    set(node, "muscle_origins", SINEW_F64, 3, origins, 2);
    set(node, "muscle_insertions", SINEW_F64, 3, insertions, 2);
    set(node, "muscle_sizes", SINEW_F64, 1, sizes, 2);
    set(node, "muscle_rings", SINEW_U32, 1, rings, 2);
    set(node, "muscle_divisions", SINEW_U32, 1, around, 2);
    EXPECT(count_of(node, "muscle_points") == 0);
#if SINEW_ABI_MINOR >= 9
    const struct {
        const char *port;
        uint64_t count;
    } expected[] = {{"muscle_points", VERTICES},
                    {"muscle_numbers", VERTICES},
                    {"muscle_face_sizes", FACES},
                    {"muscle_face_vertices", 4 * FACES},
                    {"muscle_faces", FACES}};
    enum { OUTPUTS = sizeof expected / sizeof *expected };
    for (int k = 0; k < OUTPUTS; ++k) {
        uint64_t count = 99;
        EXPECT(sinew_node_expected_count(node, expected[k].port, &count) == SINEW_OK && count == expected[k].count);
    }
    uint64_t untouched = 99;
    EXPECT(sinew_node_expected_count(node, "points", &untouched) == SINEW_MISSING_INPUT && untouched == 99);
#endif
    set(node, "joints", SINEW_F64, 16, joints, 2);
    set(node, "points", SINEW_F64, 3, skin, 1);
    set(node, "influence_counts", SINEW_U32, 1, one, 1);
    set(node, "influence_joints", SINEW_U32, 1, none, 1);
    set(node, "influence_weights", SINEW_F64, 1, weight, 1);
    EXPECT(sinew_node_step(node, 1, 0) == SINEW_OK);

    /* As floating-point numbers, and as integers, which whole outputs have always given. */
    double quads[FACES][4];
    int32_t same[FACES][4];
    EXPECT(count_of(node, "muscle_faces") == FACES && count_of(node, "muscle_points") == VERTICES);
    read(node, "muscle_faces", SINEW_F64, 4, quads, FACES);
    read(node, "muscle_faces", SINEW_I32, 4, same, FACES);
    for (int face = 0; face < FACES; ++face)
        for (int corner = 0; corner < 4; ++corner)
            EXPECT(quads[face][corner] == vertex_at(face, corner) && same[face][corner] == quads[face][corner]);

#if SINEW_ABI_MINOR >= 9
    EXPECT(muscle_skin().mesh_count == 2);
    SinewMeshInfo mesh = {0};
    mesh.struct_size = sizeof mesh;
    EXPECT(sinew_mesh_info("muscle_skin", 0, &mesh) == SINEW_OK && strcmp(mesh.id, "body") == 0 && *mesh.points == 0);
    EXPECT(sinew_mesh_info("muscle_skin", 1, &mesh) == SINEW_OK && strcmp(mesh.id, "muscles") == 0);
    EXPECT(sinew_mesh_info("muscle_skin", 2, &mesh) == SINEW_NOT_FOUND && strcmp(mesh.id, "muscles") == 0);
    EXPECT(strcmp(points.mesh, mesh.id) == 0 && strcmp(points.element, "vertex") == 0 && strcmp(mesh.points, points.id) == 0);
    EXPECT(port_named(mesh.face_sizes, SINEW_OUTPUT).kind == SINEW_PORT_INTS);
    EXPECT(strcmp(port_named(mesh.face_vertices, SINEW_OUTPUT).element, "corner") == 0);
    EXPECT(strcmp(port_named("rest_joints", SINEW_INPUT).mesh, "") == 0 && strcmp(port_named("points", SINEW_INPUT).mesh, "body") == 0);
    uint32_t sizes_of[FACES], vertices[FACES][4];
    int32_t numbers[VERTICES];
    float rounded[VERTICES];
    read(node, mesh.face_sizes, SINEW_U32, 1, sizes_of, FACES);
    read(node, mesh.face_vertices, SINEW_U32, 1, vertices, 4 * FACES);
    read(node, "muscle_numbers", SINEW_I32, 1, numbers, VERTICES);
    read(node, "muscle_numbers", SINEW_F32, 1, rounded, VERTICES);
    for (int face = 0; face < FACES; ++face) {
        EXPECT(sizes_of[face] == 4);
        for (int corner = 0; corner < 4; ++corner) EXPECT(vertices[face][corner] == vertex_at(face, corner));
    }
    for (int k = 0; k < VERTICES; ++k) EXPECT(numbers[k] == k / (RINGS * AROUND) && rounded[k] == (float)numbers[k]);
    for (int k = 0; k < OUTPUTS; ++k) EXPECT(count_of(node, expected[k].port) == expected[k].count);
    int32_t affects = 99;
    EXPECT(sinew_affects("muscle_skin", "nearest", "points", &affects) == SINEW_OK && affects == 1);
    EXPECT(sinew_affects("muscle_skin", "nearest", "muscle_lengths", &affects) == SINEW_OK && affects == 0);
    EXPECT(sinew_affects("muscle_skin", "nothing", "points", &affects) == SINEW_NOT_FOUND && affects == 0);
    EXPECT(sinew_affects("muscle_skin", "nearest", "joints", &affects) == SINEW_NOT_FOUND);
#endif
    sinew_node_destroy(node);
    sinew_context_destroy(context);
    printf("meshes: ok\n");
    return 0;
}
