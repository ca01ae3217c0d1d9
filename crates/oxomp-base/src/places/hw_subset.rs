//! The part of the machine that KMP_HW_SUBSET leaves to the process.

use super::proc_set::ProcSet;
use super::topology::{Processor, Topology};
use crate::icv::hw_subset::{CoreAttribute, HwSubset, Units};
use crate::icv::place_list::PlaceKind;

/// Knowledge about kinds of cores.
pub(crate) trait CoreSorts {
    /// Whether the processor's core is of that kind.
    fn has(&self, processor: u32, attribute: CoreAttribute) -> bool;
}

/// The processors of `topology` that `subset` selects.
///
/// # Errors
/// The layer of which no part of the machine has as many units as the user asks for, as the end of
/// a sentence.
pub(crate) fn select(
    topology: &Topology,
    subset: &HwSubset,
    sorts: &impl CoreSorts,
) -> Result<ProcSet, String> {
    let all: Vec<&Processor> = topology.processors().iter().collect();
    let mut chosen = ProcSet::default();
    let mut most = vec![Vec::new(); subset.layers.len()];
    choose(&all, &subset.layers, &mut most, sorts, &mut chosen);
    for ((layer, alternatives), most) in subset.layers.iter().zip(&most) {
        for (units, &most) in alternatives.iter().zip(most) {
            if most < u64::from(units.offset) + u64::from(units.count.unwrap_or(1)) {
                return Err(format!("there are {most} {} to choose from", name(*layer)));
            }
        }
    }
    if chosen.is_empty() { Err("no processor is left".to_owned()) } else { Ok(chosen) }
}

/// Adds the selected ones of `processors` to `chosen`; `most` has for each layer and alternative
/// the largest number of parts to choose from.
fn choose(
    processors: &[&Processor],
    layers: &[(PlaceKind, Vec<Units>)],
    most: &mut [Vec<u64>],
    sorts: &impl CoreSorts,
    chosen: &mut ProcSet,
) {
    let ([(layer, alternatives), layers @ ..], [most, deeper @ ..]) = (layers, most) else {
        return chosen.extend(processors.iter().map(|processor| processor.number));
    };
    most.resize(alternatives.len(), 0);
    // Neighbours are adjacent in the list, so a part is a run of processors.
    let parts: Vec<&[&Processor]> =
        processors.chunk_by(|one, other| one.part(*layer) == other.part(*layer)).collect();
    for (units, most) in alternatives.iter().zip(most) {
        let fitting: Vec<&[&Processor]> =
            parts.iter().copied().filter(|part| fits(part, units.attribute, sorts)).collect();
        *most = (*most).max(fitting.len() as u64);
        let count = units.count.map_or(usize::MAX, |count| count as usize);
        for part in fitting.into_iter().skip(units.offset as usize).take(count) {
            choose(part, layers, deeper, sorts, chosen);
        }
    }
}

fn fits(part: &[&Processor], attribute: Option<CoreAttribute>, sorts: &impl CoreSorts) -> bool {
    let first = part.first().map(|processor| processor.number);
    attribute.is_none_or(|wanted| first.is_some_and(|number| sorts.has(number, wanted)))
}

fn name(layer: PlaceKind) -> &'static str {
    match layer {
        PlaceKind::Threads => "hardware threads",
        PlaceKind::Cores => "cores",
        PlaceKind::L2Caches => "L2 caches",
        PlaceKind::LlCaches => "last-level caches",
        PlaceKind::NumaDomains => "NUMA domains",
        PlaceKind::Dies => "dies",
        PlaceKind::Sockets => "sockets",
    }
}

#[cfg(test)]
mod tests {
    use super::{CoreAttribute, CoreSorts, select};
    use crate::icv::env;
    use crate::icv::hw_subset::HwSubset;
    use crate::places::ProcSet;
    use crate::places::fake_tree::{Tree, two_sockets};
    use crate::places::topology::Topology;

    /// A machine whose processors up to 3 are fast.
    struct Halves;

    impl CoreSorts for Halves {
        fn has(&self, processor: u32, attribute: CoreAttribute) -> bool {
            match attribute {
                CoreAttribute::Performance => processor < 4,
                CoreAttribute::Efficient => processor >= 4,
                CoreAttribute::Efficiency(rank) => rank == u32::from(processor < 4),
            }
        }
    }

    fn subset(text: &str) -> HwSubset {
        let variables = [("KMP_HW_SUBSET".to_owned(), text.to_owned())];
        let (_, global, warnings) = env::read(&variables, |_| env::Processors::of(8));
        assert_eq!(warnings, [], "{text}");
        global.hw_subset.expect("a subset")
    }

    fn chosen(tree: &Tree, available: &str, text: &str) -> Result<String, String> {
        let available = ProcSet::parse(available).expect("processors");
        let topology = Topology::read(tree.path(), &available);
        select(&topology, &subset(text), &Halves).map(|set| set.to_string())
    }

    #[test]
    fn parts_of_parts() {
        // Socket 0 has the cores {0,4} and {2,6}, socket 1 {1,5} and {3,7}.
        let tree = two_sockets(["core_cpus_list", "package_cpus_list"]);
        let chosen = |text| chosen(&tree, "0-7", text);
        assert_eq!(chosen("1s").as_deref(), Ok("0,2,4,6"));
        assert_eq!(chosen("1s@1,1c").as_deref(), Ok("1,5"));
        assert_eq!(chosen("1c,1t").as_deref(), Ok("0-1"));
        assert_eq!(chosen("1t@1,1c@1").as_deref(), Ok("6-7"));
        assert_eq!(chosen("2s,2c,2t").as_deref(), Ok("0-7"));
        assert_eq!(chosen("*c@1").as_deref(), Ok("2-3,6-7"));
        assert_eq!(chosen("1s,1numa,1t").as_deref(), Ok("0,2"));
    }

    #[test]
    fn after_a_colon_the_mentioned_layers_alone_are_counted() {
        let tree = two_sockets(["core_cpus_list", "package_cpus_list"]);
        let chosen = |text| chosen(&tree, "0-7", text);
        assert_eq!(chosen(":3t").as_deref(), Ok("0,2,4"));
        assert_eq!(chosen(":1s@1,2t@1").as_deref(), Ok("3,5"));
        assert_eq!(chosen(":3c").as_deref(), Ok("0-2,4-6"));
    }

    #[test]
    fn more_than_there_is_is_refused() {
        let tree = two_sockets(["core_cpus_list", "package_cpus_list"]);
        let problem = |text, available| chosen(&tree, available, text).expect_err(text);
        assert_eq!(problem("3s", "0-7"), "there are 2 sockets to choose from");
        assert_eq!(problem("1c@2", "0-7"), "there are 2 cores to choose from");
        assert_eq!(problem("2t", "0-3"), "there are 1 hardware threads to choose from");
        // Uneven sockets: the user may ask for as many cores as one of them has.
        assert_eq!(chosen(&tree, "0-2", "2c").as_deref(), Ok("0-2"));
    }

    #[test]
    fn cores_of_a_sort() {
        let tree = Tree::new();
        let chosen = |text| chosen(&tree, "0-7", text);
        assert_eq!(chosen("2c:intel_atom").as_deref(), Ok("4-5"));
        assert_eq!(chosen("1c:intel_core&2c@1:intel_atom").as_deref(), Ok("0,5-6"));
        assert_eq!(chosen("1c@3:eff1").as_deref(), Ok("3"));
        assert!(chosen("1c:eff2").is_err());
    }
}
