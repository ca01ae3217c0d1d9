//! What a tool has asked a device to record, and the answers to the tool.

use core::ffi::{c_int, c_uint};

use oxomp_sys::ompt::{
    ompt_callbacks_t as E, ompt_native_mon_flag_t as Flag, ompt_set_result_t as Answer,
};
use oxomp_sys::report_2015::{EventRow, SetResult, ompt_event_t};

/// The events of OpenMP 5 and 6 whose records a device makes, in pairs: the event without
/// endpoints, and the event with them. The records of both are alike.
const EVENTS_5X: [(E, E); 4] = [
    (E::TARGET, E::TARGET_EMI),
    (E::TARGET_DATA_OP, E::TARGET_DATA_OP_EMI),
    (E::TARGET_SUBMIT, E::TARGET_SUBMIT_EMI),
    (E::TARGET_MAP, E::TARGET_MAP_EMI),
];

/// The events of the 2015 report whose records a device makes: those with a structure in the
/// union of records.
const EVENTS_2015: [ompt_event_t; 2] =
    [ompt_event_t::TARGET_TASK_END, ompt_event_t::TARGET_DATA_END];

/// The flags for which a device has native records.
const NATIVE: Flag = Flag(
    Flag::DATA_MOTION_EXPLICIT.0
        | Flag::DATA_MOTION_IMPLICIT.0
        | Flag::KERNEL_INVOCATION.0
        | Flag::KERNEL_EXECUTION.0
        | Flag::DRIVER.0
        | Flag::RUNTIME.0
        | Flag::OVERHEAD.0,
);

/// What is to be recorded: a bit for each event of 5.x, by its number, for each event of the 2015
/// report, and for each flag.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Selection {
    events: u64,
    events_2015: u64,
    native: c_uint,
}

fn bit_5x(event: E) -> u64 {
    1 << event.0
}

/// The bit of an event of the 2015 report whose records a device makes.
fn bit_2015(event: ompt_event_t) -> u64 {
    EVENTS_2015.iter().position(|it| *it == event).map_or(0, |index| 1 << index)
}

fn set(bits: &mut u64, some: u64, is_set: bool) {
    *bits = if is_set { *bits | some } else { *bits & !some };
}

impl Selection {
    /// Whether nothing is to be recorded.
    pub(super) fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// `ompt_set_trace_ompt`.
    pub(super) fn set_5x(&mut self, is_set: bool, event: c_uint) -> Answer {
        let all = EVENTS_5X.iter().fold(0, |all, (a, b)| all | bit_5x(*a) | bit_5x(*b));
        let Ok(number) = c_int::try_from(event) else { return Answer::ERROR };
        let event = E(number);
        match event {
            E(0) => {
                set(&mut self.events, all, is_set);
                // Kernels have parallel regions, of which the host's callbacks tell.
                Answer::SOMETIMES
            }
            E(1..=63) if all & bit_5x(event) != 0 => {
                set(&mut self.events, bit_5x(event), is_set);
                Answer::ALWAYS
            }
            E::DEVICE_INITIALIZE | E::DEVICE_FINALIZE | E::DEVICE_LOAD | E::DEVICE_UNLOAD => {
                Answer::NEVER
            }
            E::CONTROL_TOOL => Answer::NEVER,
            E(1..=37) => Answer::IMPOSSIBLE,
            _ => Answer::ERROR,
        }
    }

    /// `ompt_target_set_trace_ompt`.
    pub(super) fn set_2015(&mut self, is_set: bool, event: ompt_event_t) -> SetResult {
        let all = EVENTS_2015.iter().fold(0, |all, it| all | bit_2015(*it));
        if event.0 == 0 {
            set(&mut self.events_2015, all, is_set);
            return SetResult::CONVENIENT;
        }
        if EventRow::of(event).is_none() {
            return SetResult::ERROR;
        }
        match bit_2015(event) {
            0 => SetResult::IMPOSSIBLE,
            bit => {
                set(&mut self.events_2015, bit, is_set);
                SetResult::ALWAYS
            }
        }
    }

    /// `ompt_set_trace_native`. A flag that no version of OpenMP defines is treated like idleness,
    /// as a kind of records that the device does not make: a tool may name all kinds by a mask of
    /// ones.
    pub(super) fn set_native_5x(&mut self, is_set: bool, flags: c_uint) -> Answer {
        if flags == 0 {
            return Answer::ERROR;
        }
        self.set_native(is_set, flags);
        match flags & NATIVE.0 {
            0 => Answer::IMPOSSIBLE,
            possible if possible == flags => Answer::ALWAYS,
            _ => Answer::SOMETIMES,
        }
    }

