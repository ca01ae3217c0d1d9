//! The verdict in words: what the run was like, what went wrong with the recording, and what to try
//! first. The advice is the same as in the text summary.

use maud::{Markup, html};
use oxomp_analysis::report::units::{percent, plural, share, time};
use oxomp_analysis::report::{TryFirst, try_first, unknown_processor};
use oxomp_analysis::summary::Class;
use oxomp_analysis::verdict::verdict;

use crate::advice::{changes, item, warning_list};
use crate::text::escaped;
use crate::view::View;

/// Share of the threads' time that is worth a sentence.
const WORTH_A_SENTENCE: f64 = 0.02;

/// The verdict before it has a form.
#[derive(Debug)]
pub(crate) struct Verdict {
    headline: String,
    sentences: Vec<String>,
    /// Everything that makes the numbers wrong or incomplete.
    warnings: Vec<String>,
    first: TryFirst,
    recorded_ns: u64,
}

impl Verdict {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let recorded_ns = view.summary.header.recorded_ns;
        let verdict = verdict(view.summary, view.names);
        let shown = |text: &str| crate::text::shown(text, view.limits.name * 3);
        let mut first = try_first(view.summary, view.names);
        let limit = view.limits.name * 3;
        first.processors = first.processors.map(|text| crate::text::shown(&text, limit));
        for advice in &mut first.advices {
            advice.text = crate::text::shown(&advice.text, limit);
        }
        Self {
            headline: shown(&verdict.text),
            sentences: verdict
                .beside
                .as_deref()
                .map(shown)
                .into_iter()
                .chain(sentences(view))
                .collect(),
            warnings: warnings(view),
            first,
            recorded_ns,
        }
    }

    pub(crate) fn section(&self) -> Markup {
        let most = self.first.advices.first().map_or(0, |advice| advice.gain_ns);
        html! {
            section #verdict aria-labelledby="verdict-title" {
                h2.headline #verdict-title { (self.headline) }
                (warning_list(&self.warnings))
                @if !self.sentences.is_empty() { p.lead { (self.sentences.join(" ")) } }
                h3 { "Try first" }
                @if let Some(text) = &self.first.processors { p.remark { (text) } }
                @if let Some(text) = &self.first.doubt { p.remark { (text) } }
                @if self.first.advices.is_empty() {
                    p.empty { "No single change is known that could win 2 % of the run." }
                } @else {
                    (changes(self.first.doubt.is_none(), html! { @for advice in &self.first.advices {
                        (item(&advice.text, ("gain ≤", advice.gain_ns), advice.error_ns, most, self.recorded_ns))
                    } }))
                }
            }
        }
    }

    /// The verdict as Markdown.
    pub(crate) fn markdown(&self, view: &View<'_>) -> String {
        let mut text = format!("## `{}`\n\n", view.command().replace('`', "'"));
        text.push_str(&format!("**{}**", escaped(&self.headline)));
        for sentence in &self.sentences {
            text.push(' ');
            text.push_str(&escaped(sentence));
        }
        text.push_str("\n\n");
        for warning in &self.warnings {
            text.push_str(&format!("> Warning: {}\n\n", escaped(warning)));
        }
        if let Some(doubt) = &self.first.doubt {
            text.push_str(&format!("{}:\n\n", escaped(doubt)));
        }
        if let Some(remark) = &self.first.processors {
            text.push_str(&format!("- {}\n", escaped(remark)));
        }
        for (number, advice) in self.first.advices.iter().enumerate() {
            let gain = advice.gain(self.recorded_ns);
            // A number would be a rank.
            let mark = match self.first.doubt {
                Some(_) => "-".to_owned(),
                None => format!("{}.", number + 1),
            };
            text.push_str(&format!("{mark} {}: {gain}\n", escaped(&advice.text)));
        }
        let budget = &view.summary.budget;
        text.push_str("\n| class | share | time |\n|---|---:|---:|\n");
        let recorded = budget.recorded_ns();
        let classes = Class::ALL.into_iter().filter(|class| *class != Class::Paused);
        for class in classes.filter(|class| budget.class_ns(*class) > 0) {
            let ns = budget.class_ns(class);
            text.push_str(&format!(
                "| {} | {} | {} |\n",
                class.name(),
                percent(share(ns, recorded)),
                time(ns)
            ));
        }
        text
    }
}

fn sentences(view: &View<'_>) -> Vec<String> {
    let (summary, budget) = (view.summary, &view.summary.budget);
    let recorded = budget.recorded_ns();
    let mut sentences = Vec::new();
    if budget.total_ns == 0 {
        return sentences;
    }
    let work = budget.work_ns();
    sentences.push(format!(
        "{} of the time of {} was work, in regions or serial.",
        percent(share(work, recorded)),
        plural(summary.header.threads.into(), "thread")
    ));
    let serial: u64 = summary.serial.iter().map(|stretch| stretch.total_ns).sum();
    let part = share(serial, summary.header.recorded_ns);
    if part >= WORTH_A_SENTENCE && summary.header.threads > 1 {
        sentences.push(format!(
            "For {} of the run ({}) one thread worked alone.",
            percent(part.min(1.0)),
            time(serial)
        ));
    }
    if summary.regions.is_empty() && summary.header.window.is_none() {
        sentences.push("No parallel region was recorded.".to_owned());
    }
    sentences
}

/// Everything that makes the numbers wrong or incomplete, in words.
fn warnings(view: &View<'_>) -> Vec<String> {
    let (header, quality) = (&view.summary.header, &view.summary.quality);
    let mut warnings = Vec::new();
    if let Some(ended) = &view.notes.ended {
        warnings.push(format!("The program was {}.", view.shown(ended)));
    }
    if header.truncated {
        warnings.push(format!(
            "The program went away without ending the recording: it is truncated at {}.",
            time(header.wall_ns)
        ));
    }
    if quality.lost_events > 0 {
        warnings.push(format!(
            "{} could not be recorded: the numbers are too small.",
            plural(quality.lost_events, "event")
        ));
    }
    if let Some(reason) = &quality.stopped {
        warnings.push(format!("Recording stopped early: {}.", view.shown(reason)));
    }
    if !quality.disagreements.is_empty() {
        let line = "Counts of this recording disagree, so numbers are wrong: see Data quality.";
        warnings.push(line.to_owned());
    }
    if let Some(text) = unknown_processor(view.summary) {
        warnings.push(format!("It was {}.", view.shown(&text)));
    }
    if let Some(damage) = quality.damaged.first() {
        let more = quality.damaged.len() - 1;
        let more = if more > 0 { format!(", and {more} more") } else { String::new() };
        let damage = view.shown(damage);
        warnings.push(format!("Part of the data is damaged and left out: {damage}{more}."));
    }
    warnings
}
