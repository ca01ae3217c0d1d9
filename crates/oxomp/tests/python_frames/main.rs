//! Python programs under `oxomp profile`: the call paths have the functions of Python with their
//! lines, for each version of CPython at hand, and nothing disturbs a program that makes and drops
//! code all the time. The command, the runtime and the collector are as `cargo xtask dist` puts
//! them.

mod another;
mod embedded;
mod interpreters;
mod place;
mod threads;
mod tree;

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use interpreters::{Interpreter, all};
use place::{Place, succeed};
use tree::{Frame, has, paths};

/// A name that no output has: its functions stand for the interpreter's own.
const EVALUATOR: &[u8] = b"_PyEval";

/// The script under a name of wide characters.
const SCRIPT: &str = "pfade_ü漢.py";

/// The line of a script with the comment `at NAME`.
fn line(text: &str, name: &str) -> u64 {
    let mark = format!("# at {name}");
    let found = text.lines().position(|line| line.ends_with(&mark));
    found.unwrap_or_else(|| panic!("no line {mark}")) as u64 + 1
}

/// The functions of Python on the way to each piece of work of `python_paths.py`, from its function
/// `everything` on.
fn expected(text: &str, minor: u32) -> Vec<(&'static str, Vec<Frame>)> {
    // Since 3.11 names have those of the functions and classes around them.
    let name = |short: &str, long: &str| (if minor < 11 { short } else { long }).to_owned();
    let at = |function: String, mark: &str| (function, line(text, mark));
    let plain = |function: &str, mark: &str| at(function.to_owned(), mark);
    let region = || plain("region", "region");
    // Since 3.12 a list comprehension is part of its function.
    let in_list = name("<listcomp>", "everything.<locals>.<listcomp>");
    let list = (minor < 12).then(|| at(in_list, "everything_list"));
    vec![
        (
            "nested",
            vec![
                plain("nested", "nested"),
                at(name("inner", "nested.<locals>.inner"), "inner"),
                region(),
            ],
        ),
        (
            "recursive",
            vec![
                plain("recursive", "recursive"),
                plain("recursive", "recursive"),
                plain("recursive", "recursive"),
                plain("recursive", "deepest"),
                region(),
            ],
        ),
        ("generator", vec![plain("generator", "generator"), region()]),
        ("fit", vec![at(name("fit", "Model.fit"), "fit"), region()]),
        ("size", vec![at(name("größe_漢𠀋", "Model.größe_漢𠀋"), "size"), region()]),
        (
            "lambda",
            vec![
                at(name("<lambda>", "everything.<locals>.<lambda>"), "everything_lambda"),
                region(),
            ],
        ),
        ("list", list.into_iter().chain([region()]).collect()),
        // The library's function stands between the functions of Python.
        ("back", vec![("call_back".to_owned(), 0), plain("back", "back"), region()]),
        ("spin", vec![plain("spin", "spin")]),
    ]
}

/// Whether a frame is what is expected; the line of a function of the library does not count.
fn is_frame((function, line): &Frame, (wanted, at): &Frame) -> bool {
    function == wanted && (line == at || *at == 0)
}

fn profiled(place: &Place, interpreter: &Interpreter) -> (Value, String) {
    let (script, text) = place.script("python_paths.py", SCRIPT);
    let run = format!("run{}", interpreter.name);
    let program = [interpreter.path.clone(), script, place.library(), "0.12".into()];
    (place.profile(&run, "1000", &program, "done\n"), text)
}

#[test]
fn call_paths_have_the_functions_of_python() {
    let interpreters = all();
    if interpreters.is_empty() {
        return;
    }
    let place = Place::new();
    for interpreter in &interpreters {
        let title = interpreter.to_string();
        eprintln!("{title}");
        let (document, text) = profiled(&place, interpreter);
        assert_eq!(document["quality"]["unread_python"], Value::Null, "{title}");
        let paths = paths(&document);
        let names = |frame: &str| {
            if interpreter.version.minor < 11 { frame } else { "Thread.run" }.to_owned()
        };
        for (piece, frames) in expected(&text, interpreter.version.minor) {
            let everything = ("everything".to_owned(), line(&text, &format!("everything_{piece}")));
            let wanted = [vec![everything], frames].concat();
            let ends = |path: &&Vec<Frame>| has(path, &wanted, is_frame);
            let in_main = |path: &&Vec<Frame>| {
                has(path, &[("<module>".to_owned(), line(&text, "main"))], is_frame)
            };
            let in_thread = |path: &&Vec<Frame>| has(path, &[(names("run"), 0)], is_frame);
            assert!(
                paths.iter().filter(ends).any(|path| in_main(&path)),
                "{title}: {piece} in main"
            );
            let found = paths.iter().filter(ends).any(|path| in_thread(&path));
            assert!(found, "{title}: {piece} in the thread");
            if piece != "spin" {
                let work = ("work".to_owned(), 0);
                let to_work = [wanted.clone(), vec![work]].concat();
                let found = paths.iter().any(|path| has(path, &to_work, is_frame));
                assert!(found, "{title}: {piece} to the region");
            }
        }
        let functions = paths.iter().flatten().map(|(function, _)| function);
        for function in functions {
            assert!(!function.contains("_PyEval"), "{title}: {function}");
        }
        the_region_has_its_caller(&document, &text, &title);
        outputs_have_the_functions(&place, interpreter, &text);
    }
}

