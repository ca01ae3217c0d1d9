//! Who hears a construct: [`Silent`], nobody; [`Listened`], a tool, a debugger or the consistency
//! check.
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
//! All that only a listener sees goes through the audience: events, the enter frame, records;
//! `audience.is_listening()` asks for what is left. In the silent instance these are nothing at all,
//! and the instance is the construct's straight path. The listened instance is a cold function of
//! its own; it tests the mask for each event, since a tool registers the callbacks that it wants.
//!
//! What a thread waits for is no business of the audience: its state is kept for nobody too, since a
//! debugger may look at a program that expected none.
//!
//! A construct may begin listened and go on after the tool's end: its events are tested then.
//! None begins silent and is listened to later. The set of events is empty without `ACTIVE`, and
//! `ACTIVE` comes with the runtime's start only: before that the mask has `ACTIVE`, so that the
//! first construct of the program is listened to and starts the runtime before its first event.

use super::emit::Audience;

/// Nobody listens.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

/// Somebody listens to some events, or did when the construct began.
#[derive(Clone, Copy, Debug)]
pub struct Listened;

impl Audience for Silent {
    const LISTENS: bool = false;
}

impl Audience for Listened {
    const LISTENS: bool = true;
}

/// Chooses the audience by one test of the mask, and evaluates the expression with it: in place for
/// `Silent`, in a cold function for `Listened`.
///
/// `for_audience!(|audience| body(audience, thread, site))`; the expression is written twice, so it
/// is one call.
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

/// Runs the listened instance of a construct out of the way of the silent one.
#[cold]
#[inline(never)]
pub(crate) fn listened<R>(body: impl FnOnce(Listened) -> R) -> R {
    body(Listened)
}
