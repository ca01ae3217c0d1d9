//! The listeners of events: the tool, and the runtime itself.

use core::sync::atomic::{AtomicPtr, Ordering};

use super::emit::{BOTH, Event, Listener};
use super::mask::{self, Mask};

/// A listener, which hears events one by one. `Listener::of` makes its table.
pub(crate) trait Hear {
    /// Hears an event, on the thread of the event, which holds no lock of the runtime.
    ///
    /// An implementation is `#[inline(always)]`: the table has one instance for each event, in
    /// which a `match` on the event is resolved.
    fn hear(event: &Event<'_>);
}

/// The listener before another is set.
struct Nobody;

impl Hear for Nobody {
    #[inline(always)]
    fn hear(_: &Event<'_>) {}
}

static NOBODY: Listener = Listener::of::<Nobody>();

/// The tool's listener.
static TOOL: AtomicPtr<Listener> = AtomicPtr::new(address(&NOBODY));
/// The listener of a part of the runtime.
static RUNTIME: AtomicPtr<Listener> = AtomicPtr::new(address(&NOBODY));
/// The listener that events call: the tool's, or `BOTH` while the runtime itself or a debugger
/// listens too.
static HEARD: AtomicPtr<Listener> = AtomicPtr::new(address(&BOTH));

const fn address(listener: &'static Listener) -> *mut Listener {
    (&raw const *listener).cast_mut()
}

/// Sets the tool's listener, before the first `set_mask` that enables an event.
pub(crate) fn set_tool(listener: &'static Listener) {
    // Release: pairs with the Acquire in `load`.
    TOOL.store(address(listener), Ordering::Release);
    if !mask::has_own() {
        HEARD.store(address(listener), Ordering::Release);
    }
}

/// Makes a part of the runtime a listener to `events`: it hears each before the tool's callback.
pub(crate) fn listen(events: Mask, listener: &'static Listener) {
    // Release: pairs with the Acquire in `load`.
    RUNTIME.store(address(listener), Ordering::Release);
    hear_all();
    mask::add_own(events);
}

/// From now on the runtime keeps the state that a debugger reads: the functions in `debugged` keep
/// it, at the events in `FOR_DEBUGGER`.
pub(crate) fn expect_debugger() {
    hear_all();
    mask::add_own(mask::DEBUG | mask::FOR_DEBUGGER);
}

fn hear_all() {
    HEARD.store(address(&BOTH), Ordering::Release);
}

/// The listener that an event calls.
#[inline(always)]
pub(super) fn heard() -> &'static Listener {
    load(&HEARD)
}

/// The tool's listener.
pub(super) fn tool() -> &'static Listener {
    load(&TOOL)
}

/// The runtime's own listener.
pub(super) fn runtime() -> &'static Listener {
    load(&RUNTIME)
}

#[inline(always)]
fn load(listener: &AtomicPtr<Listener>) -> &'static Listener {
    // SAFETY: the pointer is to a static of this room or to a listener that `set_tool` or `listen`
    // was given; each lives for ever.
    unsafe { &*listener.load(Ordering::Acquire) }
}
