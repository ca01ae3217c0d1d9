//! Positions in the entries of constructs for devices, and of the data that they copy.

#[cfg(doc)]
use super::{Extremes, FoldKind};

/// Positions in a [`FoldKind::Target`] entry. Times of operations are those for which the
/// encountering thread waited.
pub mod target {
    /// How many constructs ended.
    pub const CALLS: usize = 0;
    /// Sum of their times from begin to end, in ticks.
    pub const TIME: usize = 1;
    /// The longest of them, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// Kernels that the constructs submitted.
    pub const KERNELS: usize = 3;
    /// Sum of the kernels' times, in ticks.
    pub const KERNEL_TIME: usize = 4;
    /// The longest kernel, in ticks; readers take the largest over threads.
    pub const LONGEST_KERNEL: usize = 5;
    /// Sum of the times of transfers to the device, in ticks.
    pub const TO_TIME: usize = 6;
    /// Sum of the times of transfers from the device, in ticks.
    pub const FROM_TIME: usize = 7;
    /// Bytes that were copied to the device.
    pub const TO_BYTES: usize = 8;
    /// Bytes that were copied from the device.
    pub const FROM_BYTES: usize = 9;
    /// [`Extremes`](super::Extremes) of the teams that kernels were asked to have, where 0 leaves
    /// the number to the runtime; without meaning if `KERNELS` is 0.
    pub const TEAMS: usize = 10;
    /// Operations of which only one event was seen: they are in none of the times above.
    pub const UNTIMED: usize = 11;
}

/// Positions in a [`FoldKind::Transfer`] entry.
pub mod transfer {
    /// Transfers that ended.
    pub const COUNT: usize = 0;
    /// Bytes of all of them.
    pub const BYTES: usize = 1;
    /// Sum of their times, in ticks.
    pub const TIME: usize = 2;
    /// The longest, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 3;
    /// Transfers of at most [`SMALL_BYTES`].
    pub const SMALL: usize = 4;
    /// Bytes of the small ones.
    pub const SMALL_BYTES_SUM: usize = 5;
    /// Sum of the times of the small ones, in ticks.
    pub const SMALL_TIME: usize = 6;
    /// Transfers of which only one event was seen: they are in none of the times above.
    pub const UNTIMED: usize = 7;

    /// A transfer of so few bytes is a small one. At 10 to 50 GB/s, the rate of links to devices,
    /// they take 1 to 6 µs, no more than it takes to start a transfer.
    pub const SMALL_BYTES: u64 = 1 << 16;
}

/// Positions in a [`FoldKind::Repeated`] entry.
pub mod repeated {
    /// Transfers that an enclosing construct would save if the host did not need them.
    pub const COUNT: usize = 0;
    /// Bytes of all of them.
    pub const BYTES: usize = 1;
    /// Sum of their times, and of the times in which their memory on the device was allocated and
    /// freed, in ticks.
    pub const TIME: usize = 2;
    /// The bytes of the last one.
    pub const SIZE: usize = 3;
    /// The device's number.
    pub const DEVICE: usize = 4;
    /// Code address of the last transfer before or after that copied the same data.
    pub const OTHER: usize = 5;
}
