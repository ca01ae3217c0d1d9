//! Schedules of worksharing loops in *run-sched-var* (OpenMP 5.2 §11.5.3).

use core::fmt;

use oxomp_ompd_layout::{Kind, Readable};
use oxomp_sys::omp::omp_sched_t;

/// The kind of a schedule; the numbers are `omp_sched_t`'s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ScheduleKind {
    /// Iterations are divided before the loop starts.
    Static = 1,
    /// Threads take chunks of one size on demand.
    Dynamic = 2,
    /// Threads take chunks on demand, large ones first.
    Guided = 3,
    /// The runtime chooses: guided.
    Auto = 4,
    /// The size of chunks decreases by the same amount each time (LLVM's extension).
    Trapezoidal = 101,
}

/// The ordering modifier of a schedule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum ScheduleModifier {
    /// No modifier: static is monotonic, any other kind is nonmonotonic.
    Unspecified,
    /// A thread's chunks come in increasing order of iterations.
    Monotonic,
    /// A thread's chunks may come in any order.
    Nonmonotonic,
}

impl Readable for ScheduleKind {
    const KIND: Kind = Kind::Unsigned;
}

impl Readable for ScheduleModifier {
    const KIND: Kind = Kind::Unsigned;
}

/// A schedule: a kind, its modifier and its chunk size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// How iterations are divided.
    pub kind: ScheduleKind,
    /// The order in which a thread may get chunks.
    pub modifier: ScheduleModifier,
    /// Iterations per chunk, at most `i32::MAX`; 0 if unspecified.
    pub chunk: u32,
}

impl Schedule {
    /// The default *run-sched-var*: static without a chunk size.
    pub const STATIC: Self =
        Self { kind: ScheduleKind::Static, modifier: ScheduleModifier::Unspecified, chunk: 0 };

    /// A schedule of `kind`. A chunk size below 1 stands for the kind's default, which is one
    /// iteration. Auto ignores its chunk size, and shows the default too.
    #[must_use]
    pub fn new(kind: ScheduleKind, modifier: ScheduleModifier, chunk: i32) -> Self {
        let chunk = match kind {
            ScheduleKind::Auto => 1,
            ScheduleKind::Static => chunk.max(0),
            ScheduleKind::Dynamic | ScheduleKind::Guided | ScheduleKind::Trapezoidal => {
                chunk.max(1)
            }
        };
        Self { kind, modifier, chunk: chunk.unsigned_abs() }
    }

    /// The arguments of `omp_set_schedule`; `None` if there is no such kind.
    ///
    /// LLVM's extension 102, static with stealing, is the dynamic schedule of this runtime.
    #[must_use]
    pub fn from_omp(kind: omp_sched_t, chunk: i32) -> Option<Self> {
        let modifier = if kind.0 & omp_sched_t::MONOTONIC != 0 {
            ScheduleModifier::Monotonic
        } else {
            ScheduleModifier::Unspecified
        };
        let kind = match kind.0 & !omp_sched_t::MONOTONIC {
            1 => ScheduleKind::Static,
            2 | 102 => ScheduleKind::Dynamic,
            3 => ScheduleKind::Guided,
            4 => ScheduleKind::Auto,
            101 => ScheduleKind::Trapezoidal,
            _ => return None,
        };
        Some(Self::new(kind, modifier, chunk))
    }

    /// The results of `omp_get_schedule`: kind with modifier, and chunk size.
    #[must_use]
    pub fn to_omp(self) -> (omp_sched_t, i32) {
        let modifier = match self.modifier {
            ScheduleModifier::Monotonic => omp_sched_t::MONOTONIC,
            ScheduleModifier::Unspecified | ScheduleModifier::Nonmonotonic => 0,
        };
        (omp_sched_t(self.kind as u32 | modifier), self.chunk.cast_signed())
    }

    /// Whether a thread must get its chunks in increasing order.
    ///
    /// OpenMP 5.2 §11.5.3: static, and any kind with an ordered clause, is monotonic unless the
    /// nonmonotonic modifier says otherwise; the others are not.
    #[must_use]
    #[inline]
    pub fn is_monotonic(self) -> bool {
        match self.modifier {
            ScheduleModifier::Monotonic => true,
            ScheduleModifier::Nonmonotonic => false,
            ScheduleModifier::Unspecified => self.kind == ScheduleKind::Static,
        }
    }
}

/// Writes the syntax of OMP_SCHEDULE.
impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.modifier {
            ScheduleModifier::Unspecified => "",
            ScheduleModifier::Monotonic => "monotonic:",
            ScheduleModifier::Nonmonotonic => "nonmonotonic:",
        })?;
        f.write_str(match self.kind {
            ScheduleKind::Static => "static",
            ScheduleKind::Dynamic => "dynamic",
            ScheduleKind::Guided => "guided",
            ScheduleKind::Auto => "auto",
            ScheduleKind::Trapezoidal => "trapezoidal",
        })?;
        match (self.kind, self.chunk) {
            (ScheduleKind::Auto, _) | (_, 0) => Ok(()),
            (_, chunk) => write!(f, ",{chunk}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Schedule, ScheduleKind, ScheduleModifier};
    use oxomp_sys::omp::omp_sched_t;

    #[test]
    fn what_is_set_is_what_is_got() {
        for kind in [omp_sched_t::STATIC, omp_sched_t::DYNAMIC, omp_sched_t::GUIDED] {
            for bit in [0, omp_sched_t::MONOTONIC] {
                let kind = omp_sched_t(kind.0 | bit);
                let schedule = Schedule::from_omp(kind, 7).expect("a kind of the standard");
                assert_eq!(schedule.to_omp(), (kind, 7));
            }
        }
    }

    #[test]
    fn unspecified_chunks_become_the_default_of_their_kind() {
        let chunk = |kind, chunk| Schedule::from_omp(kind, chunk).map(|it| it.chunk);
        assert_eq!(chunk(omp_sched_t::STATIC, -1), Some(0));
        assert_eq!(chunk(omp_sched_t(101), 0), Some(1));
        assert_eq!(chunk(omp_sched_t::DYNAMIC, 0), Some(1));
        assert_eq!(chunk(omp_sched_t::GUIDED, i32::MIN), Some(1));
        assert_eq!(chunk(omp_sched_t::AUTO, 5), Some(1));
    }

    #[test]
    fn unknown_kinds_are_refused() {
        for kind in [0, 5, 100, 103, omp_sched_t::MONOTONIC, 0x4000_0001] {
            assert_eq!(Schedule::from_omp(omp_sched_t(kind), 1), None);
        }
    }

    #[test]
    fn only_static_is_monotonic_unless_said() {
        let schedule = |kind, modifier| Schedule::new(kind, modifier, 0).is_monotonic();
        assert!(schedule(ScheduleKind::Static, ScheduleModifier::Unspecified));
        assert!(!schedule(ScheduleKind::Static, ScheduleModifier::Nonmonotonic));
        assert!(!schedule(ScheduleKind::Dynamic, ScheduleModifier::Unspecified));
        assert!(schedule(ScheduleKind::Guided, ScheduleModifier::Monotonic));
    }
}
