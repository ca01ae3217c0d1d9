//! Threads that end inside a region (pthread_exit(3)). Runtimes report no event of that, but the C
//! library calls a function of the collector.

use std::ffi::c_void;
use std::ptr;
use std::sync::OnceLock;

/// `None` if the program has used up all keys.
static KEY: OnceLock<Option<Key>> = OnceLock::new();

/// The key for which each recorded thread has a value, and the function that such a thread calls at
/// its end.
#[derive(Debug)]
struct Key {
    key: libc::pthread_key_t,
    leave: fn(),
}

/// The C library calls destructors in rounds, at least four, as long as there are values. The
/// runtime tells of a thread that ends outside of all regions in its own destructor, in one of the
/// first rounds.
const ROUNDS: usize = 3;

/// Makes the key, before the first thread is recorded: threads call `leave` at their end.
pub(crate) fn prepare(leave: fn()) {
    KEY.get_or_init(|| {
        let mut key = 0;
        // SAFETY: `key` is written, and the function may be called at the end of any thread.
        let made = unsafe { libc::pthread_key_create(&mut key, Some(round)) } == 0;
        made.then_some(Key { key, leave })
    });
}

/// Notices when the calling thread ends.
pub(crate) fn watch_thread() {
    wait_for_round(1);
}

fn wait_for_round(number: usize) {
    if let Some(Some(Key { key, .. })) = KEY.get() {
        // SAFETY: our own key, which is never deleted. Without memory the end is not noticed.
        unsafe { libc::pthread_setspecific(*key, ptr::without_provenance(number)) };
    }
}

/// The calling thread ends: a round of the C library's calls, by the key's value.
unsafe extern "C" fn round(number: *mut c_void) {
    if number.addr() < ROUNDS {
        wait_for_round(number.addr() + 1);
    } else if let Some(Some(Key { leave, .. })) = KEY.get() {
        leave();
    }
}
