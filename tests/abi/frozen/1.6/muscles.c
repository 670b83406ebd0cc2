/* A host of ABI 1.6 that makes muscles: compiled with the header of that time, it works with every later library. */
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

typedef SinewStatus (*Text)(SinewMuscles *, uint8_t *, uint64_t, uint64_t *);

/* The text of a set, or its report; the caller frees it. */
static char *text(Text of, SinewMuscles *set) {
    uint64_t size = 0;
    EXPECT(of(set, NULL, 0, &size) == SINEW_OK);
    char *found = calloc(size + 1, 1);
    EXPECT(found != NULL && of(set, (uint8_t *)found, size, &size) == SINEW_OK);
    return found;
}

static int has(Text of, SinewMuscles *set, const char *words) {
    char *found = text(of, set);
    const int is_there = strstr(found, words) != NULL;
    free(found);
    return is_there;
}

static int32_t listen(void *user, double done, const char *task) {
    ++*(int *)user;
    return done < 0 || task == NULL;
}

int main(void) {
    EXPECT(sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR) == SINEW_OK);
    double joints[3][16] = {{0}};
    const double places[3][3] = {{20, 140, 5}, {50, 140, 5}, {80, 150, 5}};
    for (int joint = 0; joint < 3; ++joint)
        for (int axis = 0; axis < 3; ++axis) {
            joints[joint][5 * axis] = joints[joint][15] = 1;
            joints[joint][4 * axis + 3] = places[joint][axis];
        }
    const char *names[3] = {"arm_L", "elbow_L", "hand_L"};
    SinewRig rig = {0};
    rig.struct_size = sizeof rig;
    rig.metres_per_unit = 0.01;
    rig.joint_count = 3;
    rig.joint_names = names;
    rig.rest_joints = (SinewArray){sizeof(SinewArray), SINEW_F64, 16, 0, joints, 3, 0};

    int heard = 0;
    SinewContextConfig config = {0};
    config.struct_size = sizeof config;
    config.progress = listen;
    config.progress_user = &heard;
    SinewContext *context = NULL;
    SinewMuscles *set = NULL;
    uint32_t added = 0;
    EXPECT(sinew_context_create(&config, &context) == SINEW_OK);
    EXPECT(sinew_muscles_create("", &set) == SINEW_OK && sinew_muscles_set_context(set, context) == SINEW_OK);
    EXPECT(sinew_muscles_add(set, &rig, "m_L", "arm_L", "hand_L", NULL, NULL, 3) == SINEW_OK && heard > 0);
    EXPECT(has(sinew_muscles_text, set, "metres_per_unit=\"0.01\"") && has(sinew_muscles_text, set, "insertion=\"80 150 5\""));
    EXPECT(sinew_muscles_mirror(set, 0, &added) == SINEW_OK && added == 1 && has(sinew_muscles_report, set, "\"m_R\""));
    SinewPhysique factors = {sizeof factors, 0, NULL, 2, 1, 1, 1, 0};
    EXPECT(sinew_muscles_physique(set, &factors) == SINEW_OK && has(sinew_muscles_text, set, "bulge=\"1\""));
    EXPECT(sinew_muscles_copy(set, &rig, &rig) == SINEW_OK && has(sinew_muscles_report, set, "m_R is left out"));
    EXPECT(!has(sinew_muscles_text, set, "m_R") && sinew_muscles_remove(set, "m_R") == SINEW_NOT_FOUND);
    EXPECT(sinew_muscles_remove(set, "m_L") == SINEW_OK && sinew_muscles_cancel(set) == SINEW_OK);
    sinew_muscles_destroy(set);

    const char *sheet = "<muscle_set version=\"1\"><muscle name=\"fan\" origin_joint=\"arm_L\" origin=\"0 1 0\" origin_to=\"0 2 0\" count=\"2\" "
                        "insertion_joint=\"hand_L\" insertion=\"1 1 0\" size=\"0.1\"/><muscle name=\"odd\" size=\"wide\"/></muscle_set>";
    EXPECT(sinew_muscles_create(sheet, &set) == SINEW_OK && has(sinew_muscles_report, set, "\"fan.2\""));
    uint64_t size = 0;
    EXPECT(has(sinew_muscles_report, set, "muscle odd") && sinew_muscles_text(set, NULL, 0, &size) == SINEW_PARSE);
    EXPECT(sinew_muscles_remove(set, "fan.1") == SINEW_PARSE);
    sinew_muscles_destroy(set);
    sinew_context_destroy(context);
    puts("muscles of 1.6: ok");
    return 0;
}
