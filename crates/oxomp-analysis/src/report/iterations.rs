//! The iterations of the program's time loop.

use oxomp_text::Page;

use super::names::Names;
use super::units::{count, plural, time};
use crate::summary::{Iterations, Summary};

/// A change of the times from the first quarter to the last one that is worth a word.
const WORTH_A_WORD: f64 = 0.1;

pub(super) fn write(page: &mut Page, summary: &Summary, names: Names<'_>) {
    if let Some(iterations) = &summary.iterations {
        page.line("");
        page.paragraph(&text(iterations, &names.compact(iterations.region)), 2);
    }
}

fn text(iterations: &Iterations, region: &str) -> String {
    let Iterations { count: all, regions, timed, shortest_ns, median_ns, longest_ns, .. } =
        *iterations;
    let inside = match regions {
        1 => String::new(),
        regions => format!(", with {} in each", plural(regions, "region")),
    };
    let measured =
        if timed + 1 < all { format!(" ({} timed)", count(timed)) } else { String::new() };
    let at = time(iterations.longest_at_ns);
    let trend = iterations.late_ns as f64 / iterations.early_ns.max(1) as f64;
    let trend = match (trend - 1.0).abs() > WORTH_A_WORD {
        true => format!("; the last quarter of them takes {trend:.1} times as long as the first"),
        false => String::new(),
    };
    format!(
        "Time loop: {} iterations{measured} from {region} to the next{inside}: {} each in the \
         median, {} to {}, the longest at {at}{trend}.",
        count(all),
        time(median_ns),
        time(shortest_ns),
        time(longest_ns),
    )
}

#[cfg(test)]
mod tests {
    use super::text;
    use crate::summary::Iterations;

    #[test]
    fn the_loop_is_told_in_one_sentence() {
        let iterations = Iterations {
            region: None,
            count: 2000,
            regions: 3,
            timed: 240,
            shortest_ns: 5_000_000,
            median_ns: 8_000_000,
            longest_ns: 15_000_000,
            longest_at_ns: 3_200_000_000,
            early_ns: 6_000_000,
            late_ns: 9_000_000,
        };
        assert_eq!(
            text(&iterations, "relax.c:30"),
            "Time loop: 2 000 iterations (240 timed) from relax.c:30 to the next, with 3 regions in \
             each: 8.00 ms each in the median, 5.00 ms to 15.00 ms, the longest at 3.20 s; the last \
             quarter of them takes 1.5 times as long as the first."
        );
        let steady = Iterations { late_ns: 6_100_000, timed: 1999, regions: 1, ..iterations };
        assert!(text(&steady, "a").ends_with("the longest at 3.20 s."));
        assert!(text(&steady, "a").starts_with("Time loop: 2 000 iterations from a to the next: "));
    }
}
