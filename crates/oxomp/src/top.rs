//! `oxomp top`: what the threads of a running process do, shown again and again.

use std::fs::{self, DirBuilder};
use std::os::unix::fs::DirBuilderExt;
use std::path::PathBuf;
use std::process::{self, ExitCode};
use std::{env, thread};

use crate::attach::{Attachment, LOOK, Running};
use crate::data_folder::DataFolder;
use crate::failure::Failure;
use crate::live::{Display, Screen};
use crate::messages::{reason, say};
use crate::output::written;
use crate::props::TopProps;
use crate::signals::stop_requests;
use crate::variables::Variables;

/// Room for the sums of thousands of threads.
const MAX_SIZE: &str = "64M";

/// Shows what the process does until the user interrupts, or the process ends.
pub(crate) fn top(props: &TopProps) -> Result<ExitCode, Failure> {
    let running = Running::find(props.pid)?;
    let asked_to_stop = stop_requests().map_err(|error| Failure::no_signals(&error))?;
    let scratch = Scratch::create()?;
    let folder = DataFolder::create(Some(&scratch.0), &running.name, None)?;
    let mut variables = Variables::new();
    variables.set("OXOMP_LIVE", "1");
    // Neither events nor samples: the file has the size of the sums, however long it takes.
    variables.set("OXOMP_EVENTS", "none");
    variables.set("OXOMP_HZ", "0");
    variables.set("OXOMP_MAX_SIZE", MAX_SIZE);
    let attachment =
        Attachment::begin(&running, &folder, folder.path(), &variables, &asked_to_stop)?;
    let Some(attachment) = attachment else {
        return Ok(ExitCode::SUCCESS);
    };
    let mut display = Display::of(folder.path(), props.interval, Screen::of_output());
    let mut views = 0;
    let mut shown = Ok(());
    while shown.is_ok() && props.count != Some(views) && !asked_to_stop() {
        if !attachment.is_on() {
            say(format_args!("{} has ended", running.named()));
            break;
        }
        shown = display.show_if_due().map(|is_shown| views += u32::from(is_shown));
        thread::sleep(LOOK);
    }
    attachment.leave();
    written(shown).map(|()| ExitCode::SUCCESS)
}

/// A folder that is removed with its contents.
#[derive(Debug)]
struct Scratch(PathBuf);

impl Scratch {
    /// A new folder, of our user alone.
    fn create() -> Result<Self, Failure> {
        let path = env::temp_dir().join(format!("oxomp-top-{}", process::id()));
        DirBuilder::new().mode(0o700).create(&path).map_err(|error| {
            Failure::own(format!("{}: cannot be made: {}", path.display(), reason(&error)))
        })?;
        Ok(Self(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // What cannot be removed lies in a folder for such things.
        fs::remove_dir_all(&self.0).ok();
    }
}
