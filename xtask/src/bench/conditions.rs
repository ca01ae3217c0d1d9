//! The conditions under which a program runs.

use super::processors;
use super::setting::Setting;

/// Where the threads of a program run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Conditions {
    pub(super) threads: u32,
    pub(super) setting: Option<&'static Setting>,
}

impl Conditions {
    /// The value of `OMP_PLACES`, if there is a processor for each thread.
    pub(super) fn places(&self, processors: &[u32]) -> Option<String> {
        let is_bound = self.setting.is_none() && self.threads as usize <= processors.len();
        is_bound.then(|| processors::places(processors, self.threads))
    }

    /// Whether the threads have a processor each, unless others take it away.
    pub(super) fn is_undisturbed(&self, processors: &[u32]) -> bool {
        self.places(processors).is_some()
    }

    /// In words.
    pub(super) fn title(&self, processors: &[u32]) -> String {
        let noun = |number: usize, noun: &str| {
            format!("{number} {noun}{}", if number == 1 { "" } else { "s" })
        };
        let threads = noun(self.threads as usize, "thread");
        if self.is_undisturbed(processors) {
            let each = if self.threads == 1 { "" } else { " each" };
            return format!("{threads}, bound to a processor{each}");
        }
        let place = format!("{threads} on {}, not bound", noun(processors.len(), "processor"));
        match self.setting {
            None => place,
            Some(setting) if setting.neighbour => {
                format!("{}: {place}, beside a process that computes on one", setting.name)
            }
            Some(setting) => format!("{}: {place}", setting.name),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Conditions;
    use crate::bench::setting;

    #[test]
    fn threads_are_bound_while_there_are_processors() {
        let of = |threads| Conditions { threads, setting: None };
        assert_eq!(of(2).places(&[0, 1]).as_deref(), Some("{0},{1}"));
        assert_eq!(of(3).places(&[0, 1]), None);
        assert_eq!(of(1).title(&[0]), "1 thread, bound to a processor");
        assert_eq!(of(4).title(&[0, 1]), "4 threads on 2 processors, not bound");
        let crowded = Conditions { threads: 1, setting: setting::find("crowded") };
        assert_eq!(crowded.places(&[0, 1]), None);
        assert_eq!(crowded.title(&[0]), "crowded: 1 thread on 1 processor, not bound");
    }
}
