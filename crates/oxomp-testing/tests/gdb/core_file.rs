//! The core file that the kernel writes of a program that aborts inside of nested tasks. It lacks
//! the pages that are as in their files, which gdb reads from there.

use std::fs;
use std::path::PathBuf;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::skip;

use crate::FAMILIES;
use crate::session::{is_possible, talk, with_plug_in};
use crate::workplace::Workplace;

const PROGRAM: &str = r"
#include <omp.h>
#include <stdlib.h>
static void descend(int depth)
{
    if (depth == 2)
        abort();
#pragma omp task
    descend(depth + 1);
#pragma omp taskwait
}
static void busy(int *is_there)
{
#pragma omp atomic write
    *is_there = 1;
    for (;;)
        omp_get_level();
}
static void leave(const int *is_there)
{
    int seen = 0;
    while (!seen)
#pragma omp atomic read
        seen = *is_there;
    descend(0);
}
int main(void)
{
    static int is_there;
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0)
        leave(&is_there);
    else
        busy(&is_there);
    return 0;
}
";

/// The core file of the program, with OMP_DEBUG as given; `None` where the kernel puts it
/// elsewhere.
fn core(place: &Workplace, debug: &str) -> Option<PathBuf> {
    let pattern = fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.starts_with('|') || pattern.contains('/') {
        skip("the kernel writes no core file into the program's folder");
        return None;
    }
    let mut shell = Program::Sh.command();
    place.prepare(&mut shell).args(["-c", "ulimit -c unlimited && exec ./crash"]);
    shell.env("OMP_DEBUG", debug).env("LD_LIBRARY_PATH", "dist/lib");
    let status = shell.status().expect("the shell runs");
    assert_eq!(std::os::unix::process::ExitStatusExt::signal(&status), Some(libc::SIGABRT));
    let files = fs::read_dir(place.root()).expect("the folder");
    let mut paths = files.map(|file| file.expect("an entry").path());
    let core = paths.find(|path| {
        let name = path.file_name().expect("a name").to_string_lossy();
        name.starts_with("core")
    });
    if core.is_none() {
        skip("the kernel writes no core file: the limit or the mount forbids it");
    }
    core
}

#[test]
fn the_kernels_core_file_shows_threads_and_tasks() {
    if !is_possible() {
        return;
    }
    let register = "thread apply all -q -s python import ompd; ompd.addr_space.add_thread()";
    let commands = ["ompd init", register, "ompd threads", "ompd icvs", "ompd bt on", "bt"];
    for family in FAMILIES {
        for debug in ["enabled", "disabled"] {
            let place = Workplace::new();
            place.compile(family, "crash", &["-fopenmp"], PROGRAM);
            let Some(core) = core(&place, debug) else { return };
            let command = with_plug_in(&format!("crash {}", core.display()));
            let answers = talk(&place, &place.command(&command), &commands);
            assert!(answers[0].contains("Loaded OMPD lib successfully!"), "{answers:#?}");
            assert_eq!(answers[2].matches("is an OpenMP thread").count(), 2, "{answers:#?}");
            assert!(answers[3].contains("default-device-var"), "{answers:#?}");
            let frames: Vec<&str> =
                answers[5].lines().filter(|line| line.contains(": descend \"#pragma")).collect();
            let kinds = ["omp task", "omp task", "omp parallel"];
            assert_eq!(frames.len(), kinds.len(), "{answers:#?}");
            for ((frame, kind), depth) in frames.iter().zip(kinds).zip([2, 1, 0]) {
                assert!(frame.contains(&format!("\"#pragma {kind}\" (depth={depth})")), "{frame}");
            }
        }
    }
}
