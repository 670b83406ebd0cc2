//! A node with two meshes that only this test knows: each has counts, maps and files of its own.

use crate::strip::strip;
use sinew::control::Control;
use sinew::error::{Kind, Result};
use sinew::formats::mesh;
use sinew::geometry::shapes;
use sinew::job::{Job, Plan, SceneFile};
use sinew::math::Vec3;
use sinew::nodes::{ArrayView, ArrayViewMut, Instance};
use std::path::Path;

mod wrap {
    //! Gives back its body, and its cage with numbers.

    use sinew::control::Control;
    use sinew::error::Result;
    use sinew::math::Real;
    use sinew::nodes::*;

    const CAGE: &str = "cage";
    const VECTOR: PortKind = PortKind::Reals { components: 3 };
    const IN: Port = Port { title: "In", doc: "What goes in.", group: "Wrap", ..Port::INPUT };
    const OUT: Port = Port { direction: Direction::Output, title: "Out", doc: "What comes out.", ..IN };
    const ON_CAGE: Port = Port { domain: Domain::Vertex(CAGE), items: "cage vertex", ..IN };

    static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
        id: "wrap",
        number: 0,
        title: "Wrap",
        doc: "A body in a cage.",
        stateful: false,
        state_version: 1,
        meshes: &[
            NodeMesh::BODY,
            NodeMesh { id: CAGE, title: "Cage", doc: "What is around the body.", made: None },
        ],
        ports: &[
            Port { id: "rest", kind: PortKind::Mesh, required: true, ..IN },
            Port { id: "cage", kind: PortKind::Mesh, required: true, items: "", ..ON_CAGE },
            Port { id: "body_map", default: Some(0.0), ..IN },
            Port { id: "cage_map", default: Some(0.0), ..ON_CAGE },
            Port { id: "points", kind: VECTOR, quantity: Quantity::Position, ..OUT },
            Port { id: "body_values", ..OUT },
            Port {
                id: "cage_points",
                direction: Direction::Output,
                kind: VECTOR,
                quantity: Quantity::Position,
                ..ON_CAGE
            },
            Port {
                id: "cage_numbers",
                direction: Direction::Output,
                kind: PortKind::Ints { components: 1 },
                ..ON_CAGE
            },
        ],
        params: &[],
    };

    struct Wrap;

    impl Node for Wrap {
        fn descriptor(&self) -> &'static NodeDescriptor {
            &DESCRIPTOR
        }
        fn step(
            &mut self,
            _: &Timing,
            inputs: &Inputs,
            outputs: &mut Outputs,
            _: &Control,
        ) -> Result<Report> {
            for (input, output) in [("rest", "points"), ("cage", "cage_points")] {
                let points = &inputs.mesh(input)?.positions;
                let all = points.iter().flat_map(|p| [p.x, p.y, p.z]);
                let out = outputs.reals(output, points.len())?;
                out.iter_mut().zip(all).for_each(|(out, x)| *out = x);
            }
            let (map, own) = (inputs.map("body_map")?, inputs.map("cage_map")?);
            let values = outputs.reals("body_values", inputs.mesh("rest")?.positions.len())?;
            values.iter_mut().enumerate().for_each(|(k, out)| *out = map.at(k));
            let numbers = outputs.reals("cage_numbers", inputs.mesh("cage")?.positions.len())?;
            numbers.iter_mut().enumerate().for_each(|(k, out)| *out = k as Real + own.at(k));
            Ok(Report::default())
        }
    }

    pub static WRAP: Registration = Registration { descriptor: &DESCRIPTOR, create: || Box::new(Wrap) };
}

fn known() {
    // Whichever test comes first.
    let _ = sinew::nodes::register(&wrap::WRAP);
}

/// A body of 40 vertices in a cage of eight.
fn fed() -> Instance {
    known();
    let mut node = Instance::new("wrap").unwrap();
    node.set_mesh("rest", shapes::grid(1.0, 0.3, 9, 3)).unwrap();
    node.set_mesh("cage", shapes::cuboid(&Vec3::repeat(1.0))).unwrap();
    node
}

fn give(node: &mut Instance, port: &str, values: &[f64]) -> Result<()> {
    node.set_array(port, &ArrayView::from_slice(values, 1)?)?;
    node.step(1, 0.0, &Control::default()).map(drop)
}

#[test]
fn each_mesh_has_counts_of_its_own() {
    let mut node = fed();
    let outputs = [("points", 40), ("body_values", 40), ("cage_points", 8), ("cage_numbers", 8)];
    for (output, count) in outputs {
        assert_eq!(node.expected_count(output).unwrap(), count, "{output}");
    }
    give(&mut node, "body_map", &[0.5; 40]).unwrap();
    give(&mut node, "cage_map", &[2.0; 8]).unwrap();
    for (output, count) in outputs {
        assert_eq!(node.output_count(output).unwrap(), count, "{output}");
    }
    let wrong = give(&mut node, "cage_map", &[2.0; 40]).unwrap_err();
    assert_eq!((wrong.kind(), wrong.place().port.as_deref()), (Kind::CountMismatch, Some("cage_map")));
    assert_eq!(wrong.message(), "has 40 values, one per vertex of the mesh cage, but cage has 8");
    let wrong = node.expected_count("cage_numbers").unwrap_err();
    assert_eq!(wrong.place().port.as_deref(), Some("cage_map"));
    give(&mut node, "cage_map", &[2.0; 8]).unwrap();
    let wrong = give(&mut node, "body_map", &[2.0; 8]).unwrap_err();
    assert_eq!(wrong.message(), "has 8 values, one per vertex, but rest has 40");
}

