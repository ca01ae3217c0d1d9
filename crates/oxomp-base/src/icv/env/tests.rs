//! The meaning of each variable, and the warnings about invalid values.

use super::{Processors, Warning, read};
use crate::icv::{
    Blocktime, DisplayEnv, GlobalIcvs, Icvs, ProcBind, Schedule, ScheduleKind, ScheduleModifier,
    TargetOffload, UNLIMITED, WaitPolicy,
};
use core::time::Duration;
use proptest::prelude::{any, prop, prop_assert, prop_assert_eq, proptest};

struct Environment {
    icvs: Icvs,
    global: GlobalIcvs,
    warnings: Vec<Warning>,
}

/// Reads `variables` for a machine of 6 processors.
fn parse(variables: &[(&str, &str)]) -> Environment {
    let owned: Vec<_> =
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
    let (icvs, global, warnings) = read(&owned, |_| Processors::of(6));
    Environment { icvs, global, warnings }
}

/// Reads the environment `name=value`, which is valid.
fn good(name: &str, value: &str) -> Environment {
    let environment = parse(&[(name, value)]);
    assert_eq!(environment.warnings, [], "{name}={value}");
    environment
}

/// The one warning about `name=value`; all variables have their defaults.
fn bad(name: &str, value: &str) -> String {
    let environment = parse(&[(name, value)]);
    assert_eq!(environment.icvs, Icvs::new(6), "{name}={value}");
    assert_eq!(environment.global, GlobalIcvs::new(6), "{name}={value}");
    assert_eq!(environment.warnings.len(), 1, "{name}={value}");
    environment.warnings[0].to_string()
}

#[test]
fn nothing_set_is_the_default_without_a_warning() {
    let environment = parse(&[]);
    assert_eq!(environment.icvs, Icvs::new(6));
    assert_eq!(environment.global, GlobalIcvs::new(6));
    assert_eq!(environment.warnings, []);
    assert_eq!(environment.icvs.max_active_levels_var, 1);
    assert_eq!(environment.icvs.run_sched_var, Schedule::STATIC);
    assert_eq!(environment.global.stack_bytes(), 0);
    assert_eq!(environment.global.blocktime_nanoseconds(), 200_000_000);
    good("OMP_NUM_THREADS", "  ");
}

#[test]
fn num_threads_is_a_number_or_a_list() {
    assert_eq!(good("OMP_NUM_THREADS", "3").icvs.nthreads_var, 3);
    let list = good("OMP_NUM_THREADS", " 4, 3 ,2 ").icvs;
    assert_eq!((list.nthreads_var, list.nthreads_deeper.as_slice()), (4, &[3, 2][..]));
    assert_eq!(list.max_active_levels_var, UNLIMITED);
    for value in ["0", "-1", "x", "4,", "4,,2", "4,0", "99999999999", "1.5", "2 3", "0x4"] {
        bad("OMP_NUM_THREADS", value);
    }
    assert_eq!(
        bad("OMP_NUM_THREADS", "many"),
        "OMP_NUM_THREADS=\"many\": not a list of positive integers; using 6"
    );
}

#[test]
fn active_levels_follow_the_most_explicit_variable() {
    let levels = |variables: &[_]| parse(variables).icvs.max_active_levels_var;
    assert_eq!(levels(&[("OMP_NESTED", "true")]), UNLIMITED);
    assert_eq!(levels(&[("OMP_NESTED", "FALSE"), ("OMP_NUM_THREADS", "2,2")]), 1);
    assert_eq!(levels(&[("OMP_NESTED", "true"), ("OMP_MAX_ACTIVE_LEVELS", "3")]), 3);
    assert_eq!(levels(&[("OMP_PROC_BIND", "spread,close")]), UNLIMITED);
    assert_eq!(levels(&[("OMP_MAX_ACTIVE_LEVELS", "0")]), 0);
    bad("OMP_MAX_ACTIVE_LEVELS", "-1");
    bad("OMP_NESTED", "2");
}

