//! Pictures of several UDIM tiles.

use super::read;
use crate::error::{Error, Kind, Result};
use crate::texture::{Picture, Tile};
use std::path::PathBuf;

/// What stands for the tile's number in the names of files.
pub const PLACEHOLDER: &str = "<UDIM>";

/// The file of a tile: `skin.<UDIM>.png` becomes `skin.1001.png`.
pub fn tile_path(pattern: &str, tile: Tile) -> PathBuf {
    PathBuf::from(pattern.replace(PLACEHOLDER, &tile.to_string()))
}

/// Reads the picture of every tile. A pattern without a placeholder is the one picture of the only tile.
pub fn read_tiles(pattern: &str, tiles: &[Tile]) -> Result<Vec<(Tile, Picture)>> {
    let picture = |&tile: &Tile| {
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
        Ok((tile, read(&path)?))
    };
    tiles.iter().map(picture).collect()
}
