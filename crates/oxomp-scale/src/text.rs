//! The text for a terminal.

use oxomp_analysis::report::table::{Align, Column, Fit, Table, cut_end};
use oxomp_analysis::report::units::{percent, plural};
use oxomp_analysis::report::write_table;
use oxomp_text::{Page, Style, glued};

use crate::losses::Source;
use crate::numbers::{factor, ns, ratio};
use crate::region::{PartLoss, RegionScale};
use crate::scale::Scale;
use crate::verdict::named_cause;

/// Losses that are listed at most; the others are summed up.
const LOSSES: usize = 10;
/// The part of the wall time below which a loss is not listed.
const LEAST_LOSS: f64 = 0.005;
/// Regions with a table of their own.
const REGIONS: usize = 6;
/// Rows of a region's table.
const PARTS: usize = 5;
/// The part of the wall time below which a region has no table.
const LEAST: f64 = 0.01;
/// Characters of the command.
const COMMAND: usize = 300;

/// The text of `scale`.
#[must_use]
pub fn to_text(scale: &Scale, version: &str, style: Style) -> String {
    let mut page = Page::new(style);
    header(&mut page, scale, version);
    page.line("");
    page.paragraph(&scale.verdict.headline, 2);
    for sentence in &scale.verdict.sentences {
        page.paragraph(&format!("- {sentence}"), 2);
    }
    points(&mut page, scale);
    losses(&mut page, scale);
    regions(&mut page, scale);
    method(&mut page, scale);
    page.finish()
}

fn header(page: &mut Page, scale: &Scale, version: &str) {
    let facts = scale.facts();
    let command = cut_end(&facts.command.join(" "), COMMAND);
    page.paragraph(&format!("oxomp {version} scale  {command}"), 2);
    let runs: usize = scale.points.iter().map(|point| point.runs.len()).sum();
    let mut about = vec![glued(&plural(scale.processors.into(), "processor"))];
    if !facts.hostname.is_empty() {
        about.push(format!("on {}", facts.hostname));
    }
    about.push(format!("runtime {}", facts.runtime));
    about.push(glued(&plural(runs as u64, "run")));
    page.paragraph(&about.join("; "), 2);
    for warning in &scale.warnings {
        page.alarm(&format!("NOTE: {warning}"), 2);
    }
}

const POINTS: [Column; 9] = [
    Column { title: "", align: Align::Right, fit: Fit::Fixed },
    Column { title: "wall", align: Align::Right, fit: Fit::Fixed },
    Column { title: "spread", align: Align::Right, fit: Fit::Drop(2) },
    Column { title: "speed-up", align: Align::Right, fit: Fit::Fixed },
    Column { title: "ideal", align: Align::Right, fit: Fit::Drop(4) },
    Column { title: "Amdahl", align: Align::Right, fit: Fit::Drop(3) },
    Column { title: "efficiency", align: Align::Right, fit: Fit::Fixed },
    Column { title: "serial", align: Align::Right, fit: Fit::Drop(1) },
    Column { title: "CPU", align: Align::Right, fit: Fit::Drop(0) },
];

fn points(page: &mut Page, scale: &Scale) {
    let mut table = Table::new(&POINTS);
    for point in &scale.points {
        let mark = if point.is_beyond { "!" } else { "" };
        table.row(vec![
            format!("{}{mark}", point.threads),
            ns(point.wall_ns),
            if point.runs.len() > 1 { percent(point.spread()) } else { String::new() },
            factor(point.speed_up),
            factor(point.ideal),
            factor(point.amdahl),
            percent(point.efficiency()),
            ns(point.run().serial_ns),
            point.cpu_ns.map_or_else(String::new, ns),
        ]);
    }
    write_table(page, "Threads", &table);
    if scale.points.iter().any(|point| point.is_beyond) {
        page.aside("  !: more threads than processors", 5);
    }
}

