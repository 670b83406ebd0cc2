//! `sinew muscles correctives`: the skin of the node as corrective shapes by joint angle, for rigs that cannot run it.

mod measured;
mod poses;

use super::super::interrupt;
use super::super::progress::Frames as Progress;
use super::body::{Body, Files, Host};
use super::{Context, print};
use measured::Measured;
use poses::Poses;
use serde_json::{Value, json};
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::atomic;
use sinew_formats::names::identifiers;
use sinew_formats::usd::rig::{self, Frame, Rig, Shape};
use sinew_geometry::{Mesh, counted};
use sinew_job::named;
use sinew_math::{Affine, Real, Vec3, compose, invert_rest};
use sinew_pose::{Driver, Fit, Joints, NAMES, blended, drivers, rest_offset, values};
use sinew_skinning::Weights;
use std::io::Write;
use std::path::PathBuf;

#[derive(clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    files: Files,
    /// The joints in motion (CSV, BVH, USD or glTF) to whose frames shapes are fitted, which are also written; by
    /// default the range of motion. It may be the file of the joints.
    #[arg(long, value_name = "FILE")]
    motion: Option<PathBuf>,
    /// Joints in another motion, to which nothing is fitted, but on which the result is measured.
    #[arg(long, value_name = "FILE")]
    check: Option<PathBuf>,
    /// The rig to write (USD, .usda): skin, joints, weights, shapes, and their weights in the frames of the motion.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// The table to write of what drives each shape (JSON).
    #[arg(long, value_name = "FILE")]
    drivers: PathBuf,
    /// The angle between the shapes of a joint in degrees.
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true)]
    step: Real,
}

/// Angles that stay nearer to rest than this many degrees drive no shape.
const LEAST_ANGLE: Real = 5.0;

/// Shapes that move no vertex further than this are left out, in metres ...
const LEAST_SHAPE: Real = 1e-4;

/// ... and of the others what is less.
const LEAST_OFFSET: Real = 1e-5;

/// Enough that poses that shapes share do not blow them up, and a thousandth of what a shape is.
const STIFFNESS: Real = 1e-3;

pub(super) fn run(args: &Args, context: &Context) -> Result<()> {
    named("--out", &args.out, &["usda"])?;
    named("--drivers", &args.drivers, &["json"])?;
    if !(1.0..=180.0).contains(&args.step) {
        return Err(Error::new(Kind::InvalidArgument, "--step must be from 1 to 180 degrees"));
    }
    let body = Body::read(&args.files)?;
    let mut stage = Stage::new(&body, &args.files)?;
    let poses = Poses::read(&body, args.motion.as_deref())?;
    let check = args.check.as_deref().map(|path| Poses::read(&body, Some(path))).transpose()?;
    let (drivers, shapes) = stage.fit(&poses, args.step.to_radians(), context)?;
    let fitted = stage.measure(&poses, &drivers, &shapes, context)?;
    let checked = check.map(|poses| stage.measure(&poses, &drivers, &shapes, context)).transpose()?;
    let names = names(&body, &drivers);
    stage.write(args, &poses, &drivers, &shapes, &names)?;
    let table = stage.table(&drivers, &shapes, &names, &fitted, checked.as_ref());
    atomic::write(&args.drivers, |file| writeln!(file, "{table:#}"))?;
    report(args, &body, &shapes, [Some(&fitted), checked.as_ref()], context)
}

/// The offsets of a shape at rest: the vertices that it moves, and how far; none if it was left out.
type Sparse = Option<Vec<(u32, Vec3)>>;

/// What poses a body, with and without muscles.
struct Stage<'a> {
    body: &'a Body,
    linear: Host,
    muscles: Host,
    joints: Joints,
    rest_inverses: Vec<Affine>,
    weights: Weights,
}

/// A pose as skinning has it and as the node has it.
struct Posed {
    angles: Vec<[Real; 3]>,
    motions: Vec<Affine>,
    linear: Vec<Vec3>,
    skin: Vec<Vec3>,
}

impl<'a> Stage<'a> {
    fn new(body: &'a Body, files: &Files) -> Result<Self> {
        let rest = body.joints.rig().rest;
        let mut muscles = body.muscles(files)?;
        // What swings depends on more than angles.
        muscles.node.set_param_text("jiggle", "0")?;
        let all = &body.weights.0;
        let counts: Vec<u32> = all.iter().map(|influences| influences.len() as u32).collect();
        let (of, weights): (Vec<u32>, Vec<Real>) = all.iter().flatten().copied().unzip();
        Ok(Stage {
            body,
            linear: body.joints_alone("linear")?,
            muscles,
            joints: Joints::new(rest, body.range.parents())?,
            rest_inverses: invert_rest(rest)?,
            weights: Weights::new(&counts, &of, &weights, rest.len(), true)?,
        })
    }

