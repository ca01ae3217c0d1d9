//! What the threads of a loop in flight share besides its chunks and its turn.

use oxomp_protocol::loops::{Cleaned, Posted};
use oxomp_protocol::{Alone, Sole};

use super::scratch::Scratch;

/// Further state of a loop in flight.
#[derive(Debug)]
pub(crate) struct InFlight {
    /// The memory that the program requested for the loop.
    pub(in crate::worksharing) scratch: Scratch,
    /// The posted iterations of a doacross loop nest.
    pub(in crate::worksharing) posted: Posted,
}

impl InFlight {
    pub(crate) fn new() -> Self {
        InFlight { scratch: Scratch::none(), posted: Posted::new() }
    }
}

impl Cleaned for InFlight {
    #[inline(always)]
    fn clean(data: Sole<&Self>) {
        data.scratch.clean();
        // SAFETY: a part of what no other thread uses.
        unsafe { Sole::of(&data.posted) }.clean();
    }

    fn forget(&self, alone: &Alone) {
        self.scratch.forget(alone);
        self.posted.forget(alone);
    }

    fn outlive_others(&self, alone: &Alone) {
        self.posted.outlive_others(alone);
    }
}
