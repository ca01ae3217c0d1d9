//! Map types: the bits that a compiler passes for each list item.

use core::fmt;

use oxomp_sys::offload::map_type as bits;

/// Bits that no compiler passes: what gcc's map kinds demand beyond clang's map types.
mod own_bits {
    /// The pointer is detached when its pointee is mapped no longer.
    pub(super) const DETACHES: u64 = 1 << 40;
    /// Without a counterpart the argument is null, and so is an attached pointer.
    pub(super) const NULL_IF_ABSENT: u64 = 1 << 41;
}

/// The map type of a list item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct MapType(pub u64);

impl MapType {
    fn has(self, bit: u64) -> bool {
        self.0 & bit != 0
    }

    /// To the device.
    #[must_use]
    pub fn is_to(self) -> bool {
        self.has(bits::TO)
    }

    /// From the device.
    #[must_use]
    pub fn is_from(self) -> bool {
        self.has(bits::FROM)
    }

    /// The always modifier.
    #[must_use]
    pub fn is_always(self) -> bool {
        self.has(bits::ALWAYS)
    }

    /// The map type delete.
    #[must_use]
    pub fn is_delete(self) -> bool {
        self.has(bits::DELETE)
    }

    /// The same map type with delete.
    #[must_use]
    pub fn deleting(self) -> Self {
        Self(self.0 | bits::DELETE)
    }

    /// The item is an object, and its base the address of a pointer that is to be attached to it.
    #[must_use]
    pub fn is_pointer_and_object(self) -> bool {
        self.has(bits::PTR_AND_OBJ)
    }

    /// The kernel has an argument for the item.
    #[must_use]
    pub fn is_parameter(self) -> bool {
        self.has(bits::TARGET_PARAM)
    }

    /// The device address is stored where the base stood.
    #[must_use]
    pub fn is_returned(self) -> bool {
        self.has(bits::RETURN_PARAM)
    }

    /// A private or, with [`MapType::is_to`], a firstprivate copy.
    #[must_use]
    pub fn is_private(self) -> bool {
        self.has(bits::PRIVATE)
    }

    /// The base is the argument itself.
    #[must_use]
    pub fn is_literal(self) -> bool {
        self.has(bits::LITERAL)
    }

    /// No clause names the item.
    #[must_use]
    pub fn is_implicit(self) -> bool {
        self.has(bits::IMPLICIT)
    }

    /// The close modifier.
    #[must_use]
    pub fn is_close(self) -> bool {
        self.has(bits::CLOSE)
    }

    /// The present modifier.
    #[must_use]
    pub fn is_present(self) -> bool {
        self.has(bits::PRESENT)
    }

    /// The ompx_hold modifier.
    #[must_use]
    pub fn is_hold(self) -> bool {
        self.has(bits::OMPX_HOLD)
    }

    /// The item attaches a pointer to memory that another item maps.
    #[must_use]
    pub fn is_attach(self) -> bool {
        self.has(bits::ATTACH)
    }

    /// The same map type, of a pointer that is detached when its pointee is mapped no longer.
    #[must_use]
    pub fn detaching(self) -> Self {
        Self(self.0 | own_bits::DETACHES)
    }

    /// The item's pointer is detached when its pointee is mapped no longer.
    #[must_use]
    pub fn detaches(self) -> bool {
        self.has(own_bits::DETACHES)
    }

    /// The same map type, of memory that is null on the device if it has no counterpart there.
    #[must_use]
    pub fn null_if_absent(self) -> Self {
        Self(self.0 | own_bits::NULL_IF_ABSENT)
    }

    /// Without a counterpart the argument is null, and so is an attached pointer.
    #[must_use]
    pub fn is_null_if_absent(self) -> bool {
        self.has(own_bits::NULL_IF_ABSENT)
    }

    /// The same map type, of a member of the structure that the item of that index maps.
    #[must_use]
    pub fn member_of(self, index: usize) -> Self {
        let number = (index as u64 + 1).min(bits::MEMBER_OF >> bits::MEMBER_OF_SHIFT);
        Self(self.0 | number << bits::MEMBER_OF_SHIFT)
    }

    /// The begin is an array of dimensions.
    #[must_use]
    pub fn is_non_contiguous(self) -> bool {
        self.has(bits::NON_CONTIG)
    }

    /// The index of the item for the structure of which this item is a member.
    #[must_use]
    pub fn parent(self) -> Option<usize> {
        let number = (self.0 & bits::MEMBER_OF) >> bits::MEMBER_OF_SHIFT;
        (number as usize).checked_sub(1)
    }

    /// Whether the item is a pointer that a lambda has captured by reference. It is not mapped; but
    /// in the lambda's copy on the device, the captured pointer gets the device address.
    #[must_use]
    pub fn is_capture(self) -> bool {
        self.is_pointer_and_object()
            && self.is_literal()
            && self.is_implicit()
            && self.parent().is_some()
    }

    /// Whether the item takes part in the mapping: it is not an argument that is passed by value or
    /// has a private copy.
    #[must_use]
    pub fn is_mapped(self) -> bool {
        !self.is_literal() && !self.is_private()
    }
}

impl fmt::Display for MapType {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            _ if self.is_attach() => "attach",
            _ if self.is_private() || self.is_literal() => {
                if self.is_to() || self.is_literal() {
                    "firstprivate"
                } else {
                    "private"
                }
            }
            _ if self.is_returned() && !self.is_to() && !self.is_from() => "use_address",
            _ if self.is_to() && self.is_from() => "tofrom",
            _ if self.is_to() => "to",
            _ if self.is_from() => "from",
            _ => "alloc",
        })
    }
}
