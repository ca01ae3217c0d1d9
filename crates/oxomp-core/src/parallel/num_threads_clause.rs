//! Messages about a team that is smaller than its construct asks for.

use core::ffi::{CStr, c_char};
use core::sync::atomic::{AtomicBool, Ordering::Relaxed};

use oxomp_arch::CallSite;
use oxomp_base::diag::{self, Location};
use oxomp_base::icv::Library;
use oxomp_base::icv::num_threads::NumThreads;
use oxomp_base::settings;

use crate::block::{Modifiers, Refusal};

/// Reports if the team is smaller than the construct at `site` asks for: the limits allow `granted`
/// threads, and the team has `size`, which is fewer after a `refusal`.
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
        // SAFETY: both are null or strings of the compiler, which live as long as the construct
        // that is being executed.
        let (location, message) =
            unsafe { (Location::new(strict.location, site), text(strict.message)) };
        let location = location.prefix();
        let what =
            format!("{location}num_threads(strict: {requested}): the team has {size} threads");
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
            let location = Location::at(site).prefix();
            diag::warning(&format!(
                "{location}parallel: the team has {size} of the {granted} threads asked for: {reason}"
            ));
        }
        return;
    }
    let settings = settings::get();
    // A thread_limit clause asks for smaller teams itself.
    let is_of_environment = wish.thread_limit_var == settings.icvs.thread_limit_var;
    let is_limited = granted < requested && !wish.dyn_var && is_of_environment;
    if is_limited && settings.library() != Library::Serial {
        static WARNED: AtomicBool = AtomicBool::new(false);
        if !WARNED.swap(true, Relaxed) {
            let location = Location::at(site).prefix();
            diag::warning(&format!(
                "{location}parallel: a team of {requested} threads is more than the contention group has left \
                 of its thread limit of {}; the team has {size} (OMP_THREAD_LIMIT, thread_limit)",
                wish.thread_limit_var,
            ));
        }
    }
}

/// # Safety
/// `text` is null or a C string that lives as long as the result.
unsafe fn text<'a>(text: *const c_char) -> std::borrow::Cow<'a, str> {
    if text.is_null() {
        return "".into();
    }
    // SAFETY: `text` is not null here, so it is a C string that lives as long as the result
    // (`# Safety`).
    unsafe { CStr::from_ptr(text) }.to_string_lossy()
}
