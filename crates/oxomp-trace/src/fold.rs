//! Folded sums: totals that a thread updates in place, whether its events are recorded besides or
//! not.
//!
//! Times are ticks. A sum belongs to the thread in whose chunk it lies; readers add the threads up.

use crate::layout::{u32_at, u64_at};

/// Bytes of an entry.
pub const ENTRY_SIZE: usize = 128;

/// The sums of one thread under one key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[repr(C)]
pub struct FoldEntry {
    /// Number of a [`FoldKind`]; 0: unused.
    pub kind: u32,
    /// OMPT's kind of the barrier, mutex or worksharing construct that is summed up.
    pub sub: u32,
    /// Code addresses, as the kind says.
    pub key: [u64; 3],
    /// Sums, as the kind says; the modules below name the positions.
    pub values: [u64; 12],
}

const _: () = assert!(size_of::<FoldEntry>() == ENTRY_SIZE);

/// The kind of an entry, which defines its key and values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u32)]
pub enum FoldKind {
    /// The thread's time: [`thread`]. `key[0]` says which of the threads of the stream it was, from
    /// 0. `key[2]` is not part of the key: twice the code address of the outermost region in which
    /// the thread was last, and 1 if it still was.
    Thread = 1,
    /// Outermost regions of the code address `key[0]`, or regions inside others if `sub` is 1:
    /// [`region`].
    /// Here and in all other keys, a region that a jump entered has the code of [`crate::inner`].
    Region = 2,
    /// Barriers at `key[0]` in the region at `key[1]`: [`barrier`]. `key[2]` is not part of the
    /// key: OMPT's work type of the worksharing construct at whose end the barrier stands, or 0.
    Barrier = 3,
    /// Mutexes asked for at `key[0]` in the region at `key[1]`: [`mutex`]. `key[2]` is not part of
    /// the key: how many of the acquisitions were only counted, so that the sums of the others
    /// stand for them, too.
    Mutex = 4,
    /// `values[0]`: how long `key[0]` waited for a holder that had acquired at `key[1]`.
    Blame = 5,
    /// An initial thread between the regions at `key[0]` and `key[1]`; 0: the thread's end.
    /// [`serial`].
    Serial = 6,
    /// Worksharing at `key[1]` in the region at `key[0]`: executions, iterations, chunks, and how
    /// many executions reported chunks. Iterations are counted once per team, executions and
    /// iterations of `distribute` once per league.
    Work = 7,
    /// Chunks of the worksharing construct at `key[1]` in the region at `key[0]`: [`chunks`].
    /// `key[2]` is not part of the key: the number of the loop's cost curve on the thread, from 1,
    /// or 0.
    Chunks = 8,
    /// Time in which user code in the region at `key[0]` did not compute, or, if that is 0, outside
    /// every region, after the one at `key[1]`: [`scheduler`]. Kept whether events are recorded or
    /// folded.
    Scheduler = 9,
    /// Explicit tasks of the construct at `key[0]` in the region at `key[1]`: [`tasks`]. Kept
    /// whether events are recorded or folded, as the kinds below.
    Tasks = 10,
    /// How many tasks of the construct at `key[0]` in the region at `key[1]` took how long, by
    /// [`tasks::bin`].
    TaskTimes = 11,
    /// The longest chains of tasks in the region at `key[0]`: [`span`].
    Span = 12,
    /// The thread's own part of the loop of static schedule at `key[1]` in the region at `key[0]`:
    /// [`share`]. Kept whether events are recorded or folded.
    Share = 13,
    /// How many outermost regions of the code address `key[0]` were recorded, timed, and only
    /// counted: [`instances`].
    Instances = 14,
    /// The thread's time in short folded regions: [`short`].
    Short = 15,
    /// Constructs of OMPT's target kind `sub` at `key[0]` for the device `key[1]`: [`target`]. Kept
    /// whether events are recorded or folded, as the kinds below.
    Target = 16,
    /// Data that were copied by the construct at `key[0]` to or from the device `key[1]`, as OMPT's
    /// kind of data operation in `sub` says: [`transfer`].
    Transfer = 17,
    /// Data at the host address `key[1]` that the construct at `key[0]` copied although a transfer
    /// before had copied them, in the direction of OMPT's kind of data operation in `sub`:
    /// [`repeated`]. The address 0 stands for those for which there was no room.
    Repeated = 18,
    /// Waits in outermost regions of the code address `key[0]`, or in regions inside others if
    /// `sub` is 1, while tasks were under way, none of them ready: [`starved`].
    Starved = 19,
    /// What the threads of the stream began and ended, counted at each event and apart from all
    /// other sums, which must agree with it: [`counts`].
    Counts = 20,
    /// What the sums leave out, since a table of the collector had no room for it: [`left_out`].
    LeftOut = 21,
    /// By how much the times of the [`FoldKind::Mutex`] entry with the same key may be wrong, if
    /// some of its acquisitions were only counted: [`spread`].
    Spread = 22,
    /// Explicit tasks of the construct at `key[0]` in the region at `key[1]` that are undeferred,
    /// or that outlive their code: [`forms`].
    TaskForms = 23,
    /// Calls of `omp_test_lock`, or of `omp_test_nest_lock` as OMPT's kind of mutex in `sub` says,
    /// at `key[0]` in the region at `key[1]`: [`lock_tests`].
    Tests = 24,
    /// Sinks of the doacross loop nest of the worksharing construct at `key[0]`, in a nest of `sub`
    /// loops, for iterations at the distance that is packed in `key[1]`: [`sinks`]. The `sub` 0
    /// stands for those at all other distances. `key[2]` is not part of the key: the code address
    /// of the region; 0: several regions.
    Sinks = 25,
}

