//! The runtime's entry points: queries by the tool (§5 of the report).

use core::ffi::{CStr, c_char, c_int};
use core::ptr::{null, null_mut};

use oxomp_sys::report_2015::{
    self as c, ompt_atomic_type_first, ompt_callback_t, ompt_enumerate_atomic_type_t,
    ompt_enumerate_lock_type_t, ompt_enumerate_state_t, ompt_function_lookup_t,
    ompt_get_callback_t, ompt_get_num_devices_t, ompt_get_parallel_id_t,
    ompt_get_parallel_team_size_t, ompt_get_state_t, ompt_get_task_info_t, ompt_get_thread_id_t,
    ompt_lock_type_first, ompt_set_callback_t, ompt_state_t, ompt_target_get_device_id_t,
    ompt_target_get_device_info_t, ompt_task_type_t,
};

use super::gate::Gate;
use super::{Device, Event, Frame, ParallelId, State, TaskId, TaskKind, ThreadId, WaitId};
use crate::raw::entry_point;

macro_rules! entry_points {
    ($($field:ident, $name:literal, $signature:ty;)*) => {
        /// The runtime's entry points, as its look-up gave them.
        ///
        /// They may be used from `initialize` until `runtime_shutdown` returns; afterwards they all
        /// answer as if they had nothing to tell. An entry point that the runtime lacks answers
        /// like that at any time ([`EntryPoints::missing`] names those). An entry point marked
        /// *signal-safe* may be called in a signal handler, on any thread; a thread that OpenMP
        /// does not know has the state [`Undefined`](State::Undefined), no id and no task.
        #[derive(Clone, Copy, Debug)]
        pub struct EntryPoints {
            gate: &'static Gate,
            $($field: Option<$signature>,)*
        }

        impl EntryPoints {
            /// Asks the look-up for every entry point.
            ///
            /// # Safety
            /// `lookup` is the look-up function of a runtime with the report's interface.
            pub(super) unsafe fn look_up(
                lookup: ompt_function_lookup_t,
                gate: &'static Gate,
            ) -> Self {
                Self {
                    gate,
                    // SAFETY: the runtime's function of that name has that signature.
                    $($field: unsafe { entry_point::<$signature>(lookup, $name) },)*
                }
            }

            /// The names of the entry points that the runtime does not have.
            pub fn missing(&self) -> impl Iterator<Item = &'static CStr> {
                [$(($name, self.$field.is_none())),*]
                    .into_iter()
                    .filter_map(|(name, missing): (&'static CStr, bool)| missing.then_some(name))
            }
        }
    };
}

entry_points! {
    enumerate_state, c"ompt_enumerate_state", ompt_enumerate_state_t;
    enumerate_lock_type, c"ompt_enumerate_lock_type", ompt_enumerate_lock_type_t;
    enumerate_atomic_type, c"ompt_enumerate_atomic_type", ompt_enumerate_atomic_type_t;
    set_callback, c"ompt_set_callback", ompt_set_callback_t;
    get_callback, c"ompt_get_callback", ompt_get_callback_t;
    get_thread_id, c"ompt_get_thread_id", ompt_get_thread_id_t;
    get_state, c"ompt_get_state", ompt_get_state_t;
    get_parallel_id, c"ompt_get_parallel_id", ompt_get_parallel_id_t;
    get_parallel_team_size, c"ompt_get_parallel_team_size", ompt_get_parallel_team_size_t;
    get_task_info, c"ompt_get_task_info", ompt_get_task_info_t;
    get_num_devices, c"ompt_get_num_devices", ompt_get_num_devices_t;
    get_device_info, c"ompt_target_get_device_info", ompt_target_get_device_info_t;
    get_device_id, c"ompt_target_get_device_id", ompt_target_get_device_id_t;
}

/// A task in the execution context of the calling thread.
#[derive(Clone, Copy, Debug)]
pub struct TaskInfo<'a> {
    /// The kind of task.
    pub kind: TaskKind,
    /// The task; `None` for a degenerate task.
    pub task: Option<TaskId>,
    /// The task's frames.
    pub frame: Option<Frame<'a>>,
    /// The region that the task belongs to; `None` outside all regions.
    pub parallel: Option<ParallelId>,
}

