// sinewView: a locator that shows outputs of a node of Sinew in the viewport. It lies where the node's places do: under
// the transform of the body, or in the world.
#pragma once

#include "adapter/drawing/feeds.h"
#include "adapter/text.h"
#include "host/drawing/draw.h"

#include <maya/MPlugArray.h>
#include <maya/MPxLocatorNode.h>

#include <atomic>
#include <memory>
#include <mutex>

namespace sinew::maya {

/// What a view shows.
struct Shown {
    host::Picture picture;
    bool xray = false, legend = true;
    /// Where legends begin, in pixels from the lower left corner of the view.
    int legend_x = 0, legend_y = 0;
};

class ViewNode final : public MPxLocatorNode {
public:
    static constexpr const char* type_name = "sinewView";
    static constexpr const char* classification = "drawdb/geometry/sinewView";
    static constexpr const char* registrant = "sinew";

    /// Maya's objects of the attributes.
    struct Attributes {
        MObject node, show, component, auto_range, low, high, line_width, point_size, vector_scale, wireframe, xray,
            legend, legend_x, legend_y, body, status;
        Feeds feeds;

        /// Those that change what is drawn.
        std::vector<MObject> all() const;
    };
    static Attributes& attributes();
    static MStatus make_attributes();
    static MTypeId id();
    /// The node whose message is connected to a view; null if there is none.
    static MObject shown_node(const MObject& view);

    /// What is to be drawn: what was made last, unless something has changed or `anew` asks for it. It reads inputs, so
    /// that it must not be called while the view is being drawn.
    std::shared_ptr<const Shown> shown(bool anew) const;

    bool isBounded() const override;
    MBoundingBox boundingBox() const override;
    bool excludeAsLocator() const override { return false; }
    SchedulingType schedulingType() const override { return kParallel; }
    MStatus setDependentsDirty(const MPlug& plug, MPlugArray& affected) override;
    MStatus preEvaluation(const MDGContext& context, const MEvaluationNode& node) override;
    MStatus postEvaluation(const MDGContext& context, const MEvaluationNode& node, PostEvaluationType type) override;
    void getCacheSetup(const MEvaluationNode& node, MNodeCacheDisablingInfo& disabling, MNodeCacheSetupInfo& setup,
                       MObjectArray& monitored) const override;

private:
    Shown make() const;
    void changed() const;
    std::string name_text() const { return utf8(name()); }

    mutable std::mutex mutex_;
    mutable std::shared_ptr<const Shown> shown_;
    /// Of what the last picture was made.
    mutable std::uint64_t made_of_ = 0;
    mutable std::atomic<std::uint64_t> version_{1};
};

/// The box of a picture; of nothing, a point.
MBoundingBox box_of(const host::Picture& picture);

} // namespace sinew::maya
