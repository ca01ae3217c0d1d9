//! What the runtime tells the user: one line on stderr, in libomp's form.
//!
//! A warning says what is wrong, where, and what happens instead; the program goes on. After an error
//! it cannot. Where a construct stands is a `Location`.

mod at_hand;
mod last_words;
mod location;
mod misuse;
mod symbol;

pub(crate) use last_words::no_memory;
pub use last_words::watch_panics;
pub use location::Location;
pub(crate) use misuse::{misuse, set_strict};

use core::sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed};
use std::io::Write;

use crate::os;
use at_hand::AtHand;

/// Whether warnings are printed (KMP_WARNINGS, `kmp_set_warnings_off`).
static WARNINGS: AtomicBool = AtomicBool::new(true);

/// Warnings are printed from now on, or are not.
pub fn set_warnings(on: bool) {
    WARNINGS.store(on, Relaxed);
}

/// A warning: the program goes on. Not printed if the user wants none.
pub fn warning(message: &str) {
    if WARNINGS.load(Relaxed) {
        say("Warning", message);
    }
}

/// A warning about the value of an environment variable, with the number under which users of LLVM's
/// runtime look those up.
pub fn bad_value(message: &str) {
    if WARNINGS.load(Relaxed) {
        say("Warning #42", message);
    }
}

/// What the user has asked to be told.
pub fn info(message: &str) {
    say("Info", message);
}

/// An error after which the program cannot go on. Ends the process with status 1. Of several threads
/// that get here one speaks, and the others wait for the end. A speaker of another process is none: then
/// this one was forked while it spoke.
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
            // It is ending already: in one of its last functions there was another error.
            say("Error", message);
            // SAFETY: ends the process.
            unsafe { libc::_exit(1) }
        }
        Err(_) => loop {
            std::thread::sleep(core::time::Duration::from_millis(10));
        },
    }
}

/// A warning about the call of the runtime that the thread is in, with its place.
#[cold]
pub fn warning_in_call(message: &str) {
    warning(&format!("{}{message}", place_at_hand()));
}

/// An error in the call of the runtime that the thread is in, with its place.
#[cold]
pub(crate) fn fatal_in_call(message: &str) -> ! {
    fatal(&format!("{}{message}", place_at_hand()))
}

/// `place: ` of the call of the runtime that the thread is in, or nothing.
fn place_at_hand() -> String {
    AtHand::find().map_or_else(String::new, |call| call.location().prefix())
}

/// One write for the whole line, so that lines of several threads do not mix. A closed stderr is no
/// reason to fail.
fn say(kind: &str, message: &str) {
    let line = format!("OMP: {kind}: {message}\n");
    let _ = std::io::stderr().write_all(line.as_bytes());
}
