//! The table of a device's entry points.

use core::ffi::CStr;

use crate::trace::TraceError;

/// An entry point of a device.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryPoint<E> {
    pub(crate) name: &'static CStr,
    /// The function; `None` if the device lacks it.
    pub(crate) function: Option<E>,
}

impl<E: Copy> EntryPoint<E> {
    pub(crate) fn or_missing(self) -> Result<E, TraceError> {
        self.function.ok_or(TraceError::Missing(self.name))
    }
}

/// Defines `Functions`, the entry points of a device, as its look-up gave them, and the tool's
/// functions for buffers, with the types that one interface gives them.
macro_rules! functions {
    (
        request: $request:ty, complete: $complete:ty;
        $($field:ident, $name:literal, $signature:ty;)*
    ) => {
        /// The entry points of a device, as its look-up gave them.
        #[derive(Debug)]
        pub(crate) struct Functions {
            $(pub(super) $field: $crate::device::functions::EntryPoint<$signature>,)*
            pub(super) request: $request,
            pub(super) complete: $complete,
            lookup: Option<$crate::raw::c::ompt_function_lookup_t>,
        }

        /// The functions by which a runtime asks one type of tool for buffers and hands them over.
        pub(crate) type BufferCallbacks = ($request, $complete);

        impl Functions {
            /// Asks the look-up for every entry point; a device without a look-up has none.
            ///
            /// # Safety
            /// `lookup` is the look-up function of a device.
            pub(super) unsafe fn look_up(
                lookup: Option<$crate::raw::c::ompt_function_lookup_t>,
                (request, complete): BufferCallbacks,
            ) -> Self {
                Self {
                    $(
                        $field: $crate::device::functions::EntryPoint {
                            name: $name,
                            function: lookup.and_then(|lookup| {
                                // SAFETY: the device's function of that name has that signature.
                                unsafe { $crate::raw::entry_point::<$signature>(lookup, $name) }
                            }),
                        },
                    )*
                    request,
                    complete,
                    lookup,
                }
            }

            /// The entry point of any name.
            ///
            /// # Safety
            /// `F` is the type of the device's function of this name.
            pub(super) unsafe fn entry_point<F: Copy>(&self, name: &core::ffi::CStr) -> Option<F> {
                // SAFETY: as the caller promises.
                unsafe { $crate::raw::entry_point::<F>(self.lookup?, name) }
            }

            pub(super) fn missing(&self) -> impl Iterator<Item = &'static core::ffi::CStr> {
                [$(self.$field.function.is_none().then_some($name)),*].into_iter().flatten()
            }
        }
    };
}

pub(crate) use functions;
