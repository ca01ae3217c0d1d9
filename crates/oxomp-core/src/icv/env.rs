//! The environment variables that set internal control variables (OpenMP 5.2 chapter 21).
//!
//! OMP_* of this runtime's constructs, and of KMP_* and GOMP_* those that users of the two libraries
//! rely on. A bad value gives one warning and the default. The variables of the tools
//! interface are read elsewhere, earlier (`tool`).

use core::fmt;
use std::collections::HashMap;

use super::kmp_affinity::{self, KmpAffinity};
use super::place_list;
use super::value::{self, Parsed};
use super::{
    Blocktime, Deeper, GlobalIcvs, Icvs, Library, ProcBind, TargetOffload, UNLIMITED, WaitPolicy,
};

/// A variable whose value cannot be what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// The name.
    pub variable: String,
    /// The value as it was written.
    pub value: String,
    /// What is wrong with it.
    pub problem: String,
    /// What holds instead, as one would write it.
    pub used: String,
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { variable, value, problem, used } = self;
        write!(f, "{variable}=\"{value}\": {problem}; using {used}")
    }
}

/// Reads `variables`, names and values, for a machine of `num_procs` processors: the variables of the
/// initial tasks' data environments, those that all share, and what could not be understood (nothing
/// if the user wants no warnings). Of two variables with one name the first holds, as in getenv(3).
#[must_use]
pub fn read(variables: &[(String, String)], num_procs: u32) -> (Icvs, GlobalIcvs, Vec<Warning>) {
    let mut reader = Reader { values: HashMap::new(), warnings: Vec::new() };
    for (name, value) in variables {
        reader.values.entry(name).or_insert(value);
    }
    let mut icvs = data_environment(&mut reader, num_procs.max(1));
    let mut global = shared(&mut reader, num_procs);
    places(&mut reader, &mut icvs, &mut global);
    // LLVM's serial mode: every region has one thread.
    if reader.value("KMP_LIBRARY").is_some_and(|value| value.eq_ignore_ascii_case("serial")) {
        icvs.thread_limit_var = 1;
    }
    reader.boolean("KMP_WARNINGS", &mut global.warnings);
    if !global.warnings {
        reader.warnings.clear();
    }
    (icvs, global, reader.warnings)
}

struct Reader<'a> {
    values: HashMap<&'a str, &'a str>,
    warnings: Vec<Warning>,
}

impl<'a> Reader<'a> {
    /// The value without surrounding blanks; an empty one counts as none.
    fn value(&self, name: &str) -> Option<&'a str> {
        self.values.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }

    /// The value, if there is one and it can be understood; else `used` goes into the warning.
    fn read<T>(
        &mut self,
        name: &str,
        used: impl fmt::Display,
        parse: impl FnOnce(&str) -> Parsed<T>,
    ) -> Option<T> {
        match parse(self.value(name)?) {
            Ok(value) => Some(value),
            Err(problem) => {
                self.warn(name, problem, used);
                None
            }
        }
    }

    fn integer(&mut self, name: &str, least: u32, variable: &mut u32) {
        let default = *variable;
        if let Some(value) = self.read(name, default, |text| value::integer(text, least)) {
            *variable = value;
        }
    }

    fn boolean(&mut self, name: &str, variable: &mut bool) {
        let default = *variable;
        if let Some(value) = self.read(name, default, value::boolean) {
            *variable = value;
        }
    }

    fn warn(&mut self, name: &str, problem: String, used: impl fmt::Display) {
        self.warnings.push(Warning {
            variable: name.to_owned(),
            value: (*self.values.get(name).unwrap_or(&"")).to_owned(),
            problem,
            used: used.to_string(),
        });
    }
}

