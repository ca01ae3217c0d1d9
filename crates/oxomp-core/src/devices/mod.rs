//! Devices (OpenMP 5.2 §18.7): the host, whose number is the one after those of the non-host
//! devices, and the devices of libomptarget, if the program has loaded it.
//!
//! The routines for devices are also libomptarget's. Programs that were linked with it call its
//! routines by its version node. Other calls reach this library, which comes first in the search
//! order: a routine without a version, or gcc's in a program of both compilers. They are passed on
//! to libomptarget once it is there, so that all parts of the program see the same devices.

pub mod gcc;

use core::ffi::{CStr, c_int, c_void};
use core::mem::transmute;
use core::ptr::{self, NonNull};
use core::sync::atomic::Ordering::Relaxed;
use core::sync::atomic::{AtomicPtr, AtomicU64};

use oxomp_arch::CallSite;
use oxomp_base::diag::{self, Location};
use oxomp_base::icv::{Icvs, TargetOffload, env};
use oxomp_base::os::{self, loader};
use oxomp_base::settings::{self, Settings};
use oxomp_sys::connection::{self, oxomp_count_devices_t, oxomp_device_of_code_t};

use crate::block::Thread;
use crate::ompd::process;

/// `omp_initial_device`: the host.
const INITIAL_DEVICE: c_int = -1;
/// `omp_invalid_device` of gcc's programs.
pub const INVALID_DEVICE: c_int = -4;
/// `omp_invalid_device` of clang's programs; gcc's take that number for the host.
pub const INVALID_DEVICE_OF_LLVM: c_int = -2;

/// A function that every offload runtime for clang exports, and no host runtime does.
const MARK: &CStr = c"__tgt_register_lib";

/// A routine that libomptarget may have too.
#[derive(Debug)]
pub struct Routine {
    name: &'static CStr,
    /// Its address in libomptarget; null before it has been found.
    address: AtomicPtr<c_void>,
}

impl Routine {
    /// The routine `name`.
    #[must_use]
    pub const fn new(name: &'static CStr) -> Self {
        Routine { name, address: AtomicPtr::new(ptr::null_mut()) }
    }

    /// The address of the routine in libomptarget; `None` while the program has not loaded that
    /// library, or if the library lacks the routine.
    pub fn in_libomptarget(&self) -> Option<NonNull<c_void>> {
        self.known().or_else(|| {
            // The program may load the library later.
            let found = find(self.name)?;
            self.address.store(found.as_ptr(), Relaxed);
            Some(found)
        })
    }

    /// The address, if [`Routine::in_libomptarget`] has found it before. Async-signal-safe.
    #[must_use]
    pub fn known(&self) -> Option<NonNull<c_void>> {
        // Relaxed: the address of code, which needs no publication.
        NonNull::new(self.address.load(Relaxed))
    }
}

/// A routine that only oxomp's libomptarget has (`oxomp_sys::connection`).
#[derive(Debug)]
pub struct PrivateRoutine(Routine);

impl PrivateRoutine {
    /// The routine `name`.
    #[must_use]
    pub const fn new(name: &'static CStr) -> Self {
        PrivateRoutine(Routine::new(name))
    }

    /// The address of the routine; `None` while the program has not loaded libomptarget, or if that
    /// is LLVM's, or has another version of the interface. Such a library is used as LLVM's is, and
    /// says so itself, once.
    pub fn in_libomptarget(&self) -> Option<NonNull<c_void>> {
        static WORD: Routine = Routine::new(connection::OFFLOAD_VERSION);
        let word = WORD.in_libomptarget()?.cast::<u32>();
        // SAFETY: the library's variable of that name, which stays loaded, has this type in all
        // versions, and no thread writes it.
        let version = unsafe { word.read() };
        (version == connection::VERSION).then(|| self.0.in_libomptarget())?
    }

    /// The address, if [`PrivateRoutine::in_libomptarget`] has found it before. Async-signal-safe.
    #[must_use]
    pub fn known(&self) -> Option<NonNull<c_void>> {
        self.0.known()
    }
}

/// The function or variable `name` of libomptarget, which stays loaded from then on: the caller
/// keeps the address, and the program may close the library.
fn find(name: &CStr) -> Option<NonNull<c_void>> {
    /// The number of objects that had been loaded when libomptarget was not among them.
    static WITHOUT: AtomicU64 = AtomicU64::new(u64::MAX);
    if let Some(library) = gcc::loaded() {
        // SAFETY: a handle that is never closed.
        return unsafe { loader::symbol_of(library, name) };
    }
    let loaded = loader::objects_loaded();
    if WITHOUT.load(Relaxed) == loaded {
        return None;
    }
    let Some(mark) = loader::symbol_in_address_space(MARK) else {
        WITHOUT.store(loaded, Relaxed);
        return None;
    };
    // SAFETY: a thread of the program calls a routine that the library answers, during which the
    // program keeps the library.
    let found = unsafe { loader::symbol_seen_from(mark.as_ptr(), name) }?;
    if os::is_ours(found) {
        return None;
    }
    // SAFETY: the program keeps the library during the call, as above.
    unsafe { loader::keep_loaded(found) }.then_some(found)
}

/// Whether the program has loaded libomptarget.
pub fn has_libomptarget() -> bool {
    static ROUTINE: Routine = Routine::new(c"omp_target_alloc");
    ROUTINE.in_libomptarget().is_some()
}

