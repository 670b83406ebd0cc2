//! Stills of the shot: standard skinning beside sliding, and one of all of her.

use super::paint::{HAIR, Paint};
use super::slide::{Moment, act};
use crate::human::{Human, Motion, Region};
use image::RgbImage;
use sinew::drawing::motifs::rgb;
use sinew::drawing::page::{Panel, page};
use sinew::drawing::{Camera, Canvas, corner_uvs};
use sinew::error::Result;
use sinew::geometry::Mesh;
use sinew::math::{Real, Vec2, Vec3};

/// A place to look at.
pub struct Shot {
    pub name: &'static str,
    title: &'static str,
    /// Seconds.
    time: Real,
    /// What is centred, and the offset from its own centre.
    region: Region,
    beside: Vec3,
    yaw: Real,
    pitch: Real,
    /// Metres.
    width: Real,
}

/// Every still with two panels.
pub const SHOTS: [Shot; 5] = [
    Shot {
        name: "neck",
        title: "The head turns away",
        time: 1.25,
        region: Region::Neck,
        beside: Vec3::new(0.02, 0.02, 0.0),
        yaw: 0.55,
        pitch: 0.0,
        width: 0.3,
    },
    Shot {
        name: "shoulder",
        title: "The arm goes up",
        time: 1.08,
        region: Region::LeftShoulder,
        beside: Vec3::new(0.02, 0.0, 0.0),
        yaw: 0.55,
        pitch: 0.35,
        width: 0.32,
    },
    Shot {
        name: "forearm",
        title: "The forearm turns",
        time: 2.1,
        region: Region::LeftForearm,
        beside: Vec3::new(0.0, 0.0, 0.0),
        yaw: 0.3,
        pitch: 0.0,
        width: 0.34,
    },
    Shot {
        name: "hand",
        title: "The hand makes a fist",
        time: 2.1,
        region: Region::LeftHand,
        beside: Vec3::new(0.0, 0.0, 0.0),
        yaw: 0.2,
        pitch: 0.0,
        width: 0.2,
    },
    Shot {
        name: "face",
        title: "The face while the head is turned",
        time: 2.0,
        region: Region::Head,
        beside: Vec3::new(0.0, -0.02, 0.0),
        yaw: -0.75,
        pitch: 0.0,
        width: 0.24,
    },
];

const SIZE: [usize; 2] = [600, 640];

/// The lashes, and the eyes with the joints in their middles.
const LASHES: [&str; 2] = ["helper-l-eyelashes-2", "helper-r-eyelashes-2"];
const EYES: [(&str, &str); 2] = [("helper-l-eye", "eye.L"), ("helper-r-eye", "eye.R")];

/// What draws her.
pub struct Artist<'a> {
    pub human: &'a Human,
    pub paint: &'a Paint,
    pub motion: Motion,
}

impl Artist<'_> {
    /// Both ways side by side, with the moments nearest to the shot's.
    pub fn pair(&self, shot: &Shot, moments: &[Moment]) -> Result<RgbImage> {
        let Some(moment) = nearest(moments, shot.time) else { return Ok(RgbImage::new(1, 1)) };
        let inside = self.human.region(shot.region);
        let chosen = || moment.body.iter().zip(inside).filter(|(_, inside)| **inside).map(|(p, _)| p);
        let middle = chosen().sum::<Vec3>() / chosen().count() as Real;
        let camera =
            Camera { target: middle + shot.beside, yaw: shot.yaw, pitch: shot.pitch, width: shot.width };
        let rest = corner_uvs(self.human.mesh());
        let draw = |uvs: &[Vec2]| self.draw(moment, uvs, camera, SIZE);
        let (skinning, sliding) = rayon::join(|| draw(&rest), || draw(&moment.uvs));
        let panels = [("standard skinning", skinning?), ("sliding", sliding?)]
            .map(|(caption, image)| Panel { image, caption: caption.to_string() });
        Ok(page(shot.title, &panels, None))
    }

    /// All of her, sliding, at some times.
    pub fn whole(&self, times: &[Real], moments: &[Moment]) -> Result<RgbImage> {
        let camera = Camera { target: Vec3::new(0.04, 0.98, 0.0), yaw: 0.35, pitch: 0.0, width: 1.2 };
        let mut panels = Vec::new();
        for moment in times.iter().filter_map(|&time| nearest(moments, time)) {
            let image = self.draw(moment, &moment.uvs, camera, [440, 780])?;
            panels.push(Panel { image, caption: format!("{:.1} s", moment.time) });
        }
        Ok(page("The shot", &panels, None))
    }

    /// Her face at rest, and as it acts: with a texture that shapes slide over, and with one that they take along.
    pub fn acting(&self) -> Result<RgbImage> {
        let units = [("eyebrows-left-up", 1.2), ("mouth-open", 0.5)];
        let middle = (self.human.joint("eye.L") + self.human.joint("eye.R")) * 0.5;
        let camera =
            Camera { target: middle + Vec3::new(0.0, -0.02, 0.0), yaw: 0.15, pitch: 0.0, width: 0.19 };
        let rest = act(self.human, &[], true)?;
        let [behind, along] = [false, true].map(|told| act(self.human, &units, told));
        let all = [("at rest", rest), ("shapes as bones", behind?), ("shapes as acted", along?)];
        let panels = all.map(|(caption, moment)| {
            let image = self.draw(&moment, &moment.uvs, camera, SIZE)?;
            Ok(Panel { image, caption: caption.to_string() })
        });
        let panels = panels.into_iter().collect::<Result<Vec<_>>>()?;
        Ok(page("A face that acts", &panels, None))
    }

    fn draw(&self, moment: &Moment, uvs: &[Vec2], camera: Camera, size: [usize; 2]) -> Result<RgbImage> {
        let mut picture = Canvas::new(size[0], size[1], &camera);
        let body = Mesh { positions: moment.body.clone(), ..self.human.mesh().clone() };
        picture.draw(&body, uvs, &|uv| self.paint.colour(uv));
        for group in LASHES {
            let part = self.human.part_posed(group, self.motion, moment.time)?;
            picture.draw(&part, &corner_uvs(&part), &|_| rgb(HAIR));
        }
        for (group, joint) in EYES {
            let [rest, part] = [0.0, moment.time].map(|time| self.human.part_posed(group, self.motion, time));
            let (rest, middle) = (rest?, self.human.joint(joint));
            let angles: Vec<Vec2> =
                rest.corner_vertices.iter().map(|&v| off_gaze(rest.positions[v as usize] - middle)).collect();
            picture.draw(&part?, &angles, &eye);
        }
        Ok(picture.develop())
    }
}

/// How far a direction from the middle of an eye is from straight ahead: sideways and upwards, in radians.
fn off_gaze(d: Vec3) -> Vec2 {
    let across = Vec2::new(d.x, d.y);
    across.try_normalize(0.0).map_or(across, |unit| unit * across.norm().atan2(d.z))
}

/// White, iris and pupil.
fn eye(angles: Vec2) -> Vec3 {
    rgb(match angles.norm() {
        // Darker than black: the light adds a highlight.
        a if a < 0.20 => return Vec3::repeat(-0.1),
        a if a < 0.45 => 0x4a6a5c,
        a if a < 0.50 => 0x1c2a26,
        _ => 0xeae4de,
    })
}

fn nearest(moments: &[Moment], time: Real) -> Option<&Moment> {
    moments.iter().min_by(|a, b| (a.time - time).abs().total_cmp(&(b.time - time).abs()))
}
