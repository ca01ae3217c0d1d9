//! The output of OMP_DISPLAY_ENV, `omp_display_env` (OpenMP 5.2 §18.15, §21.7) and KMP_SETTINGS, in
//! LLVM's format.

use super::table::{Fields, Form, Syntax, VARIABLES};
use super::tool::{ToolIcvs, ToolVerboseInit};
use super::value;
use super::{Blocktime, DisplayEnv, GlobalIcvs, Icvs, ProcBind, WaitPolicy};
use crate::os;
use crate::version::OPENMP_VERSION;

/// Writes [`display`]'s text to the standard error, with the tool variables of the process.
pub fn print(icvs: &Icvs, global: &GlobalIcvs, verbose: bool) {
    // An invalid OMP_TOOL ends the program elsewhere.
    let Ok(tool) = ToolIcvs::of_process() else { return };
    os::print_error(display(icvs, global, &tool, verbose).as_bytes());
}

/// Writes [`settings`]'s text to the standard error, with the tool variables of the process.
pub fn print_settings(icvs: &Icvs, global: &GlobalIcvs, environment: &[(String, String)]) {
    let Ok(tool) = ToolIcvs::of_process() else { return };
    os::print_error(settings(icvs, global, &tool, environment).as_bytes());
}

/// The text of OMP_DISPLAY_ENV: every variable of the specification, and with `verbose` all
/// variables that the runtime reads. Initial values are in the syntax in which a user would set
/// them.
#[must_use]
pub fn display(icvs: &Icvs, global: &GlobalIcvs, tool: &ToolIcvs, verbose: bool) -> String {
    let mut text = String::from("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n");
    text.push_str(&format!("   _OPENMP='{OPENMP_VERSION}'\n"));
    let all = variables(icvs, global, tool).into_iter();
    for (name, value) in all.filter(|(name, _)| verbose || name.starts_with("OMP_")) {
        text.push_str(&match value {
            Shown::Nothing => format!("  [host] {name}: value is not defined\n"),
            Shown::Truth(true) => format!("  [host] {name}='TRUE'\n"),
            Shown::Truth(false) => format!("  [host] {name}='FALSE'\n"),
            Shown::Word(value) | Shown::List(value) => format!("  [host] {name}='{value}'\n"),
        });
    }
    text.push_str(&limits_of_devices(global));
    text.push_str("OPENMP DISPLAY ENVIRONMENT END\n\n");
    text
}

/// The lines for the variables of target regions that differ from the host's.
fn limits_of_devices(global: &GlobalIcvs) -> String {
    let limits = [
        ("OMP_TEAMS_THREAD_LIMIT", &global.target_teams_thread_limit),
        ("OMP_THREAD_LIMIT", &global.target_thread_limit),
    ];
    let mut text = String::new();
    for (name, limit) in limits {
        let others = match limit.others {
            0 => global.teams_thread_limit_var,
            others => others,
        };
        text.push_str(&format!("  [device] {name}='{others}'\n"));
        for (device, value) in &limit.numbered {
            text.push_str(&format!("  [device {device}] {name}='{value}'\n"));
        }
    }
    text
}

/// The text of KMP_SETTINGS: the variables that the user has set, and the effective values.
#[must_use]
pub fn settings(
    icvs: &Icvs,
    global: &GlobalIcvs,
    tool: &ToolIcvs,
    environment: &[(String, String)],
) -> String {
    let is_ours = |name: &str| {
        ["OMP_", "KMP_", "GOMP_", "LIBOMP_"].iter().any(|prefix| name.starts_with(prefix))
    };
    let mut set: Vec<_> = environment.iter().filter(|(name, _)| is_ours(name)).collect();
    set.sort_by(|(one, _), (other, _)| one.cmp(other));
    // Of two variables with the same name the first counts.
    set.dedup_by(|(later, _), (first, _)| later == first);
    let mut text = String::from("\nUser settings:\n\n");
    for (name, value) in set {
        text.push_str(&format!("   {name}={}\n", value::shortened(value)));
    }
    text.push_str("\nEffective settings:\n\n");
    for (name, value) in variables(icvs, global, tool) {
        text.push_str(&match value {
            Shown::Nothing => format!("   {name}: value is not defined\n"),
            Shown::Truth(value) => format!("   {name}={value}\n"),
            Shown::Word(value) => format!("   {name}={value}\n"),
            Shown::List(value) => format!("   {name}='{value}'\n"),
        });
    }
    text.push('\n');
    text
}