#[test]
fn schedules_have_modifier_kind_and_chunk() {
    let schedule = |value| good("OMP_SCHEDULE", value).icvs.run_sched_var;
    let expect = |kind, modifier, chunk| Schedule { kind, modifier, chunk };
    let unspecified = ScheduleModifier::Unspecified;
    assert_eq!(schedule("STATIC"), Schedule::STATIC);
    assert_eq!(schedule("static , 5"), expect(ScheduleKind::Static, unspecified, 5));
    assert_eq!(schedule("dynamic"), expect(ScheduleKind::Dynamic, unspecified, 1));
    assert_eq!(schedule("Guided,+7"), expect(ScheduleKind::Guided, unspecified, 7));
    assert_eq!(schedule("auto"), expect(ScheduleKind::Auto, unspecified, 1));
    assert_eq!(
        schedule("nonmonotonic : dynamic,2"),
        expect(ScheduleKind::Dynamic, ScheduleModifier::Nonmonotonic, 2)
    );
    assert_eq!(schedule("trapezoidal,3"), expect(ScheduleKind::Trapezoidal, unspecified, 3));
    for value in ["", "static:", "chaotic", "random:static", ",4", "dynamic 4"] {
        if value.is_empty() {
            good("OMP_SCHEDULE", value);
        } else {
            bad("OMP_SCHEDULE", value);
        }
    }
}

#[test]
fn a_schedule_with_a_bad_chunk_keeps_its_kind() {
    for (value, used) in [
        ("dynamic,0", "dynamic,1"),
        ("dynamic,-2", "dynamic,1"),
        ("static,99999999999", "static"),
        ("monotonic:guided,", "monotonic:guided,1"),
        ("auto,4", "auto"),
    ] {
        let environment = parse(&[("OMP_SCHEDULE", value)]);
        assert_eq!(environment.warnings.len(), 1, "{value}");
        assert_eq!(environment.warnings[0].used, used);
        assert_eq!(environment.icvs.run_sched_var.to_string(), used);
    }
}

#[test]
fn truth_values_come_in_many_forms() {
    for value in ["true", "TRUE", ".True.", "t", ".T.", "yes", "on", "1"] {
        assert!(good("OMP_DYNAMIC", value).icvs.dyn_var);
        assert!(good("OMP_CANCELLATION", value).global.cancel_var);
    }
    for value in ["false", ".FALSE.", "no", "off", "0", "F"] {
        assert!(!good("OMP_DYNAMIC", value).icvs.dyn_var);
    }
    assert_eq!(
        bad("OMP_DYNAMIC", "maybe"),
        "OMP_DYNAMIC=\"maybe\": neither true nor false; using false"
    );
}

#[test]
fn a_bad_value_of_a_variable_that_is_unset_by_default_names_no_number() {
    assert_eq!(
        bad("OMP_NUM_TEAMS", "-1"),
        "OMP_NUM_TEAMS=\"-1\": not a positive integer; using the default"
    );
}

#[test]
fn stack_sizes_have_units_and_a_least_value() {
    let size = |value| good("OMP_STACKSIZE", value).global.stack_bytes();
    assert_eq!(size("2000"), 2000 << 10);
    assert_eq!(size("2000500B"), 2_000_500);
    assert_eq!(size(" 3 m "), 3 << 20);
    assert_eq!(size("1G"), 1 << 30);
    for value in ["12X", "M", "-1K", "99999999999999999999", "100000000T", "10K M"] {
        bad("OMP_STACKSIZE", value);
    }
    let small = parse(&[("OMP_STACKSIZE", "1K")]);
    assert_eq!(small.global.stack_bytes(), 64 << 10);
    assert_eq!(small.warnings[0].to_string(), "OMP_STACKSIZE=\"1K\": too small; using 64K");
    let rivals = parse(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "2M")]);
    assert_eq!(rivals.global.stack_bytes(), 2 << 20);
    let slip = parse(&[("OMP_STACKSIZE", "1M"), ("GOMP_STACKSIZE", "lots")]);
    assert_eq!((slip.global.stack_bytes(), slip.warnings.len()), (1 << 20, 1));
}

