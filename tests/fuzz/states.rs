//! The readers of saved states.

use sinew::formats::{strand_state, xml};
use sinew::nodes::{ArrayViewMut, Direction, Instance, PortKind, registry};
use sinew::scene::strand::StrandScene;
use std::collections::HashMap;

/// Saved states of strands, as they are and with the checksum corrected.
pub fn read_strand_state(data: &[u8]) {
    load_strand_state(data);
    if let Some((body, _)) = data.split_last_chunk::<4>() {
        load_strand_state(&[body, &crc32fast::hash(body).to_le_bytes()].concat());
    }
}

fn load_strand_state(data: &[u8]) {
    let scene: StrandScene = xml::parse(include_str!("corpus/strand_scene/pulley")).unwrap();
    let model = scene.build(&HashMap::new()).unwrap().model;
    if let Ok(state) = strand_state::decode(&model, data) {
        let saved = strand_state::encode(&model, &state);
        assert_eq!(saved, data, "what is saved is not what was loaded");
        assert!(strand_state::decode(&model, &saved).unwrap() == state);
    }
}

/// Saved states of every node, as they are and with the checksum corrected.
pub fn read_state(data: &[u8]) {
    load_state(data);
    if let Some((body, _)) = data.split_last_chunk::<4>() {
        load_state(&[body, &crc32fast::hash(body).to_le_bytes()].concat());
    }
}

fn load_state(data: &[u8]) {
    for id in registry().iter().map(|r| r.descriptor.id) {
        let mut node = Instance::new(id).unwrap();
        let before = node.save_state();
        if node.load_state(data).is_err() {
            assert_eq!(node.save_state(), before, "an error changed the node");
            continue;
        }
        check_outputs(&node);
        let saved = node.save_state();
        let mut fresh = Instance::new(id).unwrap();
        fresh.load_state(&saved).expect("what is saved loads");
        assert_eq!(fresh.save_state(), saved);
    }
}

fn check_outputs(node: &Instance) {
    for port in node.descriptor().ports.iter().filter(|p| p.direction == Direction::Output) {
        let PortKind::Reals { components } = port.kind else { continue };
        if node.last_frame().is_none() {
            continue;
        }
        let mut values = vec![0.0f64; node.output_count(port.id).unwrap() * components as usize];
        let mut view = ArrayViewMut::from_slice(&mut values, components).unwrap();
        node.read(port.id, &mut view).expect("the output of a state that loads can be read");
        assert!(values.iter().all(|x| x.is_finite()), "{} holds what is no number", port.id);
    }
}
