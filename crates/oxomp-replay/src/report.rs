//! The advice as text for a terminal.

use oxomp_analysis::Analysis;
use oxomp_analysis::report::units::{percent, plural, time};
use oxomp_analysis::summary::{Class, Directive, MUCH_RECORDING, Quality, SiteId};
use oxomp_text::{Page, Style};

use crate::advice::Advice;
use crate::predict::{Alternative, LoopAdvice, Predicted, RegionAdvice};
use crate::schedule::Schedule;

/// Alternatives of a loop, regions, and cut-offs that are shown.
const ALTERNATIVES: usize = 3;
const REGIONS: usize = 8;
const CUT_OFFS: usize = 3;
/// Part of the run that an alternative has to win to be worth a change.
const WORTH_IT: f64 = 0.01;
/// Part of a region's time that the replay may miss before it is said.
const LARGE_MISS: f64 = 0.1;

/// The advice on `analysis`, only on regions whose place contains `only`.
#[must_use]
pub fn render(analysis: &Analysis, advice: &Advice, only: Option<&str>, style: Style) -> String {
    let mut report = Report { analysis, page: Page::new(style) };
    report.header();
    let wanted = |site: Option<SiteId>| only.is_none_or(|text| report.place(site).contains(text));
    let regions: Vec<_> = advice.regions.iter().filter(|one| wanted(one.site)).collect();
    let cut_offs: Vec<_> = advice.cut_offs.iter().filter(|one| wanted(one.region)).collect();
    for one in regions.iter().take(REGIONS) {
        report.region(one);
    }
    if regions.len() > REGIONS {
        report.page.line(&format!("  and {} more", regions.len() - REGIONS));
    }
    if !cut_offs.is_empty() {
        report.page.heading("Tasks");
        for one in cut_offs.iter().take(CUT_OFFS) {
            report.page.paragraph(
                &format!(
                    "  {}  {} of {} take less than {}: create no task below that \
                     (`if` or `final` clause): region {}, gain {}",
                    report.place(one.site),
                    plural(one.short, "task"),
                    one.count,
                    time(one.grain_ns as u64),
                    predicted(one.region_time),
                    report.gain(one.gain_ns)
                ),
                4,
            );
        }
    }
    if only.is_none() {
        report.teams(advice);
        report.unseen(advice);
    }
    report.page.finish()
}

/// What recording took of the threads' time, `total_ns`, if it is much: it is in the costs that are
/// replayed.
fn recording(quality: &Quality, total_ns: u64) -> Option<String> {
    let share = quality.recording_share(total_ns).filter(|share| *share > MUCH_RECORDING)?;
    Some(format!(
        "Recording took {} of the threads' time: what it took for chunks is off the costs of \
         iterations, what it took for samples, tasks and locks is in the costs, so that an \
         unrecorded run may take less than is predicted.",
        percent(share)
    ))
}

/// `0.45 s ± 0.02 s`.
fn predicted(one: Predicted) -> String {
    format!("{} ± {}", time(one.ns.max(0.0) as u64), time(one.error_ns as u64))
}

struct Report<'a> {
    analysis: &'a Analysis,
    page: Page,
}

