/* Counts and sizes that no memory holds: a call either ignores or refuses them; it never asks for such memory, which would end
 * the host. Run with little address space. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const uint64_t SIZES[] = {0,
                                 1,
                                 (uint64_t)1 << 31,
                                 ((uint64_t)1 << 32) - 1,
                                 ((uint64_t)1 << 32) + 1,
                                 (uint64_t)1 << 61,
                                 (uint64_t)1 << 63,
                                 UINT64_MAX - 7,
                                 UINT64_MAX};
enum { MANY = sizeof SIZES / sizeof *SIZES };
static long calls, accepted;

static SinewStatus tried(int line, SinewStatus status) {
    calls++, accepted += status == SINEW_OK;
    if (status == SINEW_INTERNAL) {
        fprintf(stderr, "line %d: %s\n", line, sinew_last_error_message());
        exit(1);
    }
    return status;
}
#define TRY(call) tried(__LINE__, call)
#define NEED(call)                                                                            \
    do {                                                                                      \
        if (TRY(call) != SINEW_OK) {                                                          \
            fprintf(stderr, "line %d: %s\n", __LINE__, sinew_last_error_message());           \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)
/* More than the caller can have: refused. */
#define REFUSED(call)                                                                         \
    do {                                                                                      \
        if (TRY(call) == SINEW_OK) {                                                          \
            fprintf(stderr, "line %d: accepted\n", __LINE__);                                 \
            exit(1);                                                                          \
        }                                                                                     \
    } while (0)

/* A strip of squares. */
enum { WIDE = 6, HIGH = 3, POINTS = (WIDE + 1) * (HIGH + 1), FACES = WIDE * HIGH };
static double points[POINTS + 1][3], joints[3][16];
static uint32_t sizes[FACES], corners[4 * FACES];
static uint8_t bytes[1 << 20];

static SinewArray array(uint32_t components, const void *data, uint64_t count) {
    SinewArray a = {sizeof(SinewArray), SINEW_F64, components, 0, data, count, 0};
    return a;
}

static SinewMesh strip(void) {
    SinewMesh mesh = {.struct_size = sizeof mesh, .positions = array(3, points, POINTS), .face_sizes = sizes,
                      .face_count = FACES, .corner_vertices = corners, .corner_count = 4 * FACES};
    mesh.uvs = array(2, NULL, 0);
    for (uint32_t v = 0; v < POINTS; v++) points[v][0] = 0.1 * (v % (WIDE + 1)), points[v][1] = 0.1 * (v / (WIDE + 1));
    for (uint32_t f = 0; f < FACES; f++) {
        const uint32_t v = f / WIDE * (WIDE + 1) + f % WIDE, ring[4] = {v, v + 1, v + WIDE + 2, v + WIDE + 1};
        sizes[f] = 4, memcpy(corners + 4 * f, ring, sizeof ring);
    }
    return mesh;
}

