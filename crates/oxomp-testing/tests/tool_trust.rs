//! A process with more rights than the user who set its environment (AT_SECURE): it loads no tool
//! and opens no file that a variable names, and says so. The same holds for oxomp's own tools,
//! where such a program is linked with one.
//!
//! Needs `OXOMP_LIB`, the folder of the runtime under test, as `cargo xtask test` sets it, and the
//! right to give a program to another group: root's, or that of a user with a second group. Where
//! that is missing, or temporary files lie on a file system without set-group-id programs
//! (`nosuid`), the test says so and checks nothing.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::path::Path;

use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::skip;
use oxomp_testing::bench::{Bench, COMPILERS};
use oxomp_testing::directives::Ending;
use oxomp_testing::process::Outcome;

/// The group of the program if the tests run as root.
const NOGROUP: u32 = 65_534;

const WARNING: &str = "is ignored: the process has more rights than its user (AT_SECURE)\n";

fn text(path: &Path) -> &str {
    path.to_str().expect("temporary folders have plain names")
}

/// The groups that the caller may give a file to, other than its own.
fn other_groups() -> Vec<u32> {
    let ids = |flag| {
        let output = Program::Id.command().arg(flag).output().expect("coreutils are there");
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        said.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()
    };
    let own = ids("-g");
    let mut groups = ids("-G");
    if ids("-u") == [0] {
        groups.push(NOGROUP);
    }
    groups.retain(|group| !own.contains(group));
    groups
}

/// Makes the program one that runs with the rights of another group; the reason why it cannot.
fn privilege(program: &Path) -> Result<(), String> {
    let Some(group) = other_groups().pop() else {
        return Err("the user is in one group, and not root".to_owned());
    };
    chown(program, None, Some(group)).map_err(|error| error.to_string())?;
    fs::set_permissions(program, Permissions::from_mode(0o2755)).map_err(|error| error.to_string())
}

#[track_caller]
fn assert_output(outcome: &Outcome, stdout: &str, stderr: &str) {
    assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
    assert_eq!(outcome.stdout, stdout, "{outcome:#?}");
    assert_eq!(outcome.stderr, stderr, "{outcome:#?}");
}

#[test]
fn a_process_with_more_rights_than_its_user_loads_no_tool_and_opens_no_file() {
    let bench = Bench::new("tool_trust");
    let tool = bench.tool("libtool.so", &[]);
    let log = bench.path("log");
    // The loader ignores LD_LIBRARY_PATH in such a process.
    let runtime = std::env::var("OXOMP_LIB").expect("`Bench::new` has read it");
    let found = format!("-Wl,-rpath,{runtime}");
    let variables = [("OMP_TOOL_LIBRARIES", text(&tool)), ("OMP_TOOL_VERBOSE_INIT", text(&log))];
    for compiler in COMPILERS {
        println!("{compiler:?}");
        let program = bench.program(compiler, "program", &["program.c", &found]);
        let outcome = bench.run(&program, &[], &variables);
        let trusting = "tool: loaded\ntool: asked\ntool: initialized\n\
                        program: privileged=0\nprogram: threads=2\n";
        assert_output(&outcome, trusting, "");
        let logged = fs::read_to_string(&log).expect("the log was written");
        assert!(logged.contains("Tool was started"), "{logged}");
        fs::remove_file(&log).expect("the log is there");

        if let Err(reason) = privilege(&program) {
            return skip(&format!("a set-group-id program: {reason}"));
        }
        let alone = "program: privileged=1\nprogram: threads=2\n";
        let outcome = bench.run(&program, &[], &[]);
        if outcome.stdout.contains("privileged=0") {
            return skip("a set-group-id program: temporary files lie on a `nosuid` file system");
        }
        assert_output(&outcome, alone, "");
        let outcome = bench.run(&program, &[], &variables);
        let search = "----- START LOGGING OF TOOL REGISTRATION -----\n\
             Search for OMP tool in current address space... Failed.\n\
             OMP_TOOL_LIBRARIES is ignored (AT_SECURE).\n\
             ...searching tool libraries failed. \n\
             No OMP tool loaded.\n\
             ----- END LOGGING OF TOOL REGISTRATION -----\n";
        let warned = |name: &str| format!("OMP: Warning: {name} {WARNING}");
        let (libraries, verbose) = (warned("OMP_TOOL_LIBRARIES"), warned("OMP_TOOL_VERBOSE_INIT"));
        assert_output(&outcome, alone, &format!("{libraries}{verbose}{search}"));
        assert!(!log.exists(), "the log was written");
        assert_output(&bench.run(&program, &[], &variables[..1]), alone, &libraries);
        let disabled = [variables[0], ("OMP_TOOL_VERBOSE_INIT", "disabled")];
        assert_output(&bench.run(&program, &[], &disabled), alone, &libraries);
        fs::remove_file(&program).expect("the next compiler writes a new one");
    }
}

