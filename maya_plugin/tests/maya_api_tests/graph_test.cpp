// Dirty propagation, pulling, plugs, connections, contexts.
#include "check.h"
#include "toys.h"

#include <maya/MDGContextGuard.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNumericAttribute.h>
#include <maya/MNodeMessage.h>
#include <scene.h>

using standin::Scene;

namespace {
struct ToyScene : Scene {
    ToyScene() { load_plugin("toys", toys::initialize, toys::uninitialize); }
};
} // namespace

TEST(a_dirty_plug_is_computed_once_and_only_when_it_is_asked_for) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.create("toyAdder", "b");
    scene.connect("a.sum", "b.inputs[3]");
    scene.set("a.offset", 2);
    scene.set("b.offset", 10);
    CHECK(scene.computes("a") == 0);
    CHECK(scene.number("b.sum") == 12);
    CHECK(scene.number("b.sum") == 12);
    CHECK(scene.computes("a") == 1 && scene.computes("b") == 1);
    scene.set("a.offset", 3);
    CHECK(!scene.is_clean("b.sum") && !scene.is_clean("a.sum"));
    CHECK(scene.number("b.sum") == 13);
    CHECK(scene.computes("a") == 2 && scene.computes("b") == 2);
    scene.set("b.offset", 0);
    CHECK(scene.is_clean("a.sum"));
    CHECK(scene.number("b.sum") == 3 && scene.computes("a") == 2);
    CHECK_NO_FAULTS(scene);
}

TEST(set_dependents_dirty_is_called_for_what_becomes_dirty) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    (void)scene.number("a.sum");
    toys::Calls::dirty = 0;
    scene.set("a.offset", 1);
    CHECK(toys::Calls::dirty == 2);
}

TEST(a_destination_has_one_source) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.create("toyAdder", "b");
    scene.connect("a.sum", "b.offset");
    CHECK_THROWS(scene.connect("a.sum", "b.offset"));
    CHECK_THROWS(scene.set("b.offset", 1));
    CHECK(scene.plug("b.offset").source() == scene.plug("a.sum"));
    scene.set("a.offset", 5);
    CHECK(scene.number("b.offset") == 5);
    scene.disconnect("a.sum", "b.offset");
    CHECK(scene.number("b.offset") == 5);
    scene.set("b.offset", 1);
    CHECK_THROWS(scene.connect("b.sum", "b.sum"));
}

TEST(an_element_goes_away_with_its_connection_if_the_attribute_says_so) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.create("toyAdder", "b");
    scene.connect("a.sum", "b.inputs[7]");
    scene.set("b.inputs[2]", 4);
    MIntArray indices;
    scene.plug("b.inputs").getExistingArrayAttributeIndices(indices);
    CHECK(indices.length() == 2 && indices[0] == 2 && indices[1] == 7);
    scene.disconnect("a.sum", "b.inputs[7]");
    CHECK(scene.plug("b.inputs").numElements() == 1);
    CHECK(scene.number("b.sum") == 4);
}

TEST(plugs_are_found_by_name_and_know_where_they_are) {
    ToyScene scene;
    scene.create("skinCluster", "skin");
    const MPlug plug = scene.plug("skin.weightList[3].weights[5]");
    CHECK(plug.name() == "skin.weightList[3].weights[5]");
    CHECK(plug.logicalIndex() == 5 && plug.isElement() && plug.array().parent().logicalIndex() == 3);
    CHECK(scene.plug("skin.wl[3].w[5]").isExactlyEqual(plug));
    CHECK(!scene.plug("skin.wl[3].w[6]").isExactlyEqual(plug) && scene.plug("skin.wl[3].w[6]") == plug);
    CHECK_THROWS(scene.plug("skin.nothing"));
    CHECK_THROWS(scene.plug("nobody.envelope"));
    scene.create("joint", "bone");
    CHECK(scene.plug("bone.rotate").child(1).name() == "bone.rotateY");
    CHECK(scene.plug("bone.translateX").parent() == scene.plug("bone.translate"));
}

