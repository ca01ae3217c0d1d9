//! The examples, and a tool that watches its data, each on LLVM's libomp, Intel's libiomp5 and
//! oxomp.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program};

/// Seconds after which a program counts as hanging.
const LIMIT: &str = "60";

/// Three threads, a barrier, a loop of four chunks, a task, a lock, two critical regions.
const SOURCE: &str = "
#include <omp.h>
int main(void) {
  int sum = 0, locked = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  #pragma omp parallel num_threads(3) shared(sum, locked)
  {
    #pragma omp critical(first)
    sum++;
    omp_set_lock(&lock);
    locked++;
    omp_unset_lock(&lock);
    #pragma omp barrier
    #pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 8; i++)
      ;
    #pragma omp single
    {
      #pragma omp task shared(sum)
      {
        #pragma omp critical(second)
        sum++;
      }
      #pragma omp taskwait
    }
  }
  omp_destroy_lock(&lock);
  return sum == 4 && locked == 3 ? 0 : 1;
}
";

/// A kernel between two transfers of 1 MiB, then a transfer of 64 bytes back from mapped data.
const OFFLOAD: &str = "
static int a[1 << 18];
int main(void) {
  #pragma omp target teams distribute parallel for map(tofrom: a)
  for (int i = 0; i < 1 << 18; i++)
    a[i]++;
  #pragma omp target data map(to: a)
  {
    #pragma omp target
    a[0]++;
    #pragma omp target update from(a[0:16])
  }
  return a[0] == 2 && a[16] == 1 ? 0 : 1;
}
";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("ompt-examples")
}

/// Compiles the program that a tool watches.
fn compile(tool: &str, source: &str, flags: &[&str]) -> PathBuf {
    fs::create_dir_all(folder()).expect("a folder for the test");
    let (file, program) =
        (folder().join(format!("{tool}.c")), folder().join(format!("{tool}.out")));
    fs::write(&file, source).expect("the source can be written");
    let mut compiler = Program::Clang.command();
    compiler.args(["-O1", "-fopenmp", "-fopenmp-version=51"]).args(flags);
    compiler.arg("-o").args([&program, &file]);
    assert!(compiler.status().expect("the compiler starts").success());
    program
}

/// The runtimes that are here, by name; a test says which one is not.
fn runtimes() -> Vec<(&'static str, PathBuf)> {
    let named = |variable| env::var_os(variable).map(PathBuf::from);
    let oxomp = named("OXOMP_LIB").map(|folder| folder.join("libomp.so"));
    let runtimes = [
        ("libomp", Some(File::Libomp.path().to_owned()), "the package of libomp brings it"),
        ("libiomp5", named("OXOMP_IOMP5"), "`cargo xtask test` names it in OXOMP_IOMP5"),
        ("oxomp", oxomp, "`cargo xtask test` names its folder in OXOMP_LIB"),
    ];
    let mut found = Vec::new();
    for (name, library, how_to_get_it) in runtimes {
        match library.filter(|library| library.is_file()) {
            Some(library) => found.push((name, library)),
            None => skip(&format!("{name} is missing: {how_to_get_it}")),
        }
    }
    found
}

/// The example's shared object.
fn example(name: &str) -> PathBuf {
    static BUILT: OnceLock<PathBuf> = OnceLock::new();
    let folder = BUILT.get_or_init(|| {
        let target = Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("the target folder");
        let output = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
            .args(["build", "--quiet", "--package", "ompt", "--examples", "--target-dir"])
            .arg(target)
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        target.join("debug/examples")
    });
    folder.join(format!("lib{name}.so"))
}

/// Runs the program with the example as its tool; what the example said, per runtime.
fn outputs(name: &str, source: &str) -> BTreeMap<&'static str, Vec<String>> {
    outputs_with(name, source, "0")
}

/// The same, of a tool that ends itself at an event.
fn outputs_with(name: &str, source: &str, last: &str) -> BTreeMap<&'static str, Vec<String>> {
    let program = compile(&format!("{name}-{last}"), source, &[]);
    outputs_of(name, &program, last, &[])
}

