//! Where the threads' time went, by class.

use super::units::{percent, plural, share, time};
use crate::summary::{Class, Summary};
use oxomp_text::{Page, Tone};

/// Columns of a bar that stands for all the time.
const FULL_BAR: f64 = 42.0;

pub(super) fn write(page: &mut Page, summary: &Summary) {
    let budget = &summary.budget;
    if budget.total_ns == 0 {
        return;
    }
    page.heading(&title(summary));
    // Shares are parts of the recorded time.
    let recorded = budget.recorded_ns();
    let mut lost: Vec<Class> = Class::ALL.into_iter().filter(|class| !is_work(*class)).collect();
    lost.sort_by_key(|class| (*class == Class::Paused, std::cmp::Reverse(budget.class_ns(*class))));
    let classes = Class::ALL.into_iter().filter(|class| is_work(*class)).chain(lost);
    for class in classes.filter(|class| budget.class_ns(*class) > 0) {
        let is_recorded = class != Class::Paused;
        let part = if is_recorded { share(budget.class_ns(class), recorded) } else { 0.0 };
        let line = format!(
            "  {:<26}{:>8}{:>11}  ",
            class.name(),
            if is_recorded { percent(part) } else { String::new() },
            time(budget.class_ns(class))
        );
        let room = page.width().saturating_sub(line.chars().count()) as f64;
        let tone = if is_work(class) { Tone::Work } else { Tone::Loss };
        page.bar(&line, part * FULL_BAR.min(room), tone);
    }
    page.paragraph(
        &format!(
            "Parallel efficiency {:.2}   average concurrency {:.2}",
            budget.parallel_efficiency, budget.average_concurrency
        ),
        2,
    );
}

fn is_work(class: Class) -> bool {
    matches!(class, Class::Useful | Class::Serial)
}

/// Threads that lived from beginning to end are a rectangle; others are only a sum.
fn title(summary: &Summary) -> String {
    let (threads, wall) = (summary.threads.len() as u64, summary.header.wall_ns);
    let rectangle = threads.saturating_mul(wall);
    if rectangle.abs_diff(summary.budget.total_ns) <= rectangle / 20 {
        format!("Where {threads} × {} went", time(wall))
    } else {
        let most = u64::from(summary.header.threads);
        let most = if most < threads { format!(", {most} at a time,") } else { String::new() };
        let total = time(summary.budget.total_ns);
        format!("Where {total} of {}{most} went", plural(threads, "thread"))
    }
}
