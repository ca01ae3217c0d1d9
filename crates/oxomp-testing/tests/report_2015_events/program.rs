//! The programs of this folder with their expected events.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::time::Duration;

use libtest_mimic::Trial;
use oxomp_prerequisites::Program;
use oxomp_prerequisites::skipped::has_all;
use oxomp_testing::bench::{Bench, Compiler};
use oxomp_testing::compiler::Family;
use oxomp_testing::compiler::kept::{Kept, identity};
use oxomp_testing::directives::{self, Directives, Ending, Source};
use oxomp_testing::settings::Subject;
use oxomp_testing::trace::expand::{Line, expand};
use oxomp_testing::trace::interface::Interface;
use oxomp_testing::trace::language::Expectation;
use oxomp_testing::trace::log::{self, Log};
use oxomp_testing::trace::source::SourceLines;
use oxomp_testing::trace::{language, verdict};

use crate::{derive, functions, rules};

/// The folder of the programs, relative to `tests`.
pub(crate) const FOLDER: &str = "report_2015_events";

/// The longest that a program may run.
pub(crate) const LIMIT: Duration = Duration::from_secs(60);

/// The language of a program's expectation.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Language {
    /// Events of the report.
    Report,
    /// Events of OpenMP 5, from which those of the report are derived.
    Derived,
}

/// One trial per program and compiler: the programs beside this file, and those of OpenMP 5.
pub(crate) fn trials() -> Result<Vec<Trial>, String> {
    let tests = workspace().join("tests");
    let folders = [
        (folder(), "", Language::Report),
        (tests.join("c/trace"), "trace/", Language::Derived),
        (tests.join("fortran/trace"), "fortran/", Language::Derived),
    ];
    let mut trials = Vec::new();
    for (folder, prefix, language) in folders {
        for (name, source) in sources(&folder)? {
            let text = fs::read_to_string(&source).map_err(|error| format!("{name}: {error}"))?;
            if !text.contains("//#Trace") {
                continue;
            }
            let parsed = directives::parse(&text).map_err(|error| format!("{name}: {error}"))?;
            let Source::Test(directives) = parsed else { continue };
            // Its events are the report's already, with the recorder's keys.
            if language == Language::Derived && directives.interface == Interface::Report2015 {
                continue;
            }
            for &compiler in &directives.compilers {
                let source = source.clone();
                let name = format!("{prefix}{name}::{}", compiler.name());
                trials.push(Trial::test(name, move || {
                    run(&source, compiler, language).map_err(Into::into)
                }));
            }
        }
    }
    Ok(trials)
}

fn workspace() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate's workspace")
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(FOLDER)
}

fn sources(folder: &Path) -> Result<BTreeMap<String, PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
    Ok(entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|path| path.extension().is_some_and(|end| end == "c" || end == "f90"))
        .map(|path| (path.file_name().unwrap_or_default().to_string_lossy().into_owned(), path))
        .collect())
}

/// The tool as a library, made once for all tests of this folder.
pub(crate) fn tool() -> &'static Path {
    static TOOL: OnceLock<PathBuf> = OnceLock::new();
    TOOL.get_or_init(|| {
        let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_2015_events/tool");
        let sources = ["recorder.c", "signatures.h"].map(|name| folder().join(name));
        let header = workspace().join("include/ompt.h");
        let mut tool = Kept::new(&kept, "recorder.so").of(&identity(Program::Gcc));
        for source in sources.iter().chain([&header]) {
            tool = tool.of_file(source).expect("a source of the tool");
        }
        let make = |to: &Path| {
            let flags = ["-shared", "-fPIC", "-O1", "recorder.c"];
            let bench = Bench::new(FOLDER);
            let made = bench.compile(Program::Gcc, "recorder.so", &flags);
            fs::copy(made, to).map(drop).map_err(|error| error.to_string())
        };
        tool.made(make).expect("the tool")
    })
}

fn run(source: &Path, family: Family, language: Language) -> Result<(), String> {
    let text = fs::read_to_string(source).map_err(|error| error.to_string())?;
    let Source::Test(directives) = directives::parse(&text)? else {
        return Err("not a test".to_owned());
    };
    let expectation = expectation(&directives, family, language)?;
    let bench = Bench::new(FOLDER);
    let Some(executable) = build(&bench, source, family, &directives) else { return Ok(()) };
    // Programs vary one variable at most.
    let (name, values) = directives.vary.first().cloned().unwrap_or_default();
    let variables: Vec<(&str, &str)> =
        values.iter().map(|value| (name.as_str(), value.as_str())).collect();
    let runs: Vec<&[(&str, &str)]> = match variables.len() {
        0 => vec![&[]],
        _ => variables.chunks(1).collect(),
    };
    for _ in 0..directives.repeat {
        for more in &runs {
            once(&bench, &executable, source, family, &directives, more, &expectation)
                .map_err(|said| format!("{more:?}: {said}"))?;
        }
    }
    Ok(())
}

/// The expected events, as the program lists them or derived from what it lists.
fn expectation(
    directives: &Directives,
    family: Family,
    language: Language,
) -> Result<Expectation, String> {
    let lines = directives.trace.as_deref().unwrap_or_default();
    let lines = match language {
        Language::Report => expand(&pieces(&folder().join("pieces.trace"))?, lines, family)?,
        Language::Derived => {
            let pieces = pieces(&workspace().join("tests/expect/pieces.trace"))?;
            derive::derive(&expand(&pieces, lines, family)?)?
        }
    };
    language::parse(&lines)
}

