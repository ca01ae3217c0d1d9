//! Messages for the user: one line each on stderr, in libomp's form.
//!
//! A warning names the mistake, its location, and the behaviour that follows; the program goes on.
//! After an error it ends. `Location` is the location of a construct.

mod at_hand;
mod last_words;
mod location;
mod misuse;
mod symbol;

pub use last_words::{no_memory, watch_panics};
pub use location::Location;
pub use misuse::{misuse, set_strict};

use core::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};

use crate::os;
use at_hand::AtHand;

/// Whether warnings are printed (KMP_WARNINGS, `kmp_set_warnings_off`).
static WARNINGS: AtomicBool = AtomicBool::new(true);

/// Sets whether warnings are printed.
pub fn set_warnings(on: bool) {
    WARNINGS.store(on, Relaxed);
}

/// Prints a warning, unless the user wants none.
pub fn warning(message: &str) {
    if WARNINGS.load(Relaxed) {
        say("Warning", message);
    }
}

/// Prints a warning about the value of an environment variable, with the number by which users of
/// LLVM's runtime look such warnings up.
pub fn bad_value(message: &str) {
    if WARNINGS.load(Relaxed) {
        say("Warning #42", message);
    }
}

/// Prints information that the user has asked for.
pub fn info(message: &str) {
    say("Info", message);
}

/// Prints an error after which the program cannot go on, and ends the process with status 1. If
/// several threads call this function, one prints and the others wait for the end. A mark that
/// another process has set does not count: then this process was forked while its parent printed.
pub fn fatal(message: &str) -> ! {
    static SPEAKER: AtomicI64 = AtomicI64::new(0);
    let process = i64::from(os::process_id()) << 32;
    let me = process | i64::from(os::thread_id());
    let known = SPEAKER.load(Relaxed);
    let none = if known & !i64::from(u32::MAX) == process { 0 } else { known };
    match SPEAKER.compare_exchange(none, me, Relaxed, Relaxed) {
        Ok(_) => {
            say("Error", message);
            std::process::exit(1)
        }
        Err(speaker) if speaker == me => {
            // The calling thread is already ending the process: one of the exit handlers has met
            // another error.
            say("Error", message);
            // SAFETY: `_exit` may be called in any state of the process.
            unsafe { libc::_exit(1) }
        }
        Err(_) => loop {
            std::thread::sleep(core::time::Duration::from_millis(10));
        },
    }
}

/// Prints a warning about the call of the runtime that the thread is in, with its location.
#[cold]
pub fn warning_in_call(message: &str) {
    warning(&format!("{}{message}", place_at_hand()));
}

/// Prints an error in the call of the runtime that the thread is in, with its location, and ends
/// the process.
#[cold]
pub fn fatal_in_call(message: &str) -> ! {
    fatal(&format!("{}{message}", place_at_hand()))
}

/// The location of the call of the runtime that the thread is in, and `: `; empty if it is unknown.
fn place_at_hand() -> String {
    AtHand::find().map_or_else(String::new, |call| call.location().prefix())
}

fn say(kind: &str, message: &str) {
    let line = format!("OMP: {kind}: {message}\n");
    os::print_error(line.as_bytes());
}
