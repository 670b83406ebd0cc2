// A node of the library that is brought to whatever a frame follows from, and steps. Not for several threads at a time.
#pragma once

#include "clock.h"
#include "digest.h"
#include "session.h"
#include "timeline.h"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace sinew::host {

/// What a frame follows from, and its hashes. Refers to what the host has given.
struct Request {
    std::vector<std::pair<const PortValue*, Digest>> ports;
    std::vector<const ParamValue*> params;
    Clock clock;
    std::int32_t up_axis = SINEW_UP_Y;
    /// Of what does not move, and of what is the frame's own.
    Digest root, mark;
};

/// The host's space, and whether its matrices are for row vectors.
struct Space {
    double metres_per_unit = 1;
    std::int32_t up_axis = SINEW_UP_Y;
    bool row_vectors = false;
};

/// What came out of a step.
struct Stepped {
    std::shared_ptr<const Outputs> outputs;
    State state;
    std::string report;
};

class Player {
public:
    /// The node is created when it is first needed. `listeners` gives its callbacks.
    Player(std::string id, bool stateful, const Space& space, std::function<Listeners()> listeners);

    /// Steps to a moment, from the state of `before` or, without one, as the first frame. `keeps`: whether the next
    /// frame is to go on from there. Throws sinew::Error or std::invalid_argument.
    Stepped step(const Request& request, const Moment& moment, const std::optional<Before>& before,
                 const std::vector<std::string>& wanted, bool keeps);
    /// The state of the last step became that of a frame with this link.
    void is_at(const Digest& link) { live_ = link; }
    bool has_output(const std::string& port) const { return outputs_.count(port) > 0; }
    /// Destroys the node: the next step creates another.
    void discard();

private:
    struct Output {
        std::uint32_t components = 1;
        bool whole = false;
    };

    void create();
    void set_clock(const Clock& clock);
    void set_params(const std::vector<const ParamValue*>& params, const Clock& clock);
    void set_param(const SinewParamInfo& info, const std::variant<double, std::string>& value);
    void set_ports(const Request& request);
    std::shared_ptr<const Outputs> read(const std::vector<std::string>& wanted) const;

    std::string id_;
    bool stateful_;
    Space space_;
    std::function<Listeners()> listeners_;
    std::map<std::string, Output> outputs_;
    std::map<std::string, SinewParamInfo> params_;

    std::shared_ptr<const Context> context_;
    std::optional<Node> node_;
    /// What the node has been given: by port, by parameter.
    std::map<std::string, Digest> set_ports_;
    std::map<std::string, std::variant<double, std::string>> set_params_;
    std::optional<Clock> clock_;
    /// The link of the frame whose state the node has.
    std::optional<Digest> live_;
};

} // namespace sinew::host
