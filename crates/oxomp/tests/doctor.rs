//! `oxomp doctor` on real runtimes and programs, as `cargo xtask dist` installs it.

use std::env;
use std::fs::{self, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use oxomp_prerequisites::skipped::{has_all, skip};
use oxomp_prerequisites::{File, Program};
use tempfile::TempDir;

/// The command to test.
fn oxomp() -> PathBuf {
    let program = env::var_os("OXOMP_BIN");
    program.expect("OXOMP_BIN names the command to test: run `cargo xtask test`").into()
}

/// `oxomp doctor` without what the test's own environment says of runtimes.
fn doctor(words: &[&str]) -> Command {
    doctor_of(&oxomp(), words)
}

/// The `doctor` of the command line `program`, as [`doctor`].
fn doctor_of(program: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(program);
    command.arg("doctor").args(words);
    for name in ["LD_PRELOAD", "LD_LIBRARY_PATH", "OMP_TOOL", "OMP_TOOL_LIBRARIES", "OMP_DEBUG"] {
        command.env_remove(name);
    }
    command
}

fn output(command: &mut Command) -> (Option<i32>, String) {
    let Output { status, stdout, stderr } = command.output().expect("the command runs");
    let text = [stdout, stderr].concat();
    (status.code(), String::from_utf8_lossy(&text).into_owned())
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a path of the tests")
}

/// The lines of JSON for the checks of `runtime` whose name or group contains `only`.
fn checks(runtime: &Path, only: &str) -> (Option<i32>, String) {
    output(&mut doctor(&["--json", "--only", only, "--runtime", text(runtime)]))
}

/// The result of a check in lines of JSON; `compiler` is empty for those that have none.
fn result<'a>(lines: &'a str, id: &str, compiler: &str) -> &'a str {
    let id = format!("\"check\": \"{id}\"");
    let compiler = format!("\"compiler\": \"{compiler}\"");
    let line = lines
        .lines()
        .find(|line| line.contains(&id) && (compiler.ends_with("\"\"") || line.contains(&compiler)))
        .unwrap_or_else(|| panic!("no line with {id} and {compiler}:\n{lines}"));
    let (_, rest) = line.split_once("\"result\": \"").expect("a result");
    rest.split('"').next().expect("a word")
}

/// A folder with programs compiled for one test.
struct Place(TempDir);

impl Place {
    fn new() -> Self {
        Self(TempDir::new().expect("a temporary folder"))
    }

    fn compile(&self, compiler: Program, source: &str, name: &str, flags: &[&str]) -> PathBuf {
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs").join(source);
        let path = self.0.path().join(name);
        let output = compiler
            .command()
            .args(["-O1", "-o"])
            .args([&path, &source])
            .args(flags)
            .output()
            .expect("a compiler");
        assert!(output.status.success(), "{output:#?}");
        path
    }

    /// A copy of the command line, and of the program that `doctor` starts beside it, which every
    /// user may run: the command to test may lie in a folder that is closed to others.
    fn oxomp_for_all(&self) -> PathBuf {
        let folder = self.0.path();
        let [bin, lib] = ["bin", "lib"].map(|name| folder.join(name));
        for folder in [&bin, &lib] {
            fs::create_dir(folder).expect("a new folder");
        }
        let copies = [bin.join("oxomp"), lib.join("oxomp-probe")];
        let originals = [oxomp(), our_folder().join("oxomp-probe")];
        for (from, to) in originals.iter().zip(&copies) {
            fs::copy(from, to).expect("a copy");
        }
        for path in [folder, &bin, &lib].into_iter().chain(copies.iter().map(PathBuf::as_path)) {
            fs::set_permissions(path, Permissions::from_mode(0o755)).expect("our own file");
        }
        bin.join("oxomp")
    }
}

