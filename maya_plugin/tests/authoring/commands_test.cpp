// The commands of authoring on the stand-in of Maya: a finger from joints and curves, checked, mirrored; muscles on a
// skinned human; each undone and done again.
#include "adapter/curves.h"
#include "host/authoring/json.h"
#include "tests/authoring/characters.h"
#include "tests/host/check.h"
#include "tests/maya_api/scene.h"

#include <maya/MDGModifier.h>
#include <maya/MFnMatrixAttribute.h>
#include <maya/MFnDependencyNode.h>
#include <maya/MFnNurbsCurve.h>
#define MNoVersionString
#include <maya/MFnPlugin.h>
#include <maya/MFnTypedAttribute.h>
#include <maya/MFnVectorArrayData.h>
#include <maya/MArrayDataHandle.h>
#include <maya/MDataBlock.h>
#include <maya/MDoubleArray.h>
#include <maya/MPointArray.h>
#include <maya/MPxNode.h>
#include <maya/MVectorArray.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>

MStatus initializePlugin(MObject object);
MStatus uninitializePlugin(MObject object);

namespace {

using namespace sinew::tests;
using sinew::host::Json;

/// Maya's multMatrix, which the stand-in has not: the product of its inputs in their order (Maya's node reference).
struct Product : MPxNode {
    static MObject in, sum;
    static void* create() { return static_cast<MPxNode*>(new Product); }
    static MStatus initialize() {
        MFnMatrixAttribute made;
        in = made.create("matrixIn", "i");
        made.setArray(true);
        sum = made.create("matrixSum", "o");
        addAttribute(in);
        addAttribute(sum);
        return attributeAffects(in, sum);
    }
    MStatus compute(const MPlug&, MDataBlock& data) override {
        MMatrix product;
        MArrayDataHandle all = data.inputArrayValue(in);
        for (unsigned k = 0; k < all.elementCount(); ++k, all.next()) product = product * all.inputValue().asMatrix();
        data.outputValue(sum).setMMatrix(product);
        data.setClean(sum);
        return MS::kSuccess;
    }
};
MObject Product::in, Product::sum;

MStatus load_product(MObject object) {
    MFnPlugin plugin(object);
    return plugin.registerNode("multMatrix", MTypeId(0x444d4d4d), &Product::create, &Product::initialize);
}
MStatus unload_product(MObject object) { return MFnPlugin(object).deregisterNode(MTypeId(0x444d4d4d)); }

constexpr unsigned never = 0xffffffffU;

struct Stage {
    Stage() {
        CHECK_EQUAL(scene.load_plugin("matrixNodes", &load_product, &unload_product), std::string());
        CHECK_EQUAL(scene.load_plugin("sinew", &initializePlugin, &uninitializePlugin), std::string());
        scene.set_range(1, 24);
    }

    /// Runs a command; its results.
    std::vector<std::string> run(const std::string& line) {
        scene.forget();
        if (scene.command(line) != MS::kSuccess) {
            std::string said = line + " failed:";
            for (const standin::Said& one : scene.said()) said += "\n    " + one.text;
            fail(__FILE__, __LINE__, said);
        }
        return scene.results();
    }

    /// That a command fails, with a sentence that has these words, and changes nothing.
    void refused(const std::string& line, const std::string& words) {
        const std::size_t length = scene.undo_length();
        scene.forget();
        CHECK(scene.command(line) != MS::kSuccess);
        std::string said;
        for (const standin::Said& one : scene.said()) said += one.text + "\n";
        if (said.find(words) == std::string::npos)
            fail(__FILE__, __LINE__, line + " does not say " + words + ": " + said);
        CHECK_EQUAL(scene.undo_length(), length);
    }

    /// Runs a command on a node, undoes it and does it again: the attribute's bytes are the same.
    void edited(const std::string& line, const std::string& plug) {
        const std::string before = scene.text(plug);
        run(line);
        const std::string after = scene.text(plug);
        CHECK(after != before);
        CHECK(scene.undo());
        CHECK(scene.text(plug) == before);
        CHECK(scene.redo());
        CHECK(scene.text(plug) == after);
    }

    std::string source(const std::string& plug) const {
        const MPlug found = scene.plug(plug).source();
        return found.isNull() ? "" : found.name().asUTF8();
    }

