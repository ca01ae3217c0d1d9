//! Memory spaces and their storage resources: on the host one resource for each NUMA node that has
//! memory (OpenMP 6.0 §8.1, §27.1).

use core::ptr;
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{AcqRel, Acquire};
use std::path::Path;

use crate::places::ProcSet;

/// `omp_null_mem_space` of the routines of 6.0, and `omp_default_mem_space` of gcc's headers and of
/// LLVM's up to 19.
pub const NULL_OR_DEFAULT: usize = 0;
/// `omp_default_mem_space` of LLVM's headers from 20 on.
pub const DEFAULT: usize = 99;

/// A memory space of some of the host's resources, which `omp_get_submemspace` has returned.
#[derive(Debug)]
pub struct Part {
    /// The NUMA nodes, in ascending order.
    pub nodes: Vec<u32>,
    /// The predefined memory space that it is a part of.
    whole: usize,
    /// The part that was made before this one.
    next: *const Part,
}

/// The parts that exist. They are never freed: a machine has few.
static PARTS: AtomicPtr<Part> = AtomicPtr::new(ptr::null_mut());

/// A memory space of the host.
#[derive(Clone, Copy, Debug)]
pub(super) enum Space {
    /// A predefined one, with all resources: all of them have the same memory.
    Whole(usize),
    /// A part of one.
    Part(&'static Part),
}

impl Space {
    /// The memory space of this handle, in any numbering. `None` if the value is not a handle.
    pub(super) fn find(handle: usize) -> Option<Self> {
        match handle {
            // 5 is LLVM's omp_cgroup_mem_space; 100 to 102 are its spaces of memory that devices
            // reach, 200 is gcc's of managed memory: without devices all of that is the host's.
            0..=5 | 99..=102 | 200 => Some(Space::Whole(handle)),
            _ => parts().find(|part| ptr::from_ref(*part).addr() == handle).map(Space::Part),
        }
    }

    /// The handle by which the program refers to it.
    fn handle(self) -> usize {
        match self {
            Space::Whole(handle) => handle,
            Space::Part(part) => ptr::from_ref(part).addr(),
        }
    }

    /// The NUMA nodes that are its resources, in ascending order, at least one.
    fn nodes(self) -> &'static [u32] {
        match self {
            Space::Whole(_) => nodes(),
            Space::Part(part) => &part.nodes,
        }
    }
}

fn parts() -> impl Iterator<Item = &'static Part> {
    // SAFETY: null, or a part that is published whole and never freed. Acquire: pairs with the
    // Release of `part_of`.
    let first = unsafe { PARTS.load(Acquire).as_ref() };
    // SAFETY: a part leads to null or to the part before it, which is never freed.
    core::iter::successors(first, |part| unsafe { part.next.as_ref() })
}

/// The NUMA nodes of the machine on which the process may have memory, at least one.
pub fn nodes() -> &'static [u32] {
    static NODES: AtomicPtr<Vec<u32>> = AtomicPtr::new(ptr::null_mut());
    // SAFETY: null, or a list that is published whole and never freed. Acquire: pairs with the
    // Release below.
    if let Some(known) = unsafe { NODES.load(Acquire).as_ref() } {
        return known;
    }
    // Threads that meet here all read the nodes: no thread waits for another one, which might not
    // exist in the child of a fork(2).
    let read = Box::into_raw(Box::new(read_nodes(Path::new("/"))));
    match NODES.compare_exchange(ptr::null_mut(), read, AcqRel, Acquire) {
        // SAFETY: the list that was just published.
        Ok(_) => unsafe { &*read },
        Err(known) => {
            // SAFETY: this list was not published: another thread's was.
            unsafe {
                drop(Box::from_raw(read));
                &*known
            }
        }
    }
}

/// Reads the nodes from the files of the system under `root`. Without them the machine has one.
fn read_nodes(root: &Path) -> Vec<u32> {
    let text = |file: &str| std::fs::read_to_string(root.join(file)).ok();
    let system = "sys/devices/system/node";
    let mut nodes = ["has_memory", "has_normal_memory", "online"]
        .iter()
        .find_map(|file| ProcSet::parse(&text(&format!("{system}/{file}"))?))
        .map_or_else(Vec::new, |set| set.iter().collect());
    let status = text("proc/self/status").unwrap_or_default();
    let allowed = status.lines().find_map(|line| line.strip_prefix("Mems_allowed_list:"));
    if let Some(allowed) = allowed.and_then(ProcSet::parse).filter(|set| !set.is_empty()) {
        nodes.retain(|&node| allowed.contains(node));
    }
    if nodes.is_empty() { vec![0] } else { nodes }
}

