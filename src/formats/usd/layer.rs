//! The contents of a file, in any of the three forms: prims with properties whose values are read on demand.

use super::archive::Archive;
use super::binary::Binary;
use super::prim::{Contents, Samples, Slot, Value};
use super::text;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

#[derive(Debug)]
enum Encoded {
    Text(String),
    Binary(Box<Binary>),
}

#[derive(Debug)]
pub(super) struct Layer {
    pub contents: Contents,
    source: Encoded,
}

impl Layer {
    /// Reads a file in any of the three forms, detected by its first bytes.
    pub fn parse(bytes: Vec<u8>) -> Result<Self> {
        if bytes.is_empty() {
            return Err(Error::new(Kind::Parse, "the file is empty: was writing it interrupted?"));
        }
        if Archive::is(&bytes) {
            return Layer::parse(Archive::new(bytes)?.file(None)?);
        }
        if bytes.starts_with(b"PXR-USDC") {
            let (binary, mut contents) = Binary::read(bytes)?;
            contents.list_children();
            return Ok(Layer { contents, source: Encoded::Binary(Box::new(binary)) });
        }
        let text = String::from_utf8(bytes).map_err(|e| {
            let error = Error::new(Kind::Parse, "this is neither .usda, .usdc nor .usdz");
            error.offset(e.utf8_error().valid_up_to() as u64)
        })?;
        if !text.starts_with("#usda") {
            let begins: String = text.chars().take(10).collect();
            let message = format!("this is neither .usda, .usdc nor .usdz: it begins with {begins:?}");
            return Err(Error::new(Kind::Parse, message).line(1));
        }
        let mut contents = text::parse(&text)?;
        contents.list_children();
        Ok(Layer { contents, source: Encoded::Text(text) })
    }

    /// A value of the metadata.
    pub fn metadata(&self, name: &str) -> Option<Value> {
        self.contents.metadata.get(name).and_then(|slot| self.value(slot).ok())
    }

    /// A finite number of the metadata.
    pub fn number(&self, name: &str) -> Option<Real> {
        match self.metadata(name) {
            Some(Value::Numbers(n)) => n.first().copied().filter(|n| n.is_finite()),
            _ => None,
        }
    }

    /// A text of the metadata.
    pub fn text(&self, name: &str) -> Option<String> {
        match self.metadata(name) {
            Some(Value::Texts(mut texts)) => texts.pop(),
            _ => None,
        }
    }

    /// Time codes and frames per second, if the file specifies them.
    pub fn rates(&self) -> [Option<Real>; 2] {
        ["timeCodesPerSecond", "framesPerSecond"].map(|name| self.number(name).filter(|n| *n > 0.0))
    }

    /// Time codes per second; 24 if the file says nothing sensible.
    pub fn time_codes_per_second(&self) -> Real {
        self.rates()[0].or(self.rates()[1]).unwrap_or(24.0)
    }

    /// Bytes of the file.
    pub fn size(&self) -> usize {
        match &self.source {
            Encoded::Text(text) => text.len(),
            Encoded::Binary(binary) => binary.size(),
        }
    }

    pub fn value(&self, slot: &Slot) -> Result<Value> {
        match (slot, &self.source) {
            (Slot::Text(range), Encoded::Text(text)) => text::value(text, range.clone()),
            (Slot::Binary(rep), Encoded::Binary(binary)) => binary.value(*rep),
            _ => Err(Error::new(Kind::Internal, "a value of another layer")),
        }
    }

    pub fn samples(&self, samples: &Samples) -> Result<Vec<(Real, Slot)>> {
        let mut list = match (samples, &self.source) {
            (Samples::Listed(list), _) => list.clone(),
            (Samples::Binary(rep), Encoded::Binary(binary)) => binary.samples(*rep)?,
            _ => return Err(Error::new(Kind::Internal, "samples of another layer")),
        };
        if let Some((time, _)) = list.iter().find(|(time, _)| !time.is_finite()) {
            return Err(Error::new(Kind::NotFinite, format!("a sample's time is {time}")));
        }
        list.sort_by(|a, b| a.0.total_cmp(&b.0));
        Ok(list)
    }
}