fn our_folder() -> PathBuf {
    env::var_os("OXOMP_LIB").map(PathBuf::from).expect("OXOMP_LIB is set")
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let ours = our_folder();
    for words in [
        &["--runtime", text(&ours), "--only", "lock"][..],
        &["--runtime", text(&ours), "--only", "lock", "--json"],
        &["--", "/bin/true"],
        &[],
        &["--help"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let Output { status, stderr, .. } =
            doctor(words).stdout(full).output().expect("the command runs");
        let said = String::from_utf8_lossy(&stderr);
        assert_eq!(status.code(), Some(125), "{words:?}: {said}");
        let full = "oxomp: standard output: cannot be written: no space left on device";
        assert!(said.starts_with(full), "{words:?}: {said}");
        assert_eq!(said.lines().count(), 1, "{words:?}: {said}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let ours = our_folder();
    for words in [&["--runtime", text(&ours), "--only", "lock"][..], &["--help"]] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let Output { status, stderr, .. } =
            doctor(words).stdout(writer).output().expect("the command runs");
        assert_eq!((status.code(), stderr), (Some(0), vec![]), "{words:?}");
    }
}

#[test]
fn options_of_the_conformance_check_are_refused_for_a_program() {
    for words in [&["--json", "--", "/bin/true"][..], &["--only", "lock", "--", "/bin/true"]] {
        let (status, said) = output(&mut doctor(words));
        assert_eq!(status, Some(125), "{words:?}: {said}");
        assert!(said.contains("cannot be used with '[PROGRAM]...'"), "{words:?}: {said}");
    }
}

#[test]
fn the_loader_of_a_program_with_other_rights_ignores_variables() {
    if !rustix::process::getuid().is_root() {
        skip("doctor on a program of another user: only root makes one");
        return;
    }
    let place = Place::new();
    let program = place.compile(Program::Gcc, "loops.c", "loops", &["-fopenmp"]);
    std::os::unix::fs::chown(&program, Some(65_534), None).expect("root may");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o4755)).expect("root may");
    let mut command = doctor(&["--", text(&program)]);
    let (status, said) = output(command.env("LD_LIBRARY_PATH", our_folder()));
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("ignores LD_LIBRARY_PATH"), "{said}");
    assert!(!said.contains("(oxomp's"), "{said}");
    assert!(said.contains("OMP_TOOL is not set: no tool is loaded here"), "{said}");
}

#[test]
fn a_named_pipe_is_not_opened() {
    let place = Place::new();
    let pipe = place.0.path().join("pipe");
    let (kind, mode) = (rustix::fs::FileType::Fifo, rustix::fs::Mode::RUSR);
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, mode, 0).expect("our own folder");
    let (status, said) = output(&mut doctor(&["--runtime", text(&pipe)]));
    let expected = format!("oxomp: --runtime {}: is no regular file\n", pipe.display());
    assert_eq!((status, said), (Some(125), expected));
}

#[test]
fn our_runtime_has_nothing_missing_and_nothing_wrong() {
    let folder = env::var_os("OXOMP_LIB").map(PathBuf::from).expect("OXOMP_LIB is set");
    let (status, report) = output(&mut doctor(&["--runtime", text(&folder)]));
    assert!(report.contains(" 0 missing, 0 wrong\n"), "{report}");
    assert_eq!(status, Some(0), "{report}");
    for line in [
        "Parallel regions",
        "  ok       gcc    order of events on the primary thread [6.0 §12.1, §17.3.2]",
        "  ok              wait_lock before a lock [6.0 §33.31]",
    ] {
        assert!(report.lines().any(|seen| seen == line), "`{line}` in:\n{report}");
    }
}

#[test]
fn the_known_deviations_of_libomp_are_found() {
    if !has_all(&[File::LibompToLink.into()]) {
        return;
    }
    let libomp = File::LibompToLink.path();
    for (id, compiler, expected) in [
        ("tool-libraries", "", "ok"),
        ("get-callback", "", "wrong"),
        ("parallel-primary", "clang", "ok"),
        ("parallel-prompt", "clang", "wrong"),
        ("frame-enter", "clang", "wrong"),
        ("teams-no-extra", "clang", "wrong"),
        ("loop-static-chunks", "clang", "wrong"),
        ("critical-codeptr", "clang", "wrong"),
        ("loop-empty", "gcc", "missing"),
        ("state-critical", "clang", "wrong"),
        ("control-fortran", "", "wrong"),
        ("ompd-locations", "", "missing"),
    ] {
        let (status, lines) = checks(libomp, id);
        assert_eq!(result(&lines, id, compiler), expected, "{lines}");
        let is_good = !lines.contains("\"wrong\"") && !lines.contains("\"missing\"");
        assert_eq!(status, Some(i32::from(!is_good)), "{lines}");
    }
}

#[test]
fn the_known_deviations_of_libomptarget_are_found() {
    if !has_all(&[File::LibompToLink.into(), File::Libomptarget.into()]) {
        return;
    }
    let (status, lines) = checks(File::LibompToLink.path(), "devices");
    assert_eq!(status, Some(1), "{lines}");
    for (id, expected) in [
        ("initial-device-offload", "wrong"),
        ("device-functions", "missing"),
        ("device-trace", "missing"),
    ] {
        assert_eq!(result(&lines, id, "clang"), expected, "{lines}");
    }
}

