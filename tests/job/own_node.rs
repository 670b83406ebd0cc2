//! A node that only this test knows runs from a scene like any other.

use sinew::control::Control;
use sinew::job::{Job, Plan, SceneFile};

mod doubler {
    //! A node that nobody knows but this test.

    use sinew::control::Control;
    use sinew::error::Result;
    use sinew::nodes::*;

    const PORT: Port = Port {
        id: "values",
        title: "Values",
        doc: "Numbers.",
        domain: Domain::Free,
        items: "value",
        required: true,
        group: "Numbers",
        ..Port::INPUT
    };

    static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
        id: "doubler",
        number: 0,
        title: "Doubler",
        doc: "Doubles numbers.",
        stateful: false,
        state_version: 1,
        meshes: &[],
        ports: &[PORT, Port { id: "doubled", direction: Direction::Output, required: false, ..PORT }],
        params: &[],
    };

    struct Doubler;

    impl Node for Doubler {
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
            let values = inputs.reals("values")?;
            let doubled = outputs.reals("doubled", values.len())?;
            doubled.iter_mut().zip(values).for_each(|(doubled, value)| *doubled = 2.0 * value);
            Ok(Report::default())
        }
    }

    pub static DOUBLER: Registration = Registration { descriptor: &DESCRIPTOR, create: || Box::new(Doubler) };
}

#[test]
fn a_node_that_only_this_test_knows_runs_from_a_scene() {
    sinew::nodes::register(&doubler::DOUBLER).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    write(
        "job.xml",
        r#"<sinew version="1">
          <node type="doubler" name="second"><input port="values" from="first.doubled"/></node>
          <node type="doubler" name="first"><input port="values" file="numbers.csv"/></node>
          <outputs folder="out"><write file="all.csv" from="first.doubled second.doubled"/></outputs>
        </sinew>"#,
    );
    write("numbers.csv", "frame,a,b\n3,1,10\n5,2,20\n");
    let file = SceneFile::read(&folder.path().join("job.xml")).unwrap();
    let control = Control::default();
    let mut job = Job::new(&file, Plan::default(), &control).unwrap();
    job.run(&control, &mut |_| {}).unwrap();
    let table = std::fs::read_to_string(folder.path().join("out/all.csv")).unwrap();
    assert_eq!(
        table, "frame,value,first.doubled,second.doubled\n3,0,2,4\n3,1,20,40\n5,0,4,8\n5,1,40,80\n",
        "two columns of the same name are told apart"
    );
}
