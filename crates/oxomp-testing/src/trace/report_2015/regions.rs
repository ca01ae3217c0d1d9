//! Parallel regions and their implicit tasks.

use std::collections::{BTreeMap, BTreeSet};

use crate::trace::log::{Event, Log, find};

use super::event::{answer, require, value};

#[derive(Default)]
struct Region<'a> {
    parent: &'a str,
    invoker: &'a str,
    requested: i64,
    begun: usize,
    ended: usize,
    is_over: bool,
    size: Option<&'a str>,
    last: Option<&'a Event>,
}

/// A region begins once, has as many implicit tasks as threads, at most as many as were asked for,
/// and ends once, after all of them have come to its end.
pub(super) fn check(log: &Log) -> Result<(), String> {
    let mut regions: BTreeMap<&str, Region<'_>> = BTreeMap::new();
    let mut owner: BTreeMap<&str, &str> = BTreeMap::new();
    let mut over = BTreeSet::new();
    for event in &log.events {
        let id = value(event, "parallel");
        match event.name.as_str() {
            "parallel_begin" => {
                require(id != "zero", event, "a region without an id")?;
                let region = Region {
                    parent: value(event, "parent"),
                    invoker: value(event, "invoker"),
                    requested: value(event, "requested").parse().unwrap_or(-1),
                    last: Some(event),
                    ..Region::default()
                };
                require(region.requested >= 1, event, "no thread is asked for")?;
                require(regions.insert(id, region).is_none(), event, "a region begins twice")?;
            }
            "parallel_end" => {
                let region = known(&mut regions, id, event)?;
                require(!region.is_over, event, "a region ends twice")?;
                region.is_over = true;
                require(region.parent == value(event, "task"), event, "not the task of its begin")?;
                require(region.invoker == value(event, "invoker"), event, "another invoker")?;
            }
            "implicit_task_begin" => {
                let region = known(&mut regions, id, event)?;
                require(!region.is_over, event, "an implicit task of a region that is over")?;
                region.begun += 1;
                let size = size(event);
                require(size.is_some(), event, "the team has no size")?;
                let is_same = region.size.is_none() || region.size == size;
                require(is_same, event, "two sizes of one team")?;
                region.size = size;
                let first = owner.insert(value(event, "task"), id).is_none();
                require(first, event, "an implicit task begins twice")?;
            }
            "implicit_task_end" => {
                let task = value(event, "task");
                require(owner.get(task) == Some(&id), event, "not the region of its begin")?;
                require(over.insert(task), event, "an implicit task ends twice")?;
                let region = known(&mut regions, id, event)?;
                region.ended += 1;
                region.last = Some(event);
            }
            _ => {}
        }
    }
    for region in regions.values() {
        let Some(last) = region.last else { continue };
        require(region.is_over, last, "a region without an end")?;
        require(region.begun == region.ended, last, "a begin or an end is missing")?;
        let size = region.size.unwrap_or_default();
        require(size == region.begun.to_string(), last, "not as many implicit tasks as threads")?;
        let asked = usize::try_from(region.requested).unwrap_or(0);
        require(region.begun <= asked, last, "more threads than were asked for")?;
    }
    Ok(())
}

/// What the entry point answers for the size of the event's team.
fn size(event: &Event) -> Option<&str> {
    find(&answer(event, &["level", "parallel_info"])?.keys, "size")
}

fn known<'a, 'l>(
    regions: &'a mut BTreeMap<&str, Region<'l>>,
    id: &str,
    event: &Event,
) -> Result<&'a mut Region<'l>, String> {
    regions.get_mut(id).ok_or_else(|| format!("a region that has not begun:\n  > {event}\n"))
}
