//! A target construct of gcc's code that a device may execute: what the device needs of it.

use core::ffi::{c_int, c_uint, c_void};
use core::ptr;

use oxomp_sys::connection::{oxomp_gcc_construct_t, oxomp_gcc_kind_t};
use oxomp_sys::gomp::gomp_device;

use super::construct::{Kind, TargetConstruct};

/// What a device needs of a construct: gcc's arrays for its list items, and its arguments.
#[derive(Clone, Copy, Debug)]
pub struct Offload<'a> {
    /// The number of the device.
    pub device: c_int,
    /// The addresses or values of the list items.
    pub addresses: *mut *mut c_void,
    /// Their sizes.
    pub sizes: &'a [usize],
    /// Their map kinds.
    pub kinds: &'a [u16],
    /// The arguments of a target region, with the null word at their end; empty for none.
    pub arguments: &'a [usize],
}

impl Offload<'_> {
    /// A construct that the host executes.
    pub(super) const OF_HOST: Self = Offload {
        device: gomp_device::HOST,
        addresses: ptr::null_mut(),
        sizes: &[],
        kinds: &[],
        arguments: &[],
    };

    /// The construct as the offload library takes it; its call returns to `return_address`.
    pub(super) fn described(
        &self,
        construct: &TargetConstruct,
        return_address: *const c_void,
    ) -> oxomp_gcc_construct_t {
        let arguments = match self.arguments {
            [] => ptr::null_mut(),
            words => words.as_ptr().cast_mut().cast(),
        };
        oxomp_gcc_construct_t {
            kind: match construct.kind {
                Kind::Target => oxomp_gcc_kind_t::TARGET,
                Kind::EnterData => oxomp_gcc_kind_t::ENTER_DATA,
                Kind::ExitData => oxomp_gcc_kind_t::EXIT_DATA,
                Kind::Update => oxomp_gcc_kind_t::UPDATE,
            },
            is_nowait: c_uint::from(construct.nowait),
            device: self.device,
            function: construct.function,
            count: self.kinds.len(),
            addresses: self.addresses,
            sizes: self.sizes.as_ptr(),
            kinds: self.kinds.as_ptr(),
            arguments,
            num_teams: construct.num_teams,
            thread_limit: construct.thread_limit,
            return_address,
        }
    }

    /// The bytes and the alignment of each of the arrays that a target task has copies of: sizes,
    /// arguments, kinds.
    pub(super) fn arrays(&self) -> [(usize, usize); 3] {
        [
            (size_of_val(self.sizes), align_of::<usize>()),
            (size_of_val(self.arguments), align_of::<usize>()),
            (size_of_val(self.kinds), align_of::<u16>()),
        ]
    }

    /// Copies the arrays to the data of a target task, and describes the construct by the copies.
    ///
    /// # Safety
    /// The places have room for the arrays, in the order of [`Offload::arrays`].
    pub(super) unsafe fn keep(
        &self,
        described: &mut oxomp_gcc_construct_t,
        addresses: *mut *mut c_void,
        [sizes, arguments, kinds]: [*mut c_void; 3],
    ) {
        // SAFETY: the caller's own promise (`# Safety`).
        unsafe {
            sizes.cast::<usize>().copy_from_nonoverlapping(self.sizes.as_ptr(), self.sizes.len());
            arguments
                .cast::<usize>()
                .copy_from_nonoverlapping(self.arguments.as_ptr(), self.arguments.len());
            kinds.cast::<u16>().copy_from_nonoverlapping(self.kinds.as_ptr(), self.kinds.len());
        }
        described.addresses = addresses;
        described.sizes = sizes.cast();
        described.kinds = kinds.cast();
        if !described.arguments.is_null() {
            described.arguments = arguments.cast();
        }
    }
}
