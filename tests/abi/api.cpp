// The C++ API beyond what the examples use: every kind of number, choices, whole outputs, time, listeners.
#include <sinew/sinew.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>

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
    for (const SinewNodeInfo& info : sinew::nodes()) {
        const auto params = sinew::params(info);
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

int main() {
    sinew::check_version();
    descriptions();
    muscles();
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
