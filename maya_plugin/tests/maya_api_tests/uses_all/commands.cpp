// Every function that the stand-in declares of Maya's commands and the host, with its exact type.
// Compiled against the stand-in's headers and against Maya's own: what compiles with the one compiles with the other.

#include <maya/MAnimControl.h>
#include <maya/MArgDatabase.h>
#include <maya/MArgList.h>
#include <maya/MArgParser.h>
#include <maya/MArrayDataBuilder.h>
#include <maya/MCommandResult.h>
#include <maya/MComputation.h>
#include <maya/MDGModifier.h>
#include <maya/MDagModifier.h>
#include <maya/MFileObject.h>
#include <maya/MGlobal.h>
#include <maya/MItDependencyGraph.h>
#include <maya/MItDependencyNodes.h>
#include <maya/MPxCommand.h>
#include <maya/MSelectionList.h>
#include <maya/MSyntax.h>

#include <type_traits>

namespace {

template <class Function> constexpr bool is(Function) { return true; }

// MAnimControl
static_assert(is<MTime (*)()>(&MAnimControl::minTime));
static_assert(is<MTime (*)()>(&MAnimControl::maxTime));
static_assert(is<MStatus (*)(MTime)>(&MAnimControl::setMinTime));
static_assert(is<MStatus (*)(MTime)>(&MAnimControl::setMaxTime));
static_assert(is<MStatus (*)(MTime, MTime)>(&MAnimControl::setMinMaxTime));
static_assert(is<MTime (*)()>(&MAnimControl::animationStartTime));
static_assert(is<MTime (*)()>(&MAnimControl::animationEndTime));
static_assert(is<MStatus (*)(MTime)>(&MAnimControl::setAnimationStartTime));
static_assert(is<MStatus (*)(MTime)>(&MAnimControl::setAnimationEndTime));
static_assert(is<MStatus (*)(MTime, MTime)>(&MAnimControl::setAnimationStartEndTime));
static_assert(is<MTime (*)()>(&MAnimControl::currentTime));
static_assert(is<MStatus (*)(const MTime&)>(&MAnimControl::setCurrentTime));
static_assert(is<double (*)()>(&MAnimControl::playbackBy));
static_assert(is<MStatus (*)()>(&MAnimControl::playForward));
static_assert(is<bool (*)()>(&MAnimControl::isPlaying));
static_assert(is<bool (*)()>(&MAnimControl::isScrubbing));
static_assert(is<MStatus (*)()>(&MAnimControl::stop));

// MArgDatabase
static_assert(std::is_constructible_v<MArgDatabase, const MSyntax&, const MArgList&, MStatus*>);
static_assert(is<MStatus (MArgDatabase::*)(const char*, unsigned int, MSelectionList&) const>
    (&MArgDatabase::getFlagArgument));
static_assert(is<MStatus (MArgDatabase::*)(unsigned int, MSelectionList&) const>(&MArgDatabase::getCommandArgument));
static_assert(is<MStatus (MArgDatabase::*)(MSelectionList&) const>(&MArgDatabase::getObjects));

// MArgList
static_assert(std::is_same_v<decltype(MArgList::kInvalidArgIndex), const unsigned int>);
static_assert(is<unsigned int (MArgList::*)(MStatus*) const>(&MArgList::length));
static_assert(is<bool (MArgList::*)(unsigned int, MStatus*) const>(&MArgList::asBool));
static_assert(is<int (MArgList::*)(unsigned int, MStatus*) const>(&MArgList::asInt));
static_assert(is<double (MArgList::*)(unsigned int, MStatus*) const>(&MArgList::asDouble));
static_assert(is<MString (MArgList::*)(unsigned int, MStatus*) const>(&MArgList::asString));
static_assert(is<unsigned int (MArgList::*)(const char*, const char*) const>(&MArgList::flagIndex));
static_assert(is<MStatus (MArgList::*)(bool)>(&MArgList::addArg));
static_assert(is<MStatus (MArgList::*)(int)>(&MArgList::addArg));
static_assert(is<MStatus (MArgList::*)(double)>(&MArgList::addArg));
static_assert(is<MStatus (MArgList::*)(const MString&)>(&MArgList::addArg));
static_assert(is<MStatus (MArgList::*)(unsigned int, bool&) const>(&MArgList::get));
static_assert(is<MStatus (MArgList::*)(unsigned int, int&) const>(&MArgList::get));
static_assert(is<MStatus (MArgList::*)(unsigned int, double&) const>(&MArgList::get));
static_assert(is<MStatus (MArgList::*)(unsigned int, MString&) const>(&MArgList::get));
static_assert(is<const char* (*)()>(&MArgList::className));

// MArgParser
static_assert(std::is_constructible_v<MArgParser, const MSyntax&, const MArgList&, MStatus*>);
static_assert(is<bool (MArgParser::*)(const char*, MStatus*) const>(&MArgParser::isFlagSet));
static_assert(is<bool (MArgParser::*)(MStatus*) const>(&MArgParser::isEdit));
static_assert(is<bool (MArgParser::*)(MStatus*) const>(&MArgParser::isQuery));
static_assert(is<unsigned int (MArgParser::*)() const>(&MArgParser::numberOfFlagsUsed));
static_assert(is<unsigned int (MArgParser::*)(const char*) const>(&MArgParser::numberOfFlagUses));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, bool&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, int&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, double&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, MString&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, unsigned int&) const>
    (&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, MDistance&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, MAngle&) const>(&MArgParser::getFlagArgument));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, MTime&) const>(&MArgParser::getFlagArgument));
