//! Handles of allocators: the value of *def-allocator-var* and of `omp_allocator_handle_t`.

use core::fmt;

use oxomp_ompd_layout::{Kind, Readable};

/// The handle of an allocator: its number in the low bits, and its generation, which distinguishes
/// two allocators that have the same number one after the other.
///
/// The predefined allocators have the numbers of the headers and generation 0. No handle is an
/// address, so the table of allocators shows whether a value of the program is a handle.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllocatorHandle(u32);

/// The bits of a handle that are the allocator's number.
const NUMBER_BITS: u32 = 20;

/// The first number of an allocator that the program creates. LLVM's headers reserve those up to
/// 1024 (`kmp_max_mem_alloc`).
const FIRST_CREATED: u32 = 1025;

impl AllocatorHandle {
    /// `omp_null_allocator`.
    pub const NULL: Self = Self(0);
    /// `omp_default_mem_alloc`.
    pub const DEFAULT_MEM: Self = Self(1);
    /// `omp_thread_mem_alloc`, the last one that the specification defines.
    pub const THREAD_MEM: Self = Self(8);
    /// A handle that no allocator has, for values of the program that are not handles.
    pub const NONE_SUCH: Self = Self(1024);
    /// `ompx_gnu_pinned_mem_alloc` of gcc's headers from 15 on.
    pub const GNU_PINNED_MEM: Self = Self(200);
    /// How many allocators of the program there can be at once.
    pub const MOST_CREATED: u32 = (1 << NUMBER_BITS) - FIRST_CREATED;
    /// How many generations are told apart.
    pub(crate) const GENERATIONS: u32 = 1 << (32 - NUMBER_BITS);

    /// The handle with this value in C. `None` if no handle has this value.
    #[must_use]
    #[inline(always)]
    pub fn from_abi(value: usize) -> Option<Self> {
        u32::try_from(value).ok().map(Self)
    }

    /// The handle's value in C.
    #[must_use]
    #[inline(always)]
    pub fn to_abi(self) -> usize {
        self.0 as usize
    }

    /// The predefined allocator of this number.
    pub const fn predefined(number: u32) -> Self {
        Self(number)
    }

    /// The predefined allocator with default traits in a predefined memory space; null for another
    /// space.
    pub fn of_space(space: usize) -> Self {
        match space {
            99 => Self::DEFAULT_MEM,
            // omp_large_cap_mem_space to omp_low_lat_mem_space, and LLVM's omp_cgroup_mem_space.
            1..=5 => Self(space as u32 + 1),
            _ => Self::NULL,
        }
    }

    /// The handle of allocator `index` of the program, in its `generation`.
    pub fn created(index: u32, generation: u32) -> Self {
        debug_assert!(index < Self::MOST_CREATED && generation < Self::GENERATIONS);
        Self((index + FIRST_CREATED) | generation << NUMBER_BITS)
    }

    /// Index and generation of an allocator of the program; `None` for a predefined one.
    #[inline(always)]
    pub(crate) fn index(self) -> Option<(u32, u32)> {
        let number = self.0 & ((1 << NUMBER_BITS) - 1);
        number.checked_sub(FIRST_CREATED).map(|index| (index, self.0 >> NUMBER_BITS))
    }

    /// Whether it is one that the specification defines, and that has its default traits.
    #[inline(always)]
    pub fn is_plain(self) -> bool {
        Self::DEFAULT_MEM.0 <= self.0 && self.0 <= Self::THREAD_MEM.0
    }

    /// Whether it is predefined, by the specification or by a compiler's headers: 100 to 102 are
    /// LLVM's for memory that devices reach, 200 and 201 gcc's for pinned and managed memory.
    #[inline]
    pub fn is_predefined(self) -> bool {
        self.is_plain() || matches!(self.0, 100..=102 | 200 | 201)
    }

    /// The handle's bits, for `from_bits`.
    #[inline(always)]
    pub fn to_bits(self) -> u32 {
        self.0
    }

    /// The handle with these bits, which `to_bits` has returned.
    #[inline(always)]
    pub fn from_bits(bits: u32) -> Self {
        Self(bits)
    }
}

impl Readable for AllocatorHandle {
    const KIND: Kind = Kind::Unsigned;
}

/// Names the allocator for a message.
impl fmt::Display for AllocatorHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const NAMES: [&str; 9] = [
            "omp_null_allocator",
            "omp_default_mem_alloc",
            "omp_large_cap_mem_alloc",
            "omp_const_mem_alloc",
            "omp_high_bw_mem_alloc",
            "omp_low_lat_mem_alloc",
            "omp_cgroup_mem_alloc",
            "omp_pteam_mem_alloc",
            "omp_thread_mem_alloc",
        ];
        match NAMES.get(self.0 as usize) {
            Some(name) => f.write_str(name),
            None => write!(f, "allocator {:#x}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::AllocatorHandle;

    #[test]
    fn created_ones_lie_above_the_predefined_and_fit_their_bits() {
        for index in [0, 1, AllocatorHandle::MOST_CREATED - 1] {
            for generation in [0, 1, AllocatorHandle::GENERATIONS - 1] {
                let handle = AllocatorHandle::created(index, generation);
                assert_eq!(handle.index(), Some((index, generation)));
                assert!(handle.to_abi() > 1024 && !handle.is_predefined());
                assert_eq!(AllocatorHandle::from_abi(handle.to_abi()), Some(handle));
            }
        }
        for value in [0, 1, 8, 100, 201, 1024] {
            assert_eq!(AllocatorHandle::from_abi(value).and_then(AllocatorHandle::index), None);
        }
        assert_eq!(AllocatorHandle::from_abi(usize::MAX), None);
        assert_eq!(AllocatorHandle::from_abi(1 << 32), None);
    }

    #[test]
    fn messages_name_the_predefined() {
        assert_eq!(AllocatorHandle::THREAD_MEM.to_string(), "omp_thread_mem_alloc");
        assert_eq!(AllocatorHandle::created(0, 1).to_string(), "allocator 0x100401");
    }
}
