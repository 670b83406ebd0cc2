//! Meshes that skeletons and blend shapes pose, beside USD itself and Blender.

use crate::usd::{assert_near, flat, reported};
use sinew::error::{Kind, Result};
use sinew::formats::points::{PointSource, find_frames};
use sinew::math::Vec3;

#[test]
fn posed_meshes_are_where_usd_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let reported = reported(&["posed", folder.path().to_str().unwrap()]);
    assert_eq!(reported.len(), 18);
    for file in ["p.usda", "p.usdc"] {
        for (name, time, numbers) in &reported {
            let path = folder.path().join(file).join("root").join(name);
            let mut source = PointSource::open(&path, 24.0).unwrap();
            // There is no sample at 6: USD has values between.
            assert_eq!(source.frames(), [1, 2, 3, 4, 5, 6, 7], "{name}");
            let index = find_frames(&source, &[*time as i64], &path).unwrap()[0];
            let points = source.read(index).unwrap();
            // The judge computes in single precision.
            assert_near(&format!("{file}: {name} at {time}"), &flat(&points), numbers, 3e-6);
        }
    }
}

#[test]
fn posed_meshes_are_where_blender_has_them() {
    let folder = tempfile::tempdir().unwrap();
    let reported = reported(&["posed_blender", folder.path().to_str().unwrap()]);
    let path = folder.path().join("q.usdc");
    let mut source = PointSource::open(&path, 24.0).unwrap();
    assert_eq!(source.frames(), [1, 2, 3]);
    let mut all = Vec::new();
    for (_, time, numbers) in reported.iter().filter(|(what, ..)| what == "points") {
        let points = source.read(*time as usize - 1).unwrap();
        assert_near(&format!("points at {time}"), &flat(&points), numbers, 1e-5);
        all.push(points);
    }
    assert!(all.len() == 3 && (all[0][0] - all[2][0]).norm() > 0.1, "the mesh moves");
}

const POSED: &str = r#"#usda 1.0
def SkelRoot "r" {
    rel skel:skeleton = </r/s>
    rel skel:animationSource = </r/w>
    def Skeleton "s" {
        uniform token[] joints = ["a"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (5, 0, 0, 1))]
    }
    def SkelAnimation "w" {
        uniform token[] blendShapes = ["x"]
        float[] blendShapeWeights = [0.5]
    }
    def Mesh "m" {
        int[] faceVertexCounts = [3]
        int[] faceVertexIndices = [0, 1, 2]
        point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        int[] primvars:skel:jointIndices = [0] ( interpolation = "constant" )
        float[] primvars:skel:jointWeights = [1] ( interpolation = "constant" )
        uniform token[] skel:blendShapes = ["x"]
        rel skel:blendShapeTargets = </r/m/x>
        def BlendShape "x" {
            uniform vector3f[] offsets = [(0, 0, 2)]
            uniform int[] pointIndices = [2]
        }
    }
}
"#;

/// What comes before bones is where blend shapes put the mesh; a mesh without bones is where it is.
#[test]
fn bones_can_be_left_out() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let read = |text: &str, boneless: bool| {
        std::fs::write(&path, text).unwrap();
        let mut source = PointSource::open(&path, 24.0).unwrap();
        let acts = source.acts();
        if boneless {
            source.leave_bones_out();
        }
        (acts, source.read(0).unwrap()[2])
    };
    assert_eq!(read(POSED, false), (true, Vec3::new(5.0, 1.0, 1.0)));
    assert_eq!(read(POSED, true), (true, Vec3::new(0.0, 1.0, 1.0)));
    let unshaped = POSED.replace(
        "uniform token[] skel:blendShapes = [\"x\"]\n        rel skel:blendShapeTargets = </r/m/x>",
        "",
    );
    assert_eq!(read(&unshaped, false), (false, Vec3::new(5.0, 1.0, 0.0)));
    assert_eq!(read(&unshaped, true), (false, Vec3::new(0.0, 1.0, 0.0)));
    let unbound =
        POSED.replace("primvars:skel:jointIndices", "of").replace("primvars:skel:jointWeights", "by");
    assert_eq!(read(&unbound, false), (false, Vec3::new(0.0, 1.0, 1.0)));
    assert_eq!(read(&unbound, true), (false, Vec3::new(0.0, 1.0, 1.0)));
}