/// `NAME=VALUE` for each variable that has a value.
pub fn assignments(icvs: &Icvs, global: &GlobalIcvs, tool: &ToolIcvs) -> Vec<String> {
    let shown = variables(icvs, global, tool).into_iter();
    let text = |(name, value)| match value {
        Shown::Nothing => None,
        Shown::Truth(value) => Some(format!("{name}={}", if value { "TRUE" } else { "FALSE" })),
        Shown::Word(value) | Shown::List(value) => Some(format!("{name}={value}")),
    };
    shown.filter_map(text).collect()
}

/// The form in which a value is shown.
enum Shown {
    /// There is no value.
    Nothing,
    Truth(bool),
    Word(String),
    /// A value that may contain commas or blanks.
    List(String),
}

impl Shown {
    fn word(value: impl ToString) -> Self {
        Self::Word(value.to_string())
    }

    fn capitals(word: &str) -> Self {
        Self::Word(word.to_ascii_uppercase())
    }

    fn list(value: Option<impl ToString>) -> Self {
        value.map_or(Self::Nothing, |value| Self::List(value.to_string()))
    }
}

/// All variables in the order of their names.
fn variables(icvs: &Icvs, global: &GlobalIcvs, tool: &ToolIcvs) -> Vec<(&'static str, Shown)> {
    let fields = Fields { icvs, global };
    let of_table = VARIABLES.iter().map(|variable| {
        let shown = match &variable.syntax {
            Syntax::Truth { get, .. } => Shown::Truth(get(&fields)),
            Syntax::Integer { get, .. } => Shown::word(get(&fields)),
            Syntax::Text { form: Form::Word, get, .. } => Shown::Word(get(&fields)),
            Syntax::Text { form: Form::Capitals, get, .. } => Shown::capitals(&get(&fields)),
            Syntax::Text { form: Form::List, get, .. } => Shown::List(get(&fields)),
        };
        (variable.name, shown)
    });
    let mut all: Vec<_> = of_table.chain(others(icvs, global, tool)).collect();
    all.sort_by_key(|(name, _)| *name);
    all
}

/// The variables that are not in the table: several variables set one field, one sets several
/// fields, or the value that is shown has more parts than the field.
fn others(icvs: &Icvs, global: &GlobalIcvs, tool: &ToolIcvs) -> Vec<(&'static str, Shown)> {
    let stack = size(global.stacksize_var.unwrap_or_else(os::default_stack_bytes));
    let threads = list(icvs.nthreads_var, icvs.nthreads_deeper.as_slice());
    vec![
        ("GOMP_CPU_AFFINITY", Shown::list(place_list(global, "GOMP_CPU_AFFINITY"))),
        ("GOMP_STACKSIZE", Shown::word(&stack)),
        ("KMP_AFFINITY", Shown::List(kmp_affinity(global))),
        ("KMP_BLOCKTIME", Shown::Word(blocktime(global.blocktime.unwrap_or(Blocktime::DEFAULT)))),
        ("KMP_HW_SUBSET", Shown::list(global.hw_subset.as_ref())),
        ("KMP_STACKSIZE", Shown::word(&stack)),
        (
            "KMP_TEAMS_THREAD_LIMIT",
            Shown::word(global.kmp_teams_thread_limit.unwrap_or(global.num_procs_var)),
        ),
        ("OMP_AFFINITY_FORMAT", Shown::list(Some(&global.affinity_format_var))),
        ("OMP_DEFAULT_DEVICE", Shown::word(icvs.default_device_var.max(0))),
        ("OMP_DISPLAY_ENV", display_env(global.display_env)),
        ("OMP_NUM_THREADS", Shown::List(threads)),
        ("OMP_PLACES", Shown::list(place_list(global, "OMP_PLACES"))),
        ("OMP_PROC_BIND", Shown::List(proc_bind(icvs))),
        ("OMP_SCHEDULE", Shown::list(Some(icvs.run_sched_var))),
        ("OMP_STACKSIZE", Shown::Word(stack)),
        ("OMP_TOOL", Shown::word(enabled(tool.tool_var))),
        ("OMP_TOOL_LIBRARIES", Shown::list(tool_libraries(tool))),
        ("OMP_TOOL_VERBOSE_INIT", Shown::Word(verbose_init(&tool.tool_verbose_init_var))),
        ("OMP_WAIT_POLICY", Shown::capitals(wait_policy(global))),
    ]
}

/// The modifiers, and the places if the variable set them.
fn kmp_affinity(global: &GlobalIcvs) -> String {
    match place_list(global, "KMP_AFFINITY") {
        Some(places) if places.starts_with('{') => {
            format!("{},explicit,proclist=[{places}]", global.affinity)
        }
        Some(places) if !places.contains(',') => format!("{},balanced", global.affinity),
        Some(places) => format!("{},{places}", global.affinity),
        None => format!("{},none", global.affinity),
    }
}