/// A place on the second mesh is no vertex of the body that a host shows.
#[test]
fn what_is_wrong_on_the_second_mesh_is_no_vertex_of_the_body() {
    let mut node = fed();
    let wrong = give(&mut node, "cage_map", &[0.0, 0.0, f64::NAN, 0.0, 0.0, 0.0, 0.0, 0.0]).unwrap_err();
    assert_eq!((wrong.place().vertex, wrong.message()), (None, "cage vertex 2: component 0 is NaN"));
    let wrong = give(&mut node, "body_map", &[f64::INFINITY; 40]).unwrap_err();
    assert_eq!(wrong.place().vertex, Some(0));
}

#[test]
fn integers_leave_as_integers() {
    let mut node = fed();
    give(&mut node, "cage_map", &[3.0; 8]).unwrap();
    let (mut signed, mut unsigned, mut double) = ([0i32; 8], [0u32; 8], [0.0f64; 8]);
    node.read("cage_numbers", &mut ArrayViewMut::from_slice(&mut signed, 1).unwrap()).unwrap();
    node.read("cage_numbers", &mut ArrayViewMut::from_slice(&mut unsigned, 1).unwrap()).unwrap();
    node.read("cage_numbers", &mut ArrayViewMut::from_slice(&mut double, 1).unwrap()).unwrap();
    assert_eq!(signed, [3, 4, 5, 6, 7, 8, 9, 10]);
    assert_eq!((signed.map(f64::from), unsigned.map(f64::from)), (double, double));
    let refused = node.read("cage_points", &mut ArrayViewMut::from_slice(&mut [0i32; 24], 3).unwrap());
    assert_eq!(refused.unwrap_err().kind(), Kind::WrongType);
    // A node that puts anything else there is wrong, and nobody sees it.
    for bad in [0.5, -9.0, 5e9] {
        let error = give(&mut node, "cage_map", &[bad; 8]).unwrap_err();
        assert_eq!((error.kind(), error.place().port.as_deref()), (Kind::Internal, Some("cage_numbers")));
    }
    node.read("cage_numbers", &mut ArrayViewMut::from_slice(&mut signed, 1).unwrap()).unwrap();
    assert_eq!(signed[7], 10);
}

fn run(folder: &Path, job: &str) -> Result<()> {
    known();
    std::fs::write(folder.join("job.xml"), job).unwrap();
    let control = Control::default();
    let file = SceneFile::read(&folder.join("job.xml"))?;
    Job::new(&file, Plan::default(), &control)?.run(&control, &mut |_| {}).map(drop)
}

/// A job feeds each mesh from a file of its own, reads maps for it, and writes each with its own faces.
#[test]
fn a_job_keeps_meshes_apart() {
    let folder = strip(1);
    let cage = shapes::cuboid(&Vec3::repeat(1.0));
    sinew::formats::obj::save(&folder.path().join("cage.obj"), &cage).unwrap();
    std::fs::write(folder.path().join("cage.csv"), "1\n2\n3\n4\n5\n6\n7\n8\n").unwrap();
    let job = |outputs: &str, map: &str| {
        format!(
            r#"<sinew version="1"><frames range="1"/>
            <node type="wrap" name="w"><input port="rest" file="rest.obj"/><input port="cage" file="cage.obj"/>
            <input port="cage_map" file="{map}"/><input port="body_map" value="0.25"/></node>
            <node type="wrap" name="again"><input port="rest" file="rest.obj"/><input port="cage" file="cage.obj"/>
            <input port="cage_map" from="w.cage_numbers"/></node>
            <node type="wrap" name="even"><input port="rest" file="rest.obj"/><input port="cage" file="cage.obj"/>
            <input port="cage_map" value="5"/></node>
            <outputs folder="out">{outputs}</outputs></sinew>"#
        )
    };
    let outputs = r#"<write file="body.%04d.obj" from="w.points"/><write file="cage.%04d.obj" from="w.cage_points"/>
        <write file="cage.usda" from="w.cage_points w.cage_numbers"/>
        <write file="numbers.csv" from="w.cage_numbers again.cage_numbers even.cage_numbers"/><write file="values.csv" from="w.body_values"/>"#;
    run(folder.path(), &job(outputs, "cage.csv")).unwrap();
    let out = |name: &str| folder.path().join("out").join(name);
    let read = |name: &str| mesh::read(&out(name)).unwrap().mesh;
    assert_eq!(read("body.0001.obj").face_count(), 27);
    assert_eq!(read("cage.0001.obj").corner_vertices, cage.corner_vertices);
    assert_eq!(read("cage.usda").corner_vertices, cage.corner_vertices);
    let table = std::fs::read_to_string(out("numbers.csv")).unwrap();
    let mut rows = table.lines();
    assert_eq!(rows.next(), Some("frame,cage_vertex,w.cage_numbers,again.cage_numbers,even.cage_numbers"));
    let expected = |k: usize| format!("1,{k},{},{},{}", 2 * k + 1, 3 * k + 1, k + 5);
    assert!(rows.enumerate().all(|(k, row)| row == expected(k)), "{table}");
    let values = std::fs::read_to_string(out("values.csv")).unwrap();
    assert_eq!((values.lines().count(), values.lines().nth(7)), (41, Some("1,6,0.25")));
    let together = r#"<write file="both.usda" from="w.points w.cage_numbers"/>"#;
    let error = run(folder.path(), &job(together, "cage.csv")).unwrap_err();
    let message =
        "w.points belongs to the mesh body, w.cage_numbers to the mesh cage: write them to separate files";
    assert_eq!(error.message(), message);
    let error = run(folder.path(), &job(outputs, "fixed.csv")).unwrap_err();
    assert!(error.to_string().contains("40") && error.to_string().contains("8"), "{error}");
}
