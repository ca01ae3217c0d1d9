//! The table of a device's entry points.

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
            $(pub(super) $field: Option<$signature>,)*
            pub(super) request: $request,
            pub(super) complete: $complete,
            lookup: Option<$crate::raw::c::ompt_function_lookup_t>,
        }

        /// The functions by which a runtime asks for buffers and hands them over, for one type of
        /// tool.
        pub(crate) type BufferCallbacks = ($request, $complete);

        impl Functions {
            /// Asks the look-up for every entry point; a device without a look-up has none.
            ///
            /// # Safety
            /// `lookup` is the look-up function of a device.
            unsafe fn look_up(
                lookup: Option<$crate::raw::c::ompt_function_lookup_t>,
                (request, complete): BufferCallbacks,
            ) -> Self {
                Self {
                    $(
                        $field: lookup.and_then(|lookup| {
                            // SAFETY: the device's function of that name has that signature.
                            unsafe { $crate::raw::entry_point::<$signature>(lookup, $name) }
                        }),
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
            unsafe fn entry_point<F: Copy>(&self, name: &core::ffi::CStr) -> Option<F> {
                // SAFETY: as the caller promises.
                unsafe { $crate::raw::entry_point::<F>(self.lookup?, name) }
            }

            fn missing(&self) -> impl Iterator<Item = &'static core::ffi::CStr> {
                [$(($name, self.$field.is_none())),*].into_iter().filter_map(
                    |(name, missing): (&'static core::ffi::CStr, bool)| missing.then_some(name),
                )
            }
        }
    };
}

pub(crate) use functions;
