//! The slices of each thread, from the pieces of its time.

use std::collections::HashMap;

use oxomp_analysis::Analysis;
use oxomp_analysis::blame::mutex_kind;
use oxomp_analysis::model::{Doing, Work};
use oxomp_analysis::resolve::{Piece, resolve_pieces};
use oxomp_analysis::summary::Class;
use oxomp_analysis::work_kind;

use super::gaps::Gaps;
use super::slice::{Kind, Slice};

/// The slices of one thread after the other, by position in the model's threads, and the threads
/// that work at each time.
pub(crate) fn each_thread(
    analysis: &Analysis,
    gaps: &Gaps,
    window: (u64, u64),
    take: &mut dyn FnMut(usize, &[Slice]),
    at_work: &mut dyn FnMut(u64, u64),
) {
    let mut threads = Threads::new(analysis, gaps, window);
    let mut sink = |thread: usize, piece: Piece| {
        while threads.thread < thread {
            threads.flush(take);
            threads.begin(threads.thread + 1);
        }
        if let Some((begin, end)) = threads.piece(piece)
            && matches!(piece.class, Class::Useful | Class::Serial)
        {
            at_work(begin, end);
        }
    };
    // The sums are in the analysis already.
    drop(resolve_pieces(&analysis.model, &mut sink));
    let count = analysis.model.threads.len();
    while threads.thread < count {
        threads.flush(take);
        threads.begin(threads.thread + 1);
    }
}

/// A slice that has others inside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Of a region: an index in the model's regions.
    Region(u32),
    /// Of a worksharing construct, until the time at which it ends.
    Work { end: u64 },
}

struct Threads<'a> {
    analysis: &'a Analysis,
    gaps: &'a Gaps,
    window: (u64, u64),
    /// Positions of mutex waits, by begin, end and member.
    mutex_waits: HashMap<(u64, u64, Option<u32>), usize>,
    thread: usize,
    /// Until when the current thread's time is in slices.
    until: u64,
    /// Position of the segment that holds the current piece.
    segment: usize,
    slices: Vec<Slice>,
    /// What the thread is in, outermost first, with the positions of the slices.
    open: Vec<(Around, usize)>,
    /// The next worksharing construct of the current thread or of a later one.
    work: usize,
}

impl<'a> Threads<'a> {
    fn new(analysis: &'a Analysis, gaps: &'a Gaps, window: (u64, u64)) -> Self {
        let waits = analysis.model.mutex_waits.iter().enumerate();
        Self {
            analysis,
            gaps,
            window,
            mutex_waits: waits
                .map(|(position, wait)| ((wait.begin, wait.end, wait.member), position))
                .collect(),
            thread: 0,
            until: 0,
            segment: 0,
            slices: Vec::new(),
            open: Vec::new(),
            work: 0,
        }
    }

    /// Takes a piece of the current thread's time, and returns its part in the window.
    fn piece(&mut self, piece: Piece) -> Option<(u64, u64)> {
        let begin = piece.begin.max(self.window.0);
        let end = piece.end.min(self.window.1);
        let doing = self.doing(piece.begin);
        if piece.begin > self.until {
            self.gap(piece.begin);
        }
        self.until = self.until.max(piece.end);
        if begin >= end {
            return None;
        }
        let region = match doing {
            Some(Doing::Fork { region }) => Some(region),
            _ => piece.region,
        };
        self.enter(region, doing, begin);
        let mut from = begin;
        while from < end {
            self.enter_works(region, from);
            let to = self.next_change(from).min(end);
            for (_, slice) in &self.open {
                self.slices[*slice].end = to;
            }
            if let Some(kind) = self.kind(piece, doing) {
                let depth = self.depth();
                self.slices.push(Slice { begin: from, end: to, depth, kind });
            }
            from = to;
        }
        Some((begin, end))
    }

    /// Adds the stretches without events up to `until`: no slice goes on over them.
    fn gap(&mut self, until: u64) {
        let Self { gaps, thread, window, slices, .. } = self;
        let before = slices.len();
        gaps.slices(*thread, (self.until, until), *window, &mut |slice| slices.push(slice));
        if slices.len() > before {
            self.open.clear();
        }
        self.until = until;
    }

    fn depth(&self) -> u32 {
        u32::try_from(self.open.len()).unwrap_or(u32::MAX)
    }

    /// The activity of the current thread at `time`, which does not decrease.
    fn doing(&mut self, time: u64) -> Option<Doing> {
        let segments = &self.analysis.model.threads.get(self.thread)?.segments;
        while segments.get(self.segment).is_some_and(|segment| segment.end <= time) {
            self.segment += 1;
        }
        segments.get(self.segment).map(|segment| segment.doing)
    }

