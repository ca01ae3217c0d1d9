//! What a tool is told of a device that does its operations late, and of constructs on several
//! threads. The test itself plays the host runtime.

use core::cell::RefCell;
use core::ffi::{CStr, c_char, c_int, c_void};
use core::mem::transmute;
use std::sync::atomic::Ordering::Release;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use oxomp_sys::ompt::{
    ompt_callback_device_finalize_t, ompt_callback_device_initialize_t, ompt_callback_t,
    ompt_callback_target_data_op_emi_t, ompt_callback_target_emi_t, ompt_callbacks_t, ompt_data_t,
    ompt_function_lookup_t, ompt_get_callback_t, ompt_id_t, ompt_interface_fn_t,
    ompt_scope_endpoint_t as Endpoint, ompt_target_data_op_t as Kind, ompt_target_t,
};

use crate::construct::Construct;
use crate::device::Turnstile;
use crate::location::Location;
use crate::sync::{Mutex, MutexGuard, lock};
use crate::testing::construct::{FROM, TO, item};
use crate::testing::device::let_go;
use crate::testing::library::runtime;
use crate::tool::{self, CallSite, Region, Scope};

thread_local! {
    /// What the thread's constructs have told.
    static TOLD: RefCell<Vec<(c_int, Endpoint, u64)>> = const { RefCell::new(Vec::new()) };
}

fn told() -> Vec<(c_int, Endpoint, u64)> {
    TOLD.with_borrow_mut(core::mem::take)
}

unsafe extern "C" fn on_target(
    kind: ompt_target_t,
    endpoint: Endpoint,
    _device: c_int,
    _task: *mut ompt_data_t,
    _target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    _code: *const c_void,
) {
    // SAFETY: the library passes its own word.
    let word = unsafe { &mut *target };
    if endpoint == Endpoint::BEGIN {
        word.value = 77;
    }
    TOLD.with_borrow_mut(|told| told.push((100 + kind.0, endpoint, word.value)));
}

#[allow(clippy::too_many_arguments, reason = "the callback has them")]
unsafe extern "C" fn on_operation(
    endpoint: Endpoint,
    _target_task: *mut ompt_data_t,
    target: *mut ompt_data_t,
    _host_op_id: *mut ompt_id_t,
    kind: Kind,
    _from: *mut c_void,
    _from_device: c_int,
    _to: *mut c_void,
    _to_device: c_int,
    _bytes: usize,
    _code: *const c_void,
) {
    // SAFETY: the library passes its own word.
    let word = unsafe { (*target).value };
    TOLD.with_borrow_mut(|told| told.push((kind.0, endpoint, word)));
}

/// Longer than a test takes.
const LONG: Duration = Duration::from_secs(3600);

/// What the tool has heard of devices: whether one has begun or ended.
static DEVICES: Mutex<Vec<&'static str>> = Mutex::new(Vec::new());
/// Where the callback of a device's begin meets the test; `None` without a meeting.
static MEETING: Mutex<Option<Arc<Barrier>>> = Mutex::new(None);

unsafe extern "C" fn on_initialize(
    _device: c_int,
    _type: *const c_char,
    _handle: *mut c_void,
    _look_up: Option<ompt_function_lookup_t>,
    _documentation: *const c_char,
) {
    let meeting = lock(&MEETING).clone();
    if let Some(meeting) = meeting {
        meeting.wait();
        thread::sleep(Duration::from_millis(50));
    }
    lock(&DEVICES).push("begins");
}

unsafe extern "C" fn on_finalize(_device: c_int) {
    lock(&DEVICES).push("ends");
}

unsafe extern "C" fn get_callback(
    event: ompt_callbacks_t,
    callback: *mut Option<ompt_callback_t>,
) -> c_int {
    // SAFETY: the library converts the functions back to these types.
    let found = unsafe {
        match event {
            ompt_callbacks_t::TARGET_EMI => {
                transmute::<ompt_callback_target_emi_t, ompt_callback_t>(on_target)
            }
            ompt_callbacks_t::TARGET_DATA_OP_EMI => {
                transmute::<ompt_callback_target_data_op_emi_t, ompt_callback_t>(on_operation)
            }
            ompt_callbacks_t::DEVICE_INITIALIZE => {
                transmute::<ompt_callback_device_initialize_t, ompt_callback_t>(on_initialize)
            }
            ompt_callbacks_t::DEVICE_FINALIZE => {
                transmute::<ompt_callback_device_finalize_t, ompt_callback_t>(on_finalize)
            }
            _ => return 0,
        }
    };
    // SAFETY: the library's place for the callback.
    unsafe { callback.write(Some(found)) };
    1
}

/// A host runtime's look-up for tools.
unsafe extern "C" fn look_up(name: *const c_char) -> Option<ompt_interface_fn_t> {
    // SAFETY: the library passes strings, and converts the function back to this type.
    unsafe {
        (CStr::from_ptr(name) == c"ompt_get_callback")
            .then(|| transmute::<ompt_get_callback_t, ompt_interface_fn_t>(get_callback))
    }
}

