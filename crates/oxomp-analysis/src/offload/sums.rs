//! The sums of constructs, transfers and repeated transfers over all threads.

use std::collections::BTreeMap;

use oxomp_trace::fold::{Extremes, repeated, target, transfer};
use oxomp_trace::offload::HOST;
use oxomp_trace::{FoldEntry, FoldKind, Profile};

use super::overlap::{Overlaps, overlaps};
use super::unfinished::{Open, unfinished};
use super::values::{Key, Values, no_construct};
use crate::constructs::Constructs;
use crate::model::Model;
use crate::summary::{
    Beside, Direction, Offload, RepeatedTransfer, SiteId, TargetConstruct, TargetKind, TargetParts,
    Transfer, Unfinished,
};
use crate::sums::raise;

/// Everything about devices, by code address.
#[derive(Debug, Default)]
pub(crate) struct Sums {
    /// By OMPT's kind, code address and device.
    constructs: BTreeMap<Key, Values>,
    /// By OMPT's kind of data operation, code address and device.
    transfers: BTreeMap<Key, Values>,
    /// By OMPT's kind of data operation, code address and host address.
    repeated: BTreeMap<Key, Values>,
    /// The constructs that had not ended; `constructs` includes their times.
    unfinished: BTreeMap<Key, Unfinished>,
    overlaps: Overlaps,
}

/// The sums of `profile`, whose events are `model`; times are ns.
pub(crate) fn sums(profile: &Profile, constructs: &Constructs, model: &Model) -> Sums {
    let clock = profile.clock();
    let mut found = Sums { overlaps: overlaps(model), ..Sums::default() };
    for entry in profile.threads.iter().flat_map(|events| &events.folded) {
        found.add(entry, constructs, |ticks| clock.span(ticks));
    }
    for (key, open) in unfinished(model) {
        found.add_open(key, &open);
    }
    found
}

impl Sums {
    fn add(&mut self, entry: &FoldEntry, constructs: &Constructs, ns: impl Fn(u64) -> u64) {
        let sub = u8::try_from(entry.sub).unwrap_or(u8::MAX);
        let key = (sub, constructs.name(entry.key[0]), entry.key[1]);
        match entry.fold_kind() {
            Some(FoldKind::Target) => {
                let sums = self.constructs.entry(key).or_insert_with(no_construct);
                add_construct(sums, &entry.values, ns);
            }
            Some(FoldKind::Transfer) => {
                let sums = self.transfers.entry(key).or_default();
                for (position, (sum, &value)) in sums.iter_mut().zip(&entry.values).enumerate() {
                    match position {
                        transfer::LONGEST => *sum = (*sum).max(ns(value)),
                        transfer::TIME | transfer::SMALL_TIME => raise(sum, ns(value)),
                        _ => raise(sum, value),
                    }
                }
            }
            Some(FoldKind::Repeated) => {
                let sums = self.repeated.entry(key).or_default();
                for (position, (sum, &value)) in sums.iter_mut().zip(&entry.values).enumerate() {
                    match position {
                        repeated::SIZE | repeated::DEVICE | repeated::OTHER => *sum = value,
                        repeated::TIME => raise(sum, ns(value)),
                        _ => raise(sum, value),
                    }
                }
            }
            _ => {}
        }
    }

    /// Adds constructs that had not ended.
    fn add_open(&mut self, key: Key, open: &Open) {
        let sums = self.constructs.entry(key).or_insert_with(no_construct);
        add_construct(sums, &open.values, |ns| ns);
        self.unfinished.insert(key, open.unfinished);
    }

