//! Paths of calls, compared with gdb's on the same processes.

use oxomp_arch::read::dwarf::LINK;
use oxomp_inspect::{CallPath, Frame, Image, PathEnd};
use oxomp_prerequisites::skipped::{has_all, may_attach};
use oxomp_prerequisites::{Prerequisite, Program as Tool};

mod support;

use support::{Running, Workshop, may_trace, until};

/// Recursion, a library's callback, a signal's handler and inlined functions, in this order.
const WINDS: &str = r#"
#define _GNU_SOURCE
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#define NOINLINE __attribute__((noinline, noclone))
volatile int depth_wanted = 50;
volatile int keep;
NOINLINE void innermost(void) {
  puts("ready"); fflush(stdout);
  while (getchar() != EOF) {}
  keep++;
}
static inline __attribute__((always_inline)) void inlined_twice(void) { innermost(); keep++; }
static inline __attribute__((always_inline)) void inlined_once(void) { inlined_twice(); keep++; }
NOINLINE void handler(int signal) { inlined_once(); keep++; }
NOINLINE int compares(const void *a, const void *b) {
  static int first = 1;
  if (first) { first = 0; raise(SIGUSR1); }
  return *(const int *)a - *(const int *)b;
}
NOINLINE int sorts(void) {
  int numbers[5] = {5, 4, 3, 2, 1};
  qsort(numbers, 5, sizeof *numbers, compares);
  return numbers[0];
}
NOINLINE int recurses(int depth) {
  volatile char filler[96];
  filler[depth % 96] = (char)depth;
  int result = depth == 0 ? sorts() : recurses(depth - 1) + filler[depth % 96];
  return result + keep;
}
int main(void) {
  struct sigaction action = {.sa_handler = handler};
#ifdef OTHER_STACK
  stack_t other = {.ss_sp = malloc(1 << 16), .ss_size = 1 << 16};
  sigaltstack(&other, 0);
  action.sa_flags = SA_ONSTACK;
#endif
  sigaction(SIGUSR1, &action, 0);
  return recurses(depth_wanted) == 12345;
}
"#;

fn waiting(path: &std::path::Path) -> Running {
    let running = Running::ready(path);
    until("the wait for input", || running.state() == 'S');
    running
}

/// A path as a person would read it.
fn text(path: &CallPath) -> String {
    let frame = |frame: &Frame| {
        let places = frame.places.iter().map(|place| {
            format!("{} {}", place.function_or_nearest().unwrap_or_default(), place.short())
        });
        let places: Vec<String> = places.collect();
        format!("{:#x} {:x?} {}\n", frame.pc, frame.frame_address, places.join(" < "))
    };
    path.frames.iter().map(frame).chain([path.end.to_string()]).collect()
}

fn path_of(running: &Running) -> CallPath {
    let image = Image::stop(running.pid()).expect("it stops");
    image.call_path(running.pid())
}

/// The names of the functions, inlined ones too.
fn functions(path: &CallPath) -> Vec<&str> {
    path.frames
        .iter()
        .flat_map(|frame| &frame.places)
        .map(|place| place.function.as_deref().unwrap_or("?"))
        .collect()
}

