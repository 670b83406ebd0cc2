// The C++ API beyond what the examples use: every kind of number, choices, whole outputs, time, listeners.
#include <sinew/sinew.hpp>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

static void expect(bool condition, int line) {
    if (!condition) {
        std::fprintf(stderr, "line %d\n", line);
        std::exit(1);
    }
}
#define EXPECT(condition) expect(condition, __LINE__)

template <class Call> static SinewStatus refused(Call call) {
    try {
        call();
    } catch (const sinew::Error& error) {
        return error.status();
    }
    return SINEW_OK;
}

static void numbers(sinew::Node& node) {
    node.set("substeps", static_cast<short>(3));
    EXPECT(node.number("substeps") == 3);
    node.set("substeps", 4u);
    node.set("substeps", static_cast<std::size_t>(5));
    node.set("substeps", 6L);
    node.set("substeps", 7ULL);
    node.set("substeps", static_cast<unsigned char>(8));
    EXPECT(node.number("substeps") == 8);
    EXPECT(refused([&] { node.set("substeps", ~0ULL); }) == SINEW_OUT_OF_RANGE);
    try {
        node.set("substeps", -1);
        EXPECT(false);
    } catch (const sinew::Error& error) {
        EXPECT(error.param() == "substeps" && error.port().empty() && error.place().param == nullptr);
    }
    node.set("gravity", 2.5F);
    EXPECT(node.number("gravity") == 2.5);
    node.set("gravity", 0);
    node.set("proxy_check", true);
    EXPECT(node.number("proxy_check") == 1);
    node.set("proxy_check", false);
    node.set("mode", std::string("dynamic"));
    node.set_choice("mode", 0);
    EXPECT(node.choice("mode") == "quasistatic");
    node.set("substeps", 0);
}

static void descriptions() {
    std::set<std::uint32_t> numbers;
    for (const SinewNodeInfo& info : sinew::nodes()) {
        EXPECT(info.number > 0 && info.number < 64 && numbers.insert(info.number).second);
        const auto params = sinew::params(info);
        std::set<std::string> names;
        for (const auto& port : sinew::ports(info)) EXPECT(names.insert(port.host_name).second);
        for (const auto& param : params) {
            EXPECT(!*param.document || sinew::Document(param.document, 1.0, SINEW_UP_Y).root() < SINEW_NO_ELEMENT);
            EXPECT(names.insert(param.host_name).second);
            EXPECT((std::string(param.unit) == "m") == (std::string(param.quantity) == "length"));
            EXPECT(!param.animatable || (!param.restarts && param.kind != SINEW_PARAM_TEXT));
        }
        for (std::uint32_t k = 0; k < params.size(); ++k) {
            const auto choices = sinew::choices(info, k);
            EXPECT(choices.size() == params[k].choice_count);
            for (const auto& choice : choices) EXPECT(*choice.title && *choice.doc);
            EXPECT(params[k].kind != SINEW_PARAM_CHOICE || choices[static_cast<std::size_t>(params[k].default_value)].id ==
                                                               std::string(params[k].default_text));
        }
    }
}

// As Maya has it: centimetres, row vectors.
static void muscles() {
    std::array<double, 48> rest{};
    const double places[3][3] = {{20, 140, 5}, {50, 140, 5}, {80, 150, 5}};
    for (std::size_t k = 0; k < 3; ++k) {
        double* matrix = rest.data() + 16 * k;
        matrix[0] = matrix[5] = matrix[10] = matrix[15] = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) matrix[12 + axis] = places[k][axis];
    }
    const sinew::Rig rig({"arm_L", "elbow_L", "hand_L"}, sinew::array<double>(rest, 16), 0.01, SINEW_UP_Y, true);
    sinew::MuscleSet set;
    set.add(rig, "m_L", "arm_L", "hand_L", 3);
    EXPECT(set.text().find("insertion=\"80 150 5\"") != std::string::npos);
    EXPECT(set.mirror() == 1 && set.report().find("\"m_R\"") != std::string::npos);
    set.copy(rig, rig);
    EXPECT(set.report().find("m_R is left out") != std::string::npos);
    EXPECT(refused([&] { set.remove("m_R"); }) == SINEW_NOT_FOUND);
    EXPECT(refused([&] { set.mirror(rig); }) == SINEW_NOT_FOUND); // It has no right arm.
    EXPECT(refused([&] { sinew::MuscleSet::fit(rig); }) == SINEW_MISSING_INPUT);
    EXPECT(refused([&] { sinew::MuscleSet("<strand_scene/>"); }) == SINEW_PARSE);

    // Followed and stopped by the callbacks of a context that only the set keeps.
    int heard = 0;
    const std::string before = set.text();
    {
        sinew::ContextOptions options;
        options.on_calling_thread = true;
        options.progress = [&heard](double, const char*) -> bool {
            if (++heard > 1) throw 1;
            return true;
        };
        set.use(sinew::Context(options));
    }
    EXPECT(set.mirror() == 1 && heard == 1);
    EXPECT(refused([&] { set.remove("m_R"); }) == SINEW_CANCELLED && heard == 2);
    EXPECT(set.text().find("\"m_R\"") != std::string::npos);
    set.cancel(); // Nothing runs: nothing happens.
    sinew::MuscleSet other;
    EXPECT(refused([&] { other.place(rig); }) == SINEW_MISSING_INPUT && other.text() != before);
}

