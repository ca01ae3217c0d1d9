//! The command line, the runtime and the collector together, as `cargo xtask dist` puts them.

use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::Program;
use tempfile::TempDir;

/// The variables of the test's own environment that the command must not see.
const VARIABLES: [&str; 6] = [
    "LD_PRELOAD",
    "LD_LIBRARY_PATH",
    "OMP_TOOL",
    "OMP_TOOL_LIBRARIES",
    "OXOMP_HOME",
    "OXOMP_MULTIPLEX_TOOLS",
];

/// A folder with a compiled program, in which the command is called.
struct Place {
    folder: TempDir,
}

impl Place {
    fn with_program_of(compiler: Program) -> Self {
        Self::with(compiler, "loops")
    }

    fn with(compiler: Program, name: &str) -> Self {
        let place = Self { folder: TempDir::new().expect("a temporary folder") };
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let source = sources.join(name).with_extension("c");
        let output = compiler
            .command()
            .args(["-g", "-O1", "-fopenmp", "-pthread", "-o"])
            .arg(place.path(name))
            .arg(source)
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn oxomp(&self, words: &[&str]) -> Command {
        let program = std::env::var_os("OXOMP_BIN")
            .expect("OXOMP_BIN names the command to test: run `cargo xtask test`");
        let mut command = Command::new(program);
        command.args(words).current_dir(self.folder.path());
        for name in VARIABLES {
            command.env_remove(name);
        }
        command
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// What every summary of `loops` says, on whatever runtime.
///
/// Other regions of the program may come before its own: on a busy machine their threads wait
/// longer.
fn assert_summary(text: &str) {
    for part in ["accounted 100.0 %", "load imbalance", "loops.c:19", "Try first"] {
        assert!(text.contains(part), "`{part}` in:\n{text}");
    }
    let is_of_regions = |section: &&str| section.starts_with("Regions, by what could be won");
    let regions = text.split("\n\n").find(is_of_regions).unwrap_or_default();
    let mut rows = regions.lines().map(|line| line.split_whitespace().collect::<Vec<_>>());
    let row = rows.find(|words| words.get(1).is_some_and(|name| name.starts_with("sweep")));
    let words = row.unwrap_or_else(|| panic!("no row of `sweep` in:\n{text}"));
    assert!(words.contains(&"20"), "calls in {words:?}\n{text}");
}

#[test]
fn a_program_of_gcc_is_profiled_on_our_runtime() {
    let place = Place::with_program_of(Program::Gcc);
    let output = place.oxomp(&["profile", "--", "./loops"]).output().unwrap();
    assert_eq!(stdout(&output), "done\n");
    assert_eq!(output.status.code(), Some(7), "{output:#?}");
    let summary = stderr(&output);
    assert_summary(&summary);
    assert!(summary.contains("runtime oxomp"), "{summary}");
    assert!(summary.contains("by library path"), "{summary}");
}

#[test]
fn a_program_of_clang_is_profiled_on_its_own_runtime() {
    let place = Place::with_program_of(Program::Clang);
    let output = place.oxomp(&["profile", "--", "./loops"]).output().unwrap();
    let summary = stderr(&output);
    assert_summary(&summary);
    assert!(summary.contains("runtime LLVM"), "{summary}");
    assert!(summary.contains(", kept"), "{summary}");
}

#[test]
fn a_program_of_clang_can_be_put_on_our_runtime() {
    let place = Place::with_program_of(Program::Clang);
    let words = ["profile", "--runtime", "oxomp", "--", "./loops"];
    let output = place.oxomp(&words).output().unwrap();
    let summary = stderr(&output);
    assert_summary(&summary);
    assert!(summary.contains("runtime oxomp"), "{summary}");
}

/// A library of `tool.c`.
fn users_tool(place: &Place, flags: &[&str]) -> String {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/tool.c");
    let out = place.path("tool.so");
    let mut compiler = Program::Cc.command();
    compiler.args(["-shared", "-fPIC", "-o"]).arg(&out).arg(source).args(flags);
    assert!(compiler.status().expect("a compiler").success());
    out.to_str().expect("temporary folders have plain names").to_owned()
}

#[test]
fn a_users_tool_runs_beside_the_collector() {
    for compiler in [Program::Gcc, Program::Clang] {
        let place = Place::with_program_of(compiler);
        let tool = users_tool(&place, &[]);
        for variable in ["OMP_TOOL_LIBRARIES", "LD_PRELOAD"] {
            let words = ["profile", "-v", "--", "./loops"];
            let output = place.oxomp(&words).env(variable, &tool).output().unwrap();
            let said = stderr(&output);
            assert_summary(&said);
            assert!(said.contains("their tool: regions, 0 strange words\n"), "{variable} {said}");
            let line = format!("{tool} and oxomp's collector, side by side\n");
            assert!(said.contains(&line), "{variable} {said}");
        }
    }
}

#[test]
fn a_users_tool_that_declines_leaves_the_collector() {
    let place = Place::with_program_of(Program::Gcc);
    let tool = users_tool(&place, &["-DDECLINES"]);
    for variable in ["OMP_TOOL_LIBRARIES", "LD_PRELOAD"] {
        let output = place.oxomp(&["profile", "./loops"]).env(variable, &tool).output().unwrap();
        assert_summary(&stderr(&output));
        assert!(!stderr(&output).contains("their tool"), "{output:#?}");
    }
}

#[test]
fn a_tool_in_the_program_is_said_to_come_first() {
    let place = Place::with_program_of(Program::Clang);
    let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
    let mut compiler = Program::Clang.command();
    compiler.args(["-O1", "-fopenmp", "-o"]).arg(place.path("with_tool"));
    compiler.arg(sources.join("loops.c")).arg(sources.join("tool.c"));
    assert!(compiler.status().expect("a compiler").success());
    let output = place.oxomp(&["profile", "./with_tool"]).output().unwrap();
    let said = stderr(&output);
    assert!(said.contains("with_tool: contains an OMPT tool"), "{said}");
    assert!(said.contains("their tool: regions, 0 strange words\n"), "{said}");
    assert!(said.contains("no profile"), "{said}");
}

/// In the program and in a library that it loads, a runtime with both interfaces would run it
/// before every list.
#[test]
fn a_tool_of_the_2015_report_is_replaced_by_the_collector() {
    let place = Place::with_program_of(Program::Gcc);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs/old_tool.c");
    let compile = |out: &str, words: &[&str]| {
        let mut compiler = Program::Gcc.command();
        compiler.args(["-g", "-O1", "-o"]).arg(place.path(out)).arg(&source).args(words);
        assert!(compiler.status().expect("a compiler").success());
        place.path(out).to_str().expect("a plain name").to_owned()
    };
    let library = compile("old.so", &["-shared", "-fPIC"]);
    let loops = source.with_file_name("loops.c");
    let loops = loops.to_str().expect("a plain name");
    let inside = compile("inside", &["-fopenmp", "-rdynamic", loops]);
    for (program, preload, named) in [("./loops", &*library, &*library), (&*inside, "", &*inside)] {
        let output =
            place.oxomp(&["profile", program]).env("LD_PRELOAD", preload).output().unwrap();
        let said = stderr(&output);
        let line = format!("{named}: contains a tool of the 2015 report, which does not run");
        assert!(said.contains(&line), "{said}");
        assert_summary(&said[said.find("oxomp 0.").unwrap_or_default()..]);
        assert!(!said.contains("old tool: "), "{said}");
    }
}

#[test]
fn a_program_ends_with_its_last_thread_although_it_is_profiled() {
    for compiler in [Program::Gcc, Program::Clang] {
        let place = Place::with(compiler, "leaves");
        for words in [&["leaves"][..], &["leaves", "fork"]] {
            let profile = place.oxomp(&["profile", "--runtime", "oxomp", "./leaves"]);
            // Beside a process that does not end the test would not end either.
            let output = Program::Timeout
                .command()
                .args(["-s", "KILL", "60"])
                .arg(profile.get_program())
                .args(profile.get_args())
                .args(&words[1..])
                .current_dir(place.folder.path())
                .output()
                .unwrap();
            assert_eq!(output.status.code(), Some(0), "{words:?} {output:#?}");
            assert_eq!(stdout(&output), "done\n", "{words:?}");
            assert_summary(&stderr(&output));
        }
    }
}

#[test]
fn a_killed_program_has_its_summary_and_its_signal() {
    let place = Place::with_program_of(Program::Gcc);
    for (signal, name) in [(9, "SIGKILL"), (11, "SIGSEGV")] {
        let folder = format!("data-{signal}");
        let output = place
            .oxomp(&["profile", "-o", &folder, "--", "./loops"])
            .env("DO", format!("die:{signal}"))
            .output()
            .unwrap();
        assert_eq!(output.status.signal(), Some(signal), "{output:#?}");
        let summary = stderr(&output);
        assert_summary(&summary);
        assert!(summary.contains("truncated at "), "{summary}");
        assert!(summary.contains(&format!("killed by {name}")), "{summary}");
    }
}

/// `oxomp profile -- WORDS` from a shell that has given the command `limit` first.
fn profile_after(place: &Place, limit: &str, words: &[&str]) -> Output {
    let oxomp = place.oxomp(&[&["profile", "--"], words].concat());
    let mut command = Program::Bash.command();
    command.args(["-c", &format!("{limit}; exec \"$@\""), "-"]).arg(oxomp.get_program());
    command.args(oxomp.get_args()).current_dir(place.folder.path());
    for name in VARIABLES {
        command.env_remove(name);
    }
    command.output().unwrap()
}

#[test]
fn a_full_file_is_not_blamed_on_the_program() {
    let place = Place::with_program_of(Program::Gcc);
    // In units of 1024 bytes: room for the facts and for one thread's events.
    let output = profile_after(&place, "ulimit -f 200", &["./loops"]);
    assert_eq!(output.status.code(), Some(7), "{output:#?}");
    let said = stderr(&output);
    assert!(said.contains("recording stopped early") && said.contains("ulimit -f"), "{said}");
    assert!(!said.contains("no parallel region"), "{said}");
}

#[test]
fn a_program_is_not_run_in_vain_where_nothing_can_be_recorded() {
    let place = Place::with_program_of(Program::Gcc);
    for limit in ["ulimit -f 0", "ulimit -f 195"] {
        let output = profile_after(&place, limit, &["./loops"]);
        assert_eq!(output.status.code(), Some(125), "{output:#?}");
        assert_eq!(stdout(&output), "");
        let said = stderr(&output);
        assert_eq!(said.lines().count(), 1, "{said}");
        assert!(said.contains("no room") && said.contains("ulimit -f"), "{said}");
        assert!(!place.path("oxomp-loops-1").exists());
    }
    assert_eq!(profile_after(&place, "ulimit -f 196", &["./loops"]).status.code(), Some(7));
}

#[test]
fn a_recording_that_cannot_begin_is_not_blamed_on_the_program() {
    let script = "ulimit -f 20; exec ./loops";
    // The shell is recorded too, and may meet its new limit before it becomes the program: then
    // there is a profile of the shell.
    let is_of_shell = |said: &str| said.contains(" stopped, the program goes on: no room");
    for _ in 0..20 {
        let place = Place::with_program_of(Program::Gcc);
        let output = profile_after(&place, "true", &["/bin/sh", "-c", script]);
        assert_eq!(output.status.code(), Some(7), "{output:#?}");
        assert_eq!(stdout(&output), "done\n");
        let said = stderr(&output);
        if is_of_shell(&said) {
            continue;
        }
        let lines: Vec<&str> = said.lines().collect();
        assert!(matches!(lines.as_slice(), [_, _]), "{said}");
        assert!(lines[0].contains("nothing is recorded: "), "{said}");
        assert!(lines[0].contains("ulimit -f"), "{said}");
        let end = "no profile: the recording to oxomp-sh-1 could not begin";
        assert!(lines[1].contains(end), "{said}");
        assert!(!place.path("oxomp-sh-1").exists());
        return;
    }
    panic!("the shell met its limit in every run");
}

#[test]
fn a_report_says_again_what_the_run_said() {
    let place = Place::with_program_of(Program::Gcc);
    let run = place.oxomp(&["profile", "-o", "data", "--", "./loops"]).output().unwrap();
    let sections = |text: &str| text[text.find("\nWhere ").expect("a budget")..].to_owned();
    for path in ["data", "data/run.oxp"] {
        let again = place.oxomp(&["report", path]).output().unwrap();
        assert_eq!(again.status.code(), Some(0), "{again:#?}");
        assert_eq!(sections(&stdout(&again)), sections(&stderr(&run)));
    }
}

/// The names of the recordings in a folder of the place, in order.
fn recordings(place: &Place, folder: &str) -> Vec<String> {
    let entries = std::fs::read_dir(place.path(folder)).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| name.ends_with(".oxp")).collect();
    names.sort();
    names
}

#[test]
fn each_process_of_a_script_has_its_profile() {
    let place = Place::with_program_of(Program::Gcc);
    let words = ["profile", "-o", "data", "--", "/bin/sh", "-c", "./loops; ./loops; exit 3"];
    let output = place.oxomp(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    assert_eq!(stdout(&output), "done\ndone\n");
    assert_eq!(recordings(&place, "data").len(), 2, "{output:#?}");
    let summary = stderr(&output);
    assert_summary(&summary);
    assert!(summary.contains("Where the processes' time went"), "{summary}");
}

#[test]
fn each_child_with_regions_has_its_profile_and_the_others_are_counted() {
    let place = Place::with_program_of(Program::Gcc);
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/profiler/children.c");
    let compiled = Program::Gcc
        .command()
        .args(["-g", "-O1", "-fopenmp", "-o"])
        .args([&place.path("children"), &source])
        .output()
        .expect("a compiler");
    assert!(compiled.status.success(), "{compiled:#?}");
    // If the runtime is preloaded, it is also in what the shell starts: `true` does not use it.
    let words = ["profile", "-o", "data", "--", "/bin/sh", "-c", "./children; /bin/true; exit 3"];
    let output = place.oxomp(&words).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    assert_eq!(stdout(&output), "1 2 5 4 end\n");
    let summary = stderr(&output);
    assert!(summary.contains("Where the processes' time went"), "{summary}");
    assert!(summary.contains("had a runtime and no region"), "{summary}");
    // No file of another is left.
    let rows = summary.lines().filter_map(|line| line.strip_prefix("  process "));
    let mut files: Vec<String> = rows
        .map(|row| format!("{}.oxp", row.split_whitespace().next().expect("a number")))
        .collect();
    files.sort();
    assert_eq!((files.len(), &files), (5, &recordings(&place, "data")), "{summary}");
    for file in files {
        let report = place.oxomp(&["report", &format!("data/{file}")]).output().unwrap();
        assert!(stdout(&report).contains("accounted 100.0 %"), "{report:#?}");
    }
}

#[test]
fn a_program_without_regions_leaves_nothing_behind() {
    let place = Place::with_program_of(Program::Gcc);
    let output = place.oxomp(&["profile", "--", "/bin/echo", "text"]).output().unwrap();
    assert_eq!(stdout(&output), "text\n");
    assert!(stderr(&output).contains("ran no parallel region"), "{output:#?}");
    assert!(!place.path("oxomp-echo-1").exists(), "{output:#?}");
}

/// A program without OpenMP has hot code, too.
#[test]
fn a_program_without_regions_that_computes_shows_where() {
    let place = Place::with_program_of(Program::Gcc);
    let source = place.path("plain.c");
    let text = "#include <time.h>\n\
        static volatile double sum;\n\
        static void busy(void) { for (int i = 1; i < 100000; i++) sum += 1.0 / i; }\n\
        int main(void) { while (clock() < CLOCKS_PER_SEC / 2) busy(); return 3; }\n";
    std::fs::write(&source, text).unwrap();
    let mut compile = Program::Gcc.command();
    compile.args(["-O1", "-g", "-o"]).arg(place.path("plain")).arg(&source);
    assert!(compile.status().unwrap().success());
    let output = place.oxomp(&["profile", "-o", "plain-data", "--", "./plain"]).output().unwrap();
    assert_eq!(output.status.code(), Some(3), "{output:#?}");
    let said = stderr(&output);
    for words in ["did not use OpenMP", "busy", "plain.c:3", "only hot code was recorded"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(place.path("plain-data/run.oxp").exists(), "{said}");
}

#[test]
fn our_runtime_is_the_one_in_the_process() {
    let place = Place::with_program_of(Program::Gcc);
    // Between two looks at the program is a quarter of a second at most: it stays for more.
    let mut command = place.oxomp(&["run", "-v", "--", "./loops"]);
    let output = command.env("DO", "stay:900000").output().unwrap();
    assert_eq!(stdout(&output), "done\n");
    assert_eq!(output.status.code(), Some(7));
    let said = stderr(&output);
    assert!(said.contains("has mapped oxomp's runtime"), "{said}");
    assert!(!said.contains("another runtime"), "{said}");
}
