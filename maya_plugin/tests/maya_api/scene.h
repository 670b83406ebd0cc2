// The driver of the stand-in: what a test does with it, in place of a user and of the host's main loop.
//
//     standin::Scene scene;
//     scene.load_plugin("/path/of/module.so");
//     scene.create("joint", "elbow");
//     scene.key("elbow.rotateX", {{1, 0}, {24, 1.5}});
//     scene.set_evaluation(standin::Evaluation::Parallel, 4);
//     scene.set_time(12);
//
// What cannot work (a plug that does not exist) throws std::runtime_error with a sentence, so that a test with a wrong
// name fails there.
#pragma once

#include <maya/MMatrix.h>
#include <maya/MObject.h>
#include <maya/MPlug.h>
#include <maya/MStatus.h>
#include <maya/MUIDrawManager.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace standin {

struct World;

/// A line of the Script Editor. 0 is an error, 1 a warning, 2 information.
struct Said {
    int level = 2;
    std::string text;
};

/// How a change of the current time is evaluated.
enum class Evaluation {
    Dg,       ///< dirty, and pulled by who draws, in random order
    Serial,   ///< evaluation manager on one thread, in random topological order
    Parallel, ///< evaluation manager on several threads
};

struct Key {
    double frame = 0, value = 0;
};

struct MeshPlan {
    std::vector<float> points;     ///< three per vertex
    std::vector<int> face_sizes;
    std::vector<int> face_vertices;
    std::vector<float> u, v;       ///< of the set map1
    std::vector<int> corner_uvs;
};

/// What a draw override drew for a node.
struct Drawing {
    std::string node;
    std::vector<MHWRender::MUIDrawManager::Drawn> drawn;
};

/// One host with one scene. There is one at a time.
class Scene {
public:
    Scene();
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    // Plug-ins. Both give an empty text, or what went wrong.
    std::string load_plugin(const std::string& module);
    std::string unload_plugin(const std::string& module);
    typedef MStatus (*Entry)(MObject);
    /// A plug-in that is part of the test program.
    std::string load_plugin(const std::string& name, Entry initialize, Entry uninitialize);
    /// The types of nodes and the commands that plug-ins have registered.
    std::vector<std::string> node_types() const;
    std::vector<std::string> commands() const;

    // Nodes and plugs.
    MObject create(const std::string& type, const std::string& name = "", const std::string& parent = "");
    /// A transform with a mesh shape below it, NAME and NAMEShape.
    MObject create_mesh(const std::string& name, const MeshPlan& plan, const std::string& parent = "");
    void remove(const std::string& name);
    std::string rename(const std::string& name, const std::string& to);
    /// A copy with its values, without connections; with `inputs`, connected to what the original is connected to.
    std::string duplicate(const std::string& name, bool inputs = false);
    bool exists(const std::string& name) const;
    MObject node(const std::string& name) const;
    std::vector<std::string> nodes(const std::string& type = "") const;
    /// By name: "node.attribute[3].child".
    MPlug plug(const std::string& name) const;
    void connect(const std::string& source, const std::string& destination);
    void disconnect(const std::string& source, const std::string& destination);
    /// Puts a deformer into the history of a mesh shape, as the command "deformer" does; gives the deformer's name.
    std::string deform(const std::string& type, const std::string& shape, const std::string& name = "");
    /// A skinCluster for a mesh shape: `weights` has a number for each vertex and joint, joints fastest.
    std::string skin(const std::string& shape, const std::vector<std::string>& joints,
                     const std::vector<double>& weights);
    /// The same with the joints of each vertex, by their places in `joints`, and their weights.
    std::string skin(const std::string& shape, const std::vector<std::string>& joints,
                     const std::vector<std::vector<std::pair<unsigned int, double>>>& influences);
    /// A meshSequence node: it gives the mesh with the points of the frame; frames are numbered from `first` on.
    std::string mesh_sequence(const std::string& name, const MeshPlan& mesh,
                              const std::vector<std::vector<float>>& frames, double first);
    /// A named part of a mesh shape.
    void tag(const std::string& shape, const std::string& tag, const std::vector<int>& vertices);

