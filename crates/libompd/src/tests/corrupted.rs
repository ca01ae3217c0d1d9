//! Corrupted memory, callbacks that fail, and no memory: each question gets an answer, in a bounded
//! number of steps, and nothing leaks.

use oxomp_sys::ompd::ompd_rc_t;
use proptest::prelude::{Strategy, any, prop_assert, prop_oneof, proptest};
use proptest::sample::{Index, select};
use proptest::test_runner::Config;

use super::api::ompd_process_initialize;
use super::debugger::{Debugger, LEFT, VERSION, ask, context, process};
use super::everything::ask_everything;
use super::image::{Image, TABLE};
use super::machines::MACHINES;
use super::program::Program;

/// Far more reads than all questions take of a sound image.
const MOST_READS: usize = 20_000_000;

#[test]
fn a_sound_process_answers() {
    for debug in [true, false] {
        let debugger = Debugger::start(Program::new(debug).image);
        let answers = ask_everything(&debugger).0;
        for impossible in [ompd_rc_t::ERROR, ompd_rc_t::CALLBACK_ERROR, ompd_rc_t::UNSUPPORTED] {
            assert!(!answers.contains(&impossible), "{impossible:?}");
        }
        assert!(answers.iter().filter(|answer| **answer == ompd_rc_t::OK).count() > 100);
        assert_eq!(debugger.held(), 0);
    }
}

/// Every read fails once.
#[test]
fn a_read_that_fails_is_an_answer() {
    let debugger = Debugger::start(Program::new(true).image);
    let sound = ask_everything(&debugger);
    let reads = debugger.debuggee.reads.get();
    // Each run makes all calls: a step that has no divisor with the number of reads in a call meets
    // every place.
    for failing in (0..reads).step_by(997) {
        debugger.debuggee.reads.set(0);
        debugger.debuggee.fails_at.set(Some(failing));
        let answers = ask_everything(&debugger);
        assert!(failing == 0 || answers != sound || failing >= debugger.debuggee.reads.get());
        assert!(answers.0.contains(&ompd_rc_t::CALLBACK_ERROR), "read {failing}");
        assert_eq!(debugger.held(), 0);
    }
}

/// Each read of the table fails once: there is no handle then, and no memory is left.
#[test]
fn a_process_that_cannot_be_read_is_not_opened() {
    let debugger = Debugger::start(Program::new(true).image);
    let reads = debugger.debuggee.reads.get();
    assert!(reads >= 2, "a header and a table are read");
    let other = process(Program::new(true).image);
    for failing in 0..reads {
        other.reads.set(0);
        other.fails_at.set(Some(failing));
        let opened = ask(|place| ompd_process_initialize(context(&other), place));
        assert_eq!(opened, Err(ompd_rc_t::CALLBACK_ERROR), "read {failing}");
        assert_eq!(debugger.held(), 0);
    }
}

/// A debugger of 5.0 knows no `callback_error`.
#[test]
fn the_code_of_a_failure_is_one_of_the_debuggers_version() {
    let started = Debugger::try_start(Program::new(true).image, 201_811);
    let debugger = started.expect("the image is a process on the runtime");
    debugger.debuggee.reads.set(0);
    debugger.debuggee.fails_at.set(Some(0));
    let answers = ask_everything(&debugger).0;
    assert!(answers.contains(&ompd_rc_t::ERROR));
    assert!(!answers.contains(&ompd_rc_t::CALLBACK_ERROR));
}

#[test]
fn a_debugger_without_memory_is_told_so() {
    let debugger = Debugger::start(Program::new(true).image);
    for left in 0..200 {
        LEFT.set(left);
        let answers = ask_everything(&debugger).0;
        assert!(answers.contains(&ompd_rc_t::NOMEM), "{left} allocations");
        LEFT.set(usize::MAX);
        assert_eq!(debugger.held(), 0);
    }
}

