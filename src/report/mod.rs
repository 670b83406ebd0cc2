//! A page to review a slide: what `sinew slide` wrote into a folder as one HTML file that needs nothing else.
//!
//! [`Report::gather`] reads and checks the folder, [`Report::page`] packs it. Numbers are stored as whole multiples of a
//! step, which the page states:
//!
//! | what | step | so that it is off by at most |
//! |---|---|---|
//! | positions | the largest side of any frame's box / 65535, from the frame's own corner | half a step |
//! | UVs | 2^-15, from 0 | 2^-16: a 16th of a texel of a 4k texture |
//! | maps | what a map spans in all frames / 65535 | half a step |
//!
//! Stored is how much more a number has changed since the frame before than its neighbour has, all lowest bytes first;
//! every frame is deflated by itself, so that the page can show the first before it has read the last.

mod folder;
mod pack;
mod page;
mod split;
mod told;

pub use folder::{Frame, Report, frame_file};
pub use page::{MAX_PAGE, Texture};
pub use told::{Row, Run, Warning};