// What the joints of a rig do: found in its hierarchy, and chosen.
static void roles() {
    const std::vector<std::string> names = {"wrist",   "thumb_1",  "thumb_2",  "index_1", "index_2",
                                            "middle_1", "middle_2", "little_1", "little_2"};
    const double places[9][2] = {{0, 0}, {3, 2}, {5, 4}, {9, 2}, {12, 2}, {9, 0}, {13, 0}, {8, -3}, {10, -3}};
    std::vector<double> rest(16 * names.size());
    for (std::size_t k = 0; k < names.size(); ++k) {
        double* matrix = rest.data() + 16 * k;
        matrix[0] = matrix[5] = matrix[10] = matrix[15] = 1;
        matrix[12] = places[k][0];
        matrix[13] = places[k][1];
    }
    const auto has = [](const sinew::Rig& rig, const char* text) { return rig.roles().find(text) != std::string::npos; };
    sinew::Rig rig(names, sinew::array<double>(rest, 16), 0.01, SINEW_UP_Y, true);
    EXPECT(has(rig, "by its name alone: the joints have no hierarchy") && has(rig, "\"role\":\"index2.L\""));
    rig.set_parents({-1, 0, 1, 0, 3, 0, 5, 0, 7});
    EXPECT(!has(rig, "no hierarchy") && has(rig, "\"title\":\"Left Hand\"") && !has(rig, "\"chosen\""));
    std::vector<std::string> chosen(names.size());
    chosen[5] = "ring1.L";
    rig.set_roles(chosen);
    EXPECT(has(rig, "\"role\":\"ring1.L\",\"joint\":\"middle_1\",\"certainty\":\"chosen\""));
    EXPECT(has(rig, "\"role\":\"index2.L\",\"joint\":\"index_2\""));
    chosen[6] = "ring1.L";
    rig.set_roles(chosen);
    EXPECT(refused([&] { (void)rig.roles(); }) == SINEW_INVALID_ARGUMENT);
    rig.set_roles(std::vector<std::string>(names.size()));
    EXPECT(has(rig, "\"role\":\"middle1.L\""));
    rig.set_parents({1, 0, 1, 0, 3, 0, 5, 0, 7});
    EXPECT(refused([&] { (void)rig.roles(); }) == SINEW_TOPOLOGY);
    for (const auto& wrong : {std::vector<std::int32_t>{-1}, std::vector<std::int32_t>()}) {
        try {
            rig.set_parents(wrong);
            EXPECT(false);
        } catch (const std::invalid_argument&) {
        }
    }
}

