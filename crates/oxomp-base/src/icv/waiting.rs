//! The waiting of threads: *wait-policy-var*, and the variables of LLVM's runtime for it.

use core::time::Duration;

/// *wait-policy-var*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    /// Waiting threads keep their processors.
    Active,
    /// Waiting threads give up their processors.
    Passive,
}

/// KMP_LIBRARY, `kmp_set_library`: the execution mode of LLVM's runtime.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Every region has one thread.
    Serial,
    /// The program has the machine to itself: waiting threads never sleep.
    Turnaround,
    /// Waiting threads sleep after the blocktime.
    Throughput,
}

impl Library {
    /// The number in the kmp interface.
    #[must_use]
    pub fn to_kmp(self) -> i32 {
        match self {
            Self::Serial => 1,
            Self::Turnaround => 2,
            Self::Throughput => 3,
        }
    }

    /// The mode of a number in the kmp interface; `None` for an unknown number.
    #[must_use]
    pub fn from_kmp(number: i32) -> Option<Self> {
        [Self::Serial, Self::Turnaround, Self::Throughput]
            .into_iter()
            .find(|library| library.to_kmp() == number)
    }
}

/// How long an idle thread stays awake (KMP_BLOCKTIME, `kmp_set_blocktime`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Blocktime {
    /// The thread sleeps after this time.
    For(Duration),
    /// The thread never sleeps.
    Infinite,
}

impl Blocktime {
    /// The default.
    pub const DEFAULT: Self = Self::For(Duration::from_millis(200));
    /// The number of milliseconds that means infinite in the kmp interface: the largest one.
    const INFINITE_MS: i32 = i32::MAX;

    /// The result of `kmp_get_blocktime`, in milliseconds.
    #[must_use]
    pub fn as_millis(self) -> i32 {
        match self {
            Self::For(time) => i32::try_from(time.as_millis()).unwrap_or(Self::INFINITE_MS),
            Self::Infinite => Self::INFINITE_MS,
        }
    }

    /// The time in nanoseconds; `u64::MAX` for infinite.
    #[must_use]
    pub fn as_nanos(self) -> u64 {
        match self {
            Self::For(time) => u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            Self::Infinite => u64::MAX,
        }
    }

    /// The blocktime of a number of nanoseconds; `u64::MAX` for infinite.
    #[must_use]
    pub fn from_nanos(nanoseconds: u64) -> Self {
        match nanoseconds {
            u64::MAX => Self::Infinite,
            _ => Self::For(Duration::from_nanos(nanoseconds)),
        }
    }

    /// The blocktime of an argument of `kmp_set_blocktime`, in milliseconds; a negative one counts
    /// as 0.
    #[must_use]
    pub fn from_millis(milliseconds: i32) -> Self {
        match milliseconds {
            Self::INFINITE_MS => Self::Infinite,
            _ => Self::For(Duration::from_millis(u64::from(milliseconds.max(0).unsigned_abs()))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Blocktime;
    use core::time::Duration;

    #[test]
    fn blocktime_survives_the_kmp_interface() {
        for milliseconds in [0, 1, 200, i32::MAX - 1, i32::MAX] {
            assert_eq!(Blocktime::from_millis(milliseconds).as_millis(), milliseconds);
        }
        assert_eq!(Blocktime::from_millis(-1), Blocktime::For(Duration::ZERO));
        assert_eq!(Blocktime::from_millis(i32::MAX), Blocktime::Infinite);
    }
}
