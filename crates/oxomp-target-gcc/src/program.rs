//! An image of gcc's on a device: its functions and variables, in the order of the host's tables.

use core::ffi::{c_int, c_void};
use core::ptr;
use core::slice;
use std::sync::Arc;

use oxomp_sys::gomp::gomp_addr_pair;
use oxomp_target::plugin::{Address, DeviceError, EntryName, Kernel, OpaqueImage, Program};

use crate::device::Driver;

/// An image on a device.
#[derive(Debug)]
pub(crate) struct GccProgram {
    driver: Arc<Driver>,
    image: OpaqueImage,
    functions: Vec<gomp_addr_pair>,
    variables: Vec<gomp_addr_pair>,
}

impl GccProgram {
    /// Loads the image of a library that has so many functions and variables, and tells its code
    /// the number of the device.
    pub(crate) fn load(
        driver: &Arc<Driver>,
        image: OpaqueImage,
        number: i32,
        [functions, variables]: [usize; 2],
    ) -> Result<Self, DeviceError> {
        let loaded = Loaded::by(driver, image)?;
        let found = loaded.table().len();
        let expected = functions + variables;
        let mut program =
            Self { driver: driver.clone(), image, functions: Vec::new(), variables: Vec::new() };
        // An entry more is the variable for the device's number.
        if found != expected && found != expected + 1 {
            return Err(driver.error(&format!(
                "its image has {found} functions and variables, and the program {expected}"
            )));
        }
        let (of_functions, others) = loaded.table().split_at(functions);
        let (of_variables, of_number) = others.split_at(variables);
        program.functions = of_functions.to_vec();
        program.variables = of_variables.to_vec();
        if let Some(place) = of_number.first().filter(|place| place.end > place.start) {
            program.tell_number(*place, number)?;
        }
        Ok(program)
    }

    fn tell_number(&self, place: gomp_addr_pair, number: i32) -> Result<(), DeviceError> {
        if place.end - place.start != size_of::<c_int>() {
            return Err(self.driver.error("its image has no int for the number of the device"));
        }
        let to = Address(place.start).as_ptr();
        let from = (&raw const number).cast();
        // SAFETY: the variable in the image has these bytes.
        let is_done = self.driver.call(|interface, device| unsafe {
            (interface.host2dev)(device, to, from, size_of::<c_int>())
        });
        match is_done {
            true => Ok(()),
            false => Err(self.driver.error("it does not take its number")),
        }
    }
}

/// The table that a plug-in has allocated for an image that it has loaded.
struct Loaded {
    first: *mut gomp_addr_pair,
    count: usize,
}

impl Loaded {
    fn by(driver: &Driver, image: OpaqueImage) -> Result<Self, DeviceError> {
        let data = ptr::with_exposed_provenance::<c_void>(image.data);
        let mut first = ptr::null_mut();
        // SAFETY: an image for this type of devices, which its library keeps.
        let count = driver.call(|interface, device| unsafe {
            (interface.load_image)(device, image.version, data, &raw mut first)
        });
        match usize::try_from(count) {
            Ok(count) if count == 0 || !first.is_null() => Ok(Self { first, count }),
            _ => Err(driver.error("it cannot load the image")),
        }
    }

    fn table(&self) -> &[gomp_addr_pair] {
        if self.first.is_null() {
            return &[];
        }
        // SAFETY: the plug-in has written as many entries as it has returned.
        unsafe { slice::from_raw_parts(self.first, self.count) }
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        // SAFETY: null, or memory that the plug-in has allocated with malloc for its caller to
        // free.
        unsafe { libc::free(self.first.cast()) };
    }
}

impl Program for GccProgram {
    fn kernel(&self, name: EntryName<'_>) -> Option<Kernel> {
        let kernel = Address(self.functions.get(name.index)?.start);
        let can_run = self.driver.interface.can_run;
        // SAFETY: a function of the image.
        let can_run = can_run.is_none_or(|can_run| unsafe { can_run(kernel.as_ptr()) });
        can_run.then_some(Kernel(kernel))
    }

    fn variable(&self, name: EntryName<'_>, bytes: usize) -> Result<Option<Address>, DeviceError> {
        let Some(place) = self.variables.get(name.index) else { return Ok(None) };
        let found = place.end.wrapping_sub(place.start);
        if found != bytes {
            let index = name.index;
            return Err(self.driver.error(&format!(
                "variable {index} of its image has {found} bytes, and that of the program {bytes}"
            )));
        }
        Ok(Some(Address(place.start)))
    }

    fn contains(&self, _code: *const c_void) -> bool {
        false
    }

    fn address(&self) -> Option<Address> {
        None
    }
}

impl Drop for GccProgram {
    fn drop(&mut self) {
        if !self.driver.is_ours() {
            return;
        }
        let OpaqueImage { version, data, .. } = self.image;
        let data = ptr::with_exposed_provenance::<c_void>(data);
        // SAFETY: an image that the device has loaded.
        let is_done = self
            .driver
            .call(|interface, device| unsafe { (interface.unload_image)(device, version, data) });
        if !is_done {
            oxomp_target::report::warn(&self.driver.error("it cannot unload an image").0);
        }
    }
}
