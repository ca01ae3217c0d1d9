//! Programs on the library in the folder `OXOMP_LIB`: what it says of mistakes, what it prints on
//! demand, its settings, and functions that compilers no longer call. What programs compute is
//! checked by the programs of `tests/offload`.

use std::path::{Path, PathBuf};
use std::process::Output;

use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, HOST_DEVICE, Program};

/// A compiled program, in a folder of its own.
struct Compiled {
    folder: tempfile::TempDir,
}

impl Compiled {
    /// Compiles a program; `None`, after a message, if a prerequisite is missing.
    fn new(name: &str) -> Option<Self> {
        let needed = [File::Libomptarget, File::OffloadBinary, File::ClangLinkerWrapper];
        if !has_all(&needed.map(Into::into)) {
            return None;
        }
        let folder = tempfile::tempdir().expect("a temporary folder");
        let sources = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/programs");
        let output = Program::Clang
            .command()
            .args(["-g", "-O1", "-fopenmp"])
            .arg(format!("-fopenmp-targets={HOST_DEVICE}"))
            .arg("-o")
            .arg(folder.path().join("program"))
            .arg(name)
            .current_dir(sources)
            .output()
            .expect("the compiler starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        Some(Self { folder })
    }

    /// Runs the program with one argument and with variables.
    fn run(&self, argument: &str, variables: &[(&str, &str)]) -> Output {
        let lib = std::env::var_os("OXOMP_LIB").map(PathBuf::from);
        let lib = lib.expect("OXOMP_LIB is not set: run `cargo xtask test`");
        let mut command = Program::Timeout.command();
        command.arg("60").arg(self.folder.path().join("program")).arg(argument);
        for name in ["OXOMP_TARGET_INFO", "LIBOMPTARGET_INFO", "OXOMP_HOST_DEVICES"] {
            command.env_remove(name);
        }
        command.env("LD_LIBRARY_PATH", lib).envs(variables.iter().copied());
        command.output().expect("the program starts")
    }
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The lines that have all `words`.
fn lines_with(text: &str, words: &[&str]) -> usize {
    text.lines().filter(|line| words.iter().all(|word| line.contains(word))).count()
}

#[test]
fn a_mistake_is_told_with_its_place_and_ends_the_program() {
    let Some(program) = Compiled::new("mistakes.c") else { return };
    // The steps of which LLVM's library tells come between the mistake and the end.
    let cases: [(&str, usize, &[&str]); 4] = [
        ("1", 3, &["'present' map type modifier", "(40 bytes)", "heap[0:10]", "mistakes.c:8:1"]),
        ("2", 3, &["(200 bytes)", "(80 bytes)", "numbers[0:50]", "mistakes.c:15:1", "c:14:1"]),
        ("3", 0, &["'present' motion modifier", "(40 bytes)", "heap[0:10]", "mistakes.c:21:1"]),
        ("5", 0, &["there is no device 77"]),
    ];
    for (number, steps, words) in cases {
        for policy in ["default", "mandatory"] {
            let output = program.run(number, &[("OMP_TARGET_OFFLOAD", policy)]);
            let text = said(&output);
            assert!(!output.status.success(), "{number} {policy}: {text}");
            assert_eq!(lines_with(&text, words), 1, "{number} {policy}: {text}");
            let end = ["mistakes.c:", "failure of target construct while offloading is mandatory"];
            assert_eq!(lines_with(&text, &end), 1, "{number} {policy}: {text}");
            assert_eq!(lines_with(&text, &["omptarget error: "]), steps, "{number}: {text}");
            assert_eq!(text.lines().count(), 2 + steps, "{number} {policy}: {text}");
        }
        let output = program.run(number, &[("OMP_TARGET_OFFLOAD", "disabled")]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output));
    }
}

#[test]
fn an_item_that_is_present_in_part_is_left_out_and_shown_if_asked_for() {
    let Some(program) = Compiled::new("mistakes.c") else { return };
    let output = program.run("4", &[("OXOMP_TARGET_INFO", "2")]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    let words = ["info", "numbers[0:50]", "mistakes.c:27:1", "it stays mapped"];
    assert_eq!(lines_with(&text, &words), 1, "{text}");
    for number in ["0", "4"] {
        let output = program.run(number, &[]);
        assert!(output.status.success() && output.stderr.is_empty(), "{}", said(&output));
    }
}

#[test]
fn information_comes_by_either_variable() {
    let Some(program) = Compiled::new("mistakes.c") else { return };
    for variable in ["OXOMP_TARGET_INFO", "LIBOMPTARGET_INFO"] {
        let text = said(&program.run("2", &[(variable, "-1")]));
        for words in [
            &["device 0 info", "being_mapper at mistakes.c:14:1 with 1 arguments"][..],
            &["Creating new map entry", "Size=80", "Name=numbers[10:20]"][..],
            &["Copying data from host to device", "Size=80"][..],
        ] {
            assert_eq!(lines_with(&text, words), 1, "{variable} {words:?}: {text}");
        }
        // After the begin of target data, and when the next construct fails.
        let entry = ["80       1           0            numbers[10:20] at mistakes.c:14:1"];
        assert_eq!(lines_with(&text, &entry), 2, "{variable}: {text}");
    }
    let text = said(&program.run("2", &[("OXOMP_TARGET_INFO", "32"), ("LIBOMPTARGET_INFO", "-1")]));
    assert_eq!(lines_with(&text, &["Copying data"]), 1, "{text}");
    assert_eq!(lines_with(&text, &["map entry"]), 0, "our variable goes before: {text}");
    let text = said(&program.run("0", &[("OXOMP_TARGET_INFO", "all")]));
    assert_eq!(lines_with(&text, &["warning", "OXOMP_TARGET_INFO=all"]), 1, "{text}");
}

#[test]
fn the_number_of_devices_is_a_setting() {
    let Some(program) = Compiled::new("mistakes.c") else { return };
    let few = program.run("5", &[("OXOMP_HOST_DEVICES", "78")]);
    assert!(few.status.success(), "device 77 is there: {}", said(&few));
    let none = program.run("1", &[("OXOMP_HOST_DEVICES", "0")]);
    assert!(none.status.success(), "without devices it runs on the host: {}", said(&none));
    let none = [("OXOMP_HOST_DEVICES", "0"), ("OMP_TARGET_OFFLOAD", "mandatory")];
    assert!(!program.run("1", &none).status.success(), "that is not allowed");
    let text = said(&program.run("0", &[("OXOMP_HOST_DEVICES", "many")]));
    assert_eq!(lines_with(&text, &["warning", "OXOMP_HOST_DEVICES=many"]), 1, "{text}");
}

#[test]
fn older_calls_work_and_absent_functions_say_so() {
    let Some(program) = Compiled::new("legacy.c") else { return };
    let output = program.run("", &[("OMP_TARGET_OFFLOAD", "default")]);
    let text = said(&output);
    assert!(output.status.success(), "{text}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "1 1 0 1 -1\n", "{text}");
    assert_eq!(lines_with(&text, &["__tgt_activate_record_replay is not implemented"]), 1);
}
