//! The conclusion in words: a cause, not a percentage.

use oxomp_analysis::report::units::{percent, plural};
use oxomp_analysis::summary::Class;
use oxomp_compare::{Construct, ContendedCode, Contention, Noise};

use crate::losses::{Loss, Source};
use crate::numbers::{factor, ns, ratio};
use crate::part::Part;
use crate::region::RegionScale;
use crate::scale::Scale;

/// The efficiency from which a program is said to scale.
const SCALES: f64 = 0.8;
/// The part of the losses from which a lock stands for all locks of a region.
const MOST: f64 = 0.5;
/// The part of a region's samples from which code in which threads meet is named as a cause.
const MUCH: f64 = 0.1;
/// Samples of a region below which parts of them say nothing.
const ENOUGH: f64 = 20.0;

/// The conclusion in words.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Verdict {
    /// One sentence.
    pub headline: String,
    /// What else belongs to it.
    pub sentences: Vec<String>,
}

impl Verdict {
    pub(crate) fn of(scale: &Scale) -> Self {
        let mut sentences = Vec::new();
        let is_compared = scale.judged > 0 && !is_noise(scale);
        if is_compared && !scale.regions.is_empty() {
            sentences.extend(second_cause(scale));
            sentences.extend(first_to_stop(scale));
        }
        if scale.points.len() > 1 {
            sentences.extend(serial_part(scale));
        }
        Self { headline: headline(scale), sentences }
    }
}

fn headline(scale: &Scale) -> String {
    let (base, at) = (scale.base(), scale.at());
    let few = plural(base.threads.into(), "thread");
    if scale.regions.is_empty() {
        return "The program executes no parallel region, so that the number of threads changes \
                nothing."
            .to_owned();
    }
    if scale.judged == 0 {
        return match scale.points.len() {
            1 => format!(
                "There are runs with {few} only: it takes two numbers of threads to tell how the \
                 program scales."
            ),
            _ => format!(
                "There {} for the program: more threads than processors make nothing faster.",
                if scale.processors == 1 {
                    "is one processor".to_owned()
                } else {
                    format!("are {} processors", scale.processors)
                }
            ),
        };
    }
    if is_noise(scale) {
        return format!(
            "The noise hides how the program scales: runs with one number of threads differ by up \
             to {}.",
            percent(base.spread().max(at.spread()))
        );
    }
    if scale.regions.iter().all(|region| region.own_team(&scale.points).is_some()) {
        return "No region follows the number of threads: the program sets the size of its teams \
                itself (num_threads, omp_set_num_threads)."
            .to_owned();
    }
    let verb = if at.threads == 1 { "is" } else { "are" };
    let fast = format!("{} {verb}", plural(at.threads.into(), "thread"));
    let top = scale.losses[scale.judged].first().filter(|loss| loss.ns > 0.0);
    if at.efficiency() >= SCALES {
        let what = format!(
            "The program scales: {fast} {} times as fast as {}.",
            factor(at.speed_up),
            base.threads
        );
        return what;
    }
    let mut text = if at.speed_up < 1.0 {
        format!("{fast} slower than {} ({} times as fast)", base.threads, factor(at.speed_up))
    } else {
        format!(
            "{fast} {} times as fast as {}, not {}",
            factor(at.speed_up),
            base.threads,
            factor(at.ideal).trim_end_matches(".00")
        )
    };
    if let Some(loss) = top {
        let lost = positive(scale);
        text.push_str(&format!(
            ": {} of what is lost is {}",
            percent(ratio(loss.ns, lost)),
            cause(scale, scale.judged, loss)
        ));
    }
    text + "."
}

/// All losses of the judged point without what is faster than ideal, ns.
fn positive(scale: &Scale) -> f64 {
    scale.losses[scale.judged].iter().map(|loss| loss.ns.max(0.0)).sum()
}

