//! The resolver: assigns each thread's time to classes, which takes the events of several threads.
//!
//! Notation of the design: a region's F = begin, E = end, s = a member's begin, a = its arrival at
//! the last barrier, A = the last arrival, R = the release (the primary thread's end of that
//! barrier). Workers of other runtimes report the end of the barrier when the next region begins,
//! or never: a worker's report later than R is ignored.

use std::collections::BTreeMap;

use crate::model::{Doing, Member, Model, Next, Region};
use crate::summary::Class;
use crate::tasks::course::{Tasking, tasking};

/// The sums of a [`Model`], ns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Resolved {
    /// Per thread of the model: time per class.
    pub threads: Vec<[u64; Class::COUNT]>,
    /// Per region of the model.
    pub regions: Vec<RegionTimes>,
    /// Per barrier wait of the model, the parts of its time.
    pub barriers: Vec<BarrierTimes>,
    /// Intervals in which at least one region ran: disjoint, in order.
    pub busy: Vec<(u64, u64)>,
    /// Workers' barrier ends that were reported long after the region's end, where the runtime
    /// does so as a rule.
    pub overdue: u64,
    /// The explicit tasks of the regions that executed some, by index in [`Model::regions`].
    pub(crate) tasking: BTreeMap<u32, Tasking>,
}

impl Resolved {
    /// Moves `time` of the threads from one class to another, of each thread in proportion to what
    /// it has in the first one.
    pub(crate) fn move_part(&mut self, from: Class, to: Class, time: u64) {
        let total: u64 = self.threads.iter().map(|classes| classes[from as usize]).sum();
        if total == 0 {
            return;
        }
        let part = (time as f64 / total as f64).min(1.0);
        for classes in &mut self.threads {
            let own = &mut classes[from as usize];
            let moved = ((*own as f64 * part) as u64).min(*own);
            *own -= moved;
            classes[to as usize] = classes[to as usize].saturating_add(moved);
        }
    }
}

/// The time of a thread's stay in a barrier, without the tasks that it executed meanwhile, ns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BarrierTimes {
    /// Until the last arrival, while no tasks of the team were under way.
    pub imbalance: u64,
    /// After the last arrival, while no tasks of the team were under way.
    ///
    /// A thread that the barrier released, but that had no processor to leave it on, has that time
    /// here too. No recording can tell the two apart: the collector looks at a thread's processor
    /// time at the ends of user code only, since a look takes longer than a barrier, and where
    /// threads sleep in barriers, a wait without a processor is what a barrier does.
    pub cost: u64,
    /// While tasks of the team were under way, but none was ready for this thread.
    pub starved: u64,
}

/// A worker's barrier end that is reported sooner than this after the region's end is prompt, ns:
/// the specification lets it come later than the primary thread's, and a worker that has to be
/// woken may wait for a processor for a few of the system's time slices, 3 to 4 ms each.
const PROMPT_NS: u64 = 15_000_000;

/// Workers' barrier ends that could have been prompt or not.
#[derive(Debug, Clone, Copy, Default)]
struct Ends {
    prompt: u64,
    overdue: u64,
}

/// The times of one region, ns.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RegionTimes {
    /// The fork, or the first member's begin where no fork was recorded.
    pub begin: u64,
    /// The join; or, where it was not recorded, the end of its events or of the recording.
    pub end: u64,
    /// Threads in the team: the larger of the runtime's number and the number of members.
    pub size: u32,
    /// Sum over the threads per class; classes that do not occur inside regions are 0.
    pub by_class: [u64; Class::COUNT],
    /// The largest useful time of one thread.
    pub max_useful: u64,
}

/// When a region's last barrier was over.
#[derive(Debug, Clone, Copy, Default)]
struct Closing {
    begin: u64,
    last_arrival: u64,
    release: u64,
    end: u64,
}

impl Closing {
    fn of(region: &Region, model: &Model) -> Self {
        let members = || region.members.iter().map(|&member| &model.members[member as usize]);
        let begin = region
            .begin
            .or_else(|| members().map(|member| member.begin).min())
            .unwrap_or(model.end);
        let left = |member: &Member| member.release.or(member.arrival).unwrap_or(member.begin);
        // If the instance is only a part, the threads may have left the window without telling.
        let last = region.is_part.then(|| members().map(left).max()).flatten();
        let end = region.end.or(region.cut).or(last).unwrap_or(model.end).max(begin);
        let last_arrival = members()
            .map(|member| member.arrival.unwrap_or(end))
            .max()
            .unwrap_or(end)
            .clamp(begin, end);
        let release = region
            .primary
            .and_then(|primary| model.members[primary as usize].release)
            .unwrap_or(end)
            .clamp(last_arrival, end);
        Self { begin, last_arrival, release, end }
    }
}

