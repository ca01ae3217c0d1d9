//! The advice as JSON, version 1: an object with `version`, `command`, `wall_ns`, `threads`,
//! `processors`, `regions`, `cut_offs` and `teams`. Times are nanoseconds; each prediction has its
//! `error_ns`.

use std::fmt::Write;

use oxomp_analysis::Analysis;
use oxomp_analysis::summary::SiteId;

use crate::advice::Advice;
use crate::predict::{LoopAdvice, Predicted};
use crate::report::change;

/// The advice on `analysis` as one line of JSON.
#[must_use]
pub fn json(analysis: &Analysis, advice: &Advice) -> String {
    let header = &analysis.summary.header;
    let regions = advice.regions.iter().map(|one| {
        let region = &analysis.summary.regions[one.index];
        let loops = one.loops.iter().map(|one| of_loop(analysis, one));
        format!(
            "{{\"place\":{},\"calls\":{},\"threads\":{},\"wall_ns\":{},\"miss_ns\":{:.0},\
             \"loops\":[{}]}}",
            place(analysis, one.site),
            region.calls,
            region.team.1,
            region.wall_ns,
            one.miss_ns,
            join(loops)
        )
    });
    let cut_offs = advice.cut_offs.iter().map(|one| {
        format!(
            "{{\"place\":{},\"tasks\":{},\"short\":{},\"grain_ns\":{:.0},\"region\":{},\
             \"gain_ns\":{:.0}}}",
            place(analysis, one.site),
            one.count,
            one.short,
            one.grain_ns,
            predicted(one.region_time),
            one.gain_ns
        )
    });
    let teams = advice.teams.iter().map(|one| {
        let (now, advised) = (predicted(one.now), predicted(one.advised));
        format!("{{\"threads\":{},\"now\":{now},\"advised\":{advised}}}", one.threads)
    });
    format!(
        "{{\"version\":1,\"command\":[{}],\"wall_ns\":{},\"threads\":{},\"processors\":{},\
         \"regions\":[{}],\"cut_offs\":[{}],\"teams\":[{}]}}\n",
        join(header.command.iter().map(|word| text(word))),
        header.wall_ns,
        header.max_team,
        header.allowed_cpus,
        join(regions),
        join(cut_offs),
        join(teams)
    )
}

fn of_loop(analysis: &Analysis, one: &LoopAdvice) -> String {
    let alternatives = one.alternatives.iter().map(|other| {
        format!(
            "{{\"schedule\":{},\"write\":{},\"region\":{},\"gain_ns\":{:.0}}}",
            text(&other.schedule.text()),
            text(&change(analysis, one, other.schedule)),
            predicted(other.region),
            other.gain_ns
        )
    });
    format!(
        "{{\"place\":{},\"schedule\":{},\"iterations\":{},\"executions\":{},\"replayed_ns\":{:.0},\
         \"coarse\":{},\"depends_on_thread\":{},\"alternatives\":[{}]}}",
        place(analysis, analysis.summary.loops[one.index].site),
        text(&one.now.text()),
        analysis.costs[one.index].count,
        analysis.costs[one.index].rounds,
        one.replayed_ns,
        one.is_coarse,
        one.disagreement.is_some(),
        join(alternatives)
    )
}

fn predicted(one: Predicted) -> String {
    format!("{{\"ns\":{:.0},\"error_ns\":{:.0}}}", one.ns, one.error_ns)
}

fn place(analysis: &Analysis, site: Option<SiteId>) -> String {
    let place = site.and_then(|site| analysis.places.get(site.0 as usize));
    place.map_or_else(|| "null".to_owned(), |place| text(&place.short()))
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(",")
}

/// A string of JSON.
fn text(plain: &str) -> String {
    let mut quoted = String::from('"');
    for letter in plain.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            letter if letter.is_control() => {
                // Writing to a string does not fail.
                write!(quoted, "\\u{:04x}", u32::from(letter)).ok();
            }
            letter => quoted.push(letter),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::text;

    #[test]
    fn strings_are_quoted() {
        assert_eq!(text("a\"b\\c\n\u{1}é"), "\"a\\\"b\\\\c\\u000a\\u0001é\"");
    }
}
