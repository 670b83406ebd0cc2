// Texts, times, units, points and matrices: what can be had without a scene.

#include <maya/MAngle.h>
#include <maya/MBoundingBox.h>
#include <maya/MDistance.h>
#include <maya/MFloatPoint.h>
#include <maya/MFloatVector.h>
#include <maya/MMatrix.h>
#include <maya/MStringArray.h>
#include <maya/MTimeRange.h>
#include <maya/MTransformationMatrix.h>
#include <maya/MUuid.h>

#include <algorithm>
#include <atomic>
#include <cctype>
#include <cmath>
#include <cstring>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>

namespace {

std::string text_of(double value) {
    std::ostringstream out;
    out << value;
    return out.str();
}

/// What remains of a text where only ASCII has a code.
std::string in_locale(std::string text) {
    std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) > 0x7f; }, '?');
    return text;
}

constexpr double inch = 2.54;
const double pi = std::acos(-1.0);

double centimetres(MDistance::Unit unit) {
    switch (unit) {
    case MDistance::kInches: return inch;
    case MDistance::kFeet: return 12 * inch;
    case MDistance::kYards: return 36 * inch;
    case MDistance::kMiles: return 63360 * inch;
    case MDistance::kMillimeters: return 0.1;
    case MDistance::kKilometers: return 100000;
    case MDistance::kMeters: return 100;
    default: return 1;
    }
}

double radians(MAngle::Unit unit) {
    switch (unit) {
    case MAngle::kDegrees: return pi / 180;
    case MAngle::kAngMinutes: return pi / 180 / 60;
    case MAngle::kAngSeconds: return pi / 180 / 3600;
    default: return 1;
    }
}

std::atomic<MDistance::Unit> distance_unit{MDistance::kCentimeters};
std::atomic<MAngle::Unit> angle_unit{MAngle::kDegrees};
std::atomic<MTime::Unit> time_unit{MTime::k24FPS};

} // namespace

MString MStatus::errorString() const {
    static const char* const names[] = {"kSuccess",          "kFailure",        "kInsufficientMemory",
                                        "kInvalidParameter", "kLicenseFailure", "kUnknownParameter",
                                        "kNotImplemented",   "kNotFound",       "kEndOfFile"};
    return names[code_];
}
void MStatus::perror(const char* message) const { std::cerr << message << ": " << errorString() << '\n'; }
void MStatus::perror(const MString& message) const { perror(message.asChar()); }
std::ostream& operator<<(std::ostream& out, MStatus& status) { return out << status.errorString(); }