static_assert(is<MString (MArgParser::*)(const char*, unsigned int, MStatus*) const>(&MArgParser::flagArgumentString));
static_assert(is<int (MArgParser::*)(const char*, unsigned int, MStatus*) const>(&MArgParser::flagArgumentInt));
static_assert(is<double (MArgParser::*)(const char*, unsigned int, MStatus*) const>(&MArgParser::flagArgumentDouble));
static_assert(is<bool (MArgParser::*)(const char*, unsigned int, MStatus*) const>(&MArgParser::flagArgumentBool));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, unsigned int&) const>
    (&MArgParser::getFlagArgumentPosition));
static_assert(is<MStatus (MArgParser::*)(const char*, unsigned int, MArgList&) const>
    (&MArgParser::getFlagArgumentList));
static_assert(is<MStatus (MArgParser::*)(unsigned int, bool&) const>(&MArgParser::getCommandArgument));
static_assert(is<MStatus (MArgParser::*)(unsigned int, int&) const>(&MArgParser::getCommandArgument));
static_assert(is<MStatus (MArgParser::*)(unsigned int, double&) const>(&MArgParser::getCommandArgument));
static_assert(is<MStatus (MArgParser::*)(unsigned int, MString&) const>(&MArgParser::getCommandArgument));
static_assert(is<MString (MArgParser::*)(unsigned int, MStatus*) const>(&MArgParser::commandArgumentString));
static_assert(is<int (MArgParser::*)(unsigned int, MStatus*) const>(&MArgParser::commandArgumentInt));
static_assert(is<double (MArgParser::*)(unsigned int, MStatus*) const>(&MArgParser::commandArgumentDouble));
static_assert(is<MStatus (MArgParser::*)(MStringArray&) const>(&MArgParser::getObjects));

