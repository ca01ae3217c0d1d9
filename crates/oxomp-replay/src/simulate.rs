//! The replay of a loop: a simulation of its threads, chunk by chunk.
//!
//! Threads begin together. A thread that is free takes its next chunk, of equally early threads the
//! one of the lowest number. As long as all threads are equally fast, it does not matter for the
//! order how fast they are; so threads that share processors are replayed as if each had its own,
//! and then stretched by how many of them were at work.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::curve::Curve;
use crate::schedule::Schedule;

/// Chunks that are replayed one by one; of more, several are replayed as one.
const MOST_CHUNKS: u64 = 1 << 15;

/// The machine and the runtime, as far as a replay knows them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Setting {
    /// Threads of the team.
    pub threads: u32,
    /// Processors that they share.
    pub cpus: u32,
    /// Handing out a chunk, ns.
    pub dispatch_ns: f64,
    /// Whether the chunks of a dynamic schedule are divided in advance and stolen, as oxomp does,
    /// rather than counted.
    pub steals: bool,
}

/// A replayed loop.
#[derive(Debug, Clone, PartialEq)]
pub struct Replay {
    /// From the begin to the end of the last thread, ns.
    pub time_ns: f64,
    /// The longest chunk, ns.
    pub longest_ns: f64,
    /// The longest of the threads' last chunks, ns.
    pub tail_ns: f64,
    /// Chunks.
    pub chunks: u64,
}

/// Replays a loop under `schedule`.
#[must_use]
pub fn replay(curve: &Curve, schedule: Schedule, setting: Setting) -> Replay {
    let threads = setting.threads.max(1);
    let mut run = Run {
        curve,
        dispatch: if schedule.is_handed_out() { setting.dispatch_ns } else { 0.0 },
        busy: vec![0.0; threads as usize],
        last: vec![0.0; threads as usize],
        longest: 0.0,
        chunks: 0,
    };
    match schedule {
        Schedule::Static => run.in_parts(),
        Schedule::StaticChunked(chunk) => run.in_turn(chunk.max(1)),
        // A team of one takes everything at once.
        Schedule::Dynamic(_) | Schedule::Guided(_) if threads == 1 => run.in_parts(),
        Schedule::Dynamic(chunk) if setting.steals => run.stealing(chunk.max(1)),
        Schedule::Dynamic(chunk) => run.in_order(|_| chunk.max(1)),
        Schedule::Guided(least) => {
            run.in_order(|rest| (rest / (2 * u64::from(threads))).max(least.max(1)));
        }
    }
    let time_ns = shared(run.busy, setting.cpus.max(1));
    let tail_ns = run.last.iter().copied().fold(0.0, f64::max);
    Replay { time_ns, longest_ns: run.longest, tail_ns, chunks: run.chunks }
}

/// The time at which the last thread ends, where the threads share `cpus` processors equally and
/// each has so much to do.
fn shared(mut busy: Vec<f64>, cpus: u32) -> f64 {
    busy.sort_by(f64::total_cmp);
    let mut time = 0.0;
    let mut before = 0.0;
    for (index, &until) in busy.iter().enumerate() {
        let active = (busy.len() - index) as f64;
        time += (until - before) * (active / f64::from(cpus)).max(1.0);
        before = until;
    }
    time
}

struct Run<'a> {
    curve: &'a Curve,
    dispatch: f64,
    busy: Vec<f64>,
    /// The last chunk of each thread.
    last: Vec<f64>,
    longest: f64,
    chunks: u64,
}

/// A thread in the queue of free threads: the first to be free comes first, then the one of the
/// lowest number. Times are not negative, so their bits are in order.
type Free = Reverse<(u64, usize)>;