/// A tool of oxomp's libomp listens from now on, for one test at a time.
fn listen() -> MutexGuard<'static, ()> {
    listen_by(true)
}

/// A tool of oxomp's or of LLVM's libomp listens from now on, for one test at a time.
fn listen_by(is_oxomp: bool) -> MutexGuard<'static, ()> {
    static ONE: Mutex<()> = Mutex::new(());
    let one = lock(&ONE);
    // SAFETY: the look-up is as a host runtime's.
    assert!(unsafe { tool::begin(look_up, is_oxomp) });
    one
}

fn scope(offload: &crate::offload::Offload, device: &'static crate::device::TargetDevice) -> Scope {
    let region = || tool::ConstructKind::EnterData(Region { arrays: 0, is_certain: false });
    Scope::construct(region, true, offload.executor(Some(device)), CallSite::NONE)
}

#[test]
fn operations_of_a_late_device_are_asynchronous_and_their_construct_ends_last() {
    let _tool = listen();
    let (offload, device, deeds) = runtime();
    let mut data = [1_u32, 2, 3];
    let items = [item(&mut data, TO | FROM)];
    deeds.is_held.store(true, Release);
    let new = || Construct::new(offload, device, Location::default(), scope(offload, device));
    let mut construct = new().expect("the device has queues");
    construct.begin(&items).expect("it is mapped");
    construct.end(&items).expect("it is unmapped");
    let nowait = 100 + ompt_target_t::ENTER_DATA_NOWAIT.0;
    let pair = |kind: Kind| [(kind.0, Endpoint::BEGIN, 77), (kind.0, Endpoint::END, 77)];
    let mut expected = vec![(nowait, Endpoint::BEGIN, 77)];
    expected.extend(pair(Kind::ALLOC));
    expected.extend(pair(Kind::TRANSFER_TO_DEVICE_ASYNC));
    expected.extend(pair(Kind::TRANSFER_FROM_DEVICE_ASYNC));
    assert_eq!(told(), expected);
    let_go(&deeds);
    construct.finish().expect("the data come");
    let mut expected = pair(Kind::DELETE).to_vec();
    expected.push((nowait, Endpoint::END, 77));
    assert_eq!(told(), expected);
}

#[test]
fn a_thread_passes_a_turnstile_again_while_others_wait() {
    let turnstile = Arc::new(Turnstile::default());
    let passage = turnstile.enter().expect("nobody is inside");
    assert!(turnstile.enter().is_none(), "the same thread");
    let (other, started) = (turnstile.clone(), Arc::new(Barrier::new(2)));
    let waits = started.clone();
    let thread = thread::spawn(move || {
        waits.wait();
        other.enter().is_some()
    });
    started.wait();
    thread::yield_now();
    assert!(!thread.is_finished());
    drop(passage);
    assert!(thread.join().expect("it passes"));
    assert!(turnstile.enter().is_some());
}

#[test]
fn a_device_that_begins_while_the_tool_ends_has_begun_before_it_ends() {
    let _tool = listen();
    let (offload, ..) = runtime();
    let meeting = Arc::new(Barrier::new(2));
    *lock(&MEETING) = Some(meeting.clone());
    thread::scope(|scope| {
        scope.spawn(|| assert!(offload.device(0).is_some()));
        meeting.wait();
        tool::end();
    });
    *lock(&MEETING) = None;
    assert_eq!(core::mem::take(&mut *lock(&DEVICES)), ["begins", "ends"]);
}

#[test]
fn a_tool_that_ends_in_the_callback_of_a_device_waits_for_nobody() {
    let turnstile = Turnstile::default();
    let _passage = turnstile.enter().expect("nobody is inside");
    assert!(turnstile.enter_before(Instant::now() + LONG).is_none());
}

#[test]
fn a_callback_that_never_returns_holds_up_the_end_of_its_tool_no_longer_than_the_deadline() {
    let turnstile = Turnstile::default();
    let _passage = turnstile.enter().expect("nobody is inside");
    thread::scope(|scope| {
        scope.spawn(|| {
            let deadline = Instant::now() + Duration::from_millis(20);
            assert!(turnstile.enter_before(deadline).is_none());
            assert!(Instant::now() >= deadline);
        });
    });
}

#[test]
fn devices_outlive_the_last_library_where_the_tool_s_end_is_told() {
    let _tool = listen();
    let (offload, ..) = runtime();
    assert!(offload.device(0).is_some());
    tool::release_devices();
    assert_eq!(core::mem::take(&mut *lock(&DEVICES)), ["begins"]);
    tool::end();
    assert_eq!(core::mem::take(&mut *lock(&DEVICES)), ["ends"]);
}

#[test]
fn devices_end_with_the_last_library_where_the_tool_s_end_is_told_too_late() {
    let _tool = listen_by(false);
    let (offload, ..) = runtime();
    assert!(offload.device(0).is_some());
    tool::release_devices();
    assert!(offload.device(0).is_some());
    tool::end();
    assert_eq!(core::mem::take(&mut *lock(&DEVICES)), ["begins", "ends", "begins"]);
}