/// The place list, if the variable `name` set it.
fn place_list(global: &GlobalIcvs, name: &str) -> Option<String> {
    let list = global.place_list.as_ref().filter(|_| global.place_list_variable == name);
    list.map(ToString::to_string)
}

fn enabled(value: bool) -> &'static str {
    if value { "enabled" } else { "disabled" }
}

fn display_env(value: DisplayEnv) -> Shown {
    match value {
        DisplayEnv::No => Shown::Truth(false),
        DisplayEnv::Yes => Shown::Truth(true),
        DisplayEnv::Verbose => Shown::word("VERBOSE"),
    }
}

fn list(first: u32, deeper: &[u32]) -> String {
    let elements: Vec<String> = [first].iter().chain(deeper).map(ToString::to_string).collect();
    elements.join(",")
}

fn proc_bind(icvs: &Icvs) -> String {
    let policies = [icvs.bind_var];
    let policies = policies.iter().chain(icvs.bind_deeper.as_slice());
    policies.map(|&one| policy(one)).collect::<Vec<_>>().join(",")
}

fn policy(value: ProcBind) -> &'static str {
    match value {
        ProcBind::False => "false",
        ProcBind::True => "true",
        policy => value::word_of(policy, value::POLICIES),
    }
}

/// A size in the largest unit that divides it.
fn size(bytes: usize) -> String {
    let units = [(30, "G"), (20, "M"), (10, "K")];
    match units.iter().find(|(shift, _)| bytes != 0 && bytes.trailing_zeros() >= *shift) {
        Some((shift, unit)) => format!("{}{unit}", bytes >> shift),
        None => format!("{bytes}B"),
    }
}

fn tool_libraries(tool: &ToolIcvs) -> Option<String> {
    let paths: Vec<String> =
        tool.tool_libraries_var.iter().map(|path| path.display().to_string()).collect();
    (!paths.is_empty()).then(|| paths.join(":"))
}

fn verbose_init(value: &ToolVerboseInit) -> String {
    match value {
        ToolVerboseInit::Disabled => "disabled".to_owned(),
        ToolVerboseInit::Stdout => "stdout".to_owned(),
        ToolVerboseInit::Stderr => "stderr".to_owned(),
        ToolVerboseInit::File(path) => path.display().to_string(),
    }
}

/// The wait policy; the default, to stay awake for a while and then sleep, counts as passive.
fn wait_policy(global: &GlobalIcvs) -> &'static str {
    let policy = global.wait_policy_var.unwrap_or(WaitPolicy::Passive);
    value::word_of(policy, value::WAIT_POLICIES)
}

fn blocktime(value: Blocktime) -> String {
    match value {
        Blocktime::Infinite => "infinite".to_owned(),
        Blocktime::For(time) if time.subsec_micros() % 1000 == 0 => {
            format!("{}ms", time.as_millis())
        }
        Blocktime::For(time) => format!("{}us", time.as_micros()),
    }
}

#[cfg(test)]
mod tests {
    use super::{display, settings, variables};
    use crate::icv::env;
    use crate::icv::tool::ToolIcvs;

