//! Core files: by gdb, by the kernel, truncated and damaged.

use std::io::Write;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::{Path, PathBuf};

use oxomp_arch::read::{Machine, SystemCall};
use oxomp_inspect::{Error, Image, PathEnd};
use oxomp_prerequisites::skipped::{has_all, may_attach, skip};
use oxomp_prerequisites::{Prerequisite, Program as Tool};
use proptest::prelude::{ProptestConfig, any, proptest};
use proptest::sample::Index;

mod support;

use support::{Running, Workshop, may_trace, until};

/// Three threads that wait in `waits_within`; a line of input makes the second one read address 8.
const THREADS: &str = r#"
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
long exported_value = 0x1122334455667788;
static pthread_barrier_t barrier;
__attribute__((noinline)) int waits_within(long number) {
  pthread_barrier_wait(&barrier);
  char byte;
  if (number == 1 && read(0, &byte, 1) == 1) return *(volatile int *)8;
  for (;;) pause();
}
static void *work(void *number) { return (void *)(long)(waits_within((long)number) + 1); }
int main(void) {
  pthread_barrier_init(&barrier, 0, 4);
  pthread_t threads[3];
  for (long i = 0; i < 3; i++) pthread_create(&threads[i], 0, work, (void *)i);
  pthread_barrier_wait(&barrier);
  puts("ready"); fflush(stdout);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  return 0;
}
"#;

fn compiled(workshop: &Workshop) -> PathBuf {
    workshop.compile("threads", THREADS, &["-g", "-O1", "-pthread", "-rdynamic"])
}

fn all_wait(running: &Running) -> bool {
    let tasks = std::fs::read_dir(format!("/proc/{}/task", running.pid())).expect("its threads");
    tasks.flatten().all(|task| {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        stat.contains(") S ")
    })
}

/// A core file that gdb makes of the waiting program, and the paths of its live threads.
fn by_gdb(workshop: &Workshop) -> Option<(PathBuf, Running)> {
    if !may_trace() || !has_all(&[Prerequisite::Program(Tool::Gdb)]) || !may_attach() {
        return None;
    }
    let running = Running::ready(&compiled(workshop));
    until("the wait of all threads", || all_wait(&running));
    let core = workshop.path("core.gdb");
    let output = Tool::Gdb
        .command()
        .args(["-nx", "-batch", "-p", &running.pid().to_string(), "-ex"])
        .arg(format!("generate-core-file {}", core.display()))
        .env_remove("DEBUGINFOD_URLS")
        .output()
        .expect("gdb runs");
    assert!(core.is_file(), "{}", String::from_utf8_lossy(&output.stderr));
    Some((core, running))
}

/// The program counters of every thread's path, by thread.
fn counters(image: &Image) -> Vec<(i32, Vec<u64>, PathEnd)> {
    let path = |lwp| {
        let path = image.call_path(lwp);
        (lwp, path.frames.iter().map(|frame| frame.pc).collect(), path.end)
    };
    let mut found: Vec<_> = image.threads().iter().map(|thread| path(thread.lwp)).collect();
    found.sort_by_key(|(lwp, ..)| *lwp);
    found
}

/// How many threads are in the function `name`.
fn threads_in(image: &Image, name: &str) -> usize {
    let is_in = |lwp| {
        let path = image.call_path(lwp);
        let mut places = path.frames.iter().flat_map(|frame| &frame.places);
        places.any(|place| place.function.as_deref() == Some(name))
    };
    image.threads().iter().filter(|thread| is_in(thread.lwp)).count()
}