/// The second largest loss, if it matters; of a program that scales, the largest.
fn second_cause(scale: &Scale) -> Option<String> {
    let (all, wall) = (&scale.losses[scale.judged], scale.at().wall_ns);
    let scales = scale.at().efficiency() >= SCALES;
    let loss = all.get(usize::from(!scales)).filter(|loss| loss.ns >= 0.02 * wall)?;
    let lead = if scales { "What is lost most is" } else { "Next comes" };
    Some(format!("{lead} {}: {} of {}.", cause(scale, scale.judged, loss), ns(loss.ns), ns(wall)))
}

fn first_to_stop(scale: &Scale) -> Option<String> {
    let stop = scale.stop?;
    let region = &scale.regions[stop.region];
    let (from, to) = (scale.points[stop.point - 1].threads, scale.points[stop.point].threads);
    let gained = match stop.gained {
        gained if gained <= 0.0 => "nothing".to_owned(),
        gained => format!("{} of what they could give", percent(gained)),
    };
    let blame = stop.blame.map(|part| {
        let loss = Loss { source: Source::Region(stop.region, part), ns: 0.0 };
        format!("; to blame is {}", cause(scale, stop.point, &loss))
    });
    Some(format!(
        "The first region to stop is {}: it gains {gained} from {from} to {to} threads{}.",
        named(&region.construct),
        blame.unwrap_or_default()
    ))
}

fn serial_part(scale: &Scale) -> Option<String> {
    let amdahl = &scale.amdahl;
    let base = scale.base();
    let single = match amdahl.single_ns {
        single if single > 0.0 => {
            format!(", {} of it in regions of one thread", ns(single))
        }
        _ => String::new(),
    };
    let serial = amdahl.outside_ns + amdahl.single_ns;
    (serial > 0.0).then(|| {
        format!(
            "Serial is {} of {} with {} ({}){single}: no number of threads can be more than {} \
             times as fast (Amdahl).",
            ns(serial),
            ns(base.run().wall_ns),
            plural(base.threads.into(), "thread"),
            percent(amdahl.share),
            factor(amdahl.limit)
        )
    })
}

/// Whether the runs of one number of threads differ so much that they hide what the threads gain.
pub(crate) fn is_noise(scale: &Scale) -> bool {
    let (base, at) = (scale.base(), scale.at());
    let walls = |run: &crate::measured::Measured| run.wall_ns;
    let (there, here) = (base.values(walls), at.values(walls));
    let possible = base.wall_ns * (1.0 - 1.0 / at.ideal);
    let widest = base.range_ns().max(at.range_ns());
    let hides = Noise::of(there.len(), here.len())
        .interval(&there, &here)
        .is_some_and(|range| range.low <= 0.0 && range.high >= 0.0);
    hides && widest > 0.5 * possible
}

/// A region as a sentence names it.
#[must_use]
pub(crate) fn named(construct: &Construct) -> String {
    construct.to_string()
}

/// What loses the time, as the end of a sentence.
pub(crate) fn cause(scale: &Scale, point: usize, loss: &Loss) -> String {
    let Source::Region(number, part) = loss.source else {
        return "code outside of every region, which no thread shares".to_owned();
    };
    let region = &scale.regions[number];
    let name = named(&region.construct);
    match part {
        Part::WorkInflation => inflation(scale, point, region),
        Part::SmallTeam => match region.own_team(&scale.points) {
            Some(team) => format!(
                "that {name} has teams of {} whatever the number",
                plural(team.into(), "thread")
            ),
            None => format!("that fewer threads than asked for do the work of {name}"),
        },
        Part::Iterations => format!("waiting for other iterations (doacross) in {name}"),
        Part::Turns => format!("waiting for turns in the reductions of {name}"),
        Part::Class(Class::Mutex) => match lock_of(scale, point, number) {
            Some(lock) => {
                let kind = lock.kind.name;
                format!("waiting for the {kind} at {} in {name}", lock.place())
            }
            None => format!("waiting for locks in {name}"),
        },
        Part::Class(Class::Imbalance) => {
            format!("load imbalance of {name}: threads wait for the slowest")
        }
        Part::Class(Class::Taskwait) => format!("waiting for tasks in {name}"),
        Part::Class(Class::Starved) => format!("too few ready tasks in {name}"),
        Part::Class(Class::Scheduler) => format!("a lack of processors in {name}"),
        Part::Class(Class::ForkJoin) => {
            let calls = plural(region.at[point].measured.calls, "execution");
            format!("starting and ending {name} ({calls})")
        }
        Part::Class(Class::Barrier) => format!("the cost of the barriers in {name}"),
        Part::Class(Class::Dispatch) => format!("handing out chunks in {name}"),
        Part::Class(class) => format!("{} in {name}", class.name()),
    }
}

