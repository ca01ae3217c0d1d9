//! Stopping live processes, and letting them go on.

use oxomp_arch::read::{Machine, SystemCall};
use oxomp_inspect::{Error, Image, PathEnd};
use oxomp_prerequisites::Program as Tool;

mod support;

use support::{Running, Workshop, may_trace, send, until};

/// Says that it is ready, and ends with status 7 at the end of its input.
const WAITS: &str = r#"
#include <stdio.h>
long exported_value = 0x1122334455667788;
int main(void) {
  puts("ready"); fflush(stdout);
  while (getchar() != EOF) {}
  return 7;
}
"#;

#[test]
fn a_process_is_read_while_it_stands_and_goes_on() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("waits", WAITS, &["-rdynamic"]);
    let running = Running::ready(&program);
    until("the wait for input", || running.state() == 'S');
    let image = Image::stop(running.pid()).expect("it stops");
    assert_eq!(running.state(), 't');
    let [thread] = image.threads() else { panic!("{:?}", image.threads()) };
    assert_eq!(thread.lwp, running.pid());
    assert_eq!(thread.name, "waits");
    let call = thread.system_call.and_then(|call| Machine::INSPECTED.system_call(call));
    assert_eq!(call, Some(SystemCall::Read));
    assert!(thread.restarts);
    let address = image.symbol("exported_value").expect("the symbol");
    assert_eq!(image.memory().word(address), Some(0x1122_3344_5566_7788));
    let names: Vec<&str> = image.modules().iter().map(|module| module.name()).collect();
    assert!(names.contains(&"waits") && names.contains(&"libc.so.6"), "{names:?}");
    assert!(names.contains(&"[vdso]"), "{names:?}");
    let sp = thread.registers.expect("registers").sp();
    assert_eq!(image.stacks_of(sp as u32), [thread.lwp]);
    drop(image);
    assert_eq!(running.finish().code(), Some(7));
}

#[test]
fn a_process_that_was_stopped_before_stays_so() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let running = Running::ready(&workshop.compile("waits", WAITS, &[]));
    send(running.pid(), "STOP");
    until("the stop", || running.state() == 'T');
    let image = Image::stop(running.pid()).expect("it is looked at");
    assert!(image.warnings().iter().any(|it| it.contains("kill -CONT")), "{:?}", image.warnings());
    drop(image);
    // The kernel wakes the thread to enter the stop anew; none of the program's code runs.
    until("the stop again", || running.state() == 'T');
    send(running.pid(), "CONT");
    assert_eq!(running.finish().code(), Some(7));
}

/// Sends itself real-time signals until its input ends, and says how many it sent and received.
const COUNTS_SIGNALS: &str = r#"
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>
static _Atomic long sent, caught;
static _Atomic int done;
static void catch(int signal) { caught++; }
static void *sends(void *unused) {
  union sigval value = {0};
  while (!done) if (!sigqueue(getpid(), SIGRTMIN + 3, value)) sent++;
  return 0;
}
int main(void) {
  struct sigaction action = {.sa_handler = catch, .sa_flags = SA_RESTART};
  sigaction(SIGRTMIN + 3, &action, 0);
  pthread_t thread;
  pthread_create(&thread, 0, sends, 0);
  puts("ready"); fflush(stdout);
  while (getchar() != EOF) {}
  done = 1;
  pthread_join(thread, 0);
  printf("%ld\n", sent - caught); fflush(stdout);
  return 0;
}
"#;

#[test]
fn no_signal_is_lost_between_stops() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("signals", COUNTS_SIGNALS, &["-pthread"]);
    let mut running = Running::ready(&program);
    let mut stops = 0;
    let mut held_signals = 0;
    // Only a stop that comes between a signal and its delivery can lose it.
    while held_signals < 10 {
        let image = Image::stop(running.pid()).expect("it stops");
        stops += 1;
        held_signals += image.threads().iter().filter(|thread| thread.signal.is_some()).count();
    }
    println!("{stops} stops, {held_signals} of them before a signal's delivery");
    drop(running.input.take());
    assert_eq!(running.line(), "0");
}

