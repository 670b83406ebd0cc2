// A set of muscles on a small human: fitted, changed, mirrored, copied, tested; wherever it stands, and undone.
#include "host/authoring/faults.h"
#include "tests/authoring/characters.h"
#include "tests/host/check.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace {

using namespace sinew;
using namespace sinew::tests;
using host::Character, host::Done, host::Json, host::MuscleEdit;

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Where a muscle begins, in the axes of its joint and in centimetres of a human of height 1.
Vector begin_of(const std::string& set, const std::string& muscle, const Stand& stand, double tall = 1) {
    const Character on = human(stand, tall);
    Vector at{};
    std::string joint;
    for (const host::MuscleNumber& number : host::muscle_numbers(set, muscle, stand.space())) {
        if (number.attribute == "origin") at = {number.values[0], number.values[1], number.values[2]};
        if (number.attribute == "origin_joint") joint = number.text;
    }
    const std::ptrdiff_t index = std::find(on.joints.begin(), on.joints.end(), joint) - on.joints.begin();
    Matrix matrix{};
    std::copy_n(on.rest.begin() + 16 * index, 16, matrix.begin());
    const host::Axes axes = host::axes_of({joint, "", matrix}, stand.row_vectors);
    return (stand.metres_per_unit / 0.01 / tall) * host::into(axes, at);
}

/// A set fitted to the human.
const std::string& fitted() {
    static const std::string text = [] {
        MuscleEdit edit("", at_origin.space());
        const Done done = edit.fit(human(at_origin));
        CHECK(edit.names().size() > 40);
        CHECK(done.sentence.find("muscles") != std::string::npos);
        return edit.text();
    }();
    return text;
}

void fits_wherever_it_stands() {
    const std::vector<std::string> names = MuscleEdit(fitted(), at_origin.space()).names();
    CHECK(has(names, "left_biceps_brachii_long") && has(names, "right_biceps_brachii_long"));
    for (const Stand& stand : {far_and_turned, in_metres, as_columns}) {
        MuscleEdit edit("", stand.space());
        edit.fit(human(stand));
        CHECK(edit.names() == names);
        for (const char* muscle : {"left_biceps_brachii_long", "right_biceps_brachii_long", "left_deltoid_acromial"}) {
            const Vector found = begin_of(edit.text(), muscle, stand), expected = begin_of(fitted(), muscle, at_origin);
            if (host::length(found - expected) > 0.01)
                fail(__FILE__, __LINE__, std::string(muscle) + " is elsewhere: by " +
                                             std::to_string(host::length(found - expected)) + " cm");
        }
    }
    for (const host::Fault& fault : host::faults(host::muscles_holder(), {fitted(), ""}, at_origin.space()))
        if (fault.is_error()) fail(__FILE__, __LINE__, "the fitted set has a fault: " + fault.sentence());
}

/// A plan of one's own, for joints of one's own.
void fits_a_plan() {
    const std::string plan = R"(
        <muscle_plan version="1" across="upper_arm_R upper_arm_L" upwards="hips neck">
          <joint name="hips"/>
          <joint name="neck" parent="hips"/>
          <joint name="upper_arm_R" parent="neck"/>
          <joint name="upper_arm_L" parent="neck"/>
          <joint name="forearm_L" parent="upper_arm_L"/>
          <joint name="hand_L" parent="forearm_L"/>
          <muscle name="bender" side="one" origin_bone="upper_arm_L forearm_L" origin="0.2 0 0.5"
           insertion_bone="forearm_L hand_L" insertion="0.2 0 0.5" size="0.3"/>
        </muscle_plan>)";
    MuscleEdit edit("", at_origin.space());
    edit.fit(human(at_origin), plan);
    CHECK(edit.names() == std::vector<std::string>{"bender"});
    // A fifth of the upper arm of 27 cm.
    CHECK(std::abs(begin_of(edit.text(), "bender", at_origin)[0] - 5.4) < 0.01);
}

