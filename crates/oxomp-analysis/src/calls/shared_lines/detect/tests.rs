use super::{DetectedLine, InstructionUse, LineAccess, SampledAccesses, detect, in_lines};
use crate::summary::LineSharing;

/// A load and a store at bytes of the line `line`, as `sum[i] += …` has them; the sample is at the
/// load.
fn update(tick: u64, tid: u32, execution: u64, line: u64, begin: u32) -> SampledAccesses {
    let bytes = 0xff << begin;
    let one = |instruction, writes, is_near| LineAccess {
        instruction,
        line,
        bytes,
        writes,
        is_atomic: false,
        is_near,
        is_certain: true,
    };
    let accesses = vec![one(0x10, false, true), one(0x18, true, false)];
    SampledAccesses { tick, tid, execution, stretch: execution, weight: 1, accesses }
}

/// Each line that is found, and how it is shared.
fn found(samples: &[SampledAccesses]) -> Vec<(u64, LineSharing)> {
    let lines = detect(samples).into_iter();
    lines.map(|one| (one.line, one.sharing)).collect()
}

/// A number for each sample that looks like chance.
fn chance(tick: u64) -> u64 {
    let mixed = (tick + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb) >> 40
}

#[test]
fn counters_side_by_side_are_neighbours() {
    let samples: Vec<SampledAccesses> = (0..60)
        .map(|tick| update(tick, (tick % 3) as u32, 7, 5, 8 * (tick % 3) as u32 + 16))
        .collect();
    let [line] = detect(&samples).try_into().expect("one line");
    let load = InstructionUse { samples: 60, writes: false };
    let store = InstructionUse { samples: 0, writes: true };
    let instructions = [(0x10, load), (0x18, store)].into();
    let expected = DetectedLine {
        line: 5,
        sharing: LineSharing::Neighbours(8),
        tids: [0, 1, 2].into(),
        first: 16,
        instructions,
        near: (0..60).collect(),
    };
    assert_eq!(line, expected);
}

#[test]
fn one_counter_of_all_is_a_variable() {
    let samples: Vec<SampledAccesses> =
        (0..60).map(|tick| update(tick, (tick % 2) as u32, 7, 5, 8)).collect();
    assert_eq!(found(&samples), [(5, LineSharing::Variable)]);
}

#[test]
fn counters_in_lines_of_their_own_are_not_shared() {
    let samples: Vec<SampledAccesses> =
        (0..60).map(|tick| update(tick, (tick % 2) as u32, 7, tick % 2, 0)).collect();
    assert_eq!(found(&samples), []);
}

#[test]
fn what_is_only_read_is_not_shared() {
    let mut samples: Vec<SampledAccesses> =
        (0..60).map(|tick| update(tick, (tick % 2) as u32, 7, 5, 8)).collect();
    for sample in &mut samples {
        sample.accesses.retain(|one| !one.writes);
    }
    assert_eq!(found(&samples), []);
    // One thread writes beside what the other one reads.
    for sample in samples.iter_mut().filter(|sample| sample.tid == 1) {
        for one in &mut sample.accesses {
            (one.writes, one.bytes) = (true, 0xff << 32);
        }
    }
    assert_eq!(found(&samples), [(5, LineSharing::Neighbours(24))]);
}

#[test]
fn threads_that_walk_over_an_array_share_no_line_of_it() {
    // Two threads have halves of 64 elements, which begin in the middle of a line.
    let samples: Vec<SampledAccesses> = (0..4000)
        .map(|tick| {
            let thread = tick % 2;
            let element = 4 + 32 * thread + chance(tick) % 32;
            update(tick, thread as u32, tick / 100, element / 8, 8 * (element % 8) as u32)
        })
        .collect();
    assert_eq!(found(&samples), [], "each thread has 32 elements");
    // Where each thread takes the next element from a common counter, it is the same.
    let samples: Vec<SampledAccesses> = (0..4000)
        .map(|tick| {
            let element = chance(tick) % 64;
            update(tick, (tick % 2) as u32, tick / 64, element / 8, 8 * (element % 8) as u32)
        })
        .collect();
    assert_eq!(found(&samples), []);
}

#[test]
fn rows_of_threads_that_meet_in_lines_are_neighbours() {
    // Each thread has a row of eight elements from the middle of a line on.
    let samples: Vec<SampledAccesses> = (0..400)
        .map(|tick| {
            let element = 4 + 8 * (tick % 2) + chance(tick) % 8;
            update(tick, (tick % 2) as u32, 1, element / 8, 8 * (element % 8) as u32)
        })
        .collect();
    let lines: Vec<u64> = found(&samples).into_iter().map(|(line, _)| line).collect();
    assert_eq!(lines, [1], "the others have one thread");
}

#[test]
fn a_line_that_goes_from_thread_to_thread_is_not_shared_at_a_time() {
    // Each thread has it for ten samples, all of one execution.
    let samples: Vec<SampledAccesses> =
        (0..400).map(|tick| update(tick, (tick / 10 % 2) as u32, 1, 5, 8)).collect();
    assert_eq!(found(&samples), []);
    // In each execution another thread has it, as chance decides.
    let samples: Vec<SampledAccesses> =
        (0..400).map(|tick| update(tick, (chance(tick) % 2) as u32, 1 + tick, 5, 8)).collect();
    assert_eq!(found(&samples), []);
}