#[test]
fn a_core_by_gdb_tells_what_the_live_process_does() {
    let workshop = Workshop::new();
    let Some((core, running)) = by_gdb(&workshop) else { return };
    let live = counters(&Image::stop(running.pid()).expect("it stops"));
    let image = Image::core(&core, None).expect("the core is read");
    assert_eq!(image.warnings(), [""; 0]);
    assert_eq!(image.pid(), running.pid());
    assert_eq!(counters(&image), live);
    assert_eq!(live.len(), 4);
    assert_eq!(threads_in(&image, "waits_within"), 3);
    let address = image.symbol("exported_value").expect("the symbol");
    assert_eq!(image.memory().word(address), Some(0x1122_3344_5566_7788));
    let sp = image.threads()[2].registers.expect("registers").sp();
    assert!(image.stacks_of(sp as u32).contains(&image.threads()[2].lwp));
    let calls = image.threads().iter().map(|thread| thread.system_call.expect("a system call"));
    let calls = calls.map(|call| Machine::INSPECTED.system_call(call).expect("it is known"));
    let mut calls: Vec<SystemCall> = calls.collect();
    calls.sort_unstable_by_key(|call| call.name());
    // Where there is no pause(2), the C library has ppoll(2) for it.
    let pause =
        if calls.contains(&SystemCall::Pause) { SystemCall::Pause } else { SystemCall::Ppoll };
    assert_eq!(calls, [SystemCall::Futex, pause, pause, SystemCall::Read]);
    assert!(image.threads().iter().all(|thread| thread.restarts));
}

/// The core file that the kernel writes when the program reads address 8, if this machine lets
/// processes write such files into their folders.
fn by_kernel(workshop: &Workshop) -> Option<(PathBuf, i32)> {
    // An emulator writes core files of its own, without the names of mapped files.
    if !may_trace() {
        return None;
    }
    let pattern = std::fs::read_to_string("/proc/sys/kernel/core_pattern").unwrap_or_default();
    if pattern.contains(['|', '/']) {
        skip("the kernel gives core files to a program, or writes them elsewhere");
        return None;
    }
    let program = compiled(workshop);
    let folder = workshop.path("cores");
    std::fs::create_dir(&folder).expect("a folder");
    let mut shell = Tool::Sh.command();
    shell
        .args(["-c", "ulimit -c unlimited && exec \"$0\""])
        .arg(&program)
        .current_dir(&folder)
        .process_group(0);
    let mut running = Running::start(&mut shell);
    running.line();
    running.input.as_mut().expect("its input").write_all(b"x").expect("it reads");
    let pid = running.pid();
    let status = running.finish();
    assert_eq!(status.signal(), Some(11));
    let core = std::fs::read_dir(&folder).expect("the folder").flatten().next();
    if core.is_none() {
        skip("the kernel wrote no core file");
    }
    Some((core?.path(), pid))
}

#[test]
fn a_core_by_the_kernel_tells_of_the_signal() {
    let workshop = Workshop::new();
    let Some((core, pid)) = by_kernel(&workshop) else { return };
    let image = Image::core(&core, None).expect("the core is read");
    assert_eq!(image.pid(), pid);
    assert_eq!(image.warnings(), [""; 0]);
    assert_eq!(threads_in(&image, "waits_within"), 3);
    assert_eq!(image.threads().iter().filter(|thread| thread.signal.is_some()).count(), 1);
    let told = image.threads().iter().find_map(|thread| Some((thread.lwp, thread.signal?)));
    let (lwp, signal) = told.expect("the thread of the signal");
    assert_eq!((signal.name().as_str(), signal.address), ("SIGSEGV", Some(8)));
    let path = image.call_path(lwp);
    assert_eq!(path.frames[0].places[0].function.as_deref(), Some("waits_within"));
    assert_eq!(path.end, PathEnd::Bottom);
    let line = THREADS.lines().position(|line| line.contains("*)8")).expect("the line") + 1;
    assert_eq!(path.frames[0].places[0].short(), format!("threads.c:{line}"));
}