/// A tool in the address space counts: the program has put it there, not the user.
#[test]
fn a_process_with_more_rights_than_its_user_loads_no_tool_of_2015() {
    let bench = Bench::new("tool_trust");
    let tool = bench.tool("libolder.so", &["-DNEWER=0"]);
    let runtime = std::env::var("OXOMP_LIB").expect("`Bench::new` has read it");
    let found = format!("-Wl,-rpath,{runtime}");
    let said = |outcome: &Outcome| {
        let lines = outcome.stdout.lines().filter(|line| line.starts_with("tool: "));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let loaded = ["tool: loaded", "tool: asked", "tool: initialized"];
    let named = [("OMP_TOOL_LIBRARIES", text(&tool))];
    for compiler in COMPILERS {
        println!("{compiler:?}");
        let words = ["program.c", &found, "-Wl,--no-as-needed"];
        let plain = bench.program(compiler, "plain", &[&words[..], &["-lomp"]].concat());
        let linked =
            bench.program(compiler, "linked", &[&words[..], &[text(&tool), "-lomp"]].concat());
        assert_eq!(said(&bench.run(&plain, &[], &named)), loaded);
        assert_eq!(said(&bench.run(&linked, &[], &[])), loaded);
        for program in [&plain, &linked] {
            if let Err(reason) = privilege(program) {
                return skip(&format!("a set-group-id program: {reason}"));
            }
        }
        let outcome = bench.run(&plain, &[], &named);
        if outcome.stdout.contains("privileged=0") {
            return skip("a set-group-id program: temporary files lie on a `nosuid` file system");
        }
        let warned = format!("OMP: Warning: OMP_TOOL_LIBRARIES {WARNING}");
        assert_output(&outcome, "program: privileged=1\nprogram: threads=2\n", &warned);
        assert_eq!(said(&bench.run(&linked, &[], &[])), loaded);
        for program in [plain, linked] {
            fs::remove_file(&program).expect("the next compiler writes a new one");
        }
    }
}

/// A program that is linked with a tool of the distribution: with the variables it opens the file
/// that they name, and if it has more rights than its user it does not, and prints `message`.
/// `opens` says so by what the program printed, and removes the traces.
fn assert_linked_tool_is_wary(
    tool: &str,
    bench: &Bench,
    variables: &[(&str, &str)],
    opens: impl Fn(&str) -> bool,
    message: &str,
) {
    let runtime = std::env::var("OXOMP_LIB").expect("`Bench::new` has read it");
    let (found, tool) = (format!("-Wl,-rpath,{runtime}"), format!("{runtime}/{tool}"));
    for compiler in COMPILERS {
        println!("{compiler:?}");
        let arguments = ["program.c", &found, "-Wl,--no-as-needed", &tool];
        let program = bench.program(compiler, "linked", &arguments);
        let outcome = bench.run(&program, &[], variables);
        assert_eq!(outcome.ending, Ending::Status(0), "{outcome:#?}");
        assert!(opens(&outcome.stdout), "{outcome:#?}");
        assert_eq!(outcome.stderr, "", "{outcome:#?}");
        if let Err(reason) = privilege(&program) {
            return skip(&format!("a set-group-id program: {reason}"));
        }
        let outcome = bench.run(&program, &[], variables);
        if outcome.stdout.contains("privileged=0") {
            return skip("a set-group-id program: temporary files lie on a `nosuid` file system");
        }
        assert!(!opens(&outcome.stdout), "{outcome:#?}");
        assert_output(&outcome, "program: privileged=1\nprogram: threads=2\n", message);
        fs::remove_file(&program).expect("the next compiler writes a new one");
    }
}

#[test]
fn the_collector_writes_nothing_in_a_process_with_more_rights_than_its_user() {
    let bench = Bench::new("tool_trust");
    let folder = bench.path("data");
    assert_linked_tool_is_wary(
        "liboxomp_collect.so",
        &bench,
        &[("OXOMP_OUT", text(&folder))],
        |_| fs::remove_dir_all(&folder).is_ok(),
        "oxomp: nothing is recorded: the process has more rights than its user (AT_SECURE)\n",
    );
}

#[test]
fn the_multiplexer_loads_nothing_in_a_process_with_more_rights_than_its_user() {
    let bench = Bench::new("tool_trust");
    let tool = bench.tool("libtool.so", &[]);
    assert_linked_tool_is_wary(
        "liboxomp_multiplex.so",
        &bench,
        &[("OXOMP_MULTIPLEX_TOOLS", text(&tool))],
        |said| said.contains("tool: loaded"),
        "oxomp-multiplex: no tool is loaded: the program has more rights than its user\n",
    );
}
