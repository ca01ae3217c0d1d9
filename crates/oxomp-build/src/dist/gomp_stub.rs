//! `libgomp.so` to link with: each implemented symbol at the version libgomp itself gives it.
//!
//! A name can have one default version per file, and in libomp.so that is `VERSION`. A program
//! linked with `gcc -fopenmp -Ldist/lib` must ask for `GOMP_4.0` and `OMP_1.0` instead, so that it
//! runs on libgomp too. The stub holds names only; programs load `libgomp.so.1`.
//!
//! Routines that libgomp lacks, as `omp_control_tool`, have no version in the stub: a program that
//! asked for them at `VERSION` would not start on libgomp; without one it starts there, and ends at
//! the first call. The functions of a tool, `ompt_tool` and `ompt_start_tool`, are in the stub too.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsString;
use std::fmt::Write;
use std::path::Path;
use std::process::Command;
use std::{env, fs};

use anyhow::{Context, Result};

use super::install;
use crate::command;
use crate::elf::SharedObject;
use crate::exports::{self, Reference};

/// Writes the stub for the runtime at `runtime` to `to`, unless it is newer than the runtime and
/// than this program. `compiler` are the words that call a C compiler.
pub(super) fn write(root: &Path, runtime: &Path, to: &Path, compiler: &[OsString]) -> Result<()> {
    if is_newer(to, runtime) && is_newer(to, &env::current_exe()?) {
        return Ok(());
    }
    let source = Source::new(&exports::read(root)?, &SharedObject::read(runtime)?);
    let folder = tempfile::tempdir()?;
    let (assembly, script) = (folder.path().join("stub.s"), folder.path().join("stub.map"));
    let built = folder.path().join("libgomp.so");
    fs::write(&assembly, source.assembly)?;
    fs::write(&script, source.version_script)?;
    let (compiler, arguments) = compiler.split_first().context("no C compiler is given")?;
    command::capture(
        Command::new(compiler)
            .args(arguments)
            .args(["-shared", "-nostdlib", "-s", "-Wl,-soname,libgomp.so.1"])
            .arg(format!("-Wl,--version-script={}", script.display()))
            .arg("-o")
            .args([&built, &assembly]),
    )
    .context("cannot link the stub libgomp.so (a C compiler is needed; CC names another one)")?;
    let contents = fs::read(&built)?;
    let _ = fs::remove_file(to);
    install::replace(to, &contents, 0o755)
}

fn is_newer(stub: &Path, runtime: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified());
    matches!((modified(stub), modified(runtime)), (Ok(stub), Ok(runtime)) if stub > runtime)
}

struct Source {
    assembly: String,
    version_script: String,
}

/// How the names of the routines that users call, and of a tool's functions, begin: since the
/// library has these names, the linker exports the definitions of a tool that is part of the
/// program.
const ROUTINES: [&str; 5] = ["omp_", "kmp_", "ompt_control", "ompt_start_tool", "ompt_tool"];

impl Source {
    fn new(references: &[Reference], runtime: &SharedObject) -> Self {
        let mut nodes: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
        let mut assembly = String::from(".text\n");
        for reference in references {
            let name = &reference.name;
            match reference.current_node() {
                Some(node) if runtime.exports(name, node) => {
                    nodes.entry(node).or_default().insert(name);
                }
                None if is_routine(reference) && runtime.exports(name, "VERSION") => {}
                _ => continue,
            }
            let _ = writeln!(assembly, ".globl {name}\n.type {name},%function\n{name}: .byte 0");
        }
        assembly.push_str(".section .note.GNU-stack,\"\",%progbits\n");
        let mut version_script = String::new();
        for (node, names) in &nodes {
            let _ = writeln!(version_script, "{node} {{ global:");
            for name in names {
                let _ = writeln!(version_script, "  {name};");
            }
            let _ = writeln!(version_script, "}};");
        }
        if nodes.is_empty() {
            version_script.push_str("{ local: *; };\n");
        }
        Self { assembly, version_script }
    }
}

fn is_routine(reference: &Reference) -> bool {
    !reference.data && ROUTINES.iter().any(|beginning| reference.name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::{Reference, SharedObject, Source};
    use crate::elf::Symbol;
    use crate::exports::Tier;
    use std::collections::BTreeSet;

    fn runtime(names: &[(&str, &str)]) -> SharedObject {
        SharedObject {
            soname: None,
            needed: Vec::new(),
            nodelete: true,
            nodes: BTreeSet::new(),
            exports: names
                .iter()
                .map(|(name, node)| Symbol {
                    name: (*name).to_owned(),
                    node: Some((*node).to_owned()),
                    default: false,
                    data: false,
                    weak: false,
                    size: 1,
                })
                .collect(),
            imports: BTreeSet::new(),
        }
    }

    fn lock() -> Reference {
        Reference {
            name: "omp_set_lock".to_owned(),
            data: false,
            tier: Tier::Common,
            libomp: Some(19),
            libgomp: Some(12),
            nodes: vec!["OMP_1.0".to_owned(), "OMP_3.0".to_owned()],
        }
    }

    #[test]
    fn a_symbol_is_offered_at_its_default_node_only() {
        let source = Source::new(
            &[lock()],
            &runtime(&[("omp_set_lock", "OMP_1.0"), ("omp_set_lock", "OMP_3.0")]),
        );
        assert_eq!(source.version_script, "OMP_3.0 { global:\n  omp_set_lock;\n};\n");
        assert!(source.assembly.contains("omp_set_lock: .byte 0"));
    }

    #[test]
    fn a_routine_that_libgomp_lacks_is_offered_without_a_version() {
        let only_ours = |name: &str| Reference {
            name: name.to_owned(),
            libgomp: None,
            nodes: Vec::new(),
            ..lock()
        };
        let references =
            ["omp_control_tool", "ompt_control", "ompt_tool", "omp_absent", "__kmpc_fork_call"]
                .map(only_ours);
        let exported = ["omp_control_tool", "ompt_control", "ompt_tool", "__kmpc_fork_call"]
            .map(|name| (name, "VERSION"));
        let source = Source::new(&references, &runtime(&exported));
        assert_eq!(source.version_script, "{ local: *; };\n");
        assert_eq!(source.assembly.matches(".globl").count(), 3);
        assert!(source.assembly.contains("omp_control_tool: .byte 0"));
        assert!(source.assembly.contains("ompt_control: .byte 0"));
        assert!(source.assembly.contains("ompt_tool: .byte 0"));
    }

    #[test]
    fn an_absent_symbol_is_not_offered() {
        let source = Source::new(&[lock()], &runtime(&[("omp_set_lock", "OMP_1.0")]));
        assert!(!source.assembly.contains("omp_set_lock"));
        assert!(!source.version_script.contains("OMP_3.0"));
    }
}
