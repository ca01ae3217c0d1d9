//! The events that oxomp's libomptarget raises, of clang's, flang's and gcc's code on devices.

/// Each event of a device, with a test that demands it on both runtimes or on oxomp.
const TESTS: [(&str, &str); 12] = [
    ("target", "offload/tool/plain_ids.c"),
    ("target_data_op", "offload/tool/plain_forms.c"),
    ("target_submit", "offload/tool/plain_forms.c"),
    ("device_initialize", "offload/tool/devices.c"),
    ("device_finalize", "offload/tool/devices.c"),
    ("device_load", "offload/tool/opened.c"),
    ("device_unload", "offload/tool/opened.c"),
    ("target_map", "offload/tool/plain_maps.c"),
    ("target_emi", "offload/tool/constructs.c"),
    ("target_data_op_emi", "offload/tool/routines.c"),
    ("target_submit_emi", "offload/tool/constructs.c"),
    ("target_map_emi", "offload/tool/map_flags.c"),
];

/// The tests for gcc's code, where they are others: gcc 12 does not compile a clause of the test,
/// or makes no image of it. `oxomp-target-gcc` runs them with gcc.
const TESTS_OF_GCC: [(&str, &str); 2] = [
    ("target_data_op_emi", "offload/tool/constructs.c"),
    ("target_map_emi", "offload/tool/maps.c"),
];

/// The test of the event in gcc's code.
pub(crate) fn test_of_gcc(event: &str) -> Option<&'static str> {
    let other = TESTS_OF_GCC.iter().find(|(name, _)| *name == event).map(|(_, test)| *test);
    other.or_else(|| test_of(event))
}

/// The test of the event, below `tests`; `None` for an event of the host.
pub(crate) fn test_of(event: &str) -> Option<&'static str> {
    TESTS.iter().find(|(name, _)| *name == event).map(|(_, test)| *test)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use oxomp_sys::ompt::{EventRow, Side};

    use super::{test_of, test_of_gcc};

    #[test]
    fn gcc_s_tests_are_among_the_programs_of_its_plug_in() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        let file = root.join("crates/oxomp-target-gcc/tests/gcc/tool.rs");
        let list = fs::read_to_string(file).expect("the list of programs");
        for test in EventRow::ALL.iter().filter_map(|row| test_of_gcc(row.name)) {
            let name = test.rsplit('/').next().unwrap_or(test);
            assert!(list.contains(&format!("\"{name}\"")), "{test}");
        }
    }

    #[test]
    fn each_event_of_a_device_has_a_test_that_is_not_left_out() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the repository");
        for row in EventRow::ALL {
            let test = test_of(row.name);
            assert_eq!(test.is_some(), row.side == Side::Device, "{}", row.name);
            let Some(test) = test else { continue };
            let text = fs::read_to_string(root.join("tests").join(test)).expect("the test");
            assert!(text.contains("TARGET_TOOL"), "{test} has a tool");
        }
    }
}
