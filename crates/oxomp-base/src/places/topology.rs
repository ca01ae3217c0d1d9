//! The topology of the machine from Linux's sysfs: which processors share a core, a cache, a memory
//! domain, a socket.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use super::hw_subset::CoreSorts;
use super::proc_set::ProcSet;
use crate::icv::hw_subset::CoreAttribute;
use crate::icv::place_list::{PlaceKind, ThreadOrder};

/// A processor, and the parts that contain it. A part is identified by its smallest processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Processor {
    // The order of the fields is the order of places: neighbours in the list are close.
    socket: u32,
    die: u32,
    numa_domain: u32,
    ll_cache: u32,
    l2_cache: u32,
    core: u32,
    pub(super) number: u32,
}

impl Processor {
    /// The part of that kind that contains the processor.
    pub(super) fn part(&self, kind: PlaceKind) -> u32 {
        match kind {
            PlaceKind::Threads => self.number,
            PlaceKind::Cores => self.core,
            PlaceKind::L2Caches => self.l2_cache,
            PlaceKind::LlCaches => self.ll_cache,
            PlaceKind::NumaDomains => self.numa_domain,
            PlaceKind::Dies => self.die,
            PlaceKind::Sockets => self.socket,
        }
    }
}

/// The part of the machine that the process may use.
#[derive(Debug)]
pub struct Topology {
    /// The processors; those that are close to each other are adjacent.
    processors: Vec<Processor>,
}

impl Topology {
    /// Reads the topology of the processors `available` from `system` (`/sys/devices/system`).
    ///
    /// Missing information is replaced by that of a simple machine: each processor is a core, all
    /// are in one memory domain and in one socket of one die; the last-level cache belongs to the
    /// socket, the second-level cache to the core.
    pub fn read(system: &Path, available: &ProcSet) -> Self {
        let sysfs = Sysfs { system };
        let nodes = sysfs.numa_nodes();
        let cores = smallest(available, |processor| sysfs.core(processor));
        let sockets = smallest(available, |processor| sysfs.socket(processor));
        let dies = smallest(available, |processor| sysfs.die(processor));
        let last = smallest(available, |processor| sysfs.cache(processor, |_| true));
        let second = smallest(available, |processor| sysfs.cache(processor, |level| level == 2));
        let domains = smallest(available, |processor| {
            nodes.iter().find(|node| node.contains(processor)).cloned()
        });
        let mut processors: Vec<Processor> = available
            .iter()
            .map(|number| {
                let part = |parts: &HashMap<u32, u32>| parts.get(&number).copied();
                let socket = part(&sockets).unwrap_or(0);
                let core = part(&cores).unwrap_or(number);
                Processor {
                    socket,
                    die: part(&dies).unwrap_or(socket),
                    numa_domain: part(&domains).unwrap_or(0),
                    ll_cache: part(&last).unwrap_or(socket),
                    l2_cache: part(&second).unwrap_or(core),
                    core,
                    number,
                }
            })
            .collect();
        processors.sort_unstable();
        Self { processors }
    }

    /// The processors; those that are close to each other are adjacent.
    pub(super) fn processors(&self) -> &[Processor] {
        &self.processors
    }

    /// The parts of one kind; those that are close to each other are adjacent.
    pub fn parts(&self, kind: PlaceKind) -> Vec<ProcSet> {
        let mut parts: Vec<(u32, ProcSet)> = Vec::new();
        let mut known = HashMap::new();
        for processor in &self.processors {
            let key = processor.part(kind);
            let index = *known.entry(key).or_insert_with(|| {
                parts.push((key, ProcSet::default()));
                parts.len() - 1
            });
            parts[index].1.insert(processor.number);
        }
        parts.into_iter().map(|(_, processors)| processors).collect()
    }

    /// For each processor, in the given order, the part of the kind `granularity` that contains it.
    pub fn per_thread(&self, granularity: PlaceKind, order: ThreadOrder) -> Vec<ProcSet> {
        let addresses = self.addresses();
        // libomp treats a machine with one cache per socket as one without a level of caches.
        let caches = addresses.iter().any(|address| address[1] != 0);
        let levels: &[usize] = if caches { &[0, 1, 2, 3] } else { &[0, 2, 3] };
        let innermost_first = match order {
            ThreadOrder::Compact(permute) => permute as usize,
            ThreadOrder::Scatter(permute) => (levels.len() - 1).saturating_sub(permute as usize),
        };
        let (outer, inner) = levels.split_at(levels.len().saturating_sub(innermost_first));
        let mut sorted: Vec<(Vec<u32>, &Processor)> = addresses
            .iter()
            .zip(&self.processors)
            .map(|(address, processor)| {
                let key = inner.iter().rev().chain(outer).map(|&level| address[level]).collect();
                (key, processor)
            })
            .collect();
        sorted.sort_by(|(one, _), (other, _)| one.cmp(other));
        let parts: HashMap<u32, ProcSet> = self
            .parts(granularity)
            .into_iter()
            .flat_map(|part| part.iter().map(|number| (number, part.clone())).collect::<Vec<_>>())
            .collect();
        sorted.iter().filter_map(|(_, processor)| parts.get(&processor.number).cloned()).collect()
    }

