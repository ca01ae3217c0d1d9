//! What OpenMP 6.0 adds to the num_threads clause: numbers for the levels below, and `strict`.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::arch::CallSite;
use crate::diag::{self, Location};
use crate::icv::num_threads::NumThreads;
use crate::icv::{Deeper, Icvs, Library};
use crate::pool::Refusal;
use crate::settings;

/// What a clause says beside its number.
#[derive(Clone, Copy, Debug)]
pub struct Modifiers {
    /// The elements of a list after the first; none of a clause with one number.
    pub deeper: Deeper<u32>,
    /// `strict`.
    pub strict: Option<Strict>,
}

/// `strict`: a team of another size is an error.
#[derive(Clone, Copy, Debug)]
pub struct Strict {
    /// The program ends (`severity(fatal)`), rather than being warned.
    pub is_fatal: bool,
    /// `message`: what to tell the user; null for nothing. Lives as long as the construct.
    pub message: *const c_char,
    /// The construct's place as the compiler writes it, `;file;function;line;column;;`; may be null.
    pub place: *const c_char,
}

impl Modifiers {
    /// The variables of the implicit tasks of a region with this clause, encountered with `icvs`. A
    /// list takes the place of *nthreads-var* for the levels below.
    pub(crate) fn of_region(&self, icvs: &Icvs) -> Icvs {
        if self.deeper.as_slice().is_empty() {
            return icvs.of_region();
        }
        Icvs { nthreads_deeper: self.deeper, ..*icvs }.of_region()
    }
}

/// A team may be smaller than the construct at `site` asks for: the limits allow `granted` threads, and
/// it has `size`, fewer if there was a `refusal`.
#[cold]
pub(crate) fn check(
    wish: &NumThreads,
    modifiers: Option<&Modifiers>,
    granted: u32,
    size: u32,
    refusal: Option<Refusal>,
    site: CallSite,
) {
    let serialized = !wish.if_clause || wish.active_levels_var >= wish.max_active_levels_var;
    let requested = wish.requested();
    if serialized || size >= requested {
        return;
    }
    if let Some(strict) = modifiers.and_then(|modifiers| modifiers.strict) {
        // SAFETY: the compiler's strings, of a construct that is being executed.
        let (place, message) = unsafe { (Location::new(strict.place, site), text(strict.message)) };
        let place = place.prefix();
        let what = format!("{place}num_threads(strict: {requested}): the team has {size} threads");
        let what = match refusal {
            Some(reason) if size < granted => format!("{what}: {reason}"),
            _ => what,
        };
        let report = if message.is_empty() { what } else { format!("{what}: {message}") };
        if strict.is_fatal {
            diag::fatal(&report);
        }
        return diag::warning(&report);
    }
    if let Some(reason) = refusal
        && size < granted
    {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !WARNED.swap(true, Relaxed) {
            let place = Location::at(site).prefix();
            diag::warning(&format!(
                "{place}parallel: the team has {size} of the {granted} threads asked for: {reason}"
            ));
        }
        return;
    }
    let is_limited = granted < requested && !wish.dyn_var;
    if is_limited && settings::get().library() != Library::Serial {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !WARNED.swap(true, Relaxed) {
            let place = Location::at(site).prefix();
            diag::warning(&format!(
                "{place}parallel: a team of {requested} threads is more than the contention group has left \
                 of its thread limit of {}; the team has {size} (OMP_THREAD_LIMIT)",
                wish.thread_limit_var,
            ));
        }
    }
}

/// # Safety
/// `text` is null or a string that lives.
unsafe fn text<'a>(text: *const c_char) -> std::borrow::Cow<'a, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: by contract.
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}

#[cfg(test)]
mod tests {
    use super::Modifiers;
    use crate::icv::{Deeper, Icvs};

    #[test]
    fn a_list_stands_for_all_levels_below() {
        let outer = Icvs { nthreads_deeper: Deeper::interned(&[2, 2, 2]), ..Icvs::new(2) };
        let list = Modifiers { deeper: Deeper::interned(&[3]), strict: None };
        let inner = list.of_region(&outer);
        assert_eq!((inner.nthreads_var, inner.nthreads_deeper.as_slice()), (3, &[][..]));
        assert_eq!(inner.of_region().nthreads_var, 3);
        let plain = Modifiers { deeper: Deeper::NONE, strict: None };
        assert_eq!(plain.of_region(&outer), outer.of_region());
    }

    #[test]
    fn equal_lists_are_the_same() {
        assert_eq!(Deeper::interned(&[5, 6]), Deeper::interned(&[5, 6]));
        assert_ne!(Deeper::interned(&[5, 6]), Deeper::interned(&[5, 7]));
        assert_eq!(Deeper::interned(&[]), Deeper::NONE);
    }
}
