//! Libraries that come and go while their programs are loaded.

use core::ffi::c_void;
use core::ptr;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, mpsc};
use std::thread;

use oxomp_sys::offload::{__tgt_bin_desc, __tgt_device_image, offload_entry_22};

use super::device::{Deeds, LatePlugin};
use crate::device::TargetDevice;
use crate::offload::Offload;

/// A library with a kernel, a variable and a function that is called through a pointer.
struct TestLibrary {
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
    fn new() -> Self {
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
    fn open(&self, offload: &Offload) -> usize {
        let descriptor = &raw const *self.descriptor;
        // SAFETY: the descriptor, which lives longer than the test uses it.
        unsafe { offload.register(descriptor) };
        descriptor.expose_provenance()
    }

    /// The address of its region.
    fn region(&self) -> usize {
        self.entries[0].addr.addr()
    }
}

fn close(offload: &Offload, descriptor: usize) {
    offload.unregister(ptr::with_exposed_provenance(descriptor));
}

/// A runtime that lives for ever, its device, and what the device does.
fn runtime() -> (&'static Offload, &'static TargetDevice, Arc<Deeds>) {
    let plugin = LatePlugin::default();
    let deeds = plugin.0.clone();
    let offload = Box::leak(Box::new(Offload::new(vec![Box::new(plugin)])));
    offload.start_all();
    (offload, offload.devices()[0], deeds)
}

/// Checks that the device has the program of the library, and its two variables.
fn assert_ready(device: &TargetDevice, deeds: &Deeds, library: &TestLibrary) {
    assert_eq!(deeds.programs.load(Relaxed), 1);
    assert!(device.kernel(library.region()).is_some());
    assert_eq!(device.table().iter().count(), 2);
    assert_eq!(device.images().len(), 1);
}

/// Checks that nothing of a library is left on the device.
fn assert_empty(device: &TargetDevice, deeds: &Deeds, library: &TestLibrary) {
    assert_eq!(deeds.programs.load(Relaxed), 0);
    assert!(device.kernel(library.region()).is_none());
    assert_eq!(device.table().iter().count(), 0);
    assert!(device.images().is_empty());
}

#[test]
fn a_library_comes_and_goes() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    for _ in 0..3 {
        let descriptor = library.open(offload);
        assert!(offload.device(0).is_some());
        assert_ready(device, &deeds, &library);
        close(offload, descriptor);
        assert_empty(device, &deeds, &library);
    }
}

#[test]
fn constructors_of_an_image_and_other_threads_use_the_runtime_while_it_is_loaded() {
    let (offload, device, deeds) = runtime();
    let (library, other) = (TestLibrary::new(), TestLibrary::new());
    library.open(offload);
    let other = other.open(offload);
    deeds.at_load.set(move || {
        assert!(!device.executes(ptr::null()), "nothing is loaded yet");
        // As a thread that has the loader's lock, for which the load has to wait.
        let closes = thread::spawn(move || close(offload, other));
        closes.join().expect("it does not wait for the load");
    });
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

#[test]
fn a_library_that_is_closed_while_its_image_is_loaded_leaves_nothing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    let descriptor = library.open(offload);
    deeds.at_load.set(move || close(offload, descriptor));
    assert!(offload.device(0).is_some());
    assert_empty(device, &deeds, &library);
    library.open(offload);
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}

#[test]
fn a_library_that_is_closed_while_its_variables_are_entered_leaves_nothing() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    let descriptor = library.open(offload);
    // The device reads where the function lies; the variable is in the table already.
    deeds.at_queue.set(move || {
        let closes = thread::spawn(move || close(offload, descriptor));
        closes.join().expect("it does not wait for the thread that loads");
        assert_eq!(device.table().iter().count(), 0, "its memory is about to go");
    });
    assert!(offload.device(0).is_some());
    assert_empty(device, &deeds, &library);
}

#[test]
fn the_child_of_a_fork_goes_on_with_what_another_thread_was_loading() {
    let (offload, device, deeds) = runtime();
    let library = TestLibrary::new();
    library.open(offload);
    let (reached, is_reached) = mpsc::channel();
    deeds.at_queue.set(move || {
        reached.send(()).expect("the test waits");
        // The thread never goes on: the child does not have it.
        loop {
            thread::park();
        }
    });
    thread::spawn(move || offload.device(0).is_some());
    is_reached.recv().expect("it loads");
    assert_eq!(device.table().iter().count(), 1);
    device.locks().turnstile.forget_others();
    assert!(offload.device(0).is_some());
    assert_ready(device, &deeds, &library);
}
