/* Random calls with random arguments, good and bad, from three threads on nodes of their own and one that all share. The
   results are not checked, only the sanitizers and the library's own status for bugs. */
#include <sinew/sinew.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 3, NODES = 3, ROOM = 4096 };

static SinewContext *context;
static SinewNode *shared;
static SinewMuscles *shared_set;
static long calls;

typedef struct {
    uint64_t state;
    SinewNode *nodes[NODES];
    double reals[ROOM];
    uint32_t wholes[ROOM];
    uint8_t bytes[1 << 16];
    int bugs;
} Fuzz;

static uint32_t next(Fuzz *f) {
    f->state ^= f->state << 13;
    f->state ^= f->state >> 7;
    f->state ^= f->state << 17;
    return (uint32_t)(f->state >> 16);
}

static double number(Fuzz *f) {
    static const double odd[] = {0, 1, -1, 0.5, 2, 1e-300, 1e300, -1e10, 24};
    const uint32_t k = next(f) % 12;
    if (k < 9) return odd[k];
    if (k == 9) return 0.0 / (double)(next(f) % 2);
    return (double)(next(f) % 1000) / 100.0 - 5.0;
}

/* The id of something that the node has, or not. */
static const char *id(Fuzz *f, const char *kind, int param) {
    const uint32_t index = next(f) % 40;
    if (next(f) % 16 == 0) return next(f) % 2 ? NULL : "\xff nothing";
    if (param) {
        SinewParamInfo info = {.struct_size = sizeof info};
        return sinew_param_info(kind, index, &info) == SINEW_OK ? info.id : "none";
    }
    SinewPortInfo info = {.struct_size = sizeof info};
    return sinew_port_info(kind, index, &info) == SINEW_OK ? info.id : "none";
}

static SinewArray array(Fuzz *f) {
    SinewArray a = {.struct_size = sizeof a, .element = (int32_t)(next(f) % 6), .components = next(f) % 17};
    if (next(f) % 4) a.element = next(f) % 2 ? SINEW_F64 : SINEW_U32;
    if (next(f) % 4) a.components = (const uint32_t[]){1, 2, 3, 16}[next(f) % 4];
    const uint32_t size = a.element == SINEW_F64 ? 8 : 4;
    a.data = a.element == SINEW_F64 || a.element == SINEW_F32 ? (void *)f->reals : (void *)f->wholes;
    a.count = next(f) % 64;
    if (a.components * a.count * size > sizeof f->wholes) a.count = 0;
    if (next(f) % 16 == 0) a.data = NULL;
    if (next(f) % 64 == 0) a.struct_size = next(f) % 64;
    return a;
}

static void note(Fuzz *f, SinewStatus status) {
    __atomic_add_fetch(&calls, 1, __ATOMIC_RELAXED);
    if (status == SINEW_INTERNAL) {
        printf("a bug: %s\n", sinew_last_error_message());
        f->bugs++;
    }
}

