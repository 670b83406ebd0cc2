//! The table of the muscles.

use super::super::html::{escaped, list};
use sinew_math::Real;

/// A muscle.
pub struct Row {
    /// Its name.
    pub name: String,
    /// The joints of its origin and its insertion.
    pub joints: [String; 2],
    /// Its length at rest, in metres.
    pub rest: Real,
    /// The shortest and the longest that it becomes, in metres.
    pub range: [Real; 2],
    /// The poses in which it is shortest and longest.
    pub poses: [String; 2],
    /// The frequency of its spring in Hz.
    pub frequency: Real,
    /// The mass on its spring in kg.
    pub mass: Real,
    /// What is wrong with it.
    pub problems: Vec<String>,
}

impl Row {
    /// The shortest and the longest that it becomes, in percent of its length at rest.
    fn percents(&self) -> [Real; 2] {
        self.range.map(|length| 100.0 * (length / self.rest - 1.0))
    }
}

/// The bars show lengths up to this many percent shorter and longer than at rest.
const MOST: Real = 60.0;

pub(super) fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "<table>\n<thead><tr><th>Muscle<th>From<th>To<th class=\"number\">At rest<th class=\"range\">Over the range of \
         motion<th class=\"number\">Spring<th class=\"number\">Mass<th>To look at</tr></thead>\n<tbody>\n",
    );
    rows.iter().for_each(|row| out += &line(row));
    out + "</tbody>\n</table>\n"
}

fn line(row: &Row) -> String {
    let [low, high] = row.percents();
    let [from, to] = [low, high].map(|percent| 50.0 + 50.0 * percent.clamp(-MOST, MOST) / MOST);
    let [shortest, longest] = row.poses.each_ref().map(|pose| escaped(pose).replace('"', "&quot;"));
    let joints = row.joints.each_ref().map(|joint| escaped(joint));
    format!(
        "<tr><th scope=\"row\">{}<td>{}<td>{}<td class=\"number\">{:.1} cm<td class=\"range\"><span \
         title=\"{shortest}\">{}</span><svg viewBox=\"0 0 100 8\" preserveAspectRatio=\"none\" aria-hidden=\"true\"><rect \
         class=\"ground\" width=\"100\" height=\"8\"/><rect class=\"span\" x=\"{from:.2}\" width=\"{:.2}\" height=\"8\"/><rect \
         class=\"rest\" x=\"49.6\" width=\"0.8\" height=\"8\"/></svg><span title=\"{longest}\">{}</span><td \
         class=\"number\">{:.1} Hz<td class=\"number\">{}<td>{}</tr>\n",
        escaped(&row.name),
        joints[0],
        joints[1],
        100.0 * row.rest,
        percent(low),
        (to - from).max(0.4),
        percent(high),
        row.frequency,
        mass(row.mass),
        list("problems", &row.problems),
    )
}

/// With a sign, and without one where it is rounded to 0.
pub fn percent(percent: Real) -> String {
    match percent.round() {
        0.0 => "0\u{a0}%".into(),
        rounded if rounded < 0.0 => format!("\u{2212}{:.0}\u{a0}%", -rounded),
        rounded => format!("+{rounded:.0}\u{a0}%"),
    }
}

fn mass(mass: Real) -> String {
    if mass < 1.0 { format!("{:.0} g", 1000.0 * mass) } else { format!("{mass:.2} kg") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_shown_relative_to_rest() {
        let row = Row {
            name: "left <ham>".into(),
            joints: ["hip".into(), "knee".into()],
            rest: 0.4,
            range: [0.28, 0.412],
            poses: ["knee \"flex\" 90°".into(), "rest".into()],
            frequency: 12.04,
            mass: 0.25,
            problems: vec!["flips".into()],
        };
        let text = table(&[row]);
        for part in [
            "left &lt;ham&gt;",
            "40.0 cm",
            "\u{2212}30\u{a0}%",
            "+3\u{a0}%",
            "12.0 Hz",
            "250 g",
            "<li>flips</li>",
        ] {
            assert!(text.contains(part), "{part}: {text}");
        }
        // From half of the left half to a twentieth of the right one.
        assert!(text.contains("x=\"25.00\" width=\"27.50\""), "{text}");
        assert!(text.contains("title=\"knee &quot;flex&quot; 90°\""), "{text}");
        assert_eq!((percent(-0.4), mass(1.5)), ("0\u{a0}%".into(), "1.50 kg".into()));
    }
}