impl Report<'_> {
    fn place(&self, site: Option<SiteId>) -> String {
        let place = site.and_then(|site| self.analysis.places.get(site.0 as usize));
        place.map_or_else(
            || "(unknown place)".to_owned(),
            |place| match place.function_or_nearest() {
                Some(function) => format!("{} in {function}", place.short()),
                None => place.short(),
            },
        )
    }

    fn gain(&self, ns: f64) -> String {
        let wall = self.analysis.summary.header.wall_ns.max(1) as f64;
        format!("{} ({} of the run)", time(ns.max(0.0) as u64), percent(ns.max(0.0) / wall))
    }

    fn header(&mut self) {
        let header = &self.analysis.summary.header;
        let command = header.command.join(" ");
        self.page.line(&format!(
            "oxomp advise · {command} · wall {} · {} on {}",
            time(header.wall_ns),
            plural(header.max_team.into(), "thread"),
            plural(header.allowed_cpus.into(), "processor")
        ));
        let budget = &self.analysis.summary.budget;
        let taken = budget.class_ns(Class::Scheduler) as f64 / budget.total_ns.max(1) as f64;
        if taken > 0.05 {
            self.page.paragraph(
                &format!(
                    "Other programs took {} of the threads' time: the recorded costs have parts of \
                     it, so predictions are worse than they say. Record on a quiet machine.",
                    percent(taken)
                ),
                2,
            );
        }
        let quality = &self.analysis.summary.quality;
        if let Some(text) = recording(quality, budget.total_ns) {
            self.page.paragraph(&text, 2);
        }
    }

    fn region(&mut self, one: &RegionAdvice) {
        let region = &self.analysis.summary.regions[one.index];
        let title = format!(
            "{}   {} in {}, {}",
            self.place(one.site),
            time(region.wall_ns),
            plural(region.calls, "execution"),
            plural(region.team.1.into(), "thread")
        );
        self.page.heading(&title);
        for advice in &one.loops {
            self.of_loop(one, advice);
        }
        for &index in &one.unknown {
            let recorded = &self.analysis.summary.loops[index];
            let text = format!(
                "  {}  {}: the recording has no costs of its iterations",
                self.place(recorded.site),
                recorded.kind.name()
            );
            self.page.paragraph(&text, 4);
        }
        let wall = region.wall_ns.max(1) as f64;
        if one.miss_ns.abs() > LARGE_MISS * wall {
            let text = format!(
                "  The replay of what is there now takes {} {} than measured: costs that differ \
                 from one execution to the next, or by thread, or other programs. The errors have \
                 that in them.",
                percent(one.miss_ns.abs() / wall),
                if one.miss_ns > 0.0 { "less" } else { "more" }
            );
            self.page.paragraph(&text, 4);
        }
        if region.gain.mutex_ns as f64 > 0.02 * wall {
            self.page.paragraph(
                "  Waits for locks are in the costs of iterations: fewer threads in the lock at a \
                 time change them.",
                4,
            );
        }
    }

    fn of_loop(&mut self, region: &RegionAdvice, one: &LoopAdvice) {
        let recorded = &self.analysis.summary.loops[one.index];
        let costs = &self.analysis.costs[one.index];
        let iterations = if costs.count == 1 { "iteration" } else { "iterations" };
        if recorded.site != region.site {
            self.page.line(&format!("  loop {}", self.place(recorded.site)));
        }
        self.page.line(&format!("  now {}, {} {iterations}", one.now, costs.count));
        let wall = self.analysis.summary.header.wall_ns as f64;
        let worth = |other: &&Alternative| other.gain_ns >= WORTH_IT * wall;
        let best: Vec<&Alternative> =
            one.alternatives.iter().filter(worth).take(ALTERNATIVES).collect();
        if best.is_empty() {
            let closest = one.alternatives.first().map_or_else(String::new, |other| {
                format!(" ({}: {})", other.schedule, predicted(other.region))
            });
            self.page.paragraph(&format!("  No other schedule wins 1 % of the run{closest}."), 4);
        }
        let width = best.iter().map(|other| other.schedule.text().len()).max().unwrap_or(0);
        for other in &best {
            self.page.line(&format!(
                "    {:width$}  {}  gain {}",
                other.schedule,
                predicted(other.region),
                self.gain(other.gain_ns)
            ));
        }
        if let Some(first) = best.first() {
            let text = format!("  write {}", self.text(one, first.schedule));
            self.page.paragraph(&text, 4);
        }
        if one.is_coarse && !best.is_empty() {
            let text = if one.now.is_handed_out() {
                "  Costs are known by chunks as large as now only: what varies inside may make the \
                 others slower than predicted."
            } else if self.is_interleaved(one) {
                "  Its chunks go to threads in turn: where the costly iterations are is not known, \
                 and the replay takes all for alike."
            } else {
                "  Each thread's iterations are known by their sum only: costs that vary inside \
                 may make the others slower than predicted."
            };
            self.page.paragraph(text, 4);
        }
        if let Some((_, _, factor)) = one.disagreement {
            self.page.paragraph(
                &format!(
                    "  The same iterations cost one thread {factor:.1} times what they cost \
                     another: the cost depends on the thread (its memory, cache, processor), \
                     which no replay foresees.",
                ),
                4,
            );
        } else if one.now == Schedule::Static && costs.rounds > 1 && !best.is_empty() {
            self.page.paragraph(
                "  Each thread has the same iterations every time; another schedule moves their \
                 data to other caches and memory nodes, which is not in the prediction.",
                4,
            );
        }
    }

    fn is_interleaved(&self, one: &LoopAdvice) -> bool {
        let threads = &self.analysis.costs[one.index].threads;
        threads.iter().filter_map(|thread| thread.share).any(|share| share.chunks > 1)
    }

    /// What to write into the program, or its environment.
    fn text(&self, one: &LoopAdvice, schedule: Schedule) -> String {
        change(self.analysis, one, schedule)
    }

    fn teams(&mut self, advice: &Advice) {
        if advice.teams.is_empty() {
            return;
        }
        self.page.heading("The run with other numbers of threads (present schedules, and advised)");
        let cpus = self.analysis.summary.header.allowed_cpus;
        let now = self.analysis.summary.header.max_team;
        for team in &advice.teams {
            let mark = match team.threads {
                threads if threads == now => "  now",
                threads if threads > cpus => "  more threads than processors: not advised",
                _ => "",
            };
            let measured = || time(self.analysis.summary.header.wall_ns);
            let present = if team.threads == now { measured() } else { predicted(team.now) };
            self.page.line(&format!(
                "  OMP_NUM_THREADS={:<4} {present:>22}   {:>22}{mark}",
                team.threads,
                predicted(team.advised)
            ));
        }
        let summary = &self.analysis.summary;
        let clause = |one: &Directive| one.has("num_threads");
        if summary.regions.iter().any(|one| summary.directive(one.site, clause).is_some()) {
            self.page
                .paragraph("  A num_threads clause rules where it stands, not the variable.", 4);
        }
        if advice.teams.iter().any(|team| team.threads > cpus) {
            self.page.paragraph(
                &format!(
                    "  More than {} take turns on the processors: at best they are as fast as {cpus}, \
                     and each that waits for another one may wait for its turn.",
                    plural(cpus.into(), "thread")
                ),
                4,
            );
        }
        self.page.paragraph(
            "  OMP_PROC_BIND and OMP_PLACES are not predicted: they move memory accesses, whose \
             cost a recording does not have. Nor is memory bandwidth, which more threads share.",
            4,
        );
    }

    /// Regions of which nothing can be replayed.
    fn unseen(&mut self, advice: &Advice) {
        let summary = &self.analysis.summary;
        let is_seen = |index: usize| advice.regions.iter().any(|one| one.index == index);
        let opaque = summary.regions.iter().enumerate().filter(|(index, region)| {
            !is_seen(*index)
                && !summary.has_tasks(region)
                && region.team.1 > 1
                && region.wall_ns as f64 > WORTH_IT * summary.header.wall_ns as f64
        });
        let places: Vec<String> = opaque.map(|(_, one)| self.place(one.site)).collect();
        if !places.is_empty() {
            self.page.paragraph(
                &format!(
                    "  No loop is seen in {}: gcc divides loops of static schedule without the \
                     runtime. With schedule(runtime) and OMP_SCHEDULE=dynamic,1 their iterations \
                     are measured.",
                    places.join("; ")
                ),
                4,
            );
        }
    }
}

