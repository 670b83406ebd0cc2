use super::*;
use crate::provenance::PROGRAM;
use sinew_texture::{Samples, Tile};

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
            write(&path, &picture, &Writing::default()).unwrap();
            assert_eq!(read(&path).unwrap(), picture, "{depth:?} {channels}");
        }
    }
    let wrong = write(&folder.path().join("a.png"), &saw(3, Depth::Half), &Writing::default()).unwrap_err();
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
    assert_eq!(write(&path, &picture, &Writing::default()).unwrap_err().kind(), Kind::OutOfRange);
    let picture = Picture::new([2, 2], 2, Depth::Float);
    assert_eq!(
        write_exr(&path, &picture, &["Y"], &Writing::default()).unwrap_err().kind(),
        Kind::CountMismatch
    );
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_missing_tile_is_named_with_its_pattern() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = folder.path().join("skin.<UDIM>.png").to_string_lossy().into_owned();
    let tiles = [Tile { u: 0, v: 0 }, Tile { u: 2, v: 1 }];
    write(&tile_path(&pattern, tiles[0]), &saw(3, Depth::Bits8), &Writing::default()).unwrap();
    let error = read_tile(&pattern, &tiles, tiles[1]).unwrap_err();
    assert_eq!(error.kind(), Kind::MissingFile);
    assert!(error.message().contains("1013") && error.message().contains("skin.<UDIM>.png"), "{error}");
    assert_eq!(read_tile(&pattern, &tiles, tiles[0]).unwrap(), saw(3, Depth::Bits8));
    let single = tile_path(&pattern, tiles[0]).to_string_lossy().into_owned();
    assert_eq!(read_tile(&single, &tiles, tiles[0]).unwrap_err().kind(), Kind::MissingInput);
    assert_eq!(Tile::from_number(1013).unwrap(), tiles[1]);
    assert!(Tile::from_number(1000).is_err() && Tile::from_number(10_000).is_err());
}

#[test]
fn every_packing_brings_halves_and_floats_back() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    for packing in [Packing::Zip, Packing::Zips, Packing::Piz, Packing::Pxr24, Packing::Rle, Packing::None] {
        for (depth, mipmaps) in [(Depth::Half, false), (Depth::Float, false), (Depth::Half, true)] {
            // Quarters are exact with twenty-four bits too.
            let picture = saw(4, depth);
            write(&path, &picture, &Writing { packing, mipmaps, ..Writing::default() }).unwrap();
            assert_eq!(read(&path).unwrap(), picture, "{packing:?} {depth:?} {mipmaps}");
        }
    }
}

#[test]
fn coarse_channels_have_the_digits_of_halves_where_they_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    let mut picture = Picture::new([2, 1], 4, Depth::Float);
    let third = 1.0 / 3.0;
    let writing = Writing { coarse: &[2, 3], ..Writing::default() };
    let mut back = |blue: f32| {
        picture.samples = Samples::F32(vec![third, third, third, 1.0, 0.0, 0.0, blue, 0.0]);
        write(&path, &picture, &writing).unwrap();
        let Samples::F32(numbers) = read(&path).unwrap().samples else { panic!("floats") };
        numbers
    };
    let fits = back(60_000.0);
    assert!(fits[0] == third && fits[2] != third && (fits[2] - third).abs() < 1.0 / 4096.0, "{fits:?}");
    assert_eq!(back(70_000.0)[2..7], [fits[2], 1.0, 0.0, 0.0, 70_000.0]);
}

/// Only the window is stored, but the whole is read.
#[test]
fn a_cropped_file_is_smaller_and_comes_back_whole() {
    let folder = tempfile::tempdir().unwrap();
    let mut picture = Picture::new([64, 48], 4, Depth::Float);
    let held = |k: usize| (20..31).contains(&(k / 4 % 64)) && (7..40).contains(&(k / 256));
    let numbers: Vec<f32> = (0..64 * 48 * 4).map(|k| if held(k) { k as f32 } else { 0.0 }).collect();
    picture.samples = Samples::F32(numbers);
    let paths = ["whole", "part"].map(|name| folder.path().join(format!("{name}.exr")));
    for (path, crop) in paths.iter().zip([Crop::No, Crop::NotZero]) {
        write(path, &picture, &Writing { packing: Packing::None, crop, ..Writing::default() }).unwrap();
        assert_eq!(read(path).unwrap(), picture);
    }
    let [whole, part] = paths.map(|path| std::fs::read(path).unwrap());
    assert!(part.len() * 6 < whole.len(), "{} {}", part.len(), whole.len());
    let box_of = |name: &[u8]| -> Vec<i32> {
        let start = part.windows(name.len()).position(|bytes| bytes == name).unwrap() + name.len();
        // The name is followed by its type and its size.
        let numbers = &part[start + b"\0box2i\0".len() + 4..][..16];
        numbers.chunks_exact(4).map(|b| i32::from_le_bytes(b.try_into().unwrap())).collect()
    };
    assert_eq!((box_of(b"dataWindow"), box_of(b"displayWindow")), (vec![20, 7, 30, 39], vec![0, 0, 63, 47]));
}

