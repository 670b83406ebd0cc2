//! The `charts` node: UVs from borders on edges.

use super::descriptor::{
    BODY, Choice, Direction, Domain, NodeDescriptor, NodeMesh, Panel, Param, ParamKind, Port, PortKind,
    Quantity, Unit,
};
use super::node::{Node, Report, Warnings};
use super::time::Timing;
use super::value::{Inputs, Map, Outputs};
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::atlas::{AutoCharts, Unwrapped};
use sinew_math::Real;
use std::time::Instant;

const INPUT: Port = Port { domain: Domain::Corner(BODY), group: "Charts", ..Port::INPUT };

const OUTPUT: Port = Port { direction: Direction::Output, ..INPUT };

const CHARTS: Panel = Panel::of("Charts");

/// A chart with more stretch than this is worth a warning.
const MUCH_STRETCH: Real = 4.0;

/// The descriptor.
pub(super) static DESCRIPTOR: NodeDescriptor = NodeDescriptor {
    id: "charts",
    number: 1,
    title: "Charts",
    doc: "Cuts a mesh into charts along marked edges, or finds charts automatically, and flattens each for a UV map.",
    stateful: false,
    state_version: 1,
    meshes: &[NodeMesh::BODY],
    ports: &[
        Port {
            id: "mesh",
            title: "Mesh",
            doc: "The mesh to cut; its own UVs are ignored.",
            kind: PortKind::Mesh,
            domain: Domain::Vertex(BODY),
            required: true,
            ..INPUT
        },
        Port {
            id: "borders",
            title: "Borders",
            doc: "Marks the edge from a corner to the next corner of its face as a chart border, with values of 0.5 \
                  and more; marking one side of an edge is enough. A border that ends inside a chart cuts a slit. \
                  Without this input the charts are found.",
            range: Some((0.0, 1.0)),
            default: Some(0.0),
            ..INPUT
        },
        Port {
            id: "charts",
            title: "Charts",
            doc: "The chart of each face, from 0, in the order of their first faces.",
            domain: Domain::Face(BODY),
            quantity: Quantity::Index,
            ignores: &["margin"],
            index_of: "chart",
            ..OUTPUT
        },
        Port {
            id: "uvs",
            title: "UVs",
            doc: "The flattened charts in the unit square. Angles are preserved as well as possible, and lengths too \
                  where the surface is developable.",
            kind: PortKind::Reals { components: 2 },
            quantity: Quantity::Uv,
            ..OUTPUT
        },
        Port {
            id: "borders",
            title: "Borders",
            doc: "The borders of these charts as the input of the same name expects them, both sides of an edge, \
                  without the open borders of the mesh.",
            ignores: &["margin"],
            ..OUTPUT
        },
        Port {
            id: "stretch",
            title: "Stretch",
            doc: "For each face, the largest stretch in its chart: the largest factor by which a direction is \
                  lengthened or shortened; 1 if all lengths are kept.",
            domain: Domain::Face(BODY),
            ..OUTPUT
        },
    ],
    params: &[
        Param {
            id: "source",
            title: "Charts From",
            doc: "Where the charts come from.",
            unit: Unit::None,
            kind: ParamKind::Choice {
                default: 0,
                choices: &[
                    Choice {
                        id: "borders",
                        title: "Borders",
                        doc: "Along the edges that the input borders marks; without it, charts are found \
                              automatically.",
                    },
                    Choice {
                        id: "automatic",
                        title: "Automatic",
                        doc: "Charts are found automatically; marked borders are ignored.",
                    },
                ],
            },
            panel: CHARTS,
        },
        Param {
            id: "count",
            title: "Number of Charts",
            doc: "About how many charts are found; more where max_stretch demands it, at least one for each connected \
                  piece. Marked charts do not depend on it.",
            unit: Unit::None,
            kind: ParamKind::Int { default: 8, min: 1, max: 100_000 },
            panel: CHARTS.slider(1.0, 64.0, 1.0),
        },
        Param {
            id: "max_stretch",
            title: "Largest Stretch",
            doc: "An automatic chart is divided if a direction in it is lengthened or shortened by more than this \
                  factor.",
            unit: Unit::None,
            kind: ParamKind::Real { default: 2.0, min: 1.05, max: 1000.0 },
            panel: CHARTS.slider(1.1, 10.0, 0.1),
        },
        Param {
            id: "lay_flat",
            title: "Flatten",
            doc: "When off, only the charts and their borders are computed, even where marked charts cannot be laid \
                  flat.",
            unit: Unit::None,
            kind: ParamKind::Bool { default: true },
            panel: CHARTS.advanced(),
        },
        Param {
            id: "margin",
            title: "Margin",
            doc: "The distance of charts from each other and from the border of the unit square.",
            unit: Unit::None,
            kind: ParamKind::Real { default: 0.005, min: 0.0, max: 0.25 },
            panel: CHARTS.slider(0.0, 0.05, 0.001),
        },
    ],
};

/// The node; nothing evolves.
#[derive(Default)]
struct Charts {
    made: Option<(Key, Unwrapped)>,
}

/// What the charts were made from.
#[derive(Clone, Copy, PartialEq)]
struct Key {
    revisions: [u64; 2],
    marked: bool,
    lay_flat: bool,
    auto: AutoCharts,
    margin: Real,
}

