//! What becomes of a stopped process if the one that stopped it is killed.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use oxomp_inspect::Image;
use oxomp_prerequisites::skipped::may_attach;

mod support;

use support::{Running, Workshop, may_trace, until};

/// Names the process that this test program, started anew, stops.
const VICTIM: &str = "OXOMP_INSPECT_TEST_VICTIM";

/// The part of the process that is killed; does nothing in a usual run of the tests.
#[test]
fn holds_a_process_until_it_is_killed() {
    let Some(victim) = std::env::var(VICTIM).ok().and_then(|pid| pid.parse().ok()) else { return };
    let _image = Image::stop(victim).expect("it stops");
    println!("\nholds");
    loop {
        std::thread::park();
    }
}

#[test]
fn the_kernel_lets_the_process_go() {
    if !may_trace() || !may_attach() {
        return;
    }
    let workshop = Workshop::new();
    let source = "#include <stdio.h>\n\
                  int main(void) { puts(\"ready\"); fflush(stdout); while (getchar() != EOF) {} \
                  return 7; }";
    let running = Running::ready(&workshop.compile("waits", source, &[]));
    let mut holder = Command::new(std::env::current_exe().expect("this program"))
        .args(["--exact", "holds_a_process_until_it_is_killed", "--nocapture"])
        .env(VICTIM, running.pid().to_string())
        .stdout(Stdio::piped())
        .spawn()
        .expect("this program starts");
    let lines = BufReader::new(holder.stdout.take().expect("a pipe")).lines();
    assert!(lines.map_while(Result::ok).any(|line| line == "holds"));
    assert_eq!(running.state(), 't');
    holder.kill().expect("it is killed");
    holder.wait().expect("its end");
    until("that the process goes on", || running.state() == 'S');
    assert_eq!(running.finish().code(), Some(7));
}
