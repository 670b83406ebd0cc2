/* Hosts with floating-point modes of their own: whatever they round to, flush or trap, results have the same bits, and
 * every call leaves the mode as it was. */
#define _GNU_SOURCE
#include <fenv.h>
#include <math.h>
#include <sinew/sinew.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE = 9, HIGH = 4, POINTS = (WIDE + 1) * (HIGH + 1), FACES = WIDE * HIGH, FRAMES = 3, ROOM = 1 << 20 };

static void check(int line, int condition) {
    if (!condition) {
        fesetenv(FE_DFL_ENV);
        fprintf(stderr, "line %d: %s\n", line, sinew_last_error_message());
        exit(1);
    }
}
#define CHECK(condition) check(__LINE__, condition)

/* The control bits: rounding, flushing, traps. Those of the exceptions seen are left out. */
static uint64_t mode(void) {
#if defined(__x86_64__)
    uint32_t word = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(word));
    return word & ~(uint64_t)0x3f;
#elif defined(__aarch64__)
    uint64_t word = 0;
    __asm__ volatile("mrs %0, fpcr" : "=r"(word));
    return word;
#else
    return (uint64_t)fegetround();
#endif
}

/* Subnormal numbers count as zero, in and out. */
static void flush(void) {
#if defined(__x86_64__)
    uint32_t word = 0;
    __asm__ volatile("stmxcsr %0" : "=m"(word));
    word |= 0x8040;
    __asm__ volatile("ldmxcsr %0" : : "m"(word));
#elif defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" : : "r"(mode() | (uint64_t)1 << 24));
#endif
}

static void usual(void) {}
static void upward(void) { fesetround(FE_UPWARD); }
static void downward(void) { fesetround(FE_DOWNWARD); }
static void towards_zero(void) { fesetround(FE_TOWARDZERO); }
static void trapping(void) {
#if defined(__GLIBC__)
    feenableexcept(FE_INVALID | FE_DIVBYZERO | FE_OVERFLOW | FE_UNDERFLOW | FE_INEXACT);
#endif
}

static SinewArray array(int32_t element, uint32_t components, const void *data, uint64_t count) {
    SinewArray a = {sizeof(SinewArray), element, components, 0, data, count, 0};
    return a;
}

static double rest[POINTS][3], moved[FRAMES][POINTS][3], fixed[POINTS], times[FRAMES];
static uint32_t sizes[FACES], corners[4 * FACES];
static const char ROPE[] =
    "<strand_scene version='1'><body name='weight' at='0.3 -0.1 0.07' turn='10 20 30'><cuboid size='0.03 0.05 0.02'/></body>"
    "<point name='hook' at='-0.3 0 0' on='world'/><point name='middle' at='0 -0.03 0.01'/>"
    "<point name='handle' at='0.3 -0.1 0.07' on='weight'/><strand name='rope' radius='0.001' stiffness='900' density='30'>"
    "<node point='hook'/><node point='middle'/><node point='handle'/></strand></strand_scene>";

/* Made before any mode is set, so that the host's own arithmetic is the same. */
static void make(void) {
    for (int k = 0; k < FRAMES; k++) times[k] = (k + 1) / 24.0;
    for (uint32_t y = 0; y <= HIGH; y++) {
        for (uint32_t x = 0; x <= WIDE; x++) {
            const uint32_t v = y * (WIDE + 1) + x;
            rest[v][0] = 0.013 * x + 0.002 * y, rest[v][1] = 0.017 * y, rest[v][2] = 0.0011 * (double)(x * y % 5);
            fixed[v] = x == 0 || x == WIDE;
            for (int k = 0; k < FRAMES; k++) {
                memcpy(moved[k][v], rest[v], sizeof rest[v]);
                if (x > 3) moved[k][v][0] += 0.0031 * (k + 1) * (x - 3), moved[k][v][2] += 1e-310 * y;
            }
        }
    }
    for (uint32_t f = 0; f < FACES; f++) {
        const uint32_t v = f / WIDE * (WIDE + 1) + f % WIDE, ring[4] = {v, v + 1, v + WIDE + 2, v + WIDE + 1};
        sizes[f] = 4;
        memcpy(corners + 4 * f, ring, sizeof ring);
    }
}

