//! The compiler's flags for what packages hold.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use oxomp_build::command;

use super::place::Place;
use super::registry::cargo_home;

/// Flags for all that is built: the linker numbers the files, by which debuggers find their debug
/// information, and the compiler writes this machine's paths by names that are the same everywhere.
#[derive(Debug)]
pub(super) struct Flags(Vec<String>);

impl Flags {
    /// The flags for builds on this machine.
    pub(super) fn new() -> Result<Self> {
        let mut flags = vec!["-Clink-arg=-Wl,--build-id=sha1".to_owned()];
        for (from, to) in names()? {
            flags.push(format!("--remap-path-prefix={}={to}", from.display()));
        }
        Ok(Self(flags))
    }

    /// A setting of Cargo that adds the flags to those of `.cargo/config.toml`.
    pub(super) fn beside_those_of_the_workspace(&self) -> String {
        let quoted: Vec<String> = self.0.iter().map(|flag| format!("{flag:?}")).collect();
        format!("build.rustflags=[{}]", quoted.join(","))
    }

    /// The value of `CARGO_ENCODED_RUSTFLAGS` for the command and what else no program of a user
    /// loads, in the place of the workspace's flags. They do without what costs size there: aligned
    /// blocks, which are for short paths through the runtime, and tables for unwinding, as a panic
    /// ends the process.
    pub(super) fn of_our_own(&self) -> String {
        let own = ["-Cforce-frame-pointers=yes", "-Cforce-unwind-tables=no"].map(str::to_owned);
        own.iter().chain(&self.0).map(String::as_str).collect::<Vec<_>>().join("\u{1f}")
    }
}

/// Folders whose paths get into what is built, and their names there.
fn names() -> Result<Vec<(PathBuf, String)>> {
    let mut names = vec![(Place::repository(), "oxomp".to_owned())];
    // The folder of a registry's crates has a number made of the registry's address.
    let registry = cargo_home()?.join("registry/src");
    for entry in fs::read_dir(&registry).with_context(|| registry.display().to_string())? {
        names.push((entry?.path(), "crates".to_owned()));
    }
    let sysroot = command::capture(Command::new("rustc").args(["--print", "sysroot"]))?;
    names.push((Path::new(sysroot.trim()).join("lib/rustlib/src/rust"), "rust".to_owned()));
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::Flags;

    #[test]
    fn our_own_programs_have_their_flags_before_those_of_all() {
        let flags = Flags(vec!["--remap-path-prefix=/a b=oxomp".to_owned()]);
        assert_eq!(
            flags.beside_those_of_the_workspace(),
            "build.rustflags=[\"--remap-path-prefix=/a b=oxomp\"]"
        );
        let own: Vec<String> = flags.of_our_own().split('\u{1f}').map(str::to_owned).collect();
        assert_eq!(own[1..], ["-Cforce-unwind-tables=no", "--remap-path-prefix=/a b=oxomp"]);
    }
}