    /// The sums for the summary; `site` gives the site of a code address.
    pub(crate) fn into_summary(
        self,
        constructs: &Constructs,
        mut site: impl FnMut(u64) -> Option<SiteId>,
    ) -> Offload {
        let Overlaps { constructs: beside, whole } = self.overlaps;
        let untimed = self.transfers.values().any(|values| values[transfer::UNTIMED] > 0);
        let found = self.constructs.into_iter().map(|((kind, code, device), values)| {
            let number = u32::try_from(device).unwrap_or(u32::MAX);
            let beside = beside
                .get(&(kind, code, number))
                .map(|sums| Beside { recorded_ns: sums.recorded, worked_ns: sums.worked });
            let construct =
                construct(TargetKind::of_number(kind), site(code), device, &values, beside);
            let unfinished = self.unfinished.get(&(kind, code, device)).copied();
            TargetConstruct { unfinished, ..construct }
        });
        let mut found: Vec<TargetConstruct> = found.collect();
        found.sort_by_cached_key(|one| std::cmp::Reverse(one.time_ns));
        let transfers = self.transfers.into_iter();
        let mut transfers: Vec<Transfer> = transfers
            .map(|((kind, code, device), values)| one_transfer(kind, site(code), device, &values))
            .collect();
        transfers.sort_by_key(|one| std::cmp::Reverse((one.time_ns, one.bytes)));
        let again =
            self.repeated.into_iter().map(|((kind, code, address), values)| RepeatedTransfer {
                site: site(code),
                other: site(constructs.name(values[repeated::OTHER])),
                direction: Direction::of_number(kind),
                device: device_of(values[repeated::DEVICE]),
                address,
                variable: None,
                size: values[repeated::SIZE],
                count: values[repeated::COUNT],
                bytes: values[repeated::BYTES],
                time_ns: (!untimed).then_some(values[repeated::TIME]),
            });
        let mut again: Vec<RepeatedTransfer> = again.collect();
        again.sort_by_key(|one| std::cmp::Reverse((one.time_ns, one.bytes)));
        Offload { constructs: found, transfers, repeated: again, overlap: whole }
    }
}

/// Adds `values`, as in [`target`], whose times `ns` converts.
fn add_construct(sums: &mut Values, values: &Values, ns: impl Fn(u64) -> u64) {
    for (position, (sum, &value)) in sums.iter_mut().zip(values).enumerate() {
        match position {
            target::TEAMS => {
                if values[target::KERNELS] > 0 {
                    let teams = Extremes::unpacked(*sum).joined(Extremes::unpacked(value));
                    *sum = teams.packed();
                }
            }
            target::LONGEST | target::LONGEST_KERNEL => *sum = (*sum).max(ns(value)),
            target::TIME | target::KERNEL_TIME | target::TO_TIME | target::FROM_TIME => {
                raise(sum, ns(value));
            }
            _ => raise(sum, value),
        }
    }
}

fn device_of(number: u64) -> Option<u32> {
    u32::try_from(number).ok().filter(|number| *number != HOST)
}

fn construct(
    kind: TargetKind,
    site: Option<SiteId>,
    device: u64,
    values: &Values,
    beside: Option<Beside>,
) -> TargetConstruct {
    let [kernel_ns, to_ns, from_ns] =
        [target::KERNEL_TIME, target::TO_TIME, target::FROM_TIME].map(|position| values[position]);
    let spent = kernel_ns.saturating_add(to_ns).saturating_add(from_ns);
    let parts = TargetParts {
        kernel_ns,
        longest_kernel_ns: values[target::LONGEST_KERNEL],
        to_ns,
        from_ns,
        other_ns: values[target::TIME].saturating_sub(spent),
    };
    let has_kernels = values[target::KERNELS] > 0;
    let Extremes { least, most } = Extremes::unpacked(values[target::TEAMS]);
    TargetConstruct {
        site,
        kind,
        device: device_of(device),
        calls: values[target::CALLS],
        time_ns: values[target::TIME],
        longest_ns: values[target::LONGEST],
        kernels: values[target::KERNELS],
        parts: (values[target::UNTIMED] == 0).then_some(parts),
        to_bytes: values[target::TO_BYTES],
        from_bytes: values[target::FROM_BYTES],
        teams: if has_kernels { (least, most) } else { (0, 0) },
        beside,
        unfinished: None,
    }
}

