//! Frames that an earlier, longer run left in the folder.

use sinew_base::error::{Error, Result};
use std::path::Path;

/// The names of frames: strands.0001.obj, tubes.0001.obj.
const SERIES: [&str; 2] = ["strands", "tubes"];

/// Removes the frames of earlier runs: only files with the names that this command uses.
pub(super) fn remove(out: &Path) -> Result<()> {
    let entries = std::fs::read_dir(out).map_err(|e| Error::io(out, &e))?;
    for entry in entries {
        let entry = entry.map_err(|e| Error::io(out, &e))?;
        if entry.file_name().to_str().is_some_and(is_frame) {
            let path = entry.path();
            std::fs::remove_file(&path).map_err(|e| Error::io(&path, &e))?;
        }
    }
    Ok(())
}

fn is_frame(name: &str) -> bool {
    SERIES.iter().any(|series| {
        let number = name.strip_prefix(series).and_then(|rest| rest.strip_prefix('.'));
        let number = number.and_then(|rest| rest.strip_suffix(".obj"));
        number.is_some_and(|text| text.parse::<u64>().is_ok_and(|frame| format!("{frame:04}") == text))
    })
}

#[cfg(test)]
mod tests {
    use super::is_frame;

    #[test]
    fn only_frames_of_the_command_are_stale() {
        for name in ["strands.0000.obj", "tubes.0012.obj", "tubes.12345.obj"] {
            assert!(is_frame(name), "{name}");
        }
        for name in
            ["strands.obj", "strands.12.obj", "tubes.00012.obj", "my.tubes.0001.obj", "tubes.0001.obj.bak"]
        {
            assert!(!is_frame(name), "{name}");
        }
    }
}
