//! The *audience* of a construct: a value whose type says which listeners there were when the
//! construct began, and to which the construct hands its events. [`Silent`] has no listener,
//! [`Attached`] a tool that has registered no callback, [`Listened`] any tool, debugger or
//! consistency check.
//!
//! The word is this runtime's own. The specification speaks of a tool alone, and has no term for
//! whoever listens; *listener*, *observer* and *sink* each mean one that is there, while the most
//! frequent audience is empty.
//!
//! A construct's body is one function over an [`Audience`], and is compiled three times. The
//! construct tests the mask once, where it begins, to choose the instance:
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
//! nothing, and the instance is the construct's fast path. The attached instance keeps frames and
//! records, which the tool may ask for at any time, and has no events. The listened instance tests
//! the mask for each event, since a tool registers only the callbacks that it wants.
//!
//! A construct in which no other task can run and no thread waits, except on a slow path that sets
//! the enter frame itself, has nothing to keep for a tool without callbacks: `for_events!` chooses
//! between the silent and the listened instance.
//!
//! The state of a thread does not go through the audience. It is set in all instances where the
//! thread waits, since a debugger may look at a program that expected none.
//!
//! A construct may begin with the listened instance and go on after the tool's end, since each
//! event is tested. A construct that begins with another instance has no event that a tool could
//! miss, except for callbacks that the tool registers while the construct goes on. Before the
//! runtime's start the mask is that of a listener, so that the first construct of the program uses
//! the listened instance, and starts the runtime before its first event.

use super::emit::Audience;

/// The audience without a listener.
#[derive(Clone, Copy, Debug)]
pub struct Silent;

/// The audience of a construct when a tool was attached and listened to no event when it began.
#[derive(Clone, Copy, Debug)]
pub struct Attached;

/// The audience of a construct that had a listener to some events when it began.
#[derive(Clone, Copy, Debug)]
pub struct Listened;

impl Audience for Silent {
    const LISTENS: bool = false;
    const HEARS: bool = false;
}

impl Audience for Attached {
    const LISTENS: bool = true;
    const HEARS: bool = false;
}

impl Audience for Listened {
    const LISTENS: bool = true;
    const HEARS: bool = true;
}

/// Chooses the audience by one test of the mask, and evaluates the expression with it: inline for
/// `Silent`, in a function of its own for `Attached` and `Listened`.
///
/// `for_audience!(|audience| body(audience, thread, site))`; the macro expands the expression three
/// times, so it should be a single call.
macro_rules! for_audience {
    (|$audience:ident| $body:expr) => {
        if $crate::ompt::event::is_active() {
            if $crate::ompt::event::has_events() {
                $crate::ompt::event::listened(
                    #[inline(always)]
                    move |$audience: $crate::ompt::event::Listened| $body,
                )
            } else {
                $crate::ompt::event::attached(
                    #[inline(always)]
                    move |$audience: $crate::ompt::event::Attached| $body,
                )
            }
        } else {
            let $audience = $crate::ompt::event::Silent;
            $body
        }
    };
}

/// Chooses between `Silent` and `Listened`, as `for_audience!` does, for a construct that keeps
/// nothing for a tool without callbacks.
macro_rules! for_events {
    (|$audience:ident| $body:expr) => {
        if $crate::ompt::event::has_events() {
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

pub(crate) use {for_audience, for_events};

/// Runs the attached instance of a construct.
#[inline(never)]
pub(crate) fn attached<R>(body: impl FnOnce(Attached) -> R) -> R {
    body(Attached)
}

/// Runs the listened instance of a construct, apart from the silent instance.
#[inline(never)]
pub(crate) fn listened<R>(body: impl FnOnce(Listened) -> R) -> R {
    body(Listened)
}