/* All that a host gets: the outputs and states of a Fung membrane and, of a set of muscles, weights and text. */
static uint64_t results(uint8_t *out, uint32_t threads, uint32_t flags) {
    SinewContextConfig config = {.struct_size = sizeof config, .threads = threads, .flags = flags};
    SinewContext *context = NULL;
    SinewNode *node = NULL;
    uint64_t length = 0, needed = 0;
    CHECK(sinew_context_create(&config, &context) == SINEW_OK);
    CHECK(sinew_node_create(context, "skin_slider", &node) == SINEW_OK);
    SinewMesh mesh = {.struct_size = sizeof mesh, .positions = array(SINEW_F64, 3, rest, POINTS), .face_sizes = sizes,
                      .face_count = FACES, .corner_vertices = corners, .corner_count = 4 * FACES};
    mesh.uvs = array(SINEW_F64, 2, NULL, 0);
    const SinewArray held = array(SINEW_F64, 1, fixed, POINTS);
    CHECK(sinew_node_set_text(node, "material", "fung") == SINEW_OK);
    CHECK(sinew_node_set_text(node, "mode", "dynamic") == SINEW_OK);
    CHECK(sinew_node_set_mesh(node, "rest", &mesh) == SINEW_OK && sinew_node_set_array(node, "fixed", &held) == SINEW_OK);
    for (int k = 0; k < FRAMES; k++) {
        const SinewArray body = array(SINEW_F64, 3, moved[k], POINTS);
        CHECK(sinew_node_set_array(node, "points", &body) == SINEW_OK);
        CHECK(sinew_node_step(node, k + 1, times[k]) == SINEW_OK);
        SinewArrayMut slid = {sizeof slid, SINEW_F64, 3, 0, out + length, POINTS, 0};
        CHECK(sinew_node_read_output(node, "slid_points", &slid) == SINEW_OK);
        length += sizeof rest;
    }
    CHECK(sinew_node_save_state(node, out + length, ROOM - length, &needed) == SINEW_OK);
    length += needed;
    /* A call that fails leaves the mode alone, too. */
    CHECK(sinew_node_step(node, 1, (double)INFINITY) != SINEW_OK);
    sinew_node_destroy(node);

    CHECK(sinew_node_create(context, "strand", &node) == SINEW_OK);
    CHECK(sinew_node_set_text(node, "source", "scene") == SINEW_OK && sinew_node_set_text(node, "scene", ROPE) == SINEW_OK);
    for (int k = 0; k < FRAMES; k++) CHECK(sinew_node_step(node, k + 1, times[k]) == SINEW_OK);
    CHECK(sinew_node_save_state(node, out + length, ROOM - length, &needed) == SINEW_OK);
    length += needed;
    sinew_node_destroy(node);
    sinew_context_destroy(context);

    const char *names[2] = {"upper", "lower"};
    double joints[2][16] = {{1, 0, 0, 0.01, 0, 1, 0, 0.03, 0, 0, 1, 0, 0, 0, 0, 1}, {1, 0, 0, 0.09, 0, 1, 0, 0.04, 0, 0, 1, 0, 0, 0, 0, 1}};
    SinewRig rig = {.struct_size = sizeof rig, .up_axis = SINEW_UP_Z, .metres_per_unit = 0.7, .joint_count = 2, .joint_names = names,
                    .rest_joints = array(SINEW_F64, 16, joints, 2), .skin = &mesh};
    SinewMuscles *set = NULL;
    CHECK(sinew_muscles_create(NULL, &set) == SINEW_OK);
    CHECK(sinew_muscles_add(set, &rig, "biceps", "upper", "lower", NULL, NULL, 0.0123) == SINEW_OK);
    SinewArrayMut weights = {sizeof weights, SINEW_F64, 1, 0, out + length, POINTS, 0};
    CHECK(sinew_muscles_weights(set, &rig, 4, 0.31, 6, &weights) == SINEW_OK);
    length += POINTS * sizeof(double);
    CHECK(sinew_muscles_text(set, out + length, ROOM - length, &needed) == SINEW_OK);
    length += needed;
    sinew_muscles_destroy(set);
    return length;
}

int main(void) {
    static void (*const modes[])(void) = {usual, upward, downward, towards_zero, flush, trapping};
    static uint8_t expected[ROOM], found[ROOM];
    make();
    const uint64_t length = results(expected, 1, 0);
    for (size_t m = 0; m < sizeof modes / sizeof *modes; m++) {
        for (uint32_t way = 0; way < 3; way++) {
            memset(found, 0, sizeof found);
            fesetenv(FE_DFL_ENV);
            modes[m]();
            const uint64_t before = mode();
            const uint64_t got = results(found, 2, way == 2 ? SINEW_ON_CALLING_THREAD : 0);
            const uint64_t after = mode();
            fesetenv(FE_DFL_ENV);
            if (before != after) fprintf(stderr, "mode %zu: %llx became %llx\n", m, (unsigned long long)before, (unsigned long long)after);
            size_t other = 0;
            for (uint64_t k = 0; k < length; k++) other += expected[k] != found[k];
            if (got != length || other) fprintf(stderr, "mode %zu, way %u: %zu of %llu bytes differ\n", m, way, other, (unsigned long long)length);
            if (before != after || got != length || other) exit(1);
        }
    }
    puts("floating-point modes: all the same");
    return 0;
}
