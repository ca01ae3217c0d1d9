//! The constants and types of `report_2015` as lines of the list of names, `ompt_h_names.txt`.

use std::collections::BTreeSet;
use std::mem::{offset_of, size_of};

use oxomp_sys::report_2015;

/// The lines of the list that the constants of the crate make.
pub(crate) fn constants() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    macro_rules! named {
        ($($name:ident),* $(,)?) => {
            $(
                for (value, name) in report_2015::$name::NAMES {
                    let name = name.to_str().expect("C names are ASCII");
                    assert!(all.insert(format!("constant {name} {}", value.0 as u32)), "{name}");
                }
            )*
        };
    }
    named!(
        ompt_event_t,
        ompt_invoker_t,
        ompt_native_mon_flags_t,
        ompt_record_native_class_t,
        ompt_record_type_t,
        ompt_state_t,
        ompt_target_map_flag_t,
        ompt_target_task_type_t,
        ompt_task_dependence_flag_t,
        ompt_task_type_t,
        ompt_thread_type_t,
    );
    let others = [
        ("ompt_atomic_type_first", report_2015::ompt_atomic_type_first.into()),
        ("ompt_dev_task_none", report_2015::ompt_dev_task_none),
        // An int in C, and a field of 64 bits.
        ("ompt_hwid_none", report_2015::ompt_hwid_none & u64::from(u32::MAX)),
        ("ompt_lock_type_first", report_2015::ompt_lock_type_first.into()),
        ("ompt_state_first", report_2015::ompt_state_t::FIRST.0 as u64),
        ("ompt_time_none", report_2015::ompt_time_none),
    ];
    all.extend(others.map(|(name, value)| format!("constant {name} {value}")));
    all
}

/// The lines of the list that the types of the crate make.
pub(crate) fn types() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    macro_rules! sized {
        ($($name:ident),* $(,)?) => {
            $(
                let line = format!(
                    "type {} {}",
                    stringify!($name),
                    size_of::<report_2015::$name>(),
                );
                all.insert(line);
            )*
        };
    }
    macro_rules! structure {
        ($name:ident { $($($field:ident).+ $(as $c_name:literal)?),* $(,)? }) => {
            sized!($name);
            $(
                let field = [$($c_name,)? stringify!($($field).+)][0];
                let offset = offset_of!(report_2015::$name, $($field).+);
                all.insert(format!("member {} {field} {offset}", stringify!($name)));
            )*
        };
    }
    sized!(
        ompt_atomic_type_t,
        ompt_bool,
        ompt_event_t,
        ompt_invoker_t,
        ompt_lock_hint_t,
        ompt_lock_type_t,
        ompt_native_mon_flags_t,
        ompt_parallel_id_t,
        ompt_record_native_class_t,
        ompt_record_type_t,
        ompt_state_t,
        ompt_target_activity_id_t,
        ompt_target_buffer_cursor_t,
        ompt_target_map_flag_t,
        ompt_target_task_type_t,
        ompt_target_time_t,
        ompt_task_dependence_flag_t,
        ompt_task_id_t,
        ompt_task_type_t,
        ompt_thread_id_t,
        ompt_thread_type_t,
        ompt_wait_id_t,
    );
    sized!(
        ompt_atomic_callback_t,
        ompt_callback_t,
        ompt_control_callback_t,
        ompt_function_lookup_t,
        ompt_initialize_fn_t,
        ompt_interface_fn_t,
        ompt_lock_callback_t,
        ompt_parallel_begin_callback_t,
        ompt_parallel_callback_t,
        ompt_parallel_end_callback_t,
        ompt_sync_callback_t,
        ompt_target_buffer_complete_callback_t,
        ompt_target_buffer_request_callback_t,
        ompt_target_data_begin_callback_t,
        ompt_target_data_map_begin_callback_t,
        ompt_target_data_map_end_callback_t,
        ompt_target_task_begin_callback_t,
        ompt_target_task_end_callback_t,
        ompt_task_begin_callback_t,
        ompt_task_callback_t,
        ompt_task_dependences_callback_t,
        ompt_task_pair_callback_t,
        ompt_thread_callback_t,
        ompt_thread_type_callback_t,
        ompt_wait_callback_t,
        ompt_workshare_begin_callback_t,
    );
    structure!(ompt_frame_t { exit_runtime_frame, reenter_runtime_frame });
    structure!(ompt_task_dependence_t { variable_addr, dependence_flags });
    structure!(ompt_target_map_entry_t { host_addr, device_addr, bytes, mapping_flags });
    structure!(ompt_record_native_abstract_t {
        rclass,
        kind as "type",
        start_time,
        end_time,
        dev_task_id,
        hwid,
    });
    structure!(ompt_record_correlation_t { host_task_id, dev_task_id });
    structure!(ompt_record_thread_t { thread_id });
    structure!(ompt_record_thread_type_t { thread_type, thread_id });
    structure!(ompt_record_wait_id_t { wait_id });
    structure!(ompt_record_parallel_t { parallel_id, task_id });
    structure!(ompt_record_workshare_begin_t { parallel_id, task_id, codeptr_ra });
    structure!(ompt_record_parallel_begin_t {
        parent_task_id,
        parent_frame,
        parallel_id,
        requested_team_size,
        codeptr_ofn,
    });
    structure!(ompt_record_task_t { task_id });
    structure!(ompt_record_task_pair_t { first_task_id, second_task_id });
    structure!(ompt_record_task_begin_t {
        parent_task_id,
        parent_task_frame,
        new_task_id,
        codeptr_ofn,
    });
    structure!(ompt_record_target_task_begin_t {
        parent_task_id,
        parent_task_frame,
        target_task_id,
        device_id,
        target_task_code,
    });
    structure!(ompt_record_target_data_begin_t { task_id, device_id, codeptr_ra });
    structure!(ompt_record_data_map_begin_t {
        task_id,
        device_id,
        host_addr,
        device_addr,
        bytes,
        mapping_flags,
        target_map_code,
    });
    structure!(ompt_record_data_map_done_t {
        task_id,
        device_id,
        host_addr,
        device_addr,
        bytes,
        mapping_flags,
    });
    structure!(ompt_record_task_dependences_t { task_id, deps, ndeps });
    structure!(ompt_record_ompt_t {
        event as "type",
        time,
        thread_id,
        dev_task_id,
        record,
        record.thread,
        record.thread_type as "record.type",
        record.waitid,
        record.parallel,
        record.new_workshare,
        record.new_parallel,
        record.task,
        record.task_switch,
        record.new_task,
    });
    all
}