/// The smallest and the largest of some numbers, which are one value of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extremes {
    /// The smallest.
    pub least: u32,
    /// The largest.
    pub most: u32,
}

impl Extremes {
    /// The extremes of no numbers.
    pub const NONE: Self = Self { least: u32::MAX, most: 0 };

    /// The extremes of one number.
    #[must_use]
    pub const fn of(number: u32) -> Self {
        Self { least: number, most: number }
    }

    /// The extremes of the numbers of both.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self { least: self.least.min(other.least), most: self.most.max(other.most) }
    }

    /// As a value: the smallest in the upper half, the largest in the lower.
    #[must_use]
    pub fn packed(self) -> u64 {
        u64::from(self.least) << 32 | u64::from(self.most)
    }

    /// Adds the numbers to a value. The value 0 has no numbers yet: the extremes of any numbers are
    /// not packed to 0.
    pub fn add_to(self, value: &mut u64) {
        let all = if *value == 0 { self } else { self.joined(Self::unpacked(*value)) };
        *value = all.packed();
    }

    /// The extremes that [`Extremes::packed`] has packed.
    #[must_use]
    pub const fn unpacked(value: u64) -> Self {
        Self { least: (value >> 32) as u32, most: value as u32 }
    }
}

/// Positions in a [`FoldKind::Thread`] entry.
pub mod thread {
    /// User code inside regions, tasks included.
    pub const USEFUL: usize = 0;
    /// User code of an initial thread outside every region.
    pub const SERIAL: usize = 1;
    /// Waiting at a barrier for threads that had not arrived.
    pub const IMBALANCE: usize = 2;
    /// At a barrier after the last arrival: the barrier's own cost.
    pub const BARRIER: usize = 3;
    /// Waiting for locks, criticals, ordered and atomic.
    pub const MUTEX: usize = 4;
    /// Waiting in taskwait or at the end of a taskgroup.
    pub const TASKWAIT: usize = 5;
    /// From a fork to the thread's own start, and from the release to the region's end.
    pub const FORK_JOIN: usize = 6;
    /// A worker without work while no region ran.
    pub const SERIAL_IDLE: usize = 7;
    /// A worker without work while a region ran to which it did not belong.
    pub const SPARE_IDLE: usize = 8;
    /// Not a time: the tick up to which the time is in the sums.
    pub const UNTIL: usize = 9;
    /// Not a time: events that no sum shows (regions inside folded ones).
    pub const HIDDEN: usize = 10;
    /// Waiting at a barrier while tasks of the team were under way, none of them ready.
    pub const STARVED: usize = 11;
}

