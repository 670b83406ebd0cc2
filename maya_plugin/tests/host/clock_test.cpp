// Times as frames: at the rates that films and games have, wherever a motion starts.
#include "check.h"

#include "host/clock.h"

#include <cmath>
#include <limits>
#include <stdexcept>

using sinew::host::Clock;
using sinew::host::Moment;

namespace {

void check_is_frame(const Clock& clock, double seconds, std::int64_t frame) {
    const Moment moment = clock.at(seconds);
    CHECK_EQUAL(moment.frame, frame);
    CHECK(!moment.between);
    // Whatever the host rounded.
    CHECK_EQUAL(moment.seconds, clock.of_frame(frame).seconds);
}

void check_is_between(const Clock& clock, double seconds, std::int64_t frame) {
    const Moment moment = clock.at(seconds);
    CHECK_EQUAL(moment.frame, frame);
    CHECK(moment.between);
    CHECK_EQUAL(moment.seconds, seconds);
}

void frames_are_found_at_every_rate() {
    for (const double rate : {24000.0 / 1001, 23.976, 24.0, 25.0, 30000.0 / 1001, 29.97, 30.0, 48.0, 60000.0 / 1001,
                              59.94, 60.0, 120.0}) {
        for (const double start : {-37.0, 0.0, 1.0, 1001.0}) {
            const Clock clock{start / rate, rate};
            for (const std::int64_t frame : {-1000, -1, 0, 1, 2, 7, 240, 86399, 1000000}) {
                const auto number = static_cast<double>(frame);
                // As hosts count: from 0 seconds, and in steps that add up.
                check_is_frame(clock, (start + number) / rate, frame);
                check_is_frame(clock, start / rate + number * (1 / rate), frame);
                check_is_frame(clock, (start + number) / rate + 0.9e-9, frame);
                check_is_frame(clock, (start + number) / rate - 0.9e-9, frame);
                check_is_between(clock, (start + number) / rate + 2e-8, frame);
                check_is_between(clock, (start + number) / rate - 2e-8, frame - 1);
                check_is_between(clock, (start + number + 0.5) / rate, frame);
                check_is_between(clock, (start + number + 0.999) / rate, frame);
                CHECK_EQUAL(clock.shown(frame), start + number);
                // To the last bit what a job has, whose frames are numbered from 0 seconds on.
                CHECK_EQUAL(clock.of_frame(frame).seconds, (start + number) / rate);
            }
        }
    }
}

/// Ticks of a film's frame, as hosts store times: 6000 or 141120000 in a second.
void ticks_are_frames() {
    const Clock clock{0, 24};
    for (std::int64_t frame = -100; frame < 100; ++frame) {
        check_is_frame(clock, static_cast<double>(frame * 250) / 6000, frame);
        check_is_frame(clock, static_cast<double>(frame * 5880000) / 141120000, frame);
    }
}

void frames_far_away_are_frames() {
    const Clock clock{1.0 / 24, 24};
    for (const std::int64_t frame : {std::int64_t{1} << 31, std::int64_t{1} << 40, -(std::int64_t{1} << 40)}) {
        check_is_frame(clock, (static_cast<double>(frame) + 1) / 24, frame);
        CHECK(clock.at((static_cast<double>(frame) + 1.5) / 24).between);
    }
    CHECK_THROWS(std::out_of_range, clock.at(1e300));
    CHECK_THROWS(std::out_of_range, clock.at(std::numeric_limits<double>::infinity()));
    CHECK_THROWS(std::out_of_range, clock.at(std::numeric_limits<double>::quiet_NaN()));
}

/// A start between two frames of the host, as after a change of the rate, counts as the later one.
void a_start_between_frames() {
    for (const double start : {10.5, 10.001, 10.999999}) {
        const Clock clock{start / 24, 24};
        check_is_frame(clock, 11.0 / 24, 0);
        check_is_frame(clock, 10.0 / 24, -1);
        check_is_between(clock, 10.5 / 24, -1);
        CHECK_EQUAL(clock.shown(0), 11.0);
        CHECK_EQUAL(clock.shown(-11), 0.0);
    }
    CHECK_EQUAL((Clock{-0.5 / 24, 24}.shown(0)), 0.0);
    // Frame 1 of a film at other rates.
    for (const double rate : {24000.0 / 1001, 25.0, 30000.0 / 1001, 30.0, 60000.0 / 1001}) {
        const Clock clock{1.0 / 24, rate};
        const double first = std::ceil(rate / 24);
        check_is_frame(clock, first / rate, 0);
        check_is_frame(clock, (first + 100) / rate, 100);
        CHECK_EQUAL(clock.shown(0), first);
        CHECK_EQUAL(clock.of_frame(7).seconds, (first + 7) / rate);
    }
}

} // namespace

int main() {
    frames_are_found_at_every_rate();
    ticks_are_frames();
    frames_far_away_are_frames();
    a_start_between_frames();
    return sinew::tests::finish();
}