#[test]
fn another_build_of_the_program_is_not_used() {
    let workshop = Workshop::new();
    let Some((core, _running)) = by_gdb(&workshop) else { return };
    let program = workshop.path("threads");
    let kept = workshop.path("kept");
    std::fs::rename(&program, &kept).expect("the program moves");
    let image = Image::core(&core, None).expect("the core is read");
    assert!(image.warnings().iter().any(|line| line.contains("cannot be read now")));
    let image = Image::core(&core, Some(&kept)).expect("the core is read");
    assert_eq!(image.warnings(), [""; 0]);
    assert_eq!(threads_in(&image, "waits_within"), 3);
    workshop.compile("threads", "int main(void) { return 0; }", &[]);
    let image = Image::core(&core, None).expect("the core is read");
    assert!(image.warnings().iter().any(|line| line.contains("another build")));
}

#[test]
fn files_of_other_kinds_are_told_by_name() {
    let workshop = Workshop::new();
    let reason = |path: &Path| match Image::core(path, None) {
        Err(Error::Core { reason, .. }) => reason,
        other => panic!("{other:?}"),
    };
    let program = workshop.compile("program", "int main(void) { return 0; }", &[]);
    assert!(reason(&program).contains("but a program"));
    assert!(reason(&workshop.path("none")).contains("No such file"));
    assert!(reason(Path::new("/dev/zero")).contains("no regular file"));
    for (name, content, expected) in [
        ("empty", &b""[..], "no ELF header"),
        ("text", b"int main(void) { return 0; }", "no ELF header"),
        ("core.zst", b"\x28\xb5\x2f\xfd....", "`zstd -d"),
        ("core.gz", b"\x1f\x8b\x08.....", "`gzip -dk"),
        ("core.lz4", b"\x04\x22\x4d\x18....", "`lz4 -d"),
        ("core.xz", b"\xfd7zXZ\0....", "`xz -dk"),
    ] {
        let path = workshop.path(name);
        std::fs::write(&path, content).expect("the file is written");
        assert!(reason(&path).contains(expected), "{}", reason(&path));
    }
}

/// Asks everything of a core that may be damaged.
fn ask_all(core: &Path) {
    let Ok(image) = Image::core(core, None) else { return };
    for thread in image.threads().iter().take(8) {
        let path = image.call_path(thread.lwp);
        assert!(path.frames.len() <= 1 << 16);
    }
    let _ = image.symbol("exported_value");
    let _ = image.stacks_of(0x1234_5678);
}

#[test]
fn damaged_cores_end_in_partial_answers() {
    let workshop = Workshop::new();
    let Some((core, running)) = by_gdb(&workshop) else { return };
    drop(running);
    let whole = std::fs::read(&core).expect("the core");
    let damaged = workshop.path("damaged");
    let headers = whole.len().min(64 << 10);
    for length in [0, 4, 63, 64, 65, 120, 1000, 5000, whole.len() / 2] {
        std::fs::write(&damaged, &whole[..length]).expect("the file is written");
        ask_all(&damaged);
        if let Ok(image) = Image::core(&damaged, None) {
            assert!(image.warnings().iter().any(|line| line.contains("truncated")), "{length}");
        }
    }
    let config = ProptestConfig { cases: 60, failure_persistence: None, ..Default::default() };
    proptest!(config, |(
        flips in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..40),
        everywhere in any::<bool>(),
        length in any::<Index>(),
    )| {
        let mut bytes = whole.clone();
        for (index, byte) in flips {
            let size = if everywhere { bytes.len() } else { headers };
            bytes[index.index(size)] = byte;
        }
        if everywhere {
            bytes.truncate(length.index(bytes.len()) + 1);
        }
        std::fs::write(&damaged, &bytes).expect("the file is written");
        ask_all(&damaged);
    });
}

#[test]
fn a_core_larger_than_memory_is_not_read_whole() {
    let workshop = Workshop::new();
    let Some((core, running)) = by_gdb(&workshop) else { return };
    drop(running);
    let file = std::fs::OpenOptions::new().write(true).open(&core).expect("the core");
    file.set_len(1 << 42).expect("a file with a hole");
    let image = Image::core(&core, None).expect("the core is read");
    assert_eq!(threads_in(&image, "waits_within"), 3);
}
