/* Skins three vertices with an installed Sinew and compares with the closed form. */
#include <math.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>

/* Not assert, which release builds compile out. */
static void expect(int condition, const char *what) {
    if (!condition) {
        fprintf(stderr, "%s: %s\n", what, sinew_last_error_message());
        exit(1);
    }
}
#define EXPECT(condition) expect(condition, #condition)

static SinewArray array(int32_t element, uint32_t components, const void *data, uint64_t count) {
    SinewArray a = {sizeof(SinewArray), element, components, 0, data, count, 0};
    return a;
}

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    SinewContext *context = NULL;
    SinewNode *node = NULL;
    EXPECT(sinew_context_create(NULL, &context) == SINEW_OK);
    EXPECT(sinew_node_create(context, "skinning", &node) == SINEW_OK);

    /* Joint 0 stays at the origin; joint 1 sits at x = 1 and turns by 90 degrees about z. The weight of joint 1 is 0, 1/2
     * and 1: linear skinning gives the point, the middle of the point and the turned point, and the turned point. */
    double points[9] = {2, 0, 0, 2, 0, 0, 2, 0, 0};
    const uint32_t counts[3] = {1, 2, 1}, joints_of[4] = {0, 0, 1, 1};
    const double weights[4] = {1, 0.5, 0.5, 1};
    const double rest[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                             1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double bent[32] = {1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                             0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const SinewArray inputs[5] = {array(SINEW_U32, 1, counts, 3), array(SINEW_U32, 1, joints_of, 4),
                                  array(SINEW_F64, 1, weights, 4), array(SINEW_F64, 16, rest, 2),
                                  array(SINEW_F64, 16, bent, 2)};
    const char *ports[5] = {"influence_counts", "influence_joints", "influence_weights", "rest_joints", "joints"};
    for (int i = 0; i < 5; i++) EXPECT(sinew_node_set_array(node, ports[i], &inputs[i]) == SINEW_OK);

    const SinewArray in = array(SINEW_F64, 3, points, 3);
    const SinewArrayMut out = {sizeof(SinewArrayMut), SINEW_F64, 3, 0, points, 3, 0};
    EXPECT(sinew_node_deform(node, 1, 1.0 / 24.0, &in, &out) == SINEW_OK);
    const double expected[9] = {2, 0, 0, 1.5, 0.5, 0, 1, 1, 0};
    for (int i = 0; i < 9; i++) EXPECT(fabs(points[i] - expected[i]) < 1e-12);

    sinew_node_destroy(node);
    sinew_context_destroy(context);
    printf("C with Sinew %s: ok\n", sinew_version_string());
    return 0;
}
