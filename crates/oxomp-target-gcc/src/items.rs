//! The list items of a construct in gcc's code, made of its three arrays.

use core::ffi::c_void;
use core::ptr;

use oxomp_sys::offload::map_type as bits;
use oxomp_target::item::{MapItem, PlainItem};
use oxomp_target::map_type::MapType;
use oxomp_target::mapping::POINTER_BYTES;

use crate::kind::Kind;

/// The arrays by which gcc's code passes list items; each element has a word among the arguments of
/// a target region.
#[derive(Debug)]
pub(crate) struct Arrays<'a> {
    /// Addresses, or values.
    pub(crate) addresses: &'a mut [*mut c_void],
    /// Sizes, or what the kind makes of them.
    pub(crate) sizes: &'a [usize],
    /// Kinds.
    pub(crate) kinds: &'a [u16],
}

/// A number that is no map kind of OpenMP.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownKind(pub(crate) u16);

/// An element of the arrays.
#[derive(Clone, Copy, Debug)]
struct Element {
    address: usize,
    size: usize,
    kind: Kind,
    slot: *mut *mut c_void,
    /// The index of the item for the structure of which the element maps a member.
    structure: Option<usize>,
}

impl Element {
    /// An item with the bytes of the element, or some of them.
    ///
    /// # Safety
    /// As for [`PlainItem::promised`].
    unsafe fn item(&self, begin: usize, bytes: usize, map_type: MapType) -> MapItem {
        let map_type = match self.structure {
            Some(structure) => map_type.member_of(structure),
            None => map_type,
        };
        let map_type = MapType(map_type.0 | bits::TARGET_PARAM);
        let plain = PlainItem { base: self.address, begin, bytes, map_type, slot: self.slot };
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe { plain.promised() }
    }

    /// The word `value` among the arguments of a region.
    fn word(&self, value: usize) -> MapItem {
        let map_type = MapType(bits::LITERAL | bits::TARGET_PARAM);
        let plain = PlainItem { base: value, begin: 0, bytes: 0, map_type, slot: self.slot };
        // SAFETY: the item has no memory.
        unsafe { plain.promised() }
    }

    /// The item that attaches the element's pointer, or ends its attachment. The element's size is
    /// the distance from the pointer's value to the memory that is mapped.
    ///
    /// # Safety
    /// The element is the address of a pointer.
    unsafe fn attachment(&self, flags: u64) -> MapItem {
        let pointer = ptr::with_exposed_provenance::<*mut c_void>(self.address);
        // SAFETY: a pointer of the program (`# Safety`).
        let value = unsafe { pointer.read_unaligned() }.expose_provenance();
        let begin = if value == 0 { 0 } else { value.wrapping_add(self.size) };
        let map_type = MapType(bits::ATTACH | flags).detaching().null_if_absent();
        let plain = PlainItem { base: self.address, begin, bytes: 0, map_type, slot: self.slot };
        // SAFETY: the item has no bytes, and its pointer is the element's.
        unsafe { plain.promised() }
    }
}

impl Arrays<'_> {
    /// The items of a construct that maps, or unmaps. One item for each element is a parameter.
    ///
    /// # Safety
    /// gcc's code passes the arrays, and the memory of the items is valid for the construct.
    pub(crate) unsafe fn items(&mut self) -> Result<Vec<MapItem>, UnknownKind> {
        let mut items = Vec::with_capacity(self.kinds.len());
        let (mut members, mut structure) = (0, None);
        for index in 0..self.kinds.len() {
            let element = Element { structure, ..self.element(index)? };
            if matches!(element.kind, Kind::Structure) && element.address != 0 {
                (members, structure) = (element.size, Some(items.len()));
                // SAFETY: the caller's own promise (`# Safety`).
                items.push(unsafe { self.structure(&element, index)? });
                continue;
            }
            // SAFETY: as above.
            unsafe { append(&mut items, &element) };
            if structure.is_some() {
                members -= 1;
                structure = structure.filter(|_| members > 0);
            }
        }
        Ok(items)
    }

    /// The items of a target update construct: what is no memory is not transferred.
    ///
    /// # Safety
    /// As for `items`.
    pub(crate) unsafe fn motions(&mut self) -> Result<Vec<MapItem>, UnknownKind> {
        const DESCRIPTOR: u16 = oxomp_sys::gomp::gomp_map_kind::TO_PSET;
        let mut items = Vec::with_capacity(self.kinds.len());
        for index in 0..self.kinds.len() {
            let element = self.element(index)?;
            let is_descriptor = self.kinds[index] & 0xff == DESCRIPTOR;
            if let Kind::Memory(map_type) = element.kind
                && element.address != 0
                && !is_descriptor
            {
                // SAFETY: the caller's own promise (`# Safety`).
                items.push(unsafe { element.item(element.address, element.size, map_type) });
            }
        }
        Ok(items)
    }

    /// The elements that are to become device addresses.
    pub(crate) fn device_pointers(&mut self) -> impl Iterator<Item = &mut *mut c_void> {
        let of_kinds = self.addresses.iter_mut().zip(self.kinds);
        let pointers = of_kinds.filter(|(_, kind)| Kind::of(**kind) == Some(Kind::DevicePointer));
        pointers.map(|(address, _)| address)
    }

    fn element(&mut self, index: usize) -> Result<Element, UnknownKind> {
        let number = self.kinds[index];
        Ok(Element {
            address: self.addresses[index].expose_provenance(),
            size: self.sizes[index],
            kind: Kind::of(number).ok_or(UnknownKind(number))?,
            slot: &raw mut self.addresses[index],
            structure: None,
        })
    }

    /// The item for the part of a structure from its first member on to its last one.
    ///
    /// # Safety
    /// As for `items`.
    unsafe fn structure(
        &mut self,
        element: &Element,
        index: usize,
    ) -> Result<MapItem, UnknownKind> {
        let (mut begin, mut end) = (usize::MAX, 0);
        let last = index.saturating_add(element.size).min(self.kinds.len() - 1);
        for member in index + 1..=last {
            let member = self.element(member)?;
            let bytes = match member.kind {
                Kind::Memory(_) | Kind::Section(_) => member.size,
                _ => POINTER_BYTES,
            };
            begin = begin.min(member.address);
            end = end.max(member.address.saturating_add(bytes));
        }
        let begin = begin.min(end);
        // SAFETY: members of a structure of the program (`# Safety`).
        Ok(unsafe { element.item(begin, end - begin, MapType(0)) })
    }
}

