// The entry points that all nodes have in common, around the class of Maya that they extend.
#pragma once

#include "adapter/core.h"
#include "adapter/guard.h"
#include "adapter/text.h"

#include <maya/MPlugArray.h>
#include <maya/MPxNode.h>

namespace sinew::maya {

/// What a render needs to have its frames.
constexpr const char* missed_hint =
    " Run sinewSolve before the render, as in the README of Sinew under \"On a farm\", or render a job's results.";

/// What commands reach of a node, whatever class of Maya it extends.
class CoreHolder {
public:
    explicit CoreHolder(const Kind& kind) : core_(kind) {}
    virtual ~CoreHolder() = default;
    CoreHolder(const CoreHolder&) = delete;
    CoreHolder& operator=(const CoreHolder&) = delete;

    Core& core() { return core_; }
    /// What goes into the frame of the current time, read outside of an evaluation; only on Maya's main thread.
    virtual Gathered gather() = 0;

protected:
    /// Mutable because Maya's cache asks by functions that are const, and learns what the session does then.
    mutable Core core_;
};

template <class Base> class Hosted : public Base, public CoreHolder {
public:
    explicit Hosted(const Kind& kind) : CoreHolder(kind) {}

    MPxNode::SchedulingType schedulingType() const override { return MPxNode::kParallel; }

    MStatus setDependentsDirty(const MPlug& plug, MPlugArray& affected) override {
        return safely("marking", [&] {
            core_.dirty(outermost(plug));
            return Base::setDependentsDirty(plug, affected);
        });
    }

    MStatus connectionMade(const MPlug& plug, const MPlug& other, bool as_source) override {
        return safely("connecting", [&] {
            core_.connected(plug, other, as_source, true);
            return Base::connectionMade(plug, other, as_source);
        });
    }

    MStatus connectionBroken(const MPlug& plug, const MPlug& other, bool as_source) override {
        return safely("disconnecting", [&] {
            core_.connected(plug, other, as_source, false);
            return Base::connectionBroken(plug, other, as_source);
        });
    }

    /// A copy has frames of its own.
    void copyInternalData(MPxNode*) override {
        safely("copying", [&] {
            core_.restart();
            return MStatus(MS::kSuccess);
        });
    }

    MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& node) override {
        return safely("preparing", [&] {
            core_.prepare(context, node);
            return Base::preEvaluation(context, node);
        });
    }

    void getCacheSetup(const MEvaluationNode& node, MNodeCacheDisablingInfo&, MNodeCacheSetupInfo& setup,
                       MObjectArray&) const override {
        safely("setting up the cache", [&] {
            core_.cache_setup(node, setup);
            return MStatus(MS::kSuccess);
        });
    }

    void configCache(const MEvaluationNode& node, MCacheSchema& schema) const override {
        safely("setting up the cache", [&] {
            core_.cache_schema(node, schema);
            return MStatus(MS::kSuccess);
        });
    }

    /// Never calls the function of the base class, which only exists so that Maya sees whether it is overridden.
    MTimeRange transformInvalidationRange(const MPlug&, const MTimeRange& range) const override {
        return guarded(range, "dropping cached frames", [this] { return name_text(); },
                       [&] { return core_.invalidated(range); });
    }

    Gathered gather() override {
        MDataBlock data = this->forceCache();
        maya::Body at;
        read_body(data, true, at);
        return core_.gather(data, at);
    }

protected:
    /// The body that goes through; `pull` evaluates it, otherwise it is as the data block has it. Where it throws, the
    /// mesh is there all the same if it could be read.
    virtual void read_body(MDataBlock& data, bool pull, maya::Body& body) const = 0;

    std::string name_text() const { return utf8(this->name()); }

    template <class Body> MStatus safely(const char* what, Body body) const noexcept {
        return guarded(MStatus(MS::kFailure), what, [this] { return name_text(); }, body);
    }

    /// What `make` gives. What it throws is said by the node's status and the log, and the frame has failed: the body
    /// is to pass through, as an entry point that fails would leave the shape empty.
    template <class Make> host::Answer frame(MDataBlock& data, Make make) {
        host::Answer found;
        found.found = host::Found::Failed;
        try {
            return make();
        } catch (const std::exception& error) {
            found.message = core_.at_frame(data, error.what());
        } catch (...) {
            found.message = core_.at_frame(data, "an unknown error.");
        }
        note(0, name_text(), found.message);
        return found;
    }

    /// The frame; what is wrong with it goes to the log, too.
    host::Answer answer(MDataBlock& data, const maya::Body& body) {
        host::Answer found;
        found.found = host::Found::Failed;
        found.message = "The node is set to have no effect.";
        if (passes_through(data)) return found;
        found = core_.evaluate(data, body, name_text());
        if (found.found == host::Found::Failed) note(1, name_text(), found.message);
        if (core_.is_missed(found)) note(0, name_text(), found.message + missed_hint);
        return found;
    }
};

} // namespace sinew::maya