#[test]
fn a_runtime_without_its_libomptarget_has_no_device() {
    let place = Place::new();
    let alone = place.0.path().join("libomp.so.5");
    fs::copy(our_folder().join("libomp.so.5"), &alone).expect("a copy");
    let (status, lines) = checks(&alone, "devices");
    assert_eq!(status, Some(0), "{lines}");
    assert_eq!(result(&lines, "device-trace", "clang"), "skipped", "{lines}");
    assert!(lines.contains("no device: no libomptarget.so lies beside the runtime"), "{lines}");
}

#[test]
fn an_ompd_library_is_loaded_and_asked() {
    let place = Place::new();
    let flags = ["-shared", "-fPIC"];
    let library = place.compile(Program::Cc, "ompd_library.c", "ompd.so", &flags);
    for (names, expected) in [
        (format!("\"{}\"", library.display()), ["ok", "missing", "wrong"]),
        ("\"/none/such.so\"".to_owned(), ["ok", "wrong", "wrong"]),
        ("0".to_owned(), ["missing", "missing", "missing"]),
    ] {
        let library = format!("-DLIBRARY={names}");
        let flags = [&flags[..], &[&library]].concat();
        let runtime = place.compile(Program::Cc, "ompd_runtime.c", "libgomp.so.1", &flags);
        let (status, lines) = checks(&runtime, "debuggers");
        assert_eq!(status, Some(1), "{lines}");
        let ids = ["ompd-locations", "ompd-library", "ompd-version"];
        assert_eq!(ids.map(|id| result(&lines, id, "")), expected, "{lines}");
    }
}

#[test]
fn intels_runtime_is_checked_too() {
    let Some(library) = env::var_os("OXOMP_IOMP5").map(PathBuf::from) else {
        skip("OXOMP_IOMP5 is not set: Intel's runtime is not there");
        return;
    };
    let (status, lines) = checks(&library, "parallel-p");
    assert_eq!(result(&lines, "parallel-primary", "clang"), "ok", "{lines}");
    assert_eq!(result(&lines, "parallel-prompt", "clang"), "wrong", "{lines}");
    assert_eq!(status, Some(1));
}

#[test]
fn libgomp_has_no_ompt() {
    let libgomp = File::Libgomp.path();
    let (status, lines) = checks(libgomp, "");
    assert_eq!(status, Some(1));
    assert_eq!(result(&lines, "tool-libraries", ""), "missing");
    assert_eq!(result(&lines, "parallel-primary", "gcc"), "missing");
    assert_eq!(result(&lines, "parallel-primary", "clang"), "skipped");
    assert_eq!(result(&lines, "initial-device-offload", "clang"), "skipped");
    assert_eq!(result(&lines, "ompd-locations", ""), "missing");
    assert!(!lines.contains("\"result\": \"ok\""), "{lines}");
}

#[test]
fn a_runtime_that_dies_is_a_finding() {
    let place = Place::new();
    let runtime =
        place.compile(Program::Cc, "dying_runtime.c", "libgomp.so.1", &["-shared", "-fPIC"]);
    let (status, lines) = checks(&runtime, "tool-libraries");
    assert_eq!(status, Some(1));
    assert_eq!(result(&lines, "tool-libraries", ""), "wrong");
    assert!(lines.contains("dies by SIGABRT"), "{lines}");
}

/// `oxomp doctor` whose probe is started by these lines of bash, in which `$probe` is the real one.
fn doctor_with_probe_after(place: &Place, lines: &str, only: &str) -> (Option<i32>, String) {
    let oxomp = place.oxomp_for_all();
    let ours = our_folder();
    let probe = place.0.path().join("lib/oxomp-probe");
    let real = ours.join("oxomp-probe");
    let script =
        format!("#!/usr/bin/env bash\nprobe={}\n{lines}\nexec $probe \"$@\"\n", real.display());
    fs::write(probe, script).expect("our own folder");
    output(&mut doctor_of(&oxomp, &["--runtime", text(&ours), "--only", only]))
}

#[test]
fn states_are_sampled_where_the_queue_of_signals_is_full() {
    // With no place in the queue, real-time signals and timers are refused: EAGAIN.
    let (status, report) = doctor_with_probe_after(&Place::new(), "ulimit -i 0", "states");
    assert!(report.contains(" 0 missing, 0 wrong\n"), "{report}");
    assert_eq!(status, Some(0), "{report}");
}

