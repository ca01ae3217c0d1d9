//! The profiles of a run, one per process that used OpenMP, as text.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use oxomp_analysis::Analysis;
use oxomp_analysis::ranks::{Brief, EventsByInstance, Job, JobEvents, RankEvents};
use oxomp_analysis::report::units::plural;
use oxomp_analysis::report::{JobNotes, Names, Notes, render, render_job, try_first};
use oxomp_analysis::summary::{Scope, Summary};
use oxomp_analysis::symbols::{Place, Symbols};
use oxomp_text::Style;
use oxomp_trace::ReadError;

use crate::data_folder::{DataFolder, shown};
use crate::file_size::file_size;
use crate::names;
use crate::progress::{self, Progress};
use crate::readers::{self, read_all};
use crate::recordings::{NotShown, check_is_file, read_part};

/// Facts about a run beyond its files.
#[derive(Debug, Default)]
pub(crate) struct RunNotes {
    /// How the runtime got under the program.
    pub(crate) runtime_origin: Option<String>,
    /// How the program ended, if by a signal.
    pub(crate) ended: Option<String>,
    /// What is amiss with ranks.
    pub(crate) warnings: Vec<String>,
    /// The folder, if all its recordings were read.
    pub(crate) folder: Option<PathBuf>,
    /// The part of the run that was read.
    pub(crate) scope: Scope,
}

/// A file, read and summed up.
#[derive(Debug)]
pub(crate) struct ProcessProfile {
    pub(crate) path: PathBuf,
    pub(crate) brief: Brief,
    /// The processor time of its samples, ns.
    sampled_ns: u64,
    /// The names of its places, as a text to keep.
    names: String,
}

/// All files of a run.
#[derive(Debug, Default)]
pub(crate) struct RunProfiles {
    /// Processes that used OpenMP, the one with the most threads' time first.
    pub(crate) active: Vec<ProcessProfile>,
    /// Processes that had a runtime and did not use it.
    pub(crate) idle: Vec<ProcessProfile>,
    /// How many of those there were.
    pub(crate) unused: usize,
    /// One message for each file that could not be read.
    pub(crate) unreadable: Vec<String>,
    /// Files in which the recording did not even begin.
    pub(crate) unbegun: Vec<PathBuf>,
    /// All numbers of the first active process, or else of an idle one, and the names of its sites.
    /// Of the others only what the comparison needs is kept: there may be hundreds.
    main: Option<Full>,
    /// What all processes did in messages and collective operations of MPI.
    pub(crate) events: EventsByInstance,
}

/// All numbers of a process.
#[derive(Debug)]
struct Full {
    summary: Summary,
    places: Vec<Place>,
    active: bool,
    sampled_ns: u64,
    events: Option<RankEvents>,
}

/// A process that did not use OpenMP is shown if the run has no other, and it computed for so long,
/// ns: its hot code is of interest.
const WORTH_SHOWING_NS: u64 = 200_000_000;

/// What is kept of a file.
enum One {
    Recording(Box<(ProcessProfile, Full)>),
    Unbegun,
    /// Why it cannot be read.
    Unreadable(String),
}

impl One {
    /// Reads a part of the file at `path`, after which the next one is read if `in_turn`.
    fn read(path: &Path, symbols: &mut Symbols, scope: &Scope, in_turn: bool) -> Self {
        if let Err(message) = check_is_file(path) {
            return Self::Unreadable(message);
        }
        let result = if in_turn {
            let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
            let what = format!("reading {} ({})", shown(path), file_size(size));
            progress::show_while(&what, || read_part(path, symbols, scope))
        } else {
            read_part(path, symbols, scope)
        };
        match result {
            Ok(analysis) if has_not_begun(&analysis.summary) => Self::Unbegun,
            Ok(analysis) => {
                let names = symbols.take_answers();
                Self::Recording(Box::new(kept(path.to_owned(), analysis, names)))
            }
            Err(NotShown::Unreadable(ReadError::InFile { source, .. }))
                if matches!(*source, ReadError::Empty) =>
            {
                Self::Unbegun
            }
            Err(error) => Self::Unreadable(error.to_string()),
        }
    }
}

/// What is kept of a recording, and all its numbers.
fn kept(path: PathBuf, mut analysis: Analysis, names: String) -> (ProcessProfile, Full) {
    let first = try_first(&analysis.summary, Names { places: &analysis.places });
    let first = first.advices.into_iter().next().map(|advice| advice.text);
    let brief = Brief { first, ..Brief::new(&analysis) };
    let active = brief.active;
    let sampled = analysis.summary.sampled.as_ref();
    let sampled_ns = sampled.map_or(0, |code| code.taken.saturating_mul(code.period_ns));
    let events = RankEvents::of(&mut analysis);
    let Analysis { summary, places, .. } = analysis;
    let full = Full { summary, places, active, sampled_ns, events };
    (ProcessProfile { path, brief, sampled_ns, names }, full)
}

