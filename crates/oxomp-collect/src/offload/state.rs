//! The construct for a device, and the operation, that a thread is in.

/// The construct and the operation that a thread is in.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Offload {
    pub(super) construct: Option<Construct>,
    /// When the operation began, and whether that was recorded.
    pub(super) operation: Option<(u64, bool)>,
    /// Ticks outside every region in constructs that have ended since the last region ended.
    pub(super) outside: u64,
}

/// A construct that has begun.
#[derive(Debug, Clone, Copy)]
pub(super) struct Construct {
    /// A number that no other unfinished construct has.
    pub(super) id: u64,
    pub(super) kind: u8,
    pub(super) device: u32,
    pub(super) code: u64,
    pub(super) begin: u64,
    pub(super) recorded: bool,
    /// As in [`oxomp_trace::fold::target`].
    pub(super) values: [u64; 12],
}

impl Offload {
    pub(crate) const NONE: Self = Self { construct: None, operation: None, outside: 0 };

    /// The code address of the construct that the thread is in; 0: none.
    pub(crate) fn code(&self) -> u64 {
        self.construct.map_or(0, |construct| construct.code)
    }

    /// The device of that construct.
    pub(crate) fn device(&self) -> u32 {
        self.construct.map_or(0, |construct| construct.device)
    }

    /// Whether the thread is in the construct of that number.
    pub(super) fn is_in(&self, id: u64) -> bool {
        self.construct.is_some_and(|construct| construct.id == id)
    }

    /// The ticks of a serial stretch from `since` to `now` that were spent in constructs.
    pub(crate) fn take_outside(&mut self, since: u64, now: u64) -> u64 {
        let ended = std::mem::take(&mut self.outside);
        let open = self.construct.map_or(0, |open| now.saturating_sub(open.begin.max(since)));
        (ended + open).min(now.saturating_sub(since))
    }
}

#[cfg(test)]
mod tests {
    use super::{Construct, Offload};

    /// A thread in the construct number 7.
    fn in_construct() -> Offload {
        let (begin, recorded, values) = (70, false, [0; 12]);
        let construct = Construct { id: 7, kind: 1, device: 0, code: 1, begin, recorded, values };
        Offload { construct: Some(construct), operation: None, outside: 20 }
    }

    #[test]
    fn a_construct_that_another_thread_has_begun_ends_no_other() {
        assert!(in_construct().is_in(7));
        assert!(!in_construct().is_in(8));
        assert!(!Offload::NONE.is_in(7));
    }

    #[test]
    fn a_stretch_has_no_more_in_constructs_than_it_is_long() {
        let mut offload = in_construct();
        assert_eq!(offload.take_outside(0, 100), 50);
        // What has been taken is not taken again.
        assert_eq!(offload.take_outside(90, 110), 20);
        offload.outside = 500;
        assert_eq!(offload.take_outside(90, 110), 20);
    }
}