    fn owned(variables: &[(&str, &str)]) -> Vec<(String, String)> {
        variables.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    fn shown(variables: &[(&str, &str)], verbose: bool) -> Vec<String> {
        let (icvs, global, _) = env::read(&owned(variables), |_| env::Processors::of(6));
        let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
        let text = display(&icvs, &global, &tool, verbose);
        assert!(text.starts_with("\nOPENMP DISPLAY ENVIRONMENT BEGIN\n   _OPENMP='202111'\n"));
        assert!(text.ends_with("OPENMP DISPLAY ENVIRONMENT END\n\n"));
        text.lines().map(|line| line.trim_start_matches("  [host] ").to_owned()).collect()
    }

    #[test]
    fn what_is_shown_reads_back_as_the_same_variables() {
        let written = [
            ("OMP_NUM_THREADS", "4,2"),
            ("OMP_SCHEDULE", "monotonic:dynamic,3"),
            ("OMP_PROC_BIND", "spread,close"),
            ("OMP_STACKSIZE", "300K"),
            ("OMP_WAIT_POLICY", "ACTIVE"),
            ("OMP_THREAD_LIMIT", "17"),
            ("OMP_TARGET_OFFLOAD", "DISABLED"),
            ("OMP_ALLOCATOR", "omp_const_mem_space:pinned=true"),
            ("OMP_NUM_TEAMS", "3"),
        ];
        let lines = shown(&written, false);
        for (name, value) in written {
            assert!(lines.contains(&format!("{name}='{value}'")), "{name} in {lines:#?}");
        }
        assert!(!lines.iter().any(|line| line.starts_with("KMP_")));
    }

    #[test]
    fn what_is_shown_is_read() {
        let (icvs, global, _) = env::read(&[], |_| env::Processors::of(6));
        let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
        let names = variables(&icvs, &global, &tool).into_iter().map(|(name, _)| name);
        // The tools interface reads its variables, and a format may be any text.
        let any = |name: &&str| name.starts_with("OMP_TOOL") || *name == "OMP_AFFINITY_FORMAT";
        for name in names.filter(|name| !any(name)) {
            let (_, _, warnings) = env::read(&owned(&[(name, "1;2")]), |_| env::Processors::of(6));
            let told: Vec<_> = warnings.iter().map(|warning| warning.variable.as_str()).collect();
            assert_eq!(told, [name]);
        }
    }

    #[test]
    fn what_is_read_is_shown() {
        let (icvs, global, _) = env::read(&[], |_| env::Processors::of(6));
        let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
        let mut unseen = env::names_looked_up();
        for (name, _) in variables(&icvs, &global, &tool) {
            unseen.remove(name);
        }
        // Other names of variables that are shown, forms for devices, and one without effect.
        let expected = [
            "GOMP_SPINCOUNT",
            "KMP_ALL_THREADS",
            "KMP_DISP_NUM_BUFFERS",
            "KMP_PLACE_THREADS",
            "OMP_NESTED",
            "OMP_TEAMS_THREAD_LIMIT_ALL",
            "OMP_TEAMS_THREAD_LIMIT_DEV",
            "OMP_THREAD_LIMIT_ALL",
            "OMP_THREAD_LIMIT_DEV",
        ];
        assert_eq!(unseen.into_iter().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn verbose_adds_our_own() {
        let lines = shown(&[("KMP_BLOCKTIME", "1500us"), ("OMP_STACKSIZE", "65537B")], true);
        assert!(lines.contains(&"KMP_BLOCKTIME='1500us'".to_owned()));
        assert!(lines.contains(&"OMP_STACKSIZE='65537B'".to_owned()));
        let lines = shown(&[("KMP_HW_SUBSET", "1c,1t"), ("KMP_AFFINITY", "reset,scatter,1")], true);
        assert!(lines.contains(&"KMP_BLOCKTIME='200ms'".to_owned()));
        assert!(lines.contains(&"KMP_HW_SUBSET=':*s@0,1c@0,1t@0'".to_owned()));
        let affinity = "noverbose,warnings,respect,reset,granularity=core,scatter,1,0";
        assert!(lines.contains(&format!("KMP_AFFINITY='{affinity}'")), "{lines:#?}");
    }

    #[test]
    fn devices_have_limits_of_their_own() {
        let lines =
            shown(&[("OMP_TEAMS_THREAD_LIMIT", "5"), ("OMP_THREAD_LIMIT_DEV_2", "9")], false);
        for line in [
            "OMP_THREAD_LIMIT='2147483647'",
            "OMP_TEAMS_THREAD_LIMIT='5'",
            "  [device] OMP_TEAMS_THREAD_LIMIT='5'",
            "  [device] OMP_THREAD_LIMIT='16'",
            "  [device 2] OMP_THREAD_LIMIT='9'",
        ] {
            assert!(lines.contains(&line.to_owned()), "{line} in {lines:#?}");
        }
    }

    #[test]
    fn settings_are_those_of_the_user_and_those_that_hold() {
        let variables = [
            ("KMP_SETTINGS", "1"),
            ("HOME", "/root"),
            ("OMP_PLACES", "threads()"),
            ("KMP_AFFINITY", "verbose"),
        ];
        let (icvs, global, _) = env::read(&owned(&variables), |_| env::Processors::of(6));
        let tool = ToolIcvs::parse(|_| None).expect("OMP_TOOL is undefined");
        let text = settings(&icvs, &global, &tool, &owned(&variables));
        let (user, effective) = text.split_once("Effective settings:\n\n").expect("two parts");
        assert_eq!(
            user,
            "\nUser settings:\n\n   KMP_AFFINITY=verbose\n   KMP_SETTINGS=1\n   \
             OMP_PLACES=threads()\n\n"
        );
        for line in [
            "KMP_SETTINGS=true",
            "OMP_PLACES='threads'",
            "OMP_NUM_THREADS='6'",
            "OMP_THREAD_LIMIT=2147483647",
            "KMP_AFFINITY='verbose,warnings,respect,noreset,none'",
        ] {
            assert!(effective.contains(&format!("   {line}\n")), "{line} in {effective}");
        }
        assert!(effective.lines().filter(|line| !line.is_empty()).is_sorted());
    }
}