static void call(Fuzz *f) {
    static const char *const kinds[] = {"skin_slider", "skinning", "strand"};
    const uint32_t which = next(f) % NODES;
    const char *kind = kinds[which];
    SinewNode *node = next(f) % 8 ? f->nodes[which] : shared;
    if (next(f) % 64 == 0) node = NULL;
    SinewArray a = array(f);
    SinewArrayMut m;
    memcpy(&m, &a, sizeof m);
    uint64_t count = 0;
    double value = 0;
    int32_t whole = 0;
    const char *text = NULL;
    switch (next(f) % 24) {
    case 0: note(f, sinew_node_set_array(node, id(f, kind, 0), &a)); break;
    case 1: note(f, sinew_node_read_output(node, id(f, kind, 0), &m)); break;
    case 2: note(f, sinew_node_set_real(node, id(f, kind, 1), number(f))); break;
    case 3: note(f, sinew_node_set_int(node, id(f, kind, 1), (int64_t)next(f) - 5)); break;
    case 4: note(f, sinew_node_set_choice(node, id(f, kind, 1), next(f) % 5)); break;
    case 5: note(f, sinew_node_set_text(node, id(f, kind, 1), next(f) % 2 ? "dynamic" : "0.5")); break;
    case 6: note(f, sinew_node_get_number(node, id(f, kind, 1), &value)); break;
    case 7: note(f, sinew_node_get_choice(node, id(f, kind, 1), &text)); break;
    case 8: note(f, sinew_node_set_space(node, number(f), (int32_t)(next(f) % 3))); break;
    case 9: note(f, sinew_node_set_row_vectors(node, (int32_t)(next(f) % 2))); break;
    case 10: note(f, sinew_node_clear_input(node, id(f, kind, 0))); break;
    case 11: note(f, sinew_node_input_is_set(node, id(f, kind, 0), &whole)); break;
    case 12: note(f, sinew_node_step(node, (int64_t)(next(f) % 9), number(f))); break;
    case 13: note(f, sinew_node_deform(node, (int64_t)(next(f) % 9), number(f), &a, &m)); break;
    case 14: note(f, sinew_node_reset(node)); break;
    case 15: note(f, sinew_node_set_start(node, (int32_t)(next(f) % 2), number(f))); break;
    case 16: {
        const int32_t on = (int32_t)(next(f) % 2);
        note(f, next(f) % 2 ? sinew_node_set_restart(node, on) : sinew_node_set_lean(node, on));
        break;
    }
    case 17: note(f, sinew_node_history(node, &whole)); break;
    case 18: note(f, sinew_node_output_count(node, id(f, kind, 0), &count)); break;
    case 19: note(f, sinew_node_report(node, f->bytes, next(f) % sizeof f->bytes, &count)); break;
    case 20: {
        const int lean = next(f) % 2 != 0;
        const SinewStatus status = lean ? sinew_node_save_lean_state(node, f->bytes, sizeof f->bytes, &count)
                                        : sinew_node_save_state(node, f->bytes, sizeof f->bytes, &count);
        note(f, status);
        if (status == SINEW_OK) {
            if (next(f) % 2) f->bytes[next(f) % count] ^= (uint8_t)next(f);
            note(f, sinew_node_load_state(node, f->bytes, next(f) % 8 ? count : next(f) % count));
        }
        break;
    }
    case 21: {
        SinewPortArray in = {sizeof in, 0, id(f, kind, 0), &a};
        SinewPortArrayMut out = {sizeof out, 0, id(f, kind, 0), &m};
        const SinewStatus status = sinew_node_run(node, (int64_t)(next(f) % 9), number(f), next(f) % 8 ? &in : NULL,
                                                  next(f) % 2, next(f) % 8 ? &out : NULL, next(f) % 2, &whole);
        note(f, status);
        break;
    }
    case 22: note(f, sinew_node_cancel(node)); break;
    default: {
        /* A mesh with a shape, so that steps get somewhere; sometimes a corner names no vertex. */
        static const uint32_t sizes[] = {4, 4};
        uint32_t corners[] = {0, 1, 2, 3, 1, 4, 5, 2};
        double points[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 1};
        if (next(f) % 8 == 0) corners[next(f) % 8] = next(f);
        if (next(f) % 8 == 0) points[next(f) % 18] = number(f);
        SinewArray p = {sizeof p, SINEW_F64, 3, 0, points, next(f) % 8 ? 6 : 3, 0};
        SinewMesh mesh = {.struct_size = sizeof mesh, .positions = p, .face_sizes = sizes, .face_count = 2,
                          .corner_vertices = corners, .corner_count = 8};
        mesh.uvs.struct_size = sizeof(SinewArray);
        note(f, sinew_node_set_mesh(node, "rest", &mesh));
        p.count = 6;
        note(f, sinew_node_set_array(node, "points", &p));
        break;
    }
    }
}

