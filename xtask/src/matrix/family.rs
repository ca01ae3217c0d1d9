//! The construct or group of routines that a symbol belongs to, from its name.

/// Groups by the beginning of a name; the first group that fits counts.
const GROUPS: [(&str, &[&str]); 22] = [
    ("OpenACC", &["GOACC_", "acc_", "goacc_"]),
    ("offload plug-ins", &["GOMP_PLUGIN_"]),
    ("OMPD", &["ompd_"]),
    ("OMPT", &["ompt_"]),
    ("internal", &["___kmp_", "__kmp_", "kmp_diag", "kmp_mutex_impl", "kmp_threadprivate"]),
    ("kmp routines", &["kmp_", "kmpc_"]),
    ("kmpc atomic", &["__kmpc_atomic"]),
    (
        "kmpc loops",
        &[
            "__kmpc_for_",
            "__kmpc_dispatch_",
            "__kmpc_next_section",
            "__kmpc_sections",
            "__kmpc_end_sections",
        ],
    ),
    (
        "kmpc distribute and teams",
        &["__kmpc_dist", "__kmpc_team", "__kmpc_fork_teams", "__kmpc_push_num_teams"],
    ),
    (
        "kmpc parallel",
        &[
            "__kmpc_fork",
            "__kmpc_serialized",
            "__kmpc_end_serialized",
            "__kmpc_push",
            "__kmpc_global",
            "__kmpc_bound",
            "__kmpc_in_parallel",
            "__kmpc_ok_to_fork",
        ],
    ),
    ("kmpc tasks", &["__kmpc_omp_", "__kmpc_task", "__kmpc_proxy", "__kmpc_init_task"]),
    (
        "kmpc locks",
        &[
            "__kmpc_init_lock",
            "__kmpc_init_nest",
            "__kmpc_set_",
            "__kmpc_unset",
            "__kmpc_test",
            "__kmpc_destroy_lock",
            "__kmpc_destroy_nest",
        ],
    ),
    ("kmpc synchronization and data", &["__kmpc_"]),
    ("GOMP loops", &["GOMP_loop", "GOMP_parallel_loop", "GOMP_doacross"]),
    ("GOMP parallel", &["GOMP_parallel"]),
    ("GOMP tasks", &["GOMP_task", "GOMP_workshare"]),
    (
        "GOMP target and teams",
        &["GOMP_target", "GOMP_offload", "GOMP_teams", "GOMP_enable", "GOMP_interop"],
    ),
    ("GOMP others", &["GOMP_"]),
    (
        "omp locks",
        &[
            "omp_init_lock",
            "omp_init_nest",
            "omp_set_lock",
            "omp_set_nest_",
            "omp_unset",
            "omp_test",
            "omp_destroy_lock",
            "omp_destroy_nest",
        ],
    ),
    (
        "omp devices",
        &[
            "omp_target",
            "omp_get_interop",
            "omp_get_num_interop",
            "omp_get_mapped",
            "omp_get_device",
            "omp_get_uid",
            "omp_get_num_devices",
            "omp_get_initial",
            "omp_is_initial",
            "omp_get_default_device",
            "omp_set_default_device",
        ],
    ),
    ("omp routines", &["omp_", "ompc_", "ompx_"]),
    ("others", &[""]),
];

/// The group of the symbol `name`.
pub(crate) fn family(name: &str) -> &'static str {
    let is_memory = ["alloc", "mem_space", "memspace", "omp_free", "gprivate"];
    if name.starts_with("omp_")
        && !name.starts_with("omp_target")
        && is_memory.iter().any(|part| name.contains(part))
    {
        return "omp memory";
    }
    GROUPS
        .iter()
        .find(|(_, beginnings)| beginnings.iter().any(|beginning| name.starts_with(beginning)))
        .map_or("others", |(group, _)| group)
}

#[cfg(test)]
mod tests {
    use super::family;

    #[test]
    fn names_find_their_group() {
        for (name, group) in [
            ("__kmpc_fork_call", "kmpc parallel"),
            ("__kmpc_fork_teams", "kmpc distribute and teams"),
            ("__kmpc_end_critical", "kmpc synchronization and data"),
            ("__kmpc_dispatch_next_4", "kmpc loops"),
            ("GOMP_parallel_loop_dynamic", "GOMP loops"),
            ("omp_set_nested", "omp routines"),
            ("omp_set_nest_lock_", "omp locks"),
            ("omp_target_alloc", "omp devices"),
            ("omp_default_mem_alloc", "omp memory"),
            ("acc_init", "OpenACC"),
        ] {
            assert_eq!(family(name), group, "{name}");
        }
    }
}