    void curve(const std::string& name, double y, const std::vector<double>& along) {
        scene.create("transform", name);
        MObject parent = scene.node(name);
        MPointArray points;
        MDoubleArray knots;
        for (std::size_t k = 0; k < along.size(); ++k) {
            points.append(MPoint(along[k], y, 0));
            knots.append(static_cast<double>(k));
        }
        MFnNurbsCurve().create(points, knots, 1, MFnNurbsCurve::kOpen, false, false, parent);
    }

    /// The joints of a finger along x, on one side or the other; those of the right have their axes turned, as Maya's
    /// mirrored joints.
    void finger(const std::string& side, double sign) {
        const char* parts[] = {"metacarpal", "proximal", "middle", "distal", "tip"};
        const double begin[] = {-6, 0, 4.5, 7.2, 9};
        std::string above;
        for (int k = 0; k < 5; ++k) {
            const std::string name = std::string("index_") + parts[k] + side;
            scene.create("joint", name, above);
            scene.set(name + ".translateX", sign * (k == 0 ? begin[0] : begin[k] - begin[k - 1]));
            above = name;
        }
        if (sign < 0) {
            scene.set("index_metacarpal" + side + ".translateX", 6.0);
            scene.set("index_metacarpal" + side + ".rotateX", 3.14159265358979);
        }
    }

