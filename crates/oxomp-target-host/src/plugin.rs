//! The plug-in and its devices.

use std::ffi::{CStr, CString};
use std::num::NonZero;
use std::thread;

use oxomp_target::plugin::{
    Address, Device, DeviceError, Image, MemoryKind, Plugin, Program, Queue, Verdict,
};
use oxomp_target::report;

use crate::elf;
use crate::image::LoadedImage;
use crate::memory;
use crate::processor;
use crate::queue::HostQueue;

/// How many devices there are unless the environment says otherwise; LLVM's plug-in has the same
/// number.
const DEFAULT_DEVICES: usize = 4;
/// More devices than any program needs.
const MOST_DEVICES: usize = 1024;
/// The variable for the number of devices.
const VARIABLE: &str = "OXOMP_HOST_DEVICES";

/// The plug-in.
#[derive(Clone, Copy, Debug)]
pub struct HostPlugin {
    devices: usize,
}

impl HostPlugin {
    /// The plug-in with as many devices as the environment says.
    #[must_use]
    pub fn from_environment() -> Self {
        let Ok(value) = std::env::var(VARIABLE) else { return Self::new(DEFAULT_DEVICES) };
        match value.trim().parse() {
            Ok(devices @ 0..=MOST_DEVICES) => Self::new(devices),
            _ => {
                report::warn(&format!(
                    "{VARIABLE}={value} is ignored; a number from 0 to {MOST_DEVICES} is expected"
                ));
                Self::new(DEFAULT_DEVICES)
            }
        }
    }

    /// The plug-in with `devices` devices.
    #[must_use]
    pub fn new(devices: usize) -> Self {
        Self { devices }
    }
}

impl Plugin for HostPlugin {
    fn name(&self) -> &'static str {
        "host"
    }

    fn examine(&self, image: Image<'_>) -> Verdict {
        match image {
            Image::Bytes(image) => elf::examine(image),
            Image::Opaque(_) => Verdict::Foreign,
        }
    }

    fn devices(&self) -> Vec<Box<dyn Device>> {
        let device = |index| -> Box<dyn Device> {
            let uid = CString::new(format!("HOST-{index}")).unwrap_or_default();
            Box::new(HostDevice { uid })
        };
        (0..self.devices).map(device).collect()
    }
}

/// A device.
#[derive(Debug)]
struct HostDevice {
    uid: CString,
}

impl Device for HostDevice {
    fn description(&self) -> String {
        let [vendor, model] = processor::vendor_and_model();
        format!("{vendor};{model};host;{}", std::env::consts::ARCH)
    }

    fn uid(&self) -> &CStr {
        &self.uid
    }

    fn shares_host_memory(&self) -> bool {
        true
    }

    fn processors(&self) -> usize {
        thread::available_parallelism().map_or(1, NonZero::get)
    }

    fn time(&self) -> u64 {
        memory::monotonic_ns()
    }

    fn current_processor(&self) -> Option<u32> {
        memory::current_processor()
    }

    fn to_host_seconds(&self, time: u64) -> f64 {
        time as f64 * 1e-9
    }

    fn load(
        &self,
        image: Image<'_>,
        _number: i32,
        _counts: [usize; 2],
    ) -> Result<Box<dyn Program>, DeviceError> {
        match image {
            Image::Bytes(image) => Ok(Box::new(LoadedImage::load(image)?)),
            Image::Opaque(_) => Err(DeviceError("the image is for another device".to_owned())),
        }
    }

    fn allocate(&self, bytes: usize, _kind: MemoryKind) -> Option<Address> {
        memory::allocate(bytes)
    }

    unsafe fn free(&self, address: Address, _kind: MemoryKind) {
        // SAFETY: the caller's own promise.
        unsafe { memory::free(address) };
    }

    fn queue(&'static self) -> Result<Box<dyn Queue>, DeviceError> {
        Ok(Box::new(HostQueue))
    }
}
