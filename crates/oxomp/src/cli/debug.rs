//! `oxomp debug` on the command line.

use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use super::seconds::seconds;
use crate::props::{DebugProps, DebugSubject};

pub(super) const EXAMPLES: &str = "\
EXAMPLES:
  oxomp debug 4711                       a process that hangs: stopped for the moment of looking
  oxomp debug core.4711                  a process that has crashed; its program is named there
  oxomp debug core.4711 ./solver         the same, where the program has moved
  oxomp debug -- ./solver -n 1000        run it, and say what is wrong when it hangs or crashes
  oxomp debug --end-on-deadlock -- ./solver
                                         for CI: a deadlock ends the program, with status 124

It prints the tree of regions, threads and tasks, with file and line; what each thread waits for,
and who holds it: also in the C library, as for a mutex of POSIX, a condition, input or a pause.
Threads that wait for each other in a circle are a deadlock, and named first; the circle may lead
through locks and criticals of OpenMP, mutexes and read-write locks of POSIX, and pthread_join.

WHILE `oxomp debug -- ./solver` RUNS:
  Ctrl-\\                                 print the state; the program goes on
  Ctrl-C                                 print the state, then interrupt the program
  a crash (SIGSEGV, SIGABRT ...)         prints the state before the program dies of it
  a deadlock                             is found by itself, and printed once; from then on the
                                         program is alone: Ctrl-C ends it, `gdb -p` attaches
The state goes to standard error, beside what the program says itself; -o puts it into a file. Only
the program is watched, not the processes that it starts.

The program runs on oxomp's runtime, as with `oxomp run`, with OMP_DEBUG=enabled unless that
variable is set: then the runtime also keeps the functions of regions and tasks. A process that was
started otherwise is explained with what there is. On another runtime (libgomp, libomp) there are
native threads and their calls only.

A number is a process, unless there is a file of that name; `-p 4711` always means the process,
`./4711` always the file. To look at a process takes the rights to trace it: it is yours, and
/proc/sys/kernel/yama/ptrace_scope is 0, or oxomp runs as root.

EXIT STATUS: 0 if there was something to see; 125 if oxomp failed. With a program its own; 124 if
--end-on-deadlock ended it, 125 if oxomp failed, 126 if the program cannot be run, 127 if there is
no such program.";

pub(super) const USAGE: &str = "\
oxomp debug [-o FILE] PID
       oxomp debug [-o FILE] CORE [PROGRAM]
       oxomp debug [OPTIONS] -- PROGRAM [ARGS]...";

#[derive(Debug, Args)]
pub(super) struct DebugArgs {
    /// A process, or a core file and, where it has moved, its program
    #[arg(value_name = "PID|CORE", num_args = 1.., required_unless_present_any = ["pid", "program"])]
    target: Vec<OsString>,
    /// This process, even if there is a file whose name is this number
    #[arg(short, long, value_name = "PID", conflicts_with_all = ["target", "program"])]
    pid: Option<OsString>,
    /// Write the state to FILE
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Look for a deadlock when the program has made no progress for so long
    #[arg(
        long,
        value_name = "SECONDS",
        default_value = "5",
        value_parser = seconds,
        conflicts_with_all = ["target", "pid"]
    )]
    after: Duration,
    /// End the program when it is in a deadlock, with exit status 124
    #[arg(long, conflicts_with_all = ["target", "pid"])]
    end_on_deadlock: bool,
    /// Say what is done: the runtime and why, the variables set, the libraries in use
    #[arg(short, long, conflicts_with_all = ["target", "pid"])]
    verbose: bool,
    /// The program to be run, and its arguments
    #[arg(value_name = "PROGRAM", last = true, conflicts_with = "target")]
    program: Vec<OsString>,
}

impl From<DebugArgs> for DebugProps {
    fn from(args: DebugArgs) -> Self {
        Self {
            subject: match args.pid {
                Some(pid) => DebugSubject::Process(pid),
                None if args.program.is_empty() => DebugSubject::Named(args.target),
                None => DebugSubject::Program(args.program),
            },
            output: args.output,
            after: args.after,
            end_on_deadlock: args.end_on_deadlock,
            verbose: args.verbose,
        }
    }
}