    standin::Scene scene;
};

const char* const joints_of_finger = " index_metacarpal_L index_proximal_L index_middle_L index_distal_L";

/// The node of a finger with a flexor and an extensor.
std::string drawn(Stage& stage) {
    stage.finger("_L", 1);
    stage.curve("flexor_L", -0.6, {-5, -0.8, 0.8, 3.8, 5.2, 6.7, 7.7, 8.4});
    stage.curve("extensor_L", 0.6, {-5, -0.6, 0.6, 4, 5, 6.8});
    const std::string bodies = "sinewTendon -addBodies roots -motion turn_z \"-95 10\"";
    const auto made = stage.run(bodies + joints_of_finger);
    CHECK(made.size() == 2);
    const std::string node = made.empty() ? "" : made[0];
    stage.run("sinewTendon -node " + node + " -draw -radius 0.1 flexor_L extensor_L");
    stage.run("sinewTendon -node " + node + " -reel flexor_L first -strength 20");
    return node;
}

void draws_a_finger() {
    Stage stage;
    const std::string node = drawn(stage);
    CHECK_EQUAL(stage.source(node + ".led_matrices[0]"), std::string("index_metacarpal_L.worldMatrix[0]"));
    const auto names = stage.run("sinewTendon -q -kind point -node " + node);
    CHECK_EQUAL(names.size(), 14U);
    const auto scene_read = stage.run("sinewTendon -q -node " + node);
    CHECK(scene_read.size() == 1 && Json::parse(scene_read[0]).at("element").text() == "strand_scene");
    CHECK_EQUAL(stage.run("sinewCheck " + node).at(0), std::string("[]"));
    for (int frame = 1; frame <= 20; ++frame) {
        stage.scene.set_time(frame);
        const MObject data = stage.scene.plug(node + ".out_strand_points").asMObject();
        const MVectorArray points = MFnVectorArrayData(data).array();
        CHECK_EQUAL(points.length(), 14U);
        for (unsigned k = 0; k < points.length(); ++k)
            CHECK(std::isfinite(points[k].x) && std::isfinite(points[k].y) && std::isfinite(points[k].z));
        CHECK_EQUAL(stage.scene.text(node + ".status"), std::string());
    }
    for (const std::string& fault : stage.scene.faults()) fail(__FILE__, __LINE__, fault);
}

MPointArray cvs_of(const MObject& curve) {
    MPointArray found;
    CHECK(MFnNurbsCurve(curve).getCVs(found) == MS::kSuccess);
    return found;
}

MVectorArray nodes_of(const Stage& stage, const std::string& node) {
    return MFnVectorArrayData(stage.scene.plug(node + ".out_strand_points").asMObject()).array();
}

/// Whether curves have the nodes as their control vertices, one after the other, to the last bit.
void check_curves(const Stage& stage, const std::string& node, const std::vector<std::string>& shapes) {
    const MVectorArray nodes = nodes_of(stage, node);
    unsigned at = 0;
    for (const std::string& shape : shapes) {
        const MPointArray cvs = cvs_of(stage.scene.node(shape));
        CHECK(cvs.length() >= 2);
        CHECK_EQUAL(MFnNurbsCurve(stage.scene.node(shape)).degree(), 1);
        for (unsigned k = 0; k < cvs.length() && at < nodes.length(); ++k, ++at)
            CHECK(cvs[k].x == nodes[at].x && cvs[k].y == nodes[at].y && cvs[k].z == nodes[at].z && cvs[k].w == 1);
    }
    CHECK_EQUAL(at, nodes.length());
}

/// Curves follow the tendons, whichever there are in a frame.
void shows_curves() {
    Stage stage;
    const std::string node = drawn(stage), on = "sinewTendon -node " + node;
    const std::vector<std::string> shapes{"flexor_L_curveShape", "extensor_L_curveShape"};
    const auto said = stage.run(on + " -showCurves");
    CHECK_EQUAL(said.at(1), std::string("2 curves follow the tendons: flexor_L_curve, extensor_L_curve."));
    CHECK_EQUAL(stage.source(shapes[1] + ".create"), node + ".strand_curves[1]");
    MVectorArray first;
    for (int frame = 1; frame <= 8; ++frame) {
        stage.scene.set_time(frame);
        check_curves(stage, node, shapes);
        if (frame == 1) first = nodes_of(stage, node);
    }
    // They moved.
    CHECK((nodes_of(stage, node)[3] - first[3]).length() > 1e-6);
    stage.refused(on + " -showCurves", "have curves already");

    CHECK(stage.scene.undo() && !stage.scene.exists(shapes[0]) && !stage.scene.exists(node + "_curves"));
    CHECK(stage.scene.redo());
    check_curves(stage, node, shapes);

    // Another tendon is another curve, and only that is made.
    stage.curve("lateral_L", 0.3, {-5, 0.7, 4});
    stage.run(on + " -draw -radius 0.1 lateral_L");
    stage.scene.set_time(1);
    stage.scene.set_time(2);
    CHECK_EQUAL(stage.run(on + " -showCurves").at(1), std::string("1 curve follows the tendons: lateral_L_curve."));
    check_curves(stage, node, {shapes[0], shapes[1], "lateral_L_curveShape"});
    // One that is gone leaves no element behind.
    stage.run(on + " -kind strand -name lateral_L -remove");
    stage.scene.set_time(3);
    check_curves(stage, node, shapes);
    MArrayDataHandle elements(stage.scene.plug(node + ".strand_curves").asMDataHandle());
    CHECK_EQUAL(elements.elementCount(), 2U);
    for (const std::string& fault : stage.scene.faults()) fail(__FILE__, __LINE__, fault);
}

void curves_of_the_library_as_maya_has_them() {
    const double nodes[] = {0.1, 0.2, 0.3, 1.0 / 3, -0.0, 1e-300};
    const MPointArray cvs = cvs_of(sinew::maya::make_curve(nodes, 2));
    CHECK(cvs.length() == 2 && cvs[1].x == 1.0 / 3 && std::signbit(cvs[1].y) && cvs[1].z == 1e-300);
    // One node is no curve, and data without one is not an error.
    for (std::uint32_t count : {0U, 1U}) CHECK_EQUAL(cvs_of(sinew::maya::make_curve(nodes, count)).length(), 0U);
}

void undoes_to_nothing() {
    Stage stage;
    const std::string node = drawn(stage);
    const std::string text = stage.scene.text(node + ".scene");
    for (int k = 0; k < 3; ++k) CHECK(stage.scene.undo());
    CHECK(!stage.scene.exists(node));
    for (int k = 0; k < 3; ++k) CHECK(stage.scene.redo());
    CHECK(stage.scene.text(node + ".scene") == text);
    CHECK_EQUAL(stage.source(node + ".led_matrices[0]"), std::string("index_metacarpal_L.worldMatrix[0]"));
}

void edits() {
    Stage stage;
    const std::string node = drawn(stage), on = "sinewTendon -node " + node + " ", scene = node + ".scene";
    stage.scene.create("transform", "across");
    stage.scene.create("locator", "acrossShape", "across");
    stage.scene.set("across.translateX", 0.8);
    stage.scene.set("across.translateY", -0.6);
    stage.scene.set("across.rotateY", 1.5707963267948966);
    stage.edited(on + "-addPart plane -setValue on index_proximal_L -setValue and_on index_metacarpal_L across", scene);
    stage.edited(on + "-tieToPlane flexor_L 2 across", scene);
    stage.edited(on + "-kind strand -name flexor_L -setValue radius 0.2", scene);
    stage.edited(on + "-kind strand -name flexor_L -rename deep_flexor_L", scene);
    stage.edited(on + "-copyTendon deep_flexor_L -name superficial_L -offset 0 0.2 0", scene);
    stage.edited(on + "-kind strand -name extensor_L -remove", scene);
    CHECK(stage.run("sinewTendon -q -kind strand -node " + node) ==
          (std::vector<std::string>{"deep_flexor_L", "superficial_L"}));
    // The copy has no muscle yet where its end lets material through.
    const Json faults = Json::parse(stage.run("sinewCheck " + node).at(0));
    CHECK_EQUAL(faults.items().size(), 1U);
    CHECK(faults.items().at(0).at("text").text().find("Warning: strand \"superficial_L\", node 1") == 0);
}

void finds_and_selects_faults() {
    Stage stage;
    const std::string node = drawn(stage), scene = node + ".scene";
    std::string text = stage.scene.text(scene);
    const std::string good = "on=\"index_middle_L\"";
    text.replace(text.find(good), good.size(), "on=\"index_muddle_L\"");
    stage.scene.set(scene, text);
    stage.scene.rename("flexor_L", "long_flexor");
    const std::string said = stage.run("sinewCheck " + node).at(0);
    const Json faults = Json::parse(said);
    bool found = false;
    for (const Json& fault : faults.items())
        for (const Json& component : fault.at("components").items())
            found = found || (component.text() == "long_flexor.cv[4]" &&
                              fault.at("text").text().find("index_muddle_L") != std::string::npos);
    if (!found) fail(__FILE__, __LINE__, "the fault is not found at its object: " + said);
    // Each once, and said.
    std::set<std::string> texts;
    for (const Json& fault : faults.items()) texts.insert(fault.at("text").text());
    CHECK_EQUAL(texts.size(), faults.items().size());
    CHECK_EQUAL(std::count_if(texts.begin(), texts.end(),
                              [](const std::string& one) { return one.find("index_muddle_L") != std::string::npos; }),
                1);
    const std::vector<standin::Said> lines = stage.scene.said();
    for (const std::string& sentence : texts)
        CHECK(std::any_of(lines.begin(), lines.end(), [&](const standin::Said& line) {
            return line.level == 1 && line.text == node + ": " + sentence;
        }));
}

/// The right side, on joints with other axes: they lead the mirrored bodies at an offset, and so does a scaled joint.
void mirrors_onto_other_joints() {
    Stage stage;
    const std::string node = drawn(stage);
    stage.finger("_R", -1);
    stage.scene.rename(stage.run("sinewCreate -type sinewStrand").at(0), "other_hand");
    stage.run("sinewTendon -node " + node + " -mirror x -toNode other_hand");
    CHECK(stage.run("sinewTendon -q -kind body -node other_hand").at(0) == "index_metacarpal_R");
    const std::string leader = stage.source("other_hand.led_matrices[0]");
    CHECK(leader.find("multMatrix") == 0);
    const MMatrix led = stage.scene.matrix("other_hand.led_matrices[0]");
    CHECK(std::abs(led(3, 0) - 6) < 1e-6 && std::abs(std::abs(led(0, 0)) - 1) < 1e-6);
    CHECK_EQUAL(stage.scene.text("other_hand.status"), std::string());
    // It follows its joint from there.
    stage.scene.set("index_metacarpal_R.translateY", 2.0);
    CHECK(std::abs(stage.scene.matrix("other_hand.led_matrices[0]")(3, 1) - 2) < 1e-6);
    // A further edit keeps the offset.
    stage.run("sinewTendon -node other_hand -kind strand -name flexor_R -setValue radius 0.2");
    CHECK_EQUAL(stage.source("other_hand.led_matrices[0]"), leader);
    // Without its body, nothing of it stays.
    stage.run("sinewTendon -node other_hand -kind body -name index_metacarpal_R -remove");
    CHECK(stage.scene.nodes("multMatrix").empty());
    CHECK(stage.scene.undo());
    CHECK_EQUAL(stage.source("other_hand.led_matrices[0]"), leader);
    CHECK(stage.scene.undo());
    CHECK(stage.scene.undo());
    CHECK(stage.source("other_hand.led_matrices[0]").empty());
    CHECK(stage.scene.text("other_hand.scene").empty());
}

void leads_by_scaled_joints() {
    Stage stage;
    stage.scene.create("transform", "character");
    stage.scene.create("joint", "root", "character");
    stage.scene.create("joint", "end", "root");
    for (const char* axis : {"X", "Y", "Z"}) stage.scene.set(std::string("character.scale") + axis, 2.0);
    stage.scene.set("end.translateX", 5.0);
    const std::string node = stage.run("sinewTendon -addBodies all root end").at(0);
    const MMatrix led = stage.scene.matrix(node + ".led_matrices[1]");
    CHECK(std::abs(led(0, 0) - 1) < 1e-9 && std::abs(led(3, 0) - 10) < 1e-9);
    CHECK_EQUAL(stage.run("sinewCheck " + node).at(0), std::string("[]"));
}

void refuses_with_sentences() {
    Stage stage;
    const std::string node = drawn(stage);
    stage.scene.plug(node + ".scene").setLocked(true);
    stage.refused("sinewTendon -node " + node + " -draw flexor_L", "scene is locked or connected");
    stage.scene.plug(node + ".scene").setLocked(false);
    stage.scene.create("transform", "nothing");
    stage.refused("sinewTendon -node " + node + " -draw nothing", "Select the NURBS curves");
    stage.refused("sinewTendon -node " + node + " -addBodies some index_tip_L", "roots, all or none");
    stage.refused("sinewTendon -node " + node + " -kind strand -name x -remove", "there are flexor_L, extensor_L");
    stage.refused("sinewTendon -node nobody -draw flexor_L", "There is no node nobody");
    const std::string flexor = "sinewTendon -node " + node + " -kind strand -name flexor_L ";
    stage.refused(flexor + "-setValue colour red", "has no \"colour\"");
    stage.refused("sinewMuscles -fitHuman", "Select a muscle skin");
    const std::size_t count = stage.scene.nodes("sinewStrand").size();
    // Without a node one is made, but not where nothing is drawn.
    stage.refused("sinewTendon -draw nothing", "Select the NURBS curves");
    CHECK_EQUAL(stage.scene.nodes("sinewStrand").size(), count);
}

/// A human of boxes, bound to its joints; the name of its muscle skin.
std::string skinned_human(Stage& stage, const std::string& name, double tall) {
    const sinew::host::Character human = sinew::tests::human(at_origin, tall);
    standin::MeshPlan plan;
    plan.points = human.points;
    for (const std::uint32_t size : human.face_sizes) plan.face_sizes.push_back(static_cast<int>(size));
    for (const std::uint32_t vertex : human.face_vertices) plan.face_vertices.push_back(static_cast<int>(vertex));
    plan.u = plan.v = {0};
    plan.corner_uvs.assign(plan.face_vertices.size(), 0);
    stage.scene.create_mesh(name, plan);
    const auto at = [&](std::size_t k, std::size_t n) { return human.rest[16 * k + 12 + n]; };
    std::vector<std::string> joints;
    for (std::size_t k = 0; k < human.joints.size(); ++k) {
        const bool root = human.parents[k] < 0;
        const auto parent = static_cast<std::size_t>(root ? 0 : human.parents[k]);
        joints.push_back(name + "_" + human.joints[k]);
        stage.scene.create("joint", joints[k], root ? "" : joints[parent]);
        for (std::size_t n = 0; n < 3; ++n)
            stage.scene.set(joints[k] + ".translate" + "XYZ"[n], at(k, n) - (root ? 0 : at(parent, n)));
    }
    // Nine vertices for each joint.
    std::vector<double> weights(human.points.size() / 3 * joints.size(), 0);
    for (std::size_t vertex = 0; vertex < human.points.size() / 3; ++vertex)
        weights[vertex * joints.size() + vertex / 9] = 1;
    stage.scene.skin(name + "Shape", joints, weights);
    return stage.run("sinewCreate -type sinewMuscleSkin " + name + "Shape").at(0);
}

void makes_muscles() {
    Stage stage;
    const std::string node = skinned_human(stage, "body", 1), on = "sinewMuscles -node " + node + " ";
    const std::string set = node + ".muscles";
    stage.edited(on + "-fitHuman", set);
    const auto has = [&](const std::string& name) {
        const auto names = stage.run("sinewMuscles -q -node " + node);
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    CHECK(has("left_biceps_brachii_long") && has("right_biceps_brachii_long"));
    CHECK(stage.scene.text(node + ".joint_names").find("body_upper_arm_L") != std::string::npos);
    stage.edited(on + "-addMuscle -name brace_L body_upper_arm_L body_forearm_L", set);
    stage.edited(on + "-mirror", set);
    CHECK(has("brace_R"));
    stage.edited(on + "-name brace_R -setValue size 3.5", set);
    const Json numbers = Json::parse(stage.run("sinewMuscles -q -numbers brace_R -node " + node).at(0));
    double size = 0;
    for (const Json& one : numbers.items())
        if (one.at("attribute").text() == "size") size = one.at("values").numbers().at(0);
    CHECK_EQUAL(size, 3.5);
    stage.edited(on + "-name brace_R -rename clamp_R", set);
    stage.edited(on + "-name clamp_R -remove", set);
    stage.edited(on + "-physique heavy", set);
    CHECK(!stage.run("sinewMuscles -q -testRange -degrees 20 -node " + node).empty());
    CHECK_EQUAL(stage.run("sinewMuscles -q -physiques -node " + node).at(0), std::string("heavy"));
    CHECK_EQUAL(stage.run("sinewCheck " + node).at(0), std::string("[]"));
    // What the user says of a joint goes before what the library finds.
    MFnTypedAttribute role;
    const MObject attribute = role.create("sinewRole", "sinewRole", MFnData::kString);
    MFnDependencyNode(stage.scene.node("body_hips")).addAttribute(attribute);
    stage.scene.set("body_hips.sinewRole", std::string("nonsense"));
    stage.refused(on + "-fitHuman", "nonsense");
    stage.scene.set("body_hips.sinewRole", std::string());
    stage.refused(on + "-plan /no/such/plan.xml", "plan.xml");
    stage.refused(on + "-name nobody -remove", "nobody");
    stage.refused(on + "-addMuscle body_hips", "Select two joints");
    stage.refused(on, "Say what to do");
    // Esc, while the library works.
    const std::string before = stage.scene.text(set);
    stage.scene.press_escape_after(0);
    stage.refused(on + "-fitHuman", "Stopped by Esc");
    stage.scene.press_escape_after(never);
    CHECK(stage.scene.text(set) == before);
    for (const std::string& fault : stage.scene.faults()) fail(__FILE__, __LINE__, fault);
}

void copies_muscles() {
    Stage stage;
    const std::string from = skinned_human(stage, "tall", 1), to = skinned_human(stage, "small", 0.5);
    stage.run("sinewMuscles -node " + from + " -addMuscle -name brace_L tall_upper_arm_L tall_forearm_L");
    stage.edited("sinewMuscles -node " + from + " -toNode " + to, to + ".muscles");
    CHECK(stage.scene.text(to + ".muscles").find("small_forearm_L") != std::string::npos);
    CHECK_EQUAL(stage.run("sinewMuscles -q -node " + to).at(0), std::string("brace_L"));
}

} // namespace

int main() {
    draws_a_finger();
    shows_curves();
    curves_of_the_library_as_maya_has_them();
    undoes_to_nothing();
    edits();
    finds_and_selects_faults();
    mirrors_onto_other_joints();
    leads_by_scaled_joints();
    refuses_with_sentences();
    makes_muscles();
    copies_muscles();
    return finish();
}
