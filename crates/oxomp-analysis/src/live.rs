//! The numbers of a part of a run, and what its threads do at the end of it, for a reader that
//! follows the recording.

use oxomp_symbols::Place;
use oxomp_trace::present::Doing;
use oxomp_trace::{Look, Profile};

use crate::calls::CallTree;
use crate::constructs::site;
use crate::directives::directives;
use crate::summarize::{normalised_by_construct, sums};
use crate::summary::{Summary, Thread};
use crate::symbols::Symbols;
use crate::tasks::waits::resolve_with_waits;

/// The numbers of a part of a run.
#[derive(Debug)]
pub struct Live {
    /// The numbers. Longest times are those of the whole recording.
    pub summary: Summary,
    /// The names of [`Summary::sites`], in their order.
    pub places: Vec<Place>,
    /// The threads that live at the end of the part, in the order in which they began.
    pub threads: Vec<LiveThread>,
}

/// A thread that lives.
#[derive(Debug)]
pub struct LiveThread {
    /// Its time in the part of the run.
    pub time: Thread,
    /// What it does; `None`: it is an idle worker.
    pub now: Option<Now>,
}

/// What a thread does.
#[derive(Debug)]
pub struct Now {
    /// Whether it computes.
    pub doing: Doing,
    /// The region in which it does; `None`: outside every region.
    pub region: Option<Place>,
    /// For how long it has, ns.
    pub lasts_ns: u64,
}

/// The name of the region at `code` in the recording that is looked at; `None` without one.
#[must_use]
pub fn place_of(look: &Look, code: u64, symbols: &mut Symbols) -> Option<Place> {
    if code == 0 {
        return None;
    }
    let profile = look.so_far();
    let (_, constructs) = normalised_by_construct(&profile, symbols);
    symbols.places(&[site(&profile.info, constructs.name(code))]).pop()
}

impl Live {
    /// The numbers of `profile`, which ends with `look`.
    #[must_use]
    pub fn new(profile: &Profile, look: &Look, symbols: &mut Symbols) -> Self {
        let (model, constructs) = normalised_by_construct(profile, symbols);
        let (resolved, waits) = resolve_with_waits(&model);
        let calls = CallTree::default();
        let mut summary = sums(profile, &model, &constructs, &calls, resolved, &waits);
        let places = symbols.places(&summary.sites);
        summary.directives = directives(&places, symbols);
        let living =
            summary.threads.iter().filter(|thread| thread.end_ns >= summary.header.wall_ns);
        let threads = living.map(|thread| {
            let now = look.present().iter().find(|present| present.tid == thread.tid);
            let now = now.map(|present| {
                let code = Some(constructs.name(present.code)).filter(|code| *code != 0);
                let region = code.map(|code| site(&profile.info, code));
                Now {
                    doing: present.doing,
                    region: region.and_then(|site| symbols.places(&[site]).pop()),
                    lasts_ns: look.lasts(present),
                }
            });
            LiveThread { time: thread.clone(), now }
        });
        let threads = threads.collect();
        Self { summary, places, threads }
    }
}
