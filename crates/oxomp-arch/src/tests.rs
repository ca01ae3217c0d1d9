//! The items of every processor, on the one that runs the tests.

use core::ffi::c_void;
use core::ptr;

use crate::{
    CallSite, Caller, FramelessCall, call_frameless, call_gomp, call_kmpc, call_on_stack, call_task,
};

unsafe extern "C" fn sum9(
    gtid: *mut i32,
    bound: *mut i32,
    a: usize,
    b: usize,
    c: usize,
    d: usize,
    e: usize,
    f: usize,
    g: *mut usize,
) {
    let probe = 0u128;
    assert_eq!(ptr::from_ref(&probe) as usize % 16, 0);
    // SAFETY: the test passes valid pointers.
    unsafe { *g = a + 2 * b + 3 * c + 4 * d + 5 * e + 6 * f + *gtid as usize + *bound as usize };
}

#[test]
fn words_arrive_in_registers_and_on_the_stack() {
    let (mut gtid, mut bound, mut out, mut exit) = (100, 1000, 0usize, ptr::null_mut());
    let words = [1, 2, 3, 4, 5, 6, ptr::from_mut(&mut out) as usize];
    // SAFETY: `sum9` takes seven words.
    unsafe {
        call_kmpc(sum9 as *const c_void, &mut gtid, &mut bound, 7, words.as_ptr(), &mut exit);
    }
    assert_eq!(out, 1 + 4 + 9 + 16 + 25 + 36 + 1100);
    assert!(!exit.is_null());
}

unsafe extern "C" fn set(data: *mut c_void) {
    // SAFETY: the test passes a pointer to a u32.
    unsafe { *data.cast::<u32>() = 7 };
}

#[test]
fn gcc_shape_gets_its_data() {
    let (mut value, mut exit) = (0u32, ptr::null_mut());
    // SAFETY: `set` writes a u32.
    unsafe { call_gomp(set as *const c_void, (&raw mut value).cast(), &mut exit) };
    assert_eq!(value, 7);
}

unsafe extern "C" fn number(gtid: i32, task: *mut c_void) {
    // SAFETY: the test passes a pointer to an i32.
    unsafe { *task.cast::<i32>() = gtid };
}

#[test]
fn a_task_gets_its_threads_number_and_itself() {
    let (mut value, mut exit) = (0, ptr::null_mut());
    // SAFETY: `number` writes an i32.
    unsafe { call_task(number as *const c_void, 5, (&raw mut value).cast(), &mut exit) };
    assert_eq!(value, 5);
    assert!(!exit.is_null());
}

#[test]
fn a_function_on_another_stack_gets_its_data() {
    #[repr(align(16))]
    struct Stack([u8; 1 << 16]);
    let mut stack = Stack([0; 1 << 16]);
    let mut value = 0_u32;
    // SAFETY: only this call uses the stack; `set` writes a u32.
    unsafe {
        let top = (&raw mut stack).cast::<u8>().add(stack.0.len());
        call_on_stack(top, set, (&raw mut value).cast());
    }
    assert_eq!(value, 7);
}

unsafe extern "C" fn look(found: *mut Caller, a: usize, b: usize, c: usize) {
    assert_eq!((a, b, c), (1, 2, 3));
    // SAFETY: the test passes a place for the answer.
    unsafe { *found = CallSite::here().caller() };
}

#[test]
fn a_caller_without_a_frame_pointer_is_told_apart() {
    let mut found = Caller::Nobody;
    let words = [(&raw mut found).expose_provenance(), 1, 2, 3];
    let mut call = FramelessCall { function: look as *const c_void, words };
    // SAFETY: `look` takes these words.
    unsafe { call_frameless((&raw mut call).cast()) };
    assert!(matches!(found, Caller::StackAddress(_)), "{found:?}");
    // SAFETY: as above.
    unsafe { look(&raw mut found, 1, 2, 3) };
    assert!(matches!(found, Caller::FramePointer(_)), "{found:?}");
}

crate::thread_slot! {
    "oxomp_arch_test_slot";
    fn slot;
    fn set_slot;
}

#[test]
fn a_slot_is_per_thread() {
    set_slot(ptr::without_provenance_mut(16));
    std::thread::spawn(|| assert!(slot().is_null())).join().unwrap();
    assert_eq!(slot().addr(), 16);
    set_slot(ptr::null_mut());
}