#[test]
fn waiting_is_said_in_four_ways() {
    let blocktime = |variables: &[_]| parse(variables).global.blocktime;
    let milliseconds = |number| Some(Blocktime::For(Duration::from_millis(number)));
    assert_eq!(blocktime(&[]), None);
    assert_eq!(blocktime(&[("OMP_WAIT_POLICY", "ACTIVE")]), Some(Blocktime::Infinite));
    assert_eq!(blocktime(&[("OMP_WAIT_POLICY", "passive")]), milliseconds(0));
    assert_eq!(
        good("OMP_WAIT_POLICY", "Passive").global.wait_policy_var,
        Some(WaitPolicy::Passive)
    );
    assert_eq!(blocktime(&[("KMP_BLOCKTIME", "30")]), milliseconds(30));
    assert_eq!(
        blocktime(&[("KMP_BLOCKTIME", "300us")]),
        Some(Blocktime::For(Duration::from_micros(300)))
    );
    assert_eq!(blocktime(&[("KMP_BLOCKTIME", "Infinite")]), Some(Blocktime::Infinite));
    assert_eq!(blocktime(&[("KMP_LIBRARY", "turnaround")]), Some(Blocktime::Infinite));
    assert_eq!(blocktime(&[("GOMP_SPINCOUNT", "300k")]), milliseconds(3));
    assert_eq!(blocktime(&[("GOMP_SPINCOUNT", "infinity")]), Some(Blocktime::Infinite));
    let both = [("OMP_WAIT_POLICY", "active"), ("KMP_BLOCKTIME", "5")];
    assert_eq!(blocktime(&both), milliseconds(5));
    bad("KMP_BLOCKTIME", "-3");
    bad("KMP_BLOCKTIME", "3 weeks");
    bad("GOMP_SPINCOUNT", "lots");
    bad("OMP_WAIT_POLICY", "aggressive");
}

#[test]
fn proc_bind_is_a_truth_value_or_a_list() {
    assert_eq!(good("OMP_PROC_BIND", "false").icvs.bind_var, ProcBind::False);
    let chosen = good("OMP_PROC_BIND", "true");
    assert_eq!((chosen.icvs.bind_var, chosen.global.true_is_spread), (ProcBind::True, true));
    let list = good("OMP_PROC_BIND", "master, Close").icvs;
    assert_eq!(
        (list.bind_var, list.bind_deeper.as_slice()),
        (ProcBind::Primary, &[ProcBind::Close][..])
    );
    bad("OMP_PROC_BIND", "true,close");
    bad("OMP_PROC_BIND", "near");
}

#[test]
fn places_are_there_to_be_bound_to() {
    let bind = |variables: &[_]| {
        let environment = parse(variables);
        let places = environment.global.place_list.map(|list| list.to_string());
        (environment.icvs.bind_var, places.unwrap_or_default())
    };
    let (places, old) = (("OMP_PLACES", "cores"), ("GOMP_CPU_AFFINITY", "3 1-2"));
    let (cores, three) = ("cores".to_owned(), "{3},{1},{2}".to_owned());
    assert_eq!(bind(&[places]), (ProcBind::Spread, cores.clone()));
    assert_eq!(bind(&[places, old]), (ProcBind::Spread, cores.clone()));
    assert_eq!(bind(&[old]), (ProcBind::True, three.clone()));
    assert_eq!(bind(&[old, ("OMP_PROC_BIND", "close")]), (ProcBind::Close, three));
    let never = ("OMP_PROC_BIND", "false");
    assert_eq!(bind(&[never, places]), (ProcBind::False, cores));
    assert_eq!(bind(&[never, old]), (ProcBind::False, String::new()));
    assert_eq!(parse(&[old]).global.place_list_variable, "GOMP_CPU_AFFINITY");
    let listed = ("KMP_AFFINITY", "explicit,proclist=[2]");
    assert_eq!(bind(&[listed]), (ProcBind::True, "{2}".to_owned()));
    assert_eq!(bind(&[listed, never, places, old]), (ProcBind::True, "{2}".to_owned()));
    assert_eq!(parse(&[listed, never, places]).warnings.len(), 2);
    assert_eq!(bind(&[("KMP_AFFINITY", "none"), places]), (ProcBind::False, String::new()));
    let verbose = ("KMP_AFFINITY", "verbose");
    assert_eq!(bind(&[verbose, places]), (ProcBind::Spread, "cores".to_owned()));
    // An invalid list still implies that threads are bound.
    for (value, instead) in [("{0:2", "cores"), ("sockets(", "sockets"), ("threads(0)", "threads")]
    {
        assert_eq!(bind(&[("OMP_PLACES", value)]), (ProcBind::Spread, instead.to_owned()));
        assert_eq!(parse(&[("OMP_PLACES", value)]).warnings[0].used, instead);
    }
    bad("KMP_AFFINITY", "compactly");
    bad("GOMP_CPU_AFFINITY", "0-");
}

