//! Makes trials from the files under `tests/`, and runs each trial.

use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use oxomp_prerequisites::Prerequisite;
use oxomp_prerequisites::skipped::{has_all, is_emulated, skip};
use regex_lite::Regex;
use tempfile::NamedTempFile;

use crate::case::{Case, expand};
use crate::compiler::{Executables, Family};
use crate::diff::first_difference;
use crate::directives::{Directives, Ending, Source, parse};
use crate::file::{self, TestFile};
use crate::jitter::{Jitter, Library, PATIENCE};
use crate::needs::{Need, command_on, with_processors};
use crate::process::{Outcome, clear_environment, run, shown};
use crate::reference::References;
use crate::runtime::check_loaded;
use crate::settings::{PROGRAMS, Settings, Subject};
use crate::trace;
use crate::trace::interface::Interface;

/// Lines of standard error that a failure shows.
const STDERR_LINES: usize = 30;

/// The data that all trials of a run share.
#[derive(Debug)]
pub struct Runner {
    settings: Settings,
    executables: Executables,
    references: References,
    jitter: Library,
}

/// The `main` of a binary whose tests are `trials`. They get the name of the only trial that is to
/// run, if the command line has one: nextest starts each trial in a process of its own, and reading
/// every program takes longer than running one.
#[must_use]
pub fn run_all(trials: impl FnOnce(Option<&str>) -> Result<Vec<Trial>, String>) -> ExitCode {
    let arguments = Arguments::from_args();
    let only = arguments.filter.as_deref().filter(|_| arguments.exact);
    match trials(only) {
        Ok(trials) => libtest_mimic::run(&arguments, trials).exit_code(),
        Err(reason) => {
            eprintln!("error: {reason}");
            ExitCode::FAILURE
        }
    }
}

impl Runner {
    /// A runner that keeps what it makes in the cache folder of `settings`.
    ///
    /// # Errors
    ///
    /// A folder or a reference runtime is missing.
    pub fn new(settings: Settings) -> Result<Self, String> {
        let include = settings.tests.join("include");
        let executables = Executables::new(settings.cache.join(PROGRAMS), include)?;
        let references = References::new(&settings.cache)?;
        let jitter = Library::new(&settings.tests, &settings.cache);
        Ok(Self { settings, executables, references, jitter })
    }

    /// One trial per case of every program under `tests/c` and `tests/fortran`, in the order of
    /// their names, which for Fortran begin with its folder; with `only`, the trials of the program
    /// to which the trial of this name belongs.
    ///
    /// A file whose directives are wrong becomes one trial that fails and says so.
    ///
    /// # Errors
    ///
    /// A folder that cannot be read.
    pub fn trials(self, only: Option<&str>) -> Result<Vec<Trial>, String> {
        let files = file::files(&self.settings.tests)?;
        let runner = Arc::new(self);
        let mut trials = Vec::new();
        for file in files.into_iter().filter(|file| may_have(&file.name, only)) {
            let text = file.text()?;
            let TestFile { name, source } = file;
            match parse(&text) {
                Ok(Source::Part) => {}
                Ok(Source::Test(directives)) => {
                    let cases = expand(&name, &source, &Arc::from(directives));
                    trials.extend(cases.into_iter().map(|case| Runner::trial(&runner, case)));
                }
                Err(mistake) => {
                    trials.push(Trial::test(name, move || Err(Failed::from(mistake))));
                }
            }
        }
        Ok(trials)
    }

    fn trial(runner: &Arc<Self>, case: Case) -> Trial {
        let apart = case.recorded && case.directives.trace.is_none();
        // Only oxomp has the interface of 2015.
        let ours = case.directives.interface == Interface::Report2015;
        let impossible = runner.settings.subject == Subject::Reference
            && (apart || ours || case.directives.fails_on_reference(case.recipe.compiler));
        // If all trials have jitter, the additional ones with jitter would repeat them.
        let jittered = match runner.settings.jitter {
            None => case.jittered && runner.settings.subject == Subject::Reference,
            Some(_) => case.jittered || case.directives.not_jittered.is_some(),
        };
        // Neither the multiplexer nor another interface changes a program without tools.
        let settings = &runner.settings;
        let other_tools = settings.multiplexer.is_some() || settings.interface != Interface::OpenMp;
        let alone = other_tools && !case.recorded;
        let runner = Arc::clone(runner);
        Trial::test(case.name.clone(), move || runner.perform(&case).map_err(Failed::from))
            .with_ignored_flag(impossible || jittered || alone)
    }

    /// The jitter that `case` runs with.
    fn jitter(&self, case: &Case) -> Option<Jitter> {
        self.settings.jitter.or(case.jittered.then(Jitter::default))
    }

