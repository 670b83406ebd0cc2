//! Reading .usdc, versions 0.4 to 0.13. Facts from the sources of OpenUSD (`pxr/usd/sdf/crateFile.cpp`).
//!
//! No count is trusted: every one is checked against the bytes that are there, and LZ4 output is limited to counts no
//! larger than the file. A mesh's positions alone are larger than its faces.

mod arcs;

use super::arcs::unsupported;
use super::numbers::{inline, numbers, numeric, real_first, size_of};
use super::pack::{unpack, unpack_integers};
use super::prim::{Contents, MAX_DEPTH, MAX_PATH, PrimSpec, PropertySpec, Samples, Slot, Specifier, Value};
use sinew_base::error::{Error, Kind, Result};
use sinew_geometry::counted;
use sinew_math::Real;

/// More fields in one prim or property than any has; each is visited for each spec that shares them.
const MAX_FIELDS: usize = 256;
/// Shorter arrays are never compressed.
const MIN_COMPRESSED: usize = 16;

#[derive(Debug)]
pub(super) struct Binary {
    bytes: Vec<u8>,
    version: [u8; 2],
    tokens: Vec<String>,
    strings: Vec<usize>,
    paths: Vec<String>,
}

fn wrong(message: impl Into<String>) -> Error {
    Error::new(Kind::Parse, message)
}

/// Reads forward from an offset in the file.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8]> {
        let end = self.at.checked_add(count).filter(|&end| end <= self.bytes.len());
        let end = end.ok_or_else(|| {
            let message = format!("{count} bytes are expected here, the file has {}", self.bytes.len());
            wrong(message).offset(self.at as u64)
        })?;
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(self.take(8)?.try_into().map_or(0, u64::from_le_bytes))
    }

    fn u32(&mut self) -> Result<usize> {
        Ok(self.take(4)?.try_into().map_or(0, |b| u32::from_le_bytes(b) as usize))
    }

    /// A count of things, each of which plausibly takes at least a byte of the file.
    fn count(&mut self) -> Result<usize> {
        let (at, count) = (self.at, self.u64()?);
        match usize::try_from(count) {
            Ok(count) if count <= self.bytes.len() => Ok(count),
            _ => {
                let message = format!("a count of {count} in a file of {} bytes", self.bytes.len());
                Err(wrong(message).offset(at as u64))
            }
        }
    }

    /// Bytes preceded by their count.
    fn sized(&mut self) -> Result<&'a [u8]> {
        let size = self.count()?;
        self.take(size)
    }

    fn integers(&mut self, count: usize, wide: bool) -> Result<Vec<i64>> {
        let at = self.at as u64;
        unpack_integers(self.sized()?, count, wide).map_err(|e| e.offset(at))
    }

    fn indices(&mut self, count: usize) -> Result<Vec<usize>> {
        // A negative number becomes an index beyond every table.
        Ok(self.integers(count, false)?.into_iter().map(|k| k as u32 as usize).collect())
    }
}

impl Binary {
    /// Reads everything except the values.
    pub fn read(bytes: Vec<u8>) -> Result<(Self, Contents)> {
        let mut cursor = Cursor { bytes: &bytes, at: 8 };
        let head = cursor.take(8)?;
        let version = [head[0], head[1]];
        if version[0] != 0 || !(4..=13).contains(&version[1]) {
            let message =
                format!("version {}.{} of .usdc is not supported; 0.4 to 0.13 are", version[0], version[1]);
            return Err(Error::new(Kind::WrongVersion, message));
        }
        cursor.at = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
        let mut sections = Vec::new();
        for _ in 0..cursor.count()? {
            let name = cursor.take(16)?;
            let start = usize::try_from(cursor.u64()?).unwrap_or(usize::MAX);
            sections.push((name, start));
            cursor.u64()?;
        }
        let section = |name: &str| {
            let found = sections.iter().find(|(n, _)| n.split(|&b| b == 0).next() == Some(name.as_bytes()));
            let missing = || wrong(format!("the section {name} is missing"));
            found.map(|&(_, at)| Cursor { bytes: &bytes, at }).ok_or_else(missing)
        };
        let tokens = read_tokens(section("TOKENS")?)?;
        let strings = read_strings(section("STRINGS")?)?;
        let fields = read_fields(section("FIELDS")?)?;
        let sets = read_sets(section("FIELDSETS")?)?;
        let paths = read_paths(section("PATHS")?, &tokens)?;
        let specs = read_specs(section("SPECS")?)?;
        let binary = Binary { version, tokens, strings, paths, bytes };
        let contents = binary.contents(&fields, &sets, &specs)?;
        Ok((binary, contents))
    }