    /// `ompt_target_set_trace_native`.
    pub(super) fn set_native_2015(&mut self, is_set: bool, flags: c_uint) -> SetResult {
        match self.set_native_5x(is_set, flags) {
            Answer::ALWAYS => SetResult::ALWAYS,
            Answer::SOMETIMES => SetResult::CONVENIENT,
            Answer::IMPOSSIBLE => SetResult::IMPOSSIBLE,
            _ => SetResult::ERROR,
        }
    }

    fn set_native(&mut self, is_set: bool, flags: c_uint) {
        let flags = flags & NATIVE.0;
        self.native = if is_set { self.native | flags } else { self.native & !flags };
    }

    /// Whether native records for a flag are to be made.
    pub(super) fn has_native(self, flag: Flag) -> bool {
        self.native & flag.0 != 0
    }

    /// The number that the record of an event gets: the number of the event without endpoints,
    /// unless the tool has asked only for the event with them; `None` if the tool has asked for
    /// neither.
    pub(super) fn number_5x(self, event: E) -> Option<u32> {
        let (plain, emi) = EVENTS_5X.into_iter().find(|(plain, _)| *plain == event)?;
        let chosen = [plain, emi].into_iter().find(|it| self.events & bit_5x(*it) != 0)?;
        Some(chosen.0 as u32)
    }

    /// The number that the record of an event of the 2015 report gets; `None` if the tool has not
    /// asked for the event.
    pub(super) fn number_2015(self, event: ompt_event_t) -> Option<u32> {
        (self.events_2015 & bit_2015(event) != 0).then_some(event.0 as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, E, Flag, Selection, SetResult, ompt_event_t};

    #[test]
    fn events_are_selected_one_by_one_and_all_at_once() {
        let mut selection = Selection::default();
        assert!(selection.is_empty());
        assert_eq!(selection.set_5x(true, 34), Answer::ALWAYS);
        assert_eq!(selection.number_5x(E::TARGET_DATA_OP), Some(34));
        assert_eq!(selection.number_5x(E::TARGET), None);
        assert_eq!(selection.set_5x(true, 0), Answer::SOMETIMES);
        assert_eq!(selection.number_5x(E::TARGET_DATA_OP), Some(9));
        assert_eq!(selection.number_5x(E::TARGET_MAP), Some(22));
        assert_eq!(selection.set_5x(false, 9), Answer::ALWAYS);
        assert_eq!(selection.number_5x(E::TARGET_DATA_OP), Some(34));
        assert_eq!(selection.set_5x(false, 0), Answer::SOMETIMES);
        assert!(selection.is_empty());
    }

    #[test]
    fn events_without_records_are_answered() {
        let mut selection = Selection::default();
        assert_eq!(selection.set_5x(true, 12), Answer::NEVER);
        assert_eq!(selection.set_5x(true, 3), Answer::IMPOSSIBLE);
        assert_eq!(selection.set_5x(true, 38), Answer::ERROR);
        assert_eq!(selection.set_5x(true, 64), Answer::ERROR);
        assert_eq!(selection.set_5x(true, u32::MAX), Answer::ERROR);
        let mut set_2015 = |number| selection.set_2015(true, ompt_event_t(number));
        assert_eq!(set_2015(62), SetResult::IMPOSSIBLE);
        assert_eq!(set_2015(64), SetResult::ERROR);
        assert_eq!(set_2015(71), SetResult::ERROR);
        assert!(selection.is_empty());
        assert_eq!(selection.set_2015(true, ompt_event_t(63)), SetResult::ALWAYS);
        assert_eq!(selection.number_2015(ompt_event_t::TARGET_TASK_END), Some(63));
        assert_eq!(selection.number_2015(ompt_event_t::TARGET_DATA_END), None);
    }

    #[test]
    fn flags_are_honoured() {
        let mut selection = Selection::default();
        assert_eq!(selection.set_native_5x(true, 0), Answer::ERROR);
        assert_eq!(selection.set_native_5x(true, 0x100), Answer::IMPOSSIBLE);
        assert_eq!(selection.set_native_2015(true, 0x100), SetResult::IMPOSSIBLE);
        assert_eq!(selection.set_native_5x(true, 128), Answer::IMPOSSIBLE);
        assert!(selection.is_empty());
        assert_eq!(selection.set_native_5x(true, 128 | 8), Answer::SOMETIMES);
        assert!(selection.has_native(Flag::KERNEL_EXECUTION));
        assert!(!selection.has_native(Flag::KERNEL_INVOCATION));
        assert_eq!(selection.set_native_2015(true, 4), SetResult::ALWAYS);
        assert_eq!(selection.set_native_5x(true, u32::MAX), Answer::SOMETIMES);
        assert!(selection.has_native(Flag::OVERHEAD));
        assert_eq!(selection.set_native_2015(false, u32::MAX), SetResult::CONVENIENT);
        assert!(selection.is_empty());
    }
}
