//! Which calls are the program's: those inside another call of the same thread are the library's or
//! a tool's.

use std::cell::Cell;

thread_local! {
    /// Where the frame of the outermost call in progress is on the stack; 0: none.
    static OUTERMOST: Cell<usize> = const { Cell::new(0) };
}

/// The outermost call of a thread, until it is dropped.
#[derive(Debug)]
pub(crate) struct Outermost(());

impl Outermost {
    /// The call whose frame is at `frame`; `None` if the thread is inside another one.
    ///
    /// An error handler of the program may leave a call by longjmp(3). The frame of the next call
    /// is above that of the one that was left, or has its place, which tells that it is outermost.
    #[inline]
    pub(crate) fn enter(frame: usize) -> Option<Self> {
        OUTERMOST.with(|outermost| {
            let around = outermost.get();
            if around != 0 && frame < around {
                return None;
            }
            outermost.set(frame);
            Some(Self(()))
        })
    }
}

impl Drop for Outermost {
    #[inline]
    fn drop(&mut self) {
        OUTERMOST.with(|outermost| outermost.set(0));
    }
}

#[cfg(test)]
mod tests {
    use super::Outermost;

    #[test]
    fn calls_inside_a_call_are_not_the_programs() {
        let call = Outermost::enter(1000).unwrap();
        assert!(Outermost::enter(900).is_none());
        drop(call);
        let left_by_a_jump = Outermost::enter(900).unwrap();
        std::mem::forget(left_by_a_jump);
        assert!(Outermost::enter(1000).is_some());
    }
}