    fn pose(&mut self, joints: &[Affine]) -> Result<Posed> {
        self.linear.pose(joints)?;
        self.muscles.pose(joints)?;
        Ok(Posed {
            angles: self.joints.angles(joints)?,
            motions: joints.iter().zip(&self.rest_inverses).map(|(now, back)| compose(now, back)).collect(),
            linear: self.linear.vectors("points")?,
            skin: self.muscles.vectors("points")?,
        })
    }

    /// The drivers of all angles that the poses use, and the offsets of each shape, driver after driver.
    fn fit(&mut self, poses: &Poses, step: Real, context: &Context) -> Result<(Vec<Driver>, Vec<Sparse>)> {
        let mut ranges: Vec<[[Real; 2]; 3]> = vec![[[0.0; 2]; 3]; self.rest_inverses.len()];
        for joints in poses.all() {
            for (range, angles) in ranges.iter_mut().zip(self.joints.angles(&joints)?) {
                for (range, angle) in range.iter_mut().zip(angles) {
                    *range = [range[0].min(angle), range[1].max(angle)];
                }
            }
        }
        let drivers = drivers(&ranges, step, LEAST_ANGLE.to_radians());
        let count = drivers.iter().map(|driver| driver.points.len()).sum();
        let mut fit = Fit::new(count, self.body.mesh.positions.len())?;
        let (control, progress) = (interrupt::control(), Progress::new(poses.count(), context));
        for joints in poses.all() {
            control.check()?;
            let posed = self.pose(&joints)?;
            let lacking = posed.skin.iter().zip(&posed.linear).enumerate();
            let offsets: Vec<Vec3> = lacking
                .map(|(vertex, (skin, linear))| {
                    rest_offset(&blended(&self.weights, vertex, &posed.motions), &(skin - linear))
                })
                .collect();
            fit.add(&values(&drivers, &posed.angles), &offsets);
            progress.step();
        }
        let sparse = |shape: Vec<Vec3>| -> Sparse {
            let large = shape.iter().any(|offset| offset.norm() >= LEAST_SHAPE);
            let those = shape.into_iter().enumerate().filter(|(_, offset)| offset.norm() >= LEAST_OFFSET);
            large.then(|| those.map(|(vertex, offset)| (vertex as u32, offset)).collect())
        };
        Ok((drivers, fit.shapes(STIFFNESS)?.into_iter().map(sparse).collect()))
    }

    /// How far linear skinning is from the node's skin in some poses, without and with shapes.
    fn measure(
        &mut self,
        poses: &Poses,
        drivers: &[Driver],
        shapes: &[Sparse],
        context: &Context,
    ) -> Result<Measured> {
        let mut measured = Measured::new(self.rest_inverses.len());
        let (control, progress) = (interrupt::control(), Progress::new(poses.count(), context));
        for joints in poses.all() {
            control.check()?;
            let posed = self.pose(&joints)?;
            let mut offsets = vec![Vec3::zeros(); posed.skin.len()];
            for (weight, shape) in values(drivers, &posed.angles).into_iter().zip(shapes) {
                for (vertex, offset) in shape.iter().flatten().filter(|_| weight != 0.0) {
                    offsets[*vertex as usize] += offset * weight;
                }
            }
            for (vertex, offset) in offsets.iter().enumerate() {
                let gap = posed.skin[vertex] - posed.linear[vertex];
                let left = gap - blended(&self.weights, vertex, &posed.motions) * offset;
                let joint = self.weights.of(vertex).0.first().copied();
                measured.add(joint, [gap.norm(), left.norm()]);
            }
            progress.step();
        }
        Ok(measured)
    }

