//! The end of a tool that ends before the runtime ends its tool.

use crate::tools::{self, Departure, Phase};
use crate::{registration, running, runtime};

/// Ends a tool that asked for it: the others go on. If it is the last, the runtime ends its own
/// tool, the multiplexer; until then the last tool stays as it is, since the runtime still delivers
/// outstanding events.
pub(crate) fn end(tool: usize) {
    let Some(departure) = tools::depart(tool) else { return };
    // Another tool may be ending at the same time, and the runtime waits for callbacks, too.
    let _away = running::leave();
    let of_runtime = runtime::current().and_then(|runtime| runtime.finalize_tool);
    match (departure, of_runtime) {
        // SAFETY: the entry point is the runtime's, and the tool that calls it guarantees that it
        // may be called now.
        (Departure::Last, Some(finalize_tool)) => unsafe { finalize_tool() },
        // The last tool on a runtime that has no entry point for it ends as the others do.
        _ => end_here(tool),
    }
}

/// Ends a tool without the runtime: beside others, or as the last one, if the runtime has no entry
/// point for that.
fn end_here(tool: usize) {
    let runs = tools::change_phase(tool, Phase::Active, Phase::Ending)
        || tools::change_phase(tool, Phase::Initializing, Phase::Ending);
    // Otherwise the runtime is finalizing the multiplexer, and so all tools end.
    if runs {
        registration::unregister_all(tool);
        running::wait_for_others();
        tools::finalize(tool);
        tools::set_phase(tool, Phase::Absent);
    }
}
