//! Programs that offload, through LLVM's libomptarget.

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, Program};

use crate::place;
use crate::session::{Served, Session, finished};

/// LLVM's own runtime is no judge: every third time it ends in an assertion of its own.
#[test]
fn work_on_the_host_device_is_done_and_waited_for() {
    let needed = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
    if !has_all(&needed.map(Into::into)) {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = folder.path().join("offload");
    finished(
        Program::Clang
            .command()
            .args(["-O2", "-Wall", "-Wextra", "-Werror", "-fopenmp"])
            .arg(format!("-fopenmp-targets={}-pc-linux-gnu", std::env::consts::ARCH))
            .arg("-o")
            .arg(&program)
            .arg(place::workspace().join("tests/real/offload.c")),
    );
    let outcome = Session::new(program, Served::Library).on_ours(&[]);
    let answers = "devices: 4, the host is 4\non the host: 0\nsum: 2.04797e+09\n\
        copied: 1, the last is 999\n";
    assert_eq!(outcome.stdout, answers);
}