MString& MString::operator+=(const MString& other) { return text_ += other.text_, *this; }
MString& MString::operator+=(const char* other) { return text_ += in_locale(other), *this; }
MString& MString::operator+=(double other) { return text_ += text_of(other), *this; }
MString& MString::operator+=(int other) { return text_ += std::to_string(other), *this; }
MString& MString::operator+=(unsigned int other) { return text_ += std::to_string(other), *this; }
MString& MString::operator+=(float other) { return *this += static_cast<double>(other); }
MString& MString::operator=(const char* other) { return text_ = other ? in_locale(other) : "", *this; }
MString& MString::operator=(double value) { return text_ = text_of(value), *this; }
MString MString::operator+(const MString& other) const { return MString(*this) += other; }
MString MString::operator+(const char* other) const { return MString(*this) += other; }
MString MString::operator+(double value) const { return MString(*this) += value; }
MStatus MString::set(const char* text) { return *this = text, MStatus(); }
MStatus MString::setUTF8(const char* text) { return text_ = text ? text : "", MStatus(); }
MStatus MString::set(const char* text, int length) {
    return text_ = in_locale({text, static_cast<std::size_t>(length)}), MStatus();
}
MStatus MString::set(double value) { return text_ = text_of(value), MStatus(); }
MStatus MString::set(double value, int precision) {
    std::ostringstream out;
    out.precision(precision);
    out << std::fixed << value;
    text_ = out.str();
    return MStatus();
}
const char* MString::asChar() const {
    static std::mutex mutex;
    static std::set<std::string> given;
    const std::lock_guard<std::mutex> lock(mutex);
    // Who asked may keep them as long as the text.
    return given.insert(in_locale(text_)).first->c_str();
}
const char* MString::asChar(int& length) const {
    const char* const characters = asChar();
    return length = static_cast<int>(std::strlen(characters)), characters;
}
const char* MString::asUTF8(int& length) const { return length = static_cast<int>(text_.size()), text_.c_str(); }
/// Characters, where length() counts bytes.
unsigned int MString::numChars() const {
    return static_cast<unsigned int>(std::count_if(
        text_.begin(), text_.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U; }));
}
/// The place of a character, or -1.
int MString::index(char c) const {
    const auto at = text_.find(c);
    return at == std::string::npos ? -1 : static_cast<int>(at);
}
int MString::rindex(char c) const {
    const auto at = text_.rfind(c);
    return at == std::string::npos ? -1 : static_cast<int>(at);
}
/// Parts between separators; empty ones are left out.
MStatus MString::split(char separator, MStringArray& parts) const {
    parts.clear();
    std::istringstream in(text_);
    for (std::string part; std::getline(in, part, separator);)
        if (!part.empty()) parts.append(standin::text(part));
    return MStatus();
}
/// From `start` to `end`, both included.
MString MString::substring(int start, int end) const {
    if (start < 0 || end < start || static_cast<std::size_t>(start) >= text_.size()) return MString();
    return standin::text(text_.substr(static_cast<std::size_t>(start), static_cast<std::size_t>(end - start + 1)));
}
MString& MString::toUpperCase() {
    for (char& c : text_) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return *this;
}
MString& MString::toLowerCase() {
    for (char& c : text_) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return *this;
}
bool MString::isInt() const {
    char* end = nullptr;
    (void)std::strtol(text_.c_str(), &end, 10);
    return !text_.empty() && *end == 0;
}
int MString::asInt() const { return static_cast<int>(std::strtol(text_.c_str(), nullptr, 10)); }
bool MString::isDouble() const {
    char* end = nullptr;
    (void)std::strtod(text_.c_str(), &end);
    return !text_.empty() && *end == 0;
}
double MString::asDouble() const { return std::strtod(text_.c_str(), nullptr); }
MStatus MString::substitute(const MString& src, const MString& target) {
    if (src.isEmpty()) return MStatus::kInvalidParameter;
    for (std::size_t at = 0; (at = text_.find(src.text_, at)) != std::string::npos; at += target.text_.size())
        text_.replace(at, src.text_.size(), target.text_);
    return MStatus();
}
std::ostream& operator<<(std::ostream& out, const MString& text) { return out << text.asChar(); }
MString standin::text(const std::string& utf8) {
    MString made;
    made.setUTF8(utf8.c_str());
    return made;
}
MString operator+(const char* text, const MString& other) { return MString(text) += other; }

int MStringArray::indexOf(const MString& element) const {
    const auto found = std::find(items_.begin(), items_.end(), element);
    return found == items_.end() ? -1 : static_cast<int>(found - items_.begin());
}
std::ostream& operator<<(std::ostream& out, const MStringArray& array) {
    for (const MString& each : array) out << each << ' ';
    return out;
}

const MVector MVector::zero;
const MVector MVector::one(1, 1, 1);
const MVector MVector::xAxis(1, 0, 0);
const MVector MVector::yAxis(0, 1, 0);
const MVector MVector::zAxis(0, 0, 1);
const MPoint MPoint::origin;
const MFloatPoint MFloatPoint::origin;
const MMatrix MMatrix::identity;

MVector::MVector(const MPoint& point) : x(point.x), y(point.y), z(point.z) {}
MVector::MVector(const MFloatVector& v)
    : x(static_cast<double>(v.x)), y(static_cast<double>(v.y)), z(static_cast<double>(v.z)) {}
MVector MVector::operator^(const MVector& r) const {
    return MVector(y * r.z - z * r.y, z * r.x - x * r.z, x * r.y - y * r.x);
}
MVector MVector::operator*(const MMatrix& m) const {
    return MVector(x * m[0][0] + y * m[1][0] + z * m[2][0], x * m[0][1] + y * m[1][1] + z * m[2][1],
                   x * m[0][2] + y * m[1][2] + z * m[2][2]);
}
MStatus MVector::get(double to[3]) const { return to[0] = x, to[1] = y, to[2] = z, MStatus(); }
double MVector::length() const { return std::sqrt(*this * *this); }
MVector MVector::normal() const { return length() > 0 ? *this / length() : *this; }
MStatus MVector::normalize() { return *this = normal(), MStatus(); }
bool MVector::isEquivalent(const MVector& other, double tolerance) const {
    return (*this - other).length() <= tolerance;
}