/// What to write so that the loop has `schedule`.
#[must_use]
pub fn change(analysis: &Analysis, one: &LoopAdvice, schedule: Schedule) -> String {
    let recorded = &analysis.summary.loops[one.index];
    let of = |site: Option<SiteId>| analysis.summary.directive(site, Directive::is_loop);
    let directive = of(recorded.site).or_else(|| of(recorded.region));
    let clause = directive.and_then(|directive| directive.clause("schedule"));
    let variable = format!("OMP_SCHEDULE={schedule}");
    match (directive, clause) {
        (Some(directive), _) if directive.is_runtime() => variable,
        (_, Some(clause)) => format!("schedule({schedule}) for {clause}"),
        (Some(_), None) => format!("schedule({schedule})"),
        (None, None)
            if analysis.summary.header.environment.iter().any(|one| one.0 == "OMP_SCHEDULE") =>
        {
            format!("{variable} if the loop has schedule(runtime), else schedule({schedule})")
        }
        (None, None) => format!("schedule({schedule})"),
    }
}

#[cfg(test)]
mod tests {
    use oxomp_analysis::summary::{Quality, RecordingCost};

    use super::recording;

    #[test]
    fn what_recording_took_is_said_where_it_is_much() {
        let with = |cost_ns| {
            let costs = vec![RecordingCost { class: "tasks", events: 5, cost_ns }];
            recording(&Quality { recording: costs, ..Quality::default() }, 1000)
        };
        let said = with(31).expect("3.1 %");
        assert!(said.starts_with("Recording took 3.1 % of the threads' time"), "{said}");
        assert_eq!(with(20), None);
        assert_eq!(recording(&Quality::default(), 1000), None, "it is not known");
    }
}
