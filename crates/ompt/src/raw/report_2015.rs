//! The interface of the 2015 report in C, unchanged: as [`raw`](crate::raw), for tools of that
//! interface.
//!
//! Such a tool exports `ompt_tool` by itself; [`crate::report_2015::ompt_tool`] is for
//! implementations of [`report_2015::Tool`](crate::report_2015::Tool). The look-up of entry points
//! has the same type in both interfaces, so that [`raw::entry_point`](crate::raw::entry_point)
//! serves here too.

/// The types, constants and signatures of the report, by their names in C.
pub use oxomp_sys::report_2015 as c;

/// The table of all events, with number, name and signature of each, passed to a macro. Events with
/// the same callback follow each other, so the numbers are not in order.
pub use oxomp_sys::for_each_event_2015 as for_each_event;

/// The same table by callbacks, with the arguments of each.
#[doc(hidden)]
pub use oxomp_sys::for_each_callback_2015 as for_each_callback;
