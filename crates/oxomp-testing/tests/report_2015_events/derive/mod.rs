//! The events that a tool of the 2015 report gets from a program, derived from the events that a
//! tool of OpenMP 5 gets: the expectations of the programs in `tests/c/trace` and
//! `tests/fortran/trace`.
//!
//! This is the mapping of the events of chapter 3, written down apart from the runtime. The events
//! that only the report has are added: idling, the switch after the end of a task, a wait that is
//! interrupted by each task that the thread executes meanwhile. Events that only OpenMP 5 has
//! disappear.

mod event;
pub(crate) mod role;

use oxomp_testing::trace::expand::Line;

use event::Pattern;
use role::{RegionCodes, Role};

/// The expectation in events of the report; `lines` is expanded.
///
/// # Errors
///
/// Names the line that has no counterpart that could be derived.
pub(crate) fn derive(lines: &[Line]) -> Result<Vec<Line>, String> {
    let codes = region_codes(lines);
    let mut output = Vec::new();
    let mut rest = lines.iter();
    while let Some((number, text)) = rest.next() {
        let words: Vec<&str> = text.split_whitespace().collect();
        match words.as_slice() {
            [kind @ ("primary" | "worker" | "root"), .., "{"] => {
                let mut body = Vec::new();
                let mut depth = 1;
                for line in rest.by_ref() {
                    let text = line.1.as_str();
                    depth -= usize::from(text.starts_with('}'));
                    if depth == 0 {
                        break;
                    }
                    depth += usize::from(text.ends_with('{'));
                    body.push(line.clone());
                }
                output.push((*number, text.clone()));
                output.extend(Role::new(kind, &codes).derive(&body)?);
                output.push((*number, "}".to_owned()));
            }
            // Both kinds of switch are one event.
            ["total", _, "task_schedule", .., "status=switch", _] => {}
            ["total", count, "task_schedule", .., "status=complete", _] => {
                output.push((*number, format!("total {count} task_end task=*")));
            }
            ["total", count, event @ ..] => {
                let (number, event) = (*number, event.join(" "));
                let derived = Role::new("primary", &codes).derive(&[(number, event)])?;
                if let [(_, event)] = derived.as_slice() {
                    output.push((number, format!("total {count} {event}")));
                }
            }
            ["callback", ..] => {}
            _ => output.push((*number, text.clone())),
        }
    }
    Ok(drop_orders(without_empty_blocks(output)))
}

/// The address of the construct of each region.
fn region_codes(lines: &[Line]) -> RegionCodes<'_> {
    let events = lines.iter().map(|(_, text)| Pattern::parse(text));
    let begins = events.filter(|event| event.name == "parallel_begin");
    begins.map(|begin| (begin.get("parallel"), begin.get("codeptr"))).collect()
}

/// Leaves out `many` without an event, since nothing would be repeated.
fn without_empty_blocks(lines: Vec<Line>) -> Vec<Line> {
    let mut output: Vec<Line> = Vec::new();
    for line in lines {
        let opens = output.last().is_some_and(|(_, text)| text == "many {");
        if line.1 == "}" && opens {
            output.pop();
        } else {
            output.push(line);
        }
    }
    output
}

/// Leaves out the orders of events that have no counterpart.
fn drop_orders(lines: Vec<Line>) -> Vec<Line> {
    let mut labels: Vec<String> = Vec::new();
    for (_, text) in &lines {
        if let Some((_, names)) = text.split_once(" as ") {
            labels.extend(names.split_whitespace().map(str::to_owned));
        }
    }
    let known = |label: &str| labels.iter().any(|it| it == label);
    let keeps = |text: &str| match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        ["order" | "prompt", before, "<", after] => known(before) && known(after),
        _ => true,
    };
    lines.into_iter().filter(|(_, text)| keeps(text)).collect()
}
