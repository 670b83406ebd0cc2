// Saving, opening, duplicating, renaming, referencing.
#include "check.h"
#include "toys.h"

#include <scene.h>

#include <cstdio>

#include <unistd.h>

using standin::Scene;

namespace {

struct ToyScene : Scene {
    ToyScene() { load_plugin("toys", toys::initialize, toys::uninitialize); }
};

struct File {
    File() : path("/tmp/standin_" + std::to_string(getpid()) + ".txt") {}
    ~File() { (void)std::remove(path.c_str()); }
    std::string path;
};

standin::MeshPlan triangle() { return {{0, 0, 0, 1, 0, 0, 0, 0, 1}, {3}, {0, 1, 2}, {0, 1, 0}, {0, 0, 1}, {0, 1, 2}}; }

void build(Scene& scene) {
    scene.create_mesh("body", triangle());
    scene.deform("toyPush", "body", "push");
    scene.create("toyAdder", "adder");
    scene.key("adder.offset", {{1, 0.1}, {3, 0.7}});
    scene.connect("adder.sum", "push.amount");
    scene.set("push.weightList[0].weights[2]", 0.25);
    scene.set("push.input[0].componentTagExpression", std::string("a \"quoted\" tag"));
    scene.set("push.input[0].componentTagExpression", std::string("*"));
}

} // namespace

TEST(a_scene_that_was_saved_opens_with_the_same_values) {
    const File file;
    std::vector<float> before, uvs;
    {
        ToyScene scene;
        build(scene);
        scene.set_time(2);
        before = scene.points("body");
        uvs = scene.corner_uvs("body");
        scene.save(file.path);
    }
    ToyScene scene;
    scene.open(file.path);
    scene.set_time(2);
    CHECK(scene.points("body") == before && before[1] > 0.3F && before[7] < 0.2F);
    CHECK(scene.corner_uvs("body") == uvs && uvs.size() == 6);
    CHECK(scene.plug("push.amount").source() == scene.plug("adder.sum"));
    CHECK_NO_FAULTS(scene);
}

TEST(nodes_whose_plug_in_is_missing_are_left_out_with_a_warning) {
    const File file;
    {
        ToyScene scene;
        build(scene);
        scene.save(file.path);
    }
    Scene scene;
    scene.open(file.path);
    CHECK(!scene.exists("push") && scene.exists("body") && !scene.said().empty());
}

TEST(a_duplicate_has_the_values_and_none_of_the_connections) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.create("toyAdder", "b");
    scene.set("a.offset", 4);
    scene.connect("b.sum", "a.inputs[0]");
    toys::Calls::copies = 0;
    const std::string copy = scene.duplicate("a");
    CHECK(copy == "a1" && toys::Calls::copies == 1);
    CHECK(scene.number("a1.offset") == 4 && scene.plug("a1.inputs[0]").source().isNull());
    const std::string linked = scene.duplicate("a", true);
    CHECK(scene.plug(linked + ".inputs[0]").source() == scene.plug("b.sum"));
}

TEST(names_are_unique) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.create("toyAdder", "b");
    CHECK(scene.rename("b", "a") == "a1");
    CHECK(scene.exists("a1") && !scene.exists("b"));
}

TEST(referenced_nodes_stay_in_their_file_and_edits_are_kept) {
    const File file;
    const std::string outer = file.path + ".outer";
    {
        ToyScene scene;
        build(scene);
        scene.save(file.path);
    }
    {
        ToyScene scene;
        scene.reference(file.path, "actor");
        CHECK(scene.exists("actor:push") && scene.plug("actor:push.amount").isFromReferencedFile());
        CHECK(scene.command("delete actor:push") != MS::kSuccess);
        scene.set("actor:push.envelope", 0.5);
        scene.save(outer);
    }
    ToyScene scene;
    scene.open(outer);
    CHECK(scene.number("actor:push.envelope") == 0.5 && scene.number("actor:push.weightList[0].weights[2]") == 0.25);
    scene.set_time(3);
    CHECK_NEAR(static_cast<double>(scene.points("actor:body")[1]), 0.35, 1e-6);
    (void)std::remove(outer.c_str());
}
