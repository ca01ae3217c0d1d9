//! The callbacks that the runtime calls: each hands its event on to the clients.

use std::ffi::{c_int, c_void};
use std::mem::transmute;

use ompt::raw::report_2015::c::{self, ompt_callback_t, ompt_event_t};
use ompt::raw::report_2015::for_each_callback;

use super::{client, session};

/// The callback for one event.
macro_rules! callback {
    ($event:ident $name:ident $callback:ident ($($argument:ident: $type:ty),* $(,)?)) => {{
        unsafe extern "C" fn forward($($argument: $type),*) {
            const EVENT: ompt_event_t = ompt_event_t::$event;
            client::each(EVENT.0 as usize, const { is_end(stringify!($name)) }, |callback| {
                // SAFETY: the client has registered a callback of this event, so of this type; the
                // arguments are the runtime's.
                unsafe {
                    let callback = transmute::<*mut (), c::$callback>(callback);
                    callback($($argument),*);
                }
            });
            if matches!(EVENT, ompt_event_t::RUNTIME_SHUTDOWN) {
                session::end();
            }
        }
        // SAFETY: function pointers have one size; the runtime calls it by the type of the event.
        unsafe { transmute::<c::$callback, ompt_callback_t>(forward) }
    }};
}

/// Whether an event ends what another one begins: the clients get it in the reverse order, so that
/// their intervals are nested.
const fn is_end(name: &str) -> bool {
    const fn has_at(name: &[u8], at: usize, part: &[u8]) -> bool {
        let mut index = 0;
        while index < part.len() && name[at + index] == part[index] {
            index += 1;
        }
        index == part.len()
    }
    const fn begins(name: &[u8], part: &[u8]) -> bool {
        name.len() >= part.len() && has_at(name, 0, part)
    }
    const fn ends(name: &[u8], part: &[u8]) -> bool {
        name.len() >= part.len() && has_at(name, name.len() - part.len(), part)
    }
    let name = name.as_bytes();
    ends(name, b"_end")
        || ends(name, b"_shutdown")
        || begins(name, b"release_")
        || begins(name, b"destroy_")
}

macro_rules! define_forwarder {
    ($(
        $(#[$doc:meta])*
        $callback:ident $arguments:tt {
            $(($code:literal, $c_name:literal, $constant:ident, $name:ident, $facts:tt);)*
        }
    )*) => {
        /// The forwarder of an event; its signature is the event's.
        #[allow(clippy::useless_transmute, reason = "one has the common signature")]
        pub(super) fn forwarder(event: ompt_event_t) -> ompt_callback_t {
            match event {
                $($(ompt_event_t::$constant => {
                    callback!($constant $name $callback $arguments)
                })*)*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

for_each_callback!(define_forwarder);

#[cfg(test)]
mod tests {
    use super::is_end;

    #[test]
    fn ends_come_in_the_reverse_order() {
        for name in ["idle_end", "release_lock", "destroy_nest_lock", "runtime_shutdown"] {
            assert!(is_end(name), "{name}");
        }
        for name in ["idle_begin", "wait_lock", "acquired_nest_lock_next", "task_switch", "flush"] {
            assert!(!is_end(name), "{name}");
        }
    }
}
