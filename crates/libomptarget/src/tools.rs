//! What oxomp's libomp asks for, by these names: `oxomp_sys::connection` describes the interface.

use core::ffi::{c_char, c_int, c_void};

use oxomp_argument::Out;
use oxomp_sys::connection;
use oxomp_sys::ompt::ompt_start_tool_result_t;
use oxomp_sys::report_2015::ompt_function_lookup_t;
use oxomp_target::tool::{self, DeviceInfo2015};

use crate::offload;

/// The answer for a number that no device has.
const NO_DEVICE: c_int = 1;

export_data! {
    /// `const uint32_t oxomp_offload_interface_version`: the version of the interface that this
    /// library has.
    pub static oxomp_offload_interface_version: u32 = connection::VERSION;
}

export! {
    /// `ompt_start_tool_result_t *oxomp_offload_connection(void)`: the structure that this library
    /// passes to `ompt_libomp_connect`.
    pub fn oxomp_offload_connection() -> *mut ompt_start_tool_result_t {
        tool::connection()
    }

    /// `int oxomp_count_devices(void)`: the number of devices that registered images fit, also if
    /// offload is disabled.
    pub fn oxomp_count_devices() -> c_int {
        offload().count_devices()
    }

    /// `int oxomp_offload_answer(int event, int is_2015)`: what `ompt_set_callback` answers for an
    /// event that this library raises; 0 for others.
    pub fn oxomp_offload_answer(event: c_int, is_2015: c_int) -> c_int {
        tool::answer(event, is_2015 != 0)
    }

    /// `int oxomp_device_info_2015(int device_id, const char **type, void **device,
    /// ompt_function_lookup_t *lookup)`: 0, or 1 if no device has this number.
    pub fn oxomp_device_info_2015(
        device_id: c_int,
        device_type: Option<Out<*const c_char>>,
        device: Option<Out<*mut c_void>>,
        look_up: Option<Out<Option<ompt_function_lookup_t>>>,
    ) -> c_int {
        // With offload disabled, no number belongs to a device.
        let is_device = (0..offload().num_devices()).contains(&device_id);
        let found = is_device.then(|| offload().find(device_id.into())).flatten();
        let Some(found) = found else { return NO_DEVICE };
        let info = DeviceInfo2015::of(found);
        if let Some(device_type) = device_type {
            device_type.set(info.description);
        }
        if let Some(device) = device {
            device.set(info.handle);
        }
        if let Some(look_up) = look_up {
            look_up.set(Some(info.look_up));
        }
        0
    }
}
