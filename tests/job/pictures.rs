//! Pictures that jobs read and write: cut short, huge by their headers, cropped, and as other programs read them.

use crate::strip::{sinew, strip, text};
use image::{ImageFormat, RgbImage};
use sinew::error::Kind;
use sinew::formats::picture;
use std::io::Cursor;

fn noise(side: u32) -> RgbImage {
    let value = |x: u32, y: u32, k: u32| ((x * 7919 + y * 104_729 + k * 31) % 241) as u8;
    RgbImage::from_fn(side, side, |x, y| image::Rgb([0, 1, 2].map(|k| value(x, y, k))))
}

fn packed(format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    noise(40).write_to(&mut bytes, format).unwrap();
    bytes.into_inner()
}

/// Whatever the length, a part of a file is an error or, if only an end that holds no pixel is missing, the picture.
#[test]
fn no_part_of_a_file_passes_for_the_picture() {
    let files = [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Tiff].map(packed);
    for bytes in files {
        let whole = picture::parse(&bytes).unwrap();
        let parts = (0..bytes.len()).step_by(7).chain(bytes.len().saturating_sub(40)..bytes.len());
        for length in parts {
            if let Ok(part) = picture::parse(&bytes[..length]) {
                assert!(part == whole, "{length} of {} bytes, {:?}", bytes.len(), &bytes[..4]);
            }
        }
    }
    let jpeg = packed(ImageFormat::Jpeg);
    let error = picture::parse(&jpeg[..jpeg.len() / 2]).unwrap_err();
    assert!(error.kind() == Kind::Parse && error.message().contains("cut short"), "{error}");
}

/// The end of a thumbnail inside a segment is not the end of the picture, and bytes after the end do no harm.
#[test]
fn a_thumbnail_does_not_end_a_jpeg() {
    let (jpeg, small) = (packed(ImageFormat::Jpeg), packed(ImageFormat::Jpeg));
    let length = (small.len() + 2) as u16;
    let mut with = [&jpeg[..2], &[0xff, 0xe1], &length.to_be_bytes(), &small, &jpeg[2..]].concat();
    let whole = picture::parse(&jpeg).unwrap();
    assert!(picture::parse(&with).unwrap() == whole);
    with.extend(b"more");
    assert!(picture::parse(&with).unwrap() == whole);
    let cut = &with[..with.len() - jpeg.len() / 3];
    assert!(picture::parse(cut).unwrap_err().message().contains("cut short"));
}

/// A chunk of a PNG.
fn chunk(name: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let named = [&name[..], data].concat();
    let (length, sum) = ((data.len() as u32).to_be_bytes(), crc32fast::hash(&named).to_be_bytes());
    [&length[..], &named, &sum].concat()
}

#[test]
fn a_large_picture_is_described_by_its_header() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("map.png");
    let reported = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        sinew(folder.path(), &["info", "map.png"])
    };
    // A header alone: whoever decodes pixels fails.
    let size = [11_000u32.to_be_bytes(), 9_000u32.to_be_bytes()].concat();
    let head =
        [&b"\x89PNG\r\n\x1a\n"[..], &chunk(b"IHDR", &[&size[..], &[16, 2, 0, 0, 0]].concat())].concat();
    let output = reported(&head);
    let holds = text(&output.stdout);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(
        holds.contains("[11000,9000]") && holds.contains("colours") && holds.contains("bits: 16"),
        "{holds}"
    );
    let small = reported(&packed(ImageFormat::Png));
    assert!(text(&small.stdout).contains("range: [0.0,"), "{}", text(&small.stdout));
    for (format, bytes) in
        [(ImageFormat::Jpeg, packed(ImageFormat::Jpeg)), (ImageFormat::Tiff, packed(ImageFormat::Tiff))]
    {
        std::fs::write(&path, bytes).unwrap();
        let header = picture::header(&path).unwrap();
        assert_eq!((header.size, header.channels), ([40, 40], 3), "{format:?}");
    }
}

