//! Builds the bridge to OpenSubdiv when the feature `opensubdiv` is on; does nothing otherwise.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "opensubdiv")]
    opensubdiv();
}

#[cfg(feature = "opensubdiv")]
fn opensubdiv() {
    for file in ["cpp/osd/bridge.h", "cpp/osd/bridge.cpp", "src/geometry/subdivision.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cxx_build::bridge("src/geometry/subdivision.rs")
        .file("cpp/osd/bridge.cpp")
        .std("c++17")
        .flag_if_supported("-Wall")
        .flag_if_supported("-Wextra")
        .compile("sinew_osd");
    println!("cargo:rustc-link-lib=dylib=osdCPU");
}
