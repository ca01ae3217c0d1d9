//! The timeline: each thread's time as a [`Lane`], a row that says which region ran, and the times
//! of each thread in each region.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use maud::{Markup, html};
use oxomp_analysis::report::units::{count, percent, plural, share, time};
use oxomp_analysis::resolve::{Piece, resolve_pieces};
use oxomp_analysis::summary::Class;
use serde_json::{Value, json};

use crate::chart::legend;
use crate::kinds::{COUNT, Kind};
use crate::view::View;
use constructs::Constructs;
use lane::Lane;
use spans::{NAMED_REGIONS, OTHER_REGIONS, spans_row};
use summed::{SUMMED, Summed};
use weaver::Weaver;

mod constructs;
mod lane;
mod spans;
mod summed;
mod weaver;

/// Classes that no event tells the moment of.
const SUMS_ONLY_CLASSES: [Class; 4] =
    [Class::Dispatch, Class::Scheduler, Class::SerialWait, Class::Blocked];

/// Times by kind, ns.
type Times = [u64; COUNT];

/// A thread's row.
#[derive(Debug)]
struct Row {
    number: u32,
    initial: bool,
    begin: u64,
    cells: Vec<u8>,
}

/// All rows.
#[derive(Debug)]
pub(crate) struct Timeline {
    rows: Vec<Row>,
    /// Threads without a row, for want of room.
    without: usize,
    regions: Vec<u8>,
    constructs: Option<Constructs>,
    devices: Option<Constructs>,
    end: u64,
    quantum: u64,
    /// Whether threads recorded events again after they had not.
    has_windows: bool,
    /// Over all rows: the time of which only sums are known, and all time, ns.
    summed: (u64, u64),
    /// By position in the summary's regions: the recorded times of each thread in the region.
    pub(crate) by_region: BTreeMap<usize, BTreeMap<u32, Times>>,
}

