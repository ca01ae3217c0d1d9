//! On which NUMA nodes the pages of a block get their memory: the trait `partition`, and memory
//! spaces of some of the resources.
//!
//! The kernel is asked by mbind(2), part by part. Where it refuses, as containers without the
//! privilege do, the pages have the memory that the system gives them: the program works as on a
//! machine of one node.

use core::ptr::NonNull;

use oxomp_base::allocators::traits::{Partition, Traits};
use oxomp_base::os::pages::{MemoryPolicy, bind_pages};

/// The parts of a block are no more than this, so that a mistake in `part_size` does not cost
/// millions of system calls. Each is a mapping of its own for the kernel, and a process may have
/// 65,530.
const MOST_PARTS: usize = 1024;

/// Where a block's memory is to be.
#[derive(Clone, Copy, Debug)]
pub(super) struct Placement<'a> {
    nodes: &'a [u32],
    /// Whether the machine has other nodes, which the block may not use.
    is_confined: bool,
    partition: Partition,
    part_size: usize,
}

impl<'a> Placement<'a> {
    /// The placement that the traits ask for, on a machine with the nodes `all`, in memory that has
    /// `nodes`. `None` if every page may be anywhere.
    pub(super) fn of(traits: &Traits, nodes: &'a [u32], all: &[u32]) -> Option<Self> {
        let is_confined = nodes.len() < all.len();
        let matters = nodes.len() > 1 && traits.partition != Partition::Environment;
        (is_confined || matters).then_some(Placement {
            nodes,
            is_confined,
            partition: traits.partition,
            part_size: traits.part_size,
        })
    }

    /// Asks the kernel for this placement of `bytes` of pages that have no memory yet.
    pub(super) fn apply(&self, pages: NonNull<u8>, bytes: usize, page: usize) {
        self.parts(bytes, page, |from, length, policy, nodes| {
            // SAFETY: the part lies within the pages.
            let part = unsafe { pages.add(from) };
            // If the kernel refuses one part it refuses all; the answer changes nothing.
            bind_pages(part, length, policy, &mask(nodes))
        });
    }

    /// Calls `bind` with the offset and the length of each part, a policy, and the nodes for it,
    /// until it returns false.
    fn parts(
        &self,
        bytes: usize,
        page: usize,
        mut bind: impl FnMut(usize, usize, MemoryPolicy, &[u32]) -> bool,
    ) {
        let nodes = self.nodes;
        let part = match self.partition {
            Partition::Environment | Partition::Nearest => {
                // The kernel takes the nearest of several nodes.
                if self.is_confined {
                    bind(0, bytes, MemoryPolicy::Bind, nodes);
                } else {
                    bind(0, bytes, MemoryPolicy::Preferred, &[]);
                }
                return;
            }
            Partition::Interleaved if self.part_size <= page => {
                bind(0, bytes, MemoryPolicy::Interleave, nodes);
                return;
            }
            Partition::Interleaved => self.part_size.max(bytes / MOST_PARTS),
            Partition::Blocked => bytes.div_ceil(nodes.len()),
        };
        let part = part.checked_next_multiple_of(page).unwrap_or(bytes);
        let policy = if self.is_confined { MemoryPolicy::Bind } else { MemoryPolicy::Preferred };
        for (from, node) in (0..bytes).step_by(part).zip(nodes.iter().cycle()) {
            if !bind(from, part.min(bytes - from), policy, &[*node]) {
                return;
            }
        }
    }
}

/// The bits of these nodes, in words.
fn mask(nodes: &[u32]) -> Vec<u64> {
    let words = nodes.iter().max().map_or(0, |&last| last as usize / 64 + 1);
    let mut mask = vec![0; words];
    for &node in nodes {
        mask[node as usize / 64] |= 1 << (node % 64);
    }
    mask
}

#[cfg(test)]
mod tests {
    use super::{MOST_PARTS, MemoryPolicy, Partition, Placement, Traits, mask};

    type Part = (usize, usize, MemoryPolicy, Vec<u32>);

    fn parts(traits: &Traits, nodes: &[u32], all: &[u32], bytes: usize) -> Option<Vec<Part>> {
        let placement = Placement::of(traits, nodes, all)?;
        let mut parts = Vec::new();
        placement.parts(bytes, 4096, |from, length, policy, nodes| {
            parts.push((from, length, policy, nodes.to_vec()));
            true
        });
        Some(parts)
    }

    fn with(partition: Partition, part_size: usize) -> Traits {
        Traits { partition, part_size, ..Traits::DEFAULT }
    }

    const ALL: [u32; 3] = [0, 2, 5];

    #[test]
    fn one_node_or_no_wish_needs_no_placement() {
        for partition in [Partition::Nearest, Partition::Blocked, Partition::Interleaved] {
            assert_eq!(parts(&with(partition, 0), &[0], &[0], 4096), None);
        }
        assert_eq!(parts(&with(Partition::Environment, 0), &ALL, &ALL, 4096), None);
    }

    #[test]
    fn whole_blocks_have_one_policy() {
        let nearest = with(Partition::Nearest, 0);
        let one = |policy, nodes: &[u32]| Some(vec![(0, 8192, policy, nodes.to_vec())]);
        assert_eq!(parts(&nearest, &ALL, &ALL, 8192), one(MemoryPolicy::Preferred, &[]));
        let bound = one(MemoryPolicy::Bind, &[2, 5]);
        assert_eq!(parts(&nearest, &[2, 5], &ALL, 8192), bound);
        assert_eq!(parts(&with(Partition::Environment, 0), &[2, 5], &ALL, 8192), bound);
        let by_page = with(Partition::Interleaved, 100);
        assert_eq!(parts(&by_page, &ALL, &ALL, 8192), one(MemoryPolicy::Interleave, &ALL));
    }

    #[test]
    fn blocked_memory_has_a_part_on_each_node() {
        let parts = parts(&with(Partition::Blocked, 0), &ALL, &ALL, 7 * 4096).expect("parts");
        let wanted = [(0, 3, 0), (3, 3, 2), (6, 1, 5)].map(|(from, pages, node)| {
            (from * 4096, pages * 4096, MemoryPolicy::Preferred, vec![node])
        });
        assert_eq!(parts, wanted);
    }

    #[test]
    fn interleaved_parts_take_turns_and_are_not_too_many() {
        let parts5 = parts(&with(Partition::Interleaved, 5000), &[0, 5], &ALL, 5 * 8192);
        let nodes: Vec<_> = parts5.expect("parts").into_iter().map(|part| part.3[0]).collect();
        assert_eq!(nodes, [0, 5, 0, 5, 0]);
        let many = parts(&with(Partition::Interleaved, 8192), &ALL, &ALL, 1 << 30).expect("parts");
        assert!(many.len() <= MOST_PARTS + 1, "{}", many.len());
        let one = parts(&with(Partition::Interleaved, usize::MAX), &ALL, &ALL, 1 << 30);
        assert_eq!(one.expect("a part").len(), 1);
    }

    #[test]
    fn masks_have_a_bit_for_each_node() {
        assert_eq!(mask(&[]), []);
        assert_eq!(mask(&[0, 2]), [5]);
        assert_eq!(mask(&[1, 64, 130]), [2, 1, 4]);
    }
}
