//! Programs that are started and traced.

use std::fs::File;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use oxomp_inspect::{Child, Error, Event, Image, PathEnd};

mod support;

use support::{Workshop, may_trace, send, until};

/// Longer than any program here takes on a machine under load.
const LONG: Option<Duration> = Some(Duration::from_secs(120));

/// Starts the program with its output in the file `out`.
fn spawn(workshop: &Workshop, program: &Path, arguments: &[&str]) -> Child {
    let output = File::create(workshop.path("out")).expect("a file for the output");
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stdout(output);
    Child::spawn(command).expect("it starts")
}

fn output(workshop: &Workshop) -> String {
    std::fs::read_to_string(workshop.path("out")).expect("the output")
}

/// The functions of a thread's path.
fn functions(image: &Image, lwp: i32) -> Vec<String> {
    let path = image.call_path(lwp);
    assert_eq!(path.end, PathEnd::Bottom);
    let places = path.frames.into_iter().flat_map(|frame| frame.places);
    places.filter_map(|place| place.function).collect()
}

#[test]
fn the_status_is_the_programs() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("seven", "int main(void) { return 7; }", &[]);
    let mut child = spawn(&workshop, &program, &[]);
    assert_eq!(child.wait(LONG).expect("an event"), Event::Exited(7));
    assert_eq!(child.wait(LONG).expect("an event"), Event::Exited(7));
    assert!(matches!(child.image(), Err(Error::Ended { .. })));
    match Child::spawn(Command::new(workshop.path("none"))) {
        Err(Error::Start { error, .. }) => assert_eq!(error.kind(), std::io::ErrorKind::NotFound),
        other => panic!("{other:?}"),
    }
}

/// Starts eight threads; the sixth one crashes.
const CRASHES: &str = r#"
#include <pthread.h>
#include <unistd.h>
__attribute__((noinline)) void crashes_within(int *where) { *where = 1; }
static void *work(void *number) {
  if ((long)number == 5) { crashes_within((int *)24); }
  for (;;) pause();
}
int main(void) {
  pthread_t threads[8];
  for (long i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, (void *)i);
  for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
}
"#;

#[test]
fn a_crash_is_looked_at_before_it_ends_the_program() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("crashes", CRASHES, &["-g", "-O1", "-pthread"]);
    let mut child = spawn(&workshop, &program, &[]);
    let Event::Stopped { lwp, signal: 11, handled: false } = child.wait(LONG).expect("an event")
    else {
        panic!("no crash")
    };
    assert_ne!(lwp, child.pid());
    let image = child.image().expect("an image");
    assert!(functions(&image, lwp).contains(&"crashes_within".to_owned()));
    let thread = image.threads().iter().find(|thread| thread.lwp == lwp).expect("the thread");
    let signal = thread.signal.expect("the signal");
    assert_eq!((signal.name().as_str(), signal.address), ("SIGSEGV", Some(24)));
    assert!(image.threads().iter().all(|thread| thread.registers.is_some()));
    child.go_on(11);
    assert_eq!(child.wait(LONG).expect("an event"), Event::Killed(11));
}

/// Exchanges real-time signals and timers among threads, starts processes, and says what it saw.
const BUSY: &str = r#"
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include <stdatomic.h>
static _Atomic int real_time, ticks, begun;
static void count(int signal) { if (signal == SIGPROF) ticks++; else real_time++; }
static void *work(void *unused) { begun++; pthread_kill(pthread_self(), SIGRTMIN + 2); return 0; }
static void *endless(void *unused) { for (;;) pause(); }
int main(void) {
  struct sigaction action = {.sa_handler = count, .sa_flags = SA_RESTART};
  sigaction(SIGRTMIN + 2, &action, 0);
  sigaction(SIGPROF, &action, 0);
  struct itimerval timer = {{0, 2000}, {0, 2000}};
  setitimer(ITIMER_PROF, &timer, 0);
  for (int round = 0; round < 50; round++) {
    pthread_t threads[8], cancelled;
    for (int i = 0; i < 8; i++) pthread_create(&threads[i], 0, work, 0);
    for (int i = 0; i < 8; i++) pthread_join(threads[i], 0);
    pthread_create(&cancelled, 0, endless, 0);
    pthread_cancel(cancelled);
    pthread_join(cancelled, 0);
  }
  while (ticks < 5) {}
  int status;
  pid_t forked = fork();
  if (forked == 0) { char *null = 0; raise(SIGKILL); *null = 0; }
  waitpid(forked, &status, 0);
  int killed = WIFSIGNALED(status) ? WTERMSIG(status) : -1;
  int shell = system("kill -SEGV $$; exit 1");
  printf("%d %d %d %d\n", begun, real_time, killed, WIFSIGNALED(shell) ? WTERMSIG(shell) : -1);
  return 0;
}
"#;

#[test]
fn signals_threads_and_processes_are_as_they_are_without_a_tracer() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("busy", BUSY, &["-O1", "-pthread"]);
    let mut child = spawn(&workshop, &program, &[]);
    assert_eq!(child.wait(LONG).expect("an event"), Event::Exited(0));
    assert_eq!(output(&workshop), "400 400 9 11\n");
}

#[test]
fn images_at_any_moment_are_no_harm() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("busy", BUSY, &["-O1", "-pthread"]);
    let mut child = spawn(&workshop, &program, &[]);
    let mut images = 0;
    let end = loop {
        match child.wait(Some(Duration::from_millis(2))).expect("an event") {
            Event::Timeout => images += usize::from(child.image().is_ok()),
            event => break event,
        }
    };
    println!("{images} images");
    assert!(images > 0);
    assert_eq!(end, Event::Exited(0));
    assert_eq!(output(&workshop), "400 400 9 11\n");
}

