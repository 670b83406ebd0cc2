//! The page that shows a set of muscles: pictures of poses beside each other, and a table of the muscles.

mod table;

use super::html::{escaped, list};
use super::pack::base64;
use super::page::{BASE, MAX_PAGE};
use image::RgbImage;
use image::codecs::jpeg::JpegEncoder;
use rayon::prelude::*;
use sinew_base::error::{Error, Kind, Result};
use sinew_formats::provenance::PROGRAM;
use sinew_geometry::counted;
use std::fmt::Write;
pub use table::{Row, percent};

const PAGE: &str = include_str!("preview.html");
const STYLE: &str = include_str!("preview.css");
const SCRIPT: &str = include_str!("preview.js");

/// Smooth shading shows no blocks at this quality, and takes a tenth of what PNG does.
const QUALITY: u8 = 90;

/// A set of muscles over poses.
pub struct Preview {
    /// The title.
    pub title: String,
    /// Names and values, such as those of the files.
    pub about: Vec<(String, String)>,
    /// What is said about the set as a whole.
    pub notes: Vec<String>,
    /// What each picture of a pose shows.
    pub columns: Vec<String>,
    /// The poses, joint by joint.
    pub joints: Vec<Turned>,
    /// The muscles.
    pub muscles: Vec<Row>,
}

/// A joint in several poses.
pub struct Turned {
    /// The joint.
    pub joint: String,
    /// Its poses.
    pub poses: Vec<Shown>,
}

/// A pose.
pub struct Shown {
    /// How the joint is turned.
    pub name: String,
    /// One for each column, all of one size.
    pub pictures: Vec<RgbImage>,
    /// What happens in it.
    pub facts: Vec<String>,
    /// What is wrong in it.
    pub problems: Vec<String>,
}

impl Preview {
    /// The page as one text that needs nothing else. Refuses one of more than [`MAX_PAGE`] bytes.
    pub fn page(&self) -> Result<String> {
        let (title, summary) = (escaped(&self.title), escaped(&self.summary()));
        let mut page = String::new();
        for line in PAGE.lines() {
            match line.trim() {
                "<!-- head -->" => {
                    page +=
                        &format!("<meta name=\"generator\" content=\"{PROGRAM}\">\n<title>{title}</title>\n");
                    page += &format!("<style>\n{BASE}</style>\n<style>\n{STYLE}</style>\n");
                }
                "<!-- title -->" => page += &format!("<h1>{title}</h1>\n<p class=\"muted\">{summary}</p>\n"),
                "<!-- about -->" => page += &self.about(),
                "<!-- joints -->" => page += &self.links(),
                "<!-- columns -->" => {
                    let column = |name: &String| format!("<span>{}</span>\n", escaped(name));
                    page.extend(self.columns.iter().map(column));
                }
                "<!-- poses -->" => page += &self.poses()?,
                "<!-- muscles -->" => page += &table::table(&self.muscles),
                "<!-- script -->" => page += &format!("<script>\n{SCRIPT}</script>\n"),
                _ => page += &format!("{line}\n"),
            }
        }
        match page.len() {
            size if size > MAX_PAGE => {
                let [own, most] = [size.div_ceil(1 << 20), MAX_PAGE >> 20];
                let message = format!(
                    "the page would have {own} MB, but the limit is {most}: show fewer joints, or smaller pictures"
                );
                Err(Error::new(Kind::TooLarge, message))
            }
            _ => Ok(page),
        }
    }

    fn problems(&self) -> usize {
        let poses = self.joints.iter().flat_map(|turned| &turned.poses);
        poses.map(|pose| pose.problems.len()).sum::<usize>() + self.notes.len()
    }

    /// How much there is.
    pub fn summary(&self) -> String {
        let poses = self.joints.iter().map(|turned| turned.poses.len()).sum();
        let problems = match self.problems() {
            0 => "nothing to report".to_string(),
            count => counted(count, "thing to look at", "things to look at"),
        };
        let poses = counted(poses, "pose", "poses");
        let joints = counted(self.joints.len(), "joint", "joints");
        format!("{poses} of {joints}, {problems}")
    }

    fn about(&self) -> String {
        let mut out = String::from("<dl class=\"about\">\n");
        for (name, value) in &self.about {
            out += &format!("<dt>{}</dt><dd>{}</dd>\n", escaped(name), escaped(value));
        }
        out += "</dl>\n";
        out + &list("notes", &self.notes)
    }