#[test]
fn the_other_variables_reach_their_field() {
    assert_eq!(good("OMP_THREAD_LIMIT", "9").icvs.thread_limit_var, 9);
    assert_eq!(good("KMP_LIBRARY", "serial").icvs.thread_limit_var, 1);
    assert_eq!(good("OMP_DEFAULT_DEVICE", "2").icvs.default_device_var, 2);
    assert_eq!(good("OMP_MAX_TASK_PRIORITY", "5").global.max_task_priority_var, 5);
    assert_eq!(good("OMP_NUM_TEAMS", "3").global.nteams_var, 3);
    assert_eq!(good("OMP_TEAMS_THREAD_LIMIT", "3").global.teams_thread_limit_var, 3);
    assert_eq!(good("KMP_TEAMS_THREAD_LIMIT", "2").global.kmp_teams_thread_limit, Some(2));
    let bound = |word| good("KMP_TEAMS_PROC_BIND", word).global.kmp_teams_proc_bind;
    assert_eq!((bound("close"), bound("Master")), (ProcBind::Close, ProcBind::Primary));
    assert!(good("KMP_DETERMINISTIC_REDUCTION", "yes").global.deterministic_reduction);
    assert!(good("KMP_CONSISTENCY_CHECK", "All").global.consistency_check);
    assert!(good("KMP_DUPLICATE_LIB_OK", "TRUE").global.duplicate_lib_ok);
    assert!(!good("LIBOMP_USE_HIDDEN_HELPER_TASK", "0").global.use_hidden_helper_task);
    assert!(good("KMP_SETTINGS", "1").global.settings);
    assert!(good("KMP_SCHEDULE", "static,greedy").global.kmp_schedule.greedy);
    let allocator = good("OMP_ALLOCATOR", "omp_thread_mem_alloc").global.def_allocator_var;
    assert_eq!(allocator.name, "omp_thread_mem_alloc");
    assert!(good("KMP_AFFINITY", "reset").global.affinity.reset);
    assert_eq!(good("KMP_ALL_THREADS", "12").global.device_thread_limit, 12);
    assert_eq!(
        good("OMP_TARGET_OFFLOAD", "Mandatory").global.target_offload_var,
        TargetOffload::Mandatory
    );
    assert_eq!(good("OMP_DISPLAY_ENV", "VERBOSE").global.display_env, DisplayEnv::Verbose);
    assert_eq!(good("OMP_DISPLAY_ENV", "1").global.display_env, DisplayEnv::Yes);
    assert!(good("OMP_DISPLAY_AFFINITY", "1").global.display_affinity_var);
    assert_eq!(good("OMP_AFFINITY_FORMAT", " %n ").global.affinity_format_var, " %n ");
    let places = good("OMP_PLACES", "{0:2}").global.place_list;
    assert_eq!(places.map(|list| list.to_string()).as_deref(), Some("{0,1}"));
    bad("OMP_THREAD_LIMIT", "0");
    bad("OMP_DEFAULT_DEVICE", "-1");
}

