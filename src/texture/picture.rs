//! Pictures as stored.

use sinew_base::error::{Error, Kind, Result};

/// How a number is stored in a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// Integers, 0 to 255.
    Bits8,
    /// Integers, 0 to 65,535.
    Bits16,
    /// Floats of sixteen bits; in memory they take thirty-two.
    Half,
    /// Floats of thirty-two bits.
    Float,
}

/// The numbers of a picture.
#[derive(Clone, Debug, PartialEq)]
pub enum Samples {
    /// Integers, 0 to 255.
    U8(Vec<u8>),
    /// Integers, 0 to 65,535.
    U16(Vec<u16>),
    /// Floats.
    F32(Vec<f32>),
}

/// What a file says about its colours; nothing if all is empty.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Profile {
    /// An ICC profile, of PNG, JPEG and TIFF.
    pub icc: Option<Vec<u8>>,
    /// Whether a PNG declares sRGB.
    pub srgb: bool,
    /// The decoding exponent of a PNG.
    pub gamma: Option<f32>,
    /// x and y of red, green, blue and white, in EXR and PNG.
    pub chromaticities: Option<[f32; 8]>,
}

impl Profile {
    /// Whether nothing is declared.
    pub fn is_empty(&self) -> bool {
        *self == Profile::default()
    }
}

/// A picture of one to four channels: grey; grey and alpha; red, green, blue; the same and alpha.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The width in texels.
    pub width: usize,
    /// The height in texels.
    pub height: usize,
    /// Numbers per texel.
    pub channels: usize,
    /// How they are stored in a file.
    pub depth: Depth,
    /// Row by row from the top, with interleaved channels.
    pub samples: Samples,
    /// What the file says about its colours.
    pub profile: Profile,
}

impl Picture {
    /// A picture of zeros.
    pub fn new(size: [usize; 2], channels: usize, depth: Depth) -> Self {
        let count = size[0] * size[1] * channels;
        let samples = match depth {
            Depth::Bits8 => Samples::U8(vec![0; count]),
            Depth::Bits16 => Samples::U16(vec![0; count]),
            Depth::Half | Depth::Float => Samples::F32(vec![0.0; count]),
        };
        Picture { width: size[0], height: size[1], channels, depth, samples, profile: Profile::default() }
    }

    /// Whether the counts agree, the numbers match the depth, and all floats are finite.
    pub fn check(&self) -> Result<()> {
        let (count, fits) = match (&self.samples, self.depth) {
            (Samples::U8(s), depth) => (s.len(), depth == Depth::Bits8),
            (Samples::U16(s), depth) => (s.len(), depth == Depth::Bits16),
            (Samples::F32(s), depth) => (s.len(), matches!(depth, Depth::Half | Depth::Float)),
        };
        let wanted = self.width.checked_mul(self.height).and_then(|n| n.checked_mul(self.channels));
        if wanted != Some(count) || count == 0 || !(1..=4).contains(&self.channels) {
            let message = format!(
                "{count} numbers for {} by {} texels of {} channels; one to four are allowed",
                self.width, self.height, self.channels
            );
            return Err(Error::new(Kind::CountMismatch, message));
        }
        if !fits {
            return Err(Error::new(Kind::WrongType, format!("the numbers are not {:?}", self.depth)));
        }
        if let Samples::F32(s) = &self.samples
            && let Some(bad) = s.iter().position(|x| !x.is_finite())
        {
            let texel = bad / self.channels;
            let (x, y) = (texel % self.width, texel / self.width);
            let message = format!("the texel {x}, {y} (from the top left) is {}", s[bad]);
            return Err(Error::new(Kind::NotFinite, message));
        }
        Ok(())
    }
}