/// The levels as read by the library that wrote them: each is half as large, and has the same mean.
#[test]
fn an_exr_file_with_smaller_copies_has_them_all() {
    use ::exr::prelude::{ReadChannels, ReadLayers};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.exr");
    let mut picture = Picture::new([16, 4], 2, Depth::Float);
    picture.samples = Samples::F32((0..128).map(|k| (k * 7 % 32) as f32).collect());
    write(&path, &picture, &Writing { mipmaps: true, ..Writing::default() }).unwrap();
    let image = ::exr::prelude::read()
        .no_deep_data()
        .all_resolution_levels()
        .all_channels()
        .first_valid_layer()
        .all_attributes()
        .from_file(&path)
        .unwrap();
    let channels = &image.layer_data.channel_data.list;
    for channel in channels {
        let levels = channel.sample_data.levels_as_slice();
        assert_eq!(levels.iter().map(|level| level.len()).collect::<Vec<_>>(), [64, 16, 4, 2, 1]);
        let mean = |k: usize| levels[k].values_as_f32().sum::<f32>() / levels[k].len() as f32;
        assert!((1..5).all(|k| (mean(k) - mean(0)).abs() < 1e-4), "{}", channel.name);
    }
    let stated = &image.layer_data.attributes;
    assert_eq!(stated.software_name.as_ref().unwrap().to_string(), PROGRAM);
}

/// What sources say about their colours is kept, whatever the format, and the file names the program that wrote it.
#[test]
fn profiles_chromaticities_and_notes_are_in_the_files() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let wide = sinew_texture::ColourSpace::DisplayP3.profile();
    let mut floats = saw(3, Depth::Half);
    floats.profile.chromaticities = wide.chromaticities;
    let writing = Writing { note: "job.xml, frame 7", ..Writing::default() };
    write(&at("a.exr"), &floats, &writing).unwrap();
    assert_eq!(read(&at("a.exr")).unwrap(), floats);
    let bytes = std::fs::read(at("a.exr")).unwrap();
    for text in [PROGRAM, "job.xml, frame 7"] {
        assert!(bytes.windows(text.len()).any(|w| w == text.as_bytes()), "{text}");
    }
    let srgb = sinew_texture::Profile { srgb: true, ..Default::default() };
    let linear = sinew_texture::Profile { gamma: Some(1.0), ..wide };
    let icc = sinew_texture::Profile { icc: Some((0..=255).collect()), ..Default::default() };
    for (depth, profile) in [(Depth::Bits8, srgb), (Depth::Bits16, linear), (Depth::Bits8, icc.clone())] {
        let mut picture = saw(4, depth);
        picture.profile = profile;
        write(&at("a.png"), &picture, &writing).unwrap();
        let back = read(&at("a.png")).unwrap();
        assert_eq!(back.samples, picture.samples);
        let numbers = |p: &sinew_texture::Profile| {
            let all = p.chromaticities.iter().flatten().chain(&p.gamma);
            all.map(|x| (x * 1e4).round()).collect::<Vec<f32>>()
        };
        assert_eq!(numbers(&back.profile), numbers(&picture.profile), "{depth:?}");
        assert_eq!((back.profile.srgb, &back.profile.icc), (picture.profile.srgb, &picture.profile.icc));
        let bytes = std::fs::read(at("a.png")).unwrap();
        for text in [PROGRAM, "job.xml, frame 7"] {
            assert!(bytes.windows(text.len()).any(|w| w == text.as_bytes()), "{text}");
        }
    }
    // Other programs write JPEG with a profile.
    let colours = ::image::RgbImage::from_pixel(8, 8, ::image::Rgb([10, 200, 90]));
    let mut bytes = std::io::Cursor::new(Vec::new());
    let mut encoder = ::image::codecs::jpeg::JpegEncoder::new(&mut bytes);
    ::image::ImageEncoder::set_icc_profile(&mut encoder, icc.icc.clone().unwrap()).unwrap();
    encoder.encode_image(&colours).unwrap();
    assert_eq!(parse(&bytes.into_inner()).unwrap().profile.icc, icc.icc);
}
