//! The reading of an event from the arguments of its callback.

/// An event that is read from the arguments `A` of its callback.
pub(crate) trait Read<A> {
    /// # Safety
    /// A runtime has called the callback with these arguments, and the event is not used after the
    /// callback.
    unsafe fn read(arguments: A) -> Self;
}

/// Defines events: structures, and how each field is read from the arguments of the callback.
///
/// `Name<'a, D> from c: arguments { field: type = value, … }` defines the structure with the field,
/// which is public, and implements [`Read`]: in `value`, `c` are the arguments by their names in C,
/// and every pointer is valid as far as the runtime guarantees it for that argument. `Model` and
/// `Raw` are in scope.
macro_rules! events {
    ($(
        $(#[$meta:meta])*
        $name:ident $(<$lifetime:lifetime $(, $model:ident)?>)? from $c:ident: $arguments:ty {
            $($(#[$field_meta:meta])* $field:ident: $type:ty = $value:expr,)*
        }
    )*) => {$(
        $(#[$meta])*
        pub struct $name $(<$lifetime $(, $model: Model = Raw)?>)? {
            $($(#[$field_meta])* pub $field: $type,)*
        }

        impl $(<$lifetime $(, $model: Model)?>)? $crate::event::read::Read<$arguments>
            for $name $(<$lifetime $(, $model)?>)?
        {
            #[inline]
            #[allow(unused_unsafe, reason = "some events have no pointer to read")]
            unsafe fn read($c: $arguments) -> Self {
                // SAFETY: the arguments are those of the callback, as the caller promises.
                unsafe { Self { $($field: $value,)* } }
            }
        }
    )*};
}

pub(crate) use events;
