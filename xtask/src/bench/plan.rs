//! The plan of a session: the benchmarks, and how long each runs.

use anyhow::{Result, bail};

use super::catalogue::{Benchmark, Catalogue};
use super::conditions::Conditions;
use super::setting;

/// The table of a run without names.
pub(super) const SMALL: [&str; 14] = [
    "parallel",
    "parallel_reduction",
    "nested",
    "for_static",
    "for_dynamic_1",
    "single",
    "barrier",
    "critical_with_work",
    "lock_uncontended",
    "task_one_producer",
    "task_tree",
    "taskwait_one_child",
    "dependence_chain",
    "memory_chain",
];

/// The number of threads of the machine's benchmarks.
const MACHINE_THREADS: u32 = 2;

/// Benchmarks under the same conditions.
#[derive(Debug)]
pub(super) struct Block {
    pub(super) conditions: Conditions,
    pub(super) benchmarks: Vec<Benchmark>,
}

/// The effort for each benchmark on each runtime.
#[derive(Clone, Copy, Debug)]
pub(super) struct Effort {
    /// Processes; the runtimes take turns between them.
    pub(super) rounds: usize,
    /// Samples of a process.
    pub(super) samples: u32,
    /// The length of a sample.
    pub(super) sample_us: u32,
}

impl Effort {
    pub(super) fn new(quick: bool, is_small: bool) -> Self {
        match (quick, is_small) {
            (true, _) => Self { rounds: 2, samples: 5, sample_us: 1000 },
            (false, true) => Self { rounds: 3, samples: 9, sample_us: 1000 },
            (false, false) => Self { rounds: 7, samples: 15, sample_us: 2000 },
        }
    }
}

/// The blocks for `names`, or for the small table. `threads` may be empty: one thread, one for each
/// processor, and two for each.
pub(super) fn blocks(
    catalogue: &Catalogue,
    names: &[String],
    threads: &[u32],
    processors: u32,
) -> Result<Vec<Block>> {
    let small = SMALL.map(str::to_owned);
    let names = if names.is_empty() { &small[..] } else { names };
    let (mut plain, mut machine, mut settings) = (Vec::new(), Vec::new(), Vec::new());
    for name in names {
        if let Some(setting) = setting::find(name) {
            settings.push(setting);
            continue;
        }
        let mut found: Vec<_> = catalogue.family(name).chain(catalogue.find(name)).collect();
        if found.is_empty() {
            bail!("no benchmark, family or setting `{name}`; `cargo xtask bench --list` has them");
        }
        found.sort_by_key(|benchmark| benchmark.is_of_machine());
        for benchmark in found {
            let list = if benchmark.is_of_machine() { &mut machine } else { &mut plain };
            if !list.contains(benchmark) {
                list.push(benchmark.clone());
            }
        }
    }
    let mut usual = vec![1, processors, 2 * processors];
    usual.dedup();
    let block = |threads: u32, setting, benchmarks: &[Benchmark]| Block {
        conditions: Conditions { threads, setting },
        benchmarks: benchmarks.to_vec(),
    };
    let mut blocks = vec![block(MACHINE_THREADS, None, &machine)];
    for &threads in if threads.is_empty() { &usual } else { threads } {
        blocks.push(block(threads, None, &plain));
    }
    for setting in settings {
        let benchmarks: Vec<Benchmark> =
            setting.benchmarks.iter().filter_map(|name| catalogue.find(name).cloned()).collect();
        let of_setting: Vec<u32> =
            setting.threads_per_processor.iter().map(|factor| factor * processors).collect();
        for &threads in if threads.is_empty() { &of_setting } else { threads } {
            blocks.push(block(threads, Some(setting), &benchmarks));
        }
    }
    blocks.retain(|block| !block.benchmarks.is_empty());
    Ok(blocks)
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::{Block, SMALL, blocks};
    use crate::bench::catalogue::Catalogue;

    fn planned(names: &[&str], threads: &[u32]) -> anyhow::Result<Vec<Block>> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("a workspace");
        let names: Vec<String> = names.iter().map(|&name| name.to_owned()).collect();
        blocks(&Catalogue::read(root)?, &names, threads, 2)
    }

    fn threads_of(blocks: &[Block]) -> Vec<u32> {
        blocks.iter().map(|block| block.conditions.threads).collect()
    }

    #[test]
    fn without_names_there_is_the_small_table() -> anyhow::Result<()> {
        let blocks = planned(&[], &[])?;
        assert_eq!(threads_of(&blocks), [1, 2, 4]);
        assert_eq!(blocks[0].benchmarks.len(), SMALL.len());
        Ok(())
    }

    #[test]
    fn a_name_is_a_benchmark_a_family_or_a_setting() -> anyhow::Result<()> {
        assert_eq!(planned(&["barrier"], &[2])?[0].benchmarks.len(), 1);
        let memory = planned(&["memory", "memory_tree"], &[2])?;
        assert_eq!(memory.iter().map(|it| it.benchmarks.len()).collect::<Vec<_>>(), [5]);
        assert_eq!(threads_of(&planned(&["crowded", "barrier"], &[])?), [1, 2, 4, 4, 8]);
        let unknown = planned(&["bariere"], &[]).expect_err("no such benchmark").to_string();
        assert!(unknown.contains("`bariere`") && unknown.contains("--list"), "{unknown}");
        Ok(())
    }

    #[test]
    fn the_machine_is_measured_once() -> anyhow::Result<()> {
        assert_eq!(threads_of(&planned(&["machine"], &[1, 2, 4])?), [2]);
        Ok(())
    }
}
