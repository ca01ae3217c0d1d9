//! The kinds of time that the page tells apart: the classes, and two that only a picture over time
//! has.

use std::sync::LazyLock;

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

    /// Its part of times by class; `None` if it is no class.
    pub(crate) fn ns(self, by_class: &[u64; Class::COUNT]) -> Option<u64> {
        by_class.get(usize::from(self.0)).copied()
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

    /// The name of the colour in the style sheet: `k-` and the class's key.
    pub(crate) fn colour(self) -> &'static str {
        static COLOURS: LazyLock<Vec<String>> = LazyLock::new(|| {
            let classes = Class::ALL.map(Class::key);
            classes.into_iter().chain(["task"]).map(|key| format!("k-{key}")).collect()
        });
        &COLOURS[usize::from(self.0)]
    }

    /// Its definition in plain words.
    pub(crate) fn definition(self) -> &'static str {
        self.class().map_or(
            "The part of useful work that threads did in explicit tasks. The timeline shows it \
             apart; in sums it belongs to useful work.",
            Class::definition,
        )
    }
}

/// Times by class in the order of stacked bars.
pub(crate) fn parts(by_class: &[u64; Class::COUNT]) -> Vec<(Kind, u64)> {
    Kind::ORDER.into_iter().filter_map(|kind| Some((kind, kind.ns(by_class)?))).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{COUNT, Kind};

    #[test]
    fn every_kind_has_its_place_and_its_colour() {
        let numbers: BTreeSet<u8> = Kind::ORDER.iter().map(|kind| kind.0).collect();
        assert_eq!(numbers.len(), COUNT);
        let colours: BTreeSet<&str> = Kind::ORDER.iter().map(|kind| kind.colour()).collect();
        assert_eq!(colours.len(), COUNT);
        let sheet = include_str!("../assets/colours.css");
        for colour in colours {
            assert!(sheet.contains(&format!(".{colour} {{")), "{colour}");
        }
    }
}
