//! The events of devices and of target constructs, with every argument.

mod fake;

use std::ptr::{null, null_mut, without_provenance, without_provenance_mut};
use std::sync::Mutex;

use fake::{Word, callback};
use ompt::{
    CodePtr, DataWord, DeviceAddress, DeviceFinalize, DeviceInitialize, DeviceLoad, DeviceUnload,
    Endpoint, EntryPoints, Event, EventSet, HostAddress, Initialization, MapItems, SetResult,
    Target, TargetDataOp, TargetDataOpEmi, TargetDataOpKind, TargetEmi, TargetKind, TargetMap,
    TargetMapEmi, TargetMapFlags, TargetSubmit, TargetSubmitEmi, Tool,
};
use oxomp_sys::ompt::{
    ompt_callback_device_finalize_t, ompt_callback_device_load_t, ompt_callback_device_unload_t,
    ompt_callback_target_data_op_emi_t, ompt_callback_target_data_op_t, ompt_callback_target_emi_t,
    ompt_callback_target_map_emi_t, ompt_callback_target_map_t, ompt_callback_target_submit_emi_t,
    ompt_callback_target_submit_t, ompt_callback_target_t, ompt_scope_endpoint_t,
    ompt_target_data_op_t, ompt_target_t,
};

static ENTRY_POINTS: Mutex<Option<EntryPoints>> = Mutex::new(None);

/// The events that the tool registers late.
const DEVICES: EventSet = EventSet::of(&[Event::DEVICE_INITIALIZE, Event::DEVICE_FINALIZE]);

static NOTES: Mutex<Vec<String>> = Mutex::new(Vec::new());

fn note(text: String) {
    NOTES.lock().unwrap().push(text);
}

fn take_notes() -> Vec<String> {
    std::mem::take(&mut NOTES.lock().unwrap())
}

fn value(word: Option<&DataWord>) -> Option<u64> {
    word.map(DataWord::get)
}

fn note_items(event: &str, items: MapItems<'_>) {
    assert_eq!(items.iter().len(), items.len());
    for item in items {
        let (host, device, bytes, flags) = (item.host, item.device, item.bytes, item.flags);
        note(format!("{event} {host} {device} {bytes} {flags}"));
    }
}

struct Notebook;

#[ompt::tool]
impl Tool for Notebook {
    fn initialize(initialization: &Initialization) -> Option<Self> {
        *ENTRY_POINTS.lock().unwrap() = Some(initialization.entry_points);
        Some(Self)
    }

    fn events(&self) -> EventSet {
        Self::METHODS.without(DEVICES)
    }

    fn device_initialize(&self, event: &DeviceInitialize<'_>) {
        assert!(event.device.is_ready());
        note(format!("initialize {}", event.device_num));
    }

    fn device_finalize(&self, event: &DeviceFinalize) {
        note(format!("finalize {}", event.device_num));
    }

    fn device_load(&self, event: &DeviceLoad<'_>) {
        assert_eq!((event.device_num, event.filename, event.offset_in_file), (7, None, -1));
        assert_eq!((event.vma_in_file, event.bytes), (u64::MAX, 4096));
        assert_eq!((event.host_addr, event.device_addr), (HostAddress(16), DeviceAddress::NONE));
        note(format!("load {}", event.module_id));
    }

    fn device_unload(&self, event: &DeviceUnload) {
        note(format!("unload {} {}", event.device_num, event.module_id));
    }

    fn target(&self, event: &Target<'_>) {
        assert_eq!((event.kind, event.device_num), (TargetKind::Unknown(50), 7));
        assert_eq!((event.target_id, event.codeptr_ra), (3, CodePtr(0x4000)));
        note(format!("target {} {} {:?}", event.kind, event.endpoint, value(event.task)));
    }

    fn target_emi(&self, event: &TargetEmi<'_>) {
        assert_eq!((event.device_num, event.codeptr_ra), (7, CodePtr(0x4000)));
        if event.endpoint == Endpoint::Begin {
            event.target.expect("a word").set(33);
        }
        let words = [event.task, event.target_task, event.target].map(value);
        note(format!("target_emi {} {} {words:?}", event.kind, event.endpoint));
    }