/// The member or region to which a piece of time belongs, besides its thread.
#[derive(Debug, Clone, Copy)]
enum Owner {
    Nothing,
    Member(u32),
    Region(u32),
}

/// A member's time between two barriers of its region.
#[derive(Debug, Clone, Copy, Default)]
struct Phase {
    /// The end of the barrier before; 0 before the first.
    begin: u64,
    /// The barrier wait that was met last, and the end of the thread's stay in it so far.
    last: Option<(u32, u64)>,
}

/// An interval in which a thread had one class.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece {
    /// When it began.
    pub begin: u64,
    /// When it ended, exclusive.
    pub end: u64,
    /// The class of the time.
    pub class: Class,
    /// The region to which the time belongs, where one does: an index in [`Model::regions`].
    pub region: Option<u32>,
    /// The explicit task that the thread executed, if it did: an index in [`Model::tasks`].
    pub task: Option<u32>,
}

/// Takes a position in [`Model::threads`] and the next piece of that thread's time.
type Sink<'a> = dyn FnMut(usize, Piece) + 'a;

struct Resolver<'a> {
    model: &'a Model,
    sink: &'a mut Sink<'a>,
    closings: Vec<Closing>,
    /// Per member, its own useful time.
    useful: Vec<u64>,
    /// Per member, its progress through the barriers of the region.
    phases: Vec<Phase>,
    ends: Ends,
    resolved: Resolved,
    /// Position of the thread whose segments are being resolved, in [`Model::threads`].
    number: usize,
    /// The explicit task of the segment.
    task: Option<u32>,
    thread: [u64; Class::COUNT],
}

/// Classes for every segment of `model`.
#[must_use]
pub fn resolve(model: &Model) -> Resolved {
    resolve_pieces(model, &mut |_, _| {})
}

/// As [`resolve`], and gives `sink` the pieces of each thread's time, thread by thread in the order
/// of [`Model::threads`], each piece beginning where the one before ended. Waits that were folded
/// inside recorded time ([`Model::inner`]) are not among them: the time around contains them.
#[must_use]
pub fn resolve_pieces<'a>(model: &'a Model, sink: &'a mut Sink<'a>) -> Resolved {
    let closings: Vec<Closing> =
        model.regions.iter().map(|region| Closing::of(region, model)).collect();
    let regions = model.regions.iter().zip(&closings).map(|(region, closing)| RegionTimes {
        begin: closing.begin,
        end: closing.end,
        size: region.size.max(u32::try_from(region.members.len()).unwrap_or(u32::MAX)).max(1),
        ..RegionTimes::default()
    });
    let outermost = model.regions.iter().zip(&closings).filter(|(region, _)| !region.nested);
    let mut resolver = Resolver {
        model,
        sink,
        useful: vec![0; model.members.len()],
        phases: vec![Phase::default(); model.members.len()],
        ends: Ends::default(),
        resolved: Resolved {
            regions: regions.collect(),
            barriers: vec![BarrierTimes::default(); model.barrier_waits.len()],
            busy: union(outermost.map(|(_, closing)| (closing.begin, closing.end)).collect()),
            tasking: tasking(model),
            ..Resolved::default()
        },
        closings,
        number: 0,
        task: None,
        thread: [0; Class::COUNT],
    };
    for (number, thread) in model.threads.iter().enumerate() {
        resolver.number = number;
        resolver.thread = [0; Class::COUNT];
        for segment in &thread.segments {
            resolver.segment(segment.begin, segment.end, segment.doing);
        }
        resolver.resolved.threads.push(resolver.thread);
    }
    resolver.move_inner();
    resolver.close_members();
    // A runtime that reports these ends when the next region begins always does so. On other
    // runtimes a thread may have been without a processor for as long, but not most of the time.
    let Ends { prompt, overdue } = resolver.ends;
    resolver.resolved.overdue = if overdue > prompt { overdue } else { 0 };
    resolver.resolved
}

/// The union of intervals, disjoint and in order.
pub(crate) fn union(mut intervals: Vec<(u64, u64)>) -> Vec<(u64, u64)> {
    intervals.sort_unstable();
    let mut united: Vec<(u64, u64)> = Vec::new();
    for (begin, end) in intervals {
        match united.last_mut() {
            Some(last) if begin <= last.1 => last.1 = last.1.max(end),
            _ => united.push((begin, end)),
        }
    }
    united
}

/// How much of [begin, end) lies in `intervals`, which are disjoint and in order.
pub(crate) fn overlap(intervals: &[(u64, u64)], begin: u64, end: u64) -> u64 {
    let first = intervals.partition_point(|interval| interval.1 <= begin);
    intervals[first..]
        .iter()
        .take_while(|interval| interval.0 < end)
        .map(|interval| interval.1.min(end) - interval.0.max(begin))
        .sum()
}

