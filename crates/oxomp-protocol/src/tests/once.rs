//! A value that is made once, on the machine.

use std::sync::mpsc::channel;

use crate::Alone;
use crate::once::Once;

#[test]
fn the_child_of_a_fork_makes_a_value_anew_whose_maker_is_gone() {
    static VALUE: Once<u32> = Once::new();
    let (tell, told) = channel();
    // In place of a thread that the child does not have: one that never goes on.
    std::thread::spawn(move || {
        VALUE.get_or_make(2, || {
            tell.send(()).expect("a test that waits");
            loop {
                std::thread::park();
            }
        })
    });
    told.recv().expect("a thread that makes the value");
    // SAFETY: the other thread never goes on.
    let alone = unsafe { Alone::in_child() };
    // It is the calling thread of fork(2) that makes the value: it goes on.
    VALUE.after_fork(2, &alone);
    assert_eq!(format!("{VALUE:?}"), "Once(0x3)");
    VALUE.after_fork(4, &alone);
    assert_eq!(VALUE.get(), None);
    assert_eq!(*VALUE.get_or_make(4, || 7), 7);
    VALUE.after_fork(6, &alone);
    assert_eq!(*VALUE.get_or_make(6, || 8), 7);
}
