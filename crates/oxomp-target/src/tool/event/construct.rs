//! Which construct a scope is, and who executes it.

use oxomp_sys::ompt::ompt_target_t;

use crate::device::TargetDevice;

/// The kind of a construct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ConstructKind {
    /// The target construct.
    Target {
        /// The address of the construct's kernel; 0 if the host executes the construct.
        code: usize,
    },
    /// The target enter data construct, or the begin of a target data region.
    EnterData(Region),
    /// The target exit data construct, or the end of a target data region.
    ExitData(Region),
    /// The target update construct.
    Update,
}

/// What may be a target data region: the compiler calls the same functions for a region's begin and
/// end as for other constructs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Region {
    /// The compiler's arrays for the items, the same at the begin and at the end.
    pub(crate) arrays: usize,
    /// Whether the construct has items that only a region has; known at a begin only.
    pub(crate) is_certain: bool,
}

impl ConstructKind {
    /// `ompt_target_t`.
    pub(in crate::tool) fn kind(self, is_nowait: bool) -> ompt_target_t {
        use ompt_target_t as T;
        match (self, is_nowait) {
            (Self::Target { .. }, false) => T::TARGET,
            (Self::Target { .. }, true) => T::TARGET_NOWAIT,
            (Self::EnterData(_), false) => T::ENTER_DATA,
            (Self::EnterData(_), true) => T::ENTER_DATA_NOWAIT,
            (Self::ExitData(_), false) => T::EXIT_DATA,
            (Self::ExitData(_), true) => T::EXIT_DATA_NOWAIT,
            (Self::Update, false) => T::UPDATE,
            (Self::Update, true) => T::UPDATE_NOWAIT,
        }
    }
}

/// Who executes a construct.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Executor {
    /// The device; `None` for the host.
    pub(crate) device: Option<&'static TargetDevice>,
    /// The number of the host.
    pub(crate) host: i32,
}

impl Executor {
    /// The number of the device that executes, or of the host.
    pub(in crate::tool) fn number(self) -> i32 {
        self.device.map_or(self.host, |device| device.number)
    }
}