/// Starts threads that end at once, all the time, and joins each, until its input ends; then says
/// whether any began, and how many of them have not ended. One more thread waits until then.
const STARTS_THREADS: &str = r#"
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
static _Atomic long begun, ended;
static pthread_mutex_t until_the_end = PTHREAD_MUTEX_INITIALIZER;
static void *stay(void *unused) { pthread_mutex_lock(&until_the_end); return 0; }
static void *work(void *unused) { begun++; for (volatile int i = 0; i < 1000; i++) {} ended++; return 0; }
int main(void) {
  pthread_t stays;
  pthread_mutex_lock(&until_the_end);
  pthread_create(&stays, 0, stay, 0);
  puts("ready"); fflush(stdout);
  struct pollfd input = {.fd = 0, .events = POLLIN};
  do {
    pthread_t threads[8];
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
  } while (poll(&input, 1, 0) == 0);
  pthread_mutex_unlock(&until_the_end);
  pthread_join(stays, 0);
  printf("%d %ld\n", begun > 0, begun - ended); fflush(stdout);
  return 0;
}
"#;

#[test]
fn threads_that_begin_and_end_meanwhile_are_no_harm() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let mut running = Running::ready(&workshop.compile("threads", STARTS_THREADS, &["-pthread"]));
    let mut most = 0;
    for _ in 0..200 {
        let image = Image::stop(running.pid()).expect("it stops");
        let count = image.threads().len();
        assert!(count >= 2, "the first thread, and the one that waits: {:?}", image.threads());
        most = most.max(count);
    }
    println!("up to {most} threads");
    drop(running.input.take());
    assert_eq!(running.line(), "1 0");
}

/// Most of the stops come too late, or while the program ends.
#[test]
fn a_process_that_ends_meanwhile_has_ended() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("threads", STARTS_THREADS, &["-pthread"]);
    for _ in 0..40 {
        let mut running = Running::ready(&program);
        drop(running.input.take());
        let error = loop {
            match Image::stop(running.pid()) {
                Ok(_) => {}
                Err(error) => break error,
            }
        };
        assert!(matches!(error, Error::Zombie { .. } | Error::Ended { .. }), "{error}");
    }
}

#[test]
fn processes_that_cannot_be_stopped_are_told_by_name() {
    assert!(matches!(Image::stop(-1), Err(Error::NoProcess { .. })));
    assert!(matches!(Image::stop(i32::MAX), Err(Error::NoProcess { .. })));
    let own = i32::try_from(std::process::id()).expect("a number");
    assert!(matches!(Image::stop(own), Err(Error::OwnProcess { .. })));
    let mut child = Tool::Sh.command().args(["-c", "exit 0"]).spawn().expect("a child");
    let pid = i32::try_from(child.id()).expect("a number");
    until("its end", || {
        let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("its stat");
        stat.contains(") Z ")
    });
    let parent = own;
    match Image::stop(pid) {
        Err(Error::Zombie { parent: found, .. }) => assert_eq!(found, parent),
        other => panic!("{other:?}"),
    }
    child.wait().expect("its end");
}

#[test]
fn a_tracer_is_named_by_its_number() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let running = Running::ready(&workshop.compile("waits", WAITS, &[]));
    let image = Image::stop(running.pid()).expect("it stops");
    match Image::stop(running.pid()) {
        Err(Error::Traced { tracer, .. }) => assert!(tracer > 0),
        other => panic!("{other:?}"),
    }
    drop(image);
    assert_eq!(running.finish().code(), Some(7));
}

/// Waits in vfork(2), from which no signal wakes it, until its child reads the end of the input.
const FORKS: &str = r#"
#define _GNU_SOURCE
#include <stdio.h>
#include <unistd.h>
int main(void) {
  puts("ready"); fflush(stdout);
  if (vfork() == 0) { char byte; while (read(0, &byte, 1) == 1) {} _exit(0); }
  return 7;
}
"#;

#[test]
fn a_thread_that_cannot_be_stopped_is_told_and_not_harmed() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let running = Running::ready(&workshop.compile("forks", FORKS, &[]));
    let pid = running.pid();
    let children = format!("/proc/{pid}/task/{pid}/children");
    let has_child = || std::fs::read_to_string(&children).is_ok_and(|list| !list.is_empty());
    until("the wait in vfork", || has_child() && running.state() == 'D');
    let image = Image::stop(running.pid()).expect("it is looked at");
    assert!(image.threads()[0].registers.is_none());
    assert!(image.warnings()[0].contains("did not stop"), "{:?}", image.warnings());
    assert_eq!(image.call_path(running.pid()).end, PathEnd::NoRegisters);
    drop(image);
    assert_eq!(running.finish().code(), Some(7));
}
