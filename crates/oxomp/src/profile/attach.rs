//! `oxomp profile --pid`: records a process that runs already, on oxomp's runtime.

use std::env;
use std::io::{Write, stderr};
use std::path::Path;
use std::process::ExitCode;
use std::thread;
use std::time::{Duration, Instant};

use crate::attach::{Attachment, LOOK, Running};
use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::flight::{ENDED, Flight};
use crate::live::{Display, Screen};
use crate::messages::{say, say_all};
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::progress::Progress;
use crate::props::AttachProps;
use crate::signals::{stop_requests, usr1_requests};
use crate::slicing::Slicing;
use crate::terminal::style_of;
use crate::variables::Variables;

/// Records the process until the time is over, the user interrupts, or the process ends; prints the
/// summary on standard error.
pub(crate) fn attach(props: &AttachProps) -> Result<ExitCode, Failure> {
    let running = Running::find(props.pid)?;
    let asked_to_stop = stop_requests().map_err(|error| Failure::no_signals(&error))?;
    let folder = DataFolder::create(props.output.as_deref(), &running.name, None)?;
    let flight = props.last.as_ref().map(|last| Flight::new(last, &folder, None));
    let variables = variables(props, flight.as_ref());
    let recordings = flight.as_ref().map_or(folder.path(), Flight::ring).to_owned();
    let asked = flight.as_ref().map(|_| usr1_requests()).transpose();
    let asked = asked.map_err(|error| Failure::no_signals(&error))?;
    let attachment = Attachment::begin(&running, &folder, &recordings, &variables, &asked_to_stop)?;
    let Some(attachment) = attachment else {
        return Err(Failure::own(format!("nothing was recorded of process {}", props.pid)));
    };
    if props.verbose {
        say(format_args!("recording process {} to {}", props.pid, shown(folder.path())));
    }
    let following = flight.zip(asked).map(|(flight, asked)| flight.start(asked));
    let slicing = props.slices.map(|length| Slicing::start(folder.clone(), length));
    await_end(&attachment, props, &recordings, &asked_to_stop);
    let has_ended = !attachment.is_on();
    attachment.leave();
    if let Some(following) = following {
        following.finish(if has_ended { ENDED } else { "the recording ended" });
    }
    if let Some(slicing) = slicing {
        slicing.finish();
    }
    show(&folder)?;
    Ok(ExitCode::SUCCESS)
}

/// What the collector is given beside the folder.
fn variables(props: &AttachProps, flight: Option<&Flight>) -> Variables {
    let mut variables = Variables::new();
    for name in [
        "OXOMP_MAX_SIZE",
        "OXOMP_SAMPLER",
        "OXOMP_EVENTS",
        "OXOMP_BANDWIDTH",
        "OXOMP_FAKE_COUNTERS",
    ] {
        if let Some(value) = env::var_os(name) {
            variables.set(name, value);
        }
    }
    if let Some(hz) = props.hz {
        variables.set("OXOMP_HZ", hz.to_string());
    }
    if let Some(counters) = &props.counters {
        variables.set("OXOMP_COUNTERS", counters);
    }
    if props.live.is_some() || props.slices.is_some() {
        variables.set("OXOMP_LIVE", "1");
    }
    if let Some(flight) = flight {
        flight.set(&mut variables);
    }
    variables
}

/// Waits until the recording is to end.
fn await_end(
    attachment: &Attachment<'_>,
    props: &AttachProps,
    recordings: &Path,
    asked_to_stop: &dyn Fn() -> bool,
) {
    let begin = Instant::now();
    let mut display =
        props.live.map(|interval| Display::of(recordings, interval, Screen::of_errors()));
    let mut progress = Progress::begin();
    let is_over = || props.duration.is_some_and(|duration: Duration| begin.elapsed() >= duration);
    while attachment.is_on() && !is_over() && !asked_to_stop() {
        match &mut display {
            // Without standard error there is nothing to show; the recording goes on.
            Some(display) => display.show_if_due().map_or((), drop),
            None => progress.show("recording, Ctrl-C ends it"),
        }
        thread::sleep(LOOK);
    }
    progress.clear();
}

/// Prints the summary.
fn show(folder: &DataFolder) -> Result<(), Failure> {
    let mut run = RunProfiles::read(&folder.profiles()?);
    say_all(&run.unreadable);
    run.name_files(folder);
    run.keep_names();
    let notes = RunNotes {
        runtime_origin: Some("attached while the program ran".to_owned()),
        folder: Some(folder.path().to_owned()),
        ..RunNotes::default()
    };
    match run.render(&notes, style_of(&stderr())) {
        Some(text) => {
            // If standard error is closed, the summary is lost; the data stays.
            stderr().lock().write_all(text.as_bytes()).ok();
            Ok(())
        }
        None => Err(Failure::own(format!("nothing recorded in {}", shown(folder.path())))),
    }
}
