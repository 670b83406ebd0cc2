//! The report's sentence, for the whole job, about faces that slid over UV seams.

use serde_json::Value;

/// The figures of a frame, which the node or, in a graph, each node has.
fn figure<'a>(row: &'a Value, name: &'a str) -> impl Iterator<Item = f64> + 'a {
    let nodes = row["nodes"].as_object().into_iter().flat_map(|nodes| nodes.values());
    std::iter::once(row).chain(nodes).filter_map(move |node| node[name].as_f64())
}

/// A warning if a renderer that uses the slid UVs would show another part of the texture in some frame.
pub fn warning(rows: &[&Value]) -> Option<String> {
    let most = |name: &'static str| {
        let each = rows.iter().flat_map(|row| figure(row, name).map(|count| (count, &row["frame"])));
        each.fold((0.0, &Value::Null), |most, found| if found.0 > most.0 { found } else { most })
    };
    let reported = |name: &'static str, what: &str| {
        let (count, frame) = most(name);
        (count > 0.0).then(|| format!("{what} (up to {count}, in frame {frame})"))
    };
    let parts = [
        reported(
            "faces_that_jumped",
            "faces jump to the other side between two frames, which motion blur shows: uv_seams=held keeps them",
        ),
        reported("faces_in_two_tiles", "faces have corners in two tiles"),
        reported(
            "faces_outside_tiles",
            "faces lie in a tile in which the mesh has no UVs, or outside all tiles",
        ),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    let (reach, _) = most("reach_over_seams");
    (!parts.is_empty()).then(|| {
        format!(
            "slid UVs over seams: {}. A <padded> texture must continue by {reach:.4} of a tile, which is {} texels at \
             4096; ST-maps, baked textures and projections by the slid rest position need no padding",
            parts.join("; "),
            (reach * 4096.0).ceil()
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_worst_frame_of_each_kind_is_reported_once_for_the_whole_job() {
        let calm = json!({ "frame": 1, "faces_that_jumped": 0.0, "faces_in_two_tiles": 0.0, "reach_over_seams": 0.5 });
        assert_eq!(warning(&[&calm]), None);
        let node = json!({ "frame": 2, "nodes": { "neck": { "faces_that_jumped": 3.0, "reach_over_seams": 0.01 } } });
        let plain = json!({ "frame": 3, "faces_that_jumped": 2.0, "faces_in_two_tiles": 4.0, "reach_over_seams": 0.0 });
        let reported = warning(&[&node, &plain]).unwrap();
        for part in [
            "(up to 3, in frame 2)",
            "two tiles (up to 4, in frame 3)",
            "0.0100 of a tile, which is 41 texels at 4096",
        ] {
            assert!(reported.contains(part), "{part}: {reported}");
        }
        assert!(!reported.contains("has no UVs"), "{reported}");
    }
}
