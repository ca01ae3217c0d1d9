//! Target constructs (GOMP).

use core::ffi::{c_int, c_uint, c_void};
use core::iter;
use core::ptr;
use core::slice;

use oxomp_core::devices;
use oxomp_core::target::{self, Item, Kind, TargetConstruct};
use oxomp_core::{CallSite, Thread};
use oxomp_sys::gomp::{gomp_fn, gomp_target_arg, gomp_target_flag};

use super::Dependences;
use super::device::device;
use super::mapping::Mapping;
use super::offload::offload;
use crate::argument::List;

/// The arguments of a target region, which a null word ends (rule A20).
#[repr(transparent)]
#[derive(Clone, Copy, Debug)]
pub struct TargetArguments(*const usize);

impl TargetArguments {
    /// The words, with the null word at their end; empty for none.
    fn words<'a>(self) -> &'a [usize] {
        use gomp_target_arg as arg;
        if self.0.is_null() {
            return &[];
        }
        let mut count = 0;
        loop {
            // SAFETY: A20: a word up to the one that is null.
            let word = unsafe { *self.0.add(count) };
            count += if word & arg::VALUE_FOLLOWS != 0 { 2 } else { 1 };
            if word == 0 {
                // SAFETY: A20: so many words, which stay until the call returns.
                return unsafe { slice::from_raw_parts(self.0, count) };
            }
        }
    }

    /// The number of teams and the limit of threads; 0 for none.
    fn read(self) -> (u32, u32) {
        use gomp_target_arg as arg;
        let (mut num_teams, mut thread_limit) = (0, 0);
        let mut next = self.0;
        let mut word = || {
            // SAFETY: A20: a word up to the one that is null.
            let word = unsafe { next.read() };
            next = next.wrapping_add(1);
            word
        };
        if self.0.is_null() {
            return (0, 0);
        }
        loop {
            let argument = word();
            if argument == 0 {
                return (num_teams, thread_limit);
            }
            let value = match argument & arg::VALUE_FOLLOWS {
                0 => argument.cast_signed() >> arg::VALUE_SHIFT,
                _ => word().cast_signed(),
            };
            let value = value.clamp(0, c_int::MAX as isize) as u32;
            if argument & arg::DEVICE_MASK == 0 {
                match argument & arg::ID_MASK {
                    arg::NUM_TEAMS => num_teams = value,
                    arg::THREAD_LIMIT => thread_limit = value,
                    _ => {}
                }
            }
        }
    }
}

/// A construct without code.
fn data_construct(kind: Kind, flags: c_uint) -> TargetConstruct {
    TargetConstruct::without_code(kind, flags & gomp_target_flag::NOWAIT != 0)
}

/// The arrays of a construct's variables, which a device alone needs unless the construct has code.
type Arrays<'a> = (usize, List<'a, *mut c_void>, List<'a, usize>, List<'a, u16>);

/// Executes a target enter data, exit data or update construct.
///
/// # Safety
/// A19: that of the arrays.
unsafe fn data(
    number: c_int,
    (construct, name): (TargetConstruct, &str),
    (count, words, sizes, kinds): Arrays<'_>,
    depend: Dependences,
    site: CallSite,
) {
    // SAFETY: A19, as this function demands.
    let mapping = || unsafe { (Mapping::new(count, words, sizes, kinds), &[][..]) };
    let offload = offload(number, name, mapping, site);
    let depend = depend.if_any().map(|depend| move || depend.read());
    let thread = Thread::current();
    // SAFETY: the construct has no function; A19, as this function demands.
    unsafe {
        if let Some(offload) = &offload {
            let (items, addresses) = (mapping().0.items(), words.as_ptr().cast_mut().cast());
            target::execute(thread, construct, addresses, items, Some(offload), depend, site);
        } else {
            let none = iter::empty::<Item>();
            target::execute(thread, construct, ptr::null_mut(), none, None, depend, site);
        }
    }
}

