//! How the release of a team and its barrier grow with the number of threads, counted on a model of
//! a machine with several NUMA nodes. The figures of docs/src/performance/growth.md come from the
//! test `table`: `cargo test -p oxomp-protocol --lib growth -- --nocapture`.
//!
//! The unit of time is the transfer of a cache line between two processors of a node. A thread that
//! writes a line waits until the line has come from the farthest processor that has it; a thread
//! that polls a line gets it from its last writer. Writes of a line come one after the other; what
//! a thread does on lines of its own takes no time.

use super::fan_out::{FLAT, released_by};
use super::{Barrier, FAN_IN};

/// Transfers within a node that take as long as one between two nodes.
const FAR: u32 = 3;

/// A machine on which thread *n* is bound to processor *n*.
struct Machine {
    /// Processors of a node.
    node: u32,
    /// Transfers within nodes.
    near: u32,
    /// Transfers between nodes.
    far: u32,
}

/// A cache line, and the processors that have it.
struct Line {
    writer: u32,
    readers: Vec<u32>,
    /// The time at which its last write is done.
    written: u32,
}

/// What the release of a team, or a barrier, takes: until thread 0 goes on, and until all threads
/// have gone on, with the transfers of lines.
#[derive(Debug, PartialEq, Eq)]
struct Cost {
    first: u32,
    last: u32,
    near: u32,
    far: u32,
}

impl Line {
    fn of(writer: u32) -> Self {
        Line { writer, readers: Vec::new(), written: 0 }
    }
}

impl Machine {
    fn with(node: u32) -> Self {
        Machine { node, near: 0, far: 0 }
    }

    fn distance(&self, one: u32, other: u32) -> u32 {
        match (one == other, one / self.node == other / self.node) {
            (true, _) => 0,
            (false, true) => 1,
            (false, false) => FAR,
        }
    }

    fn transfer(&mut self, time: u32) -> u32 {
        match time {
            0 => {}
            1 => self.near += 1,
            _ => self.far += 1,
        }
        time
    }

    /// Thread `by` writes the line from the time `at` on. Returns the time at which it is done.
    fn write(&mut self, line: &mut Line, by: u32, at: u32) -> u32 {
        let holders = line.readers.drain(..).chain([line.writer]);
        let farthest = holders.map(|other| self.distance(by, other)).max().unwrap_or(0);
        line.writer = by;
        line.written = at.max(line.written) + self.transfer(farthest);
        line.written
    }

    /// Thread `by`, which polls the line, sees what was written. Returns the time.
    fn see(&mut self, line: &mut Line, by: u32) -> u32 {
        line.readers.push(by);
        line.written + self.transfer(self.distance(by, line.writer))
    }

    fn cost(self, times: &[u32]) -> Cost {
        let last = times.iter().copied().max().unwrap_or(0);
        Cost { first: times[0], last, near: self.near, far: self.far }
    }
}

/// The release of a team of `size` threads, where `released(from)` are those that thread `from`
/// releases.
fn fork(mut machine: Machine, size: u32, released: impl Fn(u32) -> core::ops::Range<u32>) -> Cost {
    let mut times = vec![0; size as usize];
    for from in 0..size {
        for worker in released(from) {
            assert!(from < worker && times[worker as usize] == 0, "{worker} is released once");
            let mut dock = Line::of(worker);
            times[from as usize] = machine.write(&mut dock, from, times[from as usize]);
            times[worker as usize] = machine.see(&mut dock, worker);
        }
    }
    assert!(times[1..].iter().all(|&time| time > 0), "all are released");
    machine.cost(&times)
}

