/* Calls the ABI wrongly in every way that a host might, and checks that each call is refused with a message and
 * without writing anything. */
#include <math.h>
#include <pthread.h>
#include <sinew/sinew.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void refuse(int line, SinewStatus expected, SinewStatus got) {
    if (got != expected || strlen(sinew_last_error_message()) == 0) {
        fprintf(stderr, "line %d: status %d, expected %d: %s\n", line, got, expected, sinew_last_error_message());
        exit(1);
    }
}
#define REFUSE(expected, call) refuse(__LINE__, expected, call)

static void check(int line, int condition) {
    if (!condition) {
        fprintf(stderr, "line %d: %s\n", line, sinew_last_error_message());
        exit(1);
    }
}
#define CHECK(condition) check(__LINE__, condition)

static SinewArray array(int32_t element, uint32_t components, const void *data, uint64_t count, uint64_t stride) {
    SinewArray a = {sizeof(SinewArray), element, components, 0, data, count, stride};
    return a;
}

static void describe(void) {
    SinewNodeInfo node = {0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_info(0, NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_info(0, &node)); /* struct_size was forgotten */
    CHECK(node.id == NULL);
    node.struct_size = sizeof node;
    REFUSE(SINEW_NOT_FOUND, sinew_node_info(sinew_node_count(), &node));
    SinewPortInfo port = {0};
    port.struct_size = sizeof port;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_port_info(NULL, 0, &port));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_port_info("\xff\xfe", 0, &port));
    SinewMeshInfo mesh_info = {0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_mesh_info("skinning", 0, NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_mesh_info("skinning", 0, &mesh_info));
    mesh_info.struct_size = sizeof mesh_info;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_mesh_info(NULL, 0, &mesh_info));
    REFUSE(SINEW_NOT_FOUND, sinew_mesh_info("skinning", 1, &mesh_info));
    int32_t affects = 99;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_affects("skinning", NULL, "points", &affects));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_affects("skinning", "blend", "points", NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_affects("skinning", "points", "blend", &affects));
    CHECK(affects == 99 && mesh_info.id == NULL);
    REFUSE(SINEW_NOT_FOUND, sinew_port_info("no such node", 0, &port));
    REFUSE(SINEW_NOT_FOUND, sinew_port_info("skinning", 999, &port));
    SinewChoiceInfo choice = {0};
    choice.struct_size = sizeof choice;
    REFUSE(SINEW_NOT_FOUND, sinew_choice_info("skinning", 0, 99, &choice));
    uint64_t needed = 99;
    const double end[3] = {0, 1, 0}, nowhere[3] = {0, 0, 0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_starting_numbers(NULL, 1, NULL, 0, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_starting_numbers("reel", 1, NULL, 0, NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_starting_numbers("", 1, NULL, 0, &needed));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_starting_numbers("strand", NAN, NULL, 0, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_rod_inertia(NULL, 1, 0, NULL, 0, &needed));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_rod_inertia(nowhere, 1, 0, NULL, 0, &needed));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_rod_inertia(end, 0, 0, NULL, 0, &needed));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_rod_inertia(end, 1, -1, NULL, 0, &needed));
    CHECK(needed == 99);
    REFUSE(SINEW_WRONG_VERSION, sinew_check_version(SINEW_ABI_MAJOR + 1, 0));
    REFUSE(SINEW_WRONG_VERSION, sinew_check_version(SINEW_ABI_MAJOR, SINEW_ABI_MINOR + 1));
}

static void handles(SinewContext *context) {
    SinewNode *node = NULL;
    SinewContextConfig config = {0};
    SinewContext *other = NULL;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_context_create(NULL, NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_context_create(&config, &other));
    config.struct_size = sizeof config;
    config.threads = 4000000;
    REFUSE(SINEW_OUT_OF_RANGE, sinew_context_create(&config, &other));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_create(NULL, "skinning", &node));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_create(context, NULL, &node));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_create(context, "skinning", NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_node_create(context, "", &node));
    CHECK(node == NULL && other == NULL);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_step(NULL, 0, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_cancel(NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_text(NULL, "method", "linear"));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(NULL, "points", NULL));
    sinew_node_destroy(NULL);
    sinew_context_destroy(NULL);
}