    fn perform(&self, case: &Case) -> Result<(), String> {
        let Some(processors) = processors_for(case) else { return Ok(()) };
        let compilers: Vec<_> =
            case.recipe.programs().into_iter().map(Prerequisite::from).collect();
        if !has_all(&compilers) {
            return Ok(());
        }
        let executable = self.executables.get(&case.recipe)?;
        let repeat = case.directives.repeat;
        for turn in 1..=repeat {
            self.once(case, &executable, &processors).map_err(|reason| match repeat {
                1 => reason,
                _ => format!("in run {turn} of {repeat}: {reason}"),
            })?;
        }
        Ok(())
    }

    /// One run of `case`, on `processors` if there are any.
    fn once(&self, case: &Case, executable: &Path, processors: &[u32]) -> Result<(), String> {
        let directives = &case.directives;
        let folder = match self.settings.subject {
            Subject::Runtime => self.settings.runtime.as_path(),
            Subject::Reference if case.recorded => self.references.with_ompt(),
            Subject::Reference => self.references.folder(case.recipe.compiler),
        };
        let scratch = tempfile::tempdir().map_err(|error| format!("temporary folder: {error}"))?;
        let log = scratch.path().join(trace::LOG);
        let mut command = command(executable, case, folder, processors);
        if case.recorded {
            trace::enable(&mut command, &self.settings, case, scratch.path())?;
        }
        let jitter = self.jitter(case);
        if let Some(jitter) = jitter {
            jitter.enable(&mut command, self.jitter.get()?);
        }
        let limit = directives.timeout * if jitter.is_some() { PATIENCE } else { 1 };
        let counts = scratch.path().join("naps");
        let repeat = shown(&command);
        Jitter::count_in(&mut command, &counts);
        command.env("LD_DEBUG", "files").env("LD_DEBUG_OUTPUT", scratch.path().join("ld"));
        let outcome = run(&mut command, limit)
            .map_err(|error| format!("{}: {error}", executable.display()))?;

        let report = scratch.path().join(format!("ld.{}", outcome.pid));
        let report = fs::read_to_string(report).unwrap_or_default();
        let loaded = check_loaded(&report, folder);
        loaded
            .and_then(|()| jitter.map_or(Ok(()), |_| Jitter::check(&counts)))
            .and_then(|()| ended_as_expected(directives, &outcome))
            .and_then(|()| printed_as_expected(case, &outcome, processors))
            .and_then(|()| self.printed_as_reference(case, executable, &outcome, processors))
            .and_then(|()| match case.recorded {
                true => trace::check(&self.settings, case, executable, &log),
                false => Ok(()),
            })
            .map_err(|reason| {
                let mut said = failure(&reason, &repeat, &outcome);
                if let Some(kept) = self.keep_log(case, &log) {
                    said += &format!("the events: {}\n", kept.display());
                }
                said
            })
    }

    /// Keeps the recorder's log of a failed trial for reading.
    fn keep_log(&self, case: &Case, log: &Path) -> Option<PathBuf> {
        let name =
            if self.settings.multiplexer.is_some() { "failed-multiplexed" } else { "failed" };
        let folder = self.settings.cache.join(name);
        fs::create_dir_all(&folder).ok()?;
        let kept = folder.join(case.name.replace(['/', ' '], "_"));
        fs::copy(log, &kept).ok()?;
        Some(kept)
    }

    fn printed_as_reference(
        &self,
        case: &Case,
        executable: &Path,
        outcome: &Outcome,
        processors: &[u32],
    ) -> Result<(), String> {
        if !case.directives.same_stdout || self.settings.subject == Subject::Reference {
            return Ok(());
        }
        let expected = self.reference_output(case, executable, processors)?;
        match first_difference(&expected, &outcome.stdout) {
            Some(difference) => Err(format!(
                "standard output differs from the reference's (-) in ours (+): {difference}"
            )),
            None => Ok(()),
        }
    }

    /// The program's output on the reference runtime; kept, as it must always be the same.
    fn reference_output(
        &self,
        case: &Case,
        executable: &Path,
        processors: &[u32],
    ) -> Result<String, String> {
        let mut hasher = DefaultHasher::new();
        (executable, &case.env, &case.directives.args).hash(&mut hasher);
        let folder = self.settings.cache.join("outputs");
        let kept = folder.join(format!("{:016x}", hasher.finish()));
        if let Ok(output) = fs::read_to_string(&kept) {
            return Ok(output);
        }
        let runtime = self.references.folder(case.recipe.compiler);
        let mut command = command(executable, case, runtime, processors);
        let outcome = run(&mut command, case.directives.timeout * 3)
            .map_err(|error| format!("{}: {error}", executable.display()))?;
        ended_as_expected(&case.directives, &outcome)
            .map_err(|reason| format!("on the reference: {reason}\n{}", shown(&command)))?;
        let said = |error| format!("{}: {error}", kept.display());
        fs::create_dir_all(&folder).map_err(said)?;
        // Appears whole: a trial of the same program with jitter may be reading it.
        let mut unfinished = NamedTempFile::new_in(&folder).map_err(said)?;
        unfinished.write_all(outcome.stdout.as_bytes()).map_err(said)?;
        unfinished.persist(&kept).map_err(|error| said(error.error))?;
        Ok(outcome.stdout)
    }
}