    /// For each processor the number of its socket, of its cache in the socket, of its core in the
    /// cache, and its own in the core, in this order.
    fn addresses(&self) -> Vec<[u32; 4]> {
        let mut addresses: Vec<[u32; 4]> = Vec::new();
        let mut before: Option<(&Processor, [u32; 4])> = None;
        for processor in &self.processors {
            let address = match before {
                None => [0; 4],
                Some((last, [socket, ..])) if last.socket != processor.socket => {
                    [socket + 1, 0, 0, 0]
                }
                Some((last, [socket, cache, ..])) if last.ll_cache != processor.ll_cache => {
                    [socket, cache + 1, 0, 0]
                }
                Some((last, [socket, cache, core, _])) if last.core != processor.core => {
                    [socket, cache, core + 1, 0]
                }
                Some((_, [socket, cache, core, thread])) => [socket, cache, core, thread + 1],
            };
            before = Some((processor, address));
            addresses.push(address);
        }
        addresses
    }
}

/// For each processor the smallest number in its part, without the processors for which `part`
/// returns `None`. `part` is called once per part.
fn smallest(available: &ProcSet, part: impl Fn(u32) -> Option<ProcSet>) -> HashMap<u32, u32> {
    let mut smallest = HashMap::new();
    for processor in available.iter() {
        if smallest.contains_key(&processor) {
            continue;
        }
        // A part that does not contain the processor itself is ignored as an error of the system.
        if let Some(members) = part(processor).filter(|members| members.contains(processor)) {
            let first = members.iter().next().unwrap_or(processor);
            smallest.extend(members.iter().map(|member| (member, first)));
        }
    }
    smallest
}

struct Sysfs<'a> {
    system: &'a Path,
}

impl Sysfs<'_> {
    fn processor(&self, processor: u32) -> PathBuf {
        self.system.join(format!("cpu/cpu{processor}"))
    }

    /// The contents of the first file that exists; kernels before 5.3 have the second name only.
    fn topology(&self, processor: u32, names: &[&str]) -> Option<ProcSet> {
        let folder = self.processor(processor).join("topology");
        names.iter().find_map(|name| proc_set(&folder.join(name)))
    }

    fn core(&self, processor: u32) -> Option<ProcSet> {
        self.topology(processor, &["core_cpus_list", "thread_siblings_list"])
    }

    fn socket(&self, processor: u32) -> Option<ProcSet> {
        self.topology(processor, &["package_cpus_list", "core_siblings_list"])
    }

    fn die(&self, processor: u32) -> Option<ProcSet> {
        self.topology(processor, &["die_cpus_list"])
    }

    /// The processors that share this processor's data cache of the highest wanted level.
    fn cache(&self, processor: u32, is_wanted: impl Fn(u32) -> bool) -> Option<ProcSet> {
        let caches = fs::read_dir(self.processor(processor).join("cache")).ok()?;
        let levels = caches.flatten().filter_map(|cache| {
            let folder = cache.path();
            let level: u32 = text(&folder.join("level"))?.trim().parse().ok()?;
            let holds_data = text(&folder.join("type"))?.trim() != "Instruction";
            (holds_data && is_wanted(level)).then_some((level, folder))
        });
        let (_, folder) = levels.max_by_key(|(level, _)| *level)?;
        proc_set(&folder.join("shared_cpu_list"))
    }

    fn numa_nodes(&self) -> Vec<ProcSet> {
        let Ok(entries) = fs::read_dir(self.system.join("node")) else { return Vec::new() };
        let lists = entries.flatten().map(|entry| entry.path().join("cpulist"));
        lists.filter_map(|list| proc_set(&list)).collect()
    }
}

/// The kinds of cores that Linux distinguishes.
pub(super) struct LinuxCoreSorts<'a> {
    pub(super) system: &'a Path,
}

impl CoreSorts for LinuxCoreSorts<'_> {
    fn has(&self, processor: u32, attribute: CoreAttribute) -> bool {
        let listed = |sort: &str| {
            let devices = self.system.parent()?;
            proc_set(&devices.join(sort).join("cpus"))
        };
        match attribute {
            CoreAttribute::Performance => {
                listed("cpu_core").is_some_and(|set| set.contains(processor))
            }
            CoreAttribute::Efficient => {
                listed("cpu_atom").is_some_and(|set| set.contains(processor))
            }
            CoreAttribute::Efficiency(rank) => {
                let weak = listed("cpu_atom").unwrap_or_default();
                let is_mixed = !weak.is_empty();
                rank == u32::from(is_mixed && !weak.contains(processor))
            }
        }
    }
}

fn text(path: &Path) -> Option<String> {
    fs::read_to_string(path).ok()
}

fn proc_set(path: &Path) -> Option<ProcSet> {
    ProcSet::parse(&text(path)?)
}