/// Appends what an element stands for.
///
/// # Safety
/// As for [`Arrays::items`].
unsafe fn append(items: &mut Vec<MapItem>, element: &Element) {
    let Element { address, size, kind, .. } = *element;
    if address == 0 {
        // A variable that is not there, such as an absent optional argument.
        return items.push(element.word(0));
    }
    // SAFETY: the memory, or the pointer, of the element (`# Safety`).
    unsafe {
        match kind {
            Kind::Memory(map_type) => items.push(element.item(address, size, map_type)),
            Kind::Section(map_type) => {
                items.push(element.item(address, 0, map_type.null_if_absent()));
            }
            Kind::Pointer => {
                items.push(element.item(address, POINTER_BYTES, MapType(0)));
                items.push(element.attachment(0));
            }
            Kind::AlwaysPointer => {
                items.push(element.word(0));
                items.push(element.attachment(bits::ALWAYS));
            }
            Kind::Attach | Kind::Detach => {
                items.push(element.word(0));
                items.push(element.attachment(0));
            }
            Kind::Firstprivate => {
                items.push(element.item(address, size, MapType(bits::PRIVATE | bits::TO)));
            }
            Kind::Structure | Kind::Value | Kind::DevicePointer => {
                items.push(element.word(address));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arrays, UnknownKind, bits};
    use core::ffi::c_void;
    use core::ptr;
    use oxomp_target::item::MapItem;

    fn items(of: &[(*mut c_void, usize, u16)]) -> Result<Vec<MapItem>, UnknownKind> {
        let mut addresses: Vec<_> = of.iter().map(|it| it.0).collect();
        let sizes: Vec<_> = of.iter().map(|it| it.1).collect();
        let kinds: Vec<_> = of.iter().map(|it| it.2).collect();
        let mut arrays = Arrays { addresses: &mut addresses, sizes: &sizes, kinds: &kinds };
        // SAFETY: the tests pass pointers where kinds demand them.
        unsafe { arrays.items() }
    }

    fn at(address: &mut [u64], index: usize) -> *mut c_void {
        (&raw mut address[index]).cast()
    }

    #[test]
    fn each_element_is_one_parameter() {
        let mut data = [0_u64; 8];
        let pointee = at(&mut data, 4);
        let mut pointer = pointee;
        let place = (&raw mut pointer).cast();
        let list = [
            (at(&mut data, 0), 16, 0x303),
            (ptr::null_mut(), 8, 0x301),
            (ptr::without_provenance_mut(7), 0, 13),
            (at(&mut data, 2), 8, 12),
            (place, 8, 4),
            (place, 0, 0x50),
        ];
        let items = items(&list).expect("known kinds");
        let parameters: Vec<_> = items.iter().filter(|it| it.map_type.is_parameter()).collect();
        assert_eq!(parameters.len(), list.len());
        assert_eq!(parameters[1].base, 0, "a variable that is not there");
        assert_eq!(parameters[2].base, 7);
        assert!(parameters[3].map_type.is_private());
        let attached: Vec<_> = items.iter().filter(|it| it.map_type.is_attach()).collect();
        assert_eq!(attached.len(), 2);
        assert_eq!(attached[0].begin, pointee.addr() + 8, "the size is a distance");
    }

    #[test]
    fn a_structure_reaches_from_its_first_member_to_its_last() {
        let mut data = [0_u64; 8];
        let base = at(&mut data, 0);
        let list = [
            (base, 2, 0x31c),
            (at(&mut data, 2), 4, 0x203),
            (at(&mut data, 5), 8, 0x301),
            (at(&mut data, 7), 8, 0x301),
        ];
        let items = items(&list).expect("known kinds");
        assert_eq!((items[0].begin, items[0].bytes), (base.addr() + 16, 32));
        assert_eq!(items[0].base, base.addr());
        let structures: Vec<_> = items.iter().map(|it| it.map_type.parent()).collect();
        assert_eq!(structures, [None, Some(0), Some(0), None]);
        assert_eq!(items[1].map_type.0 & (bits::TO | bits::FROM), bits::TO | bits::FROM);
    }

    #[test]
    fn a_kind_of_openacc_is_refused() {
        let mut data = [0_u64; 1];
        assert!(items(&[(at(&mut data, 0), 8, 9)]).is_err_and(|it| it == UnknownKind(9)));
    }
}
