//! What a construct is to a tool of the 2015 report.

use oxomp_sys::report_2015::ompt_frame_t;

/// What a construct is to the report.
#[derive(Clone, Copy, Debug)]
pub(in crate::tool) enum Role {
    /// A target task, of this id, that only this library knows.
    Task(u64),
    /// The work of a target task of the host runtime, which itself tells of the task; 0 without
    /// such a task.
    Body(u64),
    /// The begin of a target data region.
    RegionBegin,
    /// The end of a target data region.
    RegionEnd,
}

/// A construct as the report's callbacks see it.
#[derive(Clone, Copy, Debug)]
pub(in crate::tool) struct Reported {
    /// The id of the encountering task.
    pub(in crate::tool) encountering: u64,
    /// The frame of the encountering task.
    pub(in crate::tool) frame: *const ompt_frame_t,
    /// What the construct is to the report.
    pub(in crate::tool) role: Role,
}

impl Reported {
    /// The id of the encountering task.
    pub(in crate::tool) fn encountering(&self) -> u64 {
        self.encountering
    }

    /// The id of the target task; 0 without a target task.
    pub(in crate::tool) fn target_task(&self) -> u64 {
        match self.role {
            Role::Task(id) | Role::Body(id) => id,
            Role::RegionBegin | Role::RegionEnd => 0,
        }
    }
}
