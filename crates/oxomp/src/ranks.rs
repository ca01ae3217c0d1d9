//! The ranks of a parallel job, each below an `oxomp profile` of its own: all of them name their
//! recordings, and rank 0 prints when the others have ended.

use std::fs;
use std::io::{Write, stderr};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_analysis::report::rank_list;
use oxomp_trace::Rank;
use oxomp_trace::job_folder::{self, Mark};

use crate::data_folder::{DataFolder, shown};
use crate::failure::Failure;
use crate::launch::Ended;
use crate::messages::{say, say_all};
use crate::process_profiles::{RunNotes, RunProfiles};
use crate::terminal::style_of;

/// How long rank 0 waits for the next mark of another rank.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long rank 0 waits after the program was killed: then launchers kill all ranks, and their
/// parents soon after.
const PATIENCE_IN_DEATH: Duration = Duration::from_millis(400);
/// How long rank 0 waits at all.
const MOST_PATIENCE: Duration = Duration::from_secs(60);
/// Between two looks.
const LEAST_PAUSE: Duration = Duration::from_millis(5);
const MOST_PAUSE: Duration = Duration::from_millis(250);

/// Puts the rank's recordings in order once its program has ended. Rank 0 also waits for the
/// others, and prints what all of them recorded; false if no rank recorded anything.
pub(crate) fn show(
    rank: &Rank,
    folder: &DataFolder,
    ended: Ended,
    notes: RunNotes,
) -> Result<bool, Failure> {
    order(rank, folder)?;
    let how = ended.by_signal().unwrap_or_else(|| "by itself".to_owned());
    if ended.by_fault() {
        // The launcher kills the other ranks now, rank 0 perhaps before it has printed anything.
        say(format_args!(
            "rank {}: {how}; `oxomp report {}` shows what the ranks have recorded",
            rank.number,
            shown(folder.path())
        ));
    }
    if rank.number != 0 {
        folder.leave_mark(&how);
        return Ok(true);
    }
    let patience = if ended.by_signal().is_some() { PATIENCE_IN_DEATH } else { PATIENCE };
    wait_for_others(folder, rank, patience);
    // The rank leaves its own mark last: until then no other rank takes itself for the last one.
    folder.leave_mark(&how);
    let run = RunProfiles::read(&folder.profiles()?);
    run.keep_names();
    say_all(&run.unreadable);
    for path in &run.unbegun {
        say(format_args!("{}: the recording did not begin", shown(path)));
    }
    let warnings = warnings(folder);
    let notes = RunNotes { warnings, folder: Some(folder.path().to_owned()), ..notes };
    let is_nothing = run.active.is_empty();
    if is_nothing && run.unreadable.is_empty() && run.unbegun.is_empty() {
        for idle in &run.idle {
            fs::remove_file(&idle.path).ok();
        }
        return Ok(false);
    }
    if let Some(text) = run.render(&notes, style_of(&stderr())) {
        // If standard error is closed, the summary is lost; the data stays.
        stderr().lock().write_all(text.as_bytes()).ok();
    }
    Ok(true)
}

/// Removes the recordings of processes that did not use OpenMP, such as a script that starts the
/// program, where others of the rank did. Its only recording gets the rank's name.
fn order(rank: &Rank, folder: &DataFolder) -> Result<(), Failure> {
    let files = folder.own_profiles()?;
    if files.len() < 2 {
        return Ok(());
    }
    let mut run = RunProfiles::read(&files);
    for message in &run.unreadable {
        say(format_args!("rank {}: {message}", rank.number));
    }
    run.remove_idle();
    run.name_files(folder);
    Ok(())
}

/// Waits until each other rank has left its mark, or until no rank has left one for the time
/// `patience`.
fn wait_for_others(folder: &DataFolder, rank: &Rank, patience: Duration) {
    let begin = Instant::now();
    let (mut news, mut known) = (begin, 0);
    let mut pause = LEAST_PAUSE;
    loop {
        let marks = job_folder::marks(folder.path());
        let others = marks.iter().filter(|(number, _)| *number != rank.number);
        let ended = others.clone().filter(|(_, mark)| matches!(mark, Mark::Ended(_))).count();
        let awaited = rank.size.map_or(others.count(), |size| size as usize - 1);
        if ended >= awaited {
            return;
        }
        if ended > known {
            (news, known) = (Instant::now(), ended);
        }
        if news.elapsed() >= patience || begin.elapsed() >= MOST_PATIENCE {
            return;
        }
        thread::sleep(pause);
        pause = (pause * 2).min(MOST_PAUSE);
    }
}

/// What the ranks' marks say of those whose recordings cannot be whole.
pub(crate) fn warnings(folder: &DataFolder) -> Vec<String> {
    let mut warnings = Vec::new();
    let mut running = Vec::new();
    for (number, mark) in job_folder::marks(folder.path()) {
        match mark {
            Mark::Begun => running.push(number),
            Mark::Ended(how) if how.starts_with("killed") => {
                warnings.push(format!("rank {number} was {how}"));
            }
            Mark::Ended(_) => {}
        }
    }
    if !running.is_empty() {
        let ranks = rank_list(&running);
        let [verb, whose] = if running.len() == 1 { ["has", "its"] } else { ["have", "their"] };
        warnings.push(format!(
            "{ranks} {verb} not said to have ended: the numbers are those until now, or {whose} \
             `oxomp profile` was killed; `oxomp report {}` shows them anew",
            shown(folder.path())
        ));
    }
    warnings
}