fn losses(page: &mut Page, scale: &Scale) {
    let lost = || scale.losses[scale.judged].iter().filter(|loss| loss.ns > 0.0);
    let least = LEAST_LOSS * scale.at().run().wall_ns;
    let losses: Vec<_> = lost().filter(|loss| loss.ns >= least).take(LOSSES).collect();
    let more: Vec<_> = lost().skip(losses.len()).collect();
    if scale.judged == 0 || losses.is_empty() {
        return;
    }
    let at = scale.at();
    let wall = at.run().wall_ns;
    let mut table = Table::new(&[
        Column { title: "", align: Align::Right, fit: Fit::Fixed },
        Column { title: "", align: Align::Left, fit: Fit::Fixed },
        Column { title: "", align: Align::Left, fit: Fit::CutEnd(12) },
        Column { title: "", align: Align::Left, fit: Fit::CutStart(14) },
        Column { title: "wall", align: Align::Right, fit: Fit::Fixed },
        Column { title: "share", align: Align::Right, fit: Fit::Drop(1) },
        Column { title: "", align: Align::Left, fit: Fit::Drop(0) },
    ]);
    for (number, loss) in losses.iter().enumerate() {
        let (what, function, place, cause) = match loss.source {
            Source::Serial => {
                ("code outside of regions", String::new(), String::new(), String::new())
            }
            Source::Region(region, part) => {
                let construct = &scale.regions[region].construct;
                let function = construct.function().to_owned();
                (
                    part.name(),
                    function,
                    construct.place(),
                    named_cause(scale, scale.judged, region, part),
                )
            }
        };
        table.row(vec![
            (number + 1).to_string(),
            what.to_owned(),
            function,
            place,
            ns(loss.ns),
            percent(ratio(loss.ns, wall)),
            cause,
        ]);
    }
    let title = format!("Lost with {}, against the ideal", plural(at.threads.into(), "thread"));
    write_table(page, &title, &table);
    if !more.is_empty() {
        let rest: f64 = more.iter().map(|loss| loss.ns).sum();
        page.line(&format!("  and {} in {} more", ns(rest), more.len()));
    }
}

fn regions(page: &mut Page, scale: &Scale) {
    let matters = |region: &&RegionScale| {
        scale.points.iter().zip(&region.at).any(|(point, at)| at.wall_ns >= LEAST * point.wall_ns)
    };
    let listed: Vec<&RegionScale> = scale.regions.iter().filter(matters).collect();
    for region in listed.iter().take(REGIONS) {
        let title = title(scale, region);
        let mut columns = vec![Column { title: "", align: Align::Left, fit: Fit::Fixed }];
        columns.extend(scale.points.iter().enumerate().map(|(index, _)| Column {
            title: "",
            align: Align::Right,
            // Without room, the numbers between the first and the last go.
            fit: if index == 0 || index == scale.judged { Fit::Fixed } else { Fit::Drop(0) },
        }));
        let mut table = Table::new(&columns);
        let mut row = |name: &str, cells: &dyn Fn(usize) -> String| {
            let cells = (0..scale.points.len()).map(cells);
            table.row([format!("  {name}")].into_iter().chain(cells).collect());
        };
        row("threads", &|index| scale.points[index].threads.to_string());
        row("wall", &|index| match region.at[index].measured.calls {
            0 => "-".to_owned(),
            _ => ns(region.at[index].wall_ns),
        });
        if !region.at[0].measured.is_nested {
            row("speed-up", &|index| region.at[index].speed_up.map_or("-".to_owned(), factor));
        }
        for PartLoss { part, .. } in region.at[scale.judged].parts.iter().take(PARTS) {
            let lost = |index: usize| region.at[index].lost_to(*part);
            if scale
                .points
                .iter()
                .enumerate()
                .any(|(index, point)| lost(index).abs() >= LEAST * point.wall_ns)
            {
                row(part.name(), &|index| ns(lost(index)));
            }
        }
        page.heading(&title);
        let (_, rows) = table.layout("", page.width());
        rows.iter().for_each(|line| page.line(line));
    }
    let more = scale.regions.len() - listed.len().min(REGIONS);
    if more > 0 {
        page.line("");
        page.line(&format!(
            "{} without a table (`--json`, `--html` have all)",
            plural(more as u64, "region")
        ));
    }
}

/// `Region in main (bins.c:9), stops at 4 threads`.
fn title(scale: &Scale, region: &RegionScale) -> String {
    let name = region.construct.to_string();
    let name = name.strip_prefix("the region").unwrap_or(&name);
    let nested = if region.at[scale.judged].measured.is_nested { ", nested" } else { "" };
    let team = match region.own_team(&scale.points) {
        Some(team) => format!(", teams of {team}"),
        None => String::new(),
    };
    let stop = match region.stops_at {
        Some(point) => format!(", stops scaling at {}", scale.points[point].threads),
        None => String::new(),
    };
    format!("Region{name}{nested}{team}{stop}")
}

fn method(page: &mut Page, scale: &Scale) {
    let least = scale.points.iter().map(|point| point.runs.len()).min().unwrap_or(0);
    let noise = if least < 3 {
        " With fewer than three runs of each number the noise is unknown (`--repeat 3`)."
    } else {
        ""
    };
    page.line("");
    page.aside(
        &format!(
            "Wall times are medians, without pauses; parts are those of the median run, in wall \
             time. Ideal is the time with {} divided by the processors that are more; lost is what \
             a run takes beyond that. Serial was measured, not fitted. A region stops scaling where \
             more threads gain less than half of what they could.{noise}",
            plural(scale.base().threads.into(), "thread")
        ),
        0,
    );
}