/// Compiles a program; `None` without a Fortran compiler.
fn build(bench: &Bench, source: &Path, family: Family, directives: &Directives) -> Option<PathBuf> {
    let (path, include) = (source.to_string_lossy(), workspace().join("tests/include"));
    let include = format!("-I{}", include.display());
    let mut words = vec!["-g", "-fno-omit-frame-pointer", "-w", &*include];
    words.extend(directives.levels.first().map(String::as_str));
    words.extend(directives.flags.iter().map(String::as_str));
    let own = directives.flags_of.iter().filter(|(of, _)| *of == family);
    words.extend(own.map(|(_, word)| word.as_str()));
    words.push(&path);
    if !path.ends_with(".f90") {
        let compiler = match family {
            Family::Gcc => Compiler::Gcc,
            Family::Clang => Compiler::Clang,
        };
        return Some(bench.program(compiler, "program", &words));
    }
    let compiler = if family == Family::Gcc { Program::Gfortran } else { Program::Flang };
    words.retain(|word| *word != "-w");
    words.push("-fopenmp");
    has_all(&[compiler.into()]).then(|| bench.compile_fortran(compiler, "program", &words))
}

fn once(
    bench: &Bench,
    executable: &Path,
    source: &Path,
    family: Family,
    directives: &Directives,
    more: &[(&str, &str)],
    expectation: &Expectation,
) -> Result<(), String> {
    let file = bench.path("events");
    let mut variables: Vec<(&str, &str)> =
        directives.env.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    variables.extend(more);
    let arguments: Vec<&str> = directives.args.iter().map(String::as_str).collect();
    let mut log = record(bench, executable, &arguments, &variables, &file)?;
    let said = |reason: String| match keep(&file, source, family) {
        Some(kept) => format!("{reason}\nlog: {}", kept.display()),
        None => reason,
    };
    registration(&log).map_err(said)?;
    rules::check(&log).map_err(said)?;
    functions::check(&mut log, executable).map_err(said)?;
    functions::check_returns(&log, executable).map_err(said)?;
    let source_lines = SourceLines::new(executable, source)?;
    verdict::check(expectation, &log, &source_lines, Subject::Runtime).map_err(said)
}

/// Runs a program with the tool, which writes `file`.
///
/// # Errors
///
/// How the program ended, or what is wrong with the log.
pub(crate) fn record(
    bench: &Bench,
    executable: &Path,
    arguments: &[&str],
    variables: &[(&str, &str)],
    file: &Path,
) -> Result<Log, String> {
    let (tool, path) = (tool().to_string_lossy(), file.to_string_lossy());
    let mut all = vec![("LD_PRELOAD", &*tool), ("OXOMP_RECORD", &*path)];
    all.extend(variables.iter().copied());
    // Nothing may be left of an earlier run.
    let _ = fs::remove_file(file);
    let outcome = bench.run(executable, arguments, &all);
    if outcome.ending != Ending::Status(0) {
        return Err(format!("{outcome:#?}"));
    }
    let text = fs::read_to_string(file).map_err(|error| format!("no log: {error}"))?;
    log::parse(&text)
}

/// A copy of the log of a run that failed.
fn keep(file: &Path, source: &Path, family: Family) -> Option<PathBuf> {
    let name = source.file_name()?.to_string_lossy().into_owned();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report_2015_events");
    fs::create_dir_all(&folder).ok()?;
    let kept = folder.join(format!("{name}-{}.log", family.name()));
    fs::copy(file, &kept).ok()?;
    Some(kept)
}

fn pieces(path: &Path) -> Result<Vec<Line>, String> {
    let text = fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok((1..).zip(text.lines().map(|line| line.trim().to_owned())).collect())
}

/// The answers of `ompt_set_callback`: mandatory events are always reported, numbers without an
/// event are errors, and of the others the runtime says
/// which can never occur.
fn registration(log: &Log) -> Result<(), String> {
    // What a compiler's code may do without the runtime, or an instruction does; dependences that
    // do not block.
    const CONVENIENT: [&str; 9] = [
        "loop_begin",
        "loop_end",
        "master_begin",
        "master_end",
        "flush",
        "wait_atomic",
        "acquired_atomic",
        "release_atomic",
        "task_dependence_pair",
    ];
    let events: Vec<_> = log.callbacks.iter().collect();
    let names = events.iter().filter(|(name, _)| name.parse::<u32>().is_err()).count();
    if names != 69 || events.len() != 72 {
        return Err(format!("{names} events of {}", events.len()));
    }
    for (name, answer) in events {
        let is_right = match name.as_str() {
            "0" | "64" | "71" => answer == "0",
            // No compiler's code has a call for them.
            "workshare_begin" | "workshare_end" => answer == "2",
            "target_data_map_begin" | "target_data_map_end" => answer == "2",
            name if CONVENIENT.contains(&name) => answer == "3",
            // The mandatory ones are among these.
            _ => answer == "4",
        };
        if !is_right {
            return Err(format!("ompt_set_callback answers {answer} for {name}"));
        }
    }
    Ok(())
}
