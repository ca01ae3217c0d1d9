//! Call paths by sampling: where the processor time goes, and that the program does not notice.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

use libtest_mimic::Failed;
use oxomp_analysis::calls::{CallNode, CallTree};
use oxomp_analysis::summary::Summary;

use crate::Check;
use crate::run::{Run, Setting};

pub(crate) const CHECKS: &[Check] = &[
    ("samples_of_serial_code_are_where_its_time_goes", serial),
    ("a_deep_path_of_a_stripped_program_reaches_its_start", deep),
    ("a_region_under_two_callers_is_told_apart_in_all_threads", callers),
    ("code_in_a_plug_in_is_named", plugin),
    ("signals_masks_sleeps_and_errno_are_the_programs", signals),
    ("a_program_that_takes_the_signal_has_it", taken_signal),
    ("children_and_programs_begun_by_exec_are_not_disturbed", children),
    ("threads_that_come_and_go_are_sampled", storm),
    ("exceptions_and_allocations_at_a_high_rate_go_on", throws),
    ("a_file_of_the_programs_under_our_descriptors_stays_as_it_is", descriptors),
    ("a_stack_too_small_for_a_signal_gets_none", alternate_stack),
    ("the_kernels_clock_is_named", kernels_clock),
    ("a_program_whose_name_is_no_text_has_lines", no_text),
    ("without_sampling_there_are_no_samples", without),
];

/// By how much a share of the samples may be off: five deviations of a thousand samples.
const TOLERANCE: f64 = 0.08;

fn ensure(holds: bool, otherwise: impl FnOnce() -> String) -> Result<(), Failed> {
    if holds { Ok(()) } else { Err(otherwise().into()) }
}

/// Runs a program with `hz` samples per second.
fn sampled(setting: &Setting, program: &Path, words: &[&OsStr], hz: u32) -> Result<Run, String> {
    let mut command = setting.command(program);
    setting.finish(command.args(words).env("OXOMP_HZ", hz.to_string()))
}

/// The call paths of the one process.
fn tree(run: &Run) -> Result<&CallTree, String> {
    match run.calls.as_slice() {
        [calls] if !calls.nodes.is_empty() => Ok(calls),
        other => Err(format!("{} profiles, no call paths; {}", other.len(), run.stderr)),
    }
}

/// The functions from the start of the program to a node.
fn path(calls: &CallTree, node: usize) -> Vec<&str> {
    let mut path = Vec::new();
    let mut at = Some(node as u32);
    while let Some(node) = at.map(|at| &calls.nodes[at as usize]) {
        path.push(node.function.as_str());
        at = node.caller;
    }
    path.reverse();
    path
}

/// The samples below all nodes whose path ends with these functions.
fn below(calls: &CallTree, functions: &[&str]) -> u64 {
    let ends = |node: usize| path(calls, node).ends_with(functions);
    let total = |(node, one): (usize, &CallNode)| ends(node).then_some(one.total);
    calls.nodes.iter().enumerate().filter_map(total).sum()
}

fn taken(calls: &CallTree) -> u64 {
    calls.nodes.iter().map(|node| node.own).sum()
}

fn near(found: f64, expected: f64, calls: &CallTree) -> Result<(), Failed> {
    ensure((found - expected).abs() <= TOLERANCE, || {
        format!("{found} instead of {expected}: {calls:#?}")
    })
}

fn share(part: u64, other: u64) -> f64 {
    part as f64 / (part + other).max(1) as f64
}

/// The paths reach the start, but for those before the helper has read the unwinding tables, for
/// which the programs wait: it stands behind their threads on a busy machine.
fn whole(calls: &CallTree) -> Result<(), Failed> {
    ensure(calls.incomplete * 4 <= taken(calls), || {
        format!("{} of {} incomplete: {calls:#?}", calls.incomplete, taken(calls))
    })
}

fn serial(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_serial")?, &[], 2000)?;
    let (calls, facts) = (tree(&run)?, run.facts()?);
    let expected = share(facts["f"].unsigned_abs(), facts["g"].unsigned_abs());
    let (f, g) = (below(calls, &["main", "f"]), below(calls, &["main", "g"]));
    ensure(f + g > 100, || format!("{calls:#?}"))?;
    near(share(f, g), expected, calls)?;
    whole(calls)?;
    names_the_stretch(run.summary()?)
}

