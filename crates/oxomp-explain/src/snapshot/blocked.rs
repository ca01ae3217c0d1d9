//! The waits of threads in the C library, in terms of the situation.

use oxomp_inspect::{Image, NativeThread};

use super::library::{Holder, Library, LibraryWait};
use super::variables::Names;
use crate::situation::{Activity, Mutex, MutexKind, Owner, ThreadId, Wait};

/// What the thread does, as far as the C library tells: it waits there, or runs.
pub(super) fn activity(
    image: &Image,
    library: &Library,
    thread: &NativeThread,
    variables: &mut Names,
) -> Activity {
    let call = library.call(image, &image.call_path(thread.lwp).frames);
    let mut mutex = |kind, address, holder| {
        let name = variables.of(image, address);
        Wait::Mutex(Mutex { kind, address, name, owner: owner(image, holder) })
    };
    let wait = match library.wait(image, thread, &call) {
        None => return Activity::Runs,
        Some(LibraryWait::Mutex { address, holder }) => mutex(MutexKind::Pthread, address, holder),
        Some(LibraryWait::ReaderWriterLock { address, holder }) => {
            mutex(MutexKind::ReaderWriter, address, holder)
        }
        Some(LibraryWait::End { of }) => match with_number(image, of) {
            Some(of) => Wait::End { of },
            None => return Activity::Runs,
        },
    };
    Activity::Waits(wait)
}

fn owner(image: &Image, holder: Holder) -> Owner {
    let (number, may_be_of_other) = match holder {
        Holder::Nobody => return Owner::Free,
        Holder::Unknown => return Owner::Unknown,
        Holder::Thread { number, may_be_of_other } => (number, may_be_of_other),
    };
    match with_number(image, number) {
        Some(thread) => Owner::Thread(thread),
        // The threads of a core file may have the numbers of the debugger that wrote it.
        None if image.is_live() && !may_be_of_other => Owner::Ended,
        None => Owner::Unknown,
    }
}

/// The thread with this number in its process's own terms.
fn with_number(image: &Image, number: u32) -> Option<ThreadId> {
    let is_it = |thread: &NativeThread| u32::try_from(thread.inner_lwp) == Ok(number);
    image.threads().iter().position(is_it).map(ThreadId)
}