/// The number of non-host devices, which is also the device number of the host.
pub fn num_devices() -> c_int {
    static ROUTINE: Routine = Routine::new(c"omp_get_num_devices");
    let number = ROUTINE.in_libomptarget().map_or(0, |function| {
        // SAFETY: the library's function of that name has this type (OpenMP 5.2 §18.7.4).
        unsafe { transmute::<NonNull<c_void>, extern "C" fn() -> c_int>(function)() }
    });
    process::show_num_devices(number);
    number
}

/// The number of devices that images of the program fit, whatever *target-offload-var* is; `None`
/// without oxomp's libomptarget of the same interface.
fn count() -> Option<c_int> {
    static ROUTINE: PrivateRoutine = PrivateRoutine::new(c"oxomp_count_devices");
    ROUTINE.in_libomptarget().map(|function| {
        // SAFETY: the library's function of that name has this type.
        unsafe { transmute::<NonNull<c_void>, oxomp_count_devices_t>(function)() }
    })
}

/// Whether the program has loaded oxomp's libomptarget and no image has been registered there, or
/// has images of gcc's that it has yet to register. Then the number of devices, which is also the
/// device number of the host, may change until `main`.
pub(crate) fn may_come() -> bool {
    count().map_or_else(|| os::program_imports(gcc::REGISTRATION), |count| count == 0)
}

/// The device number of the host that a tool gets when it begins (`initial_device_num`). The
/// runtime may not have read its environment by then, and this call must not make it do so. LLVM's
/// libomptarget is not asked: a tool begins while that library connects, and then it does not have
/// its devices yet.
pub(crate) fn initial_device_num() -> c_int {
    let disabled = TargetOffload::Disabled.to_kmp();
    let policy = settings::known().map(Settings::target_offload);
    let number = match policy.unwrap_or_else(|| env::target_offload_now().to_kmp()) {
        policy if policy == disabled => 0,
        _ => count().unwrap_or(0),
    };
    process::show_num_devices(number);
    number
}

/// The number of the device whose code makes the call at `site`: with oxomp's offload library, a
/// device may be the host itself, and its code is then part of the process.
pub fn device_num(site: CallSite) -> c_int {
    static ROUTINE: PrivateRoutine = PrivateRoutine::new(c"oxomp_device_of_code");
    let asked = ROUTINE.in_libomptarget().map(|function| {
        // SAFETY: the library's function of that name has this type; it takes any address.
        unsafe {
            let device_of_code = transmute::<NonNull<c_void>, oxomp_device_of_code_t>(function);
            device_of_code(site.return_address())
        }
    });
    asked.filter(|&device| device >= 0).unwrap_or_else(num_devices)
}

/// What `ompt_target_get_device_info` of the 2015 report calls.
pub(crate) static DEVICE_INFO_2015: PrivateRoutine = PrivateRoutine::new(c"oxomp_device_info_2015");

/// Finds what a tool's entry points for devices need. They must not look for it themselves: a
/// signal handler may call them, and the code that it interrupts may have the loader's lock.
pub(crate) fn prepare_entry_points() {
    num_devices();
    DEVICE_INFO_2015.in_libomptarget();
}

/// The number of non-host devices, as far as it is known. Async-signal-safe.
pub(crate) fn num_devices_if_known() -> c_int {
    process::shown_num_devices()
}

/// Whether `device_num` is a number of the host: its own, or `omp_initial_device`.
pub fn is_host(device_num: c_int) -> bool {
    device_num == INITIAL_DEVICE || device_num == num_devices()
}

/// *default-device-var* of the current task. If the variable has no value, and the program must not
/// run target regions on the host, it is `omp_invalid_device` while there is no other device
/// (OpenMP 5.2 §2.4).
pub fn default_device() -> c_int {
    match Thread::current().icvs().default_device_var {
        Icvs::NO_DEFAULT_DEVICE if num_devices() == 0 => INVALID_DEVICE,
        Icvs::NO_DEFAULT_DEVICE => 0,
        device => device,
    }
}

/// The device of a construct: of its device clause, or else of *default-device-var*.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Device {
    /// The host, by an if clause that is false, or by `omp_initial_device`.
    Host,
    /// The default device.
    Default,
    /// The device of this number.
    Number(c_int),
}

/// Ends the program if the construct may not run on the host, since *target-offload-var* is
/// mandatory and `device` is another device (OpenMP 5.2 §21.2.9): the runtime has code for the host
/// only.
#[inline(always)]
pub fn require(device: Device, construct: &str, site: CallSite) {
    if device != Device::Host && is_offload_mandatory() {
        require_host(device, construct, site);
    }
}

/// Ends the program if a routine was called for a device that does not exist, and
/// *target-offload-var* is mandatory. Returns whether `device_num` is the host.
pub fn is_host_or_allowed(device_num: c_int, routine: &str, site: CallSite) -> bool {
    let is_host = is_host(device_num);
    if !is_host && is_offload_mandatory() {
        require_host(Device::Number(device_num), routine, site);
    }
    is_host
}

fn is_offload_mandatory() -> bool {
    // The runtime reads its environment when it has started: a tool may change variables before.
    let _ = Thread::current();
    settings::get().target_offload() == TargetOffload::Mandatory.to_kmp()
}

#[cold]
fn require_host(device: Device, what: &str, site: CallSite) {
    let number = match device {
        Device::Host => return,
        Device::Default => default_device(),
        Device::Number(number) => number,
    };
    if is_host(number) {
        return;
    }
    let location = Location::at(site);
    let name = match device {
        Device::Default => "the default device".to_owned(),
        _ => format!("device {number}"),
    };
    diag::fatal(&format!(
        "{}{what}: {name} is not available, and OMP_TARGET_OFFLOAD=mandatory forbids the host",
        location.prefix(),
    ));
}