/// Positions in a [`FoldKind::Short`] entry, whose `key[0]` is that of [`FoldKind::Thread`]. The
/// positions from [`thread::USEFUL`] to [`thread::FORK_JOIN`], and [`thread::STARVED`], hold the
/// time in the timed instances of short regions that have other instances which were only counted.
pub mod short {
    /// Time in regions that were only counted.
    pub const COUNTED: usize = 7;
}

/// Positions in a [`FoldKind::Instances`] entry.
pub mod instances {
    /// Instances whose events were recorded and that are in no other sum, before version 1.4.
    pub const RECORDED: usize = 0;
    /// Sum of their times from fork to join, in ticks.
    pub const RECORDED_WALL: usize = 1;
    /// Instances that were timed.
    pub const TIMED: usize = 2;
    /// Sum of their times from fork to join, in ticks.
    pub const TIMED_WALL: usize = 3;
    /// Instances of which only the begin and the end were looked at, by the primary thread.
    pub const COUNTED: usize = 4;
    /// Sum of their times from fork to join, in ticks.
    pub const COUNTED_WALL: usize = 5;
    /// 1: regions began inside of an instance, so that no instance is only counted any more.
    pub const NESTS: usize = 6;
}

/// Positions in a [`FoldKind::Region`] entry. The gains are per instance divided by the team, and
/// by the teams around it.
pub mod region {
    /// How many instances ended.
    pub const CALLS: usize = 0;
    /// Sum of the instances' times from fork to join, in ticks.
    pub const WALL: usize = 1;
    /// [`Extremes`](super::Extremes) of the teams; 0: none yet.
    pub const TEAM: usize = 2;
    /// Instances with a team of one thread.
    pub const SERIALIZED: usize = 3;
    /// Useful time, summed over threads and instances, in ticks.
    pub const USEFUL: usize = 4;
    /// What the threads of an instance computed, divided by the team's size: their useful time
    /// without the time in which they were blocked or lacked a processor; summed over instances, in
    /// ticks. Before version 1.6 that was not taken off, here and in [`MAX_COMPUTED`].
    pub const MEAN_COMPUTED: usize = 5;
    /// What the thread that computed most in an instance has computed, summed over instances, in
    /// ticks.
    pub const MAX_COMPUTED: usize = 6;
    /// Gain: waiting at barriers for threads that had not arrived, without what [`MUTEX`] has of
    /// it.
    pub const IMBALANCE: usize = 7;
    /// Gain: barriers after the last arrival.
    pub const BARRIER: usize = 8;
    /// Gain: by how much sooner the last thread would have arrived at the barriers without waits
    /// for locks, criticals, ordered and atomic.
    pub const MUTEX: usize = 9;
    /// Gain: waiting in taskwait or at the end of a taskgroup.
    pub const TASKWAIT: usize = 10;
    /// Gain: from the fork to each thread's start, and from the release to the join.
    pub const FORK_JOIN: usize = 11;
}

/// Positions in a [`FoldKind::Starved`] entry.
pub mod starved {
    /// Gain of the region: as those of [`super::region`].
    pub const GAIN: usize = 0;
}