#[test]
fn what_cannot_be_posed_is_refused_and_what_is_bound_to_nothing_stands_still() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.usda");
    let open = |from: &str, to: &str| {
        assert!(POSED.contains(from), "{from}");
        std::fs::write(&path, POSED.replacen(from, to, 1)).unwrap();
        PointSource::open(&path, 24.0)
    };
    let points = |source: Result<PointSource>| source.unwrap().read(0).unwrap();
    assert_eq!(
        points(open("#usda", "#usda")),
        [Vec3::new(5.0, 0.0, 0.0), Vec3::new(6.0, 0.0, 0.0), Vec3::new(5.0, 1.0, 1.0)]
    );
    let still = [Vec3::zeros(), Vec3::x(), Vec3::y()];
    assert_eq!(points(open("def SkelRoot", "def Xform")), still, "without a root, nothing poses");
    let joints = r#"int[] primvars:skel:jointIndices = [0] ( interpolation = "constant" )"#;
    // The animation moves one joint of two; the other is where it is at rest, for which there must be a pose at rest.
    let both = r#"uniform token[] joints = ["a", "a/b"]
        uniform matrix4d[] bindTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))]
        uniform matrix4d[] restTransforms = [((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (5, 0, 0, 1)),
            ((1, 0, 0, 0), (0, 1, 0, 0), (0, 0, 1, 0), (0, 3, 0, 1))]"#;
    let one = &POSED
        [POSED.find("uniform token[] joints").unwrap()..POSED.find("    }\n    def SkelAnimation").unwrap()];
    let moved = r#"uniform token[] joints = ["other", "a/b"]
        float3[] translations = [(9, 9, 9), (0, 4, 0)]
        quatf[] rotations = [(1, 0, 0, 0), (1, 0, 0, 0)]
        half3[] scales = [(1, 1, 1), (2, 1, 1)]
        uniform token[] blendShapes"#;
    let animated = POSED.replace("uniform token[] blendShapes = [", &format!("{moved} = ["));
    let second = joints.replace("[0]", "[1]");
    let at = |text: String| {
        std::fs::write(&path, text).unwrap();
        PointSource::open(&path, 24.0)
    };
    let posed = animated.replace(one, both).replace(joints, &second);
    let there = [Vec3::new(5.0, 4.0, 0.0), Vec3::new(7.0, 4.0, 0.0), Vec3::new(5.0, 5.0, 1.0)];
    assert_eq!(points(at(posed.clone())), there);
    let error = at(posed.replace("restTransforms", "other")).err().unwrap();
    assert_eq!(error.kind(), Kind::MissingInput, "{error}");
    let whole = posed.replace("restTransforms", "other").replace("[\"other\", \"a/b\"]", "[\"a\", \"a/b\"]");
    let there = there.map(|p| p + Vec3::new(4.0, 9.0, 9.0));
    assert_eq!(points(at(whole)), there, "with all joints moved, no pose at rest is needed");
    let alone = r#"int[] primvars:other = [0] ( interpolation = "constant" )"#;
    assert_eq!(points(open(joints, alone)), [still[0], still[1], Vec3::new(0.0, 1.0, 1.0)]);
    let refused = |from: &str, to: &str, kind: Kind, reported: &str| {
        let error = open(from, to).err().unwrap();
        assert!(error.kind() == kind && error.to_string().contains(reported), "{reported}: {error}");
        assert_eq!(error.place().file.as_deref(), Some(path.as_path()), "{error}");
    };
    refused("rel skel:skeleton", "rel other", Kind::MissingInput, "no skeleton is bound to it");
    refused("</r/s>", "</r/t>", Kind::NotFound, "/r/t");
    refused(
        "Indices = [0]",
        "Indices = [1]",
        Kind::OutOfRange,
        "there is no joint 1: there are 1, counted from 0",
    );
    refused("Weights = [1]", "Weights = [1, 0]", Kind::CountMismatch, "1 joints with 2 weights");
    refused("uniform matrix4d[] bind", "uniform matrix4d[] other", Kind::MissingInput, "bindTransforms");
    refused("Indices = [2]", "Indices = [3]", Kind::OutOfRange, "moves vertex 3; there are 3");
    refused("Indices = [2]", "Indices = [1, 2]", Kind::CountMismatch, "blend shape");
    refused(
        "uniform int[]",
        "uniform vector3f[] inbetweens:y = []\nuniform int[]",
        Kind::Unsupported,
        "bake",
    );
    let dual = "uniform token primvars:skel:skinningMethod = \"dualQuaternion\"\nrel skel:blend";
    refused("rel skel:blend", dual, Kind::Unsupported, "classicLinear");
    refused("[\"x\"]\n        float", "[]\n        float", Kind::CountMismatch, "1 weights for 0");
}