/* Arrays, meshes, states and buffers of a node. */
static void memory(SinewContext *context) {
    SinewNode *node = NULL;
    SinewMesh mesh = strip();
    uint64_t needed = 0;
    NEED(sinew_node_create(context, "skin_slider", &node));
    for (int k = 0; k < MANY; k++) {
        const uint64_t n = SIZES[k];
        SinewMesh odd = mesh;
        /* No array of structs or numbers is as long as that. */
        if (n > UINT32_MAX) {
            SinewArray a = array(3, points, n);
            SinewArrayMut m = {sizeof m, SINEW_F64, 3, 0, points, n, 0};
            REFUSED(sinew_node_set_array(node, "points", &a));
            REFUSED(sinew_node_read_output(node, "slid_points", &m));
            REFUSED(sinew_node_deform(node, 1, 0, &a, &m));
            odd.positions.count = n;
            REFUSED(sinew_node_set_mesh(node, "rest", &odd));
            odd = mesh, odd.face_count = n;
            REFUSED(sinew_node_set_mesh(node, "rest", &odd));
            odd = mesh, odd.corner_count = n;
            REFUSED(sinew_node_set_mesh(node, "rest", &odd));
            odd = mesh, odd.uvs = array(2, points, n);
            REFUSED(sinew_node_set_mesh(node, "rest", &odd));
            a = array(3, points, 2), a.stride = n;
            if (n > UINT64_MAX / 4) REFUSED(sinew_node_set_array(node, "points", &a));
            REFUSED(sinew_node_load_state(node, n > INT64_MAX ? bytes : NULL, n));
        }
        SinewArray wide = array((uint32_t)n, points, n > 1 ? 1 : n);
        if ((uint32_t)n > 3) REFUSED(sinew_node_set_array(node, "points", &wide));
        odd = mesh;
        const uint32_t face[] = {(uint32_t)n, (uint32_t)n, (uint32_t)n};
        odd.face_sizes = face, odd.face_count = 3;
        REFUSED(sinew_node_set_mesh(node, "rest", &odd));
        SinewPortArray none = {0};
        SinewPortArrayMut nothing = {0};
        if ((uint32_t)n > 0) {
            REFUSED(sinew_node_run(node, 1, 0, &none, (uint32_t)n, NULL, 0, NULL));
            REFUSED(sinew_node_run(node, 1, 0, NULL, 0, &nothing, (uint32_t)n, NULL));
        }
        /* Of a buffer, only what is needed is written. */
        if (n > 64) NEED(sinew_node_report(node, bytes, n, &needed));
        if (n > 64) NEED(sinew_node_save_state(node, bytes, n, &needed));
        SinewContextConfig config = {.struct_size = sizeof config, .threads = (uint32_t)n};
        SinewContext *other = NULL;
        if ((uint32_t)n > 1) REFUSED(sinew_context_create(&config, &other));
        TRY(sinew_node_info((uint32_t)n, NULL));
    }
    sinew_node_destroy(node);
}

/* Every number among the parameters, as large and as small as it may be and beyond; the step is stopped soon. */
static void parameters(SinewContext *context, const char *kind) {
    SinewParamInfo info = {.struct_size = sizeof info};
    const SinewMesh mesh = strip();
    const SinewArray rest = array(3, points, POINTS);
    for (uint32_t p = 0; sinew_param_info(kind, p, &info) == SINEW_OK; p++) {
        const double values[] = {info.minimum, info.maximum, -1, 0x1p31, 0x1p61, -0x1p63, INFINITY};
        for (size_t k = 0; k < sizeof values / sizeof *values; k++) {
            SinewNode *node = NULL;
            NEED(sinew_node_create(context, kind, &node));
            const int64_t whole = fabs(values[k]) < 0x1p62 ? (int64_t)values[k] : INT64_MAX;
            TRY(info.kind == SINEW_PARAM_INT ? sinew_node_set_int(node, info.id, whole)
                                             : sinew_node_set_real(node, info.id, values[k]));
            if (k < 2) {
                TRY(sinew_node_set_mesh(node, "rest", &mesh));
                TRY(sinew_node_set_mesh(node, "mesh", &mesh));
                TRY(sinew_node_set_array(node, "points", &rest));
                TRY(sinew_node_set_text(node, "muscles", "<muscle_set/>"));
                TRY(sinew_node_set_text(node, "source", "finger"));
                TRY(sinew_node_step(node, 1, 0));
                TRY(sinew_node_step(node, 2, 0.04));
            }
            sinew_node_destroy(node);
        }
    }
}

/* Texts of a few bytes that speak of millions. */
static const char *const SETS[] = {
    "<muscle_set><muscle name='m' origin_joint='a' origin='0 0 0' insertion_joint='b' insertion='0.1 0 0' size='0.1' %s/></muscle_set>",
    "<muscle_set><muscle name='m' origin_joint='a' origin='0 0 0' origin_to='0 0.1 0' insertion_joint='b' insertion='0.1 0 0' "
    "insertion_to='0.1 0.1 0' size='0.1' count='200' %s/></muscle_set>",
    "<muscle_set><muscle name='m' origin_joint='a' origin='0 0 0' insertion_joint='b' insertion='0.1 0 0' size='0.1' %s>"
    "<offset ring='1' vertex='1' by='0 0 0.01'/></muscle></muscle_set>"};