// A strand scene and a muscle set, authored, checked, mirrored and read back through documents alone.
static void documents() {
    sinew::Document scene("strand_scene", 0.01, SINEW_UP_Z);
    const auto named = [&scene](const char* element, const char* name, std::initializer_list<double> at) {
        const auto id = scene.add(scene.root(), element);
        scene.set_text(id, "name", name);
        if (at.size() > 0) scene.set_numbers(id, "at", {at.begin(), at.size()});
        return id;
    };
    const auto body = named("body", "weight_L", {10, 0, 80});
    const auto box = scene.add(body, "cuboid");
    scene.set_numbers(box, "size", std::array<double, 3>{2, 4, 6});
    const auto hook = named("point", "hook_L", {10, 0, 100});
    scene.set_text(hook, "on", "world");
    const auto end = named("point", "end_L", {10, 0, 83});
    scene.set_text(end, "on", "weight_L");
    const auto rope = named("strand", "rope_L", {});
    scene.set_text(rope, "stiffness", "1000");
    for (const char* point : {"hook_L", "end_L"}) scene.set_text(scene.add(rope, "node"), "point", point);
    EXPECT(scene.faults() == "{\"faults\":[],\"warnings\":[]}");
    EXPECT(scene.rename(body, "load_L") == 1 && scene.text_of(end, "on") == "load_L");
    EXPECT(refused([&] { scene.rename(hook, "end_L"); }) == SINEW_INVALID_ARGUMENT);
    scene.set_space(1, SINEW_UP_Y);
    const std::vector<double> in_metres = scene.numbers(hook, "at");
    EXPECT(in_metres.size() == 3 && std::abs(in_metres[1] - 1) < 1e-12 && std::abs(in_metres[0] - 0.1) < 1e-12);
    const std::vector<double> sides = scene.numbers(box, "size");
    EXPECT(std::abs(sides[1] - 0.06) < 1e-12 && std::abs(sides[2] - 0.04) < 1e-12);
    scene.mirror(0);
    EXPECT(scene.text().find("load_R") != std::string::npos && scene.numbers(hook, "at")[0] < 0);
    auto again = sinew::Document::parse(scene.text());
    EXPECT(again.text() == scene.text() && again.list(again.root(), "point").size() == 2);
    again.clear(again.list(again.root(), "strand")[0], "stiffness");
    EXPECT(again.faults().find("give exactly one of stiffness and young") != std::string::npos);
    again.remove(again.list(again.root(), "body")[0]);
    EXPECT(again.faults().find("there is no body") != std::string::npos);
    EXPECT(refused([&] { again.add(again.root(), "knot"); }) == SINEW_NOT_FOUND);
    EXPECT(refused([] { sinew::Document::parse("<poem/>"); }) == SINEW_NOT_FOUND);
    EXPECT(refused([] { sinew::Document::load("no such file"); }) == SINEW_MISSING_FILE);

    sinew::Document set("muscle_set", 0.01, SINEW_UP_Y);
    const auto muscle = set.add(set.root(), "muscle");
    for (const auto& [name, value] : std::initializer_list<std::pair<const char*, const char*>>{
             {"name", "m_L"}, {"origin_joint", "arm_L"}, {"insertion_joint", "hand_L"}, {"insertion", "30 0 0"}, {"size", "3"}})
        set.set_text(muscle, name, value);
    EXPECT(set.faults().find("the attribute origin is missing") != std::string::npos);
    set.set_numbers(muscle, "origin", std::array<double, 3>{10, 0, 0});
    EXPECT(set.mirror(0) == 1 && set.list(set.root(), "muscle").size() == 2 && set.expand() == 0);
    EXPECT(sinew::describe_document("muscle_set").find("\"quantity\":\"length\"") != std::string::npos);
    EXPECT(sinew::starting_numbers("reel", 20) == "{\"strength\":[20.0],\"damping\":[10.0],\"stiffness\":[3.0]}");
    EXPECT(sinew::starting_numbers("hill", 0) == "{\"strength\":[100.0]}");
    EXPECT(refused([] { sinew::starting_numbers("plane", 1); }) == SINEW_NOT_FOUND);
    EXPECT(sinew::rod_inertia({0, 4, 0}, 0.01).find("\"centre\":[0.0,2.0,0.0]") != std::string::npos);
    EXPECT(refused([] { sinew::rod_inertia({0, 0, 0}, 0.01); }) == SINEW_OUT_OF_RANGE);
}

// Two muscles as a mesh beside the skin: what a host allocates before the first step, and the faces by hand.
static void second_mesh() {
    SinewNodeInfo kind{};
    for (const SinewNodeInfo& info : sinew::nodes())
        if (std::string(info.id) == "muscle_skin") kind = info;
    const auto meshes = sinew::meshes(kind);
    EXPECT(meshes.size() == 2 && std::string(meshes[0].id) == "body" && std::string(meshes[1].id) == "muscles");
    const SinewMeshInfo& muscles = meshes[1];

    const sinew::Context context;
    sinew::Node node(context, "muscle_skin");
    std::array<double, 32> joints{};
    for (std::size_t k = 0; k < 2; ++k)
        for (std::size_t axis = 0; axis < 4; ++axis) joints[16 * k + 5 * axis] = 1;
    const std::array<std::uint32_t, 2> none{0, 0}, one{1, 1}, rings{2, 3}, around{3, 4};
    node.set_array("rest_joints", joints, 16);
    node.set_array("joints", joints, 16);
    node.set_array("muscle_origin_joints", none, 1);
    node.set_array("muscle_insertion_joints", one, 1);
    node.set_array("muscle_origins", std::array<double, 6>{0, 0, 0, 0, 1, 0}, 3);
    node.set_array("muscle_insertions", std::array<double, 6>{1, 0, 0, 1, 1, 0}, 3);
    node.set_array("muscle_sizes", std::array<double, 2>{0.1, 0.1}, 1);
    node.set_array("muscle_rings", rings, 1);
    node.set_array("muscle_divisions", around, 1);
    EXPECT(node.expected_count(muscles.points) == 6 + 12 && node.expected_count(muscles.face_sizes) == 3 + 8);
    EXPECT(node.output_count(muscles.points) == 0);
    node.want_output(muscles.points, true);
    EXPECT(refused([&] { (void)node.expected_count("points"); }) == SINEW_MISSING_INPUT);
    node.set_array("points", std::array<double, 3>{0.5, 0.1, 0}, 3);
    node.set_array("influence_counts", std::array<int, 1>{1}, 1);
    node.set_array("influence_joints", std::array<int, 1>{0}, 1);
    node.set_array("influence_weights", std::array<float, 1>{1}, 1);
    node.step(1, 0);
    const sinew::OutputMesh mesh = node.output_mesh(muscles);
    EXPECT(mesh.points.size() == 3 * 18 && mesh.face_sizes == std::vector<std::uint32_t>(11, 4));
    const std::vector<std::uint32_t> first{0, 1, 4, 3, 1, 2, 5, 4, 2, 0, 3, 5, 6, 7, 11, 10};
    EXPECT(std::vector<std::uint32_t>(mesh.face_vertices.begin(), mesh.face_vertices.begin() + 16) == first);
    std::vector<int> numbers(6, 0);
    numbers.resize(18, 1);
    EXPECT(node.output<int>("muscle_numbers", 1) == numbers);
    EXPECT(sinew::affects("muscle_skin", "muscle_sizes", "muscle_points"));
    EXPECT(!sinew::affects("muscle_skin", "points", "muscle_lengths"));
    EXPECT(refused([] { (void)sinew::affects("muscle_skin", "points", "nothing"); }) == SINEW_NOT_FOUND);
}