fn data_environment(reader: &mut Reader<'_>, num_procs: u32) -> Icvs {
    let mut icvs = Icvs::new(num_procs);
    let positive = |text: &str| value::integer(text, 1);
    let list = reader.read("OMP_NUM_THREADS", icvs.nthreads_var, |text| {
        value::list(text, positive).map_err(|_| "not a list of positive integers".to_owned())
    });
    if let Some((first, deeper)) = list {
        icvs.nthreads_var = first;
        icvs.nthreads_deeper = Deeper::new(deeper);
    }
    if let Some((first, deeper)) = reader.read("OMP_PROC_BIND", "false", value::proc_bind) {
        icvs.bind_var = first;
        icvs.bind_deeper = Deeper::new(deeper);
    }
    icvs.max_active_levels_var = max_active_levels(reader, &icvs);
    reader.boolean("OMP_DYNAMIC", &mut icvs.dyn_var);
    reader.integer("OMP_THREAD_LIMIT", 1, &mut icvs.thread_limit_var);
    match reader.read("OMP_SCHEDULE", icvs.run_sched_var, value::schedule) {
        Some((schedule, None)) => icvs.run_sched_var = schedule,
        Some((schedule, Some(problem))) => {
            reader.warn("OMP_SCHEDULE", problem, schedule);
            icvs.run_sched_var = schedule;
        }
        None => {}
    }
    let mut default_device = 0;
    reader.integer("OMP_DEFAULT_DEVICE", 0, &mut default_device);
    icvs.default_device_var = default_device.cast_signed();
    icvs
}

/// OpenMP 5.2 §2.4: a list of more than one element in OMP_NUM_THREADS or OMP_PROC_BIND allows as
/// many active levels as there can be, unless OMP_MAX_ACTIVE_LEVELS (or OMP_NESTED) says otherwise.
fn max_active_levels(reader: &mut Reader<'_>, icvs: &Icvs) -> u32 {
    let lists =
        !icvs.nthreads_deeper.as_slice().is_empty() || !icvs.bind_deeper.as_slice().is_empty();
    let mut levels = if lists { UNLIMITED } else { 1 };
    if let Some(nested) = reader.read("OMP_NESTED", "OMP_MAX_ACTIVE_LEVELS", value::boolean) {
        levels = if nested { UNLIMITED } else { 1 };
    }
    reader.integer("OMP_MAX_ACTIVE_LEVELS", 0, &mut levels);
    levels
}

fn shared(reader: &mut Reader<'_>, num_procs: u32) -> GlobalIcvs {
    let mut global = GlobalIcvs::new(num_procs);
    stack_size(reader, &mut global);
    waiting(reader, &mut global);
    dispatch_buffers(reader);
    reader.boolean("OMP_CANCELLATION", &mut global.cancel_var);
    reader.integer("OMP_MAX_TASK_PRIORITY", 0, &mut global.max_task_priority_var);
    reader.integer("OMP_NUM_TEAMS", 1, &mut global.nteams_var);
    reader.integer("OMP_TEAMS_THREAD_LIMIT", 1, &mut global.teams_thread_limit_var);
    reader.integer("KMP_ALL_THREADS", 1, &mut global.device_thread_limit);
    reader.integer("KMP_DEVICE_THREAD_LIMIT", 1, &mut global.device_thread_limit);
    let offload = reader.read("OMP_TARGET_OFFLOAD", "default", |text| {
        let words = [
            ("default", TargetOffload::Default),
            ("mandatory", TargetOffload::Mandatory),
            ("disabled", TargetOffload::Disabled),
        ];
        value::word(text, &words)
    });
    global.target_offload_var = offload.unwrap_or(global.target_offload_var);
    let display = reader.read("OMP_DISPLAY_ENV", "false", value::display_env);
    global.display_env = display.unwrap_or(global.display_env);
    reader.boolean("OMP_DISPLAY_AFFINITY", &mut global.display_affinity_var);
    if let Some(format) = reader.value("OMP_AFFINITY_FORMAT") {
        global.affinity_format_var = format.to_owned();
    }
    global
}

