//! The `//#Name:value` directives of a test program.
//!
//! This module knows the grammar only; what a directive means for a run is in [`crate::case`] and
//! [`crate::trial`].

use std::time::Duration;

use regex_lite::Regex;

use crate::compiler::Family;
use crate::needs::Need;
use crate::trace::interface::Interface;

/// The directives of a test program.
#[derive(Debug, Clone)]
pub struct Directives {
    /// The compilers that build the program.
    pub compilers: Vec<Family>,
    /// Optimisation levels, each a configuration.
    pub levels: Vec<String>,
    /// Further words of the compiler's command line.
    pub flags: Vec<String>,
    /// Further words of the command line of the compiler named.
    pub flags_of: Vec<(Family, String)>,
    /// Sources compiled apart, each by a compiler of its own, and linked in.
    pub parts: Vec<Part>,
    /// Environment variables of the program.
    pub env: Vec<(String, String)>,
    /// Variables with several values, each a configuration.
    pub vary: Vec<(String, Vec<String>)>,
    /// The program's arguments.
    pub args: Vec<String>,
    /// The requirement on the machine; where it is not met the program is skipped.
    pub need: Option<Need>,
    /// How the program must end.
    pub status: Ending,
    /// Standard output must equal that of a run on the reference runtime.
    pub same_stdout: bool,
    /// Each pattern must be found in standard output.
    pub stdout: Vec<Regex>,
    /// Each pattern must be found in standard error.
    pub stderr: Vec<Regex>,
    /// Each pattern must be found in standard error of the programs of the compiler named.
    pub stderr_of: Vec<(Family, Regex)>,
    /// Standard error must be empty.
    pub no_stderr: bool,
    /// How often each trial runs the program.
    pub repeat: u32,
    /// After this long the program is killed and the trial fails.
    pub timeout: Duration,
    /// The compilers whose programs the reference runtime cannot pass, with the reason.
    pub reference_fails: Vec<(Family, String)>,
    /// Why the program cannot be run with the recorder, if it cannot.
    pub not_recorded: Option<String>,
    /// Why the program cannot be run with jitter, if it cannot.
    pub not_jittered: Option<String>,
    /// Why the program cannot be run in an emulator, if it cannot.
    pub not_emulated: Option<String>,
    /// Why LLVM's libomptarget cannot pass the program, if it cannot.
    pub stock_fails: Option<String>,
    /// Why LLVM's libomp cannot pass the program below any libomptarget, if it cannot.
    pub libomp_fails: Option<String>,
    /// A source of the folder that becomes a library, which the program opens itself.
    pub library: Option<String>,
    /// The expected OMPT events, one entry per line: line number and text.
    pub trace: Option<Vec<(usize, String)>>,
    /// The interface whose events these are.
    pub interface: Interface,
}

/// How a program must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// By an exit status.
    Status(i32),
    /// By a signal.
    Signal(i32),
}

/// A source file of the same folder, compiled by a given compiler.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The compiler that builds it.
    pub compiler: Family,
    /// The file's name.
    pub file: String,
}

/// The kind of a file under `tests/`.
#[derive(Debug)]
pub enum Source {
    /// A test program.
    Test(Box<Directives>),
    /// A part of one, named by its `With` directive.
    Part,
}

impl Default for Directives {
    fn default() -> Self {
        Self {
            compilers: vec![Family::Gcc, Family::Clang],
            levels: vec!["-O2".to_owned()],
            flags: Vec::new(),
            flags_of: Vec::new(),
            parts: Vec::new(),
            env: Vec::new(),
            vary: Vec::new(),
            args: Vec::new(),
            need: None,
            status: Ending::Status(0),
            same_stdout: false,
            stdout: Vec::new(),
            stderr: Vec::new(),
            stderr_of: Vec::new(),
            no_stderr: false,
            repeat: 1,
            timeout: Duration::from_secs(20),
            reference_fails: Vec::new(),
            not_recorded: None,
            not_jittered: None,
            not_emulated: None,
            stock_fails: None,
            libomp_fails: None,
            library: None,
            trace: None,
            interface: Interface::OpenMp,
        }
    }
}

