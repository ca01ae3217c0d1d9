//! Constructs for devices that had not ended when the recording did: the threads' sums do not have
//! them, their events do.

use std::collections::BTreeMap;

use oxomp_trace::fold::{Extremes, target};
use oxomp_trace::offload::operation_kind;

use super::values::{Key, Values, no_construct};
use crate::model::{DeviceOperation, Model, Target};
use crate::resolve::overlap;
use crate::summary::Unfinished;
use crate::sums::raise;

/// The unfinished executions of one construct.
#[derive(Debug)]
pub(super) struct Open {
    /// As in [`target`]; times are ns.
    pub(super) values: Values,
    pub(super) unfinished: Unfinished,
}

/// The unfinished constructs of `model`.
pub(super) fn unfinished(model: &Model) -> BTreeMap<Key, Open> {
    let mut found = BTreeMap::<Key, Open>::new();
    // While the recording pauses, the end of a construct is not seen.
    let is_open = |one: &&Target| !one.ended && overlap(&model.pauses, one.begin, one.end) == 0;
    for one in model.targets.iter().filter(is_open) {
        let key = (one.kind, one.code, one.device.into());
        let open = found
            .entry(key)
            .or_insert_with(|| Open { values: no_construct(), unfinished: Unfinished::default() });
        open.add(one, model);
    }
    found
}

impl Open {
    fn add(&mut self, one: &Target, model: &Model) {
        let time = one.end - one.begin;
        let values = &mut self.values;
        values[target::CALLS] += 1;
        raise(&mut values[target::TIME], time);
        values[target::LONGEST] = values[target::LONGEST].max(time);
        self.unfinished.calls += 1;
        self.unfinished.longest_ns = self.unfinished.longest_ns.max(time);
        let is_inside = |operation: &&DeviceOperation| {
            operation.thread == one.thread && operation.begin >= one.begin
        };
        for operation in model.operations.iter().filter(is_inside) {
            self.unfinished.in_kernel +=
                u64::from(operation.kind == operation_kind::KERNEL && !operation.ended);
            add_operation(&mut self.values, operation);
        }
    }
}

/// Adds an operation as far as it came; what a transfer had copied by then is not known.
fn add_operation(values: &mut Values, operation: &DeviceOperation) {
    let time = operation.end - operation.begin;
    let bytes = if operation.ended { operation.value } else { 0 };
    match operation.kind {
        operation_kind::KERNEL => {
            let asked = Extremes::of(u32::try_from(operation.value).unwrap_or(u32::MAX));
            let teams = Extremes::unpacked(values[target::TEAMS]).joined(asked);
            values[target::TEAMS] = teams.packed();
            values[target::KERNELS] += 1;
            raise(&mut values[target::KERNEL_TIME], time);
            values[target::LONGEST_KERNEL] = values[target::LONGEST_KERNEL].max(time);
        }
        operation_kind::TO_DEVICE => {
            raise(&mut values[target::TO_TIME], time);
            raise(&mut values[target::TO_BYTES], bytes);
        }
        operation_kind::FROM_DEVICE => {
            raise(&mut values[target::FROM_TIME], time);
            raise(&mut values[target::FROM_BYTES], bytes);
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use oxomp_trace::fold::{Extremes, target};
    use oxomp_trace::offload::{operation_kind, target_kind};

    use super::unfinished;
    use crate::model::{DeviceOperation, Model, Target};
    use crate::summary::Unfinished;

    fn construct(thread: usize, begin: u64, ended: bool) -> Target {
        let kind = target_kind::TARGET;
        Target { kind, device: 0, code: 7, thread, begin, end: 1_000, ended }
    }

    fn operation(kind: u8, value: u64, (begin, end): (u64, u64), ended: bool) -> DeviceOperation {
        DeviceOperation { kind, device: 0, code: 7, thread: 1, value, begin, end, ended }
    }

    #[test]
    fn what_was_under_way_has_its_time_and_operations_until_the_end() {
        let model = Model {
            targets: vec![
                construct(0, 100, true),
                construct(1, 200, false),
                construct(2, 900, false),
            ],
            operations: vec![
                operation(operation_kind::TO_DEVICE, 50, (100, 150), true),
                operation(operation_kind::TO_DEVICE, 64, (210, 240), true),
                operation(operation_kind::KERNEL, 4, (300, 1_000), false),
            ],
            ..Model::default()
        };
        let found = unfinished(&model);
        let open = &found[&(target_kind::TARGET, 7, 0)];
        assert_eq!(open.unfinished, Unfinished { calls: 2, in_kernel: 1, longest_ns: 800 });
        let value = |position: usize| open.values[position];
        assert_eq!((value(target::CALLS), value(target::TIME)), (2, 900));
        assert_eq!((value(target::TO_BYTES), value(target::TO_TIME)), (64, 30));
        assert_eq!((value(target::KERNELS), value(target::KERNEL_TIME)), (1, 700));
        assert_eq!(value(target::TEAMS), Extremes::of(4).packed());
        assert_eq!(found.len(), 1);
    }

    #[test]
    fn a_pause_hides_the_end_of_a_construct() {
        let model = Model {
            targets: vec![construct(0, 100, false)],
            pauses: vec![(500, 1_000)],
            ..Model::default()
        };
        assert!(unfinished(&model).is_empty());
    }

    #[test]
    fn a_transfer_that_was_cut_has_no_bytes() {
        let model = Model {
            targets: vec![construct(1, 200, false)],
            operations: vec![operation(operation_kind::FROM_DEVICE, 64, (300, 1_000), false)],
            ..Model::default()
        };
        let open = &unfinished(&model)[&(target_kind::TARGET, 7, 0)];
        let values = [target::FROM_BYTES, target::FROM_TIME].map(|position| open.values[position]);
        assert_eq!((values, open.unfinished.in_kernel), ([0, 700], 0));
    }
}
