//! Libraries for tests, and a runtime with a device for them.

use core::ffi::c_void;
use core::ptr;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_sys::offload::{__tgt_bin_desc, __tgt_device_image, offload_entry_22};

use super::device::{Deeds, LatePlugin};
use crate::device::TargetDevice;
use crate::offload::Offload;

/// A library with a kernel, a variable and a function that is called through a pointer.
pub(crate) struct TestLibrary {
    _image: Box<__tgt_device_image>,
    entries: Box<[offload_entry_22; 3]>,
    descriptor: Box<__tgt_bin_desc>,
}

/// What the library has on the host.
static HOST: [u64; 3] = [0; 3];

fn entry(index: usize, size: u64, flags: u32) -> offload_entry_22 {
    offload_entry_22 {
        reserved: 0,
        version: 1,
        kind: 1,
        flags,
        addr: (&raw const HOST[index]).cast(),
        name: c"name".as_ptr(),
        size,
        data: 0,
        aux_addr: ptr::null(),
    }
}

impl TestLibrary {
    pub(crate) fn new() -> Self {
        let start: *const c_void = (&raw const HOST).cast();
        let image = Box::new(__tgt_device_image {
            image_start: start,
            image_end: start.wrapping_byte_add(8),
            entries_begin: ptr::null(),
            entries_end: ptr::null(),
        });
        let entries = Box::new([entry(0, 0, 0), entry(1, 8, 0), entry(2, 8, 8)]);
        let range = entries.as_ptr_range();
        let descriptor = Box::new(__tgt_bin_desc {
            num_device_images: 1,
            device_images: &raw const *image,
            host_entries_begin: range.start.cast(),
            host_entries_end: range.end.cast(),
        });
        Self { _image: image, entries, descriptor }
    }

    /// The library's descriptor, as an address.
    pub(crate) fn open(&self, offload: &Offload) -> usize {
        let descriptor = &raw const *self.descriptor;
        // SAFETY: the descriptor, which lives longer than the test uses it.
        unsafe { offload.register(descriptor) };
        descriptor.expose_provenance()
    }

    /// The address of the library's target region.
    pub(crate) fn region(&self) -> usize {
        self.entries[0].addr.addr()
    }
}

/// Unregisters the library of that descriptor.
pub(crate) fn close(offload: &Offload, descriptor: usize) {
    offload.unregister(ptr::with_exposed_provenance(descriptor));
}

/// A runtime that lives for ever, its device, and what the device does.
pub(crate) fn runtime() -> (&'static Offload, &'static TargetDevice, Arc<Deeds>) {
    let plugin = LatePlugin::default();
    let deeds = plugin.0.clone();
    let offload = Box::leak(Box::new(Offload::new(vec![Box::new(plugin)])));
    offload.start_all();
    (offload, offload.devices()[0], deeds)
}

/// Checks that the device has the program of the library, and its two variables.
pub(crate) fn assert_ready(device: &TargetDevice, deeds: &Deeds, library: &TestLibrary) {
    assert_eq!(deeds.programs.load(Relaxed), 1);
    assert!(device.kernel(library.region()).is_some());
    assert_eq!(device.table().iter().count(), 2);
    assert_eq!(device.images().len(), 1);
}

/// Checks that nothing of a library is left on the device.
pub(crate) fn assert_empty(device: &TargetDevice, deeds: &Deeds, library: &TestLibrary) {
    assert_eq!(deeds.programs.load(Relaxed), 0);
    assert!(device.kernel(library.region()).is_none());
    assert_eq!(device.table().iter().count(), 0);
    assert!(device.images().is_empty());
}