// MCommandResult
static_assert(int(MCommandResult::kInvalid) == 0);
static_assert(int(MCommandResult::kInt) == 1);
static_assert(int(MCommandResult::kInt64) == 2);
static_assert(int(MCommandResult::kIntArray) == 3);
static_assert(int(MCommandResult::kInt64Array) == 4);
static_assert(int(MCommandResult::kDouble) == 5);
static_assert(int(MCommandResult::kDoubleArray) == 6);
static_assert(int(MCommandResult::kString) == 7);
static_assert(int(MCommandResult::kStringArray) == 8);
static_assert(int(MCommandResult::kVector) == 9);
static_assert(int(MCommandResult::kVectorArray) == 10);
static_assert(int(MCommandResult::kMatrix) == 11);
static_assert(int(MCommandResult::kMatrixArray) == 12);
static_assert(std::is_constructible_v<MCommandResult, MStatus*>);
static_assert(is<MCommandResult::Type (MCommandResult::*)(MStatus*) const>(&MCommandResult::resultType));
static_assert(is<MStatus (MCommandResult::*)(int&) const>(&MCommandResult::getResult));
static_assert(is<MStatus (MCommandResult::*)(double&) const>(&MCommandResult::getResult));
static_assert(is<MStatus (MCommandResult::*)(MString&) const>(&MCommandResult::getResult));
static_assert(is<MStatus (MCommandResult::*)(MIntArray&) const>(&MCommandResult::getResult));
static_assert(is<MStatus (MCommandResult::*)(MDoubleArray&) const>(&MCommandResult::getResult));
static_assert(is<MStatus (MCommandResult::*)(MStringArray&) const>(&MCommandResult::getResult));
static_assert(is<MString (MCommandResult::*)(MStatus*) const>(&MCommandResult::stringResult));

// MComputation
static_assert(std::is_constructible_v<MComputation>);
static_assert(is<void (MComputation::*)(bool, bool, bool)>(&MComputation::beginComputation));
static_assert(is<bool (MComputation::*)()>(&MComputation::isInterruptRequested));
static_assert(is<void (MComputation::*)()>(&MComputation::endComputation));
static_assert(is<MStatus (MComputation::*)(const int, const int)>(&MComputation::setProgressRange));
static_assert(is<int (MComputation::*)(MStatus*) const>(&MComputation::progressMin));
static_assert(is<int (MComputation::*)(MStatus*) const>(&MComputation::progressMax));
static_assert(is<MStatus (MComputation::*)(const int)>(&MComputation::setProgress));
static_assert(is<int (MComputation::*)(MStatus*) const>(&MComputation::progress));
static_assert(is<MStatus (MComputation::*)(const MString&)>(&MComputation::setProgressStatus));

// MDGModifier
static_assert(std::is_constructible_v<MDGModifier>);
static_assert(is<MObject (MDGModifier::*)(const MTypeId&, MStatus*)>(&MDGModifier::createNode));
static_assert(is<MObject (MDGModifier::*)(const MString&, MStatus*)>(&MDGModifier::createNode));
static_assert(is<MStatus (MDGModifier::*)(const MObject&)>(&MDGModifier::deleteNode));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, bool)>(&MDGModifier::deleteNode));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, const MString&)>(&MDGModifier::renameNode));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, const MObject&, const MObject&, const MObject&)>
    (&MDGModifier::connect));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, const MObject&, const MObject&, const MObject&)>
    (&MDGModifier::disconnect));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MPlug&)>(&MDGModifier::connect));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MPlug&)>(&MDGModifier::disconnect));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, const MObject&)>(&MDGModifier::addAttribute));
static_assert(is<MStatus (MDGModifier::*)(const MObject&, const MObject&)>(&MDGModifier::removeAttribute));
static_assert(is<MStatus (MDGModifier::*)(const MString&)>(&MDGModifier::commandToExecute));
static_assert(is<MStatus (MDGModifier::*)(const MString&)>(&MDGModifier::pythonCommandToExecute));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, MObject&)>(&MDGModifier::newPlugValue));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, bool)>(&MDGModifier::newPlugValueBool));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, double)>(&MDGModifier::newPlugValueDouble));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, float)>(&MDGModifier::newPlugValueFloat));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, int)>(&MDGModifier::newPlugValueInt));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, short)>(&MDGModifier::newPlugValueShort));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MAngle&)>(&MDGModifier::newPlugValueMAngle));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MDistance&)>(&MDGModifier::newPlugValueMDistance));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MTime&)>(&MDGModifier::newPlugValueMTime));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, const MString&)>(&MDGModifier::newPlugValueString));
static_assert(is<MStatus (MDGModifier::*)(const MPlug&, bool)>(&MDGModifier::removeMultiInstance));
static_assert(is<MStatus (MDGModifier::*)()>(&MDGModifier::doIt));
static_assert(is<MStatus (MDGModifier::*)()>(&MDGModifier::undoIt));
static_assert(is<const char* (*)()>(&MDGModifier::className));

