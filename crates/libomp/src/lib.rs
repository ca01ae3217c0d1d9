//! The shared object that answers to `libomp.so.5`, `libiomp5.so` and `libgomp.so.1`.
//!
//! It holds no code: it links the exported symbols of `oxomp-abi` under the version nodes of
//! `versions.map`.

pub use oxomp_abi as abi;

// The language aborts where a panic would leave an `extern "C"` function. So the unwinding of a
// development build, which it has in common with the tests, never reaches the program.
#[cfg(not(any(panic = "abort", debug_assertions, test)))]
compile_error!(
    "libomp must be built with panic=\"abort\" (profiles testing and release are): \
     a panic ends the process in any case, and unwinding would only make the library larger"
);
