//! The verdict on a run in one sentence: to which cause the threads lose most time, and where.
//!
//! Text, page and JSON show the same sentence. It is formed from the summary alone, and says as
//! much as that knows: without a place it names the cause, without a loss the work.

mod memory;
mod words;

use memory::AtMemory;
use words::{amount, capital, code_name, line_name, line_of};

use crate::report::units::{count, plural, share};
use crate::report::{Names, awaited_events, spare_ns};
use crate::summary::{
    Blocked, Cause, Class, HotCode, Mutex, MutexKind, Region, SerialStretch, SiteId, Summary,
    Unreached,
};

/// Share of the threads' time below which a loss does not make a verdict.
const WORTH_A_VERDICT: f64 = 0.05;
/// Share of a loss that one place must have to stand for all of it.
const STANDS_FOR_ALL: f64 = 0.5;
/// The verdict on a run.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The class in which the threads lose most time; `None` if they lose little, or if nothing was
    /// recorded.
    pub class: Option<Class>,
    /// The part of the threads' recorded time in that class, from 0 to 1; without a class, the part
    /// in which they worked.
    pub share: f64,
    /// The place that has the largest part of the loss, where one is known.
    pub site: Option<SiteId>,
    /// The verdict as a sentence.
    pub text: String,
    /// A second sentence, on what the threads lose most time to apart from the first: where that
    /// lacks processors, which may be others' doing, and where the threads work.
    pub beside: Option<String>,
}

/// The verdict on the run of `summary`.
#[must_use]
pub fn verdict(summary: &Summary, names: Names<'_>) -> Verdict {
    let budget = &summary.budget;
    let recorded = budget.recorded_ns();
    let work = share(budget.class_ns(Class::Useful) + budget.class_ns(Class::Serial), recorded);
    let without_class =
        |text: String| Verdict { class: None, share: work, site: None, text, beside: None };
    if recorded == 0 {
        let has_code = summary.sampled.as_ref().is_some_and(|sampled| sampled.taken > 0);
        let text = match has_code {
            true => "The program did not use OpenMP: its threads were sampled.",
            false => "Nothing was recorded.",
        };
        return without_class(text.to_owned());
    }
    let losses = Class::ALL.into_iter().filter(|class| is_loss(*class));
    let most = losses.max_by_key(|class| budget.class_ns(*class));
    let loss = most.filter(|class| share(budget.class_ns(*class), recorded) >= WORTH_A_VERDICT);
    let words = Words { summary, names };
    let lost = loss.map_or(0.0, |class| share(budget.class_ns(class), recorded));
    let useful = share(budget.class_ns(Class::Useful), recorded);
    let at_memory = AtMemory::most(summary, names).filter(|one| one.part >= WORTH_A_VERDICT);
    if let Some(one) = at_memory.as_ref().filter(|one| one.part * useful > lost) {
        let text = match one.is_wait() {
            true => one.sentence(one.part * useful),
            false => of_work(summary, work, Some(one)),
        };
        let beside = loss.and_then(|class| words.also(class));
        return Verdict { site: one.region, beside, ..without_class(text) };
    }
    match loss {
        Some(class) => {
            let (text, site) = words.of_loss(class, lost);
            let beside =
                (class == Class::Scheduler).then(|| words.apart_from_processors()).flatten();
            Verdict { class: Some(class), share: lost, site, text, beside }
        }
        // A window may lie in the middle of a region.
        None if summary.regions.is_empty() && summary.header.window.is_none() => {
            without_class("No parallel region was recorded: one thread works alone.".to_owned())
        }
        None => without_class(of_work(summary, work, at_memory.as_ref())),
    }
}

/// Whether time of `class` is lost.
fn is_loss(class: Class) -> bool {
    !matches!(class, Class::Useful | Class::Serial | Class::Paused)
}

/// The sentence on a run whose losses are too small to name: it names the work, and how much of it
/// may be at memory (`at_memory`).
fn of_work(summary: &Summary, work: f64, at_memory: Option<&AtMemory>) -> String {
    let hottest = summary.sampled.as_ref().and_then(|sampled| {
        let code = sampled.code.first()?;
        Some((code, share(code.samples, sampled.taken)))
    });
    let hottest = hottest.map_or_else(String::new, |(code, part)| {
        format!(", {} of it in {}", amount(part), code_name(code))
    });
    let shared = at_memory.map_or_else(String::new, AtMemory::of_it);
    format!("The threads work for {} of their time{hottest}{shared}.", amount(work))
}

impl Verdict {
    /// All sentences.
    #[must_use]
    pub fn sentences(&self) -> String {
        match &self.beside {
            Some(beside) => format!("{} {beside}", self.text),
            None => self.text.clone(),
        }
    }
}

