//! The code in which the samples are, by function and line.

use std::collections::HashMap;

use crate::calls::CallTree;
use crate::calls::library::{is_c_library, outside_library, short_name};
use crate::model::{Doing, Model};
use crate::summary::{HotCode, HotStretch, Sampled, SiteId};

/// Functions kept of the whole run, and of a serial stretch.
const MOST_OF_RUN: usize = 200;
const MOST_OF_STRETCH: usize = 3;

/// The hot code of `calls`; `None` without samples.
pub(crate) fn sampled(
    calls: &CallTree,
    model: &Model,
    mut site: impl FnMut(u64) -> Option<SiteId>,
) -> Option<Sampled> {
    if calls.nodes.is_empty() {
        return None;
    }
    let parallel = parallel(calls);
    let beside = in_regions_by_time(calls, model, &parallel);
    let taken: u64 = calls.nodes.iter().map(|node| node.own).sum();
    let own = calls.nodes.iter().enumerate().map(|(index, node)| {
        let serial = if parallel[index] { 0 } else { node.own.saturating_sub(beside[index]) };
        (index as u32, Own { samples: node.own, serial })
    });
    let mut stretches: HashMap<(Option<u64>, Option<u64>), HashMap<u32, OfStretch>> =
        HashMap::new();
    let initial =
        |number: u32| model.threads.iter().any(|thread| thread.number == number && thread.initial);
    let mut serial: Vec<_> = model.serial.iter().collect();
    serial.sort_by_key(|stretch| stretch.begin);
    for sample in &calls.samples {
        if parallel[sample.node as usize] || !initial(sample.thread) {
            continue;
        }
        let next = serial.partition_point(|stretch| stretch.begin <= sample.time_ns);
        let Some(stretch) = next.checked_sub(1).map(|at| serial[at]) else { continue };
        if sample.time_ns <= stretch.end {
            let key = (stretch.after, stretch.before);
            let own = stretches.entry(key).or_default().entry(sample.node).or_default();
            own.samples += 1;
            own.in_files += u64::from(is_in_files(calls, sample.node));
            own.in_python += u64::from(is_in_python(calls, sample.node));
        }
    }
    let mut stretches: Vec<HotStretch> = stretches
        .into_iter()
        .map(|((after, before), nodes)| HotStretch {
            after: after.and_then(&mut site),
            before: before.and_then(&mut site),
            samples: nodes.values().map(|own| own.samples).sum(),
            in_files: nodes.values().map(|own| own.in_files).sum(),
            in_python: nodes.values().map(|own| own.in_python).sum(),
            code: hot(
                calls,
                nodes
                    .into_iter()
                    .map(|(node, own)| (node, Own { samples: own.samples, serial: own.samples })),
                MOST_OF_STRETCH,
            ),
        })
        .collect();
    stretches.sort_by_key(|stretch| (std::cmp::Reverse(stretch.samples), stretch.after));
    Some(Sampled {
        taken,
        incomplete: calls.incomplete,
        lost: calls.lost,
        period_ns: calls.period_ns,
        code: hot(calls, own, MOST_OF_RUN),
        stretches,
    })
}

/// Samples of a serial stretch in one place.
#[derive(Debug, Default, Clone, Copy)]
struct OfStretch {
    samples: u64,
    /// The samples in functions that read and write files.
    in_files: u64,
    /// The samples in the interpreter of Python.
    in_python: u64,
}

/// Names of the C library's functions that read and write files, without underscores before them;
/// and parts of the names of its other such functions, and of those in other languages' libraries.
const OF_FILES: [&str; 35] = [
    "read",
    "write",
    "pread",
    "pwrite",
    "readv",
    "writev",
    "pread64",
    "pwrite64",
    "fread",
    "fwrite",
    "fread_unlocked",
    "fwrite_unlocked",
    "printf",
    "fprintf",
    "vfprintf",
    "dprintf",
    "printf_chk",
    "fprintf_chk",
    "vfprintf_chk",
    "scanf",
    "fscanf",
    "vfscanf",
    "isoc99_scanf",
    "isoc99_fscanf",
    "isoc23_fscanf",
    "fgets",
    "fputs",
    "puts",
    "fputc",
    "putc",
    "fgetc",
    "getline",
    "getdelim",
    "fflush",
    "fsync",
];
const FILES_OF_C: [&str; 3] = ["IO_", "printf", "scanf"];
const FILES_OF_FORTRAN: [&str; 3] = ["_gfortran_st_", "_gfortran_transfer_", "_FortranAio"];
/// Libraries in which functions that read and write files call others.
const OF_LANGUAGES: [&str; 4] = ["libgfortran", "libflang", "libquadmath", "libm."];
const FILES_OF_CPP: [&str; 4] = ["ostream", "istream", "filebuf", "fstream"];

/// The C library's functions that format and read text in memory: they call the same functions as
/// those for files.
const IN_MEMORY: [&str; 10] = [
    "sprintf",
    "snprintf",
    "vsprintf",
    "vsnprintf",
    "sprintf_chk",
    "snprintf_chk",
    "vsnprintf_chk",
    "sscanf",
    "isoc99_sscanf",
    "isoc23_sscanf",
];

