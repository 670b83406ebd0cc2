/* Bends a strip of vertices at its middle joint by 90 degrees through the C ABI.
 *
 * cc -std=c11 examples/c/skinning.c -I cpp/include -L target/release -lsinew -Wl,-rpath,target/release
 */
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>

static void check(SinewStatus status) {
    if (status != SINEW_OK) {
        fprintf(stderr, "sinew: %s\n", sinew_last_error_message());
        exit(1);
    }
}

static SinewArray array(int32_t element, uint32_t components, const void *data, uint64_t count) {
    SinewArray a = {sizeof(SinewArray), element, components, 0, data, count, 0};
    return a;
}

int main(void) {
    check(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR));

    SinewContext *context = NULL;
    SinewNode *node = NULL;
    check(sinew_context_create(NULL, &context));
    check(sinew_node_create(context, "skinning", &node));
    check(sinew_node_set_text(node, "method", "dual_quaternion"));

    /* Three vertices on the x axis; the joints sit at x = 0 and x = 1, and each vertex follows one of them. */
    float points[9] = {0, 0, 0, 1, 0, 0, 2, 0, 0};
    const uint32_t counts[3] = {1, 1, 1}, joints_of[3] = {0, 1, 1};
    const double weights[3] = {1, 1, 1};
    const double rest[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                             1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double bent[32] = {1, 0,  0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1,
                             0, -1, 0, 1, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const SinewArray inputs[5] = {array(SINEW_U32, 1, counts, 3), array(SINEW_U32, 1, joints_of, 3),
                                  array(SINEW_F64, 1, weights, 3), array(SINEW_F64, 16, rest, 2),
                                  array(SINEW_F64, 16, bent, 2)};
    const char *ports[5] = {"influence_counts", "influence_joints", "influence_weights", "rest_joints", "joints"};
    for (int i = 0; i < 5; i++) check(sinew_node_set_array(node, ports[i], &inputs[i]));

    /* In place: input and output share the same memory. */
    const SinewArray in = array(SINEW_F32, 3, points, 3);
    const SinewArrayMut out = {sizeof(SinewArrayMut), SINEW_F32, 3, 0, points, 3, 0};
    check(sinew_node_deform(node, 1, 1.0 / 24.0, &in, &out));
    printf("tip: %.3f %.3f %.3f\n", points[6], points[7], points[8] + 0.0F);

    sinew_node_destroy(node);
    sinew_context_destroy(context);
    return 0;
}
