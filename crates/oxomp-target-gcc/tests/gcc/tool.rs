//! The programs with tools that `tests/offload/tool` has for clang, compiled by gcc for the test
//! device: their tools demand the same events of it.

use std::path::{Path, PathBuf};

use crate::support::{Bench, Runtime};

/// The programs that gcc 12 compiles and that need nothing else of their device than the test
/// device is. Others ask for clang's routines or clauses, for the type of a device, or for kernels
/// that are initial tasks of the host; `routines.c`, `associations.c` and `deletions.c` have no
/// target region, so gcc makes no image of them.
const PROGRAMS: [&str; 24] = [
    "answers.c",
    "both_forms.c",
    "constructs.c",
    "deferred.c",
    "devices.c",
    "ended.c",
    "ended_before_device.c",
    "ended_inside.c",
    "ended_meanwhile.c",
    "fork_in_callback.c",
    "host_number.c",
    "maps.c",
    "numbered.c",
    "on_host.c",
    "opened.c",
    "plain_forms.c",
    "plain_ids.c",
    "plain_maps.c",
    "report_2015.c",
    "silent.c",
    "target_info_in_signals.c",
    "threads.c",
    "unload.c",
    "unset.c",
];

/// The programs of `tests/offload/trace`, likewise: others ask how many teams a kernel has got, or
/// which processor has executed it, which libgomp's plug-ins do not tell.
const TRACES: [&str; 16] = [
    "after_end.c",
    "at_end.c",
    "from_callbacks.c",
    "host_threads.c",
    "never_used.c",
    "nowait.c",
    "refused.c",
    "selection.c",
    "slow_tool.c",
    "small_refused.c",
    "states.c",
    "stop_while_running.c",
    "times.c",
    "tiny_buffers.c",
    "unaligned_buffers.c",
    "woken.c",
];

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Runs programs of `tests/offload/FOLDER`, compiled by gcc, under these policies.
fn run(folder: &str, programs: &[&str], policies: &[&str]) {
    let Some(bench) = Bench::new(true, &[]) else { return };
    let library = bench.compile("image.c", &["-O1", "-shared", "-fPIC"]).display().to_string();
    let root = repository();
    let own = format!("-I{}", root.join("tests/include").display());
    // Behind gcc's own folders, which have another omp.h.
    let public = format!("-idirafter{}", root.join("include").display());
    for source in programs {
        let source = root.join("tests/offload").join(folder).join(source).display().to_string();
        // The program's tool is found among its symbols.
        let options = ["-O1", "-rdynamic", &own, &public, "-lm", "-ldl"];
        let program = bench.compile(&source, &options);
        for policy in policies {
            let variables = [
                ("TEST_DEVICES", "4"),
                ("TEST_LIBRARY", &*library),
                // What the programs expect.
                ("OXOMP_HOST_DEVICES", "4"),
                ("OMP_TARGET_OFFLOAD", policy),
            ];
            let outcome = bench.run(&program, Runtime::Oxomp, &[], &variables);
            assert!(outcome.succeeded, "{source} {policy}: {}{}", outcome.text, outcome.messages);
        }
    }
}

#[test]
fn tools_of_clangs_programs_see_the_same_in_gccs() {
    run("tool", &PROGRAMS, &["default", "mandatory"]);
}

#[test]
fn traces_of_clangs_programs_are_the_same_in_gccs() {
    run("trace", &TRACES, &["default"]);
}