/// Positions in a [`FoldKind::Counts`] entry.
pub mod counts {
    /// Regions that began, those that are only counted included.
    pub const REGIONS_BEGUN: usize = 0;
    /// Regions that ended.
    pub const REGIONS_ENDED: usize = 1;
    /// Implicit tasks that began in regions that are timed.
    pub const MEMBERS_BEGUN: usize = 2;
    /// Of those, how many arrived at the end of their region.
    pub const MEMBERS_ARRIVED: usize = 3;
    /// The sizes of the teams of timed regions that ended on the thread, as far as the begin of its
    /// own implicit task told them.
    pub const SIZES: usize = 4;
    /// Explicit tasks that were created, without those of [`super::left_out::TASKS`].
    pub const TASKS_CREATED: usize = 5;
    /// Explicit tasks that ended.
    pub const TASKS_ENDED: usize = 6;
    /// Barriers inside regions that the thread passed.
    pub const BARRIERS: usize = 7;
    /// Mutexes that were acquired.
    pub const ACQUIRED: usize = 8;
    /// Mutexes that were released, by the thread that had acquired them.
    pub const RELEASED: usize = 9;
    /// Worksharing constructs that ended: executions of [`super::FoldKind::Work`].
    pub const WORKS: usize = 10;
    /// The implicit tasks that had arrived in the regions of [`SIZES`], at their ends.
    pub const ARRIVED: usize = 11;
}

/// Positions in a [`FoldKind::LeftOut`] entry.
pub mod left_out {
    /// Mutexes that a thread held besides sixteen others, or of whose release it told so late that
    /// the mutex's next owners are forgotten: the sums have their acquisitions, but not how long
    /// they were held.
    pub const HOLDS: usize = 0;
    /// Acquisitions of mutexes whose holders are not followed, since many others are.
    pub const UNFOLLOWED: usize = 1;
    /// Waits inside too many others: their time counts as that of user code.
    pub const WAITS: usize = 2;
    /// Explicit tasks of which nothing is known, since the creating thread had too many that had
    /// not ended.
    pub const TASKS: usize = 3;
    /// Dependences of tasks that are missing in the longest chains.
    pub const DEPENDENCES: usize = 4;
    /// Executions of loops for whose iterations no costs are kept.
    pub const CURVES: usize = 5;
    /// Worksharing constructs inside too many others, whose iterations are in no sum.
    pub const WORKS: usize = 6;
    /// Explicit tasks that a cancellation discarded: they were created, and never begin.
    pub const DISCARDED: usize = 7;
}

/// Positions in a [`FoldKind::Serial`] entry.
pub mod serial {
    /// How often a thread went from the one region to the other.
    pub const COUNT: usize = 0;
    /// Sum of these stretches, in ticks.
    pub const TIME: usize = 1;
    /// The longest of them, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// The part of their time in which the thread was in constructs for devices, in ticks.
    pub const OFFLOADED: usize = 3;
}

/// Positions in a [`FoldKind::Target`] entry. Times of operations are those for which the
/// encountering thread waited.
pub mod target {
    /// How many constructs ended.
    pub const CALLS: usize = 0;
    /// Sum of their times from begin to end, in ticks.
    pub const TIME: usize = 1;
    /// The longest of them, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// Kernels that the constructs submitted.
    pub const KERNELS: usize = 3;
    /// Sum of the kernels' times, in ticks.
    pub const KERNEL_TIME: usize = 4;
    /// The longest kernel, in ticks; readers take the largest over threads.
    pub const LONGEST_KERNEL: usize = 5;
    /// Sum of the times of transfers to the device, in ticks.
    pub const TO_TIME: usize = 6;
    /// Sum of the times of transfers from the device, in ticks.
    pub const FROM_TIME: usize = 7;
    /// Bytes that were copied to the device.
    pub const TO_BYTES: usize = 8;
    /// Bytes that were copied from the device.
    pub const FROM_BYTES: usize = 9;
    /// [`Extremes`](super::Extremes) of the teams that kernels were asked to have, where 0 leaves
    /// the number to the runtime; without meaning if `KERNELS` is 0.
    pub const TEAMS: usize = 10;
    /// Operations of which only one event was seen: they are in none of the times above.
    pub const UNTIMED: usize = 11;
}

