//! The timeline: each thread's time as a [`Lane`], a row that says which region ran, and the times
//! of each thread in each region.

use std::collections::BTreeMap;

use maud::{Markup, html};
use oxomp_analysis::report::units::time;
use oxomp_analysis::resolve::{Piece, resolve_pieces};
use oxomp_analysis::summary::Class;
use serde_json::{Value, json};

use crate::base64;
use crate::chart::legend;
use crate::constructs::Constructs;
use crate::kinds::{COUNT, Kind};
use crate::lane::Lane;
use crate::view::View;

/// Regions that the row of regions tells apart; two more numbers mean all others, and regions of
/// which only sums were recorded.
pub(crate) const NAMED_REGIONS: usize = 60;
const OTHER_REGIONS: u8 = NAMED_REGIONS as u8 + 1;
const SUMS_ONLY: u8 = NAMED_REGIONS as u8 + 2;

/// Times by kind, ns.
type Times = [u64; COUNT];

/// A thread's row.
#[derive(Debug)]
struct Row {
    number: u32,
    initial: bool,
    begin: u64,
    /// From here on only sums were recorded.
    sums_from: Option<u64>,
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
    /// By position in the summary's regions: the recorded times of each thread in the region.
    pub(crate) by_region: BTreeMap<usize, BTreeMap<u32, Times>>,
}

/// Rows in the making, which become coarser as they outgrow their room.
struct Weaver {
    lanes: Vec<Lane>,
    quantum: u64,
    /// Bytes of all rows.
    size: usize,
    room: usize,
}

impl Weaver {
    fn new(rows: usize, room: usize) -> Self {
        Self { lanes: vec![Lane::new(1); rows], quantum: 1, size: 0, room }
    }

    fn push(&mut self, row: usize, kind: u8, length: u64) {
        self.push_cell(row, &[(kind, length)]);
    }

    fn push_cell(&mut self, row: usize, parts: &[(u8, u64)]) {
        let Some(lane) = self.lanes.get_mut(row) else { return };
        let before = lane.size();
        lane.push_cell(parts);
        self.size += lane.size() - before;
        while self.size > self.room && self.quantum < 1 << 60 {
            self.quantum *= 2;
            let lanes = std::mem::take(&mut self.lanes);
            self.lanes = lanes.into_iter().map(|lane| lane.refolded(self.quantum)).collect();
            self.size = self.lanes.iter().map(Lane::size).sum();
        }
    }
}

impl Timeline {
    pub(crate) fn of(view: &View<'_>) -> Self {
        let model = &view.analysis.model;
        let shown = model.threads.len().min(view.limits.threads);
        let mut weaver = Weaver::new(shown, view.limits.timeline_bytes);
        let mut by_region = BTreeMap::<usize, BTreeMap<u32, Times>>::new();
        let _sums = resolve_pieces(model, &mut |row, piece| {
            let kind = kind_of(piece);
            let length = piece.end - piece.begin;
            weaver.push(row, kind.0, length);
            let region = piece.region.and_then(|region| {
                view.region_of_code.get(&model.regions[region as usize].code).copied()
            });
            if let Some(region) = region.filter(|&region| region < view.limits.details) {
                let threads = by_region.entry(region).or_default();
                if threads.len() < view.limits.threads
                    || threads.contains_key(&model.threads[row].number)
                {
                    let times = threads.entry(model.threads[row].number).or_insert([0; COUNT]);
                    times[usize::from(kind.0)] += length;
                }
            }
        });
        for row in 0..shown {
            weaver.push_cell(row, &sums_of(view, row));
        }
        let quantum = weaver.quantum;
        let lanes = weaver.lanes.into_iter().map(Lane::into_bytes);
        let rows = model.threads.iter().zip(lanes).map(|(thread, cells)| Row {
            number: thread.number,
            initial: thread.initial,
            begin: thread.begin,
            sums_from: thread.folded_from,
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
                    "sumsFrom": row.sums_from,
                    "cells": base64::encode(&row.cells),
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
            "order": Kind::ORDER.iter().map(|kind| kind.0).collect::<Vec<_>>(),
            "task": Kind::TASK.0,
            "useful": Kind::of(Class::Useful).0,
            "serial": Kind::of(Class::Serial).0,
            "rows": rows,
            "regionNames": regions,
            "regions": base64::encode(&self.regions),
            "constructNames": self.constructs.as_ref().map(|row| &row.names),
            "constructs": self.constructs.as_ref().map(|row| base64::encode(&row.cells)),
        });
        if let Some(row) = &self.devices {
            data["deviceNames"] = json!(row.names);
            data["devices"] = json!(base64::encode(&row.cells));
        }
        data
    }