static void parameters(SinewNode *node) {
    double value = 7.0;
    const char *choice = NULL;
    REFUSE(SINEW_NOT_FOUND, sinew_node_set_real(node, "no such", 1.0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_real(node, NULL, 1.0));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_node_set_real(node, "envelope", 2.0));
    REFUSE(SINEW_NOT_FINITE, sinew_node_set_real(node, "envelope", NAN));
    REFUSE(SINEW_WRONG_TYPE, sinew_node_set_real(node, "normalize", 1.0));
    REFUSE(SINEW_PARSE, sinew_node_set_text(node, "method", "liner"));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_text(node, "method", NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_node_get_number(node, "no such", &value));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_get_number(node, "envelope", NULL));
    REFUSE(SINEW_WRONG_TYPE, sinew_node_get_choice(node, "envelope", &choice));
    CHECK(value == 7.0 && choice == NULL);
    REFUSE(SINEW_OUT_OF_RANGE, sinew_node_set_space(node, 0.0, SINEW_UP_Y));
    REFUSE(SINEW_NOT_FINITE, sinew_node_set_space(node, NAN, SINEW_UP_Y));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_node_set_space(node, 5e-324, SINEW_UP_Y));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_space(node, 1.0, 5));
}

static void arrays(SinewNode *node) {
    const float three[3] = {0, 0, 0}, bad[6] = {0, 0, 0, 0, NAN, 0};
    SinewArray a = array(SINEW_F32, 3, three, 1, 0);
    SinewPlace place = {0};
    place.struct_size = sizeof place;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_node_set_array(node, "nowhere", &a));
    a.struct_size = 4;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", &a));
    a = array(17, 3, three, 1, 0);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", &a));
    a = array(SINEW_F32, 3, NULL, 1, 0);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", &a));
    a = array(SINEW_F32, 3, three, 1, 8);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", &a));
    a = array(SINEW_F32, 3, three, UINT64_MAX / 4, 0);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_array(node, "points", &a));
    a = array(SINEW_F32, 2, three, 1, 0);
    REFUSE(SINEW_WRONG_TYPE, sinew_node_set_array(node, "points", &a));
    a = array(SINEW_F32, 3, bad, 2, 0);
    REFUSE(SINEW_NOT_FINITE, sinew_node_set_array(node, "points", &a));
    CHECK(sinew_last_error_place(&place) == SINEW_OK && place.vertex == 1 && place.joint == -1);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_last_error_place(NULL));
    SinewMesh mesh = {0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_mesh(node, "points", &mesh));
    mesh.struct_size = sizeof mesh;
    mesh.positions = array(SINEW_F32, 3, three, 1, 0);
    mesh.uvs = array(SINEW_F32, 2, NULL, 0, 0);
    REFUSE(SINEW_WRONG_TYPE, sinew_node_set_mesh(node, "points", &mesh));
    const uint32_t sizes[1] = {3}, corners[3] = {0, 0, 9};
    mesh.face_sizes = sizes, mesh.face_count = 1, mesh.corner_vertices = corners, mesh.corner_count = 3;
    REFUSE(SINEW_OUT_OF_RANGE, sinew_node_set_mesh(node, "points", &mesh));
    CHECK(strstr(sinew_last_error_message(), "port points") != NULL);
    const float uvs[6] = {0, 0, NAN, 0, 0, 1};
    mesh.uvs = array(SINEW_F32, 2, uvs, 3, 0);
    REFUSE(SINEW_NOT_FINITE, sinew_node_set_mesh(node, "points", &mesh));
    CHECK(strstr(sinew_last_error_message(), "UV 1: component 0 is NaN") != NULL);
    CHECK(sinew_last_error_place(&place) == SINEW_OK && place.vertex == -1);
    mesh.corner_vertices = NULL;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_mesh(node, "points", &mesh));
}