    fn contents(&self, fields: &[(usize, u64)], sets: &[usize], specs: &[[usize; 3]]) -> Result<Contents> {
        let mut contents = Contents::default();
        for &[path, set, kind] in specs {
            let path =
                self.paths.get(path).ok_or_else(|| wrong(format!("a spec has the unknown path {path}")))?;
            let own = sets.get(set..).unwrap_or(&[]).iter().take_while(|&&f| f != u32::MAX as usize);
            let own: Vec<usize> = own.take(MAX_FIELDS + 1).copied().collect();
            if own.len() > MAX_FIELDS {
                return Err(wrong(format!("{path} has more than {MAX_FIELDS} fields")));
            }
            for field in own {
                let field = fields
                    .get(field)
                    .ok_or_else(|| wrong(format!("{path} has the unknown field {field}")))?;
                let name = self.token(field.0)?;
                match kind {
                    7 => drop(contents.metadata.insert(name.to_string(), Slot::Binary(field.1))),
                    // Prims and the choices of variant sets.
                    6 | 10 => {
                        self.prim_field(contents.prims.entry(path.clone()).or_default(), name, field.1)?
                    }
                    1 | 8 => {
                        let (prim, property) = path.rsplit_once('.').unwrap_or((path, ""));
                        let prim = contents.prims.entry(prim.to_string()).or_default();
                        let property = prim.properties.entry(property.to_string()).or_default();
                        self.property_field(property, name, field.1)?;
                    }
                    _ => {}
                }
            }
        }
        contents.sublayers = self.sublayers(&contents.metadata)?;
        Ok(contents)
    }

    fn prim_field(&self, prim: &mut PrimSpec, name: &str, rep: u64) -> Result<()> {
        match name {
            "typeName" => prim.type_name = self.text(rep)?,
            "specifier" => {
                prim.specifier = match rep & 0xff {
                    0 => Specifier::Def,
                    2 => Specifier::Class,
                    _ => Specifier::Over,
                };
            }
            "references" | "payload" | "inheritPaths" | "specializes" | "variantSetNames"
            | "variantSelection" | "active" | "instanceable" => {
                self.arc(prim.arcs.get_or_insert_default(), name, rep)?;
            }
            name => {
                if let Some(what) = unsupported(name) {
                    prim.arcs.get_or_insert_default().unsupported = Some(what);
                }
            }
        }
        Ok(())
    }

    fn property_field(&self, property: &mut PropertySpec, name: &str, rep: u64) -> Result<()> {
        match name {
            "typeName" => property.type_name = self.text(rep)?,
            "default" => property.default = Some(Slot::Binary(rep)),
            "timeSamples" => property.samples = Some(Samples::Binary(rep)),
            "interpolation" => property.interpolation = Some(Slot::Binary(rep)),
            "elementSize" => property.element_size = Some(Slot::Binary(rep)),
            "targetPaths" => property.targets = self.path_edits(rep)?,
            "spline" => property.spline = true,
            _ => {}
        }
        Ok(())
    }

    fn token(&self, index: usize) -> Result<&str> {
        let token = self.tokens.get(index).map(String::as_str);
        token.ok_or_else(|| wrong(format!("there is no token {index}; there are {}", self.tokens.len())))
    }

    fn string(&self, index: usize) -> Result<&str> {
        let token = self.strings.get(index);
        self.token(
            *token.ok_or_else(|| {
                wrong(format!("there is no string {index}; there are {}", self.strings.len()))
            })?,
        )
    }

    fn text(&self, rep: u64) -> Result<String> {
        match self.value(rep)? {
            Value::Texts(mut texts) if texts.len() == 1 => Ok(texts.remove(0)),
            _ => Err(wrong("a name is not a string")),
        }
    }