    fn write(
        &self,
        args: &Args,
        poses: &Poses,
        drivers: &[Driver],
        shapes: &[Sparse],
        names: &[String],
    ) -> Result<()> {
        let (space, joints) = (self.body.space, self.body.joints.rig());
        let out = |all: &[Affine]| -> Vec<Affine> { all.iter().map(|m| space.affine_out(m)).collect() };
        let positions = self.body.mesh.positions.iter().map(|p| space.point_out(*p)).collect();
        let mesh = Mesh { positions, ..self.body.mesh.clone() };
        let kept =
            |values: Vec<Real>| values.into_iter().zip(shapes).filter(|(_, s)| s.is_some()).map(|(v, _)| v);
        let mut frames = Vec::new();
        for (number, joints) in poses.frames() {
            let weights = kept(values(drivers, &self.joints.angles(joints)?)).collect();
            frames.push(Frame { number: *number, joints: out(joints), weights });
        }
        let shape = |(name, offsets): (&String, &Sparse)| {
            let offsets =
                offsets.as_ref()?.iter().map(|(vertex, offset)| (*vertex, space.point_out(*offset)));
            Some(Shape { name: name.clone(), offsets: offsets.collect() })
        };
        let weights: Vec<Vec<(u32, Real)>> = (0..mesh.positions.len())
            .map(|vertex| {
                let (joints, weights) = self.weights.of(vertex);
                joints.iter().copied().zip(weights.iter().copied()).collect()
            })
            .collect();
        let rig = Rig {
            name: "body",
            mesh: &mesh,
            space,
            joints: joints.names,
            parents: self.body.range.parents(),
            rest: &out(joints.rest),
            weights: &weights,
            shapes: &names.iter().zip(shapes).filter_map(shape).collect::<Vec<_>>(),
            frames: &frames,
            fps: poses.fps(),
        };
        rig::write(&args.out, &rig)
    }

    fn table(
        &self,
        drivers: &[Driver],
        shapes: &[Sparse],
        names: &[String],
        fitted: &Measured,
        checked: Option<&Measured>,
    ) -> Value {
        let joints = self.body.joints.rig().names;
        let mut rows = Vec::new();
        let mut all = names.iter().zip(shapes);
        for driver in drivers {
            let mut points: Vec<Real> = driver.points.iter().map(|point| point.to_degrees()).collect();
            let own: Vec<_> = all.by_ref().take(points.len()).collect();
            points.insert(points.iter().filter(|point| **point < 0.0).count(), 0.0);
            let at = driver.points.iter().zip(own).filter(|(_, (_, shape))| shape.is_some());
            let turn = if self.joints.twist_axis(driver.joint) == driver.axis { "twist" } else { "swing" };
            rows.extend(at.map(|(point, (name, _))| {
                json!({
                    "shape": name, "joint": joints[driver.joint], "turn": turn, "axis": NAMES[driver.axis],
                    "twist_axis": NAMES[self.joints.twist_axis(driver.joint)], "degrees": point.to_degrees(),
                    "points": points,
                })
            }));
        }
        json!({
            "angles": "the rotation of the joint in its parent since rest, in the joint's own axes at rest: a twist \
                       about its twist axis, then a swing, whose rotation vector has the two other angles; in degrees",
            "weight": "1 at its degrees, falling linearly to 0 at the neighbouring points, of which 0 is one; beyond the \
                       outermost points as at them",
            "shapes": rows, "fitted": fitted.json(joints), "checked": checked.map(|measured| measured.json(joints)),
        })
    }
}

/// The names of the shapes: joint, turn, axis and degrees.
fn names(body: &Body, drivers: &[Driver]) -> Vec<String> {
    let joints = body.joints.rig().names;
    let name = |driver: &Driver, point: &Real| {
        let side = if *point < 0.0 { "minus" } else { "plus" };
        format!("{}_{}_{side}_{:.0}", joints[driver.joint], NAMES[driver.axis], point.to_degrees().abs())
    };
    let all: Vec<String> =
        drivers.iter().flat_map(|d| d.points.iter().map(move |point| name(d, point))).collect();
    identifiers(all.iter().map(String::as_str))
}

fn report(
    args: &Args,
    body: &Body,
    shapes: &[Sparse],
    [fitted, checked]: [Option<&Measured>; 2],
    context: &Context,
) -> Result<()> {
    let count = shapes.iter().filter(|shape| shape.is_some()).count();
    let joints = body.joints.rig().names;
    if context.json {
        let reported = json!({
            "shapes": count, "vertices": body.mesh.positions.len(), "out": args.out, "drivers": args.drivers,
            "fitted": fitted.map(|m| m.json(joints)), "checked": checked.map(|m| m.json(joints)),
            "warnings": body.warnings,
        });
        return print(&format!("{reported}\n"));
    }
    context.warn(&body.warnings);
    context.note("what jiggles is not in shapes: they were fitted with jiggle = 0");
    for (what, measured) in [("fitted", fitted), ("checked", checked)] {
        measured.map_or(Ok(()), |measured| print(&format!("{what}: {}\n", measured.sentence())))?;
    }
    let shapes = counted(count, "shape", "shapes");
    print(&format!("{shapes}: {}, {}\n", args.out.display(), args.drivers.display()))
}
