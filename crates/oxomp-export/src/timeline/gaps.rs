//! Stretches in which threads recorded no events: of each, only the sums of its time by class are
//! known, or of several together.

use oxomp_analysis::Analysis;
use oxomp_analysis::model::{Gap, Thread};
use oxomp_analysis::report::units::{percent, share};
use oxomp_analysis::summary::Class;

use super::slice::{Kind, Slice};

type Times = [u64; Class::COUNT];

/// The stretches of all threads, with the times by class that are shown for them: those of a thread
/// in order, and the threads in the model's order.
#[derive(Debug)]
pub(crate) struct Gaps {
    all: Vec<Gap>,
    /// By position in the model's threads, that of its first stretch in `all`, and the end.
    firsts: Vec<usize>,
}

impl Gaps {
    pub(crate) fn of(analysis: &Analysis) -> Self {
        let mut gaps = Self { all: Vec::new(), firsts: vec![0] };
        let threads = analysis.model.threads.iter().zip(&analysis.resolved.threads);
        for (thread, recorded) in threads {
            let all = analysis.summary.threads.iter().find(|one| one.number == thread.number);
            gaps.all.extend(of_thread(thread, recorded, all.map(|all| &all.by_class)));
            gaps.firsts.push(gaps.all.len());
        }
        gaps
    }

    /// The stretches of all threads.
    pub(crate) fn all(&self) -> &[Gap] {
        &self.all
    }

    /// The stretch that a slice of [`Kind::Gap`] shows.
    pub(crate) fn at(&self, number: u32) -> &Gap {
        &self.all[number as usize]
    }

    /// The slices of the parts of a thread's stretches that begin from `from` on, end until `until`
    /// and are in `window`. Inside each, the classes that have slices elsewhere too lie one after
    /// the other.
    pub(crate) fn slices(
        &self,
        thread: usize,
        (from, until): (u64, u64),
        window: (u64, u64),
        take: &mut dyn FnMut(Slice),
    ) {
        let (first, last) = (self.firsts[thread], self.firsts[thread + 1]);
        let own = &self.all[first..last];
        let before = own.partition_point(|gap| gap.begin < from);
        let inside = own.iter().zip(first..).skip(before).take_while(|(gap, _)| gap.end <= until);
        for (gap, number) in inside {
            let (begin, end) = (gap.begin.max(window.0), gap.end.min(window.1));
            if begin >= end {
                continue;
            }
            let kind = Kind::Gap(u32::try_from(number).unwrap_or(u32::MAX));
            take(Slice { begin, end, depth: 0, kind });
            let mut at = begin;
            for class in Class::ALL.into_iter().filter(|class| has_slices(*class)) {
                let time = part(gap.by_class[class as usize], end - begin, gap.end - gap.begin);
                if time > 0 {
                    let kind = Kind::Sum(class);
                    take(Slice { begin: at, end: at + time, depth: 1, kind });
                    at += time;
                }
            }
        }
    }
}

/// Whether time of a class is a slice where events are recorded, rather than the rest of the one
/// around it.
fn has_slices(class: Class) -> bool {
    !matches!(class, Class::Useful | Class::SerialIdle | Class::SpareIdle)
}

/// The classes of a stretch with their shares, the largest first.
pub(crate) fn shares(gap: &Gap) -> String {
    let length = gap.end - gap.begin;
    let mut parts: Vec<_> =
        Class::ALL.into_iter().zip(gap.by_class).filter(|(_, time)| *time > 0).collect();
    parts.sort_by_key(|(_, time)| std::cmp::Reverse(*time));
    let part =
        |(class, time): (Class, u64)| format!("{} {}", class.name(), percent(share(time, length)));
    parts.into_iter().map(part).collect::<Vec<_>>().join(", ")
}

/// `time` · `length` / `of`.
fn part(time: u64, length: u64, of: u64) -> u64 {
    let part = u128::from(time) * u128::from(length) / u128::from(of.max(1));
    u64::try_from(part).unwrap_or(u64::MAX)
}

