//! Scenes of strands expressed in several ways: in metres with y up; in centimetres with z up, moved and turned about
//! the vertical. Results must be expressed in the same way.
#![allow(dead_code)] // each user takes a part

use sinew::math::{Placement, Real, Rotation, Space, UpAxis, Vec3};

pub struct Said {
    pub name: &'static str,
    pub space: Space,
    place: Placement,
}

impl Said {
    pub fn all() -> [Said; 3] {
        let turned = |degrees: Real| Rotation::from_axis_angle(&Vec3::y_axis(), degrees.to_radians());
        let moved = Placement::new(turned(40.0), Vec3::new(10.0, -2.0, 5.0));
        let centimetres = Space::new(0.01, UpAxis::Z).unwrap();
        [
            Said { name: "metres", space: Space::default(), place: Placement::default() },
            Said { name: "moved", space: Space::default(), place: moved },
            Said {
                name: "centimetres with z up",
                space: centimetres,
                place: Placement::new(turned(-65.0), Vec3::new(0.3, 1.0, 0.2)),
            },
        ]
    }

    /// A scene of these elements.
    pub fn scene(&self, inside: &str) -> String {
        let up = if self.space.up() == UpAxis::Z { "z" } else { "y" };
        let unit = self.space.metres_per_unit();
        format!(
            "<strand_scene version=\"1\">\n<space metres_per_unit=\"{unit}\" up=\"{up}\"/>\n{inside}\n</strand_scene>\n"
        )
    }

    /// A place in metres with y up as the scene has it.
    pub fn point(&self, x: Real, y: Real, z: Real) -> Vec3 {
        self.space.point_out(self.place.point(&Vec3::new(x, y, z)))
    }

    /// A direction.
    pub fn direction(&self, x: Real, y: Real, z: Real) -> Vec3 {
        self.space.direction_out(self.place.direction(&Vec3::new(x, y, z)))
    }

    /// A length.
    pub fn length(&self, metres: Real) -> Real {
        metres / self.space.metres_per_unit()
    }

    /// A place as an attribute.
    pub fn at(&self, x: Real, y: Real, z: Real) -> String {
        text(&self.point(x, y, z))
    }

    /// A size along a body's axes as an attribute; the body must be turned with [`Said::upright`].
    pub fn size(&self, x: Real, y: Real, z: Real) -> String {
        text(&Vec3::new(self.length(x), self.length(y), self.length(z)))
    }

    /// The turn of axes whose x and y point there.
    pub fn turn(&self, x: [Real; 3], y: [Real; 3]) -> String {
        let [x, y] = [x, y].map(|[a, b, c]| text(&self.direction(a, b, c)));
        format!("x {x} y {y}")
    }

    /// The turn of axes that are those of the scene in metres.
    pub fn upright(&self) -> String {
        self.turn([1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    }
}

fn text(v: &Vec3) -> String {
    format!("{} {} {}", v.x, v.y, v.z)
}