#[test]
fn a_program_that_replaces_itself_is_followed() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("crashes", CRASHES, &["-g", "-O1", "-pthread"]);
    const REPLACES: &str = r#"
#include <pthread.h>
#include <unistd.h>
static char **arguments;
static void *replace(void *unused) { execv(arguments[1], arguments + 1); return 0; }
static void *waits(void *unused) { for (;;) pause(); }
int main(int argc, char **argv) {
  arguments = argv;
  pthread_t one, two;
  pthread_create(&two, 0, waits, 0);
  pthread_create(&one, 0, replace, 0);
  for (;;) pause();
}
"#;
    let replaces = workshop.compile("replaces", REPLACES, &["-pthread"]);
    let mut child = spawn(&workshop, &replaces, &[program.to_str().expect("a path")]);
    let event = child.wait(LONG).expect("an event");
    let Event::Stopped { lwp, signal: 11, .. } = event else { panic!("{event:?}") };
    let image = child.image().expect("an image");
    assert!(functions(&image, lwp).contains(&"crashes_within".to_owned()));
    assert_eq!(image.threads()[0].name, "crashes");
}

/// Says on a signal that it came; one that comes while it says so is held until it waits again.
const TELLS: &str = r#"
#include <signal.h>
#include <stdio.h>
static volatile sig_atomic_t seen;
static void handler(int signal) { seen = signal; }
int main(void) {
  sigset_t told, before;
  sigemptyset(&told);
  sigaddset(&told, SIGUSR1);
  sigaddset(&told, SIGCONT);
  sigprocmask(SIG_BLOCK, &told, &before);
  signal(SIGUSR1, handler);
  signal(SIGCONT, handler);
  puts("ready"); fflush(stdout);
  for (;;) {
    sigsuspend(&before);
    printf("%d\n", (int)seen); fflush(stdout);
    if (seen == SIGUSR1) return 0;
  }
}
"#;

fn state(pid: i32) -> char {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).expect("its stat");
    stat.rsplit_once(") ").and_then(|(_, rest)| rest.chars().next()).expect("a state")
}

#[test]
fn what_would_end_the_program_is_told_and_may_be_held_back() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("tells", TELLS, &[]);
    let mut child = spawn(&workshop, &program, &[]);
    while !output(&workshop).contains("ready") {
        let event = child.wait(Some(Duration::from_millis(5))).expect("an event");
        assert_eq!(event, Event::Timeout);
    }
    for (name, signal) in [("INT", 2), ("QUIT", 3), ("TERM", 15), ("RTMIN", 34)] {
        send(child.pid(), name);
        let event = child.wait(LONG).expect("an event");
        assert_eq!(event, Event::Stopped { lwp: child.pid(), signal, handled: false });
        child.go_on(0);
    }
    // A stop of the group lasts until SIGCONT, which the program's handler sees.
    send(child.pid(), "STOP");
    let tick = Some(Duration::from_millis(5));
    while !matches!(state(child.pid()), 't' | 'T') {
        assert_eq!(child.wait(tick).expect("an event"), Event::Timeout);
    }
    let image = child.image().expect("an image");
    assert!(image.threads()[0].registers.is_some());
    for _ in 0..5 {
        assert_eq!(child.wait(tick).expect("an event"), Event::Timeout);
        // The process runs for a moment, on its way from the stop before the signal into the
        // group's stop.
        until("the stop of the group", || matches!(state(child.pid()), 't' | 'T'));
    }
    send(child.pid(), "CONT");
    while !output(&workshop).contains("18") {
        assert_eq!(child.wait(tick).expect("an event"), Event::Timeout);
    }
    send(child.pid(), "USR1");
    assert_eq!(child.wait(LONG).expect("an event"), Event::Exited(0));
    assert_eq!(output(&workshop), "ready\n18\n10\n");
}

#[test]
fn a_program_that_was_let_go_runs_on_and_may_be_traced() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("tells", TELLS, &[]);
    let mut child = spawn(&workshop, &program, &[]);
    child.let_go();
    until("the handler", || output(&workshop).contains("ready"));
    drop(Image::stop(child.pid()).expect("nobody else traces it"));
    send(child.pid(), "USR1");
    assert_eq!(child.wait(LONG).expect("an event"), Event::Exited(0));
    assert_eq!(output(&workshop), "ready\n10\n");
}

#[test]
fn a_program_outlives_the_one_that_started_it() {
    if !may_trace() {
        return;
    }
    let workshop = Workshop::new();
    let program = workshop.compile("tells", TELLS, &[]);
    let child = spawn(&workshop, &program, &[]);
    let pid = child.pid();
    drop(child);
    until("the handler", || output(&workshop).contains("ready"));
    send(pid, "USR1");
    until("the end", || output(&workshop) == "ready\n10\n");
}

#[test]
fn endless_recursion_is_cut_at_its_outer_end() {
    if !may_trace() {
        return;
    }
    const RECURSES: &str = "volatile int one = 1;\n\
        __attribute__((noinline)) int recurses(int depth) { return recurses(depth + one) + one; }\n\
        int main(void) { return recurses(0); }";
    let workshop = Workshop::new();
    let program = workshop.compile("recurses", RECURSES, &["-g", "-O1"]);
    let mut child = spawn(&workshop, &program, &[]);
    let event = child.wait(LONG).expect("an event");
    let Event::Stopped { lwp, signal: 11, .. } = event else { panic!("{event:?}") };
    let path = child.image().expect("an image").call_path(lwp);
    assert_eq!(path.end, PathEnd::TooLong);
    assert_eq!(path.frames.len(), 1 << 16);
    let is_it = |name: Option<&str>| name == Some("recurses");
    assert!(path.frames.iter().all(|frame| is_it(frame.places[0].function.as_deref())));
}
