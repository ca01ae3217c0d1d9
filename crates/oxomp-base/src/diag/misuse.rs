//! Reports of the program's mistakes, with the called routine and the location of the call.

use core::fmt;
use core::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::at_hand::AtHand;
use super::{fatal, warning};

/// Whether a mistake ends the program, and the runtime also makes the checks that cost time
/// (KMP_CONSISTENCY_CHECK).
static STRICT: AtomicBool = AtomicBool::new(false);

/// Sets whether mistakes end the program.
pub fn set_strict(strict: bool) {
    STRICT.store(strict, Relaxed);
}

/// Whether mistakes end the program.
fn is_strict() -> bool {
    STRICT.load(Relaxed)
}

/// The return addresses of the calls whose mistakes have been reported.
static TOLD: [AtomicUsize; 64] = [const { AtomicUsize::new(0) }; 64];

/// Whether `address` is not in the table yet; adds it. False if the table is full.
fn is_first(address: usize) -> bool {
    for slot in &TOLD {
        match slot.compare_exchange(0, address, Relaxed, Relaxed) {
            Ok(_) => return true,
            Err(known) if known == address => return false,
            Err(_) => {}
        }
    }
    false
}

/// Reports the mistake `what` that the program has made in a `construct` or by a routine of the
/// API, with the call of the runtime that the thread is in and `instead`, the behaviour that
/// follows. Prints one warning per call site. Does not return if mistakes end the program.
#[cold]
#[inline(never)]
pub fn misuse(construct: &str, what: fmt::Arguments<'_>, instead: &str) {
    let call = AtHand::find();
    let address = call.map_or(0, |call| call.return_address.addr());
    let is_told = address != 0 && !is_first(address);
    if is_told && !is_strict() {
        return;
    }
    let location = call.map_or_else(String::new, |call| call.location().prefix());
    let routine = call.as_ref().map_or("", AtHand::entry);
    let name = if routine.starts_with("omp_") { routine } else { construct };
    if is_strict() {
        fatal(&format!("{location}{name}: {what}"));
    }
    warning(&format!("{location}{name}: {what}; {instead}"));
}

#[cfg(test)]
mod tests {
    use super::is_first;

    #[test]
    fn each_place_is_told_of_once_and_some_places_at_all() {
        assert!(is_first(5));
        assert!(!is_first(5));
        let told = (100..300).filter(|address| is_first(*address)).count();
        assert_eq!(told, 63);
    }
}