impl Timeline {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let model = &view.analysis.model;
        let shown = model.threads.len().min(view.limits.threads);
        let mut weaver = Weaver::new(shown, view.limits.timeline_bytes);
        let mut by_region = BTreeMap::<usize, BTreeMap<u32, Times>>::new();
        let mut room = view.limits.region_threads;
        let summed = Summed::of(view);
        // By row, the end of what it shows so far.
        let mut ends: Vec<u64> = model.threads.iter().map(|thread| thread.begin).collect();
        let mut sums = (0, 0);
        let _sums = resolve_pieces(model, &mut |row, piece| {
            if row < shown && piece.begin > ends[row] {
                let gap = summed[row].gap(ends[row], piece.begin);
                count_sums(&gap, &mut sums);
                weaver.push_cell(row, &gap);
            }
            ends[row] = ends[row].max(piece.end);
            let parts = summed[row].piece(piece, kind_of(piece));
            if row < shown {
                count_sums(&parts, &mut sums);
                weaver.push_cell(row, &parts);
            }
            let region = piece.region.and_then(|region| {
                view.region_of_code.get(&model.regions[region as usize].code).copied()
            });
            if let Some(region) = region.filter(|&region| region < view.limits.details) {
                let threads = by_region.entry(region).or_default();
                let number = model.threads[row].number;
                if !threads.contains_key(&number) {
                    if room == 0 {
                        return;
                    }
                    room -= 1;
                }
                let times = threads.entry(number).or_insert([0; COUNT]);
                for (kind, length) in parts {
                    times[usize::from(kind & !SUMMED)] += length;
                }
            }
        });
        for (row, thread) in model.threads.iter().enumerate().take(shown) {
            if thread.end > ends[row] {
                let gap = summed[row].gap(ends[row], thread.end);
                count_sums(&gap, &mut sums);
                weaver.push_cell(row, &gap);
            }
        }
        let quantum = weaver.quantum;
        let lanes = weaver.lanes.into_iter().map(Lane::into_bytes);
        let rows = model.threads.iter().zip(lanes).map(|(thread, cells)| Row {
            number: thread.number,
            initial: thread.initial,
            begin: thread.begin,
            cells,
        });
        Self {
            rows: rows.collect(),
            without: model.threads.len() - shown,
            regions: regions_row(view),
            constructs: Constructs::of(view),
            devices: Constructs::of_devices(view),
            end: model.end,
            quantum,
            has_windows: model.threads.iter().any(|thread| !thread.gaps.is_empty()),
            summed: sums,
            by_region,
        }
    }

    /// The data of the script that draws it.
    pub(crate) fn data(&self, view: &View<'_>) -> Value {
        let rows: Vec<Value> = self
            .rows
            .iter()
            .map(|row| {
                json!({
                    "name": format!("thread {}", row.number),
                    "initial": row.initial,
                    "begin": row.begin,
                    "cells": BASE64.encode(&row.cells),
                })
            })
            .collect();
        let kinds: Vec<Value> = Kind::ORDER
            .iter()
            .map(|kind| json!({"id": kind.0, "name": kind.name(), "colour": kind.colour()}))
            .collect();
        let mut regions = vec!["no region".to_owned()];
        regions.extend(
            view.summary.regions.iter().take(NAMED_REGIONS).map(|one| view.place(one.site)),
        );
        regions.resize(NAMED_REGIONS + 1, String::new());
        regions.push("another region".to_owned());
        regions.push("regions of which only sums were recorded".to_owned());
        let mut data = json!({
            "end": self.end,
            "quantum": self.quantum,
            "kinds": kinds,
            "summed": SUMMED,
            "task": Kind::TASK.0,
            "useful": Kind::of(Class::Useful).0,
            "serial": Kind::of(Class::Serial).0,
            "rows": rows,
            "regionNames": regions,
            "regions": BASE64.encode(&self.regions),
            "constructNames": self.constructs.as_ref().map(|row| &row.names),
            "constructs": self.constructs.as_ref().map(|row| BASE64.encode(&row.cells)),
        });
        if let Some(row) = &self.devices {
            data["deviceNames"] = json!(row.names);
            data["devices"] = json!(BASE64.encode(&row.cells));
        }
        data
    }

    /// Whether the timeline has no time to draw.
    fn is_empty(&self) -> bool {
        self.end == 0 || self.rows.is_empty()
    }

    /// How far the timeline shows one event after the other.
    fn completeness(&self, view: &View<'_>) -> Markup {
        let quality = &view.summary.quality;
        let (summed, all) = self.summed;
        let mut left_out = Vec::new();
        if quality.folded > 0 {
            left_out.push(format!("{} regions, barriers and locks", count(quality.folded)));
        }
        if quality.folded_tasks > 0 {
            left_out.push(plural(quality.folded_tasks, "task"));
        }
        let lost =
            quality.lost_events > 0 || quality.stopped.is_some() || !quality.damaged.is_empty();
        html! {
            @if summed > 0 {
                strong { "Hatched" } " is what is known as a sum only, " (percent(share(summed, all)))
                " of the threads' time: its share is right, the moment is not known, and the mean is \
                 drawn"
                @if self.has_windows {
                    " of each stretch between two windows. So many events are recorded in windows, \
                     which are spread over the run: there they stand as they were"
                }
                ". "
            }
            @if !left_out.is_empty() {
                (left_out.join(" and ")) " were added up in the program instead of being recorded one \
                 by one. "
            }
            @if self.quantum > 1 {
                "Pieces shorter than " (time(self.quantum)) " are gathered in cells of that length, \
                 which keep the time of each class, not its order. "
            }
            @if lost { "Some events are lost, as the warnings above say. " }
            @if summed == 0 && left_out.is_empty() && self.quantum == 1 && !lost {
                "No event was left out."
            }
        }
    }

    pub(crate) fn section(&self, view: &View<'_>) -> Markup {
        if self.is_empty() {
            return html! {};
        }
        let present = self.present(view);
        let drawn = |class: Class| present.contains(&Kind::of(class));
        let undrawn = SUMS_ONLY_CLASSES
            .into_iter()
            .filter(|class| !drawn(*class) && view.summary.budget.class_ns(*class) > 0);
        let undrawn: Vec<&str> = undrawn.map(Class::name).collect();
        html! {
            section #timeline aria-labelledby="timeline-title" {
                h2 #timeline-title { "Timeline" }
                    p.lead {
                        "Every column of a row shows the shares of all that the thread did in that \
                         time, whatever the zoom. " (self.completeness(view))
                        @if self.without > 0 {
                            " " (plural(self.without as u64, "more thread")) " without a row for want of room."
                        }
                    }
                    div.toolbar data-needs-script="" {
                        div.buttons role="group" aria-label="Zoom" {
                            button type="button" data-zoom="out" aria-label="zoom out" { "−" }
                            button type="button" data-zoom="in" aria-label="zoom in" { "+" }
                            button type="button" data-zoom="all" { "whole run" }
                        }
                        button type="button" #timeline-threads hidden aria-pressed="false" { "every thread" }
                        p.hint #timeline-range aria-live="polite" {}
                    }
                    div.canvas-box.bands data-needs-script="" {
                        canvas #timeline-canvas tabindex="0" role="img"
                            aria-label="Timeline of all threads; the arrow keys move, plus and minus zoom, 0 shows the whole run" {}
                    }
                    p.hint data-needs-script="" {
                        "Drag over a stretch to zoom into it; drag with Shift to move. After a click: \
                         wheel, " kbd { "+" } " " kbd { "−" } " " kbd { "←" } " " kbd { "→" } " "
                         kbd { "0" } ". Touch: pinch."
                    }
                    (legend(&present))
                    @if self.constructs.is_some() {
                        p.note data-needs-script="" {
                            "The row \"construct\" says in which worksharing construct the primary \
                             thread of the region was."
                        }
                    }
                    @if self.devices.is_some() {
                        p.note data-needs-script="" {
                            "The row \"device\" says for which operation of a device a thread waited, \
                             of those that began first."
                        }
                    }
                    @if !undrawn.is_empty() {
                        p.note {
                            "Known as sums, not when they passed, and here a part of the work or the \
                             wait around them: " (undrawn.join(", ")) "."
                        }
                    }
            }
        }
    }

    /// The kinds that the timeline shows.
    fn present(&self, view: &View<'_>) -> Vec<Kind> {
        let has_tasks = !view.analysis.model.tasks.is_empty();
        let sums_only = SUMS_ONLY_CLASSES.map(Kind::of);
        Kind::ORDER
            .into_iter()
            .filter(|kind| match Class::ALL.get(usize::from(kind.0)) {
                Some(class) => {
                    view.summary.budget.class_ns(*class) > 0
                        && (self.summed.0 > 0 || !sums_only.contains(kind))
                }
                None => has_tasks,
            })
            .collect()
    }
}

fn kind_of(piece: Piece) -> Kind {
    match piece.class {
        Class::Useful if piece.task.is_some() => Kind::TASK,
        class => Kind::of(class),
    }
}

/// Adds the time of `parts` to the sums of all rows: the time of which only sums are known, and all
/// time.
fn count_sums(parts: &[(u8, u64)], sums: &mut (u64, u64)) {
    for (kind, length) in parts {
        sums.1 += length;
        if kind & SUMMED != 0 {
            sums.0 += length;
        }
    }
}

/// Which region ran, of those outside every other.
fn regions_row(view: &View<'_>) -> Vec<u8> {
    let analysis = view.analysis;
    let spans: Vec<(u64, u64, u8)> = analysis
        .model
        .regions
        .iter()
        .zip(&analysis.resolved.regions)
        .filter(|(region, _)| !region.nested)
        .map(|(region, times)| {
            let number = view.region_of_code.get(&region.code).copied();
            let number = number.filter(|&number| number < NAMED_REGIONS);
            (times.begin, times.end, number.map_or(OTHER_REGIONS, |number| number as u8 + 1))
        })
        .collect();
    spans_row(view, spans)
}