MPoint::MPoint(const MFloatPoint& p)
    : x(static_cast<double>(p.x)), y(static_cast<double>(p.y)), z(static_cast<double>(p.z)),
      w(static_cast<double>(p.w)) {}
MStatus MPoint::get(double to[4]) const { return to[0] = x, to[1] = y, to[2] = z, to[3] = w, MStatus(); }
MStatus MPoint::get(float to[4]) const {
    for (unsigned int i = 0; i < 4; ++i) to[i] = static_cast<float>((*this)[i]);
    return MStatus();
}
MPoint MPoint::operator*(const MMatrix& m) const {
    MPoint to;
    for (unsigned int i = 0; i < 4; ++i) to[i] = x * m[0][i] + y * m[1][i] + z * m[2][i] + w * m[3][i];
    return to;
}
MPoint& MPoint::cartesianize() {
    if (w != 0) *this = MPoint(x / w, y / w, z / w, 1);
    return *this;
}
bool MPoint::isEquivalent(const MPoint& other, double tolerance) const { return distanceTo(other) <= tolerance; }

MMatrix::MMatrix() { setToIdentity(); }
MMatrix::MMatrix(const double m[4][4]) {
    for (unsigned int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = m[i / 4][i % 4];
}
MMatrix::MMatrix(const float m[4][4]) {
    for (unsigned int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = static_cast<double>(m[i / 4][i % 4]);
}
MStatus MMatrix::get(double to[4][4]) const {
    for (unsigned int i = 0; i < 16; ++i) to[i / 4][i % 4] = matrix[i / 4][i % 4];
    return MStatus();
}
MStatus MMatrix::get(float to[4][4]) const {
    for (unsigned int i = 0; i < 16; ++i) to[i / 4][i % 4] = static_cast<float>(matrix[i / 4][i % 4]);
    return MStatus();
}
MMatrix MMatrix::transpose() const {
    MMatrix to;
    for (unsigned int i = 0; i < 16; ++i) to[i % 4][i / 4] = matrix[i / 4][i % 4];
    return to;
}
MMatrix& MMatrix::setToIdentity() {
    for (unsigned int i = 0; i < 16; ++i) matrix[i / 4][i % 4] = i / 4 == i % 4 ? 1 : 0;
    return *this;
}
MMatrix& MMatrix::setToProduct(const MMatrix& left, const MMatrix& right) { return *this = left * right; }
MMatrix MMatrix::operator+(const MMatrix& right) const {
    MMatrix to;
    for (unsigned int i = 0; i < 16; ++i) to[i / 4][i % 4] = matrix[i / 4][i % 4] + right[i / 4][i % 4];
    return to;
}
MMatrix MMatrix::operator*(const MMatrix& right) const {
    MMatrix to;
    for (unsigned int i = 0; i < 4; ++i)
        for (unsigned int j = 0; j < 4; ++j) {
            double sum = 0;
            for (unsigned int k = 0; k < 4; ++k) sum += matrix[i][k] * right[k][j];
            to[i][j] = sum;
        }
    return to;
}
MMatrix MMatrix::operator*(double scale) const {
    MMatrix to;
    for (unsigned int i = 0; i < 16; ++i) to[i / 4][i % 4] = matrix[i / 4][i % 4] * scale;
    return to;
}
bool MMatrix::operator==(const MMatrix& other) const { return isEquivalent(other, 0); }
bool MMatrix::isEquivalent(const MMatrix& other, double tolerance) const {
    for (unsigned int i = 0; i < 16; ++i)
        if (!(std::abs(matrix[i / 4][i % 4] - other[i / 4][i % 4]) <= tolerance)) return false;
    return true;
}
double MMatrix::det3x3() const {
    const auto& m = matrix;
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
}
double MMatrix::det4x4() const {
    double sum = 0;
    for (unsigned int skip = 0; skip < 4; ++skip) {
        MMatrix minor;
        for (unsigned int i = 1; i < 4; ++i)
            for (unsigned int j = 0, to = 0; j < 4; ++j)
                if (j != skip) minor[i - 1][to++] = matrix[i][j];
        sum += (skip % 2 == 0 ? 1 : -1) * matrix[0][skip] * minor.det3x3();
    }
    return sum;
}
bool MMatrix::isSingular() const { return std::abs(det4x4()) < 1e-30; }
/// By Gauss and Jordan; a singular matrix gives the identity.
MMatrix MMatrix::inverse() const {
    MMatrix from(*this), to;
    for (unsigned int i = 0; i < 4; ++i) {
        unsigned int pivot = i;
        for (unsigned int j = i + 1; j < 4; ++j)
            if (std::abs(from[j][i]) > std::abs(from[pivot][i])) pivot = j;
        if (from[pivot][i] == 0) return MMatrix();
        for (unsigned int k = 0; k < 4; ++k) {
            std::swap(from[i][k], from[pivot][k]);
            std::swap(to[i][k], to[pivot][k]);
        }
        const double scale = 1 / from[i][i];
        for (unsigned int k = 0; k < 4; ++k) {
            from[i][k] *= scale;
            to[i][k] *= scale;
        }
        for (unsigned int j = 0; j < 4; ++j) {
            const double times = from[j][i];
            for (unsigned int k = 0; k < 4 && j != i; ++k) {
                from[j][k] -= times * from[i][k];
                to[j][k] -= times * to[i][k];
            }
        }
    }
    return to;
}

MVector MTransformationMatrix::getTranslation(MSpace::Space, MStatus* status) const {
    if (status) *status = MStatus();
    return MVector(matrix_[3][0], matrix_[3][1], matrix_[3][2]);
}
MStatus MTransformationMatrix::setTranslation(const MVector& v, MSpace::Space) {
    return matrix_[3][0] = v.x, matrix_[3][1] = v.y, matrix_[3][2] = v.z, MStatus();
}

void MBoundingBox::expand(const MPoint& point) {
    if (empty_) min_ = max_ = point;
    empty_ = false;
    for (unsigned int i = 0; i < 3; ++i) {
        min_[i] = std::min(min_[i], point[i]);
        max_[i] = std::max(max_[i], point[i]);
    }
}

double MDistance::as(Unit unit, MStatus* status) const {
    if (status) *status = MStatus();
    return unit == unit_ ? value_ : value_ * centimetres(unit_) / centimetres(unit);
}
MStatus MDistance::setUnit(Unit unit) { return unit_ = unit, MStatus(); }
MStatus MDistance::setValue(double value) { return value_ = value, MStatus(); }
MDistance::Unit MDistance::uiUnit() { return distance_unit; }
MStatus MDistance::setUIUnit(Unit unit) { return distance_unit = unit, MStatus(); }
double MDistance::internalToUI(double value) { return MDistance(value).as(uiUnit()); }
double MDistance::uiToInternal(double value) { return MDistance(value, uiUnit()).asCentimeters(); }

double MAngle::as(Unit unit, MStatus* status) const {
    if (status) *status = MStatus();
    return unit == unit_ ? value_ : value_ * radians(unit_) / radians(unit);
}
MStatus MAngle::setUnit(Unit unit) { return unit_ = unit, MStatus(); }
MStatus MAngle::setValue(double value) { return value_ = value, MStatus(); }
MAngle::Unit MAngle::uiUnit() { return angle_unit; }
MStatus MAngle::setUIUnit(Unit unit) { return angle_unit = unit, MStatus(); }
double MAngle::internalToUI(double value) { return MAngle(value).as(uiUnit()); }
double MAngle::uiToInternal(double value) { return MAngle(value, uiUnit()).asRadians(); }

namespace {
/// How many times a second a unit is; 0 for those that are longer than a second.
double rate(MTime::Unit unit) {
    switch (unit) {
    case MTime::kHours: return 1.0 / 3600;
    case MTime::kMinutes: return 1.0 / 60;
    case MTime::kSeconds: return 1;
    case MTime::kMilliseconds: return 1000;
    case MTime::k15FPS: return 15;
    case MTime::k25FPS: return 25;
    case MTime::k30FPS: return 30;
    case MTime::k48FPS: return 48;
    case MTime::k50FPS: return 50;
    case MTime::k60FPS: return 60;
    case MTime::k12FPS: return 12;
    case MTime::k90FPS: return 90;
    case MTime::k100FPS: return 100;
    case MTime::k120FPS: return 120;
    case MTime::k240FPS: return 240;
    case MTime::k23_976FPS: return 24000.0 / 1001;
    case MTime::k29_97FPS:
    case MTime::k29_97DF: return 30000.0 / 1001;
    case MTime::k47_952FPS: return 48000.0 / 1001;
    case MTime::k59_94FPS: return 60000.0 / 1001;
    default: return 24;
    }
}
} // namespace

/// Times are whole numbers of ticks (MTime::ticksPerSecond): a value between two of them is rounded.
MTime::MTime(double value, Unit unit)
    : ticks_(std::llround(value * (static_cast<double>(ticksPerSecond()) / rate(unit)))), unit_(unit) {}
MStatus MTime::setUnit(Unit unit) { return unit_ = unit, MStatus(); }
MStatus MTime::setValue(double value) { return *this = MTime(value, unit_), MStatus(); }
double MTime::as(Unit unit) const {
    return static_cast<double>(ticks_) / (static_cast<double>(ticksPerSecond()) / rate(unit));
}
MTime::Unit MTime::uiUnit() { return time_unit; }
MStatus MTime::setUIUnit(Unit unit) { return time_unit = unit, MStatus(); }
MTime MTime::operator+(const MTime& rhs) const { return standin_of_ticks(ticks_ + rhs.ticks_, unit_); }
MTime MTime::operator-(const MTime& rhs) const { return standin_of_ticks(ticks_ - rhs.ticks_, unit_); }
MTime::MTick MTime::ticksPerSecond() { return 141120000; }
MTime MTime::standin_of_ticks(MTick ticks, Unit unit) {
    MTime time;
    time.ticks_ = ticks;
    time.unit_ = unit;
    return time;
}

MTimeRange::MTimeRange(MTime first, MTime last) noexcept {
    if (first <= last) intervals_.push_back(MClosedTimeInterval{first, last});
}
bool MTimeRange::contains(MTime time) const noexcept { return contains(time, time); }
bool MTimeRange::contains(MTime first, MTime last) const noexcept {
    return std::any_of(intervals_.begin(), intervals_.end(),
                       [&](const auto& i) { return i.min <= first && last <= i.max; });
}
bool MTimeRange::intersects(MTime first, MTime last) const noexcept {
    return std::any_of(intervals_.begin(), intervals_.end(),
                       [&](const auto& i) { return i.min <= last && first <= i.max; });
}
MClosedTimeInterval MTimeRange::bounds() const noexcept {
    return intervals_.empty() ? MClosedTimeInterval{}
                              : MClosedTimeInterval{intervals_.front().min, intervals_.back().max};
}
MTimeRange MTimeRange::operator|(const MTimeRange& other) const {
    MTimeRange both, merged;
    both.intervals_ = intervals_;
    both.intervals_.insert(both.intervals_.end(), other.intervals_.begin(), other.intervals_.end());
    std::sort(both.intervals_.begin(), both.intervals_.end(),
              [](const auto& a, const auto& b) { return a.min < b.min; });
    for (const MClosedTimeInterval& each : both.intervals_)
        if (merged.intervals_.empty() || merged.intervals_.back().max < each.min) merged.intervals_.push_back(each);
        else merged.intervals_.back().max = std::max(merged.intervals_.back().max, each.max);
    return merged;
}
bool MTimeRange::operator==(const MTimeRange& other) const noexcept {
    return std::equal(intervals_.begin(), intervals_.end(), other.intervals_.begin(), other.intervals_.end(),
                      [](const auto& a, const auto& b) { return a.min == b.min && a.max == b.max; });
}

MStatus MUuid::generate() {
    static std::atomic<unsigned int> next{1};
    text_.set(("00000000-0000-0000-0000-" + std::to_string(100000000000ULL + next++)).c_str());
    return MStatus();
}
