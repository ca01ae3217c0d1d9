//! The form of nvptx images in gcc 12, for what tools and messages say of them. Only their plug-in
//! needs the rest.

use core::ffi::{CStr, c_char, c_void};
use core::slice;

use oxomp_sys::connection::oxomp_gcc_image_t;
use oxomp_sys::gomp::GOMP_PLUGINS;

/// The version of libgomp's interface and that of the form.
const VERSION: u32 = 0x1_0001;

/// An image.
#[repr(C)]
#[derive(Clone, Copy)]
struct Image {
    objects: *const Object,
    object_count: u32,
    _variables: *const c_void,
    _variable_count: u32,
    functions: *const Function,
    function_count: u32,
}

/// PTX code.
#[repr(C)]
struct Object {
    _code: *const c_char,
    bytes: usize,
}

/// A function of the image.
#[repr(C)]
struct Function {
    name: *const c_char,
    _dimensions: [u16; 3],
}

/// The image, if it has this form.
///
/// # Safety
/// A program registers the image, and keeps it.
unsafe fn of(image: &oxomp_gcc_image_t) -> Option<Image> {
    let [(nvptx, _), _] = GOMP_PLUGINS;
    if image.device_type != nvptx || image.version != VERSION {
        return None;
    }
    // SAFETY: null, or an image of this form (`# Safety`).
    unsafe { image.data.cast::<Image>().as_ref().copied() }
}

/// # Safety
/// `first` is the first of `count` elements of an image, or null.
unsafe fn list<T>(first: *const T, count: u32) -> &'static [T] {
    if first.is_null() {
        return &[];
    }
    // SAFETY: the caller's own promise (`# Safety`).
    unsafe { slice::from_raw_parts(first, count as usize) }
}

/// The bytes of code in the image; 0 if their number is not known.
///
/// # Safety
/// As for `of`.
pub(crate) unsafe fn bytes(image: &oxomp_gcc_image_t) -> usize {
    // SAFETY: the caller's own promise (`# Safety`), and the lists of an image.
    unsafe {
        let Some(image) = of(image) else { return 0 };
        list(image.objects, image.object_count).iter().map(|object| object.bytes).sum()
    }
}

/// The names of the image's `count` functions; none if they are not known.
///
/// # Safety
/// As for `of`.
pub(crate) unsafe fn names(image: &oxomp_gcc_image_t, count: usize) -> Vec<&'static CStr> {
    // SAFETY: the caller's own promise (`# Safety`); the names are strings of the image.
    unsafe {
        let Some(image) = of(image).filter(|it| it.function_count as usize == count) else {
            return Vec::new();
        };
        let functions = list(image.functions, image.function_count);
        functions.iter().map(|function| CStr::from_ptr(function.name)).collect()
    }
}