static void steps(SinewNode *node) {
    float points[6] = {5, 5, 5, 5, 5, 5};
    const SinewArray in = array(SINEW_F32, 3, points, 2, 0);
    SinewArrayMut out = {sizeof(SinewArrayMut), SINEW_F32, 3, 0, points, 2, 0};
    uint64_t count = 77;
    REFUSE(SINEW_NOT_FINITE, sinew_node_step(node, 1, INFINITY));
    REFUSE(SINEW_MISSING_INPUT, sinew_node_deform(node, 1, 0, &in, &out));
    REFUSE(SINEW_MISSING_INPUT, sinew_node_read_output(node, "points", &out));
    REFUSE(SINEW_NOT_FOUND, sinew_node_read_output(node, "blend", &out));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_output_count(node, "points", NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_node_output_count(node, "nothing", &count));
    REFUSE(SINEW_NOT_FOUND, sinew_node_want_output(node, "nothing", 1));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_want_output(node, NULL, 1));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_want_output(NULL, "points", 1));
    out.count = 1;
    REFUSE(SINEW_COUNT_MISMATCH, sinew_node_deform(node, 1, 0, &in, &out));
    CHECK(count == 77);
    /* Counts that no node has ports for: nothing behind the first struct is read. */
    const SinewPortArray given = {sizeof given, 0, "points", &in};
    const SinewPortArrayMut wanted = {sizeof wanted, 0, "points", &out};
    for (uint32_t many = 1000; many; many = many < UINT32_MAX ? UINT32_MAX : 0) {
        REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_run(node, 1, 0, &given, many, NULL, 0, NULL));
        CHECK(strstr(sinew_last_error_message(), "input_count") != NULL);
        REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_run(node, 1, 0, NULL, many, &wanted, 1, NULL));
        REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_run(node, 1, 0, &given, 1, &wanted, many, NULL));
        CHECK(strstr(sinew_last_error_message(), "output_count") != NULL);
    }
    for (int i = 0; i < 6; i++) CHECK(points[i] == 5);
}

static void states(SinewNode *node) {
    uint8_t buffer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    uint64_t needed = 0;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_save_state(node, NULL, 0, NULL));
    REFUSE(SINEW_TOO_LARGE, sinew_node_save_state(node, buffer, sizeof buffer, &needed));
    REFUSE(SINEW_NOT_FOUND, sinew_node_get_text(node, "no such", NULL, 0, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_get_text(node, "method", NULL, 0, NULL));
    REFUSE(SINEW_TOO_LARGE, sinew_node_get_text(node, "method", buffer, 2, &needed));
    CHECK(needed == 0 && buffer[0] == 1);
    CHECK(sinew_node_save_state(node, NULL, 0, &needed) == SINEW_OK && needed > sizeof buffer);
    uint8_t *state = malloc(needed);
    CHECK(sinew_node_save_state(node, state, needed, NULL) == SINEW_OK);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_row_vectors(node, 5));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_start(node, 7, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_restart(node, -1));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_set_lean(node, 2));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_node_load_state(node, NULL, needed));
    REFUSE(SINEW_TOO_LARGE, sinew_node_load_state(node, state, UINT64_MAX));
    for (uint64_t size = 0; size < needed; size++) CHECK(sinew_node_load_state(node, state, size) != SINEW_OK);
    CHECK(sinew_node_load_state(node, state, needed) == SINEW_OK);
    free(state);
}

static void documents(void) {
    double axes[16] = {7};
    int32_t is_there = 7;
    uint32_t element = 7;
    uint64_t needed = 7;
    SinewMesh mesh = {0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_set_context(NULL, NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_cancel(NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_read(NULL, 0, NULL, 0, &needed));
    SinewDocument *scene = NULL;
    CHECK(sinew_document_create("strand_scene", 1, SINEW_UP_Y, &scene) == SINEW_OK);
    uint32_t body = 0, shape = 0;
    CHECK(sinew_document_add(scene, 0, "body", SINEW_NO_ELEMENT, &body) == SINEW_OK);
    CHECK(sinew_document_add(scene, body, "shape", SINEW_NO_ELEMENT, &shape) == SINEW_OK);
    REFUSE(SINEW_NOT_FOUND, sinew_document_read(scene, 99, NULL, 0, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_read(scene, 0, NULL, 0, NULL));
    REFUSE(SINEW_NOT_FOUND, sinew_document_get_place(scene, body, "velocity", axes, &is_there));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_get_place(scene, body, NULL, axes, &is_there));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_set_place(scene, body, "at", NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_set_place(scene, body, "at", axes)); /* The last row is not 0 0 0 1. */
    axes[15] = 1;
    REFUSE(SINEW_DEGENERATE, sinew_document_set_place(scene, body, "at", axes));
    axes[0] = NAN;
    REFUSE(SINEW_NOT_FINITE, sinew_document_set_place(scene, body, "at", axes));
    REFUSE(SINEW_NOT_FINITE, sinew_document_set_joint(scene, "j", axes));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_set_joint(scene, NULL, axes));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_mesh(scene, shape, &mesh)); /* No file is named. */
    CHECK(sinew_document_set_text(scene, shape, "file", "no such file.obj") == SINEW_OK);
    REFUSE(SINEW_MISSING_FILE, sinew_document_mesh(scene, shape, &mesh));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_document_set_mesh(scene, shape, &mesh)); /* struct_size was forgotten */
    REFUSE(SINEW_NOT_FOUND, sinew_document_mesh_file(scene, shape, NULL, 0, &needed));
    REFUSE(SINEW_UNSUPPORTED, sinew_document_single(scene, "m", &element));
    CHECK(is_there == 7 && element == 7 && needed == 7 && mesh.face_count == 0);
    sinew_document_destroy(scene);
}

