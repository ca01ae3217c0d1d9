//! gcc's map kinds: a number for each list item, some for what a list item leads to.

use oxomp_sys::gomp::gomp_map_kind as kind;
use oxomp_sys::offload::map_type as bits;
use oxomp_target::map_type::MapType;

/// With the present modifier, one of the first four kinds has this bit (gcc 14).
const PRESENT: u16 = 0x84;
/// The bit of the always modifier in the kinds that have it.
const ALWAYS: u16 = 0x10;

/// What an element of gcc's arrays stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Memory, which is mapped.
    Memory(MapType),
    /// Memory of no bytes, which may be mapped.
    Section(MapType),
    /// A pointer, which is mapped and attached.
    Pointer,
    /// A pointer, which is mapped already and attached anew.
    AlwaysPointer,
    /// A pointer, which is attached if it is mapped.
    Attach,
    /// A pointer, which is detached.
    Detach,
    /// The base of a structure of which the following elements map members.
    Structure,
    /// A variable of which the region gets a copy.
    Firstprivate,
    /// A value, which the region gets as it is.
    Value,
    /// A pointer's value, which becomes a device address if it leads to mapped memory.
    DevicePointer,
}

impl Kind {
    /// The kind of that number; `None` for a number that OpenMP's constructs do not have.
    pub(crate) fn of(number: u16) -> Option<Self> {
        let number = number & kind::MASK;
        Some(match number {
            kind::POINTER | kind::POINTER_TO_ZERO_LENGTH_ARRAY_SECTION => Self::Pointer,
            kind::TO_PSET => Self::Memory(MapType(bits::TO)),
            kind::FORCE_PRESENT => Self::Memory(MapType(bits::PRESENT)),
            kind::DELETE => Self::Memory(MapType(bits::DELETE)),
            kind::RELEASE => Self::Memory(MapType(0)),
            kind::FORCE_DEVICEPTR | kind::FIRSTPRIVATE_INT => Self::Value,
            kind::FIRSTPRIVATE => Self::Firstprivate,
            kind::USE_DEVICE_PTR | kind::USE_DEVICE_PTR_IF_PRESENT | kind::IF_PRESENT => {
                Self::DevicePointer
            }
            kind::ZERO_LEN_ARRAY_SECTION => Self::Section(MapType(0)),
            kind::DELETE_ZERO_LEN_ARRAY_SECTION => Self::Section(MapType(bits::DELETE)),
            kind::STRUCT => Self::Structure,
            kind::ALWAYS_POINTER => Self::AlwaysPointer,
            kind::ATTACH | kind::ATTACH_ZERO_LENGTH_ARRAY_SECTION => Self::Attach,
            kind::DETACH | kind::FORCE_DETACH => Self::Detach,
            _ => Self::Memory(memory(number)?),
        })
    }
}

/// The map type of memory with one of the first four kinds, and modifiers.
fn memory(number: u16) -> Option<MapType> {
    let (mut rest, mut flags) = (number, 0);
    let mut has = |modifier: u16, bit| {
        if rest & modifier == modifier {
            rest &= !modifier;
            flags |= bit;
        }
    };
    has(kind::IMPLICIT, bits::IMPLICIT);
    has(PRESENT, bits::PRESENT);
    has(kind::FORCE, 0);
    has(ALWAYS, bits::ALWAYS);
    has(kind::TO, bits::TO);
    has(kind::FROM, bits::FROM);
    (rest == 0).then_some(MapType(flags))
}

#[cfg(test)]
mod tests {
    use super::{Kind, MapType, bits, kind};

    fn memory(number: u16) -> u64 {
        match Kind::of(number) {
            Some(Kind::Memory(MapType(bits))) => bits,
            other => panic!("{number:#x} is {other:?}"),
        }
    }

    #[test]
    fn modifiers_are_bits_of_the_first_kinds() {
        assert_eq!(memory(kind::TOFROM), bits::TO | bits::FROM);
        assert_eq!(memory(kind::ALWAYS_FROM), bits::FROM | bits::ALWAYS);
        assert_eq!(memory(kind::IMPLICIT | kind::TOFROM), bits::TO | bits::FROM | bits::IMPLICIT);
        assert_eq!(memory(0x85), bits::TO | bits::PRESENT);
        assert_eq!(memory(0x97), bits::TO | bits::FROM | bits::PRESENT | bits::ALWAYS);
        assert_eq!(memory(kind::FORCE | kind::TO), bits::TO);
        assert_eq!(memory(kind::DELETE), bits::DELETE);
        assert_eq!(memory(0x0301), bits::TO, "the alignment is no part of the kind");
    }

    #[test]
    fn each_other_kind_is_known_by_its_number() {
        assert_eq!(Kind::of(kind::STRUCT), Some(Kind::Structure));
        assert_eq!(Kind::of(kind::ATTACH), Some(Kind::Attach));
        assert_eq!(Kind::of(kind::DETACH), Some(Kind::Detach));
        assert_eq!(Kind::of(kind::FIRSTPRIVATE), Some(Kind::Firstprivate));
        assert_eq!(Kind::of(kind::ZERO_LEN_ARRAY_SECTION), Some(Kind::Section(MapType(0))));
        assert_eq!(Kind::of(9), None, "of OpenACC");
        assert_eq!(Kind::of(0x20), None);
    }
}
