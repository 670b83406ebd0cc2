/* A host of ABI 1.10 that lists ports and parameters: compiled with the header of that time, it works with every later
   library; compiled with a later one, it sees how ports belong together. */
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

enum { BEYOND = 0x5a };

/* Descriptions, and bytes behind them that the library must leave alone. */
typedef struct GuardedPort {
    SinewPortInfo info;
    unsigned char beyond[64];
} GuardedPort;

typedef struct GuardedParam {
    SinewParamInfo info;
    unsigned char beyond[64];
} GuardedParam;

static void untouched(const unsigned char *beyond, size_t size) {
    for (size_t byte = 0; byte < size; ++byte) EXPECT(beyond[byte] == BEYOND);
}

static int related(const SinewPortInfo *port) {
    EXPECT(*port->id && *port->host_name && *port->group && port->mesh && port->element);
#if SINEW_ABI_MINOR >= 11
    if (port->direction == SINEW_OUTPUT && strcmp(port->id, "strand_points") == 0) {
        EXPECT(strcmp(port->counted_by, "strand_counts") == 0 && strcmp(port->radii, "strand_radii") == 0);
        EXPECT(*port->between == 0 && *port->index_of == 0);
    }
    if (strcmp(port->id, "tensions") == 0) EXPECT(strcmp(port->between, "strand_points") == 0);
    if (strcmp(port->id, "muscle_numbers") == 0) EXPECT(strcmp(port->index_of, "muscle") == 0);
    return *port->counted_by != 0;
#else
    return 0;
#endif
}

static int documents(const SinewParamInfo *param) {
    EXPECT(*param->id && *param->host_name && param->animatable <= 1 && param->is_file <= 1);
#if SINEW_ABI_MINOR >= 11
    EXPECT(*param->document == 0 || param->is_file);
    return *param->document != 0;
#else
    return 0;
#endif
}

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    uint32_t ports = 0;
    int lists = 0, held = 0;
    for (uint32_t k = 0; k < sinew_node_count(); ++k) {
        SinewNodeInfo node = {0};
        node.struct_size = sizeof node;
        EXPECT(sinew_node_info(k, &node) == SINEW_OK);
        for (uint32_t index = 0; index < node.port_count; ++index, ++ports) {
            GuardedPort port;
            memset(&port, BEYOND, sizeof port);
            port.info.struct_size = sizeof port.info;
            EXPECT(sinew_port_info(node.id, index, &port.info) == SINEW_OK);
            untouched(port.beyond, sizeof port.beyond);
            lists += related(&port.info);
        }
        for (uint32_t index = 0; index < node.param_count; ++index) {
            GuardedParam param;
            memset(&param, BEYOND, sizeof param);
            param.info.struct_size = sizeof param.info;
            EXPECT(sinew_param_info(node.id, index, &param.info) == SINEW_OK);
            untouched(param.beyond, sizeof param.beyond);
            held += documents(&param.info);
        }
    }
    EXPECT(ports > 50);
#if SINEW_ABI_MINOR >= 11
    EXPECT(lists >= 5 && held >= 2);
#else
    EXPECT(lists == 0 && held == 0);
#endif
    printf("ports: ok\n");
    return 0;
}