/* What a set is created from, and what its report says is left out on every rig; NULL for nothing. */
static void created(const char *attributes, const char *left_out) {
    char xml[400], report[1000] = {0};
    uint64_t needed = 0;
    SinewMuscles *set = NULL;
    snprintf(xml, sizeof xml,
             "<muscle_set version=\"1\"><muscle name=\"soleus\" origin_joint=\"knee\" origin=\"0 1 0\" "
             "insertion_joint=\"heel\" insertion=\"0 0 0\" size=\"0.1\" %s/></muscle_set>",
             attributes);
    CHECK(sinew_muscles_create(xml, &set) == SINEW_OK);
    CHECK(sinew_muscles_report(set, (uint8_t *)report, sizeof report - 1, &needed) == SINEW_OK);
    CHECK((strstr(report, "is left out") != NULL) == (left_out != NULL));
    CHECK(left_out == NULL || strstr(report, left_out) != NULL);
    sinew_muscles_destroy(set);
}

static void muscles(void) {
    static const char *const names[2] = {"a", "b"};
    double rest[32] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 1, 0, 0, 2, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    SinewMuscles *set = NULL, *fitted = NULL;
    SinewRig rig = {0}, cut = {0};
    uint8_t buffer[4] = {9, 9, 9, 9};
    uint64_t needed = 0;
    uint32_t count = 7;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_create("", NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_create("\xff", &set));
    REFUSE(SINEW_PARSE, sinew_muscles_create("<muscle_set", &set));
    CHECK(set == NULL && sinew_muscles_create(NULL, &set) == SINEW_OK);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, NULL, "m", "a", "b", NULL, NULL, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &rig, "m", "a", "b", NULL, NULL, 0)); /* struct_size was forgotten */
    rig.struct_size = sizeof rig, rig.metres_per_unit = 1, rig.joint_count = 2, rig.joint_names = names;
    rig.rest_joints = array(SINEW_F64, 16, rest, 2, 0);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(NULL, &rig, "m", "a", "b", NULL, NULL, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &rig, NULL, "a", "b", NULL, NULL, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &rig, "", "a", "b", NULL, NULL, 0));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &rig, "m", "a", "b", NULL, NULL, NAN));
    REFUSE(SINEW_NOT_FOUND, sinew_muscles_add(set, &rig, "m", "a", "c", NULL, NULL, 0));
    cut = rig, cut.joint_names = NULL;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &cut, "m", "a", "b", NULL, NULL, 0));
    cut = rig, cut.joint_count = UINT32_MAX;
    REFUSE(SINEW_COUNT_MISMATCH, sinew_muscles_add(set, &cut, "m", "a", "b", NULL, NULL, 0));
    cut = rig, cut.row_vectors = 2;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_add(set, &cut, "m", "a", "b", NULL, NULL, 0));
    cut = rig, cut.rest_joints.components = 12;
    REFUSE(SINEW_WRONG_TYPE, sinew_muscles_add(set, &cut, "m", "a", "b", NULL, NULL, 0));
    REFUSE(SINEW_MISSING_INPUT, sinew_muscles_fit("<muscle_plan across=\"a b\" upwards=\"a b\"/>", &rig, &fitted));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_fit(NULL, NULL, &fitted));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_muscles_mirror(set, 3, &count));
    REFUSE(SINEW_NOT_FOUND, sinew_muscles_mirror_on(set, &rig, &count)); /* no joint has a side */
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_mirror_on(set, NULL, &count));
    REFUSE(SINEW_NOT_FOUND, sinew_muscles_remove(set, "m"));
    REFUSE(SINEW_NOT_FOUND, sinew_muscles_copy(set, &rig, &rig));
    const double nowhere[3] = {0, NAN, 0};
    REFUSE(SINEW_NOT_FINITE, sinew_muscles_add(set, &rig, "m", "a", "b", nowhere, NULL, 0));
    CHECK(sinew_muscles_add(set, &rig, "m", "a", "b", NULL, NULL, 0) == SINEW_OK);
    SinewPhysique factors = {0};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_physique(set, &factors));
    factors.struct_size = sizeof factors;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_physique(set, &factors)); /* factors of zero */
    REFUSE(SINEW_NOT_FOUND, sinew_physique_info(UINT32_MAX, &factors));
    const SinewArray points = array(SINEW_F64, 3, rest, 5, 0);
    REFUSE(SINEW_COUNT_MISMATCH, sinew_muscles_sculpt(set, &rig, NULL, &points, &count));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_sculpt(set, &rig, "odd", &points, &count));
    SinewArrayMut weights = {sizeof weights, SINEW_F64, 1, 0, rest, 2, 0};
    REFUSE(SINEW_MISSING_INPUT, sinew_muscles_weights(set, &rig, 4, 1, 6, &weights));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_muscles_weights(set, &rig, 0, 1, 6, &weights));
    REFUSE(SINEW_OUT_OF_RANGE, sinew_muscles_weights(set, &rig, 4, 1, 1001, &weights));
    REFUSE(SINEW_TOO_LARGE, sinew_muscles_text(set, buffer, sizeof buffer, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_muscles_report(set, NULL, 0, NULL));
    CHECK(count == 7 && needed == 0 && buffer[0] == 9 && fitted == NULL && rest[16] == 1);
    sinew_muscles_destroy(set);
    sinew_muscles_destroy(NULL);
    created("", NULL);
    created("rings=\"9\" divisions=\"12\"", NULL);
    created("rings=\"3000000000\"", "muscle soleus");
    created("divisions=\"2000000000\"", "muscle soleus");
    created("count=\"4000000000\"", "muscle soleus");
    created("stiffness=\"-1\"", "muscle soleus");
}

