//! Pictures of several UDIM tiles.

use super::read;
use sinew_base::error::{Error, Kind, Result};
use sinew_texture::{Picture, Tile};
use std::path::{Path, PathBuf};

/// The placeholder for the tile's number in file names.
pub const PLACEHOLDER: &str = "<UDIM>";

/// `UDIM` by itself, which needs no escape in XML, is equivalent to `<UDIM>`.
pub fn placeholder(text: &str) -> String {
    let path = Path::new(text);
    match path.file_name().and_then(|name| name.to_str()) {
        Some(name) if !text.contains(PLACEHOLDER) => {
            path.with_file_name(name.replace("UDIM", PLACEHOLDER)).to_string_lossy().into_owned()
        }
        _ => text.to_string(),
    }
}

/// The files of a texture: those of the existing tiles, or the only one if the name has no placeholder for a tile.
pub fn tile_files(pattern: &str) -> Result<Vec<PathBuf>> {
    let pattern = placeholder(pattern);
    let path = Path::new(&pattern);
    let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
    let Some((before, after)) = name.split_once(PLACEHOLDER) else { return Ok(vec![path.to_path_buf()]) };
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(|e| Error::io(folder, &e))?.flatten() {
        let name = entry.file_name();
        let number = name.to_str().and_then(|name| name.strip_prefix(before)?.strip_suffix(after));
        if number.is_some_and(|number| number.len() == 4 && number.bytes().all(|b| b.is_ascii_digit())) {
            files.push(path.with_file_name(name));
        }
    }
    files.sort();
    Ok(files)
}

/// The file of a tile: `skin.<UDIM>.png` becomes `skin.1001.png`.
pub fn tile_path(pattern: &str, tile: Tile) -> PathBuf {
    PathBuf::from(pattern.replace(PLACEHOLDER, &tile.to_string()))
}

/// Reads the picture of one of a mesh's tiles. A pattern without a placeholder is the picture of the only tile.
pub fn read_tile(pattern: &str, tiles: &[Tile], tile: Tile) -> Result<Picture> {
    let path = tile_path(pattern, tile);
    if !pattern.contains(PLACEHOLDER) && tiles.len() > 1 {
        let message = format!(
            "the tile {tile} has no picture: the mesh has UVs in {} tiles, and {pattern} has no {PLACEHOLDER}",
            tiles.len()
        );
        return Err(Error::new(Kind::MissingInput, message).file(&path));
    }
    if pattern.contains(PLACEHOLDER) && !path.exists() {
        let message = format!("the tile {tile} has no picture of the pattern {pattern}");
        return Err(Error::new(Kind::MissingFile, message).file(&path));
    }
    read(&path)
}
