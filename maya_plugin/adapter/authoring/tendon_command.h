// sinewTendon: draws tendons and all that they run along into the scene of a node of strands.
//
//     sinewTendon -addBodies roots|all|none [-motion turn_z "-90 10"] joints     bodies and the joints between them
//     sinewTendon -draw [-name N] [-radius R] [-body B] curves                  tendons through the curves' CVs
//     sinewTendon -addPart KIND [-name N] [-setValue ATTRIBUTE VALUE] [locator] a plane, a point, a joint, a hill ...
//     sinewTendon -tieToPlane TENDON POINT PLANE                                points are counted from 0
//     sinewTendon -reel TENDON first|last [-name N] [-strength F]               a muscle
//     sinewTendon -kind KIND -name N -setValue ATTRIBUTE VALUE | -rename NEW | -remove
//     sinewTendon -copyTendon TENDON -name N [-offset X Y Z]
//     sinewTendon -mirror x|y|z [-toNode NODE] [-file PATH]                     the scene of the other side
//     sinewTendon -toNode NODE | -file PATH                                     the scene in another node, in a file
//     sinewTendon -showCurves                                                   NURBS curves that follow the tendons
//     sinewTendon -q [-kind KIND]                                               names; without a kind all, as JSON
//
// The node is that of -node, a selected one, or a new one. KIND, ATTRIBUTE and VALUE are the library's (`sinew scene`),
// numbers in centimetres. -body, -motion, -setValue and -tieToPlane may be given several times; -body: one for all
// points, one for each, or none for the nearest. Edits return the node, what was done, and warnings.
#pragma once

#include "adapter/commands/command.h"
#include "host/authoring/tendon.h"

#include <maya/MDagModifier.h>

namespace sinew::maya {

class TendonCommand final : public EditCommand {
public:
    static MSyntax make_syntax();
    MStatus undoIt() override;
    MStatus redoIt() override;

protected:
    void run(const MArgDatabase& arguments) override;

private:
    void query(const MArgDatabase& arguments);
    Found node_for(const MArgDatabase& arguments);
    void edit(const Found& node, const MArgDatabase& arguments);
    void show_curves(const MArgDatabase& arguments);
    /// Stores what was edited, with the joints that lead bodies connected.
    void finish(const Found& node, const host::Stored& stored, host::Editing& edit, host::Done& done);

    /// Makes what the other modifier connects.
    MDagModifier shapes_;
};

} // namespace sinew::maya