/* A set of its own, or the one that all share: with rigs, texts and arrays that fit or do not. */
static void call_muscles(Fuzz *f) {
    static const char *const texts[] = {
        "", "<muscle_set/>", "<muscle_set", "arm.L", "arm.R", "hand.L", NULL, "\xff", "m.L",
        "<muscle_set><muscle name='m.L' origin_joint='arm.L' origin='0 0 0' insertion_joint='hand.L' insertion='1 0 0' size='1' count='3'/></muscle_set>",
        "<muscle_plan across='arm.L arm.R' upwards='arm.L hand.L'><muscle name='m' origin_bone='arm.L hand.L' origin='0 0 0' "
        "insertion_bone='arm.L hand.L' insertion='1 0 0' size='1'/></muscle_plan>"};
    static const char *names[] = {"arm.L", "hand.L", "arm.R", "\xff"};
    double rest[64] = {0};
    for (int k = 0; k < 4; k++) rest[16 * k] = rest[16 * k + 5] = rest[16 * k + 10] = rest[16 * k + 15] = 1, rest[16 * k + 3] = k;
    if (next(f) % 8 == 0) rest[next(f) % 64] = number(f);
    static const uint32_t sizes[] = {4, 4};
    static const uint32_t corners[] = {0, 1, 2, 3, 1, 4, 5, 2};
    double points[] = {0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0, 1};
    SinewMesh skin = {.struct_size = sizeof skin, .positions = {sizeof(SinewArray), SINEW_F64, 3, 0, points, 6, 0},
                      .face_sizes = sizes, .face_count = 2, .corner_vertices = corners, .corner_count = 8};
    skin.uvs.struct_size = sizeof(SinewArray);
    SinewRig rig = {.struct_size = next(f) % 16 ? sizeof rig : next(f) % 100, .up_axis = (int32_t)(next(f) % 2),
                    .metres_per_unit = next(f) % 4 ? 1 : number(f), .joint_count = 3 + (next(f) % 8 == 0), .joint_names = names,
                    .rest_joints = {sizeof(SinewArray), SINEW_F64, 16, 0, rest, 3, 0}, .skin = next(f) % 2 ? &skin : NULL};
    SinewMuscles *set = NULL;
#define TEXT texts[next(f) % (sizeof texts / sizeof *texts)]
    SinewStatus status = next(f) % 2 ? sinew_muscles_create(TEXT, &set) : sinew_muscles_fit(TEXT, &rig, &set);
    note(f, status);
    SinewMuscles *used = next(f) % 4 ? set : shared_set;
    SinewArray a = array(f);
    SinewArrayMut m;
    memcpy(&m, &a, sizeof m);
    SinewPhysique factors = {sizeof factors, 0, NULL, number(f), number(f), number(f), number(f), number(f)};
    uint32_t count = 0;
    uint64_t needed = 0;
    for (int k = 0; k < 6; k++) {
        switch (next(f) % 10) {
        case 0: note(f, sinew_muscles_add(used, &rig, TEXT, TEXT, TEXT, next(f) % 2 ? f->reals : NULL, NULL, number(f))); break;
        case 1: note(f, sinew_muscles_mirror(used, next(f) % 4, &count)); break;
        case 2: note(f, sinew_muscles_copy(used, &rig, &rig)); break;
        case 3: note(f, sinew_muscles_physique(used, &factors)); break;
        case 4: note(f, sinew_physique_info(next(f) % 5, &factors)); break;
        case 5: note(f, sinew_muscles_sculpt(used, &rig, next(f) % 2 ? NULL : TEXT, &a, &count)); break;
        case 6: note(f, sinew_muscles_weights(used, &rig, next(f) % 9, number(f), next(f) % 9, &m)); break;
        case 7: note(f, sinew_muscles_remove(used, TEXT)); break;
        case 8: note(f, sinew_muscles_mirror_on(used, &rig, &count)); break;
        default: note(f, sinew_muscles_text(used, f->bytes, next(f) % sizeof f->bytes, &needed)); break;
        }
        note(f, sinew_muscles_report(used, f->bytes, sizeof f->bytes, NULL));
    }
    sinew_muscles_destroy(set);
}

/* Most steps are stopped soon: a frame of ten thousand substeps is a long one. */
static int32_t stop(void *user, double done, const char *task) {
    static unsigned seen;
    (void)user, (void)done, (void)task;
    return __atomic_add_fetch(&seen, 1, __ATOMIC_RELAXED) % 16 == 0;
}

static void *work(void *argument) {
    Fuzz *f = argument;
    static const char *const kinds[] = {"skin_slider", "skinning", "strand"};
    for (int k = 0; k < NODES; k++) note(f, sinew_node_create(context, kinds[k], &f->nodes[k]));
    for (int k = 0; k < ROOM; k++) {
        f->reals[k] = number(f);
        f->wholes[k] = next(f) % 8;
    }
    const long most = strtol(getenv("SINEW_FUZZ_CALLS") ? getenv("SINEW_FUZZ_CALLS") : "5000", NULL, 10);
    for (long k = 0; k < most; k++) {
        call(f);
        if (k % 16 == 0) call_muscles(f);
    }
    for (int k = 0; k < NODES; k++) sinew_node_destroy(f->nodes[k]);
    return NULL;
}

int main(void) {
    SinewContextConfig config = {.struct_size = sizeof config, .threads = 2, .progress = stop};
    if (sinew_context_create(&config, &context) || sinew_node_create(context, "skin_slider", &shared)) return 2;
    if (sinew_muscles_create(NULL, &shared_set)) return 2;
    static Fuzz all[THREADS];
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; k++) {
        all[k].state = 88172645463325252ull + 7919ull * (uint64_t)k;
        pthread_create(&threads[k], NULL, work, &all[k]);
    }
    int bugs = 0;
    for (int k = 0; k < THREADS; k++) {
        pthread_join(threads[k], NULL);
        bugs += all[k].bugs;
    }
    sinew_node_destroy(shared);
    sinew_muscles_destroy(shared_set);
    sinew_context_destroy(context);
    fprintf(stderr, "%ld calls\n", calls);
    printf("fuzzed calls: %d bugs\n", bugs);
    return bugs == 0 ? 0 : 1;
}