    fn at(&self, rep: u64) -> Cursor<'_> {
        Cursor { bytes: &self.bytes, at: (rep & 0xffff_ffff_ffff) as usize }
    }

    pub fn size(&self) -> usize {
        self.bytes.len()
    }

    pub fn value(&self, rep: u64) -> Result<Value> {
        let kind = rep >> 48 & 0xff;
        let (array, inlined) = (rep >> 63 == 1, rep >> 62 & 1 == 1);
        if let Some((form, width)) = numeric(kind) {
            let mut numbers = match (array, inlined) {
                (true, _) => self.array(rep, form, width)?,
                (false, true) => inline(rep as u32, kind, form, width),
                (false, false) => numbers(self.at(rep).take(width * size_of(form))?, form),
            };
            real_first(kind, &mut numbers);
            return Ok(Value::Numbers(numbers));
        }
        let index = (rep & 0xffff_ffff) as usize;
        Ok(match (kind, array) {
            (51 | 60, _) => Value::Blocked,
            (10, false) => Value::Texts(vec![self.string(index)?.to_string()]),
            (11 | 12, false) => Value::Texts(vec![self.token(index)?.to_string()]),
            (10, true) => self.texts(self.counted(rep)?, |k| self.string(k))?,
            (11 | 12, true) => self.texts(self.counted(rep)?, |k| self.token(k))?,
            (41, _) => self.texts(self.list(rep)?, |k| self.token(k))?,
            (50, _) => self.texts(self.list(rep)?, |k| self.string(k))?,
            (48, _) => {
                let (mut cursor, count) = self.list(rep)?;
                Value::Numbers(numbers(cursor.take(8 * count)?, 'd'))
            }
            _ => {
                let message = format!("a value of type {kind}, which is not supported");
                return Err(Error::new(Kind::Unsupported, message));
            }
        })
    }

    /// The offset of an array's values and their number.
    fn counted(&self, rep: u64) -> Result<(Cursor<'_>, usize)> {
        let mut cursor = self.at(rep);
        if cursor.at == 0 {
            return Ok((cursor, 0));
        }
        if self.version[1] < 5 {
            cursor.u32()?;
        }
        let count = if self.version[1] < 7 { cursor.u32()? } else { cursor.count()? };
        Ok((cursor, count))
    }

    fn list(&self, rep: u64) -> Result<(Cursor<'_>, usize)> {
        let mut cursor = self.at(rep);
        let count = cursor.count()?;
        Ok((cursor, count))
    }

    fn texts<'a>(
        &'a self,
        (mut cursor, count): (Cursor, usize),
        text: impl Fn(usize) -> Result<&'a str>,
    ) -> Result<Value> {
        // Names may be long and used repeatedly: their total length is limited to a few times the file's size.
        let mut left = self.bytes.len().saturating_mul(16);
        let indices = cursor.take(count.saturating_mul(4))?.chunks_exact(4);
        let texts = indices.map(|b| {
            let text = text(u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize)?;
            let short = left.checked_sub(text.len());
            left = short.ok_or_else(|| Error::new(Kind::TooLarge, "the list of names is too large"))?;
            Ok(text.to_string())
        });
        Ok(Value::Texts(texts.collect::<Result<_>>()?))
    }

    fn array(&self, rep: u64, form: char, width: usize) -> Result<Vec<Real>> {
        let (mut cursor, count) = self.counted(rep)?;
        let compressed = rep >> 61 & 1 == 1 && count >= MIN_COMPRESSED;
        if !compressed {
            let size = count.saturating_mul(width * size_of(form));
            return Ok(numbers(cursor.take(size)?, form));
        }
        if count > self.bytes.len() {
            return Err(wrong(format!("an array of {count} in a file of {} bytes", self.bytes.len())));
        }
        let reals = |list: Vec<i64>| list.into_iter().map(|k| k as Real).collect();
        match form {
            'i' | 'l' => Ok(reals(cursor.integers(count, form == 'l')?)),
            'I' => Ok(cursor.indices(count)?.into_iter().map(|k| k as Real).collect()),
            'L' => Ok(cursor.integers(count, true)?.into_iter().map(|k| k as u64 as Real).collect()),
            _ => {
                match cursor.take(1)?[0] {
                    b'i' => Ok(reals(cursor.integers(count, false)?)),
                    b't' => {
                        let size = cursor.u32()?;
                        let table = numbers(cursor.take(size.saturating_mul(size_of(form)))?, form);
                        let entry =
                            |k: usize| table.get(k).copied().ok_or_else(|| wrong("an index into a table"));
                        cursor.indices(count)?.into_iter().map(entry).collect()
                    }
                    other => Err(wrong(format!("an array has the unknown compression {other}"))
                        .offset(cursor.at as u64)),
                }
            }
        }
    }

    /// The times of samples and the offsets of their values.
    pub fn samples(&self, rep: u64) -> Result<Vec<(Real, Slot)>> {
        if rep >> 48 & 0xff != 46 {
            return Err(wrong("time samples of an unexpected type"));
        }
        let mut cursor = self.at(rep);
        jump(&mut cursor)?;
        let Value::Numbers(times) = self.value(cursor.u64()?)? else {
            return Err(wrong("the times are not numbers").offset(cursor.at as u64));
        };
        jump(&mut cursor)?;
        let count = cursor.count()?;
        if count != times.len() {
            let values = counted(count, "value", "values");
            let message = format!("{values} for {}", counted(times.len(), "time", "times"));
            return Err(Error::new(Kind::CountMismatch, message).offset(cursor.at as u64));
        }
        times.into_iter().map(|time| Ok((time, Slot::Binary(cursor.u64()?)))).collect()
    }
}