/// A barrier of `size` threads that arrive at the same time. `parents` are the groups of its tree
/// with their parents, those of threads first; the last one is the root. A group, and a release
/// word, is that of `fan_in` threads.
fn barrier(mut machine: Machine, size: u32, fan_in: u32, parents: &[usize]) -> Cost {
    // Of each group the times of arrivals, and the threads that arrive.
    let mut arrivals: Vec<Vec<(u32, u32)>> = vec![Vec::new(); parents.len()];
    for thread in 0..size {
        arrivals[(thread / fan_in) as usize].push((0, thread));
    }
    let mut end = (0, 0);
    for (group, &parent) in parents.iter().enumerate() {
        let mut arriving = core::mem::take(&mut arrivals[group]);
        arriving.sort_unstable();
        // Since the last barrier its last thread has it.
        let mut line = Line::of(arriving.last().map_or(0, |&(_, thread)| thread));
        for (at, thread) in arriving {
            end = (machine.write(&mut line, thread, at), thread);
        }
        if parent != group {
            arrivals[parent].push(end);
        }
    }
    let (mut now, last) = end;
    let mut times = vec![0; size as usize];
    for first in (0..size).step_by(fan_in as usize).rev() {
        let threads = first..(first + fan_in).min(size);
        let mut word = Line::of(last);
        word.readers.extend(threads.clone());
        now = machine.write(&mut word, last, now);
        for thread in threads {
            times[thread as usize] = machine.see(&mut word, thread);
        }
    }
    times[last as usize] = now;
    machine.cost(&times)
}

fn our_fork(machine: Machine, size: u32) -> Cost {
    fork(machine, size, |from| released_by(from, size))
}

fn our_barrier(machine: Machine, size: u32) -> Cost {
    let ours = Barrier::new(size as usize);
    let parents: Vec<usize> = ours.groups.iter().map(|group| group.parent as usize).collect();
    barrier(machine, size, FAN_IN as u32, &parents)
}

/// Thread 0 releases all workers.
fn flat_fork(machine: Machine, size: u32) -> Cost {
    fork(machine, size, |from| if from == 0 { 1..size } else { 0..0 })
}

/// All threads arrive at one count, and wait for one word.
fn flat_barrier(machine: Machine, size: u32) -> Cost {
    barrier(machine, size, size, &[0])
}

const SIZES: [u32; 10] = [2, 4, 8, 16, 32, 64, 96, 128, 192, 256];

#[test]
fn each_worker_is_released_once_and_after_its_releaser() {
    for size in 1..=600 {
        let cost = our_fork(Machine::with(size), size);
        assert_eq!(cost.near, 2 * (size - 1), "one transfer each way for a worker");
        assert_eq!(cost.first, (size - 1).min(FLAT - 1), "thread 0 releases as many at any size");
    }
}

#[test]
fn release_and_barrier_grow_by_the_levels_of_their_trees() {
    for size in SIZES.into_iter().filter(|&size| size > FLAT) {
        let levels = (f64::from(size).ln() / f64::from(FLAT - 1).ln()).ceil() as u32;
        let (near, far) = (Machine::with(size), Machine::with(1));
        assert!(our_fork(near, size).last <= FLAT * levels, "{size} threads of one node");
        assert!(our_fork(far, size).last <= FAR * FLAT * levels, "{size} nodes");
        let words = size.div_ceil(FAN_IN as u32);
        let most = FAN_IN as u32 * levels + words + 1;
        assert!(our_barrier(Machine::with(size), size).last <= most, "{size} threads of one node");
        assert!(our_barrier(Machine::with(1), size).last <= FAR * most, "{size} nodes");
    }
}

/// With eight nodes, for all sizes above that of one group.
#[test]
fn trees_beat_one_line_for_all() {
    for size in SIZES.into_iter().filter(|&size| size > FLAT) {
        let machine = || Machine::with(size.div_ceil(8));
        assert!(our_fork(machine(), size).last <= flat_fork(machine(), size).last, "{size}");
        assert!(our_barrier(machine(), size).last <= flat_barrier(machine(), size).last, "{size}");
    }
}

/// Prints what docs/src/performance/growth.md shows.
#[test]
fn table() {
    println!("threads nodes | fork: first last near far flat | barrier: last near far flat");
    for size in SIZES {
        for nodes in [1, 8] {
            let machine = || Machine::with(size.div_ceil(nodes));
            let (fork, barrier) = (our_fork(machine(), size), our_barrier(machine(), size));
            let flat = (flat_fork(machine(), size).last, flat_barrier(machine(), size).last);
            println!(
                "{size:7} {nodes:5} | {:11} {:4} {:4} {:3} {:4} | {:13} {:4} {:3} {:4}",
                fork.first,
                fork.last,
                fork.near,
                fork.far,
                flat.0,
                barrier.last,
                barrier.near,
                barrier.far,
                flat.1,
            );
        }
    }
}
