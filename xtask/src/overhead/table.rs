//! The table, as Markdown.

use super::programs::Program;
use super::trial::Told;

/// Two runs, one after the other.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) without: Told,
    pub(super) with: Told,
}

pub(super) const HEAD: &str = "\
| program | compiler | unit | units | least, ms | profiled | ratio | median, ms | profiled | ratio \
                               | more, ns a unit |
|---|---|---|---|---|---|---|---|---|---|---|
";

/// The values of a column, sorted.
fn column(pairs: &[Pair], of: fn(&Pair) -> f64) -> Vec<f64> {
    let mut values: Vec<f64> = pairs.iter().map(of).collect();
    values.sort_by(f64::total_cmp);
    values
}

fn middle(values: &[f64]) -> f64 {
    values[values.len() / 2]
}

/// The median of the pairs' ratios; there is at least one pair.
pub(super) fn ratio(pairs: &[Pair]) -> f64 {
    middle(&column(pairs, |pair| pair.with.ns as f64 / pair.without.ns as f64))
}

/// The row of a program; there is at least one pair.
pub(super) fn row(program: &Program, pairs: &[Pair]) -> String {
    let without = column(pairs, |pair| pair.without.ns as f64);
    let with = column(pairs, |pair| pair.with.ns as f64);
    let units = pairs[0].with.units;
    format!(
        "| {} | {} | {} | {units} | {:.1} | {:.1} | {:.3} | {:.1} | {:.1} | {:.3} | {:.1} |\n",
        program.name,
        program.compiler(),
        program.unit,
        without[0] / 1e6,
        with[0] / 1e6,
        with[0] / without[0],
        middle(&without) / 1e6,
        middle(&with) / 1e6,
        ratio(pairs),
        (with[0] - without[0]) / units as f64,
    )
}