/// Positions in a [`FoldKind::Transfer`] entry.
pub mod transfer {
    /// Transfers that ended.
    pub const COUNT: usize = 0;
    /// Bytes of all of them.
    pub const BYTES: usize = 1;
    /// Sum of their times, in ticks.
    pub const TIME: usize = 2;
    /// The longest, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 3;
    /// Transfers of at most [`SMALL_BYTES`].
    pub const SMALL: usize = 4;
    /// Bytes of the small ones.
    pub const SMALL_BYTES_SUM: usize = 5;
    /// Sum of the times of the small ones, in ticks.
    pub const SMALL_TIME: usize = 6;
    /// Transfers of which only one event was seen: they are in none of the times above.
    pub const UNTIMED: usize = 7;

    /// A transfer of so few bytes is a small one. At 10 to 50 GB/s, the rate of links to devices,
    /// they take 1 to 6 µs, no more than it takes to start a transfer.
    pub const SMALL_BYTES: u64 = 1 << 16;
}

/// Positions in a [`FoldKind::Repeated`] entry.
pub mod repeated {
    /// Transfers that an enclosing construct would save if the host did not need them.
    pub const COUNT: usize = 0;
    /// Bytes of all of them.
    pub const BYTES: usize = 1;
    /// Sum of their times, and of the times in which their memory on the device was allocated and
    /// freed, in ticks.
    pub const TIME: usize = 2;
    /// The bytes of the last one.
    pub const SIZE: usize = 3;
    /// The device's number.
    pub const DEVICE: usize = 4;
    /// Code address of the last transfer before or after that copied the same data.
    pub const OTHER: usize = 5;
}

/// Positions in a [`FoldKind::Barrier`] entry.
pub mod barrier {
    /// How often the thread passed the barrier.
    pub const PASSES: usize = 0;
    /// Waiting for threads that had not arrived, in ticks.
    pub const IMBALANCE: usize = 1;
    /// From the last arrival to the thread's release, in ticks.
    pub const COST: usize = 2;
    /// Waiting while tasks of the team were under way, none of them ready, in ticks.
    pub const STARVED: usize = 3;
}

/// Positions in a [`FoldKind::Mutex`] entry.
pub mod mutex {
    /// How often the thread acquired a mutex at this place.
    pub const ACQUISITIONS: usize = 0;
    /// Acquisitions during whose wait another thread held the mutex.
    pub const CONTENDED: usize = 1;
    /// Sum of the times from request to acquisition, in ticks.
    pub const WAIT: usize = 2;
    /// The longest wait, in ticks; readers take the largest over threads.
    pub const MAX_WAIT: usize = 3;
    /// Sum of the times that mutexes acquired at this place were held, in ticks.
    pub const HOLD: usize = 4;
    /// The longest hold, in ticks; readers take the largest over threads.
    pub const MAX_HOLD: usize = 5;
    /// Part of the wait in which no thread held the mutex, in ticks.
    pub const HANDOFF: usize = 6;
    /// Part of the wait whose holder was no longer known, in ticks.
    pub const UNATTRIBUTED: usize = 7;
    /// Four positions: a set of bits, one of which [`place_of`] gives for each mutex.
    pub const DISTINCT: usize = 8;

    /// In the place of a region's code address: the thread was in a region that is only counted.
    pub const COUNTED_REGION: u64 = 1;

    /// The bit of a mutex: the position of its word among those of [`DISTINCT`], and the bit there.
    #[must_use]
    pub const fn place_of(wait_id: u64) -> (usize, u64) {
        let hash = wait_id.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56;
        ((hash >> 6) as usize, 1 << (hash & 63))
    }

    /// About how many mutexes have set these bits: exactly, as long as they are few.
    #[must_use]
    pub fn distinct(words: [u64; 4]) -> u64 {
        let set: u32 = words.iter().map(|word| word.count_ones()).sum();
        let free = f64::from(256 - set.min(255)) / 256.0;
        (-256.0 * free.ln()).round() as u64
    }
}

/// Positions in a [`FoldKind::TaskForms`] entry.
pub mod forms {
    /// Tasks that are undeferred: the thread that creates one executes it at once.
    pub const UNDEFERRED: usize = 0;
    /// Tasks whose code was over before their event was fulfilled.
    pub const DETACHED: usize = 1;
}