/// The program counters of the frames that gdb finds for the process's thread `lwp`; the frames
/// that gdb makes up for inlined calls and tail calls have no counters of their own, and are left
/// out.
fn gdb_counters(pid: i32, lwp: i32) -> Vec<u64> {
    const SCRIPT: &str = "\
import gdb
for thread in gdb.selected_inferior().threads():
    thread.switch()
    frame = gdb.newest_frame()
    while frame is not None:
        if frame.type() in (gdb.NORMAL_FRAME, gdb.SIGTRAMP_FRAME):
            print('frame', thread.ptid[1], hex(frame.pc()))
        frame = frame.older()
";
    let folder = Workshop::new();
    let script = folder.path("walk.py");
    std::fs::write(&script, SCRIPT).expect("the script is written");
    let output = Tool::Gdb
        .command()
        .args(["-nx", "-batch", "-p", &pid.to_string(), "-x"])
        .arg(&script)
        .env_remove("DEBUGINFOD_URLS")
        .output()
        .expect("gdb runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let mut counters: Vec<u64> = text
        .lines()
        .filter_map(|line| {
            let mut words = line.strip_prefix("frame ")?.split(' ');
            let thread: i32 = words.next()?.parse().ok()?;
            let counter = u64::from_str_radix(words.next()?.trim_start_matches("0x"), 16).ok()?;
            (thread == lwp).then_some(counter)
        })
        .collect();
    assert!(!counters.is_empty(), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
    counters.dedup();
    counters
}

/// Checks that gdb finds the same path, except for frames outside of `main`.
fn same_as_gdb(running: &Running, path: &CallPath) {
    if !has_all(&[Prerequisite::Program(Tool::Gdb)]) || !may_attach() {
        return;
    }
    let mut ours: Vec<u64> = path.frames.iter().map(|frame| frame.pc).collect();
    ours.dedup();
    let theirs = gdb_counters(running.pid(), running.pid());
    assert!(
        theirs.len() <= ours.len() && theirs[..] == ours[..theirs.len()],
        "gdb: {theirs:x?}\nours: {ours:x?}\n{}",
        text(path)
    );
}

/// Checks the path of [`WINDS`], compiled with `flags`.
fn winds(flags: &[&str]) -> (Running, CallPath) {
    let workshop = Workshop::new();
    let running = waiting(&workshop.compile("winds", WINDS, flags));
    let path = path_of(&running);
    assert_eq!(path.end, PathEnd::Bottom, "{}", text(&path));
    same_as_gdb(&running, &path);
    (running, path)
}

/// Checks names and lines of a path with debug information.
fn named(path: &CallPath) {
    let names = functions(path);
    let position = |name: &str| {
        names.iter().position(|found| *found == name).unwrap_or_else(|| panic!("{name}: {names:?}"))
    };
    let order = ["innermost", "inlined_twice", "inlined_once", "handler", "compares", "sorts"];
    for pair in order.windows(2) {
        assert!(position(pair[0]) < position(pair[1]), "{names:?}");
    }
    assert_eq!(position("inlined_twice") + 2, position("handler"), "{names:?}");
    assert_eq!(names.iter().filter(|name| **name == "recurses").count(), 51, "{names:?}");
    assert!(position("recurses") < position("main"), "{names:?}");
    assert_eq!(path.frames.iter().filter(|frame| frame.signal).count(), 1);
    let sorts = path.frames.iter().flat_map(|frame| &frame.places);
    let sorts = sorts.clone().find(|place| place.function.as_deref() == Some("sorts"));
    let line = WINDS.lines().position(|line| line.contains("qsort(")).expect("the call") + 1;
    assert_eq!(sorts.expect("sorts").short(), format!("winds.c:{line}"));
}

#[test]
fn optimized_code_without_frame_pointers() {
    if !may_trace() {
        return;
    }
    let (running, path) = winds(&["-O2", "-g", "-fomit-frame-pointer"]);
    named(&path);
    assert!(running.finish().success());
}

#[test]
fn code_that_is_not_optimized() {
    if !may_trace() {
        return;
    }
    let (_running, path) = winds(&["-O0", "-g"]);
    named(&path);
}

#[test]
fn a_handler_on_a_stack_of_its_own() {
    if !may_trace() {
        return;
    }
    let (_running, path) = winds(&["-O2", "-g", "-DOTHER_STACK"]);
    named(&path);
}

#[test]
fn a_program_that_is_stripped() {
    if !may_trace() {
        return;
    }
    let (_running, path) = winds(&["-O2", "-s"]);
    assert!(path.frames.len() > 55, "{}", text(&path));
    assert!(functions(&path).iter().any(|name| name.contains("qsort_r")), "{}", text(&path));
}

#[test]
fn a_static_program_at_fixed_addresses() {
    if !may_trace() {
        return;
    }
    let (_running, path) = winds(&["-O2", "-g", "-static", "-no-pie"]);
    named(&path);
}

/// Flags for code that no unwinding table describes.
const WITHOUT_TABLES: [&str; 2] = ["-fno-asynchronous-unwind-tables", "-fno-unwind-tables"];

#[test]
fn code_without_tables_by_its_frame_pointers() {
    if !may_trace() {
        return;
    }
    let flags = ["-O1", "-fno-omit-frame-pointer", "-g"].into_iter().chain(WITHOUT_TABLES);
    let workshop = Workshop::new();
    let running = waiting(&workshop.compile("winds", WINDS, &flags.collect::<Vec<_>>()));
    let path = path_of(&running);
    let names = functions(&path);
    assert_eq!(names.iter().filter(|name| **name == "recurses").count(), 51, "{}", text(&path));
    assert!(names.contains(&"main"), "{names:?}");
}

#[test]
fn the_end_is_told_where_nothing_tells_the_caller() {
    if !may_trace() {
        return;
    }
    let flags = ["-O2", "-fomit-frame-pointer", "-g"].into_iter().chain(WITHOUT_TABLES);
    let workshop = Workshop::new();
    let running = waiting(&workshop.compile("winds", WINDS, &flags.collect::<Vec<_>>()));
    let path = path_of(&running);
    // Where calls leave their return addresses in a register, other functions' frames tell of each
    // other, and the walk goes on by these.
    if LINK.is_none() {
        assert_ne!(path.end, PathEnd::Bottom, "{}", text(&path));
    }
    assert!(functions(&path).contains(&"innermost"), "{}", text(&path));
}

/// Goes through a library that is deleted once it is loaded.
const LOADS: &str = r#"
#include <dlfcn.h>
#include <stdio.h>
#include <unistd.h>
int callback(void) { puts("ready"); fflush(stdout); while (getchar() != EOF) {} return 0; }
int main(int argc, char **argv) {
  char path[4096];
  snprintf(path, sizeof path, "%s.so", argv[0]);
  void *library = dlopen(path, RTLD_NOW);
  if (!library) { puts(dlerror()); return 1; }
  unlink(path);
  int (*enter)(int (*)(void)) = (int (*)(int (*)(void)))dlsym(library, "enters_library");
  return enter(callback);
}
"#;

const LIBRARY: &str = r#"
static int __attribute__((noinline)) within(int (*call)(void)) { return call() + 1; }
int enters_library(int (*call)(void)) { return within(call) - 1; }
"#;

#[test]
fn a_library_that_was_deleted() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    workshop.compile("loads.so", LIBRARY, &["-shared", "-fPIC", "-O1"]);
    let running = waiting(&workshop.compile("loads", LOADS, &["-ldl", "-g"]));
    let image = Image::stop(running.pid()).expect("it stops");
    let module = image.modules().iter().find(|module| module.name() == "loads.so");
    assert!(module.expect("the library").deleted);
    assert!(image.symbol("enters_library").is_some());
    let path = image.call_path(running.pid());
    let names = functions(&path);
    assert!(names.contains(&"callback") && names.contains(&"enters_library"), "{}", text(&path));
    assert!(names.contains(&"main"), "{}", text(&path));
    assert_eq!(path.end, PathEnd::Bottom);
    drop(image);
    // gdb does not open the deleted file, and so loses its way there.
    assert!(running.finish().success());
}

/// A jump to address 0, caught by a handler that waits.
const CALLS_NULL: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
static void (*volatile nothing)(void);
static void handler(int signal) { puts("ready"); fflush(stdout); while (getchar() != EOF) {} _Exit(3); }
__attribute__((noinline)) void calls_null(void) { nothing(); puts("back"); }
int main(void) { signal(SIGSEGV, handler); calls_null(); return 0; }
"#;

#[test]
fn a_call_through_a_null_pointer() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let running = waiting(&workshop.compile("null", CALLS_NULL, &["-O1", "-g"]));
    let path = path_of(&running);
    let names = functions(&path);
    let at = |name| names.iter().position(|found| *found == name);
    assert!(at("handler") < at("calls_null") && at("calls_null") < at("main"), "{}", text(&path));
    assert!(path.frames.iter().any(|frame| frame.pc == 0), "{}", text(&path));
    assert_eq!(running.finish().code(), Some(3));
}