/// The longest serial stretch names its hot functions.
fn names_the_stretch(summary: &Summary) -> Result<(), Failed> {
    let sampled = summary.sampled.as_ref().ok_or("no samples in the summary")?;
    let stretch = sampled.stretches.first().ok_or("no stretch")?;
    let names: Vec<_> = stretch.code.iter().map(|code| code.function.as_str()).collect();
    // The loop is inlined into both.
    ensure(names.first().is_some_and(|name| ["burn", "f"].contains(name)), || {
        format!("{sampled:#?}")
    })?;
    ensure(summary.serial[0].after == stretch.after, || format!("{:#?}", summary.serial))
}

fn alternate_stack(setting: &Setting) -> Result<(), Failed> {
    // Rare signals: one that comes between the stack and the region after it ends the program.
    let run = sampled(setting, &setting.compile("alternate_stack")?, &[], 100)?;
    ensure(run.status.success(), || format!("{}: {}", run.status, run.stderr))?;
    let text =
        "a thread whose alternate signal stack has 2048 bytes is not sampled: a signal needs";
    ensure(run.stderr.contains(text), || run.stderr.clone())?;
    let calls = tree(&run)?;
    let samples_in = |function: &str| -> u64 {
        let nodes = calls.nodes.iter().filter(|node| node.function == function);
        nodes.map(|node| node.total).sum()
    };
    // A thread with a stack of 2 KiB is without samples, until it has a larger one.
    ensure(samples_in("on_small") == 0, || format!("{calls:#?}"))?;
    ensure(samples_in("on_large") > 1, || format!("{calls:#?}"))
}

fn kernels_clock(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_clock")?, &[], 2000)?;
    let calls = tree(&run)?;
    let kernels = calls.nodes.iter().filter(|node| node.module.as_deref() == Some(KERNELS));
    let names: Vec<&str> = kernels.map(|node| node.function.as_str()).collect();
    ensure(names.iter().any(|name| name.contains("gettime")), || format!("{calls:#?}"))?;
    ensure(!names.iter().any(|name| name.starts_with(KERNELS)), || format!("{names:?}"))?;
    let sampled = run.summary()?.sampled.as_ref().ok_or("no samples in the summary")?;
    // A path that is cut has no caller outside of the library.
    let hot = sampled.code.first().ok_or("no hot code")?;
    let name = hot.library.as_ref().unwrap_or(&hot.function);
    ensure(name.contains("gettime"), || format!("{sampled:#?}"))
}

/// The kernel's code in every process.
const KERNELS: &str = "linux-vdso.so.1";

/// A file's name may have any bytes.
fn no_text(setting: &Setting) -> Result<(), Failed> {
    let compiled = setting.compile("sampled_serial")?;
    let program = setting.folder.path().join(OsStr::from_bytes(b"caf\xe9"));
    fs::rename(&compiled, &program)?;
    let run = sampled(setting, &program, &[], 2000)?;
    let calls = tree(&run)?;
    ensure(below(calls, &["main", "f"]) > 0, || format!("{calls:#?}"))?;
    let lines = |node: &CallNode| node.function == "f" && node.line.is_some();
    ensure(calls.nodes.iter().any(lines), || format!("{calls:#?}"))
}

fn deep(setting: &Setting) -> Result<(), Failed> {
    let options =
        ["-fomit-frame-pointer", "-momit-leaf-frame-pointer", "-fno-optimize-sibling-calls", "-s"];
    let program = setting.compile_as("sampled_deep", "deep", &options)?;
    let run = sampled(setting, &program, &[], 2000)?;
    let calls = tree(&run)?;
    let hottest = (0..calls.nodes.len()).max_by_key(|node| calls.nodes[*node].own).unwrap_or(0);
    ensure(path(calls, hottest).len() >= 40, || format!("{:#?}", path(calls, hottest)))?;
    whole(calls)
}

