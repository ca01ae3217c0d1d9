//! The kinds of time that the page tells apart: the classes, and two that only a picture over time
//! has.

use oxomp_analysis::summary::Class;

/// Number of kinds.
pub(crate) const COUNT: usize = Class::COUNT + 1;

/// A kind of a thread's time, by number: a [`Class`], or [`Kind::TASK`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Kind(pub(crate) u8);

/// Whether time of a kind was of use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Worth {
    Work,
    Loss,
    /// Neither: no thread could have done anything about it, or it was not recorded.
    Unknown,
}

impl Kind {
    /// Useful work in an explicit task.
    pub(crate) const TASK: Kind = Kind(Class::COUNT as u8);

    /// In the order in which stacked bars show them: work, then waits, then the runtime, then idle.
    pub(crate) const ORDER: [Kind; COUNT] = [
        Kind::of(Class::Useful),
        Kind::TASK,
        Kind::of(Class::Serial),
        Kind::of(Class::SerialWait),
        Kind::of(Class::Blocked),
        Kind::of(Class::Imbalance),
        Kind::of(Class::Mutex),
        Kind::of(Class::Taskwait),
        Kind::of(Class::Starved),
        Kind::of(Class::Barrier),
        Kind::of(Class::ForkJoin),
        Kind::of(Class::Dispatch),
        Kind::of(Class::Scheduler),
        Kind::of(Class::SpareIdle),
        Kind::of(Class::SerialIdle),
        Kind::of(Class::Paused),
    ];

    pub(crate) const fn of(class: Class) -> Self {
        Kind(class as u8)
    }

    fn class(self) -> Option<Class> {
        Class::ALL.get(usize::from(self.0)).copied()
    }

    pub(crate) fn name(self) -> &'static str {
        self.class().map_or("useful work in tasks", Class::name)
    }

    pub(crate) fn worth(self) -> Worth {
        match self.class() {
            None | Some(Class::Useful | Class::Serial) => Worth::Work,
            Some(Class::Paused) => Worth::Unknown,
            Some(_) => Worth::Loss,
        }
    }

    /// The name of the colour in the style sheet.
    pub(crate) fn colour(self) -> &'static str {
        match self.class() {
            None => "k-task",
            Some(Class::Useful) => "k-useful",
            Some(Class::Serial) => "k-serial",
            Some(Class::SerialWait) => "k-serialwait",
            Some(Class::Blocked) => "k-blocked",
            Some(Class::Imbalance) => "k-imbalance",
            Some(Class::Barrier) => "k-barrier",
            Some(Class::Mutex) => "k-mutex",
            Some(Class::Taskwait) => "k-taskwait",
            Some(Class::Starved) => "k-starved",
            Some(Class::Dispatch) => "k-dispatch",
            Some(Class::Scheduler) => "k-scheduler",
            Some(Class::ForkJoin) => "k-forkjoin",
            Some(Class::SerialIdle) => "k-serialidle",
            Some(Class::SpareIdle) => "k-spareidle",
            Some(Class::Paused) => "k-paused",
        }
    }

    /// Its definition, a sentence.
    pub(crate) fn definition(self) -> &'static str {
        match self.class() {
            None => {
                "The part of useful work that threads did in explicit tasks. The timeline shows \
                     it apart; in sums it belongs to useful work."
            }
            Some(Class::Useful) => "User code inside a parallel region, explicit tasks included.",
            Some(Class::Serial) => {
                "User code of an initial thread outside every region, while the other threads have \
                 nothing to do."
            }
            Some(Class::SerialWait) => {
                "An initial thread outside every region that neither computed nor lacked a \
                 processor: it waited for input, a child or another thread."
            }
            Some(Class::Blocked) => {
                "User code inside a region that neither computed nor lacked a processor: it waited \
                 in a system call (a lock that is not OpenMP's, input, a sleep), or for a page of \
                 memory."
            }
            Some(Class::Imbalance) => {
                "Waiting at a barrier, that at a region's end included, for threads that had not \
                 arrived yet."
            }
            Some(Class::Barrier) => {
                "At a barrier that all threads had reached: the barrier's own cost."
            }
            Some(Class::Mutex) => {
                "Waiting for a lock, critical, ordered or atomic, or for another iteration of a \
                 loop (ordered with sink)."
            }
            Some(Class::Taskwait) => {
                "Waiting in taskwait or at the end of a taskgroup; tasks that the thread executed \
                 meanwhile are useful work."
            }
            Some(Class::Starved) => {
                "At a barrier while tasks of the team were under way: none of them was ready for \
                 the thread."
            }
            Some(Class::Dispatch) => {
                "Handing out chunks of loops: a bound, since a recording shows only the time from \
                 one chunk to the next."
            }
            Some(Class::Scheduler) => {
                "User code without a processor, which the system gave to another thread, and \
                 waiting at the end of regions for a thread to which that happened."
            }
            Some(Class::ForkJoin) => {
                "Starting and ending regions: from the fork until the thread's own start, and from \
                 the release of the last barrier until the join."
            }
            Some(Class::SerialIdle) => "A worker without work while no region ran at all.",
            Some(Class::SpareIdle) => {
                "A worker without work while a region ran to which it did not belong."
            }
            Some(Class::Paused) => {
                "The program had paused the recording. Shares are those of the recorded time."
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{COUNT, Kind};
    use std::collections::BTreeSet;

    #[test]
    fn every_kind_has_its_place_and_its_colour() {
        let numbers: BTreeSet<u8> = Kind::ORDER.iter().map(|kind| kind.0).collect();
        assert_eq!(numbers.len(), COUNT);
        let colours: BTreeSet<&str> = Kind::ORDER.iter().map(|kind| kind.colour()).collect();
        assert_eq!(colours.len(), COUNT);
    }
}
