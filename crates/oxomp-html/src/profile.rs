//! The page of a profile: its sections, and the data of its script.

use maud::html;
use serde_json::{Value, json};

use crate::document::{Frame, PROFILE_SCRIPT};
use crate::text::inside_script;
use crate::timeline::Timeline;
use crate::verdict::Verdict;
use crate::view::View;
use crate::{
    absent, blocked, budget, counters, definitions, flame, header, locks, memory, mpi, offload,
    phases, quality, regions, serial, slices, source, tasks,
};

/// The page of `view`.
pub(crate) fn render(view: &View<'_>) -> String {
    let timeline = Timeline::of(view);
    let verdict = Verdict::of(view);
    let has_devices = !view.summary.offload.is_empty();
    let has_counters = view.summary.counters.is_some();
    let (source, no_source) = match source::section(view) {
        Ok(section) => (section, None),
        Err(reason) => (html! {}, Some(reason)),
    };
    let sections = [
        ("verdict", "Verdict", verdict.section()),
        ("budget", "Time", budget::section(view)),
        ("timeline", "Timeline", timeline.section(view)),
        ("phases", "Phases", phases::section(view)),
        ("slices", "Over time", slices::section(view)),
        ("regions", "Regions", regions::section(view)),
        ("tasks", "Tasks", tasks::section(view)),
        ("offload", "Devices", offload::section(view)),
        ("mpi", "MPI", mpi::section(view)),
        ("locks", "Locks", locks::section(view)),
        ("memory", "Memory", memory::section(view)),
        ("blocked", "Blocked", blocked::section(view)),
        ("serial", "Serial", serial::section(view)),
        ("counters", "Counters", counters::section(view)),
        ("flame", "Call paths", flame::section(view)),
        ("source", "Source", source),
        ("quality", "Data", quality::section(view, &absent::list(view, no_source))),
        ("definitions", "Definitions", definitions::section(has_devices, has_counters)),
    ];
    let present = || sections.iter().filter(|(_, _, content)| !content.0.is_empty());
    let ways: Vec<_> = present().map(|(id, name, _)| (*id, *name)).collect();
    Frame {
        program: &header::program(view),
        head: header::section(view),
        sections: &ways,
        content: html! {
            noscript { p.warning { "Without its script this page shows its tables; timeline and flame graph need it." } }
            @for (_, _, content) in present() { (content) }
        },
        data: &data(view, &timeline, &verdict),
        script: PROFILE_SCRIPT,
    }
    .render()
}

/// The data that the script draws, as JSON for a `script` element.
fn data(view: &View<'_>, timeline: &Timeline, verdict: &Verdict) -> String {
    let threads: serde_json::Map<String, Value> = timeline
        .by_region
        .iter()
        .map(|(region, threads)| {
            let threads: Vec<Value> =
                threads.iter().map(|(number, times)| json!([number, times])).collect();
            (region.to_string(), Value::Array(threads))
        })
        .collect();
    let data = json!({
        "timeline": timeline.data(view),
        "regionThreads": threads,
        "flame": flame::data(view),
        "markdown": verdict.markdown(view),
    });
    inside_script(&data.to_string())
}
