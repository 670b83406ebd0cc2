//! Names the shared library in itself; builds the bridge to OpenSubdiv when the feature `opensubdiv` is on.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    name_the_library();
    #[cfg(feature = "opensubdiv")]
    opensubdiv();
}

/// What a program that links the library asks the loader for; without it the program records the path that its linker
/// saw, which is a build folder. No version in the name: the one file can then be linked where cargo leaves it, and
/// `sinew_check_version` tells a program whether the library that it got can serve it. What is shipped has the major version
/// of the ABI in its name (`cpp/dist.sh`).
fn name_the_library() {
    println!("cargo:rerun-if-env-changed=SINEW_SONAME");
    let soname = std::env::var("SINEW_SONAME").unwrap_or_else(|_| "libsinew.so".into());
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => {} // the import library holds the name
        Ok("macos") => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsinew.dylib"),
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}"),
    }
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