    pub(crate) fn section(&self, view: &View<'_>) -> Markup {
        let present = present(view);
        html! {
            section #timeline aria-labelledby="timeline-title" {
                h2 #timeline-title { "Timeline" }
                @if self.end == 0 || self.rows.is_empty() {
                    p.empty { "Nothing was recorded over time: there is no thread to show." }
                } @else {
                    p.lead {
                        "Every column of a row shows the shares of all that the thread did in that \
                         time, whatever the zoom. "
                        @if self.quantum == 1 && self.rows.iter().all(|row| row.sums_from.is_none()) {
                            "No event was left out."
                        }
                        @else if self.quantum == 1 {}
                        @else {
                            "Pieces shorter than " (time(self.quantum))
                            " are gathered in cells of that length, which keep the time of each class, \
                             not its order."
                        }
                        @if self.without > 0 {
                            " " (self.without) " further threads have no row for want of room."
                        }
                    }
                    div.toolbar data-needs-script="" {
                        div.buttons role="group" aria-label="Zoom" {
                            button type="button" data-zoom="out" aria-label="zoom out" { "−" }
                            button type="button" data-zoom="in" aria-label="zoom in" { "+" }
                            button type="button" data-zoom="all" { "whole run" }
                        }
                        p.hint #timeline-range aria-live="polite" {}
                    }
                    div.canvas-box data-needs-script="" {
                        canvas #timeline-canvas tabindex="0" role="img"
                            aria-label="Timeline of all threads; the arrow keys move, plus and minus zoom, 0 shows the whole run" {}
                    }
                    p.hint data-needs-script="" {
                        "Drag over a stretch to zoom into it; drag with Shift to move. After a click: \
                         wheel, " kbd { "+" } " " kbd { "−" } " " kbd { "←" } " " kbd { "→" } " "
                         kbd { "0" } ". Touch: pinch."
                    }
                    (legend(&present))
                    @if let Some(from) = self.rows.iter().filter_map(|row| row.sums_from).min() {
                        p.note {
                            "From " (time(from)) " on, threads added up instead of recording each event \
                             (hatched): what is drawn there is the mean of those sums, the same in every \
                             column."
                        }
                    }
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
                    p.note {
                        "Time without a processor, waiting in serial code and time to hand out chunks \
                         are known as sums, not when they passed: here they are part of the work or \
                         the wait around them."
                    }
                }
            }
        }
    }
}

/// The kinds that the timeline shows.
fn present(view: &View<'_>) -> Vec<Kind> {
    let has_tasks = !view.analysis.model.tasks.is_empty();
    let sums_only = [Class::Dispatch, Class::Scheduler, Class::SerialWait].map(Kind::of);
    let any_sums = view.analysis.model.threads.iter().any(|thread| thread.folded_from.is_some());
    Kind::ORDER
        .into_iter()
        .filter(|kind| match Class::ALL.get(usize::from(kind.0)) {
            Some(class) => {
                view.summary.budget.class_ns(*class) > 0 && (any_sums || !sums_only.contains(kind))
            }
            None => has_tasks,
        })
        .collect()
}

fn kind_of(piece: Piece) -> Kind {
    match piece.class {
        Class::Useful if piece.task.is_some() => Kind::TASK,
        class => Kind::of(class),
    }
}

/// The times of the thread in `row` of which only sums are known, made to fill the time from the
/// last recorded event to the thread's end.
fn sums_of(view: &View<'_>, row: usize) -> Vec<(u8, u64)> {
    let thread = &view.analysis.model.threads[row];
    let Some(from) = thread.folded_from else { return Vec::new() };
    let length = thread.end.saturating_sub(from);
    let all = view.summary.threads.iter().find(|one| one.number == thread.number);
    let (Some(all), Some(recorded)) = (all, view.analysis.resolved.threads.get(row)) else {
        return Vec::new();
    };
    let sums: Vec<u64> = all
        .by_class
        .iter()
        .zip(recorded)
        .map(|(all, recorded)| all.saturating_sub(*recorded))
        .collect();
    let total: u64 = sums.iter().sum();
    let scaled =
        |sum: u64| (u128::from(sum) * u128::from(length) / u128::from(total.max(1))) as u64;
    let mut parts: Vec<(u8, u64)> = sums
        .iter()
        .enumerate()
        .map(|(class, &sum)| (class as u8, scaled(sum)))
        .filter(|part| part.1 > 0)
        .collect();
    let rest = length - parts.iter().map(|part| part.1).sum::<u64>();
    match parts.iter_mut().max_by_key(|part| part.1) {
        Some(part) => part.1 += rest,
        None => parts.push((Kind::of(Class::SerialIdle).0, rest)),
    }
    parts
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

/// A row of `spans`, each from a time to a time with a number; those that overlap one before are
/// cut.
pub(crate) fn spans_row(view: &View<'_>, mut spans: Vec<(u64, u64, u8)>) -> Vec<u8> {
    spans.sort_unstable();
    let mut weaver = Weaver::new(1, view.limits.timeline_bytes / 8);
    let mut until = 0;
    for (begin, end, number) in spans {
        let begin = begin.max(until);
        if end > begin {
            weaver.push(0, 0, begin - until);
            weaver.push(0, number, end - begin);
            until = end;
        }
    }
    let model = &view.analysis.model;
    let (end, threads) = (model.end, &model.threads);
    if let Some(from) = threads.iter().filter_map(|thread| thread.folded_from).min() {
        let from = from.clamp(until, end.max(until));
        weaver.push(0, 0, from - until);
        weaver.push(0, SUMS_ONLY, end.saturating_sub(from));
    } else {
        weaver.push(0, 0, end.saturating_sub(until));
    }
    weaver.lanes.into_iter().next().map(Lane::into_bytes).unwrap_or_default()
}
