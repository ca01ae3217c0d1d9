//! The table of events: which row a number finds, and what `ompt_set_callback` answers by it.

use oxomp_sys::ompt::{Duty, Ends, EventRow, Raised, ompt_callbacks_t, ompt_set_result_t};

#[test]
fn every_number_of_an_event_finds_its_row() {
    for (event, name) in ompt_callbacks_t::NAMES {
        let row = EventRow::of(*event).expect("an event has a row");
        let c_name = format!("ompt_callback_{}", row.name);
        assert_eq!((row.event, Some(c_name.as_str())), (*event, name.to_str().ok()));
    }
    let behind = EventRow::ALL.len() as i32 + 1;
    for code in [i32::MIN, -1, 0, behind, 63, 64, i32::MAX] {
        assert_eq!(EventRow::of(ompt_callbacks_t(code)), None);
    }
}

#[test]
fn what_the_specification_demands_is_answered_with_always() {
    use ompt_callbacks_t as E;
    let demanded = [
        E::THREAD_BEGIN,
        E::THREAD_END,
        E::PARALLEL_BEGIN,
        E::PARALLEL_END,
        E::TASK_CREATE,
        E::TASK_SCHEDULE,
        E::IMPLICIT_TASK,
        E::TARGET,
        E::TARGET_EMI,
        E::TARGET_DATA_OP,
        E::TARGET_DATA_OP_EMI,
        E::TARGET_SUBMIT,
        E::TARGET_SUBMIT_EMI,
        E::CONTROL_TOOL,
        E::DEVICE_INITIALIZE,
        E::DEVICE_FINALIZE,
        E::DEVICE_LOAD,
        E::DEVICE_UNLOAD,
        E::ERROR,
    ];
    for row in EventRow::ALL {
        let is_demanded = demanded.contains(&row.event);
        assert_eq!(row.duty == Duty::Mandatory, is_demanded, "{}", row.name);
        if is_demanded {
            assert_eq!(row.answer(), ompt_set_result_t::ALWAYS, "{}", row.name);
        }
    }
}

#[test]
fn another_event_is_answered_by_what_is_raised_for_both_families() {
    use Raised::{Always, Never, Sometimes};
    let flush = *EventRow::of(ompt_callbacks_t::FLUSH).expect("an event has a row");
    assert_eq!(flush.duty, Duty::Optional);
    let answer = |clang, gcc, ends| EventRow { ends, clang, gcc, ..flush }.answer();
    for (clang, gcc, point, region) in [
        (Always, Always, ompt_set_result_t::ALWAYS, ompt_set_result_t::ALWAYS),
        (Never, Never, ompt_set_result_t::NEVER, ompt_set_result_t::NEVER),
        (Always, Never, ompt_set_result_t::SOMETIMES, ompt_set_result_t::SOMETIMES_PAIRED),
        (Sometimes, Always, ompt_set_result_t::SOMETIMES, ompt_set_result_t::SOMETIMES_PAIRED),
        (Never, Sometimes, ompt_set_result_t::SOMETIMES, ompt_set_result_t::SOMETIMES_PAIRED),
    ] {
        assert_eq!(answer(clang, gcc, Ends::Point), point, "{clang:?} {gcc:?}");
        assert_eq!(answer(clang, gcc, Ends::Region), region, "{clang:?} {gcc:?}");
    }
}
