//! Numbers of target constructs and of operations of devices, in records and in folded sums. They
//! are OMPT's, where OMPT has numbers.

/// The number of the host among devices.
pub const HOST: u32 = u32::MAX;

/// Kinds of target constructs: OMPT's `ompt_target_t`.
pub mod target_kind {
    /// `target`.
    pub const TARGET: u8 = 1;
    /// `target enter data`, or the begin of `target data`.
    pub const ENTER_DATA: u8 = 2;
    /// `target exit data`, or the end of `target data`.
    pub const EXIT_DATA: u8 = 3;
    /// `target update`.
    pub const UPDATE: u8 = 4;
    /// `target nowait`.
    pub const TARGET_NOWAIT: u8 = 9;
    /// `target enter data nowait`.
    pub const ENTER_DATA_NOWAIT: u8 = 10;
    /// `target exit data nowait`.
    pub const EXIT_DATA_NOWAIT: u8 = 11;
    /// `target update nowait`.
    pub const UPDATE_NOWAIT: u8 = 12;
}

/// Kinds of operations of devices: a kernel, and OMPT's `ompt_target_data_op_t`.
pub mod operation_kind {
    /// A kernel, which is not a data operation.
    pub const KERNEL: u8 = 0;
    /// Memory on a device is allocated.
    pub const ALLOC: u8 = 1;
    /// A transfer from the host to a device.
    pub const TO_DEVICE: u8 = 2;
    /// A transfer from a device to the host.
    pub const FROM_DEVICE: u8 = 3;
    /// Memory on a device is freed.
    pub const DELETE: u8 = 4;
    /// A transfer from one device to another.
    pub const TRANSFER: u8 = 7;
}
