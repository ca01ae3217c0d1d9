//! `libgomp.so` to link with: each implemented symbol at the version libgomp itself gives it.
//!
//! A name can have one default version per file, and in libomp.so that is `VERSION`. A program
//! linked with `gcc -fopenmp -Ldist/lib` must ask for `GOMP_4.0` and `OMP_1.0` instead, so that it
//! runs on libgomp too. The stub holds names only; programs load `libgomp.so.1`. One that opens
//! `libgomp.so` itself gets the runtime, for which the stub stands.
//!
//! Routines that libgomp lacks, as `omp_control_tool`, have no version in the stub: a program that
//! asked for them at `VERSION` would not start on libgomp; without one it starts there, and ends at
//! the first call. The stub asks for the functions of a tool, `ompt_tool` and `ompt_start_tool`, so
//! that the linker exports the definitions of a tool that is part of the program.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::{env, fs};

use anyhow::Result;

use super::stub::{OF_TOOLS, Stub, StubTools};
use crate::elf::SharedObject;
use crate::exports::{self, Reference};

/// Writes the stub for the runtime at `runtime` to `to`, unless it is newer than the runtime and
/// than this program.
pub(super) fn write(root: &Path, runtime: &Path, to: &Path, tools: &StubTools) -> Result<()> {
    if is_newer(to, runtime) && is_newer(to, &env::current_exe()?) {
        return Ok(());
    }
    let (references, runtime) = (exports::read(root)?, SharedObject::read(runtime)?);
    stub(&references, &runtime).link(tools, to)
}

fn is_newer(stub: &Path, runtime: &Path) -> bool {
    let modified = |path: &Path| fs::metadata(path).and_then(|file| file.modified());
    matches!((modified(stub), modified(runtime)), (Ok(stub), Ok(runtime)) if stub > runtime)
}

/// How the names of the routines that users call begin.
const ROUTINES: [&str; 3] = ["omp_", "kmp_", "ompt_control"];

fn stub<'a>(references: &'a [Reference], runtime: &SharedObject) -> Stub<'a> {
    let mut stub = Stub {
        soname: "libgomp.so.1",
        stands_for: "libomp.so",
        nodes: BTreeMap::new(),
        unversioned: BTreeSet::new(),
        data: BTreeMap::new(),
        asked_for: BTreeSet::new(),
    };
    for reference in references {
        let name = reference.name.as_str();
        match reference.current_node() {
            Some(node) if runtime.exports(name, node) => {
                stub.nodes.entry(node).or_default().insert(name);
            }
            None if OF_TOOLS.contains(&name) && runtime.exports(name, "VERSION") => {
                stub.asked_for.insert(name);
            }
            None if is_routine(reference) && runtime.exports(name, "VERSION") => {
                stub.unversioned.insert(name);
            }
            _ => {}
        }
    }
    stub
}

fn is_routine(reference: &Reference) -> bool {
    !reference.data && ROUTINES.iter().any(|beginning| reference.name.starts_with(beginning))
}

#[cfg(test)]
mod tests {
    use super::{Reference, SharedObject, stub};
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
        let runtime = runtime(&[("omp_set_lock", "OMP_1.0"), ("omp_set_lock", "OMP_3.0")]);
        let references = [lock()];
        let source = stub(&references, &runtime);
        assert_eq!(source.version_script(), "OMP_3.0 { global:\n  omp_set_lock;\n};\n");
        assert!(source.assembly().contains("omp_set_lock: .byte 0"));
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
        let source = stub(&references, &runtime(&exported));
        assert_eq!(source.version_script(), "{ global: *; };\n");
        assert_eq!(source.assembly().matches(".globl").count(), 2);
        assert!(source.assembly().contains("omp_control_tool: .byte 0"));
        assert!(source.assembly().contains("ompt_control: .byte 0"));
        assert!(source.assembly().contains(".weak ompt_tool\n"));
    }

    #[test]
    fn an_absent_symbol_is_not_offered() {
        let references = [lock()];
        let source = stub(&references, &runtime(&[("omp_set_lock", "OMP_1.0")]));
        assert!(!source.assembly().contains("omp_set_lock"));
        assert!(!source.version_script().contains("OMP_3.0"));
    }
}
