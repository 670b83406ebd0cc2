//! CXSparse, compiled and loaded when the benchmark runs, so that nothing else depends on it.

use sinew::skin::paper::System;
use std::ffi::{CString, c_char, c_int, c_void};
use std::process::Command;
use std::time::Instant;

type Solve = unsafe extern "C" fn(c_int, c_int, *mut c_int, *mut c_int, *mut f64, *mut f64) -> c_int;

/// The loaded solver.
pub struct Peer(Solve);

/// A KKT matrix by columns, with its right-hand side.
pub struct Kkt {
    starts: Vec<c_int>,
    rows: Vec<c_int>,
    values: Vec<f64>,
    force: Vec<f64>,
    expected: Vec<f64>,
}

impl Kkt {
    /// (M* G^T; G 0) with fixed vertices as rows, as in the paper.
    pub fn new(system: &System) -> Self {
        let (n, m) = (system.force.len(), system.speeds.len());
        let mut all = sprs::TriMat::new((n + m, n + m));
        system.matrix.iter().for_each(|(&v, (i, j))| all.add_triplet(i, j, v));
        for (&v, (r, j)) in system.rows {
            all.add_triplet(n + r, j, v);
            all.add_triplet(j, n + r, v);
        }
        let all: sprs::CsMat<f64> = all.to_csc();
        let force = system.force.iter().chain(system.speeds).copied().collect();
        let narrow = |values: &[usize]| values.iter().map(|&v| v as c_int).collect();
        Kkt {
            starts: narrow(all.indptr().raw_storage()),
            rows: narrow(all.indices()),
            values: all.data().to_vec(),
            force,
            expected: system.solution.to_vec(),
        }
    }
}

impl Peer {
    /// Compiles and loads the solver; returns the reason if that fails.
    pub fn load() -> Result<Self, String> {
        let folder = env!("CARGO_TARGET_TMPDIR");
        let (source, library) = ("tests/bench/skin/csparse.c", format!("{folder}/libcsparse_peer.so"));
        let done = Command::new("cc")
            .args(["-O3", "-march=native", "-shared", "-fPIC", "-I/usr/include/suitesparse", source])
            .args(["-o", &library, "-lcxsparse"])
            .output()
            .map_err(|e| format!("there is no C compiler `cc` ({e})"))?;
        if !done.status.success() {
            return Err("CXSparse is not here (Debian: apt-get install libsuitesparse-dev)".to_string());
        }
        let path = CString::new(library).map_err(|e| e.to_string())?;
        // SAFETY: the library was made a moment ago from our source; it has no code that runs on loading.
        let handle: *mut c_void = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_NOW) };
        if handle.is_null() {
            return Err("the compiled peer does not load".to_string());
        }
        let name: *const c_char = c"peer_solve".as_ptr();
        // SAFETY: the handle is that of a loaded library, which is never closed.
        let found = unsafe { libc::dlsym(handle, name) };
        if found.is_null() {
            return Err("the compiled peer has no `peer_solve`".to_string());
        }
        // SAFETY: the source declares the function with this signature.
        Ok(Peer(unsafe { std::mem::transmute::<*mut c_void, Solve>(found) }))
    }

    /// Milliseconds of one solve, and how far its velocities are off ours as a part of the largest.
    pub fn solve(&self, order: i32, kkt: &mut Kkt) -> (f64, f64) {
        let mut x = kkt.force.clone();
        let clock = Instant::now();
        // SAFETY: the arrays are those of a matrix by columns of x.len() rows and live through the call.
        let well = unsafe {
            (self.0)(
                order,
                x.len() as c_int,
                kkt.starts.as_mut_ptr(),
                kkt.rows.as_mut_ptr(),
                kkt.values.as_mut_ptr(),
                x.as_mut_ptr(),
            )
        };
        let time = clock.elapsed().as_secs_f64() * 1e3;
        let largest = kkt.expected.iter().fold(1e-300, |m: f64, v| m.max(v.abs()));
        let off = kkt.expected.iter().zip(&x).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max) / largest;
        (time, if well == 1 { off } else { f64::INFINITY })
    }
}
