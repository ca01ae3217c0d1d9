//! The audience of a construct: [`Silent`] has no listener; [`Listened`] may have a tool, a
//! debugger or the consistency check.
//!
//! A construct's body is one function over an [`Audience`], and is compiled twice. The construct
//! tests the mask once, where it begins, to choose the instance:
//!
//! ```ignore
//! #[inline(always)]
//! pub fn barrier(thread: &'static Thread, kind: SyncRegion, site: CallSite) {
//!     for_audience!(|audience| region(audience, thread, kind, site));
//! }
//!
//! #[inline(always)]
//! fn region(audience: impl Audience, thread: &'static Thread, kind: SyncRegion, site: CallSite) {
//!     let _frame = audience.enter(&task.ompt, site);
//!     audience.sync_region(kind, Endpoint::Begin, region, &task.ompt, site);
//!     thread.ompt.in_state(kind.state(), || meet(thread, task));
//!     ...
//! }
//! ```
//!
//! All work that only listeners need goes through the audience: events, the enter frame, records;
//! `audience.is_listening()` guards the rest. In the silent instance these calls compile to
//! nothing, and the instance is the construct's fast path. The listened instance is a separate cold
//! function; it tests the mask for each event, since a tool registers only the callbacks that it
//! wants.
//!
//! The state of a thread does not go through the audience. It is set in both instances, since a
//! debugger may look at a program that expected none.
//!
//! A construct may begin with the listened instance and go on after the tool's end, since each
//! event is tested. A construct that begins with the silent instance has no event that a tool could
//! miss: the set of events is empty without `ACTIVE`, and `ACTIVE` is set at the runtime's start
//! only. Before that start the mask is `ACTIVE`, so that the first construct of the program uses
//! the listened instance, and starts the runtime before its first event.

use super::emit::Audience;

/// The audience without a listener.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

/// The audience of a construct that had a listener to some events when it began.
#[derive(Clone, Copy, Debug)]
pub struct Listened;

impl Audience for Silent {
    const LISTENS: bool = false;
}

impl Audience for Listened {
    const LISTENS: bool = true;
}

/// Chooses the audience by one test of the mask, and evaluates the expression with it: inline for
/// `Silent`, in a cold function for `Listened`.
///
/// `for_audience!(|audience| body(audience, thread, site))`; the macro expands the expression
/// twice, so it should be a single call.
macro_rules! for_audience {
    (|$audience:ident| $body:expr) => {
        if $crate::ompt::event::is_active() {
            $crate::ompt::event::listened(
                #[inline(always)]
                move |$audience: $crate::ompt::event::Listened| $body,
            )
        } else {
            let $audience = $crate::ompt::event::Silent;
            $body
        }
    };
}

pub(crate) use for_audience;

/// Runs the listened instance of a construct as a cold function, apart from the silent instance.
#[cold]
#[inline(never)]
pub(crate) fn listened<R>(body: impl FnOnce(Listened) -> R) -> R {
    body(Listened)
}