/// One muscle between two joints, its image, and a copy on a human of another size.
void adds_mirrors_and_copies() {
    for (const Stand& stand : {at_origin, far_and_turned, in_metres}) {
        const Character on = human(stand);
        MuscleEdit edit("", stand.space());
        edit.add(on, "", "upper_arm_L", "forearm_L");
        edit.add(on, "brace_L", "chest", "upper_arm_L", 2 * 0.01 / stand.metres_per_unit, stand.place({8, 138, 6}),
                 stand.place({22, 143, 0}));
        CHECK(edit.names() == (std::vector<std::string>{"upper_arm_L to forearm_L", "brace_L"}));
        CHECK(host::length(begin_of(edit.text(), "brace_L", stand) - Vector{8, 18, 6}) < 1e-4);
        CHECK(host::length(begin_of(edit.text(), "upper_arm_L to forearm_L", stand)) < 1e-4);
        const std::string one_side = edit.text();
        edit.mirror(on);
        CHECK(has(edit.names(), "brace_R") && has(edit.names(), "upper_arm_R to forearm_R"));
        CHECK(host::length(begin_of(edit.text(), "brace_R", stand) - Vector{-8, 18, 6}) < 1e-3);
        CHECK_THROWS(std::invalid_argument, edit.mirror(on));
        // To one that is half as tall, and stands where the other does.
        const Character small = human(stand, 0.5);
        MuscleEdit copied(one_side, stand.space());
        copied.copy(on, small);
        CHECK(host::length(begin_of(copied.text(), "brace_L", stand, 0.5) - Vector{8, 18, 6}) < 0.5);
    }
}

void changes_and_undoes() {
    const std::string before = fitted();
    const auto edited = [&](const std::function<Done(MuscleEdit&)>& change) {
        MuscleEdit first(before, at_origin.space()), second(before, at_origin.space());
        const Done done = change(first);
        change(second);
        CHECK(!done.sentence.empty() && done.sentence.back() == '.');
        CHECK(first.text() != before);
        CHECK(first.text() == second.text());
        CHECK(MuscleEdit(before, at_origin.space()).text() == fitted());
        return first.text();
    };
    const auto number = [](const std::string& text, const std::string& muscle, const std::string& attribute) {
        for (const host::MuscleNumber& one : host::muscle_numbers(text, muscle, at_origin.space()))
            if (one.attribute == attribute) return one.values.at(0);
        throw std::runtime_error("there is no number " + attribute);
    };
    const std::string biceps = "left_biceps_brachii_long";
    const std::string heavy = edited([](MuscleEdit& e) { return e.physique("heavy"); });
    SinewPhysique factors{};
    factors.struct_size = sizeof factors;
    check(sinew_physique_info(0, &factors));
    CHECK_EQUAL(std::string(factors.id), std::string("heavy"));
    const double stiffer = number(heavy, biceps, "stiffness") / number(before, biceps, "stiffness");
    CHECK(std::abs(stiffer - factors.stiffness) < 1e-9 && std::abs(stiffer - 1) > 0.01);
    const std::string thick = edited([&](MuscleEdit& e) { return e.set({biceps}, "size", "4.5"); });
    CHECK_EQUAL(number(thick, biceps, "size"), 4.5);
    const std::string other = "right_biceps_brachii_long";
    CHECK_EQUAL(number(thick, other, "size"), number(before, other, "size"));
    const std::string sheet = edited([](MuscleEdit& e) {
        return e.set({"left_pectoralis_major_sternocostal.2"}, "bulge", "3");
    });
    CHECK_EQUAL(number(sheet, "left_pectoralis_major_sternocostal.2", "bulge"), 3.0);
    CHECK(number(sheet, "left_pectoralis_major_sternocostal.3", "bulge") != 3.0);
    const std::string renamed = edited([&](MuscleEdit& e) { return e.rename(biceps, "left_arm_flexor"); });
    CHECK(has(MuscleEdit(renamed, at_origin.space()).names(), "left_arm_flexor"));
    const std::string removed = edited([&](MuscleEdit& e) { return e.remove(biceps); });
    CHECK(!has(MuscleEdit(removed, at_origin.space()).names(), biceps));
    // Heads of the same muscle stay.
    CHECK(has(MuscleEdit(removed, at_origin.space()).names(), "left_biceps_brachii_short"));
}