impl RunProfiles {
    /// Reads `files`.
    pub(crate) fn read(files: &[PathBuf]) -> Self {
        Self::read_part(files, &Scope::Run)
    }

    /// Reads a part of each of `files`.
    pub(crate) fn read_part(files: &[PathBuf], scope: &Scope) -> Self {
        let mut run = Self::default();
        let mut progress = Progress::begin();
        let mut seen = Instant::now();
        let mut number = 0;
        let mut events = JobEvents::default();
        let in_turn = readers::threads(files.len()) == 1;
        let read = |path: &Path, symbols: &mut Symbols| One::read(path, symbols, scope, in_turn);
        read_all(files, read, |path, one| {
            number += 1;
            if seen.elapsed() >= progress::PATIENCE {
                progress.show(&format!("{number} of {} recordings read", files.len()));
                seen = Instant::now();
            }
            match one {
                One::Recording(one) => run.add(*one, &mut events),
                One::Unbegun => run.unbegun.push(path.to_owned()),
                One::Unreadable(message) => run.unreadable.push(message),
            }
        });
        progress.clear();
        run.unused = run.idle.len();
        run.events = events.together();
        run.sort();
        run
    }

    /// The files of all active processes, or of an idle one if no process was active.
    pub(crate) fn shown(&self) -> Vec<PathBuf> {
        let active = self.active.iter().map(|profile| profile.path.clone()).collect::<Vec<_>>();
        if !active.is_empty() {
            return active;
        }
        self.idle.first().map(|idle| idle.path.clone()).into_iter().collect()
    }

    /// Keeps the names of the active processes' places beside their recordings.
    pub(crate) fn keep_names(&self) {
        for profile in self.active.iter().chain(self.busiest_idle()) {
            names::keep(&profile.path, &profile.names);
        }
    }

    fn add(&mut self, read: (ProcessProfile, Full), events: &mut JobEvents) {
        let (mut profile, mut full) = read;
        let active = full.active;
        profile.brief.events = full.events.take().map(|own| events.add(own));
        let total = |full: &Full| match full.active {
            true => (true, full.summary.budget.total_ns),
            false => (false, full.sampled_ns),
        };
        // As the first of several equal ones is also the first in order.
        if self.main.as_ref().is_none_or(|main| total(&full) > total(main)) {
            self.main = Some(full);
        }
        let list = if active { &mut self.active } else { &mut self.idle };
        list.push(profile);
    }

    /// The process whose hot code is shown if no process used OpenMP.
    pub(crate) fn busiest_idle(&self) -> Option<&ProcessProfile> {
        let first = self.idle.first().filter(|_| self.active.is_empty());
        first.filter(|one| one.sampled_ns >= WORTH_SHOWING_NS)
    }

    /// Removes the recordings of idle processes, except where a rank has no other recording, and
    /// that of the busiest one if no process used OpenMP: a preloaded collector is in every process
    /// that the program starts.
    pub(crate) fn remove_idle(&mut self) {
        let kept = self.compared().into_iter().chain(self.busiest_idle());
        let kept: Vec<PathBuf> = kept.map(|one| one.path.clone()).collect();
        self.idle.retain(|idle| {
            // A file that cannot be removed does no harm.
            kept.contains(&idle.path) || fs::remove_file(&idle.path).is_err()
        });
    }

    /// Gives the recordings plain names, and a run's only one a name that is the same for every
    /// run.
    pub(crate) fn name_files(&mut self, folder: &DataFolder) {
        let is_alone = self.unreadable.is_empty() && self.idle.is_empty();
        if let ([], [only]) = (self.active.as_slice(), self.idle.as_mut_slice())
            && self.unreadable.is_empty()
            && only.brief.rank.is_none()
        {
            return folder.name_single(&mut only.path);
        }
        match self.active.as_mut_slice() {
            [only] if is_alone && only.brief.rank.is_none() => folder.name_single(&mut only.path),
            several => {
                several.sort_by_key(|one| one.brief.started_unix_ns);
                for ProcessProfile { path, brief, .. } in several.iter_mut() {
                    folder.name_plainly(path, brief.rank.as_ref(), brief.pid);
                }
                self.sort();
            }
        }
    }

    fn sort(&mut self) {
        self.active.sort_by_cached_key(|profile| std::cmp::Reverse(profile.brief.total_ns));
        self.idle.sort_by_cached_key(|profile| std::cmp::Reverse(profile.sampled_ns));
    }

