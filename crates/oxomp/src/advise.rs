//! `oxomp advise`: recorded costs, replayed under other schedules and numbers of threads.

use std::io::{Write, stdout};
use std::path::Path;
use std::process::ExitCode;

use oxomp_analysis::Analysis;
use oxomp_analysis::symbols::Symbols;
use oxomp_replay::{Advice, json, render};

use crate::data_folder::DataFolder;
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
    let mut best: Option<Analysis> = None;
    for file in &recordings_at(path)? {
        check_is_file(file).map_err(Failure::own)?;
        let what = format!("reading {}", file.display());
        let analysis = progress::show_while(&what, || read(file, &mut symbols))
            .map_err(|error| Failure::own(error.to_string()))?;
        let total = |one: &Analysis| one.summary.budget.total_ns;
        if best.as_ref().is_none_or(|best| total(best) < total(&analysis)) {
            best = Some(analysis);
        }
    }
    let Some(analysis) = best.filter(|analysis| !analysis.summary.regions.is_empty()) else {
        return Err(Failure::own(format!("{}: no parallel region was recorded", path.display())));
    };
    let advice = progress::show_while("replaying", || Advice::new(&analysis, props.threads));
    let text = if props.json {
        json(&analysis, &advice)
    } else {
        render(&analysis, &advice, props.region.as_deref(), style_of(&stdout()))
    };
    let mut output = stdout().lock();
    written(output.write_all(text.as_bytes()).and_then(|()| output.flush()))
}
