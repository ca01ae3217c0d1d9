//! Routines of one argument under their Fortran names.

/// For each routine of one argument its form for Fortran, which passes a reference.
macro_rules! by_reference {
    ($($routine:ident($ty:ty): $name:ident;)*) => {
        $(entry! {
            #[doc = concat!("`", stringify!($routine), "` called from Fortran.")]
            pub fn $name(argument: $crate::argument::ByRef<$ty>) {
                $routine(argument.get());
            }
        })*
    };
}

pub(crate) use by_reference;
