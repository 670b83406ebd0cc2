/* A host of version 1.0: compiled against the frozen header beside it, linked with today's library. */
#include "sinew.h"
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

static int log_lines = 0;
static void on_log(void *user, int32_t level, const char *message) {
    (void)user, (void)level, (void)message;
    log_lines++;
}

static SinewArray array(int32_t element, uint32_t components, const void *data, uint64_t count) {
    SinewArray a = {sizeof(SinewArray), element, components, 0, data, count, 0};
    return a;
}

static void describe(void) {
    int skinning = 0;
    for (uint32_t n = 0; n < sinew_node_count(); n++) {
        SinewNodeInfo node = {0};
        node.struct_size = sizeof node;
        EXPECT(sinew_node_info(n, &node) == SINEW_OK && strlen(node.id) > 0 && strlen(node.doc) > 0);
        skinning += strcmp(node.id, "skinning") == 0;
        for (uint32_t i = 0; i < node.port_count; i++) {
            SinewPortInfo port = {0};
            port.struct_size = sizeof port;
            EXPECT(sinew_port_info(node.id, i, &port) == SINEW_OK && strlen(port.quantity) > 0);
        }
        for (uint32_t i = 0; i < node.param_count; i++) {
            SinewParamInfo param = {0};
            param.struct_size = sizeof param;
            EXPECT(sinew_param_info(node.id, i, &param) == SINEW_OK && param.unit != NULL);
            for (uint32_t c = 0; c < param.choice_count; c++) {
                SinewChoiceInfo choice = {0};
                choice.struct_size = sizeof choice;
                EXPECT(sinew_choice_info(node.id, i, c, &choice) == SINEW_OK && strlen(choice.id) > 0);
            }
        }
    }
    EXPECT(skinning == 1);
}

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    EXPECT(sinew_abi_version() >> 16 == SINEW_ABI_MAJOR && strlen(sinew_version_string()) > 0);
    describe();

    SinewContextConfig config = {0};
    config.struct_size = sizeof config;
    config.threads = 2;
    config.log = on_log;
    SinewContext *context = NULL;
    SinewNode *node = NULL, *copy = NULL;
    EXPECT(sinew_context_create(&config, &context) == SINEW_OK);
    EXPECT(sinew_node_create(context, "skinning", &node) == SINEW_OK);
    EXPECT(sinew_node_create(context, "skinning", &copy) == SINEW_OK);
    EXPECT(sinew_node_set_space(node, 0.01, SINEW_UP_Z) == SINEW_OK);
    EXPECT(sinew_node_set_space(copy, 0.01, SINEW_UP_Z) == SINEW_OK);
    EXPECT(sinew_node_set_text(node, "method", "dual_quaternion") == SINEW_OK);
    EXPECT(sinew_node_set_bool(node, "normalize", 1) == SINEW_OK);
    EXPECT(sinew_node_set_real(node, "envelope", 0.5) == SINEW_OK);
    EXPECT(sinew_node_set_int(node, "envelope", 1) == SINEW_OK);
    double envelope = 0;
    const char *method = NULL;
    EXPECT(sinew_node_get_number(node, "envelope", &envelope) == SINEW_OK && envelope == 1.0);
    EXPECT(sinew_node_get_choice(node, "method", &method) == SINEW_OK && strcmp(method, "dual_quaternion") == 0);

    /* Two vertices, the second without a weight: it stays, with a warning. One joint moves up by 3 cm. */
    const double points[6] = {1, 2, 3, 4, 5, 6}, weights[1] = {1}, map[2] = {1, 1};
    const int32_t counts[2] = {1, 0}, joints[1] = {0};
    const double rest[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    const double now[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 3, 0, 0, 0, 1};
    const SinewArray inputs[7] = {array(SINEW_F64, 3, points, 2),  array(SINEW_I32, 1, counts, 2),
                                  array(SINEW_I32, 1, joints, 1),  array(SINEW_F64, 1, weights, 1),
                                  array(SINEW_F64, 16, rest, 1),   array(SINEW_F64, 16, now, 1),
                                  array(SINEW_F64, 1, map, 2)};
    const char *ports[7] = {"points", "influence_counts", "influence_joints", "influence_weights",
                            "rest_joints", "joints", "envelope_map"};
    for (int i = 0; i < 7; i++) EXPECT(sinew_node_set_array(node, ports[i], &inputs[i]) == SINEW_OK);
    EXPECT(sinew_node_clear_input(node, "envelope_map") == SINEW_OK);
    EXPECT(sinew_node_step(node, 12, 0.5) == SINEW_OK && log_lines == 1);

    uint64_t count = 0, needed = 0;
    EXPECT(sinew_node_output_count(node, "points", &count) == SINEW_OK && count == 2);
    float moved[8] = {0};
    const SinewArrayMut out = {sizeof(SinewArrayMut), SINEW_F32, 3, 0, moved, 2, 4 * sizeof(float)};
    EXPECT(sinew_node_read_output(node, "points", &out) == SINEW_OK);
    const float right[8] = {1, 2, 6, 0, 4, 5, 6, 0};
    for (int i = 0; i < 8; i++) EXPECT(moved[i] - right[i] < 1e-5F && right[i] - moved[i] < 1e-5F);

    EXPECT(sinew_node_report(node, NULL, 0, &needed) == SINEW_OK && needed > 2);
    EXPECT(sinew_node_save_state(node, NULL, 0, &needed) == SINEW_OK);
    uint8_t *state = malloc(needed);
    EXPECT(sinew_node_save_state(node, state, needed, &needed) == SINEW_OK);
    EXPECT(sinew_node_load_state(copy, state, needed) == SINEW_OK);
    float again[8] = {0};
    const SinewArrayMut out_again = {sizeof(SinewArrayMut), SINEW_F32, 3, 0, again, 2, 4 * sizeof(float)};
    EXPECT(sinew_node_read_output(copy, "points", &out_again) == SINEW_OK);
    EXPECT(memcmp(moved, again, sizeof moved) == 0);
    free(state);

    EXPECT(sinew_node_cancel(node) == SINEW_OK);
    EXPECT(sinew_node_set_real(node, "envelope", 9.0) == SINEW_OUT_OF_RANGE);
    SinewPlace place = {0};
    place.struct_size = sizeof place;
    EXPECT(sinew_last_error_place(&place) == SINEW_OK && place.vertex == -1);
    sinew_context_destroy(context);
    sinew_node_destroy(node);
    sinew_node_destroy(copy);
    puts("frozen client: ok");
    return 0;
}