fn one_transfer(kind: u8, site: Option<SiteId>, device: u64, values: &Values) -> Transfer {
    let time = |position: usize| (values[transfer::UNTIMED] == 0).then_some(values[position]);
    Transfer {
        site,
        direction: Direction::of_number(kind),
        device: device_of(device),
        count: values[transfer::COUNT],
        bytes: values[transfer::BYTES],
        time_ns: time(transfer::TIME),
        longest_ns: time(transfer::LONGEST),
        small: values[transfer::SMALL],
        small_bytes: values[transfer::SMALL_BYTES_SUM],
        small_ns: time(transfer::SMALL_TIME),
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::FoldKind;
    use oxomp_trace::fold::{Extremes, FoldEntry, repeated, target, transfer};
    use oxomp_trace::offload::HOST;

    use super::Sums;
    use crate::constructs::Constructs;
    use crate::summary::{Direction, Offload, SiteId, TargetKind};

    fn entry(kind: FoldKind, sub: u32, key: [u64; 2], values: &[(usize, u64)]) -> FoldEntry {
        let mut entry = FoldEntry { kind: kind as u32, sub, ..FoldEntry::default() };
        entry.key[..2].copy_from_slice(&key);
        for &(position, value) in values {
            entry.values[position] = value;
        }
        entry
    }

    fn offload(entries: &[FoldEntry]) -> Offload {
        let constructs = Constructs::default();
        let mut sums = Sums::default();
        for entry in entries {
            // Two nanoseconds a tick.
            sums.add(entry, &constructs, |ticks| 2 * ticks);
        }
        let site = |code: u64| (code != 0).then_some(SiteId(code as u32));
        sums.into_summary(&constructs, site)
    }

    #[test]
    fn threads_are_added_up() {
        let values = |kernels, teams: u32| {
            [
                (target::CALLS, 1),
                (target::TIME, 100),
                (target::LONGEST, 60 + kernels),
                (target::KERNELS, kernels),
                (target::KERNEL_TIME, 20),
                (target::TO_TIME, 30),
                (target::FROM_TIME, 10),
                (target::TO_BYTES, 5),
                (target::TEAMS, Extremes::of(teams).packed()),
            ]
        };
        let one = |kernels, teams| entry(FoldKind::Target, 1, [7, 0], &values(kernels, teams));
        let found = offload(&[one(0, 0), one(1, 8), one(2, 4)]);
        let [construct] = found.constructs.as_slice() else { panic!("{found:?}") };
        assert_eq!((construct.kind, construct.device), (TargetKind::Target, Some(0)));
        assert_eq!((construct.calls, construct.time_ns, construct.longest_ns), (3, 600, 124));
        let parts = construct.parts.expect("times");
        assert_eq!(
            (parts.kernel_ns, parts.to_ns, parts.from_ns, parts.other_ns),
            (120, 180, 60, 240)
        );
        assert_eq!((construct.kernels, construct.teams, construct.to_bytes), (3, (4, 8), 15));
        assert_eq!(construct.mean_kernel_ns(), Some(40));
        assert_eq!(construct.alone_ns(), None);
    }

    #[test]
    fn small_transfers_are_not_in_the_bandwidth() {
        let values = [
            (transfer::COUNT, 3),
            (transfer::BYTES, 1_000_100),
            (transfer::TIME, 60),
            (transfer::SMALL, 2),
            (transfer::SMALL_BYTES_SUM, 100),
            (transfer::SMALL_TIME, 10),
        ];
        let found = offload(&[entry(FoldKind::Transfer, 3, [7, 0], &values)]);
        let one = &found.transfers[0];
        assert_eq!(one.direction, Direction::From);
        assert_eq!(one.bandwidth(), Some(10_000.0));
    }

    #[test]
    fn what_has_no_end_has_no_time() {
        let values = [(transfer::COUNT, 3), (transfer::BYTES, 300), (transfer::UNTIMED, 3)];
        let again = [(repeated::COUNT, 2), (repeated::OTHER, 9), (repeated::SIZE, 100)];
        let found = offload(&[
            entry(FoldKind::Transfer, 2, [7, u64::from(HOST)], &values),
            entry(FoldKind::Repeated, 2, [7, 64], &again),
            entry(FoldKind::Target, 1, [7, 1], &[(target::CALLS, 1), (target::UNTIMED, 3)]),
        ]);
        let one = &found.transfers[0];
        assert_eq!((one.time_ns, one.bandwidth(), one.device), (None, None, None));
        let one = &found.repeated[0];
        assert_eq!((one.time_ns, one.other, one.size), (None, Some(SiteId(9)), 100));
        assert_eq!(found.constructs[0].parts, None);
    }

    #[test]
    fn a_program_without_devices_has_nothing() {
        let other = entry(FoldKind::Serial, 0, [7, 8], &[(0, 1)]);
        assert_eq!(offload(&[other]), Offload::default());
        assert!(Offload::default().is_empty());
    }
}
