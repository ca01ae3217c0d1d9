//! The callbacks that the runtime calls: each hands its event on to the clients.

use std::mem::transmute;

use ompt::raw::report_2015::c::{ompt_callback_t, ompt_event_t};
use ompt::raw::report_2015::for_each_event;

use super::{client, session};

/// A callback's signature.
trait Signature: Sized {
    /// The forwarder of the event with this number, which has this signature.
    fn forwarder<const EVENT: usize, const IS_REVERSE: bool>() -> Self;
}

macro_rules! signatures {
    ($(($($argument:ident $name:ident),*))*) => {
        $(
            impl<$($argument: Copy),*> Signature for unsafe extern "C" fn($($argument),*) {
                fn forwarder<const EVENT: usize, const IS_REVERSE: bool>() -> Self {
                    unsafe extern "C" fn forward<
                        const EVENT: usize,
                        const IS_REVERSE: bool,
                        $($argument: Copy),*
                    >($($name: $argument),*) {
                        client::each(EVENT, IS_REVERSE, |callback| {
                            // SAFETY: the client has registered a callback of this event, so of
                            // this signature; the arguments are the runtime's.
                            unsafe {
                                let callback = transmute::<
                                    *mut (),
                                    unsafe extern "C" fn($($argument),*),
                                >(callback);
                                callback($($name),*);
                            }
                        });
                        if EVENT == ompt_event_t::RUNTIME_SHUTDOWN.0 as usize {
                            session::end();
                        }
                    }
                    forward::<EVENT, IS_REVERSE, $($argument),*>
                }
            }
        )*
    };
}

signatures! {
    ()
    (A a)
    (A a, B b)
    (A a, B b, C c)
    (A a, B b, C c, D d)
    (A a, B b, C c, D d, E e)
    (A a, B b, C c, D d, E e, F f)
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
    ($((
        $code:literal, $c_name:literal, $constant:ident, $name:ident, $callback:ty, $facts:tt
    );)*) => {
        /// The forwarder of an event; its signature is the event's.
        #[allow(clippy::useless_transmute, reason = "one has the common signature")]
        pub(super) fn forwarder(event: ompt_event_t) -> ompt_callback_t {
            match event {
                $(ompt_event_t::$constant => {
                    let callback = <$callback as Signature>::forwarder::<
                        $code,
                        { is_end(stringify!($name)) },
                    >();
                    // SAFETY: function pointers have one size; the runtime calls it by the event's
                    // signature, which the line above names.
                    unsafe { transmute::<$callback, ompt_callback_t>(callback) }
                })*
                _ => unreachable!("{event:?} is not in the table"),
            }
        }
    };
}

for_each_event!(define_forwarder);

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
