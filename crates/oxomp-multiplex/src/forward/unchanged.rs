//! The callbacks for events that neither begin nor end an object of the host or of a target
//! construct, made of the table of all callbacks: words become the tool's own, and all other
//! arguments are passed on unchanged.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::mem::transmute;

use ompt::raw::c::{self, ompt_callbacks_t};
use ompt::raw::for_each_callback;

use super::each::{each, order_of, word};
use crate::running::Running;
use crate::tools::Order;

/// What the multiplexer looks up for an argument, once for all tools.
macro_rules! found {
    (word $argument:ident) => {
        // SAFETY: an argument of the callback that runs.
        unsafe { word($argument) }.find()
    };
    (id $argument:ident) => {
        found!(word $argument)
    };
    ($role:ident $argument:ident) => {
        $argument
    };
}

/// The argument that a tool gets.
macro_rules! argument_of {
    ($tool:ident, word $argument:ident) => {
        $argument.of($tool)
    };
    ($tool:ident, id $argument:ident) => {
        $argument.of($tool).cast()
    };
    ($tool:ident, $role:ident $argument:ident) => {
        $argument
    };
}

/// The order in which the tools get the event, if the argument tells it.
macro_rules! order_by {
    (endpoint $argument:ident) => {
        Some(order_of($argument))
    };
    ($role:ident $argument:ident) => {
        None
    };
}

/// The callback for one event.
macro_rules! callback {
    ($event:ident $callback:ident ($($role:ident $argument:ident: $type:ty),* $(,)?)) => {{
        #[allow(unused_variables, reason = "an event without words is the same for each tool")]
        unsafe extern "C" fn forward($($argument: $type),*) {
            let _running = Running::enter();
            let order = [$(order_by!($role $argument)),*].into_iter().flatten().next();
            $(let $argument = found!($role $argument);)*
            each!($event: c::$callback, order.unwrap_or(order_of_event(ompt_callbacks_t::$event)),
                tool => ($(argument_of!(tool, $role $argument)),*));
        }
        // SAFETY: the runtime converts the pointer back to the type of the event.
        unsafe { transmute::<c::$callback, c::ompt_callback_t>(forward) }
    }};
    (
        $event:ident $callback:ident
        ($($role:ident $argument:ident: $type:ty),* $(,)? => $answer:ty)
    ) => {
        unreachable!("{} has an answer, and a function of its own", stringify!($event))
    };
}

macro_rules! define_of {
    ($(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The callback to register at the runtime for an event that has no function of its own.
        pub(super) fn of(event: ompt_callbacks_t) -> c::ompt_callback_t {
            match event {
                $($(ompt_callbacks_t::$constant => {
                    callback!($constant $callback $arguments)
                })*)*
                _ => unreachable!("no event has number {}", event.0),
            }
        }
    };
}

for_each_callback!(define_of);

/// The order in which the tools get an event without an endpoint: the reverse for those that end
/// what another one begins.
const fn order_of_event(event: ompt_callbacks_t) -> Order {
    match event {
        ompt_callbacks_t::DEVICE_FINALIZE
        | ompt_callbacks_t::DEVICE_UNLOAD
        | ompt_callbacks_t::LOCK_DESTROY
        | ompt_callbacks_t::MUTEX_RELEASED => Order::Reverse,
        _ => Order::List,
    }
}
