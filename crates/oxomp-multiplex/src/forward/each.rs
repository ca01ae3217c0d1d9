//! How an event is handed on to each tool.

use ompt::raw::c::ompt_scope_endpoint_t;

use crate::tools::Order;
use crate::words::Word;

/// Calls the callback of each tool that has registered one for the event.
///
/// `each!(EVENT: its type, order, tool => (arguments))`.
macro_rules! each {
    ($event:ident: $callback:ty, $order:expr, $tool:ident => ($($argument:expr),* $(,)?)) => {
        $crate::tools::each(
            ::ompt::raw::c::ompt_callbacks_t::$event,
            $order,
            |$tool, callback| {
                // SAFETY: a tool registers for an event a function of the event's type (OpenMP 5.0
                // §4.6.1.3). The arguments are the runtime's, which it guarantees to be those of
                // the event, and the tool's own words of the same objects.
                unsafe {
                    let callback = ::std::mem::transmute::<*mut (), $callback>(callback);
                    callback($($argument),*);
                }
            },
        )
    };
}

pub(super) use each;

/// A word that the runtime has passed to a callback.
///
/// # Safety
/// `word` is an argument of the callback that runs, and this call is in it.
#[inline]
pub(super) unsafe fn word<'a, T>(word: *mut T) -> Word<'a> {
    // SAFETY: null, or a word that the runtime keeps for the tool, during the callback at least
    // (OpenMP 5.2 §19.5.2). The runtime writes it only before the object begins.
    unsafe { Word::new(word) }
}

/// Ends are handed on in the reverse order.
pub(super) fn order_of(endpoint: ompt_scope_endpoint_t) -> Order {
    if endpoint == ompt_scope_endpoint_t::END { Order::Reverse } else { Order::List }
}