/// Whether the frame, or the one that called the system's libraries there, is a function of Python,
/// or of the interpreter, whose code is in the program's own file or in a library.
fn is_in_python(calls: &CallTree, node: u32) -> bool {
    let (outside, _) = outside_library(calls, node);
    if calls.nodes[outside as usize].python {
        return true;
    }
    let Some(module) = calls.nodes[outside as usize].module.as_deref() else { return false };
    let name = module.strip_prefix("lib").unwrap_or(module);
    let name = name.split_once(".so").map_or(name, |(name, _)| name);
    let version = name.strip_prefix("python").or_else(|| name.strip_prefix("pypy"));
    // As in `python3.13t` and `libpypy3.10-c`.
    let is_of_version = |one: char| one.is_ascii_digit() || ".-cdmt".contains(one);
    version.is_some_and(|version| version.chars().all(is_of_version))
}

/// Whether the frame, or one that called it within the libraries, reads or writes files.
fn is_in_files(calls: &CallTree, node: u32) -> bool {
    let mut reads_or_writes = false;
    let mut at = Some(node);
    while let Some(number) = at {
        let one = &calls.nodes[number as usize];
        let name = one.function.trim_start_matches("after ");
        if FILES_OF_FORTRAN.iter().any(|start| name.starts_with(start)) {
            return true;
        }
        let Some(module) = one.module.as_deref() else { break };
        if is_c_library(module) {
            let name = name.trim_start_matches('_');
            let name = name.trim_start_matches("GI_").trim_start_matches('_');
            let name = name.trim_start_matches("libc_");
            if IN_MEMORY.contains(&name) {
                return false;
            }
            reads_or_writes |=
                OF_FILES.contains(&name) || FILES_OF_C.iter().any(|part| name.contains(part));
        } else if module.starts_with("libstdc++") || module.starts_with("libc++") {
            reads_or_writes |= FILES_OF_CPP.iter().any(|part| name.contains(part));
        } else if !OF_LANGUAGES.iter().any(|start| module.starts_with(start)) {
            // This function is the program's own, whatever it does.
            break;
        }
        at = one.caller;
    }
    reads_or_writes
}

/// Whether each node is in a region.
pub(crate) fn parallel(calls: &CallTree) -> Vec<bool> {
    let mut parallel: Vec<bool> = Vec::with_capacity(calls.nodes.len());
    for node in &calls.nodes {
        let caller = node.caller.and_then(|caller| parallel.get(caller as usize).copied());
        parallel.push(node.region || caller.unwrap_or(false));
    }
    parallel
}

/// For each node, the samples whose call paths show no region though their threads were in one: a
/// path that could not be followed to its start ends before the region.
fn in_regions_by_time(calls: &CallTree, model: &Model, parallel: &[bool]) -> Vec<u64> {
    let mut counts = vec![0; calls.nodes.len()];
    for sample in calls.samples.iter().filter(|sample| !parallel[sample.node as usize]) {
        let mut threads = model.threads.iter();
        let thread = threads.find(|thread| thread.number == sample.thread);
        // Where a thread only added up, its segments have ended.
        let doing = thread.and_then(|thread| {
            let next = thread.segments.partition_point(|one| one.end <= sample.time_ns);
            thread.segments.get(next).filter(|one| one.begin <= sample.time_ns)
        });
        let outside = |doing| {
            matches!(
                doing,
                Doing::Serial
                    | Doing::Fork { .. }
                    | Doing::Idle { .. }
                    | Doing::Useful(None)
                    | Doing::Taskwait(None)
                    | Doing::Mutex(None)
            )
        };
        if doing.is_some_and(|segment| !outside(segment.doing)) {
            counts[sample.node as usize] += 1;
        }
    }
    counts
}

/// Samples of one place.
#[derive(Debug, Default, Clone, Copy)]
struct Own {
    samples: u64,
    /// The samples outside of regions.
    serial: u64,
}