void lists_numbers_for_panels() {
    const auto numbers = host::muscle_numbers(fitted(), "left_biceps_brachii_long", at_origin.space());
    const auto size = std::find_if(numbers.begin(), numbers.end(),
                                   [](const auto& one) { return one.attribute == "size"; });
    CHECK(size != numbers.end() && size->heading == "Shape" && size->port == "muscle_sizes" && !size->doc.empty());
    CHECK(size != numbers.end() && size->least && *size->least >= 0);
    const auto joint = std::find_if(numbers.begin(), numbers.end(),
                                    [](const auto& one) { return one.attribute == "origin_joint"; });
    CHECK(joint != numbers.end() && joint->type == "text" && joint->text == "shoulder_L");
}

void tests_the_range_of_motion() {
    MuscleEdit edit(fitted(), at_origin.space());
    // Neighbours intersect in this human of boxes.
    const MuscleEdit::Range found = edit.test(human(at_origin), 1, 20);
    CHECK(!found.problems.empty());
    CHECK(edit.text() == fitted());
    // The same problems wherever it stands, but for one that is at the limit of what is reported.
    MuscleEdit elsewhere("", far_and_turned.space());
    elsewhere.fit(human(far_and_turned));
    const std::size_t there = elsewhere.test(human(far_and_turned), 1, 20).problems.size();
    CHECK(there + 1 >= found.problems.size() && there <= found.problems.size() + 1);
}

/// Esc stops a fit, and leaves the set as it was.
void stops() {
    std::atomic<int> calls{0};
    MuscleEdit edit(fitted(), at_origin.space(), [&](double, const char*) {
        ++calls;
        return false;
    });
    try {
        edit.fit(human(at_origin));
        fail(__FILE__, __LINE__, "the fit was not stopped");
    } catch (const Error& error) {
        CHECK_EQUAL(error.status(), SINEW_CANCELLED);
    }
    CHECK(calls > 0);
    CHECK(edit.text() == fitted());
}

void refuses_with_sentences() {
    const auto refused = [&](const std::string& word, const std::function<void(MuscleEdit&)>& change) {
        MuscleEdit edit(fitted(), at_origin.space());
        try {
            change(edit);
            fail(__FILE__, __LINE__, "nothing was said of " + word);
        } catch (const std::exception& error) {
            if (std::string(error.what()).find(word) == std::string::npos)
                fail(__FILE__, __LINE__, std::string("this does not name ") + word + ": " + error.what());
        }
        CHECK(edit.text() == fitted());
    };
    refused("tail", [](MuscleEdit& e) { e.add(human(at_origin), "a", "tail", "hips"); });
    refused("nobody", [](MuscleEdit& e) { e.remove("nobody"); });
    refused("heavy", [](MuscleEdit& e) { e.physique("feathery"); });
    refused("no \"colour\"", [](MuscleEdit& e) { e.set({"left_biceps_brachii_long"}, "colour", "1"); });
    refused("matrix at rest", [](MuscleEdit& e) {
        Character broken = human(at_origin);
        broken.rest.pop_back();
        e.fit(broken);
    });
    CHECK_THROWS(Error, MuscleEdit("/no/such/muscles.xml", at_origin.space()));
}

void joins_names() {
    CHECK_EQUAL(host::joined({"a", "b,c", "say \"x\"", " d"}), std::string("a,\"b,c\",\"say \"\"x\"\"\",\" d\""));
}

} // namespace

int main() {
    fits_wherever_it_stands();
    fits_a_plan();
    adds_mirrors_and_copies();
    changes_and_undoes();
    lists_numbers_for_panels();
    tests_the_range_of_motion();
    stops();
    refuses_with_sentences();
    joins_names();
    return finish();
}
