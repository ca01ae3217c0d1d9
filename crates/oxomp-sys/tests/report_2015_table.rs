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
fn few_events_are_reported_where_that_is_convenient() {
    let convenient: Vec<_> = EventRow::ALL
        .iter()
        .filter(|row| row.answer == SetResult::CONVENIENT)
        .map(|row| row.event)
        .collect();
    use ompt_event_t as E;
    let expected = [
        E::RELEASE_ATOMIC,
        E::WAIT_ATOMIC,
        E::ACQUIRED_ATOMIC,
        E::TARGET_DATA_MAP_BEGIN,
        E::TARGET_DATA_MAP_END,
        E::TASK_DEPENDENCE_PAIR,
    ];
    assert_eq!(convenient, expected);
    let others = EventRow::ALL.iter().filter(|row| !convenient.contains(&row.event));
    assert!(others.clone().count() == 63);
    for row in others {
        assert_eq!(row.answer, SetResult::ALWAYS, "{}", row.name);
    }
}

#[test]
fn states_are_named_in_the_order_of_their_numbers() {
    assert!(ompt_state_t::NAMES.windows(2).all(|pair| pair[0].0 < pair[1].0));
    assert_eq!(ompt_state_t::NAMES.len(), 19);
    assert_eq!(ompt_state_t::FIRST.name(), None);
}
