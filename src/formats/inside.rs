//! Paths that continue inside a file: `shot.abc/root/body`, `shot.usdc/root/body`, `shot.glb/root/body`.

use super::FORMATS;
use std::path::{Component, Path, PathBuf};

/// The file and the object in it that a path such as `shot.abc/root/body` names; none if no part of it is such a file.
pub fn split(path: &Path) -> Option<(PathBuf, Option<String>)> {
    let known = |p: &Path| {
        let mut rows = FORMATS.iter().filter(|row| row.objects);
        p.extension().is_some_and(|e| rows.any(|row| e.eq_ignore_ascii_case(row.ending)))
    };
    // A folder may have such a name, so the innermost wins.
    let file = path.ancestors().find(|p| known(p) && !p.is_dir())?;
    let inside = path.strip_prefix(file).ok()?;
    let names: Vec<_> = inside.iter().map(|name| name.to_string_lossy()).collect();
    let object = (!names.is_empty()).then(|| format!("/{}", names.join("/")));
    Some((file.to_path_buf(), object))
}

/// The canonical name of a file, however it is spelled and whatever is named in it. Folders that do not exist yet keep
/// their names, and `..` leads out of them.
pub fn whole(path: &Path) -> PathBuf {
    let path = &split(path).map_or_else(|| path.to_path_buf(), |(file, _)| file);
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let folder = std::fs::canonicalize(folder).unwrap_or_else(|_| {
        let absolute = std::path::absolute(folder).unwrap_or_else(|_| folder.to_path_buf());
        absolute.components().fold(PathBuf::new(), |mut known, part| {
            match part {
                Component::ParentDir => _ = known.pop(),
                _ => known.push(part),
            }
            std::fs::canonicalize(&known).unwrap_or(known)
        })
    });
    folder.join(path.file_name().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_goes_on_inside_the_file() {
        let parts = |path: &str| split(Path::new(path)).map(|(f, o)| (f.display().to_string(), o));
        let part = |f: &str, o: Option<&str>| Some((f.to_string(), o.map(String::from)));
        assert_eq!(parts("a/shot.abc"), part("a/shot.abc", None));
        assert_eq!(parts("a/shot.ABC/root/body"), part("a/shot.ABC", Some("/root/body")));
        assert_eq!(parts("old.abc/shot.abc"), part("old.abc/shot.abc", None));
        assert_eq!(parts("shot.usdc/root/body"), part("shot.usdc", Some("/root/body")));
        assert_eq!(parts("old.abc/shot.usda"), part("old.abc/shot.usda", None));
        assert_eq!(parts("shot.obj"), None);
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("shots.usd")).unwrap();
        assert_eq!(split(&folder.path().join("shots.usd/body.%04d.obj")), None);
    }
}