    fn target_data_op(&self, event: &TargetDataOp) {
        assert_eq!((event.target_id, event.host_op_id), (3, 4));
        assert_eq!((event.src_addr, event.src_device_num), (DeviceAddress(0x10), 8));
        assert_eq!((event.dest_addr, event.dest_device_num), (DeviceAddress(0x30), 7));
        note(format!("data_op {} {} {}", event.kind, event.bytes, event.codeptr_ra));
    }

    fn target_data_op_emi(&self, event: &TargetDataOpEmi<'_>) {
        assert_eq!((event.src_addr, event.src_device_num), (DeviceAddress(0x30), 7));
        assert_eq!((event.dest_addr, event.dest_device_num), (DeviceAddress(0), 8));
        assert!(event.dest_addr.is_none() && event.target_task.is_none());
        let operation = event.host_op_id.expect("a word");
        if event.endpoint == Endpoint::Begin {
            operation.set(44);
        }
        let (kind, bytes, target) = (event.kind, event.bytes, value(event.target));
        note(format!("data_op_emi {} {kind} {bytes} {target:?}", event.endpoint));
    }

    fn target_submit(&self, event: &TargetSubmit) {
        let TargetSubmit { target_id, host_op_id, requested_num_teams } = event;
        note(format!("submit {target_id} {host_op_id} {requested_num_teams}"));
    }

    fn target_submit_emi(&self, event: &TargetSubmitEmi<'_>) {
        let words = (value(event.target), value(event.host_op_id));
        note(format!("submit_emi {} {words:?} {}", event.endpoint, event.requested_num_teams));
    }

    fn target_map(&self, event: &TargetMap<'_>) {
        assert_eq!((event.target_id, event.codeptr_ra), (3, CodePtr(0x4000)));
        note_items("map", event.items);
    }

    fn target_map_emi(&self, event: &TargetMapEmi<'_>) {
        assert_eq!((value(event.target), event.codeptr_ra), (Some(33), CodePtr(0x4000)));
        note_items("map_emi", event.items);
    }
}

ompt::ompt_tool!(Notebook);

macro_rules! raise {
    ($event:ident, $signature:ty, $($argument:expr),* $(,)?) => {
        // SAFETY: the signature is the event's, and what pointers lead to is alive.
        unsafe { callback::<$signature>(Event::$event).expect("registered")($($argument),*) }
    };
}

/// One test, since there is one tool.
#[test]
fn events_of_devices_have_their_arguments() {
    assert!(fake::run());
    chosen_late();
    fake::device::initialize();
    devices();
    constructs();
    maps();
    raise!(DEVICE_FINALIZE, ompt_callback_device_finalize_t, 7);
    assert_eq!(take_notes(), ["finalize 7"]);
}

/// The end of devices is registered where their begin is, and the tool's method is called where the
/// tool wants it.
fn chosen_late() {
    let is_registered = |event| fake::registered().contains(&event);
    let [begin, end] = [Event::DEVICE_INITIALIZE, Event::DEVICE_FINALIZE];
    assert!(!is_registered(begin) && !is_registered(end), "not chosen");
    let entry_points = ENTRY_POINTS.lock().unwrap().expect("the tool runs");
    assert_eq!(ompt::register::<Notebook>(&entry_points, begin), SetResult::Always);
    assert!(is_registered(begin) && is_registered(end), "handles must end");
    fake::device::initialize();
    fake::device::finalize();
    assert_eq!(take_notes(), ["initialize 7"]);
    assert_eq!(ompt::register::<Notebook>(&entry_points, end), SetResult::Always);
}

fn devices() {
    raise!(
        DEVICE_LOAD,
        ompt_callback_device_load_t,
        7,
        null(),
        -1,
        without_provenance_mut(usize::MAX),
        4096,
        without_provenance_mut(16),
        without_provenance_mut(usize::MAX),
        5,
    );
    raise!(DEVICE_UNLOAD, ompt_callback_device_unload_t, 7, 5);
    assert_eq!(take_notes(), ["initialize 7", "load 5", "unload 7 5"]);
}