#[cfg(test)]
mod tests {
    use super::{ProcSet, Topology};
    use crate::icv::place_list::{PlaceKind, ThreadOrder};
    use crate::places::fake_tree::{Tree, two_sockets};

    fn parts(tree: &Tree, available: &str, kind: PlaceKind) -> Vec<String> {
        let available = ProcSet::parse(available).expect("processors");
        let topology = Topology::read(tree.path(), &available);
        topology.parts(kind).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn neighbours_in_the_list_are_close_however_processors_are_numbered() {
        for names in [
            ["core_cpus_list", "package_cpus_list"],
            ["thread_siblings_list", "core_siblings_list"],
        ] {
            let tree = two_sockets(names);
            let parts = |kind| super::tests::parts(&tree, "0-7", kind);
            assert_eq!(parts(PlaceKind::Threads), ["0", "4", "2", "6", "1", "5", "3", "7"]);
            assert_eq!(parts(PlaceKind::Cores), ["0,4", "2,6", "1,5", "3,7"]);
            for kind in [PlaceKind::LlCaches, PlaceKind::NumaDomains, PlaceKind::Sockets] {
                assert_eq!(parts(kind), ["0,2,4,6", "1,3,5,7"], "{kind:?}");
            }
        }
    }

    #[test]
    fn hardware_threads_in_the_orders_of_kmp_affinity() {
        let tree = two_sockets(["core_cpus_list", "package_cpus_list"]);
        let order = |granularity, order| {
            let available = ProcSet::parse("0-7").expect("processors");
            let places = Topology::read(tree.path(), &available).per_thread(granularity, order);
            places.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
        };
        let fine = |permute| order(PlaceKind::Threads, permute);
        assert_eq!(fine(ThreadOrder::Compact(0)), "0 4 2 6 1 5 3 7");
        assert_eq!(fine(ThreadOrder::Compact(1)), "0 2 1 3 4 6 5 7");
        assert_eq!(fine(ThreadOrder::Scatter(0)), "0 1 2 3 4 5 6 7");
        assert_eq!(fine(ThreadOrder::Scatter(1)), fine(ThreadOrder::Compact(1)));
        assert_eq!(fine(ThreadOrder::Scatter(9)), fine(ThreadOrder::Compact(0)));
        let cores = order(PlaceKind::Cores, ThreadOrder::Compact(0));
        assert_eq!(cores, "0,4 0,4 2,6 2,6 1,5 1,5 3,7 3,7");
        let sockets = order(PlaceKind::Sockets, ThreadOrder::Scatter(0));
        assert!(sockets.starts_with("0,2,4,6 1,3,5,7 0,2,4,6"), "{sockets}");
    }

    #[test]
    fn only_what_is_available_is_there() {
        let tree = two_sockets(["core_cpus_list", "package_cpus_list"]);
        assert_eq!(parts(&tree, "3,4,7", PlaceKind::Cores), ["4", "3,7"]);
        assert_eq!(parts(&tree, "3,7", PlaceKind::Sockets), ["3,7"]);
        assert!(parts(&tree, "", PlaceKind::Threads).is_empty());
    }

    #[test]
    fn two_caches_in_a_socket() {
        let tree = Tree::new();
        for processor in 0..4 {
            tree.write(&format!("cpu/cpu{processor}/topology/package_cpus_list"), "0-3");
            tree.cache(processor, 3, 3, "Unified", if processor < 2 { "0-1" } else { "2-3" });
        }
        assert_eq!(parts(&tree, "0-3", PlaceKind::LlCaches), ["0-1", "2-3"]);
        assert_eq!(parts(&tree, "0-3", PlaceKind::Sockets), ["0-3"]);
    }

    #[test]
    fn without_sysfs_each_processor_is_a_core() {
        let tree = Tree::new();
        assert_eq!(parts(&tree, "2,5-6", PlaceKind::Cores), ["2", "5", "6"]);
        assert_eq!(parts(&tree, "2,5-6", PlaceKind::Threads), ["2", "5", "6"]);
        for kind in [PlaceKind::LlCaches, PlaceKind::NumaDomains, PlaceKind::Sockets] {
            assert_eq!(parts(&tree, "2,5-6", kind), ["2,5-6"], "{kind:?}");
        }
    }

    #[test]
    fn files_that_make_no_sense_are_as_if_they_were_not_there() {
        let tree = Tree::new();
        tree.write("cpu/cpu0/topology/core_cpus_list", "1-2");
        tree.write("cpu/cpu1/topology/core_cpus_list", "???");
        tree.write("cpu/cpu1/topology/package_cpus_list", "");
        tree.write("cpu/cpu1/cache/index0/level", "high");
        tree.write("node/node0/cpulist", "0-999999999");
        assert_eq!(parts(&tree, "0-1", PlaceKind::Cores), ["0", "1"]);
        assert_eq!(parts(&tree, "0-1", PlaceKind::Sockets), ["0-1"]);
        assert_eq!(parts(&tree, "0-1", PlaceKind::NumaDomains), ["0-1"]);
    }
}
