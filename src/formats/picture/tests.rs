use super::*;
use crate::texture::{Samples, Tile};

fn saw(channels: usize, depth: Depth) -> Picture {
    let mut picture = Picture::new([7, 5], channels, depth);
    match &mut picture.samples {
        Samples::U8(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = (k * 37) as u8),
        Samples::U16(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = (k * 9973) as u16),
        Samples::F32(s) => s.iter_mut().enumerate().for_each(|(k, x)| *x = k as f32 * 0.25 - 3.0),
    }
    picture
}

#[test]
fn every_depth_and_number_of_channels_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    for depth in [Depth::Bits8, Depth::Bits16, Depth::Half, Depth::Float] {
        for channels in 1..=4 {
            let path = folder.path().join(format!("a.{}", ending(depth)));
            let picture = saw(channels, depth);
            write(&path, &picture).unwrap();
            assert_eq!(read(&path).unwrap(), picture, "{depth:?} {channels}");
        }
    }
    let wrong = write(&folder.path().join("a.png"), &saw(3, Depth::Half)).unwrap_err();
    assert_eq!(wrong.kind(), Kind::Unsupported);
}

#[test]
fn jpeg_and_tiff_are_read() {
    let colours =
        ::image::RgbImage::from_fn(16, 8, |x, y| ::image::Rgb([(x * 16) as u8, (y * 30) as u8, 90]));
    let deep = ::image::ImageBuffer::from_fn(9, 4, |x, y| ::image::Luma([(x * 7000 + y) as u16]));
    let bytes = |image: ::image::DynamicImage, format| {
        let mut bytes = std::io::Cursor::new(Vec::new());
        image.write_to(&mut bytes, format).unwrap();
        bytes.into_inner()
    };
    let jpeg = parse(&bytes(colours.clone().into(), ::image::ImageFormat::Jpeg)).unwrap();
    assert_eq!((jpeg.width, jpeg.height, jpeg.channels, jpeg.depth), (16, 8, 3, Depth::Bits8));
    let tiff = bytes(deep.clone().into(), ::image::ImageFormat::Tiff);
    assert_eq!(parse(&tiff).unwrap().samples, Samples::U16(deep.into_raw()));
    for whole in [tiff, bytes(colours.into(), ::image::ImageFormat::Jpeg)] {
        (0..whole.len()).for_each(|length| drop(parse(&whole[..length])));
        for at in 0..whole.len().min(300) {
            for value in [0, 1, 0x7f, 0xff] {
                let mut lie = whole.clone();
                lie[at] = value;
                drop(parse(&lie));
            }
        }
    }
}

#[test]
fn a_half_that_is_too_small_and_names_that_are_too_few_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    let mut picture = Picture::new([2, 2], 1, Depth::Half);
    picture.samples = Samples::F32(vec![0.0, 70_000.0, 0.0, 0.0]);
    assert_eq!(write(&path, &picture).unwrap_err().kind(), Kind::OutOfRange);
    let picture = Picture::new([2, 2], 2, Depth::Float);
    assert_eq!(write_exr(&path, &picture, &["Y"]).unwrap_err().kind(), Kind::CountMismatch);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_tile_is_named_with_its_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = folder.path().join("skin.<UDIM>.png").to_string_lossy().into_owned();
    let tiles = [Tile { u: 0, v: 0 }, Tile { u: 2, v: 1 }];
    write(&tile_path(&pattern, tiles[0]), &saw(3, Depth::Bits8)).unwrap();
    let error = read_tile(&pattern, &tiles, tiles[1]).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingFile);
    assert!(error.message().contains("1013") && error.message().contains("skin.<UDIM>.png"), "{error}");
    assert_eq!(read_tile(&pattern, &tiles, tiles[0]).unwrap(), saw(3, Depth::Bits8));
    let single = tile_path(&pattern, tiles[0]).to_string_lossy().into_owned();
    assert_eq!(read_tile(&single, &tiles, tiles[0]).unwrap_err().kind(), Kind::MissingInput);
    assert_eq!(Tile::from_number(1013).unwrap(), tiles[1]);
    assert!(Tile::from_number(1000).is_err() && Tile::from_number(10_000).is_err());
}
