//! The table of the 2015 report's events: which row a number finds, and what `ompt_set_callback`
//! answers by it.

use oxomp_sys::report_2015::{Class, EventRow, SetResult, ompt_event_t, ompt_state_t};

#[test]
fn every_number_of_an_event_finds_its_row() {
    for (event, name) in ompt_event_t::NAMES {
        let row = EventRow::of(*event).expect("an event has a row");
        let c_name = format!("ompt_event_{}", row.name);
        assert_eq!((row.event, Some(c_name.as_str())), (*event, name.to_str().ok()));
    }
    for code in [i32::MIN, -1, 0, 64, 71, 72, i32::MAX] {
        assert_eq!(EventRow::of(ompt_event_t(code)), None);
    }
}

#[test]
fn classes_are_those_of_the_report() {
    for row in EventRow::ALL {
        let class = match row.event.0 {
            1..=8 | 62 | 63 => Class::Mandatory,
            9..=21 => Class::BlameShifting,
            _ => Class::Instrumentation,
        };
        assert_eq!(row.class, class, "{}", row.name);
    }
}

#[test]
fn the_answer_is_always_for_all_but_a_few() {
    use ompt_event_t as E;
    for row in EventRow::ALL {
        let answer = match row.event {
            // Only some implementations of atomics wait, and only some blockings are known.
            E::RELEASE_ATOMIC | E::WAIT_ATOMIC | E::ACQUIRED_ATOMIC | E::TASK_DEPENDENCE_PAIR => {
                SetResult::CONVENIENT
            }
            // Compilers make code of their own of some static loops, and gcc of master and flush.
            E::LOOP_BEGIN | E::LOOP_END | E::MASTER_BEGIN | E::MASTER_END | E::FLUSH => {
                SetResult::CONVENIENT
            }
            // No compiler calls the runtime for workshare; the host maps nothing.
            E::WORKSHARE_BEGIN
            | E::WORKSHARE_END
            | E::TARGET_DATA_MAP_BEGIN
            | E::TARGET_DATA_MAP_END => SetResult::NEVER,
            _ => SetResult::ALWAYS,
        };
        assert_eq!(row.answer, answer, "{}", row.name);
    }
}

#[test]
fn states_are_named_in_the_order_of_their_numbers() {
    assert!(ompt_state_t::NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert_eq!(ompt_state_t::NAMES.len(), 19);
    assert_eq!(ompt_state_t::FIRST.name(), None);
}
