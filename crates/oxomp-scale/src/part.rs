//! The parts of a region's wall time that ideal scaling would not have.

use std::fmt;

use oxomp_analysis::summary::Class;
use oxomp_compare::RuntimeWaits;
use serde::{Serialize, Serializer};

/// Why a region takes longer than ideal scaling would have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Part {
    /// The useful work takes more time of the threads than at the fewest threads.
    WorkInflation,
    /// Fewer threads than asked for do the work: the team's size is fixed, or some calls have a
    /// team of one thread.
    SmallTeam,
    /// Waits for other iterations of a doacross loop nest.
    Iterations,
    /// Waits for turns to combine the parts of a reduction.
    Turns,
    /// Lost time of a class.
    Class(Class),
}

impl Part {
    /// Every part that a region can have, in the order in which they are shown.
    pub fn all() -> impl Iterator<Item = Self> {
        let of_no_class = [Self::WorkInflation, Self::SmallTeam, Self::Iterations, Self::Turns];
        of_no_class.into_iter().chain(Class::ALL.map(Self::Class))
    }

    /// A short English name.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::WorkInflation => "work inflation",
            Self::SmallTeam => "teams do not grow",
            Self::Iterations => RuntimeWaits::ITERATIONS,
            Self::Turns => RuntimeWaits::TURNS,
            Self::Class(class) => class.name(),
        }
    }

    /// What the part means, a sentence.
    #[must_use]
    pub fn definition(self) -> &'static str {
        match self {
            Self::WorkInflation => {
                "The threads' useful time in the region beyond that at the fewest threads: the same \
                 work takes longer, as where memory is short of bandwidth, caches are, or threads \
                 write to the same lines; or there is more of it. Divided by the threads that do \
                 it."
            }
            Self::SmallTeam => {
                "The work is done by fewer threads than were asked for: num_threads or \
                 omp_set_num_threads fix the team, or some executions have one thread (if clause, \
                 nesting, dynamic adjustment)."
            }
            Self::Iterations => {
                "Waits for other iterations of a doacross loop nest (ordered depend(sink), doacross), \
                 divided by the threads of the team."
            }
            Self::Turns => {
                "Waits for the turn to combine the parts of a reduction, which threads do one after \
                 the other, divided by the threads of the team."
            }
            Self::Class(Class::Mutex) => {
                "Waits for locks, criticals, ordered and atomic, divided by the threads of the team."
            }
            Self::Class(_) => "Lost time of this class, divided by the threads of the team.",
        }
    }
}

impl Serialize for Part {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
