//! The runs themselves: each number of threads in turn, as often as asked for.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Instant;

use oxomp_analysis::report::units::{plural, time};
use oxomp_trace::Rank;

use super::folder::{discard_empty, keep_processors, of_threads, set_aside};
use super::plan::{Plan, num_threads};
use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::launch::Ended;
use crate::messages::{say, say_all};
use crate::profile::profile_once;
use crate::program::Program;
use crate::props::{ProfileProps, ScaleSubject};
use crate::repetitions::repetition;
use crate::signals::stop_was_asked_for;

/// What became of a series.
#[derive(Debug)]
pub(super) struct Ran {
    /// How the last run ended.
    pub(super) last: Ended,
    /// Where the runs lie; `None` if the series left no run.
    pub(super) folder: Option<PathBuf>,
    /// Why the series ended, if it is not the program that ended it.
    pub(super) failure: Option<Failure>,
}

/// How a run leaves the series.
enum Next {
    GoesOn,
    Ends,
    Fails(Failure),
}

/// Runs the program of `subject`. A run that fails or records nothing is the last one, and so is
/// one during which the user asks for the end.
pub(super) fn run(subject: &ScaleSubject) -> Result<Ran, Failure> {
    let ScaleSubject::Program { program, threads, repeat, output, runtime, verbose } = subject
    else {
        return Err(Failure::own("there is no program to run"));
    };
    if let Some(rank) = Rank::of_process() {
        return Err(Failure::own(format!(
            "scale: this is rank {} of a parallel job, and each rank would run the program anew; \
             `oxomp scale` is for one process: run it without the launcher",
            rank.number
        )));
    }
    let found = Program::find(&program[0])?;
    let plan = Plan::new(threads);
    say_all(&plan.notes);
    let folder = DataFolder::create(output.as_deref(), &found.short_name(), None)?;
    if !super::folder::counts(folder.path()).is_empty() {
        return Err(Failure::own(format!(
            "{}: holds the runs of another scale; name another folder, or remove it",
            shown(folder.path())
        )));
    }
    keep_processors(folder.path(), plan.processors);
    let present = env::var("OMP_NUM_THREADS").ok();
    let props = ProfileProps {
        verbose: *verbose,
        output: None,
        repeat: Some(*repeat),
        runtime: *runtime,
        hz: None,
        counters: None,
        live: None,
        last: None,
        slices: None,
        variables: Vec::new(),
        program: program.clone(),
    };
    let all = plan.counts.len() as u32 * repeat;
    let mut last = Ended::exited(0);
    let mut failure = None;
    let mut note = String::new();
    let turns = (1..=*repeat).flat_map(|turn| plan.counts.iter().map(move |count| (turn, *count)));
    for (number, (turn, count)) in (1_u32..).zip(turns) {
        let what = format!("run {number} of {all}: {}", plural(count.into(), "thread"));
        say(format_args!("{what}{note}"));
        let begin = Instant::now();
        let output = of_threads(folder.path(), count).join(repetition(turn));
        let variable = ("OMP_NUM_THREADS", num_threads(count, present.as_deref()));
        let run = ProfileProps {
            output: Some(output.clone()),
            variables: vec![variable],
            ..props.clone()
        };
        match profile_once(&run) {
            Ok(ended) => last = ended,
            Err(why) => {
                failure = Some(why);
                break;
            }
        }
        let took = time(u64::try_from(begin.elapsed().as_nanos()).unwrap_or(u64::MAX));
        match next(last, &output, turn, &format!("{what}: "), &took) {
            Next::GoesOn => note = format!(" (the last took {took})"),
            Next::Ends => break,
            Next::Fails(why) => return Err(why),
        }
    }
    discard(&folder);
    let is_there = !super::folder::counts(folder.path()).is_empty();
    Ok(Ran { last, folder: is_there.then(|| folder.path().to_owned()), failure })
}

fn discard(folder: &DataFolder) {
    discard_empty(folder.path());
    folder.discard_if_empty();
}

/// Whether the series goes on after a run that ended as `last` and recorded into `output`.
fn next(last: Ended, output: &Path, turn: u32, what: &str, took: &str) -> Next {
    let asked = stop_was_asked_for();
    if asked || !last.is_success() {
        let how = last.by_signal();
        let how = how.unwrap_or_else(|| if asked { "interrupted" } else { "failed" }.into());
        say(format_args!("{what}{how} after {took}"));
        set_aside(output, turn);
        return Next::Ends;
    }
    let recorded = DataFolder::open(output).profiles().unwrap_or_default();
    let is_rank = |path: &PathBuf| {
        path.file_name().is_some_and(|name| name.to_string_lossy().starts_with("rank-"))
    };
    if recorded.iter().any(is_rank) {
        return Next::Fails(Failure::own(format!(
            "scale: the program is a parallel job (there are recordings of ranks in {}), and \
             `oxomp scale` is for one process: `oxomp profile` compares the ranks of a job",
            shown(output)
        )));
    }
    // The next one would record as little.
    if recorded.is_empty() { Next::Ends } else { Next::GoesOn }
}