/// Overwrites its own stack above the current frame.
const OVERWRITES: &str = r#"
#include <stdio.h>
#include <string.h>
#include <stdint.h>
__attribute__((noinline)) void damage(void) {
  uintptr_t *frame = __builtin_frame_address(0);
  for (int i = 0; i < 64; i++) frame[i] = 0x4141414141414141u + (uintptr_t)i;
  puts("ready"); fflush(stdout);
  while (getchar() != EOF) {}
  _Exit(0);
}
int main(void) { char room[1024]; memset(room, 1, sizeof room); damage(); return room[3]; }
"#;

#[test]
fn a_stack_that_was_overwritten() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let source = OVERWRITES.replacen("#include", "#include <stdlib.h>\n#include", 1);
    let flags = ["-O0", "-g", "-fno-stack-protector"];
    let running = waiting(&workshop.compile("damage", &source, &flags));
    let path = path_of(&running);
    assert_eq!(path.end, PathEnd::Damaged, "{}", text(&path));
    assert_eq!(functions(&path).last(), Some(&"damage"));
}

#[test]
fn the_kernels_library_is_left() {
    if !may_trace() {
        return;
    }
    const CLOCK: &str = r#"
#include <stdio.h>
#include <time.h>
int main(void) {
  puts("ready"); fflush(stdout);
  struct timespec now;
  for (;;) clock_gettime(CLOCK_MONOTONIC, &now);
}
"#;
    let workshop = Workshop::new();
    let running = Running::ready(&workshop.compile("clock", CLOCK, &["-O1", "-g"]));
    let mut inside = 0;
    for _ in 0..30 {
        let image = Image::stop(running.pid()).expect("it stops");
        let pc = image.threads()[0].registers.expect("registers").pc;
        let module = image.module_of(pc).map(|module| image.modules()[module].name());
        if module == Some("[vdso]") && inside < 3 {
            inside += 1;
            let path = image.call_path(running.pid());
            assert_eq!(path.end, PathEnd::Bottom, "{}", text(&path));
            assert!(functions(&path).contains(&"main"), "{}", text(&path));
            assert_ne!(functions(&path)[0], "?", "{}", text(&path));
        }
    }
    println!("{inside} of 30 in the vdso");
}