fn constructs() {
    let (begin, end) = (ompt_scope_endpoint_t::BEGIN, ompt_scope_endpoint_t::END);
    let (task, target, operation) = (Word::new(), Word::new(), Word::new());
    let code = without_provenance(0x4000);
    let unknown = ompt_target_t(50);
    raise!(TARGET, ompt_callback_target_t, unknown, begin, 7, task.raw(), 3, code);
    for endpoint in [begin, end] {
        let kind = ompt_target_t::TARGET_NOWAIT;
        let target = target.raw();
        raise!(
            TARGET_EMI,
            ompt_callback_target_emi_t,
            kind,
            endpoint,
            7,
            task.raw(),
            null_mut(),
            target,
            code
        );
    }
    let (there, here) = (without_provenance_mut(0x30), without_provenance_mut(0x10));
    let kind = ompt_target_data_op_t::TRANSFER_TO_DEVICE;
    let bytes = 1 << 33;
    raise!(
        TARGET_DATA_OP,
        ompt_callback_target_data_op_t,
        3,
        4,
        kind,
        here,
        8,
        there,
        7,
        bytes,
        code
    );
    for endpoint in [begin, end] {
        let id = operation.raw().cast();
        raise!(
            TARGET_DATA_OP_EMI,
            ompt_callback_target_data_op_emi_t,
            endpoint,
            null_mut(),
            target.raw(),
            id,
            ompt_target_data_op_t::DELETE,
            there,
            7,
            null_mut(),
            8,
            0,
            code,
        );
    }
    raise!(TARGET_SUBMIT, ompt_callback_target_submit_t, 3, 4, 5);
    raise!(
        TARGET_SUBMIT_EMI,
        ompt_callback_target_submit_emi_t,
        begin,
        target.raw(),
        operation.raw().cast(),
        5
    );
    assert_eq!((target.value(), operation.value()), (33, 44), "what the tool has stored");
    let expected = [
        "target 0x32 begin Some(0)",
        "target_emi nowait begin [Some(0), None, Some(33)]",
        "target_emi nowait end [Some(0), None, Some(33)]",
        "data_op transfer_to_device 8589934592 0x4000",
        "data_op_emi begin delete 0 Some(33)",
        "data_op_emi end delete 0 Some(33)",
        "submit 3 4 5",
        "submit_emi begin (Some(33), Some(44)) 5",
    ];
    assert_eq!(take_notes(), expected);
    assert_eq!(TargetDataOpKind::TransferToDevice.name(), Some("transfer_to_device"));
}

fn maps() {
    let target = Word::new();
    // SAFETY: a word of ours.
    unsafe { (*target.raw()).value = 33 };
    let mut host = [1, 2].map(without_provenance_mut);
    let mut there = [3, usize::MAX].map(without_provenance_mut);
    let (mut bytes, mut flags) = ([8, 16], [1 | 0x20, 2]);
    let code = without_provenance(0x4000);
    let (host, there) = (host.as_mut_ptr(), there.as_mut_ptr());
    let (bytes, flags) = (bytes.as_mut_ptr(), flags.as_mut_ptr());
    raise!(TARGET_MAP, ompt_callback_target_map_t, 3, 2, host, there, bytes, flags, code);
    let emi_target = target.raw();
    let none = null_mut();
    raise!(
        TARGET_MAP_EMI,
        ompt_callback_target_map_emi_t,
        emi_target,
        2,
        host,
        none,
        bytes,
        flags,
        code
    );
    raise!(
        TARGET_MAP_EMI,
        ompt_callback_target_map_emi_t,
        emi_target,
        0,
        null_mut(),
        null_mut(),
        null_mut(),
        null_mut(),
        code,
    );
    let nowhere = DeviceAddress::NONE;
    let expected = [
        "map 0x1 0x3 8 to|implicit".to_owned(),
        format!("map 0x2 {nowhere} 16 from"),
        format!("map_emi 0x1 {nowhere} 8 to|implicit"),
        format!("map_emi 0x2 {nowhere} 16 from"),
    ];
    assert_eq!(take_notes(), expected);
    assert!(TargetMapFlags(0x21).contains(TargetMapFlags::IMPLICIT));
}
