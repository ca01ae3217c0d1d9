//! `oxomp advise`: recorded costs, replayed under other schedules and numbers of threads.

use std::io::{Write, stdout};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use oxomp_analysis::Analysis;
use oxomp_analysis::symbols::Symbols;
use oxomp_replay::{Advice, json, render};

use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::launch::Ended;
use crate::messages::say;
use crate::output::written;
use crate::profile::profile_once;
use crate::program::Program;
use crate::progress;
use crate::props::{AdviseProps, AdviseSubject, ProfileProps};
use crate::recordings::{check_is_file, read, recordings_at};
use crate::terminal::style_of;

/// Other recordings that are named.
const NAMED: usize = 4;

/// Advises on a recording, or on a program that is recorded first.
pub(crate) fn advise(props: &AdviseProps) -> Result<ExitCode, Failure> {
    match &props.subject {
        AdviseSubject::Recording(path) => {
            show(props, path)?;
            Ok(ExitCode::SUCCESS)
        }
        AdviseSubject::Program { program, output, runtime } => {
            let name = Program::find(&program[0])?.short_name();
            let folder = DataFolder::create(output.as_deref(), &name, None)?;
            let profile = ProfileProps {
                verbose: false,
                output: Some(folder.path().to_owned()),
                repeat: None,
                hz: None,
                counters: None,
                live: None,
                last: None,
                slices: None,
                variables: Vec::new(),
                runtime: *runtime,
                program: program.clone(),
            };
            let ended = profile_once(&profile).inspect_err(|_| folder.discard_if_empty())?;
            // The program's exit status counts, as with `oxomp profile`.
            if folder.profiles()?.is_empty() {
                folder.discard_if_empty();
            } else if let Err(failure) = show(props, folder.path()) {
                say(failure);
            }
            Ok(Ended::pass_on(ended))
        }
    }
}

/// Prints the advice on a file, or on the process of a folder that used the most time.
fn show(props: &AdviseProps, path: &Path) -> Result<(), Failure> {
    let mut symbols = Symbols::new();
    let mut best: Option<(&Path, Analysis)> = None;
    let files = recordings_at(path)?;
    for file in &files {
        check_is_file(file).map_err(Failure::own)?;
        let what = format!("reading {}", file.display());
        let analysis = progress::show_while(&what, || read(file, &mut symbols))
            .map_err(|error| Failure::own(error.to_string()))?;
        let total = |one: &Analysis| one.summary.budget.total_ns;
        if best.as_ref().is_none_or(|(_, best)| total(best) < total(&analysis)) {
            best = Some((file, analysis));
        }
    }
    let best = best.filter(|(_, analysis)| !analysis.summary.regions.is_empty());
    let Some((file, analysis)) = best else {
        return Err(Failure::own(format!("{}: no parallel region was recorded", path.display())));
    };
    if files.len() > 1 {
        say(chosen(file, &analysis, &files));
    }
    let advice = progress::show_while("replaying", || Advice::new(&analysis, props.threads));
    let text = if props.json {
        json(&analysis, &advice)
    } else {
        render(&analysis, &advice, props.region.as_deref(), style_of(&stdout()))
    };
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}

/// Which of `files` the advice is on, and which are the others.
fn chosen(file: &Path, analysis: &Analysis, files: &[PathBuf]) -> String {
    let rank = analysis.profile.info.rank.as_ref();
    let process = match rank {
        Some(rank) => format!("rank {}", rank.number),
        None => format!("process {}", analysis.summary.header.pid),
    };
    let others = files.iter().filter(|other| *other != file).map(|other| shown(other));
    let mut others: Vec<String> = others.collect();
    let more = others.len().saturating_sub(NAMED);
    others.truncate(NAMED);
    if more > 0 {
        others.push(format!("{more} more"));
    }
    format!(
        "advice on {process}, which used the most time ({}); for another one name its recording: {}",
        shown(file),
        others.join(", ")
    )
}
