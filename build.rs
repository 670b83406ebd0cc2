//! Sets the shared library's SONAME, and keeps it in memory once it is loaded.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    name_the_library();
    keep_the_library();
}

/// The name that a linked program asks the loader for; without it, the program records the path at which its linker
/// found the library, a build folder. No version in the name: the one file can then be linked where cargo leaves it,
/// and `sinew_check_version` tells a program whether the loaded library is compatible. The shipped one has the major
/// version of the ABI in its name (`cpp/dist.sh`).
fn name_the_library() {
    println!("cargo:rerun-if-env-changed=SINEW_SONAME");
    let soname = std::env::var("SINEW_SONAME").unwrap_or_else(|_| "libsinew.so".into());
    match std::env::var("CARGO_CFG_TARGET_OS").as_deref() {
        Ok("windows") => {} // the import library holds the name
        Ok("macos") => println!("cargo:rustc-cdylib-link-arg=-Wl,-install_name,@rpath/libsinew.dylib"),
        _ => println!("cargo:rustc-cdylib-link-arg=-Wl,-soname,{soname}"),
    }
}

/// A host that unloads a plug-in would unload the library with it, while threads of the library's pool wait in its code.
/// On macOS and Windows that is for the host to see to.
fn keep_the_library() {
    if std::env::var("CARGO_CFG_TARGET_OS").as_deref() == Ok("linux") {
        println!("cargo:rustc-cdylib-link-arg=-Wl,-z,nodelete");
    }
}