static void jobs(SinewContext *context) {
    SinewJobConfig config = {0};
    SinewJob *job = NULL;
    uint8_t buffer[1] = {9};
    uint64_t needed = 0;
    const char *const settings[2] = {"zeta=1", NULL};
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, NULL, &job));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job)); /* struct_size was forgotten */
    config.struct_size = sizeof config;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job)); /* no scene */
    config.scene = "\xff\xfe";
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    config.scene = "nowhere/job.xml";
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(NULL, &config, &job));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, NULL));
    config.flags = 8;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    config.flags = 0, config.only = "everything";
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    CHECK(strstr(sinew_last_error_message(), "solve, images, caches or page") != NULL);
    config.only = NULL, config.frames = "1 to 9";
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    config.frames = NULL, config.setting_count = 2;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    config.settings = settings;
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_create(context, &config, &job));
    config.setting_count = UINT32_MAX;
    REFUSE(SINEW_TOO_LARGE, sinew_job_create(context, &config, &job));
    CHECK(job == NULL);
    config.setting_count = 1;
    CHECK(sinew_job_create(context, &config, &job) == SINEW_OK);
    REFUSE(SINEW_MISSING_FILE, sinew_job_run(job));
    CHECK(strstr(sinew_last_error_message(), "nowhere/job.xml") != NULL);
    REFUSE(SINEW_TOO_LARGE, sinew_job_report(job, buffer, sizeof buffer, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_report(job, NULL, 0, NULL));
    CHECK(needed == 0 && buffer[0] == 9);
    CHECK(sinew_job_report(job, NULL, 0, &needed) == SINEW_OK && needed == 2);
    sinew_job_destroy(job);
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_run(NULL));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_report(NULL, NULL, 0, &needed));
    REFUSE(SINEW_INVALID_ARGUMENT, sinew_job_cancel(NULL));
    sinew_job_destroy(NULL);
}

static void *cancel(void *node) {
    CHECK(sinew_node_cancel(node) == SINEW_OK);
    return NULL;
}

int main(void) {
    SinewContext *context = NULL;
    SinewNode *node = NULL;
    describe();
    muscles();
    documents();
    CHECK(sinew_context_create(NULL, &context) == SINEW_OK);
    handles(context);
    jobs(context);
    CHECK(sinew_node_create(context, "skinning", &node) == SINEW_OK);
    sinew_context_destroy(context); /* the node keeps what it needs */
    parameters(node);
    arrays(node);
    steps(node);
    states(node);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, cancel, node) == 0 && pthread_join(thread, NULL) == 0);
    sinew_node_destroy(node);
    puts("hostile calls: all refused");
    return 0;
}
