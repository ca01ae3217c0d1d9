//! Variables of the device and of the process, as the environment and the program set them.

use oxomp_sys::ompd::ompd_rc_t;

use crate::FAMILIES;
use crate::debuggee::{Debuggee, command, compile};
use crate::debugger::Debugger;
use crate::facts::Facts;
use crate::target::Stopped;

/// What the environment says.
const ENVIRONMENT: &[(&str, &str)] = &[
    ("OMP_DEBUG", "enabled"),
    ("OMP_STACKSIZE", "3M"),
    ("OMP_MAX_TASK_PRIORITY", "7"),
    ("OMP_CANCELLATION", "true"),
    ("OMP_WAIT_POLICY", "active"),
    ("OMP_TARGET_OFFLOAD", "disabled"),
    ("OMP_TOOL", "disabled"),
    ("OMP_TOOL_VERBOSE_INIT", "stderr"),
    ("OMP_AFFINITY_FORMAT", "host %H"),
    ("OMP_NUM_TEAMS", "2"),
];

#[test]
fn variables_are_what_environment_and_program_set() {
    for family in FAMILIES {
        let program = compile(family, "variables");
        let mut program = Debuggee::start(&mut command(&program, ENVIRONMENT));
        let facts = Facts::parse(&program.line());
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let space = debugger.space;
        for (name, key) in [
            ("nteams-var", "nteams"),
            ("teams-thread-limit-var", "teams_limit"),
            ("max-task-priority-var", "priority"),
            ("num-procs-var", "procs"),
            ("ompd-num-procs-var", "procs"),
            ("cancel-var", "cancel"),
            ("num-devices-var", "devices"),
            ("device-num-var", "device"),
        ] {
            assert_eq!(debugger.value(space, name), facts.number(key), "{family:?}: {name}");
        }
        assert_eq!((facts.number("nteams"), facts.number("teams_limit")), (3, 5));
        assert_eq!((facts.number("priority"), facts.number("cancel")), (7, 1));
        for (name, number, text) in [
            ("stacksize-var", 3 << 20, "3M"),
            ("wait-policy-var", 1, "ACTIVE"),
            ("target-offload-var", 0, "DISABLED"),
            ("def-sched-var", 1, "static"),
            ("tool-var", 0, "FALSE"),
            ("display-affinity-var", 0, "FALSE"),
            ("debug-var", 1, "TRUE"),
        ] {
            assert_eq!(debugger.value(space, name), number, "{name}");
            assert_eq!(debugger.text(space, name), Ok(text.to_owned()));
        }
        for (name, text) in
            [("affinity-format-var", "host %H"), ("tool-verbose-init-var", "stderr")]
        {
            assert_eq!(debugger.number(space, name), Err(ompd_rc_t::INCOMPATIBLE));
            assert_eq!(debugger.text(space, name), Ok(text.to_owned()));
        }
        drop(debugger);
        program.finish();
    }
}

/// The threads of the runtime have stacks of a default size, where the user has not set one.
#[test]
fn the_default_size_of_stacks_is_told() {
    for family in FAMILIES {
        let program = compile(family, "variables");
        let mut program = Debuggee::start(&mut command(&program, &[]));
        let line = program.line();
        let debugger = Debugger::start(Stopped::new(program.pid()));
        let bytes = debugger.value(debugger.space, "stacksize-var");
        assert!(bytes >= 1 << 16, "{family:?}: {bytes} bytes, {line}");
        drop(debugger);
        program.finish();
    }
}
