//! The text of a part of a run that is still under way.

use oxomp_text::{Page, Style};
use oxomp_trace::present::Doing;

use super::names::Names;
use super::table::{Align, Column, Fit, Table, write_table};
use super::units::{percent, plural, share, time};
use super::{budget, regions, waits};
use crate::live::{Live, LiveThread, Now};
use crate::summary::Class;

/// Threads shown; the others are counted.
const SHOWN: usize = 16;

/// Less is over before it is read, ns.
const LONG_NS: u64 = 100_000_000;

const COLUMNS: [Column; 5] = [
    Column { title: "", align: Align::Right, fit: Fit::Fixed },
    Column { title: "work", align: Align::Right, fit: Fit::Fixed },
    Column { title: "mostly lost to", align: Align::Left, fit: Fit::Drop(0) },
    Column { title: "now", align: Align::Left, fit: Fit::CutStart(20) },
    Column { title: "for", align: Align::Right, fit: Fit::Fixed },
];

/// The text of a part of a run: where its time went, its regions and waits, and its threads.
/// `heading` has the facts of the process.
#[must_use]
pub fn render_live(live: &Live, heading: &[String], style: Style) -> String {
    let Live { summary, places, threads } = live;
    let names = Names { places };
    let mut page = Page::new(style);
    page.paragraph(&heading.join(" · "), 2);
    if let Some(stopped) = &summary.quality.stopped {
        page.warning(&format!("the recording has stopped: {stopped}"));
    }
    budget::write(&mut page, summary);
    if !summary.regions.is_empty() {
        regions::write(&mut page, summary, names);
    }
    waits::write_barriers(&mut page, summary, names);
    waits::write_mutexes(&mut page, summary, names);
    write_threads(&mut page, threads);
    page.finish()
}

/// The threads that lost most first.
fn write_threads(page: &mut Page, threads: &[LiveThread]) {
    let mut by_loss: Vec<&LiveThread> = threads.iter().collect();
    by_loss.sort_by_cached_key(|thread| std::cmp::Reverse(lost(thread)));
    let mut table = Table::new(&COLUMNS);
    for thread in by_loss.iter().take(SHOWN) {
        let classes = &thread.time.by_class;
        let all = classes.iter().sum();
        let most = Class::ALL.into_iter().filter(|class| !is_work(*class));
        let most = most.max_by_key(|class| classes[*class as usize]);
        let most = most.filter(|class| share(classes[*class as usize], all) >= 0.01);
        table.row(vec![
            thread.time.tid.to_string(),
            percent(share(all - lost(thread), all)),
            most.map(|class| {
                format!("{} {}", class.name(), percent(share(classes[class as usize], all)))
            })
            .unwrap_or_default(),
            doing(thread),
            lasts(thread),
        ]);
    }
    if table.is_empty() {
        page.line("");
        page.line("No thread has begun a construct outside of regions yet.");
        return;
    }
    write_table(page, "Threads", &table);
    if threads.len() > SHOWN {
        let rest = (threads.len() - SHOWN) as u64;
        page.line(&format!("  and {}", plural(rest, "thread")));
    }
}

fn lost(thread: &LiveThread) -> u64 {
    let classes = Class::ALL.into_iter().filter(|class| !is_work(*class));
    classes.map(|class| thread.time.by_class[class as usize]).sum()
}

fn is_work(class: Class) -> bool {
    matches!(class, Class::Useful | Class::Serial)
}

/// For how long the thread has done what it does; empty if that is short.
fn lasts(thread: &LiveThread) -> String {
    let now = thread.now.as_ref().filter(|now| now.lasts_ns >= LONG_NS);
    now.map(|now| time(now.lasts_ns)).unwrap_or_default()
}

fn doing(thread: &LiveThread) -> String {
    match &thread.now {
        Some(Now { doing, region: Some(region), .. }) => {
            let verb = match doing {
                Doing::Computes => "computes in",
                Doing::Waits => "waits in",
            };
            format!("{verb} {}", region.short())
        }
        Some(_) => "serial code".to_owned(),
        None if thread.time.initial => "serial code".to_owned(),
        None => "idle".to_owned(),
    }
}