/// What the example said of a program that also needs libraries of these names.
fn outputs_of(
    name: &str,
    program: &Path,
    last: &str,
    libraries: &[(&str, &Path)],
) -> BTreeMap<&'static str, Vec<String>> {
    let mut outputs = BTreeMap::new();
    for (runtime, library) in runtimes() {
        let links = folder().join(format!("{name}-{last}-{runtime}"));
        // Left by an earlier run; it need not exist.
        let _ = fs::remove_dir_all(&links);
        fs::create_dir_all(&links).expect("a folder for the runtime");
        // The names by which programs and libomptarget ask for it.
        let runtime_itself = ["libomp.so.5", "libomp.so"].map(|link| (link, library.as_path()));
        for (link, library) in libraries.iter().chain(&runtime_itself) {
            symlink(library, links.join(link)).expect("a link to the library");
        }
        let output = Program::Timeout
            .command()
            .arg(LIMIT)
            .arg(program)
            .env("LD_LIBRARY_PATH", links)
            .env_remove("LD_PRELOAD")
            .env("OMP_TOOL_LIBRARIES", example(name))
            .env("OMP_CANCELLATION", "true")
            .env("LIVE_DATA_LAST", last)
            .env("KMP_TEAMS_THREAD_LIMIT", "8")
            .stdin(Stdio::null())
            .output()
            .expect("the program can be started");
        assert!(output.status.success(), "{name} on {runtime}: {output:?}");
        let said = String::from_utf8(output.stderr).expect("text");
        outputs.insert(runtime, said.lines().map(str::to_owned).collect());
    }
    outputs
}

#[test]
fn counter() {
    for (runtime, lines) in outputs("counter", SOURCE) {
        let sums = ["regions 1 ", "tasks 1 ", "work 6 ", "barriers 12 ", "criticals 4 "];
        for sum in sums {
            let line = format!("counter: {sum}[");
            let counts = lines.iter().find_map(|other| other.strip_prefix(&line));
            let counts = counts.unwrap_or_else(|| panic!("{runtime}: no {sum}in {lines:?}"));
            assert_eq!(counts.split(',').count(), 3, "{runtime}: three threads");
        }
        let refused = lines.iter().find_map(|line| line.strip_prefix("counter: never counted: "));
        assert!(refused.is_some_and(|refused| refused.starts_with("{},")), "{runtime}: {lines:?}");
    }
}

#[test]
fn event_log() {
    for (runtime, lines) in outputs("event_log", SOURCE) {
        let count = |text: &str| lines.iter().filter(|line| line.contains(text)).count();
        assert_eq!(count(": thread_begin initial"), 1, "{runtime}: {lines:#?}");
        assert_eq!(count(": parallel_begin "), 1);
        assert_eq!(count(" of 3, invoker_runtime|team"), 1);
        assert_eq!(count(" work_parallel: implicit_task begin "), 3);
        assert_eq!(count(" work_parallel: sync_region barrier_explicit begin"), 3);
        assert_eq!(count(": sync_region barrier_implicit_workshare end"), 6);
        assert_eq!(count(": work loop_dynamic begin, 8"), 3);
        assert_eq!(count(": dispatch WsLoopChunk(Chunk { start: "), 4);
        assert_eq!(count(": task_create "), 1);
        // The task has the last number; it ends on the thread that it began on.
        let created = lines.iter().find_map(|line| line.split(": task_create ").nth(1));
        let task = created.and_then(|rest| rest.strip_suffix(", explicit")).expect("its number");
        assert_eq!(count(&format!(" switch {task}")), 1);
        assert_eq!(count(&format!("task_schedule {task} complete ")), 1);
    }
}

