//! The child of a fork(2), which has the forking thread only.

use std::sync::Once;

use crate::{registration, running};

/// From now on, a child of fork(2) forgets the threads that it does not have.
pub(crate) fn watch() {
    static WATCH: Once = Once::new();
    unsafe extern "C" fn begin_child() {
        registration::forget_others();
        running::forget_others();
    }
    // SAFETY: the library is never unloaded, and the handler takes no lock and allocates nothing.
    WATCH.call_once(|| unsafe {
        libc::pthread_atfork(None, None, Some(begin_child));
    });
}