/// OMP_PLACES, and where it is not set GOMP_CPU_AFFINITY. Places without OMP_PROC_BIND are asked for
/// to be bound to.
fn places(reader: &mut Reader<'_>, icvs: &mut Icvs, global: &mut GlobalIcvs) {
    const OLD: &str = "GOMP_CPU_AFFINITY";
    if kmp_affinity(reader, icvs, global) {
        return;
    }
    let silent = reader.value("OMP_PROC_BIND").is_none();
    let mut policy = ProcBind::Spread;
    global.place_list = reader.read("OMP_PLACES", "no places", place_list::parse);
    let binds = silent || icvs.bind_var != ProcBind::False;
    if reader.value("OMP_PLACES").is_none() && binds {
        global.place_list = reader.read(OLD, "no places", place_list::parse_processors);
        if global.place_list.is_some() {
            global.place_list_variable = OLD;
            policy = ProcBind::True;
        }
    }
    if silent && global.place_list.is_some() {
        icvs.bind_var = policy;
    }
}

/// KMP_AFFINITY, which wins over the three others, as in libomp: whether it says anything.
fn kmp_affinity(reader: &mut Reader<'_>, icvs: &mut Icvs, global: &mut GlobalIcvs) -> bool {
    const NAME: &str = "KMP_AFFINITY";
    let affinity = match reader.read(NAME, "none", kmp_affinity::parse) {
        None | Some(KmpAffinity::Unsaid) => return false,
        Some(affinity) => affinity,
    };
    for other in ["OMP_PLACES", "OMP_PROC_BIND", "GOMP_CPU_AFFINITY"] {
        if let Some(value) = reader.value(other) {
            let said = reader.value(NAME).unwrap_or_default();
            reader.warn(
                other,
                format!("{value} is not what {NAME} says"),
                format!("{NAME}={said}"),
            );
        }
    }
    icvs.bind_deeper = Deeper::NONE;
    icvs.bind_var = ProcBind::False;
    if let KmpAffinity::Bound(places, policy) = affinity {
        icvs.bind_var = policy;
        global.place_list = Some(places);
        global.place_list_variable = NAME;
    }
    true
}

/// The least stack that the runtime's own frames and a tool's callbacks get along with, bytes.
pub(crate) const LEAST_STACK: usize = 64 << 10;

/// Of the three names the first that is set holds.
fn stack_size(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    let names = ["KMP_STACKSIZE", "GOMP_STACKSIZE", "OMP_STACKSIZE"];
    let Some(name) = names.into_iter().find(|name| reader.value(name).is_some()) else { return };
    match reader.read(name, "the system's default", value::size) {
        Some(bytes) if bytes < LEAST_STACK => {
            reader.warn(name, "too small".to_owned(), format!("{}K", LEAST_STACK >> 10));
            global.stacksize_var = Some(LEAST_STACK);
        }
        Some(bytes) => global.stacksize_var = Some(bytes),
        None => {}
    }
}

/// KMP_DISP_NUM_BUFFERS: loops that LLVM's runtime may have in flight. Ours are as many as it needs,
/// so that a number says nothing, but one that LLVM's refuses is an error here too.
fn dispatch_buffers(reader: &mut Reader<'_>) {
    reader.read("KMP_DISP_NUM_BUFFERS", "the default", |text| match value::integer(text, 0)? {
        0 => Err("too small".to_owned()),
        1..=4096 => Ok(()),
        _ => Err("too large".to_owned()),
    });
}

/// OMP_WAIT_POLICY, and the older and finer ways to say the same, which win.
fn waiting(reader: &mut Reader<'_>, global: &mut GlobalIcvs) {
    let policy = reader.read("OMP_WAIT_POLICY", "the default", |text| {
        value::word(text, &[("active", WaitPolicy::Active), ("passive", WaitPolicy::Passive)])
    });
    global.wait_policy_var = policy;
    global.blocktime = policy.map(|policy| match policy {
        WaitPolicy::Active => Blocktime::Infinite,
        WaitPolicy::Passive => Blocktime::from_millis(0),
    });
    let library = reader.read("KMP_LIBRARY", "throughput", |text| {
        let words = [
            ("throughput", Library::Throughput),
            ("turnaround", Library::Turnaround),
            ("serial", Library::Serial),
        ];
        value::word(text, &words)
    });
    if library == Some(Library::Turnaround) {
        global.blocktime = Some(Blocktime::Infinite);
    }
    global.library = library.unwrap_or(global.library);
    let spins = reader.read("GOMP_SPINCOUNT", "the default", value::spin_count);
    let blocktime = reader.read("KMP_BLOCKTIME", "200ms", value::blocktime);
    global.blocktime = blocktime.or(spins).or(global.blocktime);
}