#[test]
fn the_machine_counts_what_the_user_leaves() {
    let variables = |list: &[(&str, &str)]| -> Vec<(String, String)> {
        list.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    };
    let counted = Processors { num_procs: 8, concurrency: 3, refused: None };
    let (icvs, global, warnings) = read(&variables(&[]), |asked| {
        assert!(asked.respects_mask && asked.hw_subset.is_none());
        counted.clone()
    });
    assert_eq!((icvs.nthreads_var, global.num_procs_var, warnings), (3, 8, Vec::new()));
    let old = variables(&[("KMP_PLACE_THREADS", "2c"), ("KMP_AFFINITY", "norespect")]);
    let refused = Some("there are 1 cores to choose from".to_owned());
    let (_, _, warnings) = read(&old, |asked| {
        assert!(!asked.respects_mask && asked.hw_subset.is_some());
        Processors { refused: refused.clone(), ..counted.clone() }
    });
    assert_eq!(
        warnings[0].to_string(),
        "KMP_PLACE_THREADS=\"2c\": there are 1 cores to choose from; using the whole machine"
    );
    let quiet = variables(&[("KMP_HW_SUBSET", "2c"), ("KMP_AFFINITY", "nowarnings")]);
    let (_, _, warnings) =
        read(&quiet, |_| Processors { refused: refused.clone(), ..counted.clone() });
    assert_eq!(warnings, []);
}

#[test]
fn the_first_of_two_variables_of_one_name_holds() {
    let twice = parse(&[("OMP_NUM_THREADS", "2"), ("OMP_NUM_THREADS", "3")]);
    assert_eq!(twice.icvs.nthreads_var, 2);
}

#[test]
fn warnings_can_be_switched_off() {
    let quiet = parse(&[("OMP_NUM_THREADS", "x"), ("KMP_WARNINGS", "off")]);
    assert_eq!(quiet.warnings, []);
    assert!(!quiet.global.warnings);
}

proptest! {
    #[test]
    fn no_value_makes_the_reader_panic(value: String, chosen in any::<prop::sample::Index>()) {
        let names = [
            "OMP_NUM_THREADS", "OMP_SCHEDULE", "OMP_STACKSIZE", "KMP_BLOCKTIME",
            "GOMP_SPINCOUNT", "OMP_PROC_BIND", "OMP_DISPLAY_ENV", "OMP_MAX_ACTIVE_LEVELS",
            "OMP_THREAD_LIMIT", "OMP_DEFAULT_DEVICE", "KMP_HW_SUBSET", "KMP_AFFINITY",
            "OMP_ALLOCATOR", "KMP_SCHEDULE", "OMP_PLACES", "GOMP_CPU_AFFINITY",
        ];
        let environment = parse(&[(names[chosen.index(names.len())], &value)]);
        prop_assert!(environment.warnings.len() <= 1);
        prop_assert!(environment.icvs.nthreads_var >= 1);
        prop_assert!(environment.icvs.thread_limit_var >= 1);
    }

    #[test]
    fn schedules_read_as_they_are_written(
        kind in prop::sample::select(vec![
            ScheduleKind::Static,
            ScheduleKind::Dynamic,
            ScheduleKind::Guided,
            ScheduleKind::Auto,
        ]),
        modifier in prop::sample::select(vec![
            ScheduleModifier::Unspecified,
            ScheduleModifier::Monotonic,
            ScheduleModifier::Nonmonotonic,
        ]),
        chunk in 0..i32::MAX,
    ) {
        let schedule = Schedule::new(kind, modifier, chunk);
        let environment = good("OMP_SCHEDULE", &schedule.to_string());
        prop_assert_eq!(environment.icvs.run_sched_var, schedule);
    }
}

/// The limits of target regions on device 0, on device 1 and on the host.
fn target_limits(variables: &[(&str, &str)]) -> [u32; 3] {
    let environment = parse(variables);
    assert_eq!(environment.warnings, [], "{variables:?}");
    [0, 1, u32::MAX].map(|device| environment.global.target_thread_limit.on(device))
}

