//! Records of fields inside of the protocols' types, which know nothing of debuggers.

use oxomp_ompd_layout::{Field, Readable, Record};
use oxomp_protocol::Inside;

/// The record of `field`, which lies at `place` in the protocol's type. That type lies `offset`
/// bytes into its structure, as `access` shows.
pub const fn inside<T, S, F: Readable>(
    field: Field,
    offset: usize,
    access: fn(&T) -> &S,
    place: &Inside<S, F>,
) -> Record {
    let _ = access;
    Record::of::<T, F>(field, offset + place.offset(), |_| unreachable!())
}
