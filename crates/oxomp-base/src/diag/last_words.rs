//! The message when the runtime itself cannot go on, since memory is exhausted or the runtime has a
//! bug: one line, with the call of the runtime in which it happened.

use core::alloc::Layout;
use core::fmt::{self, Write};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};
use core::time::Duration;
use std::panic::{self, PanicHookInfo};
use std::thread;

use super::at_hand::AtHand;
use crate::os;

/// A line in a fixed buffer, without allocation; longer text is truncated.
struct Line {
    text: [u8; 1000],
    length: usize,
}

impl Line {
    fn new(arguments: fmt::Arguments<'_>) -> Self {
        let mut line = Line { text: [0; 1000], length: 0 };
        // An error says that the text has been truncated.
        let _ = line.write_fmt(arguments);
        line
    }

    /// The line with a newline.
    fn ended(&mut self) -> &[u8] {
        let end = self.length.min(self.text.len() - 1);
        self.text[end] = b'\n';
        &self.text[..=end]
    }

    fn print(&mut self) {
        os::print_error(self.ended());
    }
}

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let room = &mut self.text[self.length..];
        let fits = text.len().min(room.len());
        room[..fits].copy_from_slice(&text.as_bytes()[..fits]);
        self.length += fits;
        if fits == text.len() { Ok(()) } else { Err(fmt::Error) }
    }
}

/// `, in GOMP_parallel called at a.out+0x1234`, or nothing.
struct During(Option<AtHand>);

impl fmt::Display for During {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |call| write!(f, ", in {call}"))
    }
}

/// Reports that memory is exhausted, and ends the process with status 1 at once, without its exit
/// handlers: they would need memory too, and may need locks that the caller holds.
#[cold]
#[inline(never)]
pub fn no_memory(layout: Layout) -> ! {
    /// Whether a thread has written the line; a second thread would add nothing.
    static TOLD: AtomicBool = AtomicBool::new(false);
    if TOLD.swap(true, Relaxed) {
        // The first thread ends the process when it has written its line. The wait is bounded: the
        // child of a fork(2) may have inherited the mark, but not the thread.
        thread::sleep(Duration::from_millis(100));
    } else {
        let bytes = layout.size();
        let during = During(AtHand::find());
        Line::new(format_args!("OMP: Error: no memory: {bytes} bytes are not to be had{during}"))
            .print();
    }
    // SAFETY: `_exit` may be called in any state of the process.
    unsafe { libc::_exit(1) }
}

/// Installs a panic hook that writes one line about a bug of the runtime. The process aborts
/// afterwards.
pub fn watch_panics() {
    panic::set_hook(Box::new(tell_panic));
}

fn tell_panic(info: &PanicHookInfo<'_>) {
    let message = info.payload_as_str().unwrap_or("no message");
    let during = AtHand::find().map_or_else(String::new, |call| {
        format!(", in {} called at {}", call.entry(), call.location())
    });
    Line::new(format_args!(
        "OMP: Error: internal error of oxomp {}: {message} ({}){during}; please report it",
        env!("CARGO_PKG_VERSION"),
        PanicLocation(info),
    ))
    .print();
}

/// `file:line` in the runtime's sources.
struct PanicLocation<'a>(&'a PanicHookInfo<'a>);

impl fmt::Display for PanicLocation<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.location() {
            Some(location) => write!(f, "{}:{}", location.file(), location.line()),
            None => f.write_str("unknown location"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Line, no_memory, watch_panics};
    use core::alloc::Layout;
    use std::env;
    use std::process::{Command, Output};

    /// Runs the ignored test `name` of this module as a program.
    fn run(name: &str) -> Output {
        let program = env::current_exe().expect("the test runs");
        Command::new(program)
            .args(["--exact", "--ignored", "--nocapture", "--test-threads=1"])
            .arg(format!("diag::last_words::tests::{name}"))
            .output()
            .expect("the test can be run again")
    }

    #[test]
    #[ignore = "run by `a_panic_is_told_in_one_line`"]
    fn panics() {
        watch_panics();
        panic!("two and two are {}", 5);
    }

    #[test]
    fn a_panic_is_told_in_one_line() {
        let error = run("panics").stderr;
        let error = String::from_utf8_lossy(&error);
        let wanted = concat!("OMP: Error: internal error of oxomp ", env!("CARGO_PKG_VERSION"));
        let line = error.lines().next().expect("there is a line");
        assert!(line.starts_with(wanted), "{error}");
        assert!(line.contains(": two and two are 5 (") && line.contains("last_words.rs:"));
        assert!(line.ends_with("; please report it") && error.lines().count() == 1, "{error}");
    }

    #[test]
    #[ignore = "run by `a_lack_of_memory_ends_the_process`"]
    fn wants_memory() {
        no_memory(Layout::new::<[u64; 100]>());
    }

    #[test]
    fn a_lack_of_memory_ends_the_process() {
        let output = run("wants_memory");
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(error, "OMP: Error: no memory: 800 bytes are not to be had\n");
        assert_eq!(output.status.code(), Some(1));
    }

    #[test]
    fn long_lines_are_cut() {
        let mut line = Line::new(format_args!("{}{}", "a".repeat(999), "b".repeat(9)));
        assert_eq!((line.length, line.text[998], line.text[999]), (1000, b'a', b'b'));
        assert_eq!(line.ended(), format!("{}\n", "a".repeat(999)).as_bytes());
        assert_eq!(Line::new(format_args!("short")).ended(), b"short\n");
    }
}
