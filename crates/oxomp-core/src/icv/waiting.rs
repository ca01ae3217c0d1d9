//! How threads wait: *wait-policy-var*, and what LLVM's runtime has for it.

use core::time::Duration;

/// *wait-policy-var*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitPolicy {
    /// Waiting threads keep their processors.
    Active,
    /// They give them up.
    Passive,
}

/// KMP_LIBRARY, `kmp_set_library`: what LLVM's runtime calls the execution mode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Every region has one thread.
    Serial,
    /// The machine is ours: waiting threads never sleep.
    Turnaround,
    /// They sleep after the blocktime.
    Throughput,
}

impl Library {
    /// The number of the kmp interface.
    #[must_use]
    pub fn to_kmp(self) -> i32 {
        match self {
            Self::Serial => 1,
            Self::Turnaround => 2,
            Self::Throughput => 3,
        }
    }

    /// The reverse of `to_kmp`; `None` for another number.
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
    /// Then it sleeps.
    For(Duration),
    /// It never sleeps.
    Infinite,
}

impl Blocktime {
    /// What is in force unless something else is asked for.
    pub const DEFAULT: Self = Self::For(Duration::from_millis(200));
    /// The largest number of milliseconds of the kmp interface: it means infinite.
    const INFINITE_MS: i32 = i32::MAX;

    /// What `kmp_get_blocktime` answers, in milliseconds.
    #[must_use]
    pub fn as_millis(self) -> i32 {
        match self {
            Self::For(time) => i32::try_from(time.as_millis()).unwrap_or(Self::INFINITE_MS),
            Self::Infinite => Self::INFINITE_MS,
        }
    }

    /// Nanoseconds; `u64::MAX` for infinite.
    #[must_use]
    pub fn as_nanos(self) -> u64 {
        match self {
            Self::For(time) => u64::try_from(time.as_nanos()).unwrap_or(u64::MAX),
            Self::Infinite => u64::MAX,
        }
    }

    /// The reverse of `as_nanos`.
    #[must_use]
    pub fn from_nanos(nanoseconds: u64) -> Self {
        match nanoseconds {
            u64::MAX => Self::Infinite,
            _ => Self::For(Duration::from_nanos(nanoseconds)),
        }
    }

    /// The argument of `kmp_set_blocktime`, in milliseconds; negative counts as 0.
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
