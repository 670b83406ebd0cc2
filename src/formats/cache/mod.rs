//! Point caches: one file with the positions of every frame, in single precision.
//!
//! | format | numbers | times | header |
//! |---|---|---|---|
//! | PC2 | little-endian | frames, evenly spaced | `POINTCACHE2\0`, version 1, points, first frame, step, samples |
//! | MDD | big-endian | seconds, one per sample | samples, points, the times |
//!
//! A reader trusts a header only if the file has exactly the length that it implies.

mod contents;
mod mdd;
mod pc2;

pub(super) use contents::{describe_mdd, describe_pc2};

use super::atomic::AtomicFile;
use crate::file::{self, Input};
use crate::rate::Said;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::{Real, Vec3};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Bytes of a point: three single-precision numbers.
const POINT: u64 = 12;

/// Which of the two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheKind {
    /// 3ds Max, Blender's Mesh Cache.
    Pc2,
    /// LightWave, Blender's Mesh Cache.
    Mdd,
}

impl CacheKind {
    fn encode(self, value: f32) -> [u8; 4] {
        match self {
            CacheKind::Pc2 => value.to_le_bytes(),
            CacheKind::Mdd => value.to_be_bytes(),
        }
    }

    fn decode(self, bytes: [u8; 4]) -> f32 {
        match self {
            CacheKind::Pc2 => f32::from_le_bytes(bytes),
            CacheKind::Mdd => f32::from_be_bytes(bytes),
        }
    }
}

/// What a header says.
#[derive(Clone, Debug, PartialEq)]
struct Header {
    points: u64,
    times: Times,
    /// The offset of the first sample.
    data: u64,
}

/// The times of the samples.
#[derive(Clone, Debug, PartialEq)]
enum Times {
    /// Frame numbers: the first, the step, the count.
    Frames { start: f32, step: f32, count: u64 },
    /// Seconds.
    Seconds(Vec<f32>),
}

impl Times {
    fn count(&self) -> u64 {
        match self {
            Times::Frames { count, .. } => *count,
            Times::Seconds(seconds) => seconds.len() as u64,
        }
    }
}

/// A cache being read sample by sample.
#[derive(Debug)]
pub struct CacheReader<R = Input> {
    input: R,
    path: PathBuf,
    kind: CacheKind,
    header: Header,
    buffer: Vec<u8>,
}

impl CacheReader {
    /// Opens a file.
    pub fn open(path: &Path, kind: CacheKind) -> Result<Self> {
        let file = file::open(path)?;
        Self::new(file, path, kind)
    }
}

impl<R: Read + Seek> CacheReader<R> {
    /// Reads the header; `path` is for the errors.
    pub fn new(mut input: R, path: &Path, kind: CacheKind) -> Result<Self> {
        let length = input.seek(SeekFrom::End(0)).map_err(|e| Error::io(path, &e))?;
        input.seek(SeekFrom::Start(0)).map_err(|e| Error::io(path, &e))?;
        let header = match kind {
            CacheKind::Pc2 => pc2::read_header(&mut input, length),
            CacheKind::Mdd => mdd::read_header(&mut input, length),
        };
        let header = header.and_then(|header| check_length(&header, length).map(|()| header));
        let header = header.map_err(|e| e.file(path))?;
        Ok(CacheReader { input, path: path.to_path_buf(), kind, header, buffer: Vec::new() })
    }

    /// Points per sample.
    pub fn point_count(&self) -> usize {
        self.header.points as usize
    }

    /// The number of samples.
    pub fn sample_count(&self) -> usize {
        self.header.times.count() as usize
    }

    /// The frame of each sample: as stored, or seconds times frames per second.
    pub fn frames(&self, fps: Real) -> Vec<Real> {
        match &self.header.times {
            Times::Frames { start, step, count } => {
                (0..*count).map(|k| Real::from(*start) + Real::from(*step) * k as Real).collect()
            }
            Times::Seconds(seconds) => seconds.iter().map(|&s| Real::from(s) * fps).collect(),
        }
    }

    /// The time of each sample, if the file stores times rather than frames.
    pub fn seconds(&self) -> Option<Vec<Real>> {
        match &self.header.times {
            Times::Frames { .. } => None,
            Times::Seconds(seconds) => Some(seconds.iter().copied().map(Real::from).collect()),
        }
    }