/// The stretches of `thread` without events, by the time that was `recorded` of it and `all` of its
/// time: of a stretch before a window of events the sums are known, the others have equal shares of
/// what is left.
fn of_thread(thread: &Thread, recorded: &Times, all: Option<&Times>) -> Vec<Gap> {
    let mut gaps = Vec::new();
    let mut until = thread.begin;
    let ends = Some((thread.end, thread.end));
    for (begin, end) in thread.segments.iter().map(|one| (one.begin, one.end)).chain(ends) {
        if begin > until {
            let at = thread.gaps.partition_point(|gap| gap.end <= until);
            let told = thread.gaps.get(at).filter(|gap| gap.begin <= until && begin <= gap.end);
            let by_class = told.map_or([0; Class::COUNT], |gap| gap.by_class);
            gaps.push(Gap { begin: until, end: begin, by_class });
        }
        until = until.max(end);
    }
    let known = gaps.iter().fold(*recorded, |known, gap| sum(&known, &gap.by_class));
    let left = all.map_or([0; Class::COUNT], |all| {
        Class::ALL.map(|class| all[class as usize].saturating_sub(known[class as usize]))
    });
    let unknown = gaps.iter().filter(|gap| total(&gap.by_class) == 0);
    let left = outside(&left, unknown.map(|gap| gap.end - gap.begin).sum());
    for gap in &mut gaps {
        let (length, told) = (gap.end - gap.begin, total(&gap.by_class));
        let (times, of) = if told > 0 { (gap.by_class, told) } else { (left, total(&left)) };
        gap.by_class = times.map(|time| part(time, length, of));
    }
    gaps
}

/// The part of the times `left` that passed in stretches of `length`: what exceeds the length was
/// found inside of recorded intervals, in the classes that no event shows.
fn outside(left: &Times, length: u64) -> Times {
    const UNSEEN: [Class; 4] =
        [Class::Dispatch, Class::Scheduler, Class::SerialWait, Class::Blocked];
    let mut outside = *left;
    let unseen: u64 = UNSEEN.iter().map(|class| left[*class as usize]).sum();
    let inside = total(left).saturating_sub(length).min(unseen);
    for class in UNSEEN {
        let time = &mut outside[class as usize];
        *time -= part(*time, inside, unseen);
    }
    outside
}

fn sum(one: &Times, other: &Times) -> Times {
    Class::ALL.map(|class| one[class as usize].saturating_add(other[class as usize]))
}

fn total(times: &Times) -> u64 {
    times.iter().fold(0, |sum, time| sum.saturating_add(*time))
}

#[cfg(test)]
mod tests {
    use super::{Gaps, Times, of_thread};
    use crate::timeline::Kind;
    use oxomp_analysis::model::{Doing, Gap, Segment, Thread};
    use oxomp_analysis::summary::Class;

    fn times(parts: &[(Class, u64)]) -> Times {
        let mut times = [0; Class::COUNT];
        for (class, time) in parts {
            times[*class as usize] = *time;
        }
        times
    }

    /// Events from 0 to 100 ns and from 300 to 400 ns, of a thread that ended after 600 ns.
    fn gaps() -> Vec<Gap> {
        let segment = |begin, end| Segment { begin, end, doing: Doing::Serial };
        let told = times(&[(Class::Useful, 120), (Class::Imbalance, 80)]);
        let thread = Thread {
            number: 0,
            tid: 1,
            initial: true,
            begin: 0,
            end: 600,
            folded_from: Some(100),
            segments: vec![segment(0, 100), segment(300, 400)],
            gaps: vec![Gap { begin: 100, end: 300, by_class: told }],
        };
        let recorded = times(&[(Class::Serial, 200)]);
        let all = times(&[
            // Of the recorded time, a part was found to be without a processor.
            (Class::Serial, 180),
            (Class::Scheduler, 20),
            (Class::Useful, 270),
            (Class::Imbalance, 80),
            (Class::Mutex, 50),
        ]);
        of_thread(&thread, &recorded, Some(&all))
    }

    #[test]
    fn a_stretch_has_its_own_sums_or_what_is_left() {
        let gaps = gaps();
        let told = times(&[(Class::Useful, 120), (Class::Imbalance, 80)]);
        let left = times(&[(Class::Useful, 150), (Class::Mutex, 50)]);
        let expected = [
            Gap { begin: 100, end: 300, by_class: told },
            Gap { begin: 400, end: 600, by_class: left },
        ];
        assert_eq!(gaps, expected);
    }

    #[test]
    fn slices_of_a_stretch_have_the_classes_inside() {
        let gaps = Gaps { all: gaps(), firsts: vec![0, 2] };
        let of = |span, window| {
            let mut found = Vec::new();
            gaps.slices(0, span, window, &mut |one| {
                found.push((one.begin, one.end, one.depth, one.kind));
            });
            found
        };
        let whole = (0, 600);
        let first = [(100, 300, 0, Kind::Gap(0)), (100, 180, 1, Kind::Sum(Class::Imbalance))];
        assert_eq!(of((100, 300), whole), first);
        // The half of a stretch that is in the window has half of each sum.
        let half = [(500, 600, 0, Kind::Gap(1)), (500, 525, 1, Kind::Sum(Class::Mutex))];
        assert_eq!(of((400, 600), (500, 600)), half);
        assert_eq!(of((300, 400), whole), []);
    }
}
