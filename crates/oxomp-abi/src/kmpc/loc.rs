//! The source location that each call of clang's and flang's code passes.

use core::ffi::c_char;
use core::ptr;

use oxomp_base::diag::Location;
use oxomp_core::CallSite;
use oxomp_sys::kmpc::{ident_flag_t, ident_t};

/// `ident_t *`: where the construct stands in the source, and which construct it is; may be null
/// (rule A2).
///
/// It is read where an entry needs it and nowhere else: calls by hand may pass anything to the
/// others.
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct Loc(*const ident_t);

impl Loc {
    #[inline(always)]
    fn ident(self) -> Option<&'static ident_t> {
        // SAFETY: A2: null or a constant of the program.
        unsafe { self.0.as_ref() }
    }

    /// The place in the compiler's form, `;file;function;line;column;;`; null if it does not say.
    #[inline(always)]
    pub(super) fn source(self) -> *const c_char {
        self.ident().map_or(ptr::null(), |ident| ident.psource)
    }

    /// Whether the compiler has set all bits of this flag.
    #[inline(always)]
    pub(super) fn has(self, flag: ident_flag_t) -> bool {
        self.ident().is_some_and(|ident| ident.flags.0 & flag.0 == flag.0)
    }

    /// The place that called the exported function in which this is expanded, with the compiler's
    /// description of it.
    #[inline(always)]
    pub(super) fn site(self) -> CallSite {
        // SAFETY: A2: null or a constant of the program, whose string, if any, is one too.
        unsafe { CallSite::here().described_by(self.0) }
    }

    /// The place for messages: as the compiler describes it, else the call at `site`.
    pub(super) fn location(self, site: CallSite) -> Location<'static> {
        // SAFETY: A2: null or a string that is never freed.
        unsafe { Location::new(self.source(), site) }
    }
}

#[cfg(test)]
mod tests {
    use super::Loc;
    use core::ptr;
    use oxomp_core::CallSite;
    use oxomp_sys::kmpc::{ident_flag_t, ident_t};

    static PLACE: ident_t = ident_t {
        reserved_1: 0,
        flags: ident_flag_t(ident_flag_t::KMPC.0 | ident_flag_t::BARRIER_IMPLICIT_SINGLE.0),
        reserved_2: 0,
        reserved_3: 0,
        psource: c";a.c;main;12;9;;".as_ptr(),
    };

    #[test]
    fn null_says_nothing() {
        let nowhere = Loc(ptr::null());
        assert!(nowhere.source().is_null());
        assert!(!nowhere.has(ident_flag_t::KMPC));
        assert_eq!(nowhere.location(CallSite::none()).to_string(), "unknown");
    }

    #[test]
    fn a_location_has_its_flags_and_its_place() {
        let place = Loc(&PLACE);
        assert!(place.has(ident_flag_t::BARRIER_IMPLICIT));
        assert!(place.has(ident_flag_t::BARRIER_IMPLICIT_SINGLE));
        assert!(!place.has(ident_flag_t::BARRIER_IMPLICIT_SECTIONS));
        assert!(!place.has(ident_flag_t::BARRIER_EXPLICIT));
        assert_eq!(place.location(CallSite::none()).to_string(), "a.c:12:9");
    }
}