/// Positions in a [`FoldKind::Tests`] entry.
pub mod lock_tests {
    /// Calls that found the lock held by another thread, and after which the thread tested it again
    /// at the same place, unless it had acquired it.
    pub const FAILED: usize = 0;
    /// Sum of the times from the first of such calls to the last one in a row, in ticks.
    pub const TIME: usize = 1;
}

/// Positions in a [`FoldKind::Sinks`] entry, and the distances in its key.
pub mod sinks {
    /// How often a thread met a sink at this distance, whether it had to wait there or not.
    pub const COUNT: usize = 0;
    /// Nests of more loops have no distances.
    pub const LOOPS: usize = 4;

    /// The distance of an iteration from the one that waits for it, in each loop of a nest, as a
    /// key; `None` if it has no room there.
    #[must_use]
    #[inline]
    pub fn packed(steps: &[i64]) -> Option<u64> {
        let bits = bits_of(steps.len())?;
        let mut key = 0_u64;
        for &step in steps {
            let part = shortened(step, bits);
            if extended(part, bits) != step {
                return None;
            }
            key = key.checked_shl(bits).unwrap_or(0) | part;
        }
        Some(key)
    }

    /// The distance that [`packed`] has packed into a key, in a nest of so many loops.
    #[must_use]
    pub fn unpacked(key: u64, loops: usize) -> Option<Vec<i64>> {
        let bits = bits_of(loops)?;
        let parts = (0..loops).rev().map(|place| {
            let part = key >> (place as u32 * bits);
            extended(shortened(part.cast_signed(), bits), bits)
        });
        Some(parts.collect())
    }

    /// The bits of each of so many steps.
    #[inline]
    fn bits_of(loops: usize) -> Option<u32> {
        const BITS: [u32; LOOPS] = [64, 32, 21, 16];
        BITS.get(loops.checked_sub(1)?).copied()
    }

    /// The lowest bits of a number.
    #[inline]
    fn shortened(step: i64, bits: u32) -> u64 {
        step.cast_unsigned() & (u64::MAX >> (u64::BITS - bits))
    }

    /// The number whose lowest `bits` bits are `part`.
    #[inline]
    fn extended(part: u64, bits: u32) -> i64 {
        let above = u64::BITS - bits;
        (part << above).cast_signed() >> above
    }
}

/// Positions in a [`FoldKind::Spread`] entry. A time of t ticks that stands for w of its kind
/// adds w(w − 1)t² to the sum of squares. Such a sum is the variance of the sum of times, as long
/// as it is no larger than the largest number.
pub mod spread {
    /// Sum of squares of the waits.
    pub const WAIT: usize = 0;
    /// Sum of squares of the holds.
    pub const HOLD: usize = 1;
    /// How many acquisitions stand for others.
    pub const TIMED: usize = 2;
}

/// Positions in a [`FoldKind::Chunks`] entry.
pub mod chunks {
    /// How often the thread executed the construct, with at least one chunk.
    pub const EXECUTIONS: usize = 0;
    /// Iterations (sections) in the chunks.
    pub const ITERATIONS: usize = 1;
    /// Chunks handed to the thread.
    pub const CHUNKS: usize = 2;
    /// From the construct's begin to its end on the thread, in ticks.
    pub const TIME: usize = 3;
    /// The longest time of a chunk, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 4;
    /// [`Extremes`](super::Extremes) of the chunks' iterations; 0: none yet.
    pub const SIZES: usize = 5;
    /// Four positions: the time of the chunks in each quarter of the iterations, in ticks, with
    /// what it took to hand out the chunk after each.
    pub const PARTS: usize = 6;
    /// A bound of what handing out the chunks took, in ticks: for each chunk the time until the
    /// next one, but at most 200 ns.
    pub const DISPATCH: usize = 10;
    /// The largest number of iterations of the whole construct; readers take the largest over
    /// threads.
    pub const COUNT: usize = 11;
}