/// The number of resources of a memory space; 0 if `space` is not a handle.
pub fn num_resources(space: usize) -> usize {
    Space::find(space).map_or(0, |space| space.nodes().len())
}

/// The memory space with these resources of `space`, which are numbered from 0: `space` itself if
/// these are all of its resources. The null memory space if one does not exist.
pub fn part_of(space: usize, resources: &[i32]) -> usize {
    let Some(space) = Space::find(space) else { return NULL_OR_DEFAULT };
    let all = space.nodes();
    let node = |&number: &i32| all.get(usize::try_from(number).ok()?).copied();
    let Some(mut nodes) = resources.iter().map(node).collect::<Option<Vec<u32>>>() else {
        return NULL_OR_DEFAULT;
    };
    nodes.sort_unstable();
    nodes.dedup();
    if nodes.is_empty() {
        return NULL_OR_DEFAULT;
    }
    if nodes == all {
        return space.handle();
    }
    let whole = match space {
        Space::Whole(handle) => handle,
        Space::Part(part) => part.whole,
    };
    let same = |part: &&Part| part.nodes == nodes && part.whole == whole;
    if let Some(known) = parts().find(same) {
        return Space::Part(known).handle();
    }
    add(Part { nodes, whole, next: ptr::null() })
}

/// Publishes a part, and returns its handle. Two threads that make the same part at the same time
/// get two handles of equal parts.
fn add(part: Part) -> usize {
    let part = Box::leak(Box::new(part));
    let mut first = PARTS.load(Acquire);
    loop {
        part.next = first;
        match PARTS.compare_exchange_weak(first, part, AcqRel, Acquire) {
            Ok(_) => return ptr::from_ref(part).addr(),
            Err(now) => first = now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{DEFAULT, Space, nodes, num_resources, part_of, read_nodes};
    use crate::places::fake_tree::Tree;

    #[test]
    fn nodes_are_those_with_memory_that_the_process_may_use() {
        let tree = Tree::new();
        assert_eq!(read_nodes(tree.path()), [0]);
        tree.write("sys/devices/system/node/online", "0-7");
        assert_eq!(read_nodes(tree.path()), [0, 1, 2, 3, 4, 5, 6, 7]);
        tree.write("sys/devices/system/node/has_memory", "0,2-3,5");
        assert_eq!(read_nodes(tree.path()), [0, 2, 3, 5]);
        tree.write("proc/self/status", "Name:\tx\nMems_allowed_list:\t2-4\nx:\t1");
        assert_eq!(read_nodes(tree.path()), [2, 3]);
        tree.write("proc/self/status", "Mems_allowed_list:\t9");
        assert_eq!(read_nodes(tree.path()), [0]);
    }

    #[test]
    fn parts_of_a_space_are_made_once_and_all_of_it_is_itself() {
        let count = num_resources(DEFAULT);
        assert_eq!(count, nodes().len());
        let all: Vec<i32> = (0..count as i32).rev().collect();
        assert_eq!(part_of(DEFAULT, &all), DEFAULT);
        assert_eq!(part_of(DEFAULT, &[0]), part_of(DEFAULT, &[0, 0]));
        assert_eq!(num_resources(part_of(DEFAULT, &[0])), 1);
        for wrong in [&[-1][..], &[count as i32], &[0, count as i32], &[]] {
            assert_eq!(part_of(DEFAULT, wrong), 0, "{wrong:?}");
        }
        assert_eq!((part_of(7, &[0]), num_resources(7), num_resources(usize::MAX)), (0, 0, 0));
    }

    #[test]
    fn every_numbering_has_a_default_space() {
        for handle in [0, 1, 2, 3, 4, 5, 99, 100, 101, 102, 200] {
            assert!(Space::find(handle).is_some(), "{handle}");
        }
        for handle in [6, 98, 103, 1024, 1 << 40, usize::MAX] {
            assert!(Space::find(handle).is_none(), "{handle}");
        }
    }
}