// MDagModifier
static_assert(is<MObject (MDagModifier::*)(const MTypeId&, const MObject&, MStatus*)>(&MDagModifier::createNode));
static_assert(is<MObject (MDagModifier::*)(const MString&, const MObject&, MStatus*)>(&MDagModifier::createNode));
static_assert(is<MStatus (MDagModifier::*)(const MObject&, const MObject&)>(&MDagModifier::reparentNode));
static_assert(is<const char* (*)()>(&MDagModifier::className));

// MFileObject
static_assert(is<MStatus (MFileObject::*)(const MString&)>(&MFileObject::setRawName));
static_assert(is<MStatus (MFileObject::*)(const MString&)>(&MFileObject::setRawPath));
static_assert(is<MStatus (MFileObject::*)(const MString&)>(&MFileObject::setRawFullName));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::rawName));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::rawPath));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::rawFullName));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::expandedFullName));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::resolvedName));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::resolvedPath));
static_assert(is<MString (MFileObject::*)() const>(&MFileObject::resolvedFullName));
static_assert(is<bool (MFileObject::*)()>(&MFileObject::exists));
static_assert(is<bool (MFileObject::*)() const>(&MFileObject::isSet));

// MGlobal
static_assert(int(MGlobal::kInteractive) == 0);
static_assert(int(MGlobal::kBatch) == 1);
static_assert(int(MGlobal::kLibraryApp) == 2);
static_assert(int(MGlobal::kBaseUIMode) == 3);
static_assert(int(MGlobal::kReplaceList) == 0);
static_assert(int(MGlobal::kXORWithList) == 1);
static_assert(int(MGlobal::kAddToList) == 2);
static_assert(int(MGlobal::kRemoveFromList) == 3);
static_assert(int(MGlobal::kAddToHeadOfList) == 4);
static_assert(int(MGlobal::kHighIdlePriority) == 0);
static_assert(int(MGlobal::kLowIdlePriority) == 1);
static_assert(int(MGlobal::kVeryLowIdlePriority) == 2);
static_assert(std::is_same_v<MGlobal::MIdleTaskCallback, void (*)(void*)>);
static_assert(is<MString (*)()>(&MGlobal::mayaVersion));
static_assert(is<int (*)()>(&MGlobal::apiVersion));
static_assert(is<MGlobal::MMayaState (*)(MStatus*)>(&MGlobal::mayaState));
static_assert(is<MStatus (*)(const MString&, MSelectionList&)>(&MGlobal::getSelectionListByName));
static_assert(is<MStatus (*)(MSelectionList&, bool)>(&MGlobal::getActiveSelectionList));
static_assert(is<MStatus (*)(const MSelectionList&, MGlobal::ListAdjustment)>(&MGlobal::setActiveSelectionList));
static_assert(is<MStatus (*)(const MString&, MGlobal::ListAdjustment)>(&MGlobal::selectByName));
static_assert(is<MStatus (*)(const MString&)>(&MGlobal::unselectByName));
static_assert(is<MStatus (*)(MObject&, MGlobal::ListAdjustment)>(&MGlobal::select));
static_assert(is<MStatus (*)()>(&MGlobal::clearSelectionList));
static_assert(is<MStatus (*)(const MTime&)>(&MGlobal::viewFrame));
static_assert(is<MStatus (*)(double)>(&MGlobal::viewFrame));
static_assert(is<MStatus (*)(const MString&, bool)>(&MGlobal::executeCommandOnIdle));
static_assert(is<MStatus (*)(MGlobal::MIdleTaskCallback, void*, MGlobal::MIdleTaskPriority)>
    (&MGlobal::executeTaskOnIdle));