#[test]
fn threads_with_bytes_of_their_own_meet_in_short_executions_too() {
    let samples: Vec<SampledAccesses> = (0..400)
        .map(|tick| update(tick, (tick % 2) as u32, 1 + tick, 5, 8 * (tick % 2) as u32))
        .collect();
    assert_eq!(found(&samples), [(5, LineSharing::Neighbours(8))]);
}

#[test]
fn few_samples_say_nothing() {
    let samples: Vec<SampledAccesses> =
        (0..7).map(|tick| update(tick, (tick % 2) as u32, 7, 5, 8 * (tick % 2) as u32)).collect();
    assert_eq!(found(&samples), [], "one thread has three");
    assert_eq!(found(&[]), []);
}

#[test]
fn a_writer_of_now_and_then_makes_no_shared_line() {
    let samples: Vec<SampledAccesses> = (0..800)
        .map(|tick| {
            let mut sample = update(tick, (tick % 8) as u32, 7, 5, 8);
            let is_writer = sample.tid == 0 && tick % 160 == 0;
            sample.accesses.retain(|one| !one.writes || is_writer);
            sample
        })
        .collect();
    assert_eq!(found(&samples), []);
}

#[test]
fn atomic_updates_of_one_variable_are_told_of_elsewhere() {
    let mut samples: Vec<SampledAccesses> =
        (0..60).map(|tick| update(tick, (tick % 2) as u32, 7, 5, 8)).collect();
    for one in samples.iter_mut().flat_map(|sample| &mut sample.accesses) {
        one.is_atomic = one.writes;
    }
    assert_eq!(found(&samples), []);
    // A plain variable beside it suffers from the updates.
    for one in samples.iter_mut().filter(|it| it.tid == 1).flat_map(|it| &mut it.accesses) {
        *one = LineAccess { bytes: 0xff << 16, writes: false, is_atomic: false, ..*one };
    }
    let [line] = detect(&samples).try_into().expect("one line");
    assert_eq!((line.sharing), (LineSharing::Neighbours(8)));
}

#[test]
fn long_steps_at_elements_of_one_line_are_neighbours() {
    // A thread is at an element for five samples, while the other one is at the next.
    let samples: Vec<SampledAccesses> = (0..960)
        .map(|tick| {
            let element = tick / 10 % 64 / 2 * 2 + tick % 2;
            update(tick, (tick % 2) as u32, 1, element / 8, 8 * (element % 8) as u32)
        })
        .collect();
    let lines = found(&samples);
    let all: Vec<_> = (0..8).map(|line| (line, LineSharing::Neighbours(8))).collect();
    assert_eq!(lines, all);
}

#[test]
fn what_may_have_been_executed_stands_for_time_only() {
    let mut samples: Vec<SampledAccesses> =
        (0..60).map(|tick| update(tick, (tick % 2) as u32, 7, 5, 8 * (tick % 2) as u32)).collect();
    let behind = |tick: u64| {
        let mut sample = update(tick, (tick % 2) as u32, 7, 5, 16);
        sample.accesses.truncate(1);
        sample.accesses[0].is_certain = false;
        sample
    };
    samples.extend((60..80).map(behind));
    let [line] = detect(&samples).try_into().expect("one line");
    assert_eq!((line.sharing, line.near.len()), (LineSharing::Neighbours(8), 80));
    assert_eq!(found(&samples[60..]), []);
}

#[test]
fn what_crosses_lines_is_in_each() {
    let lines = |address, bytes| in_lines(address, bytes).collect::<Vec<_>>();
    assert_eq!(lines(64 * 5 + 8, 4), [(5, 0xf00)]);
    assert_eq!(lines(64 * 5, 64), [(5, u64::MAX)]);
    assert_eq!(lines(64 * 5 + 60, 8), [(5, 0xf << 60), (6, 0xf)]);
    assert_eq!(lines(64 * 5 + 63, 66), [(5, 1 << 63), (6, u64::MAX), (7, 1)]);
    // Registers of damaged recordings may hold anything.
    assert_eq!(lines(u64::MAX - 3, 8), [(u64::MAX / 64, 0xf << 60)]);
    assert_eq!(lines(0, 0), [(0, 1)]);
    assert_eq!(lines(0, u32::MAX).len(), 3);
}

#[test]
fn threads_in_turns_between_barriers_do_not_meet() {
    // Two samples from one barrier to the next, all of one thread: as many changes as by chance.
    let in_turns: Vec<SampledAccesses> = (0..400)
        .map(|tick| {
            let stretch = 1 + tick / 2;
            SampledAccesses { stretch, ..update(tick, (stretch % 2) as u32, 7, 5, 8) }
        })
        .collect();
    assert_eq!(found(&in_turns), []);
    let meeting: Vec<SampledAccesses> = (0..400)
        .map(|tick| SampledAccesses {
            stretch: 1 + tick / 4,
            ..update(tick, (tick / 2 % 2) as u32, 7, 5, 8)
        })
        .collect();
    assert_eq!(found(&meeting), [(5, LineSharing::Variable)]);
}