/// Positions in a [`FoldKind::Scheduler`] entry.
pub mod scheduler {
    /// Time in user code in which the thread was ready but had no processor, in ticks.
    pub const TAKEN: usize = 0;
    /// Stretches of user code of which the scheduler took something.
    pub const STRETCHES: usize = 1;
    /// At the end of regions to which the thread came last: by how much the waits of all threads
    /// for the last one would have been shorter without that, in ticks.
    pub const WAITS: usize = 2;
    /// At the end of regions to which the thread came last: by how much the waits of all threads
    /// for the last one would have been longer without that, in ticks.
    pub const HIDDEN_WAITS: usize = 3;
    /// Time in user code in which the thread was not ready, in ticks: it waited in a system call,
    /// or for a page.
    pub const BLOCKED: usize = 4;
    /// Stretches of which the system did not tell the two times apart: they are a guess by the
    /// numbers of context switches.
    pub const GUESSED: usize = 5;
}

/// Positions in a [`FoldKind::Tasks`] entry.
pub mod tasks {
    /// Tasks that ended on the thread.
    pub const COUNT: usize = 0;
    /// Sum of their times, without those in which they waited, in ticks.
    pub const TIME: usize = 1;
    /// The longest time, in ticks; readers take the largest over threads.
    pub const LONGEST: usize = 2;
    /// Sum over the tasks that began on the thread of the times from creation to begin, in ticks.
    pub const QUEUED: usize = 3;
    /// Tasks that began on another thread than the one that created them.
    pub const STOLEN: usize = 4;
    /// The deepest task: children of implicit tasks have depth 1. Readers take the largest.
    pub const DEPTH: usize = 5;
    /// Sum of the short times between the end of a task and the begin of the next one on the same
    /// thread, in ticks: what scheduling a task takes; longer ones are waits for tasks.
    pub const BETWEEN: usize = 6;
    /// How many such times there were.
    pub const GAPS: usize = 7;
    /// Tasks with dependences.
    pub const DEPENDENT: usize = 8;
    /// Sum of the short times from the creation of a task to that of the next one by the same
    /// thread, with no other event of a task in between, in ticks.
    pub const CREATING: usize = 9;
    /// How many such times there were.
    pub const CREATIONS: usize = 10;
    /// Tasks among [`COUNT`] that were only counted: the times are those of the others.
    pub const UNTIMED: usize = 11;

    /// Bins of a [`super::FoldKind::TaskTimes`] entry, each four times as long as the one before;
    /// shorter and longer tasks are in the first and the last.
    pub const BINS: usize = 12;
    /// Binary logarithm of the ticks at which the second bin begins.
    pub const FIRST: u32 = 8;

    /// The bin of a task that took so many ticks.
    #[must_use]
    pub const fn bin(ticks: u64) -> usize {
        let bin = match ticks.checked_ilog2() {
            Some(exponent) if exponent >= FIRST => (exponent - FIRST) as usize / 2 + 1,
            _ => 0,
        };
        if bin < BINS { bin } else { BINS - 1 }
    }
}

/// Positions in a [`FoldKind::Span`] entry.
pub mod span {
    /// Regions in which tasks were created.
    pub const REGIONS: usize = 0;
    /// Sum over them of the longest chain: of tasks by creation, dependence and waiting for
    /// children, without the time in which they waited, in ticks.
    pub const SPAN: usize = 1;
    /// Sum of their times from fork to join, in ticks.
    pub const WALL: usize = 2;
}

/// Positions in a [`FoldKind::Share`] entry.
pub mod share {
    /// Executions of the loop in which the thread had the part that the next three describe.
    pub const EXECUTIONS: usize = 0;
    /// The first iteration of the thread's first chunk.
    pub const START: usize = 1;
    /// Iterations of all its chunks in one execution.
    pub const ITERATIONS: usize = 2;
    /// Its chunks in one execution.
    pub const CHUNKS: usize = 3;
    /// Sum of the times of those executions, in ticks.
    pub const TIME: usize = 4;
    /// The shortest of them, in ticks; 0: none.
    pub const SHORTEST: usize = 5;
    /// The longest of them, in ticks.
    pub const LONGEST: usize = 6;
    /// Iterations of the whole loop.
    pub const COUNT: usize = 7;
    /// Executions in which the thread had another part.
    pub const OTHERS: usize = 8;
}

