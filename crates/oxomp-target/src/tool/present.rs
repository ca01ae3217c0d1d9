//! Whether a tool listens, and the way of an event to the tool.

use core::ptr;
use core::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release};

use super::event::ToolEvent;
use super::host::{Generation, HostTool};
use super::{calls, encoder_5x, encoder_2015};
use crate::sync::AtomicPtr;

/// No thread has asked the host runtime.
const UNASKED: usize = 1;
/// A thread asks the host runtime.
const ASKING: usize = 2;

statics! {
    /// The tool that listens; null if no tool listens, or one of the two numbers above.
    static TOOL: AtomicPtr<HostTool> = AtomicPtr::new(ptr::without_provenance_mut(UNASKED));
}

/// What is known of the tool that listens.
#[derive(Clone, Copy, Debug)]
pub(super) enum Present {
    /// No thread has asked the host runtime.
    Unasked,
    /// A thread asks the host runtime.
    Asking,
    /// No tool listens.
    Nobody,
    /// This tool listens.
    Tool(&'static HostTool),
}

/// Whether it is known that no tool listens: a load and a branch.
#[inline(always)]
pub(super) fn is_silent() -> bool {
    // Relaxed: a thread that finds something reads again, by `present`. A tool that begins on
    // another thread just now has no claim to events that happen meanwhile.
    TOOL.load(Relaxed).is_null()
}

/// What is known of the tool that listens.
pub(super) fn present() -> Present {
    // Acquire: with the Release of `publish`; shows the tool's functions.
    let tool = TOOL.load(Acquire);
    match tool.addr() {
        0 => Present::Nobody,
        UNASKED => Present::Unasked,
        ASKING => Present::Asking,
        // SAFETY: `publish` stores tools that stay for the whole run.
        _ => Present::Tool(unsafe { &*tool }),
    }
}

/// The calling thread asks the host runtime from now on; false if a thread has asked before.
pub(super) fn claim_question() -> bool {
    replace(UNASKED, ASKING)
}

/// The host runtime has been asked; unless it has told of a tool, no tool listens.
pub(super) fn end_question() {
    // False: the runtime has told of a tool.
    replace(ASKING, 0);
}

/// If a thread was asking, it is gone: the question is asked again.
pub(super) fn forget_question() {
    // False: no thread asked.
    replace(ASKING, UNASKED);
}

fn replace(from: usize, to: usize) -> bool {
    let [from, to] = [from, to].map(ptr::without_provenance_mut);
    TOOL.compare_exchange(from, to, AcqRel, Acquire).is_ok()
}

/// The tool listens from now on.
pub(super) fn publish(tool: &'static HostTool) {
    TOOL.store(ptr::from_ref(tool).cast_mut(), Release);
}

/// The tool that has listened does not listen any more.
pub(super) fn withdraw() {
    // Relaxed: this store publishes no data; `calls::open` orders it before the next tool's begin
    // (I9).
    TOOL.store(ptr::null_mut(), Relaxed);
}

/// Tells the tool of an event, unless it has ended.
pub(super) fn tell(tool: &'static HostTool, event: &ToolEvent<'_>) {
    calls::during(|| {
        // Relaxed: a scope may belong to an earlier tool; then `during` has shown that tool's end
        // (I9).
        if ptr::eq(TOOL.load(Relaxed), tool) {
            match &tool.generation {
                Generation::OpenMp5(tool) => encoder_5x::encode(tool, event),
                Generation::Report2015(tool) => encoder_2015::encode(tool, event),
            }
        }
    });
}