/// Makes a fresh node.
pub(super) fn create() -> Box<dyn Node> {
    Box::new(Charts::default())
}

/// The charts of these inputs.
fn unwrap(inputs: &Inputs, key: &Key, control: &Control) -> Result<Unwrapped> {
    let mesh = inputs.mesh("mesh")?;
    let made = match inputs.map("borders")? {
        Map::Values(values) if key.marked => {
            let marks: Vec<bool> = values.iter().map(|&value| value >= 0.5).collect();
            if key.lay_flat {
                Unwrapped::along(mesh, &marks, key.margin, control)
            } else {
                Unwrapped::divided(mesh, &marks)
            }
        }
        _ => Unwrapped::automatic(mesh, &key.auto, key.margin, control),
    };
    made.map_err(|error| match error.kind() {
        Kind::OutOfRange => error.param("margin"),
        Kind::Cancelled => error,
        _ => error.port("mesh"),
    })
}

impl Charts {
    /// Makes the charts, unless they are there.
    fn prepare(&mut self, inputs: &Inputs, control: &Control) -> Result<()> {
        let key = Key {
            revisions: [inputs.revision("mesh")?, inputs.revision("borders")?],
            marked: inputs.pick("source", &[true, false])?,
            lay_flat: inputs.flag("lay_flat")?,
            auto: AutoCharts {
                count: inputs.int("count")? as usize,
                max_stretch: inputs.real("max_stretch")?,
            },
            margin: inputs.real("margin")?,
        };
        if self.made.as_ref().is_none_or(|(known, _)| *known != key) {
            self.made = None;
            self.made = Some((key, unwrap(inputs, &key, control)?));
        }
        Ok(())
    }
}

impl Node for Charts {
    fn descriptor(&self) -> &'static NodeDescriptor {
        &DESCRIPTOR
    }

    fn count(&mut self, output: &Port, inputs: &Inputs) -> Result<Option<usize>> {
        let is_flat = ["uvs", "stretch"].contains(&output.id);
        Ok((is_flat && !inputs.flag("lay_flat")?).then_some(0))
    }

    fn step(
        &mut self,
        _: &Timing,
        inputs: &Inputs,
        outputs: &mut Outputs,
        control: &Control,
    ) -> Result<Report> {
        let start = Instant::now();
        control.check()?;
        self.prepare(inputs, control)?;
        let Some((key, made)) = &self.made else {
            return Err(Error::new(Kind::Internal, "the charts are not there after they were made"));
        };
        write_charts(made, outputs)?;
        let count = made.chart_of_face.iter().max().map_or(0, |last| last + 1);
        let mut figures = vec![("charts", f64::from(count))];
        if key.lay_flat {
            write_flat(made, outputs)?;
            figures.extend([
                ("flipped", made.flipped.len() as f64),
                ("worst_stretch", worst(made).map_or(1.0, |(_, stretch)| stretch)),
                ("on_circle", made.on_circle.len() as f64),
            ]);
        }
        let mut reported = Warnings::new(control);
        reported.extend(warnings(made));
        let stages = vec![("charts", start.elapsed().as_secs_f64() * 1e3)];
        Ok(Report { warnings: reported.into_list(), stages, figures, ..Report::default() })
    }
}

fn write_charts(made: &Unwrapped, outputs: &mut Outputs) -> Result<()> {
    let charts = outputs.reals("charts", made.chart_of_face.len())?;
    charts.iter_mut().zip(&made.chart_of_face).for_each(|(out, &chart)| *out = Real::from(chart));
    let borders = outputs.reals("borders", made.borders.len())?;
    borders.iter_mut().zip(&made.borders).for_each(|(out, &border)| *out = Real::from(u8::from(border)));
    Ok(())
}

fn write_flat(made: &Unwrapped, outputs: &mut Outputs) -> Result<()> {
    let stretch = outputs.reals("stretch", made.chart_of_face.len())?;
    let of_face = made.chart_of_face.iter().map(|&chart| made.stretches[chart as usize]);
    stretch.iter_mut().zip(of_face).for_each(|(out, stretch)| *out = stretch);
    let uvs = outputs.reals("uvs", made.uvs.len())?;
    uvs.chunks_exact_mut(2).zip(&made.uvs).for_each(|(out, uv)| out.copy_from_slice(uv.as_slice()));
    Ok(())
}

/// The chart with the most stretch.
fn worst(made: &Unwrapped) -> Option<(usize, Real)> {
    made.stretches.iter().copied().enumerate().max_by(|a, b| a.1.total_cmp(&b.1))
}

fn warnings(made: &Unwrapped) -> Vec<String> {
    let mut found = Vec::new();
    if let Some(&first) = made.flipped.first() {
        let count = made.flipped.len();
        found.push(format!("faces that are flipped in the UVs: {count}, the first is face {first}"));
    }
    if let Some((chart, stretch)) = worst(made).filter(|(_, stretch)| *stretch > MUCH_STRETCH) {
        let face = made.chart_of_face.iter().position(|&c| c as usize == chart).unwrap_or(0);
        let count = made.stretches.iter().filter(|&&stretch| stretch > MUCH_STRETCH).count();
        found.push(format!(
            "charts with high stretch: {count}; chart {chart}, which begins at face {face}, has the most, \
             {stretch:.1}: mark one more border in it"
        ));
    }
    found
}