impl FoldKind {
    /// Every kind, by number.
    pub const ALL: [FoldKind; 25] = [
        FoldKind::Thread,
        FoldKind::Region,
        FoldKind::Barrier,
        FoldKind::Mutex,
        FoldKind::Blame,
        FoldKind::Serial,
        FoldKind::Work,
        FoldKind::Chunks,
        FoldKind::Scheduler,
        FoldKind::Tasks,
        FoldKind::TaskTimes,
        FoldKind::Span,
        FoldKind::Share,
        FoldKind::Instances,
        FoldKind::Short,
        FoldKind::Target,
        FoldKind::Transfer,
        FoldKind::Repeated,
        FoldKind::Starved,
        FoldKind::Counts,
        FoldKind::LeftOut,
        FoldKind::Spread,
        FoldKind::TaskForms,
        FoldKind::Tests,
        FoldKind::Sinks,
    ];
}

impl FoldEntry {
    /// The kind of the entry; `None` if this version does not know its number.
    #[must_use]
    pub fn fold_kind(&self) -> Option<FoldKind> {
        let index = usize::try_from(self.kind).ok()?.checked_sub(1)?;
        FoldKind::ALL.get(index).copied()
    }

    /// The entries in use in a chunk's payload.
    pub(crate) fn read_all(payload: &[u8]) -> impl Iterator<Item = Self> + '_ {
        payload.chunks_exact(ENTRY_SIZE).map(Self::decode).filter(|entry| entry.kind != 0)
    }

    fn decode(bytes: &[u8]) -> Self {
        let mut entry = Self { kind: u32_at(bytes, 0), sub: u32_at(bytes, 4), ..Self::default() };
        for (index, key) in entry.key.iter_mut().enumerate() {
            *key = u64_at(bytes, 8 + index * 8);
        }
        for (index, value) in entry.values.iter_mut().enumerate() {
            *value = u64_at(bytes, 32 + index * 8);
        }
        entry
    }
}

#[cfg(test)]
mod tests {
    use super::{Extremes, sinks};

    #[test]
    fn distances_are_kept_in_a_key_as_far_as_they_have_room() {
        let short = i64::from(i16::MIN);
        for steps in [
            &[-1][..],
            &[i64::MIN],
            &[i64::MAX],
            &[-1, 0],
            &[0, -1],
            &[i64::from(i32::MIN), i64::from(i32::MAX)],
            &[-1, 1, 0],
            &[short, -1, 0, 32_767],
        ] {
            let key = sinks::packed(steps).expect("it has room");
            assert_eq!(sinks::unpacked(key, steps.len()).as_deref(), Some(steps));
        }
        for steps in [&[][..], &[0; 5], &[1 << 31, 0], &[0, -(1 << 31) - 1], &[short - 1, 0, 0, 0]]
        {
            assert_eq!(sinks::packed(steps), None, "{steps:?}");
        }
        assert_eq!(sinks::unpacked(0, 0), None);
        assert_eq!(sinks::unpacked(0, 5), None);
    }

    #[test]
    fn extremes_are_the_least_and_the_largest_in_one_value() {
        let sizes = [4, 0, u32::MAX, 7].map(Extremes::of);
        let all = sizes.into_iter().fold(Extremes::NONE, Extremes::joined);
        assert_eq!(all, Extremes { least: 0, most: u32::MAX });
        assert_eq!(Extremes { least: 2, most: 5 }.packed(), 0x2_0000_0005);
        for one in [all, Extremes::NONE, Extremes { least: 2, most: 5 }] {
            assert_eq!(Extremes::unpacked(one.packed()), one);
        }
        let mut value = 0;
        for size in [4, 2, 7] {
            Extremes::of(size).add_to(&mut value);
        }
        assert_eq!(Extremes::unpacked(value), Extremes { least: 2, most: 7 });
    }
}