#[cfg(test)]
mod tests {
    use super::{Warning, read};
    use crate::icv::{
        Blocktime, DisplayEnv, GlobalIcvs, Icvs, ProcBind, Schedule, ScheduleKind,
        ScheduleModifier, TargetOffload, UNLIMITED, WaitPolicy,
    };
    use core::time::Duration;
    use proptest::prelude::{any, prop_assert, prop_assert_eq, proptest};

    struct Environment {
        icvs: Icvs,
        global: GlobalIcvs,
        warnings: Vec<Warning>,
    }

    /// `variables` on a machine of 6 processors.
    fn parse(variables: &[(&str, &str)]) -> Environment {
        let owned: Vec<_> = variables
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        let (icvs, global, warnings) = read(&owned, 6);
        Environment { icvs, global, warnings }
    }

    /// The environment `name=value`, which is understood.
    fn good(name: &str, value: &str) -> Environment {
        let environment = parse(&[(name, value)]);
        assert_eq!(environment.warnings, [], "{name}={value}");
        environment
    }

    /// The one warning about `name=value`, all variables being at their defaults.
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
        assert_eq!(good("OMP_PROC_BIND", "true").icvs.bind_var, ProcBind::Spread);
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
        assert_eq!(good("KMP_ALL_THREADS", "12").global.device_thread_limit, 12);
        assert_eq!(
            good("OMP_TARGET_OFFLOAD", "Mandatory").global.target_offload_var,
            TargetOffload::Mandatory
        );
        assert_eq!(good("OMP_DISPLAY_ENV", "VERBOSE").global.display_env, DisplayEnv::Verbose);
        assert_eq!(good("OMP_DISPLAY_ENV", "1").global.display_env, DisplayEnv::Yes);
        assert!(good("OMP_DISPLAY_AFFINITY", "1").global.display_affinity_var);
        assert_eq!(good("OMP_AFFINITY_FORMAT", "%n").global.affinity_format_var, "%n");
        let places = good("OMP_PLACES", "{0:2}").global.place_list;
        assert_eq!(places.map(|list| list.to_string()).as_deref(), Some("{0,1}"));
        bad("OMP_PLACES", "{0:2");
        bad("OMP_THREAD_LIMIT", "0");
        bad("OMP_DEFAULT_DEVICE", "-1");
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
                "OMP_THREAD_LIMIT", "OMP_DEFAULT_DEVICE",
            ];
            let environment = parse(&[(names[chosen.index(names.len())], &value)]);
            prop_assert!(environment.warnings.len() <= 1);
            prop_assert!(environment.icvs.nthreads_var >= 1);
            prop_assert!(environment.icvs.thread_limit_var >= 1);
        }

        #[test]
        fn schedules_read_as_they_are_written(kind in 0..4_usize, modifier in 0..3_usize, chunk in 0..i32::MAX) {
            let kind = [ScheduleKind::Static, ScheduleKind::Dynamic, ScheduleKind::Guided, ScheduleKind::Auto][kind];
            let modifier = [ScheduleModifier::Unspecified, ScheduleModifier::Monotonic, ScheduleModifier::Nonmonotonic][modifier];
            let schedule = Schedule::new(kind, modifier, chunk);
            let environment = good("OMP_SCHEDULE", &schedule.to_string());
            prop_assert_eq!(environment.icvs.run_sched_var, schedule);
        }
    }

    use proptest::prelude::prop;
}