    /// What the file says about its rate.
    pub fn said(&self) -> Said {
        Said::new([], &self.seconds().unwrap_or_default())
    }

    /// Reads one sample; every number must be finite.
    pub fn read(&mut self, sample: usize, points: &mut Vec<Vec3>) -> Result<()> {
        points.clear();
        if sample >= self.sample_count() {
            let message = format!("there is no sample {sample}; there are {}", self.sample_count());
            return Err(Error::new(Kind::OutOfRange, message).file(&self.path));
        }
        let size = self.header.points * POINT;
        let offset = self.header.data + size * sample as u64;
        self.buffer.resize(size as usize, 0);
        let read =
            self.input.seek(SeekFrom::Start(offset)).and_then(|_| self.input.read_exact(&mut self.buffer));
        read.map_err(|e| Error::io(&self.path, &e).offset(offset))?;
        for (vertex, bytes) in self.buffer.chunks_exact(POINT as usize).enumerate() {
            let number = |k: usize| {
                let four = [bytes[4 * k], bytes[4 * k + 1], bytes[4 * k + 2], bytes[4 * k + 3]];
                Real::from(self.kind.decode(four))
            };
            let point = Vec3::new(number(0), number(1), number(2));
            if !point.iter().all(|x| x.is_finite()) {
                let message = format!("sample {sample}: the position is {:?}", point.as_slice());
                let error = Error::new(Kind::NotFinite, message).vertex(vertex);
                return Err(error.offset(offset + POINT * vertex as u64).file(&self.path));
            }
            points.push(point);
        }
        Ok(())
    }
}

/// The file must contain points and have exactly the length that its header implies.
fn check_length(header: &Header, length: u64) -> Result<()> {
    if header.points == 0 {
        // Any number of empty samples would fit into any file.
        return Err(Error::new(Kind::Parse, "the header says 0 points; a point cache needs at least one"));
    }
    let data = header.times.count().checked_mul(header.points).and_then(|n| n.checked_mul(POINT));
    let expected = data.and_then(|n| n.checked_add(header.data));
    if expected == Some(length) {
        return Ok(());
    }
    let says = expected.map_or("more than 2^64".into(), |n| n.to_string());
    let message = format!(
        "the header says {} samples of {} points, {says} bytes in all; the file has {length}",
        header.times.count(),
        header.points
    );
    Err(Error::new(Kind::Parse, message))
}

fn read_bytes<const N: usize>(input: &mut impl Read) -> Result<[u8; N]> {
    let mut bytes = [0; N];
    input.read_exact(&mut bytes).map_err(|e| match e.kind() {
        std::io::ErrorKind::UnexpectedEof => Error::new(Kind::Parse, "the file ends inside its header"),
        _ => Error::new(Kind::Io, e.to_string()),
    })?;
    Ok(bytes)
}

/// A cache that is written sample by sample and appears when complete.
pub struct CacheWriter<W = AtomicFile> {
    out: W,
    path: PathBuf,
    kind: CacheKind,
    points: usize,
    left: usize,
    buffer: Vec<u8>,
}

impl CacheWriter {
    /// Creates a file for samples at these frames; see [`CacheWriter::new`].
    pub fn create(path: &Path, kind: CacheKind, points: usize, frames: &[i64], fps: Real) -> Result<Self> {
        Self::of_shot(path, kind, points, frames, [fps, 1.0])
    }

    /// The same, if several of the frames, of which there are `fps` per second, make up one frame of the shot.
    pub fn of_shot(
        path: &Path,
        kind: CacheKind,
        points: usize,
        frames: &[i64],
        [fps, samples]: [Real; 2],
    ) -> Result<Self> {
        Self::new(AtomicFile::create(path)?, path, kind, points, frames, [fps, samples])
    }

    /// Gives the file its name; all samples must have been written.
    pub fn commit(self) -> Result<()> {
        self.finish()?.commit()
    }
}

impl<W: Write> CacheWriter<W> {
    /// Writes the header; `path` is for the errors.
    ///
    /// PC2 stores the first frame and the step, so the frames must be evenly spaced; MDD stores frame / fps.
    pub fn new(
        mut out: W,
        path: &Path,
        kind: CacheKind,
        points: usize,
        frames: &[i64],
        [fps, samples]: [Real; 2],
    ) -> Result<Self> {
        if points == 0 {
            let message = "no points; a point cache needs at least one";
            return Err(Error::new(Kind::Unsupported, message).file(path));
        }
        let header = match kind {
            CacheKind::Pc2 => pc2::header(points, frames, samples),
            CacheKind::Mdd => mdd::header(points, frames, fps),
        };
        let header = header.map_err(|e| e.file(path))?;
        out.write_all(&header).map_err(|e| Error::io(path, &e))?;
        Ok(CacheWriter {
            out,
            path: path.to_path_buf(),
            kind,
            points,
            left: frames.len(),
            buffer: Vec::new(),
        })
    }

