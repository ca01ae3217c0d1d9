//! gcc's images and constructs, which oxomp's libomp passes on: `oxomp_sys::connection` describes
//! the interface.

use core::ffi::{c_int, c_void};

use oxomp_sys::connection::{oxomp_gcc_construct_t, oxomp_gcc_image_t};
use oxomp_target::host_runtime::HostRuntime;

use crate::offload;

/// An image that a program of gcc's registers (rule T9).
#[repr(transparent)]
#[derive(Debug)]
pub struct GccImage(*const oxomp_gcc_image_t);

/// A construct of gcc's code (rule T9).
#[repr(transparent)]
#[derive(Debug)]
pub struct GccConstruct(*const oxomp_gcc_construct_t);

export! {
    /// `void oxomp_register_gcc_image(const oxomp_gcc_image_t *image, const void *runtime)`
    pub fn oxomp_register_gcc_image(image: GccImage, runtime: *const c_void) {
        HostRuntime::lies_at(runtime);
        // SAFETY: T9: an image of a program, which keeps it until the image is unregistered.
        let library = unsafe { oxomp_target_gcc::library(&*image.0) };
        offload().add_library(library);
    }

    /// `void oxomp_unregister_gcc_image(const oxomp_gcc_image_t *image)`
    pub fn oxomp_unregister_gcc_image(image: GccImage) {
        // SAFETY: T9: an image.
        offload().remove_library(unsafe { (*image.0).data }.addr());
    }

    /// `int oxomp_execute_gcc_construct(const oxomp_gcc_construct_t *construct)`: 0 if the host has
    /// to execute it.
    pub fn oxomp_execute_gcc_construct(construct: GccConstruct) -> c_int {
        // SAFETY: T9: a construct of gcc's code.
        unsafe { oxomp_target_gcc::execute(offload(), &*construct.0) }.into()
    }

    /// `int oxomp_end_gcc_data(const void *return_address)`: ends the innermost target data region
    /// of the calling thread; 0 if it is the host's.
    pub fn oxomp_end_gcc_data(return_address: *const c_void) -> c_int {
        oxomp_target_gcc::end_data(offload(), return_address).into()
    }
}