impl Run<'_> {
    /// The thread executes the iterations from `start` to before `end`, which were `chunks` chunks.
    fn execute(&mut self, thread: usize, start: u64, end: u64, chunks: u64) {
        let cost = self.curve.cost(start, end);
        let each = cost / chunks.max(1) as f64;
        self.longest = self.longest.max(each);
        self.last[thread] = each;
        self.busy[thread] += cost + self.dispatch * chunks as f64;
        self.chunks += chunks;
    }

    fn in_parts(&mut self) {
        let (count, size) = (self.curve.count(), self.busy.len() as u64);
        let (share, extra) = (count / size, count % size);
        for thread in 0..size {
            let start = thread * share + thread.min(extra);
            let end = start + share + u64::from(thread < extra);
            self.execute(thread as usize, start, end, 1);
        }
    }

    fn in_turn(&mut self, chunk: u64) {
        let count = self.curve.count();
        let chunks = count.div_ceil(chunk);
        if chunks > MOST_CHUNKS {
            // So many small chunks have the mean cost of their surroundings on every thread.
            let each = self.curve.total() / self.busy.len() as f64;
            self.busy.fill(each);
            self.longest = self.curve.highest() * chunk as f64;
            self.chunks = chunks;
            return;
        }
        for index in 0..chunks {
            let (start, end) = (index * chunk, ((index + 1) * chunk).min(count));
            self.execute((index % self.busy.len() as u64) as usize, start, end, 1);
        }
    }

    fn free(&self) -> BinaryHeap<Free> {
        (0..self.busy.len()).map(|thread| Reverse((0, thread))).collect()
    }

    fn is_free(&self, thread: usize) -> Free {
        Reverse((self.busy[thread].to_bits(), thread))
    }

    /// Chunks one after the other; `size` says how large the next one is, by the iterations that
    /// are left.
    fn in_order(&mut self, size: impl Fn(u64) -> u64) {
        let count = self.curve.count();
        let mut free = self.free();
        let mut start = 0;
        while start < count
            && let Some(Reverse((_, thread))) = free.pop()
        {
            let chunk = size(count - start);
            let together = (count / chunk.saturating_mul(MOST_CHUNKS)).max(1);
            let end = start.saturating_add(chunk.saturating_mul(together)).min(count);
            self.execute(thread, start, end, (end - start).div_ceil(chunk));
            start = end;
            free.push(self.is_free(thread));
        }
    }

    /// Chunks divided in advance; a thread without any steals the rear half of another's.
    fn stealing(&mut self, chunk: u64) {
        let count = self.curve.count();
        let together = (count / chunk.saturating_mul(MOST_CHUNKS)).max(1);
        let unit = chunk.saturating_mul(together);
        let size = self.busy.len();
        let cut = |units: u64, index: usize| units * index as u64 / size as u64;
        // The loop's last chunk is in no range.
        let last = count.div_ceil(unit).saturating_sub(1);
        let mut ranges: Vec<(u64, u64)> =
            (0..size).map(|index| (cut(last, index), cut(last, index + 1))).collect();
        let mut left = Some(last).filter(|_| count > 0);
        let mut free = self.free();
        while let Some(Reverse((_, thread))) = free.pop() {
            let own = ranges[thread];
            let index = if own.0 < own.1 {
                ranges[thread].0 += 1;
                Some(own.0)
            } else {
                let mut others = (1..size).map(|distance| (thread + distance) % size);
                others.find(|&other| ranges[other].0 < ranges[other].1).map(|victim| {
                    let (first, end) = ranges[victim];
                    let middle = first + (end - first) / 2;
                    ranges[victim].1 = middle;
                    ranges[thread] = (middle + 1, end);
                    middle
                })
            };
            // The thread that takes the last chunk gets no other.
            let is_last = index.is_none();
            let Some(index) = index.or_else(|| left.take()) else { continue };
            let (start, end) = (index * unit, ((index + 1) * unit).min(count));
            self.execute(thread, start, end, (end - start).div_ceil(chunk));
            if !is_last {
                free.push(self.is_free(thread));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::{Just, Strategy, any, prop_assert, prop_oneof, proptest};

    use super::{Setting, replay};
    use crate::curve::Curve;
    use crate::schedule::Schedule;

    fn setting(threads: u32, cpus: u32) -> Setting {
        Setting { threads, cpus, dispatch_ns: 1.0, steals: false }
    }

    fn time(costs: &[u64], schedule: Schedule, threads: u32) -> f64 {
        let curve = Curve::new(costs.iter().map(|&cost| (1, cost as f64)));
        replay(&curve, schedule, setting(threads, threads)).time_ns
    }

    const FALLING: [u64; 8] = [80, 70, 60, 50, 40, 30, 20, 10];

    #[test]
    fn static_parts_end_with_the_longest() {
        assert_eq!(time(&FALLING, Schedule::Static, 2), 260.0);
        // The first threads have one iteration more: 80 + 70 + 60, 50 + 40 + 30, 20 + 10.
        assert_eq!(time(&FALLING, Schedule::Static, 3), 210.0);
    }

    #[test]
    fn static_chunks_go_in_turn() {
        assert_eq!(time(&FALLING, Schedule::StaticChunked(1), 2), 200.0);
        assert_eq!(time(&FALLING, Schedule::StaticChunked(3), 2), 240.0);
    }

    #[test]
    fn dynamic_chunks_go_to_the_thread_that_is_free() {
        // One of dispatch with each: 81 + 51 + 41 + 11 against 71 + 61 + 31 + 21.
        assert_eq!(time(&FALLING, Schedule::Dynamic(1), 2), 184.0);
        // 151, 111 + 71, and the last to the first: 151 + 31.
        assert_eq!(time(&FALLING, Schedule::Dynamic(2), 2), 182.0);
    }

    #[test]
    fn guided_chunks_are_a_part_of_the_rest() {
        // Of 8: 2 (151); of 6: 1 (61), 1 (51), 1 (41); of 3: 1, 1, 1.
        assert_eq!(time(&FALLING, Schedule::Guided(1), 2), 185.0);
        let curve = Curve::new(FALLING.iter().map(|&cost| (1, cost as f64)));
        let replayed = replay(&curve, Schedule::Guided(1), setting(2, 2));
        // The threads end with the iterations of 30 and 10.
        assert_eq!((replayed.longest_ns, replayed.tail_ns), (150.0, 30.0));
    }

    #[test]
    fn stolen_chunks_come_from_the_rear_of_another_range() {
        let curve = Curve::new([(4, 100.0), (4, 10.0), (1, 10.0)]);
        let setting = Setting { steals: true, ..setting(2, 2) };
        // Ranges of four chunks each. The second thread is done at 44, when the first executes its
        // first chunk, and steals the chunks 2 and 3 of 1 to 3; the first has chunk 1, and the
        // last chunk goes to the first thread that finds none.
        let replayed = replay(&curve, Schedule::Dynamic(1), setting);
        assert_eq!(replayed.time_ns, 246.0);
        assert_eq!(replayed.chunks, 9);
    }

    #[test]
    fn threads_that_share_a_processor_take_turns() {
        let curve = Curve::new([(1, 30.0), (1, 10.0)]);
        assert_eq!(replay(&curve, Schedule::Static, setting(2, 1)).time_ns, 40.0);
        let curve = Curve::new([(4, 30.0)]);
        assert_eq!(replay(&curve, Schedule::Static, setting(4, 2)).time_ns, 60.0);
    }

    #[test]
    fn many_chunks_are_replayed_together() {
        let curve = Curve::new([(10_000_000, 5.0)]);
        let replayed = replay(&curve, Schedule::Dynamic(1), setting(4, 4));
        assert_eq!(replayed.chunks, 10_000_000);
        assert!((replayed.time_ns - 15e6).abs() < 15e6 * 1e-3, "{}", replayed.time_ns);
    }

    fn schedules() -> impl Strategy<Value = Schedule> {
        prop_oneof![
            Just(Schedule::Static),
            (1..20_u64).prop_map(Schedule::StaticChunked),
            (1..20_u64).prop_map(Schedule::Dynamic),
            (1..20_u64).prop_map(Schedule::Guided),
        ]
    }

    proptest! {
        #[test]
        fn no_replay_is_faster_than_its_work_or_its_longest_chunk(
            costs in vec(0..1000_u32, 1..300),
            schedule in schedules(),
            threads in 1..9_u32,
            cpus in 1..9_u32,
            steals in any::<bool>(),
        ) {
            let curve = Curve::new(costs.iter().map(|&cost| (1, f64::from(cost))));
            let setting = Setting { threads, cpus, dispatch_ns: 0.0, steals };
            let replayed = replay(&curve, schedule, setting);
            let least = curve.total() / f64::from(threads.min(cpus));
            prop_assert!(replayed.time_ns >= least - 1e-6);
            prop_assert!(replayed.time_ns >= replayed.longest_ns - 1e-6);
            prop_assert!(replayed.time_ns <= curve.total() + 1e-6);
            if matches!(schedule, Schedule::Dynamic(_)) && cpus >= threads {
                // A thread is idle only when no chunk is left (Graham's bound), but that of the
                // last chunk of a loop that is stolen may wait for it.
                let bound = curve.total() / f64::from(threads) + 2.0 * replayed.longest_ns;
                prop_assert!(replayed.time_ns <= bound + 1e-6);
            }
        }

        #[test]
        fn each_iteration_is_executed_once(
            count in 1..2000_u64,
            schedule in schedules(),
            threads in 1..9_u32,
            steals in any::<bool>(),
        ) {
            // On one processor the time is the work.
            let curve = Curve::new([(count, 3.0)]);
            let setting = Setting { threads, cpus: 1, dispatch_ns: 0.0, steals };
            let time = replay(&curve, schedule, setting).time_ns;
            prop_assert!((time - 3.0 * count as f64).abs() < 1e-6 * time);
        }

        #[test]
        fn more_costly_iterations_take_no_less_in_static_schedules(
            costs in vec(0..1000_u32, 1..100),
            more in 0..100_usize,
            chunk in 1..9_u64,
            threads in 1..9_u32,
        ) {
            let time = |costs: &[u32]| {
                let curve = Curve::new(costs.iter().map(|&cost| (1, f64::from(cost))));
                let schedule = Schedule::StaticChunked(chunk);
                replay(&curve, schedule, setting(threads, threads)).time_ns
            };
            let mut higher = costs.clone();
            higher[more % costs.len()] += 500;
            prop_assert!(time(&higher) >= time(&costs));
        }
    }
}