fn callers(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_callers")?, &[], 2000)?;
    let calls = tree(&run)?;
    let (one, two) = (below(calls, &["main", "one"]), below(calls, &["main", "two"]));
    near(share(two, one), 0.75, calls)?;
    // The region's body stands below the function that has the region, in both threads.
    let bodies = |caller| below(calls, &["main", caller, "work", "work", "body"]);
    let (first, second) = (bodies("one"), bodies("two"));
    near(share(second, first), 0.75, calls)?;
    ensure((first + second) * 10 >= (one + two) * 9, || format!("{calls:#?}"))?;
    let regions = calls.nodes.iter().filter(|node| node.region);
    ensure(regions.clone().all(|node| node.function == "work"), || format!("{calls:#?}"))?;
    ensure(regions.count() > 0, || format!("{calls:#?}"))?;
    for thread in 0..2 {
        let own = calls.samples.iter().filter(|sample| sample.thread == thread);
        let inside = |node: u32| path(calls, node as usize).contains(&"body");
        let of_body = own.filter(|sample| inside(sample.node)).count();
        ensure(of_body > 50, || format!("{of_body} of thread {thread}: {calls:#?}"))?;
    }
    whole(calls)
}

fn plugin(setting: &Setting) -> Result<(), Failed> {
    let options = ["-DPLUGIN", "-shared", "-fPIC"];
    let plugin = setting.compile_as("sampled_plugin", "plugin.so", &options)?;
    let program = setting.compile("sampled_plugin")?;
    let run = sampled(setting, &program, &[plugin.as_os_str()], 2000)?;
    let calls = tree(&run)?;
    let serial = below(calls, &["main", "run", "hot"]);
    let parallel = below(calls, &["main", "run", "run", "hot"]);
    ensure(serial > 50, || format!("{serial} serial: {calls:#?}"))?;
    near(share(parallel, serial), 2.0 / 3.0, calls)?;
    let named = |node: &CallNode| node.module.as_deref() == Some("plugin.so");
    ensure(calls.nodes.iter().any(named), || format!("{calls:#?}"))
}

fn undisturbed(run: &Run, facts: &[&str]) -> Result<(), Failed> {
    let found = run.facts()?;
    let bad = facts.iter().find(|fact| found.get(**fact) != Some(&0));
    let ends = run.status.success();
    ensure(bad.is_none() && ends, || format!("{}: {found:?}: {}", run.status, run.stderr))
}

fn signals(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_signals")?, &[], 5000)?;
    undisturbed(&run, &["interrupted", "changed", "missing", "urgent"])?;
    ensure(taken(tree(&run)?) > 100, || format!("{:#?}", run.calls))
}

fn taken_signal(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("sampled_signals")?;
    let run = sampled(setting, &program, &[OsStr::new("own")], 5000)?;
    undisturbed(&run, &["changed", "missing"])?;
    // At most the one signal of each thread that was under way, or armed.
    let urgent = run.facts()?["urgent"];
    ensure(urgent <= 3, || format!("{urgent} signals"))
}

fn children(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_children")?, &[], 5000)?;
    let bad = run.facts()?.get("bad").copied();
    ensure(bad == Some(0) && run.status.code() == Some(3), || {
        format!("{bad:?}, {}: {}", run.status, run.stderr)
    })
}

fn storm(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_storm")?, &[], 5000)?;
    ensure(run.status.success(), || format!("{}: {}", run.status, run.stderr))?;
    let calls = tree(&run)?;
    ensure(below(calls, &["run", "burn"]) > 100, || format!("{calls:#?}"))?;
    whole(calls)
}

fn throws(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_throws")?, &[], 5000)?;
    undisturbed(&run, &["missed"])?;
    let calls = tree(&run)?;
    ensure(below(calls, &["fails"]) > 100, || format!("{calls:#?}"))
}

fn descriptors(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("descriptors")?;
    let file = setting.folder.path().join("own");
    let run = sampled(setting, &program, &[file.as_os_str()], 5000)?;
    let bytes = run.facts()?.get("bytes").copied();
    // The recording's length is set at its end, after the program's own look.
    let after = fs::metadata(&file)?.len();
    ensure(bytes == Some(1) && after == 1 && run.status.success(), || {
        format!("{bytes:?}, then {after} bytes, {}: {}", run.status, run.stderr)
    })?;
    let told = run.stderr.contains("the program has closed the file");
    ensure(told, || format!("no message: {}", run.stderr))
}

fn without(setting: &Setting) -> Result<(), Failed> {
    let run = sampled(setting, &setting.compile("sampled_serial")?, &[], 0)?;
    let calls = run.calls.first().ok_or("no profile")?;
    ensure(calls.nodes.is_empty() && calls.period_ns == 0, || format!("{calls:#?}"))?;
    ensure(run.summary()?.sampled.is_none(), || "samples in the summary".to_owned())
}
