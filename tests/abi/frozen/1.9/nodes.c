/* A host of ABI 1.9 that lists nodes: compiled with the header of that time, it works with every later library. */
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

/* A description, and bytes behind it that the library must leave alone. */
typedef struct Guarded {
    SinewNodeInfo node;
    unsigned char beyond[64];
} Guarded;

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    uint32_t stateful = 0, meshes = 0;
    uint64_t numbers = 0;
    for (uint32_t k = 0; k < sinew_node_count(); ++k) {
        Guarded guarded;
        memset(&guarded, BEYOND, sizeof guarded);
        guarded.node.struct_size = sizeof guarded.node;
        EXPECT(sinew_node_info(k, &guarded.node) == SINEW_OK);
        for (size_t byte = 0; byte < sizeof guarded.beyond; ++byte) EXPECT(guarded.beyond[byte] == BEYOND);
        EXPECT(*guarded.node.id && *guarded.node.title && *guarded.node.doc && guarded.node.port_count > 0);
        stateful += guarded.node.stateful;
        meshes += guarded.node.mesh_count;
#if SINEW_ABI_MINOR >= 10
        EXPECT(guarded.node.number > 0 && guarded.node.number < 64 && guarded.node.reserved_2 == 0);
        EXPECT((numbers >> guarded.node.number & 1) == 0);
        numbers |= (uint64_t)1 << guarded.node.number;
        EXPECT((strcmp(guarded.node.id, "charts") == 0) == (guarded.node.number == 1));
        EXPECT((strcmp(guarded.node.id, "strand") == 0) == (guarded.node.number == 5));
#endif
    }
    EXPECT(stateful >= 3 && meshes >= 5);
    EXPECT(numbers == 0 || (numbers & 62) == 62);
    printf("nodes: ok\n");
    return 0;
}