/// Whether the trial `only` may be one of the program `name`: trials have names such as
/// `folder/file::compiler-level`.
pub(crate) fn may_have(name: &str, only: Option<&str>) -> bool {
    let Some(only) = only else { return true };
    only.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with("::"))
}

/// The processors for the program of `case`, none if it may use any; `None`, with a word about it,
/// where this machine cannot run the program.
pub(crate) fn processors_for(case: &Case) -> Option<Vec<u32>> {
    if let Some(reason) = case.directives.not_emulated.as_ref().filter(|_| is_emulated()) {
        eprintln!("skipped: {}: not in an emulator: {reason}", case.name);
        return None;
    }
    let met = case.directives.need.map_or(Ok(Vec::new()), Need::met);
    met.inspect_err(|reason| skip(&format!("{}: {reason}", case.name))).ok()
}

/// The command that runs a case on the runtime in `folder`, with nothing else from outside.
pub(crate) fn command(
    executable: &Path,
    case: &Case,
    folder: &Path,
    processors: &[u32],
) -> Command {
    let mut command = command_on(processors, executable);
    clear_environment(&mut command);
    command
        .args(&case.directives.args)
        .env("LD_LIBRARY_PATH", folder)
        .envs(case.env.iter().map(|(name, value)| (name, with_processors(value, processors))));
    command
}

/// Checks that the program came to its end, and by what its directives say.
pub(crate) fn ended_as_expected(directives: &Directives, outcome: &Outcome) -> Result<(), String> {
    if let Some(stacks) = &outcome.stacks {
        let ran = outcome.ran.as_secs();
        return Err(format!("still running after {ran} s, killed; its threads:\n{stacks}"));
    }
    if outcome.ending != directives.status {
        let said = |ending| match ending {
            Ending::Status(status) => format!("with status {status}"),
            Ending::Signal(signal) => format!("by signal {signal}"),
        };
        let (found, wanted) = (said(outcome.ending), said(directives.status));
        return Err(format!("it ended {found}, not {wanted}"));
    }
    Ok(())
}

/// Checks both outputs against the patterns of the directives.
pub(crate) fn printed_as_expected(
    case: &Case,
    outcome: &Outcome,
    processors: &[u32],
) -> Result<(), String> {
    let directives = &case.directives;
    let of_compiler = |(family, _): &&(Family, Regex)| *family == case.recipe.compiler;
    let told = directives.stderr_of.iter().filter(of_compiler).map(|(_, pattern)| pattern);
    let told: Vec<&Regex> = directives.stderr.iter().chain(told).collect();
    let checks = [
        ("standard output", directives.stdout.iter().collect(), &outcome.stdout),
        ("standard error", told, &outcome.stderr),
    ];
    for (stream, patterns, text) in checks {
        for pattern in patterns {
            let pattern = Regex::new(&with_processors(pattern.as_str(), processors))
                .map_err(|error| error.to_string())?;
            if !pattern.is_match(text) {
                return Err(format!("nothing in {stream} matches {pattern}"));
            }
        }
    }
    if directives.no_stderr && !outcome.stderr.is_empty() {
        return Err("standard error is not empty".to_owned());
    }
    Ok(())
}

/// The text of a failure: the reason, the command, and the ends of what the program printed.
pub(crate) fn failure(reason: &str, repeat: &str, outcome: &Outcome) -> String {
    let mut said = format!("{reason}\nto repeat it: {repeat}\n");
    for (stream, text) in [("output", &outcome.stdout), ("error", &outcome.stderr)] {
        let lines: Vec<&str> = text.lines().collect();
        if !lines.is_empty() {
            said += &format!("the end of standard {stream}:\n");
            for line in &lines[lines.len().saturating_sub(STDERR_LINES)..] {
                said += &format!("    {line}\n");
            }
        }
    }
    said
}

#[cfg(test)]
mod tests {
    use super::may_have;

    #[test]
    fn a_trial_is_sought_in_its_own_program() {
        assert!(may_have("loop/static.c", None));
        assert!(may_have("loop/static.c", Some("loop/static.c::gcc-O2::recorded")));
        assert!(may_have("loop/static.c", Some("loop/static.c")), "its directives are wrong");
        assert!(!may_have("loop/static.c", Some("loop/static.cpp::gcc-O2")));
        assert!(!may_have("loop/static.c", Some("loop/other.c::gcc-O2")));
    }
}