/// A profile of 64 MB of zeros takes 64 kB in the file.
#[test]
#[cfg(target_os = "linux")]
fn a_colour_profile_takes_memory_in_proportion_and_a_true_one_is_kept() {
    let plain = packed(ImageFormat::Png);
    let with = |profile: &[u8]| {
        let mut info = png::Info::with_size(40, 40);
        (info.color_type, info.icc_profile) = (png::ColorType::Rgb, Some(profile.into()));
        let mut bytes = Vec::new();
        let mut writer = png::Encoder::with_info(&mut bytes, info).unwrap().write_header().unwrap();
        writer.write_image_data(noise(40).as_raw()).unwrap();
        writer.finish().unwrap();
        bytes
    };
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("bomb.png"), with(&vec![0; 64 << 20])).unwrap();
    // Less address space than the profile takes, beside the program's own.
    let limited = |file: &str| {
        let script = format!("ulimit -v 1000000; {} -j 1 info {file}", env!("CARGO_BIN_EXE_sinew"));
        std::process::Command::new("bash").args(["-c", &script]).current_dir(folder.path()).output().unwrap()
    };
    assert!(limited("bomb.png").status.success());
    let bomb = std::fs::read(folder.path().join("bomb.png")).unwrap();
    let read = picture::parse(&bomb).unwrap();
    assert_eq!(read.profile.icc, None, "what is unpacked is bounded");
    let profile: Vec<u8> = (0..3000).map(|k| (k * k % 251) as u8).collect();
    let read = picture::parse(&with(&profile)).unwrap();
    assert_eq!(read.profile.icc.as_deref(), Some(profile.as_slice()));
    assert!(read.samples == picture::parse(&plain).unwrap().samples);
}

/// Cropped to the islands and their padding; all channels have one depth, as readers with one array need it.
#[test]
fn a_cropped_st_map_holds_its_islands_and_one_depth() {
    use exr::prelude::{MetaData, SampleType};
    let folder = strip(2);
    // The island takes the middle of the tile.
    let rest = std::fs::read_to_string(folder.path().join("rest.obj")).unwrap();
    let part = |line: &str| {
        let numbers: Vec<f64> = line.split_whitespace().skip(1).map(|word| word.parse().unwrap()).collect();
        format!("vt {} {}", 0.25 + 0.5 * numbers[0], 0.5 + 0.25 * numbers[1])
    };
    let lines = rest.lines().map(|line| if line.starts_with("vt") { part(line) } else { line.into() });
    std::fs::write(folder.path().join("rest.obj"), lines.collect::<Vec<_>>().join("\n")).unwrap();
    let job = r#"<sinew version="1"><frames range="1-2" fps="24"/><node type="skin_slider">
        <input port="rest" file="rest.obj"/><input port="points" file="body.%04d.obj"/></node><outputs folder="out"><tables/>
        <st_map file="whole.%04d.exr" size="512"/><st_map file="part.%04d.exr" size="512" crop="yes"/>
        <st_map file="half.%04d.exr" size="512" depth="half" crop="yes"/></outputs></sinew>"#;
    std::fs::write(folder.path().join("job.xml"), job).unwrap();
    let output = sinew(folder.path(), &["run", "job.xml"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let at = |name: &str| folder.path().join("out").join(name);
    for (name, depth, window) in [
        ("whole", SampleType::F32, ((0, 0), (512, 512))),
        ("part", SampleType::F32, ((127, 127), (258, 130))),
        ("half", SampleType::F16, ((127, 127), (258, 130))),
    ] {
        let meta = MetaData::read_from_file(at(&format!("{name}.0002.exr")), false).unwrap();
        let header = &meta.headers[0];
        assert!(header.channels.list.iter().all(|channel| channel.sample_type == depth), "{name}");
        let (first, size) = (header.own_attributes.layer_position, header.layer_size);
        assert_eq!(((first.x(), first.y()), (size.x(), size.y())), window, "{name}");
        let all = header.shared_attributes.display_window.size;
        assert_eq!((all.x(), all.y()), (512, 512));
    }
    let [whole, part] =
        ["whole", "part"].map(|name| picture::read(&at(&format!("{name}.0002.exr"))).unwrap());
    let sinew::texture::Samples::F32(whole) = whole.samples else { panic!("floats") };
    let sinew::texture::Samples::F32(part) = part.samples else { panic!("floats") };
    let islands = whole.chunks_exact(4).zip(part.chunks_exact(4)).filter(|(own, _)| own[3] == 1.0);
    assert!(islands.clone().count() > 30_000 && islands.clone().all(|(own, cut)| own == cut));
}