#[test]
fn lock_profile() {
    for (runtime, lines) in outputs("lock_profile", SOURCE) {
        let mut places: Vec<(&str, &str)> = lines
            .iter()
            .map(|line| {
                let (kind, rest) = line.split_once(" at 0x").expect("a place");
                let (_, rest) = rest.split_once(": ").expect("times");
                let (count, rest) = rest.split_once(" times, waited ").expect("a count");
                assert!(rest.contains(", held ") && !rest.contains("held 0ns"), "{line}");
                (kind, count)
            })
            .collect();
        places.sort_unstable();
        // Where a thread leaves a critical while thread 0 enters it, LLVM's runtimes name a place
        // of their own for thread 0's acquisition.
        if runtime != "oxomp" && places.len() == 4 {
            let of = |kind: &str| {
                let counts = places.iter().filter(|(of, _)| *of == kind).map(|(_, count)| count);
                counts.map(|count| count.parse::<u32>().expect("a number")).sum::<u32>()
            };
            assert_eq!((of("critical"), of("lock")), (4, 3), "{runtime}: {lines:?}");
            continue;
        }
        let expected = [("critical", "1"), ("critical", "3"), ("lock", "3")];
        assert_eq!(places, expected, "{runtime}: {lines:?}");
    }
}

/// LLVM's devices have no traces: the example falls back to the host's times.
#[test]
fn device_trace() {
    let needed = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
    if !has_all(&needed.map(Prerequisite::from)) {
        return;
    }
    let target = format!("-fopenmp-targets={HOST_DEVICE}");
    let program = compile("device_trace", OFFLOAD, &[target.as_str()]);
    let library = ("libomptarget.so.22.1", File::Libomptarget.path());
    for (runtime, lines) in outputs_of("device_trace", &program, "0", &[library]) {
        let of_device: Vec<&str> =
            lines.iter().filter_map(|line| line.strip_prefix("device 0: ")).collect();
        let expected = [
            ("", "times of the host, for it has no tracing interface"),
            ("to device in ", " 1048576 bytes, "),
            ("kernel submitted in ", " s"),
            ("from device in ", " 1048576 bytes, "),
            ("to device in ", " 1048576 bytes, "),
            ("kernel submitted in ", " s"),
            ("from device in ", " 64 bytes, "),
            ("all: 2 times kernel, ", " s"),
            ("all: 2 times to device, ", " 2097152 bytes, "),
            ("all: 2 times from device, ", " 1048640 bytes, "),
        ];
        assert_eq!(of_device.len(), expected.len(), "{runtime}: {lines:#?}");
        for (line, (what, amount)) in of_device.iter().zip(expected) {
            assert!(line.contains(what) && line.contains(amount), "{runtime}: {line}");
        }
    }
}

/// A tool of the 2015 report: other runtimes do not ask for it.
#[test]
fn waiting() {
    for (runtime, lines) in outputs("waiting", SOURCE) {
        if runtime != "oxomp" {
            assert!(lines.is_empty(), "{runtime}: {lines:?}");
            continue;
        }
        // Workers are idle before and after the region; the initial thread never is.
        let idle: Vec<bool> = lines.iter().map(|line| !line.contains(": idle 0ns,")).collect();
        assert_eq!(idle.iter().filter(|idle| **idle).count(), 2, "{lines:?}");
        assert_eq!(idle.len(), 3, "{lines:?}");
        assert!(lines.iter().all(|line| !line.contains("at barriers 0ns")), "{lines:?}");
    }
}

/// The tool ends the process if it sees data that have ended. At the end all have ended, each once.
#[test]
fn data_are_seen_alive() {
    for (runtime, lines) in outputs("live_data", include_str!("live_data/program.c")) {
        let said = lines.last().unwrap_or_else(|| panic!("{runtime}: the tool says something"));
        let numbers: Vec<u32> = said
            .split(|c: char| !c.is_ascii_digit())
            .filter_map(|word| word.parse().ok())
            .collect();
        let [threads, regions, tasks, left @ ..] = numbers.as_slice() else {
            panic!("{runtime}: {said}")
        };
        assert!(*threads >= 6 && *regions >= 300 && *tasks >= 2500, "{runtime}: {said}");
        assert_eq!(left, [0, 0, 0], "{runtime}: {said}");
    }
}

/// A tool ends itself in a callback, wherever that is; the program goes on.
#[test]
fn tools_end_in_callbacks() {
    for last in ["1", "30", "777", "5000"] {
        let source = include_str!("live_data/program.c");
        for (runtime, lines) in outputs_with("live_data", source, last) {
            let said = lines.iter().filter(|line| line.starts_with("threads ")).count();
            assert_eq!(said, 1, "{runtime}, event {last}: {lines:?}");
        }
    }
}
