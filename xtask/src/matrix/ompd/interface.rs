//! The names of the interface, as OpenMP 6.0 groups them.

/// A group of names: its chapter or section, its subject, and the names.
pub(super) struct Group {
    pub(super) section: &'static str,
    pub(super) subject: &'static str,
    pub(super) names: &'static [&'static str],
}

/// The functions of the OMPD library.
pub(super) const FUNCTIONS: &[Group] = &[
    Group {
        section: "41.1",
        subject: "initialization and versions",
        names: &[
            "ompd_initialize",
            "ompd_get_api_version",
            "ompd_get_version_string",
            "ompd_finalize",
        ],
    },
    Group {
        section: "41.2",
        subject: "processes and devices",
        names: &[
            "ompd_process_initialize",
            "ompd_device_initialize",
            "ompd_get_device_thread_id_kinds",
        ],
    },
    Group {
        section: "41.3",
        subject: "address spaces",
        names: &[
            "ompd_rel_address_space_handle",
            "ompd_get_omp_version",
            "ompd_get_omp_version_string",
        ],
    },
    Group {
        section: "41.4",
        subject: "threads",
        names: &[
            "ompd_get_thread_in_parallel",
            "ompd_get_thread_handle",
            "ompd_rel_thread_handle",
            "ompd_thread_handle_compare",
            "ompd_get_thread_id",
            "ompd_get_device_from_thread",
        ],
    },
    Group {
        section: "41.5",
        subject: "parallel regions",
        names: &[
            "ompd_get_curr_parallel_handle",
            "ompd_get_enclosing_parallel_handle",
            "ompd_get_task_parallel_handle",
            "ompd_rel_parallel_handle",
            "ompd_parallel_handle_compare",
        ],
    },
    Group {
        section: "41.6",
        subject: "tasks",
        names: &[
            "ompd_get_curr_task_handle",
            "ompd_get_generating_task_handle",
            "ompd_get_scheduling_task_handle",
            "ompd_get_task_in_parallel",
            "ompd_rel_task_handle",
            "ompd_task_handle_compare",
            "ompd_get_task_function",
            "ompd_get_task_frame",
        ],
    },
    Group {
        section: "41.7",
        subject: "states",
        names: &["ompd_enumerate_states", "ompd_get_state"],
    },
    Group {
        section: "41.8",
        subject: "display control variables",
        names: &["ompd_get_display_control_vars", "ompd_rel_display_control_vars"],
    },
    Group {
        section: "41.9",
        subject: "values of scopes",
        names: &[
            "ompd_enumerate_icvs",
            "ompd_get_icv_from_scope",
            "ompd_get_icv_string_from_scope",
            "ompd_get_tool_data",
        ],
    },
];

/// The symbols of the runtime.
pub(super) const SYMBOLS: &[Group] = &[
    Group {
        section: "38.3",
        subject: "activation",
        names: &["ompd_dll_locations", "ompd_dll_locations_valid"],
    },
    Group {
        section: "42",
        subject: "breakpoints",
        names: &[
            "ompd_bp_thread_begin",
            "ompd_bp_thread_end",
            "ompd_bp_parallel_begin",
            "ompd_bp_parallel_end",
            "ompd_bp_teams_begin",
            "ompd_bp_teams_end",
            "ompd_bp_task_begin",
            "ompd_bp_task_end",
            "ompd_bp_target_begin",
            "ompd_bp_target_end",
            "ompd_bp_device_begin",
            "ompd_bp_device_end",
        ],
    },
];

/// Names that do less than the specification lets a runtime offer, and why.
pub(super) const PARTIAL: &[(&str, &str)] = &[
    (
        "ompd_device_initialize",
        "no kind of device has an address space of its own: each is unsupported",
    ),
    ("ompd_bp_device_begin", "never reached: the host is the only device"),
    ("ompd_bp_device_end", "never reached: the host is the only device"),
];