/// Executes a construct of gcc 4.9 or 5, whose images no plug-in of today loads.
fn old_data(number: c_int, site: CallSite) {
    devices::require(device(number), "target update", site);
    let construct = data_construct(Kind::Update, 0);
    let depend = None::<fn() -> _>;
    let none = iter::empty::<Item>();
    // SAFETY: the construct has no function, and no items.
    unsafe {
        target::execute(Thread::current(), construct, ptr::null_mut(), none, None, depend, site);
    }
}

entry! {
    /// `void GOMP_target_ext(int device, void (*fn)(void *), size_t mapnum, void **hostaddrs,
    /// size_t *sizes, unsigned short *kinds, unsigned flags, void **depend, void **args)`
    ///
    /// # Safety
    /// A8: the outlined `function` takes the array `words`. A19: `count` is the length of the
    /// arrays.
    pub unsafe fn GOMP_target_ext(
        number: c_int,
        function: gomp_fn,
        count: usize,
        words: List<*mut c_void>,
        sizes: List<usize>,
        kinds: List<u16>,
        flags: c_uint,
        depend: Dependences,
        arguments: TargetArguments,
    ) {
        let site = CallSite::here();
        // SAFETY: A19 of the arguments.
        let mapping = || unsafe { Mapping::new(count, words, sizes, kinds) };
        let offload = offload(number, "target", || (mapping(), arguments.words()), site);
        let (num_teams, thread_limit) = arguments.read();
        let nowait = flags & gomp_target_flag::NOWAIT != 0;
        let function = function as *const c_void;
        let construct = TargetConstruct { kind: Kind::Target, nowait, function, thread_limit, num_teams };
        let addresses = words.as_ptr().cast_mut().cast();
        let items = mapping().items();
        let depend = depend.if_any().map(|depend| move || depend.read());
        let (thread, offload) = (Thread::current(), offload.as_ref());
        // SAFETY: A8 and A19 of the arguments.
        unsafe { target::execute(thread, construct, addresses, items, offload, depend, site) };
    }

    /// `void GOMP_target(int device, void (*fn)(void *), const void *unused, size_t mapnum,
    /// void **hostaddrs, size_t *sizes, unsigned char *kinds)`: gcc 4.9 and 5, whose regions get
    /// copies of firstprivate variables by other means.
    ///
    /// # Safety
    /// A8: the outlined `function` takes the array `words`.
    pub unsafe fn GOMP_target(
        number: c_int,
        function: gomp_fn,
        _unused: *const c_void,
        _count: usize,
        words: List<*mut c_void>,
        _sizes: List<usize>,
        _kinds: List<u8>,
    ) {
        let site = CallSite::here();
        devices::require(device(number), "target", site);
        let construct = TargetConstruct {
            function: function as *const c_void,
            num_teams: 1,
            ..data_construct(Kind::Target, 0)
        };
        let addresses = words.as_ptr().cast_mut().cast();
        let depend = None::<fn() -> _>;
        let (thread, none) = (Thread::current(), iter::empty::<Item>());
        // SAFETY: A8 of the arguments.
        unsafe { target::execute(thread, construct, addresses, none, None, depend, site) };
    }

    /// `void GOMP_target_data_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
    /// unsigned short *kinds)`
    ///
    /// # Safety
    /// A19: `count` is the length of the arrays.
    pub unsafe fn GOMP_target_data_ext(
        number: c_int,
        count: usize,
        words: List<*mut c_void>,
        sizes: List<usize>,
        kinds: List<u16>,
    ) {
        let site = CallSite::here();
        // SAFETY: A19 of the arguments.
        let mapping = || unsafe { (Mapping::new(count, words, sizes, kinds), &[][..]) };
        let offload = offload(number, "target data", mapping, site);
        // SAFETY: A19 of the arguments.
        unsafe { target::begin_data(Thread::current(), offload.as_ref(), site) };
    }

    /// `void GOMP_target_data(int device, const void *unused, size_t mapnum, void **hostaddrs,
    /// size_t *sizes, unsigned char *kinds)`: gcc 4.9 and 5.
    pub fn GOMP_target_data(
        number: c_int,
        _unused: *const c_void,
        _count: usize,
        _words: List<*mut c_void>,
        _sizes: List<usize>,
        _kinds: List<u8>,
    ) {
        let site = CallSite::here();
        devices::require(device(number), "target data", site);
        // SAFETY: there is no device.
        unsafe { target::begin_data(Thread::current(), None, site) };
    }

    /// `void GOMP_target_end_data(void)`
    pub fn GOMP_target_end_data() {
        target::end_data(Thread::current(), CallSite::here());
    }

    /// `void GOMP_target_update_ext(int device, size_t mapnum, void **hostaddrs, size_t *sizes,
    /// unsigned short *kinds, unsigned flags, void **depend)`
    ///
    /// # Safety
    /// A19: `count` is the length of the arrays.
    pub unsafe fn GOMP_target_update_ext(
        number: c_int,
        count: usize,
        words: List<*mut c_void>,
        sizes: List<usize>,
        kinds: List<u16>,
        flags: c_uint,
        depend: Dependences,
    ) {
        let construct = (data_construct(Kind::Update, flags), "target update");
        let arrays = (count, words, sizes, kinds);
        // SAFETY: A19 of the arguments.
        unsafe { data(number, construct, arrays, depend, CallSite::here()) };
    }

    /// `void GOMP_target_update(int device, const void *unused, size_t mapnum, void **hostaddrs,
    /// size_t *sizes, unsigned char *kinds)`: gcc 4.9 and 5.
    pub fn GOMP_target_update(
        number: c_int,
        _unused: *const c_void,
        _count: usize,
        _words: List<*mut c_void>,
        _sizes: List<usize>,
        _kinds: List<u8>,
    ) {
        old_data(number, CallSite::here());
    }

    /// `void GOMP_target_enter_exit_data(int device, size_t mapnum, void **hostaddrs,
    /// size_t *sizes, unsigned short *kinds, unsigned flags, void **depend)`
    ///
    /// # Safety
    /// A19: `count` is the length of the arrays.
    pub unsafe fn GOMP_target_enter_exit_data(
        number: c_int,
        count: usize,
        words: List<*mut c_void>,
        sizes: List<usize>,
        kinds: List<u16>,
        flags: c_uint,
        depend: Dependences,
    ) {
        let (kind, name) = match flags & gomp_target_flag::EXIT_DATA {
            0 => (Kind::EnterData, "target enter data"),
            _ => (Kind::ExitData, "target exit data"),
        };
        let construct = (data_construct(kind, flags), name);
        let arrays = (count, words, sizes, kinds);
        // SAFETY: A19 of the arguments.
        unsafe { data(number, construct, arrays, depend, CallSite::here()) };
    }

    /// `void *GOMP_target_map_indirect_ptr(void *ptr)`: the address of a function on the device of
    /// the caller, the host.
    pub fn GOMP_target_map_indirect_ptr(function: *mut c_void) -> *mut c_void {
        function
    }
}

#[cfg(test)]
mod tests {
    use super::TargetArguments;
    use core::ptr;

    #[test]
    fn arguments_are_found_in_any_order_and_form() {
        let read = |words: &[usize]| TargetArguments(words.as_ptr()).read();
        assert_eq!(read(&[0x1_0100, 0x3_0200, 0]), (1, 3));
        assert_eq!(read(&[0x280, 1 << 40, 0x180, 7, 0]), (7, i32::MAX as u32));
        // The first is for another device, the second has no value.
        assert_eq!(read(&[0x3_0205, 0x200, 0x2_0100, 0]), (2, 0));
        assert_eq!(TargetArguments(ptr::null()).read(), (0, 0));
    }
}