int main() {
    sinew::check_version();
    second_mesh();
    descriptions();
    muscles();
    roles();
    documents();
    const sinew::Context context([] {
        sinew::ContextOptions options;
        options.on_calling_thread = true;
        return options;
    }());
    sinew::Node node(context, "skin_slider");
    numbers(node);

    const std::vector<double> rest{0, 0, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1};
    const std::array<std::uint32_t, 1> sizes{4};
    const std::array<std::uint32_t, 4> corners{0, 1, 2, 3};
    SinewMesh mesh{};
    mesh.struct_size = sizeof mesh;
    mesh.positions = sinew::array<double>(rest, 3);
    mesh.uvs.struct_size = sizeof mesh.uvs;
    mesh.face_sizes = sizes.data();
    mesh.face_count = sizes.size();
    mesh.corner_vertices = corners.data();
    mesh.corner_count = corners.size();
    node.set_mesh("rest", mesh);
    EXPECT(node.is_set("rest") && !node.is_set("points"));

    int lines = 0, calls = 0;
    node.listen({[&](int, const char*) { ++lines; }, [&](double, const char*) { return ++calls > 0; }});
    std::vector<float> points(rest.begin(), rest.end());
    node.set_array("points", points, 3);
    EXPECT(refused([&] { (void)node.history(); }) == SINEW_MISSING_INPUT);
    node.step(1, 1.0 / 24.0);
    EXPECT(lines > 0 && calls > 0 && node.history() == SINEW_HISTORY_STARTED);
    const std::vector<int> faces = node.output<int>("skin_faces", 1);
    const std::vector<unsigned> wholes = node.output<unsigned>("skin_faces", 1);
    EXPECT(faces == std::vector<int>(4, 0) && wholes.size() == 4);
    EXPECT(node.output<float>("slid_points", 3) == points);

    // Items in structs of the host, in and out; the bytes between them are not touched.
    struct Vertex {
        float place[3];
        int flags;
    };
    std::vector<Vertex> body(4, Vertex{{0, 0, 0}, 7});
    node.read_output("slid_points", sinew::strided_mut(body[0].place, body.size(), 3, sizeof(Vertex)));
    node.set_array("points", sinew::strided(body[0].place, body.size(), 3, sizeof(Vertex)));
    for (std::size_t k = 0; k < 12; ++k) EXPECT(body[k / 3].place[k % 3] == points[k] && body[k / 3].flags == 7);

    // A `progress` that throws or returns false stops the step.
    node.listen({nullptr, [](double, const char*) -> bool { throw 1; }});
    EXPECT(refused([&] { node.step(2, 2.0 / 24.0); }) == SINEW_CANCELLED);
    node.listen({});
    node.set_lean(true);
    const auto lean = node.save_lean_state();
    node.step(2, 2.0 / 24.0);
    EXPECT(node.history() == SINEW_HISTORY_CONTINUED);
    node.load_state(lean);
    node.set_restart(false);
    EXPECT(refused([&] { node.step(1, 1.0 / 24.0); }) == SINEW_OUT_OF_ORDER);
    node.step(2, 2.0 / 24.0);
    node.set_start(1.0);
    node.step(3, 0.5);
    EXPECT(node.history() == SINEW_HISTORY_STARTED);
    node.clear_start();
    node.reset();
    node.step(9, 9.0);
    EXPECT(node.history() == SINEW_HISTORY_STARTED && refused([&] { node.set_row_vectors(true); }) == SINEW_OK);
    std::printf("C++ API: ok\n");
    return 0;
}