    // Values. Those that are set are edits, as with the channel box; those that are read are evaluated.
    void set(const std::string& plug, double value);
    void set(const std::string& plug, const std::string& text);
    void set(const std::string& plug, const MMatrix& matrix);
    void set(const std::string& plug, const MObject& data);
    /// A step of a manipulator, which the evaluation manager evaluates: of a node that is animated.
    void drag(const std::string& plug, double value);
    /// Keys with straight lines between them. Keys that are there already stay.
    void key(const std::string& plug, const std::vector<Key>& keys);
    double number(const std::string& plug) const;
    std::string text(const std::string& plug) const;
    MMatrix matrix(const std::string& plug) const;
    /// Three per vertex, of a mesh shape or of a plug with mesh data.
    std::vector<float> points(const std::string& shape_or_plug) const;
    /// The UVs of each corner.
    std::vector<float> corner_uvs(const std::string& shape_or_plug, const std::string& uv_set = "map1") const;
    /// The same in a context of its own, at a time.
    double number_at(const std::string& plug, double frame) const;
    std::vector<float> points_at(const std::string& shape_or_plug, double frame) const;
    /// How often compute was called on a node.
    std::uint64_t computes(const std::string& node) const;
    bool is_clean(const std::string& plug) const;

    // Time and evaluation.
    void set_frames_per_second(double rate);
    /// Which axis points up: z or y. Nothing becomes dirty by it.
    void set_z_up(bool z);
    /// Maya without a window, as on a farm.
    void set_batch(bool batch);
    /// In frames of the user's unit; evaluates as the mode says, and draws.
    void set_time(double frame);
    double time() const;
    void set_range(double first, double last);
    void set_evaluation(Evaluation mode, unsigned int threads = 4);
    void set_seed(std::uint64_t seed);
    /// Pulls what is visible and what has a draw override, in random order.
    void refresh();
    /// Draws all nodes with a draw override.
    std::vector<Drawing> draw();

    // Cached Playback: a thread evaluates frames in the background and stores what nodes ask to have stored.
    void set_caching(bool on);
    /// Waits until all frames of the range are stored.
    void wait_for_cache();
    std::vector<double> cached_frames() const;
    /// Why caching is off although it is switched on, or nothing.
    std::string caching_refused() const;
    /// How often values of a node came out of the cache.
    std::uint64_t restored(const std::string& node) const;

    // Commands.
    /// A line of MEL: a command of a plug-in, one of the host's that the stand-in knows (setAttr, getAttr, connectAttr,
    /// disconnectAttr, createNode, delete, rename, select, currentTime, undo, redo) or one that the test brings.
    MStatus command(const std::string& line);
    /// The results of the last command, as texts.
    std::vector<std::string> results() const;
    /// What a command of the host's answers; a std::runtime_error is its error.
    void on_command(const std::string& name, std::function<std::string(const std::string& line)> answer);
    /// A command of the host's that fails from now on, whatever it is asked.
    void fail_command(const std::string& name);
    void select(const std::vector<std::string>& names);
    std::vector<std::string> selection() const;
    bool undo();
    bool redo();
    std::size_t undo_length() const;
    /// What a long computation sees as Esc, from its n-th question on.
    void press_escape_after(unsigned int questions);
    std::vector<std::string> progress() const;
    /// Runs what waits for the host to be idle, as it never is in batch mode.
    void idle();
    /// Tells who listens that the host ends.
    void end();

    // Files.
    void save(const std::string& path);
    void open(const std::string& path);
    void clear();
    /// Nodes of the file are named SPACE:name, and stay in their file.
    void reference(const std::string& path, const std::string& space);

    // What happened.
    std::vector<Said> said() const;
    /// Every line of MEL and Python that was executed.
    std::vector<std::string> executed() const;
    /// What a plug-in did that the host does not allow, each as a sentence.
    std::vector<std::string> faults() const;
    void forget();

    // Failures on purpose.
    /// Reading this attribute of a node fails from now on with this status. An empty attribute: all of them.
    void fail_input(const std::string& node, const std::string& attribute,
                    MStatus::MStatusCode status = MStatus::kFailure);
    void fail_nothing();
    /// The host is busy while this lives: messages from any thread are faults.
    class Busy {
    public:
        Busy();
        ~Busy();
        Busy(const Busy&) = delete;
        Busy& operator=(const Busy&) = delete;
    };

private:
    std::unique_ptr<World> world_;
};

} // namespace standin
