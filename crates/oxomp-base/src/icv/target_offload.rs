//! *target-offload-var* (OpenMP 5.2 §21.2.9).

/// *target-offload-var*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TargetOffload {
    /// Target regions run on the host if there is no device.
    Default,
    /// A target region without a device is an error.
    Mandatory,
    /// Target regions always run on the host.
    Disabled,
}

impl TargetOffload {
    /// The number in the kmp interface.
    #[must_use]
    pub fn to_kmp(self) -> i32 {
        match self {
            Self::Disabled => 0,
            Self::Default => 1,
            Self::Mandatory => 2,
        }
    }
}
