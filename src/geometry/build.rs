//! Builds the bridge to OpenSubdiv when the feature `opensubdiv` is on.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    #[cfg(feature = "opensubdiv")]
    opensubdiv();
}

#[cfg(feature = "opensubdiv")]
fn opensubdiv() {
    let (header, code) = ("../../cpp/osd/bridge.h", "../../cpp/osd/bridge.cpp");
    for file in [header, code, "subdivision.rs"] {
        println!("cargo:rerun-if-changed={file}");
    }
    cxx_build::bridge("subdivision.rs")
        .include("../..")
        .file(code)
        .std("c++17")
        .flag_if_supported("-Wall")
        .flag_if_supported("-Wextra")
        // Where the target has fused multiply-add, compilers would use it: bits would differ from other targets.
        .flag_if_supported("-ffp-contract=off")
        .compile("sinew_osd");
    println!("cargo:rustc-link-lib=dylib=osdCPU");
}