static_assert(is<MStatus (*)(const MString&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MStatus (*)(const MString&, MCommandResult&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MStatus (*)(const MString&, int&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MStatus (*)(const MString&, double&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MStatus (*)(const MString&, MString&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MStatus (*)(const MString&, MStringArray&, bool, bool)>(&MGlobal::executeCommand));
static_assert(is<MString (*)(const MString&, bool, bool, MStatus*)>(&MGlobal::executeCommandStringResult));
static_assert(is<MStatus (*)(const MString&, bool, bool)>(&MGlobal::executePythonCommand));
static_assert(is<MStatus (*)(const MString&, MString&, bool, bool)>(&MGlobal::executePythonCommand));
static_assert(is<MStatus (*)(const MString&, bool)>(&MGlobal::executePythonCommandOnIdle));
static_assert(is<MStatus (*)(MObject&)>(&MGlobal::deleteNode));
static_assert(is<bool (*)(MStatus*)>(&MGlobal::isYAxisUp));
static_assert(is<bool (*)(MStatus*)>(&MGlobal::isZAxisUp));
static_assert(is<MVector (*)(MStatus*)>(&MGlobal::upAxis));
static_assert(is<void (*)(const MString&)>(&MGlobal::displayInfo));
static_assert(is<void (*)(const MString&)>(&MGlobal::displayWarning));
static_assert(is<void (*)(const MString&)>(&MGlobal::displayError));
static_assert(is<int (*)(const MString&, bool*)>(&MGlobal::optionVarIntValue));
static_assert(is<MString (*)(const MString&, bool*)>(&MGlobal::optionVarStringValue));
static_assert(is<bool (*)(const MString&, int)>(&MGlobal::setOptionVarValue));
static_assert(is<bool (*)(const MString&, MString)>(&MGlobal::setOptionVarValue));
static_assert(is<bool (*)(const MString&)>(&MGlobal::optionVarExists));
static_assert(is<bool (*)()>(&MGlobal::isUndoing));
static_assert(is<bool (*)()>(&MGlobal::isRedoing));
static_assert(is<const char* (*)()>(&MGlobal::className));

// MItDependencyGraph
static_assert(int(MItDependencyGraph::kDownstream) == 0);
static_assert(int(MItDependencyGraph::kUpstream) == 1);
static_assert(int(MItDependencyGraph::kDepthFirst) == 0);
static_assert(int(MItDependencyGraph::kBreadthFirst) == 1);
static_assert(int(MItDependencyGraph::kNodeLevel) == 0);
static_assert(int(MItDependencyGraph::kPlugLevel) == 1);
static_assert(std::is_constructible_v<MItDependencyGraph, MObject&, MFn::Type, MItDependencyGraph::Direction,
    MItDependencyGraph::Traversal, MItDependencyGraph::Level, MStatus*>);
static_assert(std::is_constructible_v<MItDependencyGraph, MPlug&, MFn::Type, MItDependencyGraph::Direction,
    MItDependencyGraph::Traversal, MItDependencyGraph::Level, MStatus*>);
static_assert(is<MStatus (MItDependencyGraph::*)()>(&MItDependencyGraph::next));
static_assert(is<bool (MItDependencyGraph::*)(MStatus*)>(&MItDependencyGraph::isDone));
static_assert(is<MObject (MItDependencyGraph::*)(MStatus*)>(&MItDependencyGraph::currentItem));
static_assert(is<MPlug (MItDependencyGraph::*)(MStatus*)>(&MItDependencyGraph::thisPlug));

// MItDependencyNodes
static_assert(std::is_constructible_v<MItDependencyNodes, MFn::Type, MStatus*>);
static_assert(is<MStatus (MItDependencyNodes::*)(MFn::Type)>(&MItDependencyNodes::reset));
static_assert(is<MObject (MItDependencyNodes::*)(MStatus*) const>(&MItDependencyNodes::thisNode));
static_assert(is<MStatus (MItDependencyNodes::*)()>(&MItDependencyNodes::next));
static_assert(is<bool (MItDependencyNodes::*)(MStatus*) const>(&MItDependencyNodes::isDone));

// MPxCommand
static_assert(int(MPxCommand::kLong) == 0);
static_assert(int(MPxCommand::kDouble) == 1);
static_assert(int(MPxCommand::kString) == 2);
static_assert(int(MPxCommand::kNoArg) == 3);
static_assert(std::is_constructible_v<MPxCommand>);
static_assert(is<MStatus (MPxCommand::*)(const MArgList&)>(&MPxCommand::doIt));
static_assert(is<MStatus (MPxCommand::*)()>(&MPxCommand::undoIt));
static_assert(is<MStatus (MPxCommand::*)()>(&MPxCommand::redoIt));
static_assert(is<bool (MPxCommand::*)() const>(&MPxCommand::isUndoable));
static_assert(is<bool (MPxCommand::*)() const>(&MPxCommand::hasSyntax));
static_assert(is<MSyntax (MPxCommand::*)() const>(&MPxCommand::syntax));
static_assert(is<bool (MPxCommand::*)() const>(&MPxCommand::isHistoryOn));
static_assert(is<MString (MPxCommand::*)() const>(&MPxCommand::commandString));
static_assert(is<MStatus (MPxCommand::*)(bool)>(&MPxCommand::setHistoryOn));
static_assert(is<MStatus (MPxCommand::*)(const MString&)>(&MPxCommand::setCommandString));
static_assert(is<void (*)(const MString&)>(&MPxCommand::displayInfo));
static_assert(is<void (*)(const MString&, bool)>(&MPxCommand::displayWarning));
static_assert(is<void (*)(const MString&, bool)>(&MPxCommand::displayError));
static_assert(is<void (*)()>(&MPxCommand::clearResult));
static_assert(is<void (*)(unsigned int)>(&MPxCommand::setResult));
static_assert(is<void (*)(int)>(&MPxCommand::setResult));
static_assert(is<void (*)(double)>(&MPxCommand::setResult));
static_assert(is<void (*)(bool)>(&MPxCommand::setResult));
static_assert(is<void (*)(const char*)>(&MPxCommand::setResult));
static_assert(is<void (*)(const MString&)>(&MPxCommand::setResult));
static_assert(is<void (*)(const MIntArray&)>(&MPxCommand::setResult));
static_assert(is<void (*)(const MDoubleArray&)>(&MPxCommand::setResult));
static_assert(is<void (*)(const MStringArray&)>(&MPxCommand::setResult));
static_assert(is<void (*)(int)>(&MPxCommand::appendToResult));
static_assert(is<void (*)(double)>(&MPxCommand::appendToResult));
static_assert(is<void (*)(bool)>(&MPxCommand::appendToResult));
static_assert(is<void (*)(const char*)>(&MPxCommand::appendToResult));
static_assert(is<void (*)(const MString&)>(&MPxCommand::appendToResult));
static_assert(is<void (*)(const MStringArray&)>(&MPxCommand::appendToResult));
static_assert(is<bool (*)()>(&MPxCommand::isCurrentResultArray));
static_assert(is<MPxCommand::MResultType (*)()>(&MPxCommand::currentResultType));
static_assert(is<MString (*)(MStatus*)>(&MPxCommand::currentStringResult));
static_assert(is<const char* (*)()>(&MPxCommand::className));

// MSelectionList
static_assert(is<MStatus (MSelectionList::*)()>(&MSelectionList::clear));
static_assert(is<bool (MSelectionList::*)(MStatus*) const>(&MSelectionList::isEmpty));
static_assert(is<unsigned int (MSelectionList::*)(MStatus*) const>(&MSelectionList::length));
static_assert(is<MStatus (MSelectionList::*)(unsigned int, MObject&) const>(&MSelectionList::getDependNode));
static_assert(is<MStatus (MSelectionList::*)(unsigned int, MDagPath&, MObject&) const>(&MSelectionList::getDagPath));
static_assert(is<MStatus (MSelectionList::*)(unsigned int, MPlug&) const>(&MSelectionList::getPlug));
static_assert(is<MStatus (MSelectionList::*)(const MObject&, const bool)>(&MSelectionList::add));
static_assert(is<MStatus (MSelectionList::*)(const MDagPath&, const MObject&, const bool)>(&MSelectionList::add));
static_assert(is<MStatus (MSelectionList::*)(const MString&, const bool)>(&MSelectionList::add));
static_assert(is<MStatus (MSelectionList::*)(const MPlug&, const bool)>(&MSelectionList::add));
static_assert(is<MStatus (MSelectionList::*)(unsigned int)>(&MSelectionList::remove));
static_assert(is<bool (MSelectionList::*)(const MObject&, MStatus*) const>(&MSelectionList::hasItem));
static_assert(is<MStatus (MSelectionList::*)(MStringArray&) const>(&MSelectionList::getSelectionStrings));
static_assert(is<MStatus (MSelectionList::*)(unsigned int, MStringArray&) const>(&MSelectionList::getSelectionStrings));
static_assert(is<const char* (*)()>(&MSelectionList::className));

// MSyntax
static_assert(int(MSyntax::kInvalidArgType) == 0);
static_assert(int(MSyntax::kNoArg) == 1);
static_assert(int(MSyntax::kBoolean) == 2);
static_assert(int(MSyntax::kLong) == 3);
static_assert(int(MSyntax::kDouble) == 4);
static_assert(int(MSyntax::kString) == 5);
static_assert(int(MSyntax::kUnsigned) == 6);
static_assert(int(MSyntax::kDistance) == 7);
static_assert(int(MSyntax::kAngle) == 8);
static_assert(int(MSyntax::kTime) == 9);
static_assert(int(MSyntax::kSelectionItem) == 10);
static_assert(int(MSyntax::kLastArgType) == 11);
static_assert(int(MSyntax::kInvalidObjectFormat) == 0);
static_assert(int(MSyntax::kNone) == 1);
static_assert(int(MSyntax::kStringObjects) == 2);
static_assert(int(MSyntax::kSelectionList) == 3);
static_assert(int(MSyntax::kLastObjectFormat) == 4);
static_assert(is<MStatus (MSyntax::*)(const char*, const char*, MSyntax::MArgType, MSyntax::MArgType,
    MSyntax::MArgType, MSyntax::MArgType, MSyntax::MArgType, MSyntax::MArgType)>(&MSyntax::addFlag));
static_assert(is<MStatus (MSyntax::*)(const char*)>(&MSyntax::makeFlagMultiUse));
static_assert(is<MStatus (MSyntax::*)(const char*, bool)>(&MSyntax::makeFlagQueryWithFullArgs));
static_assert(is<MStatus (MSyntax::*)(MSyntax::MArgType)>(&MSyntax::addArg));
static_assert(is<void (MSyntax::*)(bool)>(&MSyntax::useSelectionAsDefault));
static_assert(is<MStatus (MSyntax::*)(MSyntax::MObjectFormat, unsigned int)>(&MSyntax::setObjectType));
static_assert(is<MStatus (MSyntax::*)(MSyntax::MObjectFormat, unsigned int, unsigned int)>(&MSyntax::setObjectType));
static_assert(is<void (MSyntax::*)(unsigned int)>(&MSyntax::setMinObjects));
static_assert(is<void (MSyntax::*)(unsigned int)>(&MSyntax::setMaxObjects));
static_assert(is<void (MSyntax::*)(bool)>(&MSyntax::enableQuery));
static_assert(is<void (MSyntax::*)(bool)>(&MSyntax::enableEdit));
static_assert(is<unsigned int (MSyntax::*)() const>(&MSyntax::minObjects));
static_assert(is<unsigned int (MSyntax::*)() const>(&MSyntax::maxObjects));
static_assert(is<bool (MSyntax::*)() const>(&MSyntax::canQuery));
static_assert(is<bool (MSyntax::*)() const>(&MSyntax::canEdit));
static_assert(is<const char* (*)()>(&MSyntax::className));

} // namespace