TEST(values_stay_inside_their_limits_and_of_their_kind) {
    ToyScene scene;
    scene.create("skinCluster", "skin");
    scene.set("skin.weightList[0].weights[0]", -3);
    CHECK(scene.number("skin.weightList[0].weights[0]") == 0);
    CHECK_THROWS(scene.set("skin.envelope", std::string("text")));
    MDataHandle handle = scene.plug("skin.envelope").asMDataHandle();
    (void)handle.asDouble();
    CHECK(scene.faults().size() == 1);
}

TEST(a_context_with_a_time_is_evaluated_apart_from_the_normal_one) {
    ToyScene scene;
    scene.create("toySafe", "safe");
    scene.connect("time1.outTime", "safe.time");
    scene.set_time(3);
    CHECK(scene.number("safe.value") == toys::played(3));
    CHECK(scene.number_at("safe.value", 7) == toys::played(7));
    CHECK(scene.is_clean("safe.value"));
    CHECK(scene.number("safe.value") == toys::played(3) && scene.computes("safe") == 2);
    const MDGContext context(MTime(9.0, MTime::uiUnit()));
    CHECK(!context.isNormal() && MDGContext::current().isNormal());
    {
        const MDGContextGuard guard(context);
        CHECK(context.isCurrent());
        CHECK(scene.plug("safe.value").asDouble() == toys::played(9));
    }
    CHECK(MDGContext::current().isNormal());
    CHECK_NO_FAULTS(scene);
}

TEST(keys_are_played_and_the_time_makes_them_dirty) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.key("a.offset", {{1, 0}, {11, 10}});
    scene.set_time(4);
    CHECK_NEAR(scene.number("a.sum"), 3, 1e-12);
    CHECK_NEAR(scene.number_at("a.sum", 9), 8, 1e-12);
    scene.set_time(20);
    CHECK_NEAR(scene.number("a.sum"), 10, 1e-12);
}

TEST(transforms_are_below_each_other) {
    Scene scene;
    scene.create("joint", "upper");
    scene.create("joint", "lower", "upper");
    scene.set("upper.rotateZ", std::acos(0.0));
    scene.set("lower.translateX", 2);
    const MMatrix where = scene.matrix("lower.worldMatrix[0]");
    CHECK_NEAR(where[3][0], 0, 1e-12);
    CHECK_NEAR(where[3][1], 2, 1e-12);
    scene.set("upper.translateX", 5);
    CHECK_NEAR(scene.matrix("lower.worldMatrix[0]")[3][0], 5, 1e-12);
    CHECK((scene.matrix("lower.worldMatrix[0]") * scene.matrix("lower.worldInverseMatrix[0]"))
              .isEquivalent(MMatrix(), 1e-12));
}

TEST(failing_inputs_reach_the_node_as_a_status) {
    ToyScene scene;
    scene.create("toyAdder", "a");
    scene.set("a.offset", 4);
    CHECK(scene.number("a.sum") == 4);
    scene.set("a.offset", 5);
    scene.fail_input("a", "offset");
    CHECK(scene.number("a.sum") == 4 && !scene.is_clean("a.sum"));
    scene.fail_nothing();
    CHECK(scene.number("a.sum") == 5);
    CHECK_NO_FAULTS(scene);
}

TEST(who_listens_hears_what_happens_to_a_node) {
    ToyScene scene;
    MObject node = scene.create("toyAdder", "a");
    static std::vector<std::string> heard;
    heard.clear();
    MNodeMessage::addNameChangedCallback(
        node, [](MObject&, const MString& before, void*) { heard.push_back(before.asUTF8()); });
    MNodeMessage::addAttributeChangedCallback(node,
                                              [](MNodeMessage::AttributeMessage message, MPlug& plug, MPlug&, void*) {
                                                  if (message & MNodeMessage::kAttributeSet)
                                                      heard.push_back(plug.name().asUTF8());
                                              });
    scene.set("a.offset", 1);
    CHECK(scene.rename("a", "b") == "b");
    CHECK(heard.size() == 2 && heard[0] == "a.offset" && heard[1] == "a");
}