    /// Leaves and enters regions, until the thread is in `region`.
    fn enter(&mut self, region: Option<u32>, doing: Option<Doing>, begin: u64) {
        let Some(region) = region else {
            self.open.clear();
            return;
        };
        let outer = self.analysis.model.regions[region as usize].outer;
        let own = doing.and_then(|doing| self.member(doing));
        let innermost = |open: &[(Around, usize)]| {
            open.iter().enumerate().rev().find_map(|(position, &(around, slice))| match around {
                Around::Region(region) => Some((position, region, slice)),
                Around::Work { .. } => None,
            })
        };
        while let Some((position, top, slice)) = innermost(&self.open) {
            if top == region {
                // The fork does not tell the member, the next piece does.
                if let Kind::Region { member: member @ None, .. } = &mut self.slices[slice].kind {
                    *member = own;
                }
                return;
            }
            let is_open = self.open.iter().any(|open| open.0 == Around::Region(region));
            if outer == Some(top) && !is_open {
                break;
            }
            self.open.truncate(position);
        }
        let kind = Kind::Region { region, member: own };
        let slice = Slice { begin, end: begin, depth: self.depth(), kind };
        self.open.push((Around::Region(region), self.slices.len()));
        self.slices.push(slice);
    }

    /// Leaves the worksharing constructs of `region` that end until `time`, and enters those that
    /// have begun. A thread that does not execute a single region has no slice of it.
    fn enter_works(&mut self, region: Option<u32>, time: u64) {
        while matches!(self.open.last(), Some((Around::Work { end }, _)) if *end <= time) {
            self.open.pop();
        }
        let model = &self.analysis.model;
        while let Some(work) = self.upcoming().filter(|work| work.begin <= time) {
            let index = u32::try_from(self.work).unwrap_or(u32::MAX);
            self.work += 1;
            let end = work.end.filter(|end| *end > time && work_kind(work.kind).is_some());
            let own = work.member.map(|member| model.members[member as usize].region);
            if let Some(end) = end.filter(|_| own.is_some() && own == region) {
                let (depth, kind) = (self.depth(), Kind::Work(index));
                self.open.push((Around::Work { end }, self.slices.len()));
                self.slices.push(Slice { begin: time, end: time, depth, kind });
            }
        }
    }

    /// The current thread's next worksharing construct.
    fn upcoming(&self) -> Option<&'a Work> {
        self.analysis.model.works.get(self.work).filter(|work| work.thread == self.thread)
    }

    /// When the thread next enters or leaves a worksharing construct after `time`.
    fn next_change(&self, time: u64) -> u64 {
        let leaves = match self.open.last() {
            Some((Around::Work { end }, _)) => *end,
            _ => u64::MAX,
        };
        let enters = self.upcoming().map_or(u64::MAX, |work| work.begin);
        leaves.min(enters).max(time + 1)
    }

    fn member(&self, doing: Doing) -> Option<u32> {
        let model = &self.analysis.model;
        match doing {
            Doing::Useful(member) | Doing::Taskwait(member) | Doing::Mutex(member) => member,
            Doing::Tail { member, .. } => Some(member),
            Doing::Task(task) => Some(model.tasks[task as usize].member),
            Doing::Barrier { wait } => model.barrier_waits[wait as usize].member,
            Doing::Serial | Doing::Fork { .. } | Doing::Idle { .. } => None,
        }
    }

    /// What to show of a piece besides the regions that it is in.
    fn kind(&self, piece: Piece, doing: Option<Doing>) -> Option<Kind> {
        let model = &self.analysis.model;
        let wait = |code, mutex| Some(Kind::Wait { class: piece.class, code, mutex });
        match (piece.class, doing) {
            (Class::SerialIdle | Class::SpareIdle, _) => None,
            (Class::Useful, _) => piece.task.map(Kind::Task),
            (Class::Mutex, Some(Doing::Mutex(member))) => {
                let position = self.mutex_waits.get(&(piece.begin, piece.end, member));
                match position.map(|position| &model.mutex_waits[*position]) {
                    Some(found) => wait(Some(found.code), Some(mutex_kind(found.kind))),
                    None => wait(None, None),
                }
            }
            (_, Some(Doing::Barrier { wait: index })) => {
                Some(Kind::Barrier { class: piece.class, wait: index })
            }
            _ => wait(None, None),
        }
    }

    /// Begins with the time of the thread at `position`.
    fn begin(&mut self, position: usize) {
        self.thread = position;
        self.work = self.analysis.model.works.partition_point(|work| work.thread < position);
    }

    fn flush(&mut self, take: &mut dyn FnMut(usize, &[Slice])) {
        self.gap(u64::MAX);
        if !self.slices.is_empty() {
            take(self.thread, &self.slices);
        }
        self.slices.clear();
        self.open.clear();
        self.segment = 0;
        self.until = 0;
    }
}
