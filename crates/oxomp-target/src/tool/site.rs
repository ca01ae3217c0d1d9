//! The call of an exported function, by its frame.

use oxomp_arch::Frame;

use super::present;
use crate::call_site::CallSite;
use crate::host_runtime::HostRuntime;

impl CallSite {
    /// The call of the function into which this is inlined: an exported one.
    #[inline(always)]
    #[must_use]
    pub fn here() -> Self {
        if present::is_silent() { Self::NONE } else { Self::of(Frame::here()) }
    }

    /// The call of the exported function with that frame. oxomp's libomp passes calls of device
    /// routines on to this library: then the program has called libomp's function, in a frame
    /// behind, if libomp's functions keep frame pointers, as oxomp's do.
    #[cold]
    #[inline(never)]
    fn of(mut frame: Frame) -> Self {
        let runtime = HostRuntime::get();
        while runtime.has_code(frame.return_address().addr())
            && let Some(caller) = frame.pointer_of_caller()
        {
            // SAFETY: the frame pointer of a function of libomp, which has not returned.
            frame = unsafe { Frame::from_pointer(caller) };
        }
        Self::at(frame)
    }

    fn at(frame: Frame) -> Self {
        Self::new(frame.return_address().addr(), frame.pointer().expose_provenance())
    }
}
