//! How much of a run fits into a timeline.

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::Sample;
use oxomp_analysis::report::units::{plural, time};

use super::devices::devices;
use super::extent::Extent;
use super::fold::fold;
use super::gaps::Gaps;
use super::holds::{Lanes, holds};
use super::slice::Slice;
use super::threads::each_thread;

/// How a run is made to fit into a timeline.
#[derive(Debug)]
pub(crate) struct Fitting {
    /// The part that is shown, ns since the start of the process.
    pub(crate) window: (u64, u64),
    /// Slices below this width are folded, ns.
    pub(crate) width: u64,
    /// One sample in this number is shown.
    every: u64,
    /// Whether there are stretches of which only sums are known.
    has_gaps: bool,
}

/// What is shown of each thread beside the intervals of its events, by position in the model's
/// threads.
#[derive(Debug)]
pub(crate) struct Beside {
    /// The locks that it held.
    pub(crate) holds: Vec<Lanes>,
    /// The constructs for devices that it executed.
    pub(crate) devices: Vec<Lanes>,
    /// The stretches in which it recorded no events.
    pub(crate) gaps: Gaps,
}

impl Beside {
    /// Every lane.
    fn lanes(&self) -> impl Iterator<Item = &Vec<Slice>> {
        self.holds.iter().chain(&self.devices).flatten()
    }
}

impl Fitting {
    /// For a format that needs about `slice_size` bytes for a slice or a sample.
    pub(crate) fn new(analysis: &Analysis, extent: Extent, slice_size: u64) -> (Self, Beside) {
        let window = (extent.window.0, extent.window.1.min(analysis.summary.header.wall_ns));
        let most = (extent.budget / slice_size).max(1000);
        let beside = Beside {
            holds: holds(analysis, window),
            devices: devices(analysis, window),
            gaps: Gaps::of(analysis),
        };
        let samples = inside(analysis, window).count() as u64;
        let fitting = Self {
            window,
            width: fitting_width(analysis, &beside, window, most / 4 * 3),
            every: samples.div_ceil(most / 4).max(1),
            has_gaps: !beside.gaps.all().is_empty(),
        };
        (fitting, beside)
    }

    /// The samples that are shown.
    pub(crate) fn samples<'a>(&self, analysis: &'a Analysis) -> impl Iterator<Item = &'a Sample> {
        let step = usize::try_from(self.every).unwrap_or(usize::MAX);
        inside(analysis, self.window).step_by(step)
    }

    /// What the timeline leaves out, if anything.
    pub(crate) fn remark(&self) -> Option<String> {
        let mut remarks = Vec::new();
        if self.width > 0 {
            let width = time(self.width);
            remarks.push(format!("slices shorter than {width} are folded into \"(short slices)\""));
        }
        if self.every > 1 {
            remarks.push(format!("one sample in {} is shown", self.every));
        }
        (!remarks.is_empty()).then(|| remarks.join("; "))
    }

    /// What is to be known before one believes the timeline.
    pub(crate) fn remarks(&self, analysis: &Analysis) -> Vec<String> {
        let (header, quality) = (&analysis.summary.header, &analysis.summary.quality);
        let mut remarks: Vec<String> = self.remark().into_iter().collect();
        if self.window != (0, header.wall_ns) {
            let (from, to) = self.window;
            remarks.push(format!("only the part from {} to {} is shown", time(from), time(to)));
        }
        if header.truncated {
            remarks.push("the process went away without ending the recording".to_owned());
        }
        if self.has_gaps {
            let remark = "\"sums only\": no events were recorded; the times of the classes inside \
                          are sums, one after the other, and not when they passed";
            remarks.push(remark.to_owned());
        }
        if quality.folded > 0 {
            remarks.push(format!(
                "{} regions, barriers and locks were summed up in the program and have no slice",
                quality.folded
            ));
        }
        if quality.folded_tasks > 0 {
            let tasks = plural(quality.folded_tasks, "task");
            remarks.push(format!("{tasks} summed up in the program, without a slice"));
        }
        if quality.lost_events > 0 {
            remarks.push(format!("{} not recorded", plural(quality.lost_events, "event")));
        }
        if let Some(reason) = &quality.stopped {
            remarks.push(format!("recording stopped early: {reason}"));
        }
        remarks.extend(quality.damaged.iter().map(|damage| format!("damaged: {damage}")));
        remarks
    }
}

/// The system's thread id, or a number that no thread has where it is not known.
pub(crate) fn tid(tid: u32, number: u32) -> u32 {
    if tid > 0 { tid } else { (1 << 30) + number }
}

fn inside(analysis: &Analysis, window: (u64, u64)) -> impl Iterator<Item = &Sample> {
    let samples = analysis.calls.samples.iter();
    samples.filter(move |sample| (window.0..window.1).contains(&sample.time_ns))
}

/// The least width of slices that are shown one by one, ns, so that there are at most about `most`
/// of all threads together, those `beside` included; 0 if all are shown.
fn fitting_width(analysis: &Analysis, beside: &Beside, window: (u64, u64), most: u64) -> u64 {
    let each = |take: &mut dyn FnMut(usize, &[Slice])| {
        each_thread(analysis, &beside.gaps, window, take, &mut |_, _| {});
        beside.lanes().for_each(|lane| take(0, lane));
    };
    // Slices by the number of bits of their width.
    let mut widths = [0_u64; u64::BITS as usize + 1];
    let mut count = |_: usize, slices: &[Slice]| {
        for slice in slices {
            widths[(u64::BITS - (slice.end - slice.begin).leading_zeros()) as usize] += 1;
        }
    };
    each(&mut count);
    if widths.iter().sum::<u64>() <= most {
        return 0;
    }
    let mut left = most;
    let bits = (0..widths.len()).rev().take_while(|bits| {
        let fits = widths[*bits] <= left;
        left = left.saturating_sub(widths[*bits]);
        fits
    });
    let mut width = 1_u64 << bits.min().unwrap_or(0).saturating_sub(1).min(62);
    // Folded slices count too: how many there are is only seen by folding.
    loop {
        let mut total = 0;
        let mut count = |_: usize, slices: &[Slice]| total += fold(slices, width).0.len() as u64;
        each(&mut count);
        if total <= most || width >= 1 << 62 {
            return width;
        }
        width *= 2;
    }
}