/// Reads the directives of a source text.
///
/// # Errors
///
/// Names the line and what is wrong with it; an unknown directive is an error, so that a misspelled
/// expectation cannot pass for one that holds.
pub fn parse(source: &str) -> Result<Source, String> {
    let mut directives = Directives::default();
    for (index, line) in source.lines().enumerate() {
        let number = index + 1;
        // In Fortran the comment begins with an exclamation mark.
        let line = line.trim_start().trim_start_matches('!');
        if let Some(text) = line.strip_prefix("//|") {
            let Some(trace) = &mut directives.trace else {
                return Err(format!("line {number}: an expectation line before //#Trace"));
            };
            trace.push((number, text.trim().to_owned()));
        } else if let Some(directive) = line.strip_prefix("//#") {
            let (name, value) = directive.split_once(':').unwrap_or((directive, ""));
            if name == "Part" {
                return Ok(Source::Part);
            }
            directives
                .apply(name.trim(), value.trim())
                .map_err(|reason| format!("line {number}: //#{directive}: {reason}"))?;
        }
    }
    directives.check_processors()?;
    Ok(Source::Test(Box::new(directives)))
}

impl Directives {
    /// The words of this compiler's command line.
    #[must_use]
    pub fn flags_for(&self, compiler: Family) -> Vec<String> {
        let own = self.flags_of.iter().filter(|(family, _)| *family == compiler);
        self.flags.iter().chain(own.map(|(_, word)| word)).cloned().collect()
    }

    /// Whether the reference runtime cannot pass the program as this compiler builds it.
    #[must_use]
    pub fn fails_on_reference(&self, compiler: Family) -> bool {
        self.reference_fails.iter().any(|(family, _)| *family == compiler)
    }

    /// Whether the program has one more run with the recorder.
    #[must_use]
    pub fn records_apart(&self) -> bool {
        self.trace.is_none() && self.not_recorded.is_none()
    }

    /// Checks that the directives name no processor that the program does not ask for.
    fn check_processors(&self) -> Result<(), String> {
        let variables = self.env.iter().map(|(_, value)| value.as_str());
        let varied = self.vary.iter().flat_map(|(_, values)| values).map(String::as_str);
        let patterns = self.stderr.iter().chain(&self.stdout).map(Regex::as_str);
        let given = self.need.map_or(0, Need::processors);
        for text in variables.chain(varied).chain(patterns) {
            for named in text.split("<p").skip(1).filter_map(|rest| rest.split_once('>')) {
                if named.0.parse().is_ok_and(|number: usize| number >= given) {
                    return Err(format!("<p{}>: only {given} processors are asked for", named.0));
                }
            }
        }
        Ok(())
    }

    fn apply(&mut self, name: &str, value: &str) -> Result<(), String> {
        match name {
            "Compilers" => self.compilers = list(value, ',', Family::parse)?,
            "Opt" => self.levels = list(value, ',', |level| Ok(level.to_owned()))?,
            "Flags" => self.flags.extend(words(value)),
            "Flags[gcc]" => self.flags_of.extend(words(value).map(|word| (Family::Gcc, word))),
            "Flags[clang]" => self.flags_of.extend(words(value).map(|word| (Family::Clang, word))),
            "With" => self.parts.push(part(value)?),
            "Env" => self.env.push(assignment(value)?),
            "Vary" => {
                let (variable, values) = assignment(value)?;
                let values = list(&values, '|', |one| Ok(one.to_owned()))?;
                self.vary.push((variable, values));
            }
            "Threads" => {
                let counts = list(value, ',', |one| Ok(one.to_owned()))?;
                self.vary.push(("OMP_NUM_THREADS".to_owned(), counts));
            }
            "Args" => self.args.extend(words(value)),
            "Needs" if self.need.is_some() => return Err("given twice".to_owned()),
            "Needs" => self.need = Some(Need::parse(value)?),
            "Status" => self.status = ending(value)?,
            "SameStdoutAs" if value == "reference" => self.same_stdout = true,
            "SameStdoutAs" => return Err("only `reference` can be named".to_owned()),
            "Stdout" => self.stdout.push(pattern(value)?),
            "Stderr" => self.stderr.push(pattern(value)?),
            "Stderr[gcc]" => self.stderr_of.push((Family::Gcc, pattern(value)?)),
            "Stderr[clang]" => self.stderr_of.push((Family::Clang, pattern(value)?)),
            "NoStderr" => self.no_stderr = true,
            "Repeat" => {
                let times = value.parse().ok().filter(|times| *times > 0);
                self.repeat = times.ok_or_else(|| "not a number of times".to_owned())?;
            }
            "Timeout" => {
                let seconds = value.parse().map_err(|_| "not a number of seconds".to_owned())?;
                self.timeout = Duration::from_secs(seconds);
            }
            "ReferenceFails"
            | "ReferenceFails[gcc]"
            | "ReferenceFails[clang]"
            | "NotRecorded"
            | "NotJittered"
            | "NotEmulated"
            | "StockFails"
            | "LibompFails"
                if value.is_empty() =>
            {
                return Err("the reason is missing".to_owned());
            }
            "NotRecorded" => self.not_recorded = Some(value.to_owned()),
            "NotJittered" => self.not_jittered = Some(value.to_owned()),
            "NotEmulated" => self.not_emulated = Some(value.to_owned()),
            "StockFails" => self.stock_fails = Some(value.to_owned()),
            "LibompFails" => self.libomp_fails = Some(value.to_owned()),
            "Library" if value.is_empty() => return Err("the file's name is missing".to_owned()),
            "Library" => self.library = Some(value.to_owned()),
            "ReferenceFails" => {
                let both = [Family::Gcc, Family::Clang];
                self.reference_fails.extend(both.map(|family| (family, value.to_owned())));
            }
            "ReferenceFails[gcc]" => self.reference_fails.push((Family::Gcc, value.to_owned())),
            "ReferenceFails[clang]" => {
                self.reference_fails.push((Family::Clang, value.to_owned()));
            }
            "Trace" if self.trace.is_some() => return Err("given twice".to_owned()),
            "Trace" => {
                self.trace = Some(Vec::new());
                self.interface = Interface::parse(value)?;
            }
            _ => return Err("no such directive".to_owned()),
        }
        Ok(())
    }
}

