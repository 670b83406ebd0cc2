//! What is asked for on the command line.

use std::path::PathBuf;

pub const HELP: &str = "\
cargo bench --bench bodies -- [OPTIONS] [BODY...]

  BODY...                  only the bodies of these names
  --folder DIR             where bodies are; else SINEW_BODIES, else ../shared/data/bodies beside the repository
  --modes LIST             quasistatic,dynamic
  --set KEY=VALUE          a parameter of the node; may be repeated
  --frames N               only the first N frames
  --unit METRES            the unit of the files; else metres, and centimetres where a body would be taller than 20 m
  --quick                  no stricter solve, no 48 fps, and no Blender unless --python is given
  --python PATH            a Python with bpy and numpy, for Blender's rows";

/// The options, each at its default when it is not given.
pub struct Options {
    pub names: Vec<String>,
    pub folder: PathBuf,
    pub modes: Vec<String>,
    pub params: Vec<(String, String)>,
    pub frames: usize,
    pub unit: Option<f64>,
    pub quick: bool,
    pub python: Option<PathBuf>,
}

impl Options {
    /// Reads the arguments; an error is a line for the user.
    pub fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Options, String> {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
        let mut options = Options {
            names: Vec::new(),
            folder: std::env::var_os("SINEW_BODIES")
                .map_or_else(|| root.join("../shared/data/bodies"), PathBuf::from),
            modes: vec!["quasistatic".into(), "dynamic".into()],
            params: Vec::new(),
            frames: usize::MAX,
            unit: None,
            quick: false,
            python: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                // cargo passes this to every benchmark.
                "--bench" => {}
                "--quick" => options.quick = true,
                "--folder" => options.folder = value()?.into(),
                "--python" => options.python = Some(value()?.into()),
                "--modes" => options.modes = value()?.split(',').map(String::from).collect(),
                "--frames" => options.frames = number(&value()?)? as usize,
                "--unit" => options.unit = Some(number(&value()?)?),
                "--set" => {
                    let value = value()?;
                    let (key, text) = value.split_once('=').ok_or("--set needs KEY=VALUE")?;
                    options.params.push((key.into(), text.into()));
                }
                option if option.starts_with('-') => return Err(format!("no option {option}\n\n{HELP}")),
                name => options.names.push(name.into()),
            }
        }
        Ok(options)
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| format!("{text} is not a number"))
}