/// The functions with the most of the samples, each with its hottest line. What a library does for
/// a function is a row of its own, with the line of the call.
fn hot(calls: &CallTree, samples: impl Iterator<Item = (u32, Own)>, most: usize) -> Vec<HotCode> {
    #[derive(Default)]
    struct Sums<'a> {
        own: Own,
        lines: HashMap<Option<&'a (String, u32)>, u64>,
    }
    let mut functions = HashMap::<(&str, Option<&str>, Option<String>), Sums<'_>>::new();
    for (index, own) in samples.filter(|(_, own)| own.samples > 0) {
        let (user, called) = outside_library(calls, index);
        let node = &calls.nodes[user as usize];
        let called = called.map(|called| short_name(&calls.nodes[called as usize].function));
        let sums = functions.entry((&node.function, node.module.as_deref(), called)).or_default();
        sums.own.samples += own.samples;
        sums.own.serial += own.serial;
        *sums.lines.entry(node.line.as_ref()).or_default() += own.samples;
    }
    let mut code: Vec<HotCode> = functions
        .into_iter()
        .map(|((function, module, library), sums)| {
            let known = sums.lines.iter().filter_map(|(line, own)| Some((*own, (*line)?)));
            let hottest = known.max_by_key(|(own, line)| (*own, std::cmp::Reverse(*line)));
            HotCode {
                function: function.to_owned(),
                module: module.map(ToOwned::to_owned),
                library,
                line: hottest.map(|(_, line)| line.clone()),
                samples: sums.own.samples,
                serial: sums.own.serial,
            }
        })
        .collect();
    code.sort_by(|a, b| {
        let names = (&a.function, &a.module, &a.library);
        b.samples.cmp(&a.samples).then_with(|| names.cmp(&(&b.function, &b.module, &b.library)))
    });
    code.truncate(most);
    code
}

#[cfg(test)]
mod tests {
    use super::{is_in_files, is_in_python, sampled};
    use crate::calls::{CallNode, CallTree, Sample};
    use crate::model::{Doing, Model, Segment, Thread};

    /// A thread that is outside of regions for 100 ns, and in one for 100 ns.
    fn model() -> Model {
        let segments = vec![
            Segment { begin: 0, end: 100, doing: Doing::Serial },
            Segment { begin: 100, end: 200, doing: Doing::Useful(Some(0)) },
        ];
        let thread = Thread {
            number: 1,
            tid: 1,
            initial: true,
            begin: 0,
            end: 200,
            folded_from: Some(200),
            segments,
            gaps: Vec::new(),
        };
        Model { threads: vec![thread], ..Model::default() }
    }

    /// A path of functions with their modules, from the outermost on.
    fn path(frames: &[(&str, &str)]) -> CallTree {
        let node = |(at, (function, module)): (usize, &(&str, &str))| CallNode {
            caller: at.checked_sub(1).map(|caller| caller as u32),
            function: (*function).to_owned(),
            line: None,
            module: Some((*module).to_owned()),
            library: *module != "app",
            python: false,
            region: false,
            own: 0,
            total: 0,
        };
        let nodes = frames.iter().enumerate().map(node).collect();
        CallTree { nodes, ..CallTree::default() }
    }

    #[test]
    fn formatting_for_a_file_is_writing_it() {
        let user = ("output", "app");
        for (frames, is) in [
            (&[user, ("fprintf", "libc.so.6"), ("after _itoa", "libc.so.6")] as &[_], true),
            (&[user, ("__GI___libc_write", "libc.so.6")], true),
            (&[user, ("_gfortran_st_write", "libgfortran.so.5"), ("x", "libquadmath.so.0")], true),
            (&[user, ("std::ostream::_M_insert<double>", "libstdc++.so.6")], true),
            (&[("main", "app"), ("_FortranAioOutputReal64", "app")], true),
            (&[user, ("snprintf", "libc.so.6"), ("_IO_default_xsputn", "libc.so.6")], false),
            (&[user, ("qsort", "libc.so.6"), ("compare", "app")], false),
            (&[user], false),
        ] {
            assert_eq!(is_in_files(&path(frames), frames.len() as u32 - 1), is, "{frames:?}");
        }
    }

    #[test]
    fn the_interpreter_is_known_by_its_file() {
        let own = |function| (function, "app");
        for (frames, is) in [
            (&[("main", "python3.11"), ("_PyEval_EvalFrameDefault", "python3.11")] as &[_], true),
            (&[("PyObject_Malloc", "libpython3.12.so.1.0"), ("malloc", "libc.so.6")], true),
            (&[("pypy_execute", "libpypy3.10-c.so")], true),
            (&[("_PyEval_EvalFrameDefault", "python3.11"), own("smooth")], false),
            (&[("main", "python_solver")], false),
            (&[own("main")], false),
        ] {
            let mut calls = path(frames);
            for node in &mut calls.nodes {
                node.library = node.module.as_deref() == Some("libc.so.6");
            }
            assert_eq!(is_in_python(&calls, frames.len() as u32 - 1), is, "{frames:?}");
        }
    }

    #[test]
    fn a_path_that_is_cut_inside_a_region_is_not_serial() {
        let own = 3;
        let node = CallNode {
            caller: None,
            function: "strlen".to_owned(),
            line: None,
            module: None,
            region: false,
            library: false,
            python: false,
            own,
            total: own,
        };
        let samples = [50, 150, 250].map(|time_ns| Sample { thread: 1, time_ns, node: 0 });
        let calls = CallTree {
            nodes: vec![node],
            samples: samples.to_vec(),
            incomplete: own,
            ..CallTree::default()
        };
        let found = sampled(&calls, &model(), |_| None).expect("there are samples");
        // The sample at 150 ns is in the region; for the sample at 250 ns only its path could tell.
        assert_eq!((found.code[0].samples, found.code[0].serial), (3, 2));
    }
}
