//! The words of a barrier that a debugger reads.

use oxomp_base::inside::inside;
use oxomp_ompd_layout::{Field, Object, Record};
use oxomp_protocol::barrier::{Barrier, Group};

/// The fields of a barrier, and of a group of its threads.
pub(crate) const FIELDS: &[Record] = &[
    Record::whole(Object::Barrier, size_of::<Barrier>()),
    inside(Field::BarrierGroups, 0, |barrier: &Barrier| barrier, &Barrier::GROUPS),
    Record::whole(Object::BarrierGroup, size_of::<Group>()),
    inside(Field::BarrierGroupArrived, 0, |group: &Group| group, &Group::ARRIVED),
    inside(Field::BarrierGroupExpected, 0, |group: &Group| group, &Group::EXPECTED),
];