#[test]
fn target_regions_have_the_threads_that_the_processors_carry_unless_the_user_says_so() {
    const FEW: u32 = GlobalIcvs::FEW_THREADS;
    assert_eq!(target_limits(&[]), [FEW; 3]);
    let (_, large, _) = read(&[], |_| Processors::of(100));
    assert_eq!(large.target_thread_limit.on(0), 100);
    let quota = |_: &_| Processors { num_procs: 100, concurrency: 30, refused: None };
    assert_eq!(read(&[], quota).1.target_thread_limit.on(0), 30);
    assert_eq!(target_limits(&[("OMP_NUM_THREADS", "3")]), [FEW; 3]);
    assert_eq!(target_limits(&[("OMP_NUM_THREADS", "8,5")]), [40; 3]);
    assert_eq!(target_limits(&[("OMP_NUM_THREADS", "2147483647,9")]), [UNLIMITED; 3]);
    assert_eq!(target_limits(&[("OMP_THREAD_LIMIT", "3")]), [3; 3]);
    assert_eq!(target_limits(&[("OMP_THREAD_LIMIT", "2147483647")]), [UNLIMITED; 3]);
    assert_eq!(target_limits(&[("OMP_TEAMS_THREAD_LIMIT", "300")]), [300; 3]);
    assert_eq!(target_limits(&[("OMP_TEAMS_THREAD_LIMIT", "2")]), [FEW; 3]);
    assert_eq!(target_limits(&[("KMP_LIBRARY", "serial")]), [1; 3]);
}

#[test]
fn a_device_has_variables_of_its_own() {
    let all = [
        ("OMP_THREAD_LIMIT", "4"),
        ("OMP_THREAD_LIMIT_ALL", "5"),
        ("OMP_THREAD_LIMIT_DEV", "6"),
        ("OMP_THREAD_LIMIT_DEV_1", "70"),
    ];
    assert_eq!(target_limits(&all[..1]), [4; 3]);
    assert_eq!(target_limits(&all[..2]), [5; 3]);
    assert_eq!(target_limits(&all[..3]), [6; 3]);
    assert_eq!(target_limits(&all), [6, 70, 6]);
    let host = |variables| parse(variables).icvs.thread_limit_var;
    assert_eq!((host(&all[..]), host(&all[1..]), host(&all[2..])), (4, 5, UNLIMITED));
    let teams = [
        ("OMP_TEAMS_THREAD_LIMIT", "30"),
        ("OMP_TEAMS_THREAD_LIMIT_ALL", "31"),
        ("OMP_TEAMS_THREAD_LIMIT_DEV", "32"),
        ("OMP_TEAMS_THREAD_LIMIT_DEV_1", "33"),
    ];
    let of_teams = |variables| {
        let global = parse(variables).global;
        let target = [0, 1].map(|device| global.target_teams_thread_limit.on(device));
        (global.teams_thread_limit_var, target)
    };
    assert_eq!(of_teams(&teams[..1]), (30, [0, 0]));
    assert_eq!(of_teams(&teams[..2]), (30, [31, 31]));
    assert_eq!(of_teams(&teams), (30, [32, 33]));
    assert_eq!(of_teams(&teams[3..]), (0, [0, 33]));
    assert_eq!(target_limits(&teams), [32, 33, 32]);
    assert_eq!(target_limits(&[teams[3], ("OMP_THREAD_LIMIT_DEV", "3")]), [3; 3]);
}

#[test]
fn a_bad_limit_of_a_device_is_reported_once() {
    for suffix in ["_DEV", "_DEV_0", "_ALL"] {
        bad(&format!("OMP_THREAD_LIMIT{suffix}"), "0");
        bad(&format!("OMP_TEAMS_THREAD_LIMIT{suffix}"), "x");
    }
    for number in ["x", "-1", "2147483648", ""] {
        let warning = bad(&format!("OMP_THREAD_LIMIT_DEV_{number}"), "3");
        assert!(warning.contains("no device number"), "{warning}");
    }
}

#[test]
fn the_variables_that_are_looked_up_are_known_by_their_names() {
    let missed: Vec<_> = super::names_looked_up()
        .into_iter()
        .filter(|name| !super::is_of_openmp(name.as_bytes()))
        .collect();
    assert!(missed.is_empty(), "{missed:?}");
    assert!(!super::is_of_openmp(b"PATH") && !super::is_of_openmp(b"MP"));
}
