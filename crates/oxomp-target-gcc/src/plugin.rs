//! The plug-ins of libgomp, each a kind of devices.

use core::ffi::{CStr, c_int};
use std::ffi::CString;

use oxomp_sys::gomp::{GOMP_PLUGINS, gomp_offload_cap};
use oxomp_target::plugin::{Device, Image, Plugin, Verdict};
use oxomp_target::report;

use crate::device::GccDevice;
use crate::interface::{Interface, name_of};

/// More devices than a machine has.
const MOST_DEVICES: c_int = 1024;

/// The plug-ins, in libgomp's order.
#[must_use]
pub fn plugins() -> Vec<Box<dyn Plugin>> {
    let plugin =
        |(device_type, file)| -> Box<dyn Plugin> { Box::new(GccPlugin { device_type, file }) };
    GOMP_PLUGINS.into_iter().map(plugin).collect()
}

/// A plug-in of libgomp, which need not be installed.
#[derive(Clone, Copy, Debug)]
struct GccPlugin {
    device_type: c_int,
    file: &'static CStr,
}

impl GccPlugin {
    /// The plug-in's functions, if it drives devices of this type for OpenMP that have memory of
    /// their own.
    fn interface(&self) -> Option<Interface> {
        let interface = Interface::open(self.file)?;
        // SAFETY: the functions have no precondition.
        let (device_type, caps) = unsafe { ((interface.get_type)(), (interface.get_caps)()) };
        let own = gomp_offload_cap::SHARED_MEM | gomp_offload_cap::NATIVE_EXEC;
        let why = if device_type != self.device_type {
            format!("it is for devices of type {device_type}, not {}", self.device_type)
        } else if caps & gomp_offload_cap::OPENMP_400 == 0 {
            "it does not support OpenMP".to_owned()
        } else if caps & own != 0 {
            "its devices execute the host's code, or share the host's memory".to_owned()
        } else {
            return Some(interface);
        };
        report::warn(&format!("{} is not used: {why}", name_of(self.file)));
        None
    }
}

impl Plugin for GccPlugin {
    fn name(&self) -> &'static str {
        self.file.to_str().unwrap_or("libgomp")
    }

    fn examine(&self, image: Image<'_>) -> Verdict {
        match image {
            Image::Opaque(image) if image.device_type == self.device_type => Verdict::Fits,
            Image::Opaque(_) | Image::Bytes(_) => Verdict::Foreign,
        }
    }

    fn is_late(&self) -> bool {
        true
    }

    fn devices(&self) -> Vec<Box<dyn Device>> {
        let Some(interface) = self.interface() else { return Vec::new() };
        // SAFETY: the functions have no precondition.
        let (count, name) = unsafe { ((interface.get_num_devices)(), (interface.get_name)()) };
        if !(0..=MOST_DEVICES).contains(&count) {
            let file = name_of(self.file);
            report::warn(&format!("{file} is not used: it tells of {count} devices"));
            return Vec::new();
        }
        let name = if name.is_null() {
            CString::default()
        } else {
            // SAFETY: a string of the plug-in.
            unsafe { CStr::from_ptr(name) }.to_owned()
        };
        let device = |number| -> Box<dyn Device> {
            Box::new(GccDevice::new(interface, number, name.to_string_lossy().into_owned()))
        };
        (0..count).map(device).collect()
    }
}
