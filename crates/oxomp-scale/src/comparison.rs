//! Two scales of a program, before and after a change.

use oxomp_analysis::report::table::{Align, Column, Fit, Table};
use oxomp_analysis::report::units::plural;
use oxomp_analysis::report::write_table;
use oxomp_compare::{Comparison, Gate, Verdict, to_json, to_text};
use oxomp_text::{Page, Style};
use serde_json::{Value, json};

use crate::numbers::{factor, ns, ratio};

/// The value of `format`.
pub const COMPARISON_FORMAT: &str = "oxomp-scale-diff";
/// The value of `version`: it rises when a field changes its meaning or goes away.
pub const COMPARISON_VERSION: u32 = 1;

/// The comparison of the runs with one number of threads.
#[derive(Debug, Clone, PartialEq)]
pub struct CountComparison {
    /// The number of threads.
    pub threads: u32,
    /// The runs before and after.
    pub comparison: Comparison,
}

/// Two scales, compared for each number of threads that both have.
#[derive(Debug, Clone, PartialEq)]
pub struct ScaleComparison {
    /// By number of threads; at least one.
    pub counts: Vec<CountComparison>,
    /// Numbers of threads of which only one side has runs.
    pub unmatched: Vec<u32>,
}

impl ScaleComparison {
    /// Whether one of the changes that `gates` are about is for the worse.
    #[must_use]
    pub fn is_worse(&self, gates: &[Gate]) -> bool {
        self.counts.iter().any(|count| !count.comparison.regressions(gates).is_empty())
    }

    /// Text for a terminal: all numbers of threads, then the most threads in full.
    #[must_use]
    pub fn to_text(&self, gates: &[Gate], style: Style) -> String {
        let mut page = Page::new(style);
        let column = |title, align, fit| Column { title, align, fit };
        let mut table = Table::new(&[
            column("", Align::Right, Fit::Fixed),
            column("before", Align::Right, Fit::Fixed),
            column("after", Align::Right, Fit::Fixed),
            column("change", Align::Right, Fit::Fixed),
            column("speed-up before", Align::Right, Fit::Drop(1)),
            column("after", Align::Right, Fit::Drop(1)),
            column("", Align::Left, Fit::Drop(0)),
        ]);
        let base = self.walls(&self.counts[0]);
        for count in &self.counts {
            let (before, after) = self.walls(count);
            let wall = &count.comparison.wall.change;
            let judged = match wall.verdict {
                Verdict::Same => "same",
                Verdict::Less => "faster",
                Verdict::More => "slower",
            };
            table.row(vec![
                count.threads.to_string(),
                ns(before),
                ns(after),
                format!("{:+.1} %", 100.0 * ratio(after - before, before)),
                factor(ratio(base.0, before)),
                factor(ratio(base.1, after)),
                judged.to_owned(),
            ]);
        }
        write_table(&mut page, "Threads", &table);
        if !self.unmatched.is_empty() {
            let only: Vec<String> = self.unmatched.iter().map(u32::to_string).collect();
            page.line("");
            page.paragraph(&format!("Only one side has runs with {} threads.", only.join(", ")), 2);
        }
        let last = &self.counts[self.counts.len() - 1];
        page.heading(&format!("With {}", plural(last.threads.into(), "thread")));
        page.finish() + &to_text(&last.comparison, gates, style)
    }

    /// A JSON document: for each number of threads one as `oxomp diff` prints it.
    #[must_use]
    pub fn to_json(&self, gates: &[Gate]) -> String {
        let counts = self.counts.iter().map(|count| {
            let comparison: Value = serde_json::from_str(&to_json(&count.comparison, gates))
                .expect("the document of a comparison is JSON");
            json!({ "threads": count.threads, "comparison": comparison })
        });
        let document = json!({
            "format": COMPARISON_FORMAT,
            "version": COMPARISON_VERSION,
            "counts": counts.collect::<Vec<Value>>(),
            "unmatched": self.unmatched,
        });
        serde_json::to_string_pretty(&document).expect("all keys are strings, all numbers finite")
    }

    fn walls(&self, count: &CountComparison) -> (f64, f64) {
        let wall = &count.comparison.wall.change;
        (wall.before.unwrap_or_default(), wall.after.unwrap_or_default())
    }
}