    fn links(&self) -> String {
        let link = |(k, turned): (usize, &Turned)| {
            let wrong = turned.poses.iter().any(|pose| !pose.problems.is_empty());
            let class = if wrong { " class=\"wrong\"" } else { "" };
            format!("<a href=\"#joint-{k}\"{class}>{}</a>\n", escaped(&turned.joint))
        };
        self.joints.iter().enumerate().map(link).collect()
    }

    fn poses(&self) -> Result<String> {
        let mut out = String::new();
        for (k, turned) in self.joints.iter().enumerate() {
            let joint = escaped(&turned.joint);
            out += &format!("<section class=\"joint\" id=\"joint-{k}\">\n<h2>{joint}</h2>\n");
            let poses = turned.poses.par_iter().map(|pose| self.pose(&turned.joint, pose));
            out.extend(poses.collect::<Result<Vec<String>>>()?);
            out += "</section>\n";
        }
        Ok(out)
    }

    fn pose(&self, joint: &str, pose: &Shown) -> Result<String> {
        let name = escaped(&pose.name);
        let mut out = format!("<article class=\"pose\">\n<div class=\"what\">\n<h3>{name}</h3>\n");
        out += &list("facts", &pose.facts);
        out += &match pose.problems.len() {
            0 | 1 => list("problems", &pose.problems),
            // A long list would push the next pose out of sight.
            count => {
                let all = list("problems", &pose.problems);
                format!("<details>\n<summary>{count} things to look at</summary>\n{all}</details>\n")
            }
        };
        out += "</div>\n";
        for (picture, column) in pose.pictures.iter().zip(&self.columns) {
            let (width, height) = picture.dimensions();
            let what = escaped(&format!("{joint}, {}: {column}", pose.name)).replace('"', "&quot;");
            // Writing to a text cannot fail.
            let _ = writeln!(
                out,
                "<button type=\"button\"><img width=\"{width}\" height=\"{height}\" alt=\"{what}\" \
                 src=\"data:image/jpeg;base64,{}\"></button>",
                base64(&jpeg(picture)?)
            );
        }
        Ok(out + "</article>\n")
    }
}

fn jpeg(picture: &RgbImage) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = JpegEncoder::new_with_quality(&mut bytes, QUALITY);
    picture.write_with_encoder(encoder).map_err(|e| Error::new(Kind::Io, e.to_string()))?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn preview(poses: usize) -> Preview {
        let shown = |k: usize| Shown {
            name: format!("flex {k}°"),
            pictures: vec![RgbImage::from_pixel(8, 8, image::Rgb([60 * k as u8, 0, 0])); 2],
            facts: Vec::new(),
            problems: vec!["a < b & \"c\"".to_string(); k % 2],
        };
        Preview {
            title: "</script><b>".into(),
            about: vec![("Set".into(), "a&b.xml".into())],
            notes: Vec::new(),
            columns: vec!["linear".into(), "muscles".into()],
            joints: vec![Turned { joint: "<arm>".into(), poses: (0..poses).map(shown).collect() }],
            muscles: Vec::new(),
        }
    }

    #[test]
    fn a_page_holds_every_picture_and_what_is_written_stays_text() {
        let page = preview(4).page().unwrap();
        assert_eq!(page.matches("data:image/jpeg;base64,").count(), 8);
        assert_eq!(page.matches("<article").count(), 4);
        assert!(page.contains("&lt;/script&gt;&lt;b&gt;") && !page.contains("</script><b>"));
        assert!(
            page.contains("a &lt; b &amp; \"c\"") && page.contains("alt=\"&lt;arm&gt;, flex 3°: muscles\"")
        );
        assert!(page.contains("4 poses of 1 joint, 2 things to look at"), "{page}");
        // Nothing is fetched.
        assert!(!page.contains("://"), "{page}");
    }

    #[test]
    fn a_picture_is_the_one_that_was_given() {
        let page = preview(2).page().unwrap();
        let coded = base64(&jpeg(&RgbImage::from_pixel(8, 8, image::Rgb([60, 0, 0]))).unwrap());
        assert_eq!(page.matches(&coded).count(), 2);
    }
}
