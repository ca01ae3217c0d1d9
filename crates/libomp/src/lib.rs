//! The shared object that answers to `libomp.so.5`, `libiomp5.so` and `libgomp.so.1`.
//!
//! It holds no code: it links the exported symbols of `oxomp-abi` under the version nodes of
//! `versions.map`.

pub use oxomp_abi as abi;

#[cfg(not(any(panic = "abort", test)))]
compile_error!(
    "libomp must be built with panic=\"abort\" (profiles dev, testing and release are): \
     unwinding into C is undefined behaviour"
);
