//! Storage for the numbers of textures: in memory while there is room, then in files that the system pages in on
//! demand.

use memmap2::MmapMut;
use sinew_base::error::{Error, Result};
use std::io::{Read, Write};
use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};

/// Fewer bytes than this are not worth a file.
const SMALL: u64 = 1 << 20;

/// The memory limit of textures together. What exceeds it is in unnamed files, which disappear with the textures.
pub struct Room {
    left: u64,
    folder: PathBuf,
}

impl Room {
    /// That many bytes; the files are in a folder, which is created if missing.
    pub fn new(bytes: u64, folder: &Path) -> Self {
        Room { left: bytes, folder: folder.to_path_buf() }
    }

    /// No limit.
    pub fn unbounded() -> Self {
        Room::new(u64::MAX, Path::new(""))
    }

    /// Room for that many numbers, all zero.
    pub(super) fn take<T: bytemuck::Pod>(&mut self, count: usize) -> Result<Store<T>> {
        let bytes = (count * size_of::<T>()) as u64;
        if bytes <= self.left || bytes < SMALL {
            self.left = self.left.saturating_sub(bytes);
            return Ok(Store(Backing::Memory(vec![T::zeroed(); count])));
        }
        let failed = |e: std::io::Error| Error::io(&self.folder, &e);
        std::fs::create_dir_all(&self.folder).map_err(failed)?;
        let mut file = tempfile::tempfile_in(&self.folder).map_err(failed)?;
        // A sparse file would find the disk full when it is too late to report.
        std::io::copy(&mut std::io::repeat(0).take(bytes), &mut file).map_err(failed)?;
        file.flush().map_err(failed)?;
        // SAFETY: the file has no name, so no other process changes or truncates it.
        let map = unsafe { MmapMut::map_mut(&file) }.map_err(failed)?;
        Ok(Store(Backing::File(map, std::marker::PhantomData)))
    }
}

/// Numbers, wherever they are.
pub(super) struct Store<T>(Backing<T>);

enum Backing<T> {
    Memory(Vec<T>),
    File(MmapMut, std::marker::PhantomData<T>),
}

impl<T: bytemuck::Pod> Deref for Store<T> {
    type Target = [T];

    fn deref(&self) -> &[T] {
        match &self.0 {
            Backing::Memory(numbers) => numbers,
            Backing::File(map, _) => bytemuck::cast_slice(map),
        }
    }
}

impl<T: bytemuck::Pod> DerefMut for Store<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Backing::Memory(numbers) => numbers,
            Backing::File(map, _) => bytemuck::cast_slice_mut(map),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_room_lies_in_a_file_and_is_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let mut room = Room::new(3 << 20, folder.path());
        let mut stores: Vec<Store<u16>> = (0..3).map(|_| room.take(1 << 20).unwrap()).collect();
        let in_files = stores.iter().filter(|store| matches!(store.0, Backing::File(..))).count();
        assert_eq!(in_files, 2, "the first has room");
        for store in &mut stores {
            assert!(store.iter().all(|&x| x == 0));
            store.iter_mut().enumerate().for_each(|(k, x)| *x = (k % 65521) as u16);
        }
        assert!(stores[0][..] == stores[1][..] && stores[1][..] == stores[2][..]);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "the files have no names");
        std::fs::write(folder.path().join("none"), "no folder").unwrap();
        let mut nowhere = Room::new(0, &folder.path().join("none"));
        let error = nowhere.take::<f32>(1 << 20).err().unwrap();
        assert_eq!(error.place().file, Some(folder.path().join("none")));
        assert!(nowhere.take::<f32>(100).is_ok(), "too small for a file");
    }
}