fn inflation(scale: &Scale, point: usize, region: &RegionScale) -> String {
    let (few, many) = (&region.at[0].measured, &region.at[point].measured);
    let name = named(&region.construct);
    let base = scale.base().threads;
    if few.calls == 0 {
        return format!(
            "the work of {name}, which is not executed with {}",
            plural(base.into(), "thread")
        );
    }
    if let Some((few, many)) = region.more_work(point) {
        return format!("more work in {name}: {many} iterations instead of {few}");
    }
    let times = ratio(many.useful_ns(), few.useful_ns());
    let why = contention_of(scale, point, region)
        .map_or_else(|| "they share memory, caches or lines of them".to_owned(), contended);
    format!(
        "the work of {name} itself, which takes {} times the time of the threads that it takes \
         with {base}: {why}",
        factor(times)
    )
}

/// The code in which threads of the region meet in memory, if it has much of the region's samples
/// with the threads of `point`, and more of them than with the fewest.
#[must_use]
pub fn contention_of<'a>(
    scale: &'a Scale,
    point: usize,
    region: &RegionScale,
) -> Option<(Contention, &'a ContendedCode)> {
    let of = |point: usize, code: Contention| {
        scale.points[point].run().contention.get(&(region.construct.clone(), code))
    };
    let all = [Contention::SharedLines, Contention::AtomicUpdates, Contention::Spinning];
    let found = all.into_iter().filter_map(|code| {
        let here = of(point, code)?;
        let before = of(0, code).filter(|_| point > 0).map_or(0.0, |before| before.share);
        let matters = here.share >= MUCH && here.samples >= ENOUGH && here.share > before;
        matters.then_some((code, here))
    });
    found.max_by(|one, other| one.1.share.total_cmp(&other.1.share))
}

/// The lock, or the code in which threads meet in memory, that costs the region at `number` this
/// part with the threads of `point`; empty if none is known.
#[must_use]
pub fn named_cause(scale: &Scale, point: usize, number: usize, part: Part) -> String {
    match part {
        Part::Class(Class::Mutex) => lock_of(scale, point, number)
            .map_or_else(String::new, |lock| format!("{} {}", lock.kind.name, lock.place())),
        Part::WorkInflation => contention_of(scale, point, &scale.regions[number])
            .map_or_else(String::new, |(code, found)| format!("{} {}", code.name(), found.place)),
        _ => String::new(),
    }
}

fn contended((code, found): (Contention, &ContendedCode)) -> String {
    let part = percent(found.share);
    let what = match code {
        Contention::SharedLines => "uses of cache lines that threads share",
        Contention::AtomicUpdates => "atomic updates",
        Contention::Spinning => "a loop that waits for another thread to change a variable",
    };
    format!("{part} of its samples are at {what}, most at {}", found.place)
}

/// The lock that stands for the waits of the region at `number`, if there is one: recordings have
/// the waits by lock, not by lock and region.
#[must_use]
pub fn lock_of(scale: &Scale, point: usize, number: usize) -> Option<&Construct> {
    let region = &scale.regions[number];
    let run = scale.points[point].run();
    let waits = |region: &RegionScale| region.at[point].measured.losses[Class::Mutex as usize];
    let (own, all) = (waits(region), scale.regions.iter().map(waits).sum::<f64>());
    let is_alone = own >= 0.9 * all;
    let function =
        |construct: &Construct| construct.spot.as_ref().and_then(|spot| spot.function.clone());
    let candidates = run
        .locks
        .iter()
        .filter(|(lock, _)| is_alone || function(lock) == function(&region.construct));
    let (lock, waited) = candidates.max_by(|one, other| one.1.total_cmp(other.1))?;
    (own > 0.0 && *waited >= MOST * own).then_some(lock)
}