/// Sentences on losses.
struct Words<'a> {
    summary: &'a Summary,
    names: Names<'a>,
}

impl Words<'_> {
    /// The sentence, and the place that it names.
    fn of_loss(&self, class: Class, part: f64) -> (String, Option<SiteId>) {
        if matches!(class, Class::SerialIdle | Class::SerialWait) {
            return self.alone(class);
        }
        match self.activity(class) {
            Some((what, site)) => {
                (format!("For {} of their time the threads {what}.", amount(part)), site)
            }
            None => {
                let (place, site) = self.in_regions(class, "");
                let text = format!("{} of the threads' time is {class}{place}.", amount(part));
                (capital(&text), site)
            }
        }
    }

    /// What threads do in time of `class`, and where most; `None` for a class without words.
    fn activity(&self, class: Class) -> Option<(String, Option<SiteId>)> {
        let activity = match class {
            Class::Mutex => {
                let others = self.for_iterations().or_else(|| self.for_turns());
                others.unwrap_or_else(|| self.for_mutexes())
            }
            Class::Imbalance => self.for_the_last(),
            Class::Scheduler => (self.without_processor(), None),
            Class::Dispatch => self.for_chunks(),
            Class::Blocked => self.for_system(),
            Class::Barrier => self.in_regions(class, "pass barriers that all have reached"),
            Class::Taskwait | Class::Starved => self.for_events(class).unwrap_or_else(|| {
                self.in_regions(
                    class,
                    match class {
                        Class::Taskwait => "wait in taskwait or at a taskgroup's end",
                        _ => "find no task that is ready",
                    },
                )
            }),
            Class::ForkJoin => self.fork_join(),
            Class::SpareIdle => self.beside_smaller(),
            _ => return None,
        };
        Some(activity)
    }

    /// What the threads lose most time to, apart from the processors that they lack.
    fn apart_from_processors(&self) -> Option<String> {
        let others = Class::ALL.into_iter().filter(|one| is_loss(*one) && *one != Class::Scheduler);
        self.also(others.max_by_key(|class| self.summary.budget.class_ns(*class))?)
    }

    /// A second sentence, on a loss; `None` if it is not worth one.
    fn also(&self, class: Class) -> Option<String> {
        let budget = &self.summary.budget;
        let part = share(budget.class_ns(class), budget.recorded_ns());
        let (what, _) = self.activity(class).filter(|_| part >= WORTH_A_VERDICT)?;
        Some(format!("For {} of their time they {what}.", amount(part)))
    }

    fn for_mutexes(&self) -> (String, Option<SiteId>) {
        let mutexes = &self.summary.mutexes;
        let Some(most) = mutexes.iter().max_by_key(|mutex| mutex.lost_ns()) else {
            return ("wait for locks and criticals".to_owned(), None);
        };
        let all: u64 = mutexes.iter().map(Mutex::lost_ns).sum();
        let what = self.mutex(most);
        let text = if share(most.spin_ns, all) >= STANDS_FOR_ALL {
            format!("spin on {}{}", most.kind.test(), self.at(most.site))
        } else if share(most.lost_ns(), all) >= STANDS_FOR_ALL {
            format!("wait for {what}")
        } else {
            format!(
                "wait for locks and criticals at {} places, above all for {what}",
                mutexes.len()
            )
        };
        (text, most.site)
    }

    /// Waiting for events of tasks whose code is over, in the region that loses most by `class`.
    fn for_events(&self, class: Class) -> Option<(String, Option<SiteId>)> {
        let loss = |region: &&Region| region.gain.class_ns(class);
        let most = self.summary.regions.iter().max_by_key(loss)?;
        let (tasks, site) = awaited_events(most, self.summary)?;
        let place = self.at(site.or(most.site));
        Some((format!("wait for the events of {tasks}{place}, whose code is over (detach)"), site))
    }

    /// Waiting for other iterations of a doacross loop nest, where that is most of the class.
    fn for_iterations(&self) -> Option<(String, Option<SiteId>)> {
        let (most, place) = self.most_by(Cause::Doacross)?;
        let text = format!("wait for the iterations before theirs{place} ({})", most.function);
        Some((text, most.region))
    }

    /// Waiting for the turn to combine a part of a reduction, where that is most of the class.
    fn for_turns(&self) -> Option<(String, Option<SiteId>)> {
        let (most, place) = self.most_by(Cause::Reduction)?;
        Some((format!("wait for their turns to combine the reduction{place}"), most.region))
    }

    /// Waiting in the system, in user code of regions.
    fn for_system(&self) -> (String, Option<SiteId>) {
        let all = self.summary.budget.class_ns(Class::Blocked);
        let in_regions = |one: &&Blocked| one.region.is_some() && !one.cause.is_runtimes();
        let most = self.summary.blocked.iter().filter(in_regions).max_by_key(|one| one.time_ns);
        let stands =
            |one: &&Blocked| share(one.time_ns, all) >= STANDS_FOR_ALL && !one.function.is_empty();
        match most.filter(stands) {
            Some(one) => {
                let (place, cause) = (line_of(one), one.cause.name());
                (format!("wait in {}{place} ({cause})", one.function), one.region)
            }
            None => self.in_regions(Class::Blocked, "wait in the system"),
        }
    }

    /// Where threads wait most by `cause`, if that is most of the waits for mutexes.
    fn most_by(&self, cause: Cause) -> Option<(&Blocked, String)> {
        let waits = self.summary.blocked.iter().filter(|one| one.cause == cause);
        let time: u64 = waits.clone().map(|one| one.time_ns).sum();
        let all = self.summary.budget.class_ns(Class::Mutex);
        let most = waits.max_by_key(|one| one.time_ns)?;
        if share(time, all) < STANDS_FOR_ALL {
            return None;
        }
        Some((most, line_of(most)))
    }

    fn mutex(&self, mutex: &Mutex) -> String {
        let place = self.at(mutex.site);
        match mutex.kind {
            MutexKind::Lock | MutexKind::NestLock => {
                let taken = if place.is_empty() { "" } else { " that is taken" };
                format!("the {}{taken}{place}", mutex.kind.name())
            }
            MutexKind::Ordered => format!("their turn in the ordered region{place}"),
            kind => format!("the {}{place}", kind.name()),
        }
    }

    /// Waiting at barriers for the last thread.
    fn for_the_last(&self) -> (String, Option<SiteId>) {
        let all = self.summary.budget.class_ns(Class::Imbalance);
        let unreached = self.summary.unreached.first();
        if let Some(one) = unreached.filter(|one| share(one.time_ns, all) >= STANDS_FOR_ALL) {
            return self.for_ever(one);
        }
        let barrier = self.summary.barriers.iter().max_by_key(|barrier| barrier.imbalance_ns);
        match barrier.filter(|one| share(one.imbalance_ns, all) >= STANDS_FOR_ALL) {
            Some(barrier) => {
                let site = barrier.site.or(barrier.region);
                let words = barrier.words();
                let where_it_is = match words.strip_prefix("end of ") {
                    Some(construct) => format!("at the end of the {construct}"),
                    None => "at the barrier".to_owned(),
                };
                (format!("wait for the last one {where_it_is}{}", self.at(site)), site)
            }
            None => self.in_regions(Class::Imbalance, "wait for the last one to be done"),
        }
    }

    /// Being no part of a team while it works.
    fn beside_smaller(&self) -> (String, Option<SiteId>) {
        let regions = &self.summary.regions;
        let spare = |region: &Region| spare_ns(region, self.summary);
        let all: u64 = regions.iter().map(spare).sum();
        match regions.iter().max_by_key(|region| spare(region)).filter(|_| all > 0) {
            Some(most) => {
                let (team, place) = (most.team.1, self.at(most.site));
                let teams = match share(spare(most), all) < STANDS_FOR_ALL {
                    true => "smaller teams, above all that",
                    false => "the smaller team",
                };
                let threads = plural(team.into(), "thread");
                let text = format!("have nothing to do beside {teams} of {threads}{place}");
                (text, most.site)
            }
            None => ("have nothing to do beside a team that is smaller".to_owned(), None),
        }
    }

    /// Waiting at a barrier to which not all threads came.
    fn for_ever(&self, one: &Unreached) -> (String, Option<SiteId>) {
        let site = one.site.or(one.region);
        let barrier = match one.site {
            Some(_) => "the barrier",
            None => "the end of the region",
        };
        let others = match one.ended {
            0 => "others of the team had not reached when the program ended".to_owned(),
            ended => {
                let threads = plural(ended.into(), "thread");
                format!("{threads} of the team never reached, having ended before")
            }
        };
        (format!("wait at {barrier}{}, which {others}", self.at(site)), site)
    }

    fn for_chunks(&self) -> (String, Option<SiteId>) {
        match self.summary.loops.iter().max_by_key(|one| one.dispatch_ns) {
            Some(one) => {
                let site = one.site.or(one.region);
                let chunks = plural(one.chunks, "chunk");
                (
                    format!("fetch chunks: {chunks} of the {}{}", one.kind.name(), self.at(site)),
                    site,
                )
            }
            None => ("fetch chunks of loops".to_owned(), None),
        }
    }

    fn without_processor(&self) -> String {
        let header = &self.summary.header;
        let (threads, cpus) = (header.threads.max(header.max_team), header.allowed_cpus);
        if cpus > 0 && threads > cpus {
            let (threads, cpus) = (plural(threads.into(), "thread"), plural(cpus.into(), "CPU"));
            format!("lack a processor: {threads} share {cpus}")
        } else {
            "lack a processor: other programs, or other threads of this one, run on them".to_owned()
        }
    }

    /// Starting and ending regions.
    fn fork_join(&self) -> (String, Option<SiteId>) {
        let regions = &self.summary.regions;
        let gain = |region: &Region| region.gain.fork_join_ns;
        let losing = regions.iter().filter(|region| gain(region) > 0).count() as u64;
        let Some(most) = regions.iter().max_by_key(|region| gain(region)).filter(|_| losing > 0)
        else {
            return ("start and end regions".to_owned(), None);
        };
        let all: u64 = regions.iter().map(gain).sum();
        let (place, calls) = (self.at(most.site), plural(most.calls, "call"));
        let text = if share(gain(most), all) >= STANDS_FOR_ALL {
            format!("start and end the region{place}: {calls}")
        } else {
            let regions = plural(losing, "region");
            format!("start and end {regions}, above all that{place}")
        };
        (text, most.site)
    }

    /// `what`, with the region that loses most by `class`.
    fn in_regions(&self, class: Class, what: &str) -> (String, Option<SiteId>) {
        let regions = &self.summary.regions;
        let losing: Vec<_> =
            regions.iter().filter(|region| region.gain.class_ns(class) > 0).collect();
        let Some(most) = losing.iter().max_by_key(|region| region.gain.class_ns(class)) else {
            return (what.to_owned(), None);
        };
        let all: u64 = losing.iter().map(|region| region.gain.class_ns(class)).sum();
        let place = self.at(most.site);
        let text = if share(most.gain.class_ns(class), all) >= STANDS_FOR_ALL {
            format!("{what} in the region{place}")
        } else {
            let regions = count(losing.len() as u64);
            format!("{what} in {regions} regions, above all in that{place}")
        };
        (text, most.site)
    }

    /// One thread is outside of all regions.
    fn alone(&self, class: Class) -> (String, Option<SiteId>) {
        let (budget, header) = (&self.summary.budget, &self.summary.header);
        let serial = &self.summary.serial;
        let alone: u64 = serial.iter().map(|stretch| stretch.total_ns).sum();
        let waits = class == Class::SerialWait
            || budget.class_ns(Class::SerialWait) > budget.class_ns(Class::Serial);
        let who = match waits {
            true => "no region runs, and the initial thread waits",
            false => "only one thread works",
        };
        let mut text =
            format!("For {} of the run {who}", amount(share(alone, header.recorded_ns).min(1.0)));
        let most = serial.iter().max_by_key(|stretch| stretch.total_ns);
        if let Some(most) = most {
            let above =
                if share(most.total_ns, alone) < STANDS_FOR_ALL { ", above all" } else { "" };
            text.push_str(&format!("{above} {}", self.between(most)));
            if let Some(code) = self.hottest(most) {
                text.push_str(&format!(", most of it in {}", code_name(code)));
            }
        }
        (text + ".", most.and_then(|most| most.after.or(most.before)))
    }

    fn between(&self, stretch: &SerialStretch) -> String {
        let place = |site| self.line(site).unwrap_or_else(|| self.names.compact(site));
        match (stretch.after, stretch.before) {
            (None, None) => "from start to end".to_owned(),
            (None, before) => format!("before the region{}", self.at(before)),
            (after, None) => format!("after the region{}", self.at(after)),
            (after, before) if after == before => {
                format!("between the calls of the region{}", self.at(after))
            }
            (after, before) => {
                format!("between the regions at {} and {}", place(after), place(before))
            }
        }
    }

    /// The function that has most of a stretch's samples.
    fn hottest(&self, stretch: &SerialStretch) -> Option<&HotCode> {
        let sampled = self.summary.sampled.as_ref()?;
        let hot = sampled
            .stretches
            .iter()
            .find(|hot| (hot.after, hot.before) == (stretch.after, stretch.before))?;
        hot.code.first().filter(|code| share(code.samples, hot.samples) >= STANDS_FOR_ALL)
    }

    /// ` at line 12 of bins.c`, or the closest thing known; empty if nothing is.
    fn at(&self, site: Option<SiteId>) -> String {
        match self.line(site) {
            Some(line) => format!(" at {line}"),
            None => match self.names.place(site) {
                Some(place) if place.function.is_some() => {
                    format!(" in {}", self.names.compact(site))
                }
                Some(_) => format!(" at {}", self.names.compact(site)),
                None => String::new(),
            },
        }
    }

    /// `line 12 of bins.c`.
    fn line(&self, site: Option<SiteId>) -> Option<String> {
        self.names.place(site)?.line.as_ref().map(line_name)
    }
}
