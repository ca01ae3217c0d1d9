//! Advice on data that are copied to a device or back again although they were there already.

use std::collections::BTreeSet;

use super::names::Names;
use super::offload::data_name;
use super::units::{bytes, count};
use crate::summary::{Direction, RepeatedTransfer, SiteId, Summary};

/// Variables that are named; the others are counted.
const NAMED: usize = 2;

/// Data that are copied at the same places.
#[derive(Debug, Default)]
struct Group<'a> {
    places: BTreeSet<Option<SiteId>>,
    repeated: Vec<&'a RepeatedTransfer>,
}

/// For each group of places that copy the same data, the most that keeping the data on the device
/// could win, ns, and the advice. No event tells whether the host needs the data in between.
pub(super) fn advices(summary: &Summary, names: Names<'_>) -> Vec<(u64, String)> {
    groups(&summary.offload.repeated).iter().filter_map(|group| against(group, names)).collect()
}

/// Data whose transfers share a place are in one group: one construct around the places keeps all
/// of them.
fn groups(repeated: &[RepeatedTransfer]) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for one in repeated {
        let mut own = Group { places: [one.site, one.other].into(), repeated: vec![one] };
        groups.retain_mut(|group| {
            let shares = !group.places.is_disjoint(&own.places);
            if shares {
                own.places.append(&mut group.places);
                own.repeated.splice(0..0, group.repeated.drain(..));
            }
            !shares
        });
        groups.push(own);
    }
    groups
}

fn against(group: &Group<'_>, names: Names<'_>) -> Option<(u64, String)> {
    let mut all = group.repeated.clone();
    all.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
    let first = all.first()?;
    let add = |sum: u64, one: &&RepeatedTransfer| Some(sum.saturating_add(one.time_ns?));
    let gain = all.iter().try_fold(0, add)?;
    let has = |direction| all.iter().any(|one| one.direction == direction);
    let (sent, fetched) = (has(Direction::To), has(Direction::From));
    let condition = match (sent, fetched) {
        (true, true) => "neither changes nor reads",
        (true, false) => "does not change",
        _ => "does not read",
    };
    let way = match (sent, fetched) {
        (true, true) => "to the device and back",
        (true, false) => "to the device",
        _ => "from the device",
    };
    let (data, many) = data(&all);
    let them = if many { "them" } else { "it" };
    let others = match group.places.len() {
        0 | 1 => String::new(),
        2 => {
            let other = group.places.iter().find(|place| **place != first.site);
            format!(" and {}", other.map_or_else(String::new, |place| names.compact(*place)))
        }
        more => format!(" and {} other places", more - 1),
    };
    let times = all.iter().fold(0_u64, |sum, one| sum.saturating_add(one.count));
    let total = all.iter().fold(0_u64, |sum, one| sum.saturating_add(one.bytes));
    let narrow = match (sent, fetched) {
        (true, true) => "; map(to:) or map(from:) where one way is enough",
        _ => "",
    };
    let text = format!(
        "{}  copies {data} {way} again, {} times, {} in all: target data around it{others} keeps \
         {them} there, if the host {condition} {them} in between{narrow}",
        names.compact(first.site),
        count(times),
        bytes(total),
    );
    Some((gain, text))
}

/// The data of `all`, those that cost most first, and whether they are several.
fn data(all: &[&RepeatedTransfer]) -> (String, bool) {
    let mut found: Vec<(u64, String)> = Vec::new();
    for one in all {
        if found.iter().all(|(address, _)| *address != one.address) {
            found.push((one.address, format!("{} ({})", data_name(one), bytes(one.size))));
        }
    }
    let shown = found.iter().take(NAMED).map(|(_, name)| name.as_str()).collect::<Vec<_>>();
    let rest = found.len() - shown.len();
    let text = match rest {
        0 => shown.join(" and "),
        1 => format!("{} and one more", shown.join(", ")),
        more => format!("{} and {more} more", shown.join(", ")),
    };
    (text, found.len() > 1)
}

#[cfg(test)]
mod tests {
    use super::{Names, RepeatedTransfer, SiteId, against, groups};
    use crate::summary::Direction;

    fn repeated(direction: Direction, address: u64, site: u32, other: u32) -> RepeatedTransfer {
        RepeatedTransfer {
            site: Some(SiteId(site)),
            other: Some(SiteId(other)),
            direction,
            device: Some(0),
            address,
            variable: (address == 1).then(|| "grid".to_owned()),
            size: 8_000_000,
            count: 19,
            bytes: 152_000_000,
            time_ns: Some(1_000),
        }
    }

    fn text_of(repeated: &[RepeatedTransfer]) -> Vec<(u64, String)> {
        let names = Names { places: &[] };
        groups(repeated).iter().filter_map(|group| against(group, names)).collect()
    }

    #[test]
    fn both_ways_are_one_change_with_both_conditions() {
        let all = [repeated(Direction::To, 1, 0, 0), repeated(Direction::From, 1, 0, 0)];
        let found = text_of(&all);
        let [(gain, text)] = found.as_slice() else { panic!("{found:?}") };
        assert_eq!(*gain, 2_000);
        assert_eq!(
            text,
            "(unknown place)  copies grid (8.00 MB) to the device and back again, 38 times, \
             304 MB in all: target data around it keeps it there, if the host neither changes nor \
             reads it in between; map(to:) or map(from:) where one way is enough"
        );
    }

    #[test]
    fn what_only_goes_to_the_device_may_be_read() {
        let found = text_of(&[repeated(Direction::To, 1, 0, 3), repeated(Direction::To, 64, 3, 0)]);
        let [(_, text)] = found.as_slice() else { panic!("{found:?}") };
        let data = "copies grid (8.00 MB) and 0x40 (8.00 MB) to the device again, 38 times";
        assert!(text.contains(data), "{text}");
        let condition = "around it and (unknown place) keeps them there, if the host does not \
                         change them in between";
        assert!(text.ends_with(condition), "{text}");
    }

    #[test]
    fn places_without_data_in_common_are_apart() {
        let all = [
            repeated(Direction::To, 1, 0, 0),
            repeated(Direction::To, 2, 1, 1),
            repeated(Direction::From, 3, 2, 2),
        ];
        assert_eq!(text_of(&all).len(), 3);
        // One that has both places joins them.
        let joined = [&all[..], &[repeated(Direction::To, 4, 0, 1)]].concat();
        assert_eq!(text_of(&joined).len(), 2);
    }

    #[test]
    fn without_times_nothing_is_claimed() {
        let untimed = RepeatedTransfer { time_ns: None, ..repeated(Direction::To, 1, 0, 0) };
        assert!(text_of(&[untimed]).is_empty());
    }
}