impl EntryPoints {
    /// The function of an entry point; `None` if the runtime lacks it, or has ended the tool.
    #[inline]
    fn usable<F>(&self, function: Option<F>) -> Option<F> {
        function.filter(|_| self.gate.is_open())
    }

    /// Whether the runtime has the entry point that every tool needs: the one that registers
    /// callbacks.
    pub(super) fn can_register(&self) -> bool {
        self.set_callback.is_some()
    }

    /// Registers the tool's callback for an event.
    ///
    /// # Safety
    /// `callback` has the signature of `event`'s callback.
    pub(super) unsafe fn register(&self, event: Event, callback: ompt_callback_t) -> c::SetResult {
        match self.usable(self.set_callback) {
            // SAFETY: the entry point is the runtime's, and the caller guarantees the signature.
            Some(set_callback) => unsafe { set_callback(event.raw(), Some(callback)) },
            None => c::SetResult::ERROR,
        }
    }

    /// Whether a callback is registered for an event.
    pub fn is_registered(&self, event: Event) -> bool {
        let mut callback = None;
        // SAFETY: the entry point is the runtime's; it writes a callback or nothing.
        self.usable(self.get_callback)
            .is_some_and(|get| unsafe { get(event.raw(), &mut callback) } != 0)
    }

    /// The calling thread; `None` if OpenMP does not know it. Signal-safe.
    #[inline]
    pub fn thread_id(&self) -> Option<ThreadId> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_thread_id).and_then(|get| ThreadId::new(unsafe { get() }))
    }

    /// The calling thread's state. Signal-safe.
    #[inline]
    pub fn state(&self) -> State {
        self.usable(self.get_state).map_or(State::Undefined, |get| {
            // SAFETY: the entry point is the runtime's; the wait id may be null.
            unsafe { get(null_mut()) }.into()
        })
    }

    /// The calling thread's state; while the thread waits for a mutex, also that mutex.
    /// Signal-safe.
    #[inline]
    pub fn state_and_wait_id(&self) -> (State, Option<WaitId>) {
        let Some(get) = self.usable(self.get_state) else { return (State::Undefined, None) };
        let mut wait_id = 0;
        // SAFETY: the entry point is the runtime's; the wait id is a variable of ours.
        let state = State::from(unsafe { get(&mut wait_id) });
        (state, WaitId::new(wait_id).filter(|_| state.is_mutex_wait()))
    }

    /// The parallel region at a level; 0 is the innermost. `None` outside all regions, for an idle
    /// thread, and beyond the outermost region. Signal-safe.
    #[inline]
    pub fn parallel_id(&self, ancestor_level: u32) -> Option<ParallelId> {
        let get = self.usable(self.get_parallel_id)?;
        // SAFETY: the entry point is the runtime's.
        ParallelId::new(unsafe { get(ancestor_level.cast_signed()) })
    }

    /// The threads of the team at a level; 0 is the innermost. None beyond the outermost.
    /// Signal-safe.
    #[inline]
    pub fn team_size(&self, ancestor_level: u32) -> Option<u32> {
        let get = self.usable(self.get_parallel_team_size)?;
        // SAFETY: the entry point is the runtime's.
        u32::try_from(unsafe { get(ancestor_level.cast_signed()) }).ok()
    }

    /// Shows the task at a level; 0 is the one that runs. `None` if no task is at this level.
    /// Signal-safe.
    #[inline]
    pub fn task_info<R>(
        &self,
        ancestor_level: u32,
        look: impl FnOnce(TaskInfo<'_>) -> R,
    ) -> Option<R> {
        let get = self.usable(self.get_task_info)?;
        let (mut kind, mut task, mut parallel) = (ompt_task_type_t(0), 0, 0);
        let mut frame = null_mut();
        let level = ancestor_level.cast_signed();
        // SAFETY: the entry point is the runtime's; it writes our variables. The frame lives until
        // control returns to the runtime.
        unsafe {
            if get(level, &mut kind, &mut task, &mut frame, &mut parallel) == 0 {
                return None;
            }
            Some(look(TaskInfo {
                kind: kind.into(),
                task: TaskId::new(task),
                frame: Frame::from_raw(frame),
                parallel: ParallelId::new(parallel),
            }))
        }
    }

    /// How many devices there are. Signal-safe.
    pub fn num_devices(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_num_devices).and_then(|get| u32::try_from(unsafe { get() }).ok())
    }

    /// The device of the target construct that the calling thread executes; `None` outside of
    /// target constructs. Signal-safe.
    pub fn device_id(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_device_id).and_then(|get| u32::try_from(unsafe { get() }).ok())
    }

    /// A device by its number; `None` if there is no such device. Not signal-safe: at the first
    /// question for a device the SDK allocates memory.
    pub fn device(&self, device_num: i32) -> Option<Device> {
        let get = self.usable(self.get_device_info)?;
        let (mut kind, mut device, mut lookup) = (null(), null_mut(), None);
        // SAFETY: the entry point is the runtime's; it writes our variables, and by the report the
        // last argument is passed by value, so that nothing can be written to it.
        let found = unsafe { get(device_num, &mut kind, &mut device, &mut lookup, null()) };
        // SAFETY: the runtime's names stay for the run, and the look-up is the device's.
        (found == 0).then(|| unsafe {
            Device::of(self.gate, device_num, static_name(kind), device, lookup)
        })
    }

    /// Shows every state that the runtime has, with its name in C. Signal-safe.
    pub fn enumerate_states(&self, mut look: impl FnMut(State, &'static CStr)) {
        let next = self.usable(self.enumerate_state);
        let mut state = ompt_state_t::FIRST;
        let mut name = null();
        // SAFETY: the entry point is the runtime's; it writes our variables.
        while next.is_some_and(|next| unsafe { next(state, &mut state, &mut name) } != 0) {
            // SAFETY: the runtime's names stay for the run.
            look(state.into(), unsafe { static_name(name) });
        }
    }

    /// Shows every implementation of locks that the runtime has, with its name. Signal-safe.
    pub fn enumerate_lock_types(&self, look: impl FnMut(u32, &'static CStr)) {
        // SAFETY: the entry point is the runtime's.
        unsafe { enumerate(self.usable(self.enumerate_lock_type), ompt_lock_type_first, look) };
    }

    /// Shows every implementation of atomic regions that the runtime has, with its description.
    /// Signal-safe.
    pub fn enumerate_atomic_types(&self, look: impl FnMut(u32, &'static CStr)) {
        // SAFETY: the entry point is the runtime's.
        unsafe { enumerate(self.usable(self.enumerate_atomic_type), ompt_atomic_type_first, look) };
    }
}

/// # Safety
/// `next` is the runtime's.
unsafe fn enumerate(
    next: Option<unsafe extern "C" fn(u32, *mut u32, *mut *const c_char) -> c_int>,
    mut number: u32,
    mut look: impl FnMut(u32, &'static CStr),
) {
    let mut name = null();
    // SAFETY: the entry point is the runtime's; it writes our variables.
    while next.is_some_and(|next| unsafe { next(number, &mut number, &mut name) } != 0) {
        // SAFETY: the runtime's names stay for the run.
        look(number, unsafe { static_name(name) });
    }
}

/// # Safety
/// `name` is null or a string that stays for the run.
unsafe fn static_name(name: *const c_char) -> &'static CStr {
    match name.is_null() {
        true => c"",
        // SAFETY: a string that stays, as the caller promises.
        false => unsafe { CStr::from_ptr(name) },
    }
}