/// Follows an offset relative to its own position.
fn jump(cursor: &mut Cursor) -> Result<()> {
    let start = cursor.at;
    let distance = cursor.u64()? as i64;
    let to = start.checked_add_signed(isize::try_from(distance).unwrap_or(isize::MIN));
    cursor.at = to.ok_or_else(|| wrong("an offset outside the file").offset(start as u64))?;
    Ok(())
}

fn read_tokens(mut cursor: Cursor) -> Result<Vec<String>> {
    let count = cursor.count()?;
    let (size, at) = (cursor.u64()?, cursor.at as u64);
    // Names compress well, but not without limit.
    let limit = cursor.bytes.len().saturating_mul(16);
    let size = usize::try_from(size).ok().filter(|&s| s <= limit);
    let size = size.ok_or_else(|| wrong("more names than fit into the file").offset(at))?;
    let packed = cursor.sized()?;
    let all = unpack(packed, size).map_err(|e| e.offset(at))?;
    let tokens = all.split(|&b| b == 0).take(count);
    let tokens: Vec<String> = tokens.map(|t| String::from_utf8_lossy(t).into_owned()).collect();
    match tokens.len() == count {
        true => Ok(tokens),
        false => Err(wrong(format!("{} names, {count} are expected", tokens.len())).offset(at)),
    }
}

fn read_strings(mut cursor: Cursor) -> Result<Vec<usize>> {
    let count = cursor.count()?;
    let bytes = cursor.take(count.saturating_mul(4))?;
    Ok(bytes.chunks_exact(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize).collect())
}

/// The token of each field's name and the location of its value.
fn read_fields(mut cursor: Cursor) -> Result<Vec<(usize, u64)>> {
    let count = cursor.count()?;
    let names = cursor.indices(count)?;
    let reps = unpack(cursor.sized()?, 8 * count)?;
    if reps.len() != 8 * count {
        return Err(wrong("values of fields are missing"));
    }
    let reps = reps.chunks_exact(8).map(|b| b.try_into().map_or(0, u64::from_le_bytes));
    Ok(names.into_iter().zip(reps).collect())
}

fn read_sets(mut cursor: Cursor) -> Result<Vec<usize>> {
    let count = cursor.count()?;
    cursor.indices(count)
}

/// The path, the set of fields and the kind of each spec.
fn read_specs(mut cursor: Cursor) -> Result<Vec<[usize; 3]>> {
    let count = cursor.count()?;
    let [paths, sets, kinds] = [cursor.indices(count)?, cursor.indices(count)?, cursor.indices(count)?];
    Ok((0..count).map(|k| [paths[k], sets[k], kinds[k]]).collect())
}

/// The paths, which are stored as a tree.
fn read_paths(mut cursor: Cursor, tokens: &[String]) -> Result<Vec<String>> {
    let table = cursor.count()?;
    let count = cursor.count()?;
    let (places, names) = (cursor.indices(count)?, cursor.integers(count, false)?);
    let jumps = cursor.integers(count, false)?;
    let mut paths = vec![String::new(); table];
    let mut left = cursor.bytes.len().saturating_mul(64);
    // Where to continue, below which path, at which depth.
    let mut stack = vec![(0, String::new(), 0)];
    let mut visited = 0;
    while let Some((mut at, mut parent, mut depth)) = stack.pop() {
        loop {
            visited += 1;
            let inside = at < count && visited <= count;
            let place = if inside { paths.get_mut(places[at]) } else { None };
            let place = place.ok_or_else(|| wrong(format!("the tree of paths is damaged at {at}")))?;
            let path = match at {
                0 => "/".to_string(),
                _ => {
                    let name = tokens.get(names[at].unsigned_abs() as usize);
                    let name = name.ok_or_else(|| wrong(format!("the name of path {at} is missing")))?;
                    let between = match name.starts_with('{') || parent == "/" && names[at] >= 0 {
                        true => "",
                        false if names[at] < 0 => ".",
                        false => "/",
                    };
                    if parent.len() + name.len() > MAX_PATH || depth > MAX_DEPTH {
                        return Err(Error::new(Kind::TooLarge, "a path is too long or too deep"));
                    }
                    format!("{parent}{between}{name}")
                }
            };
            let less = left.checked_sub(path.len());
            left = less.ok_or_else(|| Error::new(Kind::TooLarge, "the paths are too long in total"))?;
            place.clone_from(&path);
            let jump = jumps[at];
            if jump > 0 {
                stack.push((at + jump as usize, parent.clone(), depth));
            }
            match jump {
                -1 | 1.. => (parent, depth) = (path, depth + 1),
                0 => {}
                _ => break,
            }
            at += 1;
        }
    }
    Ok(paths)
}