#[test]
fn what_the_machine_refuses_is_no_fault_of_the_runtime() {
    for (function, only, seen) in [
        ("pthread_kill", "states", "signals (pthread_kill: Operation not permitted)"),
        ("pthread_create", "states", "threads (pthread_create: Operation not permitted)"),
        ("pthread_create", "", "threads (pthread_create: Operation not permitted)"),
    ] {
        let place = Place::new();
        let flags = ["-shared", "-fPIC", &format!("-DREFUSED={function}")];
        let library = place.compile(Program::Cc, "refuse.c", "refuse.so", &flags);
        let preload = format!("export LD_PRELOAD={}", library.display());
        let (status, report) = doctor_with_probe_after(&place, &preload, only);
        let reason = format!("this machine refuses {seen}");
        assert_eq!(status, Some(125), "{report}");
        let number = report.lines().filter(|line| line.starts_with("  refused  ")).count();
        assert!(number > 20, "{report}");
        assert!(report.contains(" 0 missing, 0 wrong, "), "{report}");
        let last = report.lines().last().expect("a message");
        assert_eq!(last, format!("oxomp: {number} checks were not made: {reason}"), "{report}");
    }
}

#[test]
fn what_is_no_runtime_is_named() {
    let place = Place::new();
    let program = place.compile(Program::Gcc, "loops.c", "app", &["-fopenmp"]);
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml");
    for (path, part) in [
        (place.0.path(), "no OpenMP runtime there"),
        (manifest.as_path(), "no ELF file"),
        (program.as_path(), "is a program, no shared library"),
        (Path::new("/none/such"), "no such file or folder"),
    ] {
        let (status, said) = output(&mut doctor(&["--runtime", text(path)]));
        assert!(said.contains(part) && said.contains(text(path)), "{said}");
        assert_eq!(status, Some(125), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn a_program_of_gcc_has_a_runtime_without_ompt() {
    let place = Place::new();
    let program = place.compile(Program::Gcc, "loops.c", "app", &["-fopenmp"]);
    let (status, report) = output(
        doctor(&["--", text(&program), "--an-argument"]).env("OMP_TOOL_LIBRARIES", "/none/tool.so"),
    );
    for part in [
        "libgomp.so.1 => /",
        "version: gcc's runtime, with the interface up to GOMP_",
        "OMPT: no",
        "warning    OMP_TOOL_LIBRARIES has no effect: the runtime has no OMPT",
        "warning    OMP_TOOL_LIBRARIES: /none/tool.so: no such file",
    ] {
        assert!(report.contains(part), "`{part}` in:\n{report}");
    }
    assert_eq!(status, Some(1));
}

#[test]
fn our_runtime_is_recognised_behind_another_name() {
    let place = Place::new();
    let program = place.compile(Program::Gcc, "loops.c", "app", &["-fopenmp"]);
    let folder = env::var_os("OXOMP_LIB").expect("OXOMP_LIB is set");
    let (status, report) =
        output(doctor(&[text(&program)]).env("LD_LIBRARY_PATH", folder).env("OMP_TOOL", "maybe"));
    for part in [
        "(oxomp's, by a link of another name)",
        "version: oxomp ",
        "OMPT: yes",
        "warning    OMP_TOOL=maybe: neither enabled nor disabled",
    ] {
        assert!(report.contains(part), "`{part}` in:\n{report}");
    }
    assert_eq!(status, Some(1));
}

#[test]
fn a_tool_in_the_program_comes_before_those_of_the_variable() {
    let place = Place::new();
    let flags = ["-fopenmp", "-rdynamic"];
    let program = place.compile(Program::Gcc, "tool_inside.c", "app", &flags);
    let (_, report) = output(&mut doctor(&["--", text(&program)]));
    assert!(report.contains(&format!("{} defines ompt_start_tool", text(&program))), "{report}");
    let other = place.compile(Program::Gcc, "loops.c", "other", &["-fopenmp"]);
    let (_, report) = output(&mut doctor(&["--", text(&other)]));
    assert!(!report.contains("ompt_start_tool"), "{report}");
}

#[test]
fn tools_of_the_2015_report_are_told_of() {
    let place = Place::new();
    let flags = ["-fopenmp", "-rdynamic"];
    let tool = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/programs/old_tool.c"));
    let program =
        place.compile(Program::Gcc, "loops.c", "app", &[&flags[..], &[text(tool)]].concat());
    let (_, report) = output(&mut doctor(&["--", text(&program)]));
    assert!(report.contains(&format!("{} defines ompt_tool", text(&program))), "{report}");
    assert!(
        report.contains("tools of 2015: no: the runtime never looks for ompt_tool"),
        "{report}"
    );

    let library = place.compile(Program::Gcc, "old_tool.c", "old_tool.so", &["-shared", "-fPIC"]);
    let folder = env::var_os("OXOMP_LIB").expect("OXOMP_LIB is set");
    let (_, report) = output(
        doctor(&["--", text(&program)])
            .env("LD_LIBRARY_PATH", folder)
            .env("OMP_TOOL_LIBRARIES", &library),
    );
    assert!(report.contains("tools of 2015: yes, the runtime looks for ompt_tool"), "{report}");
    assert!(report.contains("a tool of the 2015 report, with ompt_tool"), "{report}");
}

#[test]
fn two_runtimes_in_one_program_are_a_warning() {
    if !has_all(&[File::LibompToLink.into()]) {
        return;
    }
    let place = Place::new();
    let libomp = text(File::LibompToLink.path());
    let flags = ["-fopenmp", "-Wl,--no-as-needed", libomp];
    let program = place.compile(Program::Gcc, "loops.c", "app", &flags);
    let (status, report) = output(&mut doctor(&["--", text(&program)]));
    assert!(report.contains("warning    two runtimes in one program"), "{report}");
    assert!(report.contains("libgomp.so.1 => ") && report.contains("LLVM"), "{report}");
    assert_eq!(report.matches("wins:").count(), 1, "{report}");
    assert_eq!(status, Some(1));
}

#[test]
fn a_static_program_has_its_runtime_in_it_or_cannot_tell() {
    let place = Place::new();
    let flags = ["-fopenmp", "-static"];
    let program = place.compile(Program::Gcc, "loops.c", "app", &flags);
    let (status, report) = output(&mut doctor(&["--", text(&program)]));
    assert!(report.contains("linked into the program"), "{report}");
    assert_eq!(status, Some(0), "{report}");
    let stripped = Program::Strip.command().arg(&program).status().expect("strip runs");
    assert!(stripped.success());
    let (status, report) = output(&mut doctor(&["--", text(&program)]));
    assert!(report.contains("cannot be told"), "{report}");
    assert_eq!(status, Some(0), "{report}");
}

#[test]
fn without_a_program_the_systems_runtimes_are_reported() {
    let (_, report) = output(&mut doctor(&[]));
    for part in [
        "libgomp.so.1",
        "libiomp5.so",
        "libomp.so.5",
        "(oxomp's)",
        "version: oxomp ",
        "`oxomp debug`",
    ] {
        assert!(report.contains(part), "`{part}` in:\n{report}");
    }
}

/// The attribute of a file with capabilities (capabilities(7)): revision 2, effective, the right to
/// bind a port below 1024.
const CAPABILITIES: [u8; 20] = {
    let mut value = [0; 20];
    (value[0], value[3], value[5]) = (1, 2, 1 << 2);
    value
};

#[test]
fn a_program_with_capabilities_is_said_to_load_no_tool() {
    if !rustix::process::getuid().is_root() {
        return skip("a program with capabilities: only root can make one");
    }
    let place = Place::new();
    let program = place.compile(Program::Gcc, "loops.c", "able", &["-fopenmp"]);
    let oxomp = place.oxomp_for_all();
    // A user who is not root: root has all capabilities anyway.
    let as_nobody = || {
        let mut command = doctor_of(&oxomp, &["--", text(&program)]);
        command.env("OMP_TOOL_LIBRARIES", "/none/libtool.so").uid(65_534).gid(65_534);
        command.current_dir(place.0.path());
        command
    };
    if as_nobody().output().is_err_and(|error| error.kind() == ErrorKind::PermissionDenied) {
        return skip("a program with capabilities: temporary files are closed to other users");
    }
    let warning = "it runs with the rights of another user";
    let no_effect = "OMP_TOOL_LIBRARIES has no effect: the program runs with the rights of another";
    let (_, before) = output(&mut as_nobody());
    assert!(!before.contains(warning) && before.contains("able"), "{before}");
    let flags = rustix::fs::XattrFlags::empty();
    if rustix::fs::setxattr(&program, "security.capability", &CAPABILITIES, flags).is_err() {
        return skip("a program with capabilities: the file system has none");
    }
    let (_, report) = output(&mut as_nobody());
    assert!(report.contains(warning) && report.contains(no_effect), "{report}");
}

#[test]
fn what_is_no_program_is_named() {
    let place = Place::new();
    let file = place.0.path().join("data");
    std::fs::write(&file, "text").expect("the file is written");
    let (status, said) = output(&mut doctor(&["--", text(&file)]));
    assert!(said.contains("not executable"), "{said}");
    assert_eq!(status, Some(126));
    assert_eq!(output(&mut doctor(&["--", "no-such-program"])).0, Some(127));
}
