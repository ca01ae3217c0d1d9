//! Settings: some benchmarks under conditions in which threads do not have a processor each.

/// A setting, which `cargo xtask bench NAME` runs by its name.
#[derive(Debug)]
pub(super) struct Setting {
    pub(super) name: &'static str,
    /// A description of the conditions.
    pub(super) about: &'static str,
    /// The benchmarks that run under them.
    pub(super) benchmarks: &'static [&'static str],
    /// The numbers of threads per processor, with one figure each.
    pub(super) threads_per_processor: &'static [u32],
    /// Whether another process computes on one processor meanwhile.
    pub(super) neighbour: bool,
}

/// All settings.
pub(super) const SETTINGS: [Setting; 2] = [
    Setting {
        name: "crowded",
        about: "two and four threads for each processor, not bound",
        benchmarks: &[
            "parallel",
            "for_static",
            "for_ordered",
            "barrier",
            "critical",
            "task_one_producer",
            "task_tree",
            "dependence_chain",
        ],
        threads_per_processor: &[2, 4],
        neighbour: false,
    },
    Setting {
        name: "neighbour",
        about: "a thread for each processor, not bound, beside a process that computes on one",
        benchmarks: &["parallel", "for_static", "barrier", "critical", "task_one_producer"],
        threads_per_processor: &[1],
        neighbour: true,
    },
];

/// The setting of this name.
pub(super) fn find(name: &str) -> Option<&'static Setting> {
    SETTINGS.iter().find(|setting| setting.name == name)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::SETTINGS;
    use crate::bench::catalogue::Catalogue;

    #[test]
    fn settings_run_benchmarks_that_there_are() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let catalogue = Catalogue::read(root).expect("the tables are readable");
        for name in SETTINGS.iter().flat_map(|setting| setting.benchmarks) {
            assert!(catalogue.find(name).is_some(), "`{name}` is no benchmark");
        }
    }
}