    /// Appends a sample. Numbers are rounded to single precision; one that does not fit is refused.
    pub fn write(&mut self, points: &[Vec3]) -> Result<()> {
        if points.len() != self.points || self.left == 0 {
            let message = format!(
                "{} points for a cache of {}, with {} samples to come",
                points.len(),
                self.points,
                self.left
            );
            return Err(Error::new(Kind::CountMismatch, message).file(&self.path));
        }
        self.buffer.clear();
        for (vertex, point) in points.iter().enumerate() {
            for &number in point.iter() {
                let single = number as f32;
                if !single.is_finite() {
                    let message = format!("{number} cannot be stored in single precision");
                    return Err(Error::new(Kind::NotFinite, message).vertex(vertex).file(&self.path));
                }
                self.buffer.extend(self.kind.encode(single));
            }
        }
        self.left -= 1;
        self.out.write_all(&self.buffer).map_err(|e| Error::io(&self.path, &e))
    }

    /// Returns the underlying writer; all samples must have been written.
    pub fn finish(self) -> Result<W> {
        if self.left > 0 {
            let message = format!("{} samples were not written", self.left);
            return Err(Error::new(Kind::CountMismatch, message).file(&self.path));
        }
        Ok(self.out)
    }
}

fn whole_number(count: usize, what: &str) -> Result<i32> {
    i32::try_from(count)
        .map_err(|_| Error::new(Kind::TooLarge, format!("{count} {what} do not fit into a point cache")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::io::Cursor;

    fn write(kind: CacheKind, frames: &[i64], samples: &[Vec<Vec3>]) -> Result<Vec<u8>> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cache");
        let mut writer = CacheWriter::create(&path, kind, samples[0].len(), frames, 24.0)?;
        for sample in samples {
            writer.write(sample)?;
        }
        writer.commit()?;
        Ok(std::fs::read(path).unwrap())
    }

    fn open(kind: CacheKind, bytes: &[u8]) -> Result<CacheReader<Cursor<&[u8]>>> {
        CacheReader::new(Cursor::new(bytes), Path::new("a.cache"), kind)
    }

    fn samples() -> Vec<Vec<Vec3>> {
        (0..3).map(|f| (0..4).map(|v| Vec3::new(f as Real, v as Real + 0.5, -0.25)).collect()).collect()
    }

    #[test]
    fn the_bytes_are_those_of_the_formats() {
        let one = vec![vec![Vec3::new(1.0, 2.0, 3.0)]];
        let pc2 = write(CacheKind::Pc2, &[7], &one).unwrap();
        assert_eq!(&pc2[..12], b"POINTCACHE2\0");
        let words: Vec<u32> =
            pc2[12..].chunks(4).map(|b| u32::from_le_bytes(b.try_into().unwrap())).collect();
        let f = f32::to_bits;
        assert_eq!(words, [1, 1, f(7.0), f(1.0), 1, f(1.0), f(2.0), f(3.0)]);
        let mdd = write(CacheKind::Mdd, &[12], &one).unwrap();
        let words: Vec<u32> = mdd.chunks(4).map(|b| u32::from_be_bytes(b.try_into().unwrap())).collect();
        assert_eq!(words, [1, 1, f(0.5), f(1.0), f(2.0), f(3.0)]);
    }

    #[test]
    fn what_is_written_reads_back() {
        for kind in [CacheKind::Pc2, CacheKind::Mdd] {
            let bytes = write(kind, &[10, 12, 14], &samples()).unwrap();
            let mut reader = open(kind, &bytes).unwrap();
            assert_eq!((reader.point_count(), reader.sample_count()), (4, 3));
            let frames = reader.frames(24.0);
            assert!(frames.iter().zip([10.0, 12.0, 14.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{frames:?}");
            let mut points = Vec::new();
            for (k, sample) in samples().iter().enumerate().rev() {
                reader.read(k, &mut points).unwrap();
                assert_eq!(points, *sample);
            }
            assert_eq!(reader.read(3, &mut points).unwrap_err().kind(), Kind::OutOfRange);
        }
    }

    #[test]
    fn a_header_that_lies_is_refused_before_anything_is_allocated() {
        for kind in [CacheKind::Pc2, CacheKind::Mdd] {
            let bytes = write(kind, &[1, 2, 3], &samples()).unwrap();
            for length in 0..bytes.len() {
                assert_eq!(open(kind, &bytes[..length]).unwrap_err().kind(), Kind::Parse, "{length}");
            }
            let longer = [bytes.as_slice(), &[0]].concat();
            assert_eq!(open(kind, &longer).unwrap_err().kind(), Kind::Parse);
            for at in 0..bytes.len().min(48) {
                let mut lie = bytes.clone();
                lie[at] = 0x7f;
                // Either result is fine: an error, or a cache of the same size.
                if let Ok(reader) = open(kind, &lie) {
                    assert_eq!(reader.point_count() * reader.sample_count(), 12);
                }
            }
        }
    }

    #[test]
    fn samples_of_no_points_are_neither_written_nor_read() {
        for kind in [CacheKind::Pc2, CacheKind::Mdd] {
            let error =
                CacheWriter::new(Vec::new(), Path::new("a"), kind, 0, &[1], [24.0, 1.0]).err().unwrap();
            assert_eq!(error.kind(), Kind::Unsupported);
        }
        let mut pc2 = write(CacheKind::Pc2, &[1], &[vec![Vec3::zeros()]]).unwrap()[..32].to_vec();
        pc2[16..20].fill(0);
        pc2[28..32].copy_from_slice(&i32::MAX.to_le_bytes());
        assert_eq!(open(CacheKind::Pc2, &pc2).unwrap_err().kind(), Kind::Parse);
        assert_eq!(
            open(CacheKind::Mdd, &[0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]).unwrap_err().kind(),
            Kind::Parse
        );
    }

    #[test]
    fn three_gigabytes_of_zeros_are_refused_at_once() {
        let file = tempfile::NamedTempFile::new().unwrap();
        file.as_file().set_len(3 << 30).unwrap();
        for kind in [CacheKind::Pc2, CacheKind::Mdd] {
            assert_eq!(CacheReader::open(file.path(), kind).unwrap_err().kind(), Kind::Parse);
        }
    }

    #[test]
    fn numbers_that_are_none_are_named_by_sample_and_vertex() {
        let mut bytes = write(CacheKind::Pc2, &[1, 2, 3], &samples()).unwrap();
        let offset = 32 + 12 * (4 + 2) + 4;
        bytes[offset..offset + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        let error = open(CacheKind::Pc2, &bytes).unwrap().read(1, &mut Vec::new()).unwrap_err();
        assert_eq!((error.kind(), error.place().vertex), (Kind::NotFinite, Some(2)));
        assert!(error.message().starts_with("sample 1"));
        let huge = vec![vec![Vec3::new(0.0, 1e39, 0.0)]];
        assert_eq!(write(CacheKind::Mdd, &[1], &huge).unwrap_err().place().vertex, Some(0));
    }

    #[test]
    fn a_cache_that_is_not_whole_does_not_appear() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.pc2");
        let mut writer = CacheWriter::create(&path, CacheKind::Pc2, 1, &[1, 2], 24.0).unwrap();
        writer.write(&[Vec3::zeros()]).unwrap();
        assert_eq!(writer.write(&[Vec3::zeros(); 2]).unwrap_err().kind(), Kind::CountMismatch);
        assert_eq!(writer.commit().unwrap_err().kind(), Kind::CountMismatch);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }

    #[test]
    fn frames_that_a_format_cannot_tell_are_refused() {
        let error = write(CacheKind::Pc2, &[1, 2, 4], &samples()).unwrap_err();
        assert!(error.to_string().contains("evenly"), "{error}");
        assert!(write(CacheKind::Mdd, &[1, 2, 4], &samples()).is_ok());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_cache_or_an_error(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            for kind in [CacheKind::Pc2, CacheKind::Mdd] {
                if let Ok(mut reader) = open(kind, &bytes) {
                    for k in 0..reader.sample_count() {
                        drop(reader.read(k, &mut Vec::new()));
                    }
                }
            }
        }
    }
}
