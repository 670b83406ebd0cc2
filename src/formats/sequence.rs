//! Numbered files: `body.%04d.obj`, `body.####.obj`.

use sinew_base::error::{Error, Kind, Result};
use sinew_scene::frames::format_frames;
use std::path::{Path, PathBuf};

/// The largest number of digits in a frame number; the formatter panics at very wide ones.
const MAX_WIDTH: usize = 18;

/// A file name with a placeholder for the frame number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    folder: PathBuf,
    prefix: String,
    suffix: String,
    width: usize,
}

impl Pattern {
    /// Parses a pattern; `None` if the name has no placeholder and so is a plain file.
    pub fn parse(path: &Path) -> Result<Option<Pattern>> {
        let wrong = |message: &str| Error::new(Kind::InvalidArgument, message).file(path);
        let folder = path.parent().unwrap_or(Path::new("")).to_path_buf();
        let has_place = |text: &str| text.contains('#') || text.contains('%');
        let Some(name) = path.file_name().and_then(|n| n.to_str()) else {
            return Err(wrong("the name is not valid UTF-8"));
        };
        let Some(start) = name.find(['#', '%']) else { return Ok(None) };
        let (prefix, rest) = name.split_at(start);
        let (width, suffix) = if rest.starts_with('#') {
            let suffix = rest.trim_start_matches('#');
            let width = rest.len() - suffix.len();
            if width > MAX_WIDTH {
                return Err(wrong("a frame number with more than 18 #"));
            }
            (width, suffix)
        } else {
            let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
            let suffix = rest[1 + digits.len()..].strip_prefix('d');
            let suffix = suffix.ok_or_else(|| wrong("% must be followed by a width and d, as in %04d"))?;
            let padded = digits.is_empty() || digits.starts_with('0');
            match digits.parse().ok().filter(|&w: &usize| w <= MAX_WIDTH && padded) {
                Some(width) => (width, suffix),
                None if digits.is_empty() => (1, suffix),
                None => return Err(wrong("the width after % must be like 04, at most 018")),
            }
        };
        if has_place(suffix) {
            return Err(wrong("the name has two placeholders for a frame number"));
        }
        Ok(Some(Pattern { folder, prefix: prefix.into(), suffix: suffix.into(), width: width.max(1) }))
    }

    /// The file of a frame; negative numbers keep the width, as printf does.
    pub fn path(&self, frame: i64) -> PathBuf {
        self.folder.join(format!("{}{frame:0width$}{}", self.prefix, self.suffix, width = self.width))
    }

    /// The frames on disk, in order.
    pub fn scan(&self) -> Result<Vec<i64>> {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let entries = std::fs::read_dir(folder).map_err(|e| Error::io(folder, &e))?;
        let mut frames = Vec::new();
        for entry in entries {
            let name = entry.map_err(|e| Error::io(folder, &e))?.file_name();
            let number = name.to_str().and_then(|n| n.strip_prefix(&self.prefix)?.strip_suffix(&self.suffix));
            // Only the spelling that `path` produces: a second one of the same number would be read twice.
            if let Some(frame) = number.and_then(|n| n.parse::<i64>().ok())
                && self.path(frame).file_name() == Some(&name)
            {
                frames.push(frame);
            }
        }
        frames.sort_unstable();
        Ok(frames)
    }

    /// Checks that every frame is on disk; the error lists all that are missing.
    pub fn require(&self, frames: &[i64]) -> Result<()> {
        let missing: Vec<i64> = frames.iter().copied().filter(|&f| !self.path(f).is_file()).collect();
        let Some(&first) = missing.first() else { return Ok(()) };
        let message =
            format!("{} of {} frames are missing: {}", missing.len(), frames.len(), format_frames(&missing));
        Err(Error::new(Kind::MissingFile, message).file(&self.path(first)).frame(first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sinew_scene::frames::gaps;

    fn pattern(text: &str) -> Pattern {
        Pattern::parse(Path::new(text)).unwrap().unwrap()
    }

    #[test]
    fn patterns_place_the_frame() {
        assert_eq!(pattern("a/b.%04d.obj").path(7), Path::new("a/b.0007.obj"));
        assert_eq!(pattern("b.####.obj").path(12345), Path::new("b.12345.obj"));
        assert_eq!(pattern("b%d.obj").path(-3), Path::new("b-3.obj"));
        assert_eq!(pattern("b.%04d.obj").path(-3), Path::new("b.-003.obj"));
        assert_eq!(Pattern::parse(Path::new("plain.obj")).unwrap(), None);
        assert!(Pattern::parse(Path::new(&"#".repeat(70_000))).is_err());
        for wrong in ["a%04d.%d.obj", "a#.#.obj", "%4d.obj", "%04s.obj", "50%.obj", "%099d"] {
            assert!(Pattern::parse(Path::new(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn frames_on_the_disk_are_found_and_gaps_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["b.0001.obj", "b.0002.obj", "b.0005.obj", "b.5.obj", "b.x.obj", "c.0003.obj"] {
            std::fs::write(folder.path().join(name), "").unwrap();
        }
        let pattern = Pattern::parse(&folder.path().join("b.%04d.obj")).unwrap().unwrap();
        let frames = pattern.scan().unwrap();
        assert_eq!((frames.as_slice(), gaps(&frames)), (&[1, 2, 5][..], vec![(3, 4)]));
        let error = pattern.require(&[1, 2, 3, 4, 5]).unwrap_err();
        assert_eq!((error.kind(), error.place().frame), (Kind::MissingFile, Some(3)));
        assert!(error.message().ends_with("3-4"), "{error}");
    }
}
