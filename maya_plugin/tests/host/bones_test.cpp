// Bones of a job, and the angles of joints that follow them.
#include "check.h"

#include "host/bones.h"

#include <cmath>
#include <fstream>
#include <random>
#include <stdexcept>

using namespace sinew::host;

namespace {

namespace fs = std::filesystem;

double apart(const RowMatrix& a, const RowMatrix& b) {
    double most = 0;
    for (std::size_t i = 0; i < 16; ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

void angles_give_the_rotation_back() {
    // A quarter turn about x takes y to z, about z takes x to y.
    const RowMatrix about_x = rotation_of({std::acos(-1.0) / 2, 0, 0}, rotate_orders[0]);
    CHECK(std::abs(about_x[6] - 1) < 1e-15 && std::abs(about_x[9] + 1) < 1e-15);
    // First about x, then about y, in the order xyz: y goes to z, and that to x.
    const RowMatrix both = rotation_of({std::acos(-1.0) / 2, std::acos(-1.0) / 2, 0}, rotate_orders[0]);
    CHECK(std::abs(both[4] - 1) < 1e-15);
    std::mt19937 random(5);
    std::uniform_real_distribution<double> angle(-9, 9), step(-0.3, 0.3);
    for (const auto& order : rotate_orders)
        for (int i = 0; i < 2000; ++i) {
            const Angles given{angle(random), angle(random), angle(random)};
            const RowMatrix rotation = rotation_of(given, order);
            const Angles near{given[0] + step(random), given[1] + step(random), given[2] + step(random)};
            const Angles found = angles_of(rotation, order, near);
            CHECK(apart(rotation_of(found, order), rotation) < 1e-12);
            double far = 0, as_given = 0;
            for (std::size_t k = 0; k < 3; ++k) {
                far += std::abs(found[k] - near[k]);
                as_given += std::abs(given[k] - near[k]);
            }
            CHECK(far <= as_given + 1e-9);
        }
}

void a_locked_axis_stays_where_it_was() {
    for (const auto& order : rotate_orders)
        for (const double turn : {-1.0, 1.0}) {
            Angles given{0.3, 0.3, 0.3}, near{0.2, 0.2, 0.2};
            given[order[1]] = near[order[1]] = turn * std::acos(-1.0) / 2;
            const RowMatrix rotation = rotation_of(given, order);
            const Angles found = angles_of(rotation, order, near);
            CHECK(apart(rotation_of(found, order), rotation) < 1e-7);
            CHECK(std::abs(found[order[2]] - 0.2) < 1e-9);
        }
}

std::string refused(const fs::path& table, const std::string& text) {
    std::ofstream(table) << text;
    try {
        read_bones(table);
    } catch (const std::runtime_error& error) {
        return error.what();
    }
    return "";
}

void tables_are_read() {
    const fs::path table = fs::temp_directory_path() / "sinew_bones.csv";
    const std::string head = "frame,body,m00,m01,m02,m03,m10,m11,m12,m13,m20,m21,m22,m23\n";
    std::ofstream(table) << head << "3,near,1,2,3,4,5,6,7,8,9,10,11,0.1\n3,far,0,0,0,1,0,0,0,0,0,0,0,0\n"
                         << "4,near,1,2,3,4,5,6,7,8,9,10,11,-2e-3\n4,far,0,0,0,2,0,0,0,0,0,0,0,0\n";
    const BoneFrames found = read_bones(table);
    CHECK((found.frames == std::vector<std::int64_t>{3, 4}));
    CHECK((found.matrices.at("near").at(0) == RowMatrix{1, 5, 9, 0, 2, 6, 10, 0, 3, 7, 11, 0, 4, 8, 0.1, 1}));
    CHECK_EQUAL(found.matrices.at("far").at(1)[12], 2.0);
    const auto says = [&](const std::string& rows, const std::string& words) {
        const std::string text = refused(table, head + rows);
        if (text.find(words) == std::string::npos) sinew::tests::fail(__FILE__, __LINE__, text);
    };
    const std::string row = "near,1,2,3,4,5,6,7,8,9,10,11,12\n";
    says("3,near,1,2\n", "sinew_bones.csv, line 2: 4 cells, 14 are expected.");
    says("3," + row + "4,near,1,2,x,4,5,6,7,8,9,10,11,12\n", "line 3: \"x\" is no number.");
    says("3," + row + "3," + row, "line 3: near has 2 rows in 1 frames.");
    says("3," + row + "3,far,1,2,3,4,5,6,7,8,9,10,11,12\n4," + row, "far is missing in some frames");
    fs::remove(table);
    CHECK_THROWS(std::runtime_error, read_bones(table));
}

} // namespace

int main() {
    angles_give_the_rotation_back();
    a_locked_axis_stays_where_it_was();
    tables_are_read();
    return sinew::tests::finish();
}