impl Resolver<'_> {
    fn segment(&mut self, begin: u64, end: u64, doing: Doing) {
        self.task = match doing {
            Doing::Task(task) => Some(task),
            _ => None,
        };
        let (class, owner) = match doing {
            Doing::Useful(member) => (Class::Useful, owner(member)),
            Doing::Task(task) => {
                (Class::Useful, Owner::Member(self.model.tasks[task as usize].member))
            }
            Doing::Serial => (Class::Serial, Owner::Nothing),
            // The region's share of it is counted from the members' begins.
            Doing::Fork { .. } => (Class::ForkJoin, Owner::Nothing),
            Doing::Taskwait(member) => (Class::Taskwait, owner(member)),
            Doing::Mutex(member) => (Class::Mutex, owner(member)),
            Doing::Barrier { wait } => return self.barrier(begin, end, wait),
            Doing::Tail { member, next } => return self.tail(begin, end, member, next),
            Doing::Idle { next } => return self.idle(begin, end, next),
        };
        self.piece(begin, end, class, owner);
    }

    /// Gives [begin, end), if it is not empty, to a class, and its paused parts to
    /// [`Class::Paused`]. Returns the length without those.
    fn piece(&mut self, begin: u64, end: u64, class: Class, owner: Owner) -> u64 {
        if begin >= end {
            return 0;
        }
        let paused = overlap(&self.model.pauses, begin, end);
        let length = end - begin - paused;
        self.give(begin, end, class, owner);
        self.thread[Class::Paused as usize] += paused;
        self.thread[class as usize] += length;
        let region = match owner {
            Owner::Nothing => return length,
            Owner::Region(region) => region,
            Owner::Member(member) => {
                if class == Class::Useful {
                    self.useful[member as usize] += length;
                }
                self.model.members[member as usize].region
            }
        };
        self.resolved.regions[region as usize].by_class[class as usize] += length;
        length
    }

    /// Gives the sink [begin, end) and the pauses in it.
    fn give(&mut self, begin: u64, end: u64, class: Class, owner: Owner) {
        let region = match owner {
            Owner::Nothing => None,
            Owner::Region(region) => Some(region),
            Owner::Member(member) => Some(self.model.members[member as usize].region),
        };
        let piece = Piece { begin, end, class, region, task: self.task };
        let mut from = begin;
        let first = self.model.pauses.partition_point(|pause| pause.1 <= begin);
        for &(pause, resume) in &self.model.pauses[first..] {
            if pause >= end {
                break;
            }
            let (pause, resume) = (pause.max(from), resume.min(end));
            if from < pause {
                (self.sink)(self.number, Piece { begin: from, end: pause, ..piece });
            }
            let paused = Piece { begin: pause, end: resume, class: Class::Paused, ..piece };
            (self.sink)(self.number, paused);
            from = resume;
        }
        if from < end {
            (self.sink)(self.number, Piece { begin: from, ..piece });
        }
    }

    /// A wait at a barrier for `class`: [`Class::Starved`] in the part that lies in `tasks`, the
    /// time during which tasks of the team were under way. Returns the lengths of the two parts.
    fn wait(
        &mut self,
        begin: u64,
        end: u64,
        class: Class,
        tasks: Option<(u64, u64)>,
        owner: Owner,
    ) -> (u64, u64) {
        let (from, until) = tasks.unwrap_or((end, end));
        let from = from.clamp(begin, end.max(begin));
        let until = until.clamp(from, end.max(begin));
        let before = self.piece(begin, from, class, owner);
        let starved = self.piece(from, until, Class::Starved, owner);
        let after = self.piece(until, end, class, owner);
        (before + after, starved)
    }

    /// A stay in a barrier inside a region: imbalance until the last arrival, then the barrier's
    /// cost; but starvation while tasks are under way.
    fn barrier(&mut self, begin: u64, end: u64, wait: u32) {
        let facts = &self.model.barrier_waits[wait as usize];
        let last = facts.member.and_then(|member| {
            let region = self.model.members[member as usize].region;
            self.model.regions[region as usize].last_arrivals.get(&facts.ordinal)
        });
        // A thread that is in a barrier until the recording ends waits for one that has not come.
        let split = match last {
            _ if !facts.left => end,
            Some(&last) => last.clamp(begin, end),
            None => begin,
        };
        let tasks = facts.member.and_then(|member| {
            let phase = &mut self.phases[member as usize];
            match &mut phase.last {
                Some((last, until)) if *last == wait => *until = end,
                other => {
                    phase.begin = other.map_or(phase.begin, |(_, until)| until);
                    *other = Some((wait, end));
                }
            }
            let region = self.model.members[member as usize].region;
            self.resolved.tasking.get(&region)?.hull(phase.begin, end)
        });
        let owner = owner(facts.member);
        let (imbalance, early) = self.wait(begin, split, Class::Imbalance, tasks, owner);
        let (cost, late) = self.wait(split, end, Class::Barrier, tasks, owner);
        let sums = &mut self.resolved.barriers[wait as usize];
        sums.imbalance += imbalance;
        sums.cost += cost;
        sums.starved += early + late;
    }

    /// The time from the arrival at a region's end on.
    fn tail(&mut self, begin: u64, end: u64, member: u32, next: Next) {
        let facts = &self.model.members[member as usize];
        let closing = self.closings[facts.region as usize];
        let region = Owner::Region(facts.region);
        // All members have the same release, as in the sums that threads form: under other runtimes
        // a thread does not report its own release.
        let release = closing.release;
        self.count_end(member, closing.end, end, next);
        let phase = self.phases[member as usize];
        let phase = phase.last.map_or(phase.begin, |(_, until)| until);
        let tasks = self
            .resolved
            .tasking
            .get(&facts.region)
            .and_then(|tasking| tasking.hull(phase, release));
        let mut from = begin;
        for (until, class) in [
            (closing.last_arrival, Class::Imbalance),
            (release, Class::Barrier),
            (closing.end, Class::ForkJoin),
        ] {
            let until = until.clamp(from, end);
            let tasks = tasks.filter(|_| class != Class::ForkJoin);
            self.wait(from, until, class, tasks, region);
            from = until;
        }
        self.idle(from, end, next);
    }

    /// Counts whether a worker's barrier end came promptly after its region's end, `closed`, if the
    /// worker's `next` event, at `until`, left time for that.
    fn count_end(&mut self, member: u32, closed: u64, until: u64, next: Next) {
        let facts = &self.model.members[member as usize];
        if self.model.regions[facts.region as usize].primary == Some(member) {
            return;
        }
        let forked = match next {
            Next::Nothing => until,
            Next::Region(next) => self.closings[next as usize].begin,
            Next::At(time) => time,
        };
        let prompt_until = closed.saturating_add(PROMPT_NS);
        match facts.release {
            Some(release) if forked > prompt_until => {
                if release > prompt_until {
                    self.ends.overdue += 1;
                } else {
                    self.ends.prompt += 1;
                }
            }
            _ => {}
        }
    }

    /// The time of a worker without work, until its region `next` begins.
    fn idle(&mut self, begin: u64, end: u64, next: Next) {
        let forked = match next {
            Next::Nothing => end,
            Next::Region(next) => self.closings[next as usize].begin.clamp(begin, end),
            Next::At(time) => time.clamp(begin, end),
        };
        let mut from = begin;
        let first = self.resolved.busy.partition_point(|interval| interval.1 <= begin);
        for index in first..self.resolved.busy.len() {
            let (busy, free) = self.resolved.busy[index];
            if busy >= forked {
                break;
            }
            let busy = busy.max(from);
            let free = free.min(forked);
            self.piece(from, busy, Class::SerialIdle, Owner::Nothing);
            self.piece(busy, free, Class::SpareIdle, Owner::Nothing);
            from = free;
        }
        self.piece(from, forked, Class::SerialIdle, Owner::Nothing);
        self.piece(forked, end, Class::ForkJoin, Owner::Nothing);
    }

    /// Moves folded waits to their classes: the recorded time around them contains them.
    fn move_inner(&mut self) {
        for inner in &self.model.inner {
            let Some(classes) = self.resolved.threads.get_mut(inner.thread) else { continue };
            let from = match inner.member {
                Some(_) => Class::Useful,
                None if self.model.threads[inner.thread].initial => Class::Serial,
                None => Class::SerialIdle,
            };
            let length = inner.length.min(classes[from as usize]);
            classes[from as usize] -= length;
            classes[inner.class as usize] += length;
            let Some(member) = inner.member else { continue };
            let useful = &mut self.useful[member as usize];
            let length = inner.length.min(*useful);
            *useful -= length;
            let region = self.model.members[member as usize].region;
            let times = &mut self.resolved.regions[region as usize].by_class;
            let length = length.min(times[Class::Useful as usize]);
            times[Class::Useful as usize] -= length;
            times[inner.class as usize] += length;
        }
    }

    /// Adds to each region its members' fork latency, and their useful time with nested regions as
    /// work.
    fn close_members(&mut self) {
        for (index, member) in self.model.members.iter().enumerate() {
            let times = &mut self.resolved.regions[member.region as usize];
            let closing = self.closings[member.region as usize];
            let fork = member.begin.clamp(closing.begin, closing.end) - closing.begin;
            times.by_class[Class::ForkJoin as usize] += fork;
            times.by_class[Class::Useful as usize] += member.nested;
            times.max_useful = times.max_useful.max(self.useful[index] + member.nested);
        }
    }
}

fn owner(member: Option<u32>) -> Owner {
    member.map_or(Owner::Nothing, Owner::Member)
}
