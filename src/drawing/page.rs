//! Pages of pictures: panels in a row with captions, a diagram below them, and a contact sheet of pages.

use super::ink::{Align, INK, stroke, write};
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngEncoder};
use image::imageops::{FilterType, replace, resize};
use image::{Rgb, RgbImage};
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec2};

const PAPER: Rgb<u8> = Rgb([252, 252, 253]);
const GAP: u32 = 12;
const BAR: u32 = 54;

/// A picture and its caption.
pub struct Panel {
    /// The picture.
    pub image: RgbImage,
    /// The caption.
    pub caption: String,
}

/// Curves over time.
pub struct Diagram {
    /// The quantity of the curves, with its unit.
    pub title: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// A marked moment, and its name.
    pub mark: (Real, String),
}

/// A curve.
pub struct Curve {
    /// Its label.
    pub name: String,
    /// Its colour.
    pub ink: Rgb<u8>,
    /// Its points in seconds and in the diagram's unit.
    pub points: Vec<Vec2>,
}

/// A page with panels of one size in a row.
pub fn page(title: &str, panels: &[Panel], diagram: Option<&Diagram>) -> RgbImage {
    const DIAGRAM: u32 = 250;
    let (width, height) = panels[0].image.dimensions();
    let wide = panels.len() as u32 * (width + GAP) + GAP;
    let below = if diagram.is_some() { DIAGRAM } else { 0 };
    let mut page = RgbImage::from_pixel(wide, height + 2 * BAR + below, PAPER);
    let at = |x: u32, y: u32| Vec2::new(x.into(), y.into());
    write(&mut page, title, at(wide / 2, BAR / 2), Align::Centre, fitting([title], wide, 4.0), INK);
    let size = fitting(panels.iter().map(|p| p.caption.as_str()), width, 3.3);
    for (k, panel) in panels.iter().enumerate() {
        let x = GAP + k as u32 * (width + GAP);
        replace(&mut page, &panel.image, x.into(), BAR.into());
        let middle = at(x + width / 2, BAR + height + BAR / 2);
        write(&mut page, &panel.caption, middle, Align::Centre, size, INK);
    }
    if let Some(diagram) = diagram {
        let corner = at(0, height + 2 * BAR);
        draw_diagram(&mut page, diagram, [corner, corner + at(wide, DIAGRAM)]);
    }
    page
}

/// The font size, at most `largest`, at which each of the texts fits into a width.
fn fitting<'a>(texts: impl IntoIterator<Item = &'a str>, width: u32, largest: Real) -> Real {
    let longest = texts.into_iter().map(|t| t.chars().count()).max().unwrap_or(1) as Real;
    (Real::from(width) / (longest * 6.1)).min(largest)
}

fn draw_diagram(page: &mut RgbImage, diagram: &Diagram, [low, high]: [Vec2; 2]) {
    const FAINT: Rgb<u8> = Rgb([205, 210, 218]);
    let points = || diagram.curves.iter().flat_map(|c| &c.points);
    let end = points().map(|p| p.x).fold(0.0, Real::max);
    let top = points().map(|p| p.y).fold(0.0, Real::max);
    let bottom = points().map(|p| p.y).fold(0.0, Real::min);
    let (low, high) = (low + Vec2::new(96.0, 50.0), high - Vec2::new(30.0, 16.0));
    let at = |p: Vec2| {
        let part = Vec2::new(p.x / end, (top - p.y) / (top - bottom));
        low + part.component_mul(&(high - low))
    };
    write(page, &diagram.title, low - Vec2::new(66.0, 30.0), Align::Left, 2.9, INK);
    let mut right = low.x - 66.0 + 17.4 * (diagram.title.chars().count() + 3) as Real;
    for curve in &diagram.curves {
        let middle = low.y - 30.0;
        stroke(page, &[[Vec2::new(right, middle), Vec2::new(right + 30.0, middle)]], 2.0, curve.ink);
        write(page, &curve.name, Vec2::new(right + 42.0, middle), Align::Left, 2.9, INK);
        right += 42.0 + 17.4 * (curve.name.chars().count() + 2) as Real;
    }
    for value in [bottom, 0.0, top] {
        let y = at(Vec2::new(0.0, value)).y;
        stroke(page, &[[Vec2::new(low.x, y), Vec2::new(high.x, y)]], 0.6, FAINT);
        if value == 0.0 || value.abs() > 0.25 * (top - bottom) {
            write(page, &format!("{value:+.0}"), Vec2::new(low.x - 40.0, y), Align::Centre, 2.5, INK);
        }
    }
    let (when, name) = &diagram.mark;
    let x = at(Vec2::new(*when, 0.0)).x;
    stroke(page, &[[Vec2::new(x, low.y), Vec2::new(x, high.y)]], 0.8, INK);
    write(page, name, Vec2::new(x + 8.0, high.y - 10.0), Align::Left, 2.5, INK);
    for curve in &diagram.curves {
        let line: Vec<_> = curve.points.windows(2).map(|w| [at(w[0]), at(w[1])]).collect();
        stroke(page, &line, 1.6, curve.ink);
    }
}

/// Pages in two columns, each below the shorter one; wide pages span both.
pub fn sheet(pages: &[RgbImage], column: u32) -> RgbImage {
    const WIDE: u32 = 1600;
    /// Fewer colours make a smaller file.
    const STEP: u8 = 8;
    let mut places = Vec::new();
    let mut bottoms = [GAP / 2; 2];
    for page in pages {
        let (width, height) = page.dimensions();
        let wide = if width > WIDE { 2 * column + GAP / 2 } else { column };
        let tall = height * wide / width;
        let k = usize::from(bottoms[1] < bottoms[0]);
        let y = if wide > column { bottoms[0].max(bottoms[1]) } else { bottoms[k] };
        let x = GAP / 2 + if wide > column { 0 } else { k as u32 * (column + GAP / 2) };
        if wide > column {
            bottoms = [y + tall; 2];
        } else {
            bottoms[k] = y + tall;
        }
        places.push((resize(page, wide, tall, FilterType::Lanczos3), x, y));
    }
    let height = bottoms[0].max(bottoms[1]) + GAP / 2;
    let mut sheet = RgbImage::from_pixel(2 * column + 3 * GAP / 2, height, PAPER);
    places.iter().for_each(|(page, x, y)| replace(&mut sheet, page, (*x).into(), (*y).into()));
    let coarser = |c: &mut u8| *c = (c.saturating_add(STEP / 2) / STEP).saturating_mul(STEP);
    sheet.pixels_mut().for_each(|pixel| pixel.0.iter_mut().for_each(coarser));
    sheet
}

/// PNG bytes without the filters that suit smooth pictures: checkers repeat, and few colours repeat more often.
pub fn small_png(picture: &RgbImage) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let encoder = PngEncoder::new_with_quality(&mut bytes, CompressionType::Best, PngFilter::NoFilter);
    picture.write_with_encoder(encoder).map_err(|e| Error::new(Kind::Io, e.to_string()))?;
    Ok(bytes)
}