/// A change of an image.
#[derive(Clone, Debug)]
enum Damage {
    /// A word of a piece gets a value.
    Word { piece: Index, word: Index, value: u64 },
    /// A word of a piece gets the address of another piece.
    Leads { piece: Index, word: Index, to: Index },
    /// A piece loses its end.
    Cut { piece: Index, length: Index },
    /// A piece cannot be read.
    Gone { piece: Index },
}

fn damage() -> impl Strategy<Value = Damage> {
    let index = any::<Index>;
    let value = prop_oneof![
        any::<u64>(),
        0..10_u64,
        (0..64_u32).prop_map(|bit| 1 << bit),
        (0..64_u32).prop_map(|bit| u64::MAX >> bit),
    ];
    prop_oneof![
        4 => (index(), index(), value)
            .prop_map(|(piece, word, value)| Damage::Word { piece, word, value }),
        4 => (index(), index(), index())
            .prop_map(|(piece, word, to)| Damage::Leads { piece, word, to }),
        1 => (index(), index()).prop_map(|(piece, length)| Damage::Cut { piece, length }),
        1 => index().prop_map(|piece| Damage::Gone { piece }),
    ]
}

impl Damage {
    fn apply(&self, image: &mut Image, spare: Option<u64>) {
        let addresses: Vec<u64> =
            image.pieces.keys().copied().filter(|at| Some(*at) != spare).collect();
        if addresses.is_empty() {
            return;
        }
        let set = |image: &mut Image, piece: &Index, word: &Index, value: u64| {
            let piece = image.pieces.get_mut(piece.get(&addresses)).expect("a piece");
            if let Some(words) = piece.len().checked_div(8).filter(|words| *words > 0) {
                let at = word.index(words) * 8;
                piece[at..at + 8].copy_from_slice(&value.to_ne_bytes());
            }
        };
        match self {
            Damage::Word { piece, word, value } => set(image, piece, word, *value),
            Damage::Leads { piece, word, to } => set(image, piece, word, *to.get(&addresses)),
            Damage::Cut { piece, length } => {
                let piece = image.pieces.get_mut(piece.get(&addresses)).expect("a piece");
                piece.truncate(length.index(piece.len() + 1));
            }
            Damage::Gone { piece } => _ = image.pieces.remove(piece.get(&addresses)),
        }
    }
}

proptest! {
    #![proptest_config(Config { cases: 96, failure_persistence: None, ..Config::default() })]

    /// The objects are corrupted, and the table is not.
    #[test]
    fn a_corrupted_process_answers(
        machine in select(&MACHINES[..]),
        debug in any::<bool>(),
        damages in proptest::collection::vec(damage(), 1..24),
    ) {
        let mut debugger = Debugger::start(Program::on(machine, debug).image);
        for damage in &damages {
            damage.apply(&mut debugger.debuggee.image, Some(TABLE));
        }
        debugger.debuggee.reads.set(0);
        ask_everything(&debugger);
        prop_assert!(debugger.debuggee.reads.get() < MOST_READS);
        prop_assert!(debugger.held() == 0);
    }

    /// The process was corrupted before the debugger came, the table too.
    #[test]
    fn a_corrupted_table_is_refused_or_read(
        machine in select(&MACHINES[..]),
        damages in proptest::collection::vec(damage(), 1..24),
    ) {
        let mut image = Program::on(machine, true).image;
        for damage in &damages {
            damage.apply(&mut image, None);
        }
        match Debugger::try_start(image, VERSION) {
            Ok(debugger) => {
                ask_everything(&debugger);
                prop_assert!(debugger.debuggee.reads.get() < MOST_READS);
                prop_assert!(debugger.held() == 0);
            }
            Err(code) => prop_assert!(
                [ompd_rc_t::INCOMPATIBLE, ompd_rc_t::ERROR, ompd_rc_t::CALLBACK_ERROR].contains(&code)
            ),
        }
    }
}