    /// The only active process in full, or an idle one if no process was active; several active
    /// ones, or ranks, side by side; `None` without a process.
    pub(crate) fn render(&self, notes: &RunNotes, style: Style) -> Option<String> {
        let main = self.active.first().or(self.idle.first())?;
        let compared = self.compared();
        let mut text = String::new();
        if compared.len() > 1 {
            text = job_text(self.compare(&compared), &compared, notes, style);
            if compared.iter().any(|profile| profile.brief.rank.is_some()) {
                return Some(text);
            }
            text.push('\n');
        }
        let full = self.main.as_ref()?;
        let mut data = vec![data_line(&main.path)];
        if !self.active.is_empty() && self.unused > 0 {
            let processes = if self.unused == 1 { "process" } else { "processes" };
            data.push(format!("{} more {processes} had a runtime and no region", self.unused));
        }
        data.extend(rank_line(main));
        let notes = Notes {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            runtime_origin: notes.runtime_origin.clone(),
            ended: notes.ended.clone(),
            data,
        };
        text.push_str(&render(&full.summary, &full.places, &notes, style));
        Some(text)
    }

    /// The processes side by side; `None` if there are not several to compare.
    pub(crate) fn job(&self) -> Option<JobProfiles> {
        let compared = self.compared();
        (compared.len() > 1).then(|| self.compare(&compared))
    }

    /// `compared` side by side, with their waits for each other.
    fn compare(&self, compared: &[&ProcessProfile]) -> JobProfiles {
        let mut profiles = JobProfiles::new(compared);
        profiles.job.find_waits(&self.events);
        profiles
    }

    /// The active processes, and for each rank without an active one an idle one: a rank belongs to
    /// the job even if it only calls MPI.
    fn compared(&self) -> Vec<&ProcessProfile> {
        let mut compared: Vec<&ProcessProfile> = self.active.iter().collect();
        for idle in self.idle.iter().filter(|_| !self.active.is_empty()) {
            let number = |one: &ProcessProfile| one.brief.rank.as_ref().map(|rank| rank.number);
            if number(idle).is_some() && !compared.iter().any(|one| number(one) == number(idle)) {
                compared.push(idle);
            }
        }
        compared
    }
}

/// Several processes side by side, with how to see each one.
#[derive(Debug)]
pub(crate) struct JobProfiles {
    pub(crate) job: Job,
    /// The command that shows each process, in the job's order.
    pub(crate) commands: Vec<String>,
    /// The names of the recordings, in the same order.
    pub(crate) recordings: Vec<String>,
}

impl JobProfiles {
    fn new(compared: &[&ProcessProfile]) -> Self {
        let job = Job::new(compared.iter().map(|profile| profile.brief.clone()).collect());
        let path_of = |brief: &Brief| {
            let same = |one: &&&ProcessProfile| {
                (&one.brief.rank, one.brief.pid, &one.brief.hostname, one.brief.started_unix_ns)
                    == (&brief.rank, brief.pid, &brief.hostname, brief.started_unix_ns)
            };
            compared.iter().find(same).map(|one| one.path.as_path()).unwrap_or(Path::new(""))
        };
        let paths: Vec<&Path> = job.processes.iter().map(path_of).collect();
        let name = |path: &&Path| {
            path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default()
        };
        Self {
            commands: paths.iter().map(|path| format!("oxomp report {}", shown(path))).collect(),
            recordings: paths.iter().map(name).collect(),
            job,
        }
    }
}

/// The processes side by side.
fn job_text(
    profiles: JobProfiles,
    compared: &[&ProcessProfile],
    notes: &RunNotes,
    style: Style,
) -> String {
    let JobProfiles { job, commands, .. } = profiles;
    let size: u64 = compared
        .iter()
        .filter_map(|one| fs::metadata(&one.path).ok())
        .map(|metadata| metadata.len())
        .sum();
    let recordings = plural(compared.len() as u64, "recording");
    let mut data = vec![match &notes.folder {
        Some(folder) => format!("data: {} ({recordings}, {})", shown(folder), file_size(size)),
        None => format!("data: {recordings} ({})", file_size(size)),
    }];
    let example = job.imbalance.as_ref().map_or(0, |imbalance| imbalance.slowest);
    data.extend(commands.get(example).map(|command| format!("one of them: {command}")));
    let notes = JobNotes {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        scope: notes.scope.clone(),
        warnings: notes.warnings.clone(),
        commands,
        data,
    };
    render_job(&job, &notes, style)
}

/// Where the other ranks are.
fn rank_line(main: &ProcessProfile) -> Option<String> {
    let rank = main.brief.rank.as_ref()?;
    let of = rank.size.map(|size| format!(" of {size}")).unwrap_or_default();
    let folder = main.path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = folder.map_or_else(|| ".".to_owned(), shown);
    Some(format!("rank {}{of}: `oxomp report {folder}` shows all of them", rank.number))
}

/// Whether the collector made the file and then had no room for anything.
fn has_not_begun(summary: &Summary) -> bool {
    summary.header.runtime.is_empty()
        && summary.threads.is_empty()
        && summary.quality.damaged.is_empty()
}

fn data_line(path: &Path) -> String {
    let size = fs::metadata(path).map_or(0, |metadata| metadata.len());
    format!("data: {} ({})", shown(path), file_size(size))
}