/// The region's row names the function of Python that called it, and those around that one.
fn the_region_has_its_caller(document: &Value, text: &str, title: &str) {
    let regions = document["regions"].as_array().expect("regions");
    let region = regions.iter().max_by_key(|region| region["calls"].as_u64()).expect("a region");
    let calls = region["python"].as_array().expect("functions of Python");
    assert_eq!(calls[0]["function"], "region", "{title}: {calls:?}");
    assert_eq!(calls[0]["line"], line(text, "region"), "{title}: {calls:?}");
    let file = calls[0]["file"].as_str().expect("a file");
    assert!(file.ends_with(SCRIPT), "{title}: {file}");
    assert!(calls.iter().any(|call| call["function"] == "everything"), "{title}: {calls:?}");
}

/// Every output has a function of Python with its file, and none has the interpreter's own. The
/// names that the command keeps for each address of the program are no output.
fn outputs_have_the_functions(place: &Place, interpreter: &Interpreter, text: &str) {
    let run = format!("run{}", interpreter.name);
    let samples = ["--collapsed", "--speedscope", "--pprof"];
    let others = ["--html", "--json", "--csv", "--perfetto", "--firefox", "--chrome", "--otf2"];
    let mut command = place.oxomp();
    command.args(["report", &run]).args(samples).args(others);
    succeed(command);
    let pprof = place.path(&run).join("run.pb.gz");
    let unpacked = place.path(&run).join("run.pb");
    let script = "import gzip, sys; open(sys.argv[2], 'wb').write(gzip.open(sys.argv[1]).read())";
    let mut unpack = Command::new(&interpreter.path);
    unpack.args(["-c", script]).arg(&pprof).arg(&unpacked);
    succeed(place.clean(unpack));
    let mut seen = 0;
    for_each_file(&place.path(&run), &mut |path| {
        if path.extension().is_some_and(|extension| extension == "names") {
            return;
        }
        let bytes = fs::read(path).expect("a file");
        let title = path.display();
        let contains = |part: &[u8]| bytes.windows(part.len()).any(|window| window == part);
        assert!(!contains(EVALUATOR), "{title}");
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let has_samples = ["run.collapsed", "run.speedscope.json", "run.pb", "run.firefox.json"];
        if has_samples.contains(&name) || ["report.html", "run.json"].contains(&name) {
            assert!(contains(b"recursive"), "{title}");
            seen += 1;
        }
        if name == "run.collapsed" {
            let frame = format!("{SCRIPT}:{}", line(text, "recursive"));
            assert!(contains(frame.as_bytes()), "{title}: {frame}");
        }
    });
    assert_eq!(seen, 6, "outputs with samples");
}

fn for_each_file(folder: &Path, act: &mut dyn FnMut(&Path)) {
    for entry in folder.read_dir().expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { for_each_file(&path, act) } else { act(&path) }
    }
}

#[test]
fn code_that_comes_and_goes_disturbs_nothing() {
    let interpreters = all();
    if interpreters.is_empty() {
        return;
    }
    let place = Place::new();
    let (script, _) = place.script("python_hostile.py", "hostile.py");
    for interpreter in &interpreters {
        eprintln!("{interpreter}");
        let mut alone = Command::new(&interpreter.path);
        alone.arg(&script).arg(place.library()).arg("900");
        let answer = succeed(place.clean(alone)).stdout;
        let run = format!("run{}", interpreter.name);
        let program = [interpreter.path.clone(), script.clone(), place.library(), "900".into()];
        let document = place.profile(&run, "10000", &program, &answer);
        let paths = paths(&document);
        for name in ["made", "deep", "work", "short"] {
            let found = paths.iter().flatten().any(|(function, _)| function == name);
            assert!(found, "{name} in {}", interpreter.path.display());
        }
    }
}