static void muscles(void) {
    const SinewMesh skin = strip();
    const char *names[3] = {"a", "b", "c"};
    for (int j = 0; j < 3; j++) joints[j][0] = joints[j][5] = joints[j][10] = joints[j][15] = 1, joints[j][3] = 0.2 * j;
    SinewRig rig = {.struct_size = sizeof rig, .metres_per_unit = 1, .joint_count = 2, .joint_names = names,
                    .rest_joints = array(16, joints, 2), .skin = &skin};
    uint64_t needed = 0;
    uint32_t count = 0;
    for (size_t s = 0; s < sizeof SETS / sizeof *SETS; s++) {
        for (int k = -1; k < MANY; k++) {
            char counts[99] = "rings='1000' divisions='1000'", xml[999];
            const unsigned long long n = k < 0 ? 1000 : SIZES[k];
            if (k >= 0) snprintf(counts, sizeof counts, "rings='%llu' divisions='%llu'", n, n);
            snprintf(xml, sizeof xml, SETS[s], counts);
            SinewMuscles *set = NULL;
            NEED(sinew_muscles_create(xml, &set));
            SinewArrayMut weights = {sizeof weights, SINEW_F64, 1, 0, points, POINTS, 0};
            TRY(sinew_muscles_weights(set, &rig, 4, 1, 1, &weights));
            TRY(sinew_muscles_range(set, &rig, NULL, 1, 0, &count));
            TRY(sinew_muscles_mirror(set, (uint32_t)n, &count));
            NEED(sinew_muscles_report(set, bytes, UINT64_MAX, &needed));
            TRY(sinew_muscles_text(set, bytes, n > 4096 ? n : 4096, &needed));
            sinew_muscles_destroy(set);
            strip();
        }
    }
    SinewMuscles *set = NULL;
    NEED(sinew_muscles_create(NULL, &set));
    NEED(sinew_muscles_add(set, &rig, "m", "a", "b", NULL, NULL, 0.1));
    static double few[POINTS], all[POINTS];
    SinewArrayMut weights = {sizeof weights, SINEW_F64, 1, 0, few, POINTS, 0};
    NEED(sinew_muscles_weights(set, &rig, 100000, 1, 3, &weights));
    weights.data = all;
    for (int k = 1; k < MANY; k++) {
        const uint32_t n = (uint32_t)SIZES[k];
        /* More than all vertices are all of them. */
        const SinewStatus status = TRY(sinew_muscles_weights(set, &rig, n, 1, 3, &weights));
        if (n > 1000 && (status != SINEW_OK || memcmp(few, all, sizeof all) != 0)) {
            fprintf(stderr, "nearest %u: %d %s\n", n, status, sinew_last_error_message());
            exit(1);
        }
        if (n > 1000) REFUSED(sinew_muscles_weights(set, &rig, 4, 1, n, &weights));
        SinewRig odd = rig;
        odd.joint_count = n;
        if (n != 2) REFUSED(sinew_muscles_add(set, &odd, "n", "a", "b", NULL, NULL, 0.1));
        odd = rig, odd.rest_joints.count = SIZES[k];
        if (SIZES[k] > UINT32_MAX) REFUSED(sinew_muscles_add(set, &odd, "n", "a", "b", NULL, NULL, 0.1));
        const SinewArray sculpted = array(3, points, SIZES[k]);
        if (SIZES[k] > UINT32_MAX) REFUSED(sinew_muscles_sculpt(set, &rig, NULL, &sculpted, &count));
        TRY(sinew_physique_info(n, NULL));
    }
    sinew_muscles_destroy(set);
}

/* Each step may go on for a while. */
static int32_t stop(void *user, double done, const char *task) {
    static int seen;
    (void)user, (void)done, (void)task;
    return ++seen % 40 == 0;
}

int main(void) {
    const struct rlimit limit = {(rlim_t)3 << 30, (rlim_t)3 << 30};
    if (setrlimit(RLIMIT_AS, &limit) != 0) return 2;
    SinewContextConfig config = {.struct_size = sizeof config, .threads = 1, .progress = stop};
    SinewContext *context = NULL;
    NEED(sinew_context_create(&config, &context));
    memory(context);
    SinewNodeInfo info = {.struct_size = sizeof info};
    for (uint32_t k = 0; sinew_node_info(k, &info) == SINEW_OK; k++) parameters(context, info.id);
    muscles();
    sinew_context_destroy(context);
    fprintf(stderr, "%ld calls, %ld accepted\n", calls, accepted);
    puts("sizes: the host lives");
    return 0;
}