fn words(value: &str) -> impl Iterator<Item = String> {
    value.split_whitespace().map(str::to_owned)
}

fn list<T>(
    value: &str,
    separator: char,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Vec<T>, String> {
    value
        .split(separator)
        .map(str::trim)
        .map(|one| if one.is_empty() { Err("an empty entry".to_owned()) } else { parse(one) })
        .collect()
}

fn assignment(value: &str) -> Result<(String, String), String> {
    match value.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("not of the form NAME=VALUE".to_owned()),
    }
}

fn part(value: &str) -> Result<Part, String> {
    let (compiler, file) = value.split_once(':').ok_or("not of the form COMPILER:FILE")?;
    Ok(Part { compiler: Family::parse(compiler.trim())?, file: file.trim().to_owned() })
}

fn ending(value: &str) -> Result<Ending, String> {
    let number = |text: &str| text.trim().parse::<i32>().map_err(|_| "not a number".to_owned());
    match value.strip_prefix("signal") {
        Some(signal) => Ok(Ending::Signal(number(signal)?)),
        None => Ok(Ending::Status(number(value)?)),
    }
}

fn pattern(value: &str) -> Result<Regex, String> {
    if value.is_empty() {
        return Err("the pattern is missing".to_owned());
    }
    Regex::new(value).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::{Directives, Ending, Family, Interface, Need, Source, parse};
    use std::time::Duration;

    fn test(source: &str) -> Directives {
        match parse(source).expect("the directives are right") {
            Source::Test(directives) => *directives,
            Source::Part => panic!("not a part"),
        }
    }

    #[test]
    fn a_file_without_directives_runs_with_both_compilers_and_must_succeed() {
        let directives = test("int main(void) { return 0; }\n");
        assert_eq!(directives.compilers, [Family::Gcc, Family::Clang]);
        assert_eq!(directives.levels, ["-O2"]);
        assert_eq!(directives.status, Ending::Status(0));
        assert!(directives.trace.is_none());
    }

    #[test]
    fn every_directive_is_read() {
        let directives = test(concat!(
            "//#Compilers:clang\n//#Opt:-O0,-O2\n//#Flags:-lm -pthread\n//#With:gcc:other.c\n",
            "//#Env:OMP_NUM_THREADS=4,2\n//#Threads:1,2\n//#Vary:OMP_WAIT_POLICY=active|passive\n",
            "//#Args:1 two\n//#Status:signal 6\n//#SameStdoutAs:reference\n//#Stderr:warn.*x\n",
            "//#NoStderr\n//#Repeat:4\n//#Timeout:3\n//#ReferenceFails:it hangs\n",
            "//#NotRecorded:it aborts\n//#NotJittered:it counts time\n//#Needs:2 processors\n",
            "//#StockFails:it leaks\n//#LibompFails:it asserts\n//#Library:image.c\n",
            "//#NotEmulated:it limits memory\n",
            "//#Trace\n//| primary:\n",
        ));
        assert_eq!(directives.compilers, [Family::Clang]);
        assert_eq!(directives.levels, ["-O0", "-O2"]);
        assert_eq!(directives.flags, ["-lm", "-pthread"]);
        assert_eq!(directives.parts[0].file, "other.c");
        assert_eq!(directives.env, [("OMP_NUM_THREADS".to_owned(), "4,2".to_owned())]);
        assert_eq!(directives.vary[0].1, ["1", "2"]);
        assert_eq!(directives.vary[1].1, ["active", "passive"]);
        assert_eq!(directives.args, ["1", "two"]);
        assert_eq!(directives.status, Ending::Signal(6));
        assert!(directives.same_stdout && directives.no_stderr);
        assert!(directives.stderr[0].is_match("a warning: x"));
        assert_eq!(directives.repeat, 4);
        assert_eq!(directives.timeout, Duration::from_secs(3));
        let reason = || "it hangs".to_owned();
        let both = [(Family::Gcc, reason()), (Family::Clang, reason())];
        assert_eq!(directives.reference_fails, both);
        assert!(directives.fails_on_reference(Family::Gcc));
        assert_eq!(directives.not_recorded.as_deref(), Some("it aborts"));
        assert_eq!(directives.not_jittered.as_deref(), Some("it counts time"));
        assert_eq!(directives.not_emulated.as_deref(), Some("it limits memory"));
        assert_eq!(directives.need, Some(Need::Processors(2)));
        assert_eq!(directives.trace, Some(vec![(24, "primary:".to_owned())]));
        assert_eq!(directives.stock_fails.as_deref(), Some("it leaks"));
        assert_eq!(directives.libomp_fails.as_deref(), Some("it asserts"));
        assert_eq!(directives.library.as_deref(), Some("image.c"));
    }

    #[test]
    fn the_reference_may_fail_with_one_compiler_only() {
        let directives = test("//#ReferenceFails[gcc]:another kind\n");
        assert!(directives.fails_on_reference(Family::Gcc));
        assert!(!directives.fails_on_reference(Family::Clang));
    }

    #[test]
    fn flags_may_be_of_one_compiler() {
        let directives =
            test("//#Flags:-lm\n//#Flags[clang]:-Wno-a -Wno-b\n//#Flags[gcc]:-Wno-c\n");
        assert_eq!(directives.flags_for(Family::Gcc), ["-lm", "-Wno-c"]);
        assert_eq!(directives.flags_for(Family::Clang), ["-lm", "-Wno-a", "-Wno-b"]);
    }

    #[test]
    fn what_is_told_may_depend_on_the_compiler() {
        let directives = test("//#Stderr[gcc]:main\\+0x\n//#Stderr[clang]:a\\.c:3\n");
        let patterns = &directives.stderr_of;
        assert!(patterns[0].0 == Family::Gcc && patterns[0].1.is_match("main+0x1"));
        assert!(patterns[1].0 == Family::Clang && patterns[1].1.is_match("a.c:3"));
    }

    #[test]
    fn mistakes_name_the_line() {
        for (source, wanted) in [
            ("\n//#Stattus:0\n", "line 2: //#Stattus:0: no such directive"),
            ("//#Env:OMP_NUM_THREADS\n", "not of the form NAME=VALUE"),
            ("//#Compilers:icc\n", "icc"),
            ("//#Stderr:(\n", "line 1"),
            ("//#Status:one\n", "not a number"),
            ("//#Threads:1,,2\n", "an empty entry"),
            ("//#NotJittered\n", "the reason is missing"),
            ("//#StockFails:\n", "the reason is missing"),
            ("//#Library:\n", "the file's name is missing"),
            ("//#Repeat:0\n", "not a number of times"),
            ("//| primary:\n", "before //#Trace"),
            ("//#SameStdoutAs:libgomp\n", "only `reference`"),
            ("//#Trace\n//#Trace\n", "given twice"),
            ("//#Needs:2 cores\n//#Needs:2 processors\n", "given twice"),
            ("//#Env:OMP_PLACES={<p0>}\n", "<p0>: only 0 processors"),
            ("//#Needs:1 processor\n//#Vary:OMP_PLACES={<p0>}|{<p1>}\n", "<p1>: only 1"),
        ] {
            let error = parse(source).expect_err(source);
            assert!(error.contains(wanted), "{source:?}: {error}");
        }
    }

    #[test]
    fn events_may_be_those_of_another_interface() {
        assert_eq!(test("//#Trace\n").interface, Interface::OpenMp);
        assert_eq!(test("//#Trace:2015\n").interface, Interface::Report2015);
        let error = parse("//#Trace:2014\n").expect_err("no such interface");
        assert!(error.contains("2014: the only interface"), "{error}");
    }

    #[test]
    fn directives_of_fortran_begin_as_its_comments_do() {
        assert_eq!(test("!//#Repeat:3\n!$omp barrier\n").repeat, 3);
    }

    #[test]
    fn a_part_is_no_test() {
        assert!(matches!(parse("//#Part:of mixed.c\n"), Ok(Source::Part)));
    }
}
