//! Figures of a table, from the samples of runs.

/// The output of one run of a program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    pub(super) median: f64,
    pub(super) min: f64,
    /// The part of the time that its threads waited for a processor, if the system says it.
    pub(super) disturbed: Option<f64>,
}

/// The result of all rounds of a benchmark on one runtime.
#[derive(Clone, Debug)]
pub(super) struct Figure {
    /// The median of the rounds' medians.
    pub(super) median: f64,
    pub(super) min: f64,
    /// How far the rounds' medians lie apart, as a part of `median`.
    pub(super) spread: f64,
}

/// A cell of a table.
#[derive(Clone, Debug)]
pub(super) enum Cell {
    Figure(Figure),
    /// The benchmark means nothing with fewer threads than this.
    NeedsThreads(u32),
    /// The reason why the benchmark has no figure.
    Failed(String),
}

/// Rounds that lie farther apart than this are marked.
const AGREEMENT: f64 = 0.2;

impl Figure {
    /// The figure of at least one round.
    pub(super) fn of(rounds: &[Measured]) -> Self {
        let medians: Vec<f64> = rounds.iter().map(|round| round.median).collect();
        let least = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        let most = medians.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mins: Vec<f64> = rounds.iter().map(|round| round.min).collect();
        let median = median(medians.clone());
        let spread = (most - least(&medians)) / median.abs().max(1.0);
        Self { median, min: least(&mins), spread }
    }

    /// Whether the rounds agree.
    pub(super) fn is_steady(&self) -> bool {
        self.spread <= AGREEMENT
    }
}

/// The median of at least one value.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    f64::midpoint(values[(values.len() - 1) / 2], values[values.len() / 2])
}

/// The ratio of `theirs` to `ours`. Below 2 ns differences are the method's noise, and below 256 KB
/// the allocator's: a smaller value counts as 2 ns or 256 KB.
pub(super) fn ratio(unit: &str, ours: f64, theirs: f64) -> f64 {
    let least = if is_memory(unit) { 256.0 } else { 2.0 };
    theirs.max(least) / ours.max(least)
}

fn is_memory(unit: &str) -> bool {
    unit == "KB"
}

/// A figure with three digits and a unit that fits.
pub(super) fn text(unit: &str, value: f64) -> String {
    let units = if is_memory(unit) { ["KB", "MB", "GB"] } else { ["ns", "µs", "ms"] };
    let (mut value, mut at) = (value, 0);
    while value.abs() >= 999.5 && at + 1 < units.len() {
        value /= 1000.0;
        at += 1;
    }
    let decimals = match value.abs() {
        size if size >= 99.95 => 0,
        size if size >= 9.995 || at == 0 => 1,
        _ => 2,
    };
    format!("{value:.decimals$} {}", units[at])
}

#[cfg(test)]
mod tests {
    use super::{Figure, Measured, ratio, text};

    fn round(median: f64, min: f64) -> Measured {
        Measured { median, min, disturbed: None }
    }

    #[test]
    fn a_figure_is_the_median_of_medians() {
        let figure = Figure::of(&[round(100.0, 90.0), round(300.0, 95.0), round(110.0, 99.0)]);
        assert_eq!((figure.median, figure.min), (110.0, 90.0));
        assert!(!figure.is_steady());
        assert!(Figure::of(&[round(100.0, 90.0), round(110.0, 90.0)]).is_steady());
    }

    #[test]
    fn what_is_too_small_to_tell_is_equal() {
        assert_eq!(ratio("ns/call", 10.0, 25.0), 2.5);
        assert_eq!(ratio("ns/call", -0.5, 1.9), 1.0);
        assert_eq!(ratio("KB", 32.0, 200.0), 1.0);
    }

    #[test]
    fn figures_have_three_digits() {
        assert_eq!(text("ns/loop", 4.26), "4.3 ns");
        assert_eq!(text("ns/loop", 258.7), "259 ns");
        assert_eq!(text("ns/loop", 4_263.0), "4.26 µs");
        assert_eq!(text("ns/loop", 42_630_000.0), "42.6 ms");
        assert_eq!(text("KB", 54_772.0), "54.8 MB");
    }
}
