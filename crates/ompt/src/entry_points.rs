//! The runtime's entry points: queries by the tool (OpenMP 5.0 §4.6.1, 6.0 chapter 36).

use core::ffi::{CStr, c_char, c_int};
use core::marker::PhantomData;
use core::mem::transmute;
use core::ptr::null_mut;

use oxomp_sys::ompt::{
    ompt_callback_t, ompt_data_t, ompt_enumerate_mutex_impls_t, ompt_enumerate_states_t,
    ompt_finalize_tool_t, ompt_function_lookup_t, ompt_get_callback_t, ompt_get_num_devices_t,
    ompt_get_num_places_t, ompt_get_num_procs_t, ompt_get_parallel_info_t,
    ompt_get_partition_place_nums_t, ompt_get_place_num_t, ompt_get_place_proc_ids_t,
    ompt_get_proc_id_t, ompt_get_state_t, ompt_get_target_info_t, ompt_get_task_info_t,
    ompt_get_task_memory_t, ompt_get_thread_data_t, ompt_get_unique_id_t, ompt_id_t,
    ompt_interface_fn_t, ompt_mutex_impl_none, ompt_set_callback_t, ompt_state_t, ompt_task_flag_t,
};

use crate::event::quiet;
use crate::gate::Gate;
use crate::{Event, Frame, Model, Raw, SetResult, State, TaskFlags, WaitId};

macro_rules! entry_points {
    ($($field:ident, $name:literal, $signature:ty;)*) => {
        /// The runtime's entry points, as its look-up gave them.
        ///
        /// They may be used from `initialize` until `finalize` returns. An entry point marked
        /// *signal-safe* may be called in a signal handler too, on a thread between its
        /// thread-begin and thread-end. On a thread that OpenMP does not know, the state is
        /// undefined, and the thread has no data. An entry point that the runtime lacks answers as
        /// if it had nothing to tell; [`EntryPoints::missing`] names those entry points.
        ///
        /// Once the tool has ended, they all answer like that. A thread that the tool has started
        /// must not be in an entry point when [`Tool::finalize`](crate::Tool::finalize) returns.
        #[derive(Clone, Copy, Debug)]
        pub struct EntryPoints<D: Model = Raw> {
            gate: &'static Gate,
            model: PhantomData<D>,
            $($field: Option<$signature>,)*
        }

        // SAFETY: functions and a shared gate; the type holds no value of the model.
        unsafe impl<D: Model> Send for EntryPoints<D> {}
        // SAFETY: as above.
        unsafe impl<D: Model> Sync for EntryPoints<D> {}

        impl<D: Model> EntryPoints<D> {
            /// Asks the look-up for every entry point.
            ///
            /// # Safety
            /// `lookup` is the look-up function of an OMPT runtime.
            #[allow(clippy::useless_transmute, reason = "one has the look-up's own signature")]
            pub(crate) unsafe fn look_up(
                lookup: ompt_function_lookup_t,
                gate: &'static Gate,
            ) -> Self {
                Self {
                    gate,
                    model: PhantomData,
                    $(
                        // SAFETY: the runtime's function of that name has that signature.
                        $field: unsafe {
                            transmute::<Option<ompt_interface_fn_t>, Option<$signature>>(
                                lookup($name.as_ptr()),
                            )
                        },
                    )*
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
    enumerate_states, c"ompt_enumerate_states", ompt_enumerate_states_t;
    enumerate_mutex_impls, c"ompt_enumerate_mutex_impls", ompt_enumerate_mutex_impls_t;
    set_callback, c"ompt_set_callback", ompt_set_callback_t;
    get_callback, c"ompt_get_callback", ompt_get_callback_t;
    get_thread_data, c"ompt_get_thread_data", ompt_get_thread_data_t;
    get_num_procs, c"ompt_get_num_procs", ompt_get_num_procs_t;
    get_num_places, c"ompt_get_num_places", ompt_get_num_places_t;
    get_place_proc_ids, c"ompt_get_place_proc_ids", ompt_get_place_proc_ids_t;
    get_place_num, c"ompt_get_place_num", ompt_get_place_num_t;
    get_partition_place_nums, c"ompt_get_partition_place_nums", ompt_get_partition_place_nums_t;
    get_proc_id, c"ompt_get_proc_id", ompt_get_proc_id_t;
    get_state, c"ompt_get_state", ompt_get_state_t;
    get_parallel_info, c"ompt_get_parallel_info", ompt_get_parallel_info_t;
    get_task_info, c"ompt_get_task_info", ompt_get_task_info_t;
    get_task_memory, c"ompt_get_task_memory", ompt_get_task_memory_t;
    get_num_devices, c"ompt_get_num_devices", ompt_get_num_devices_t;
    get_target_info, c"ompt_get_target_info", ompt_get_target_info_t;
    get_unique_id, c"ompt_get_unique_id", ompt_get_unique_id_t;
    finalize_tool, c"ompt_finalize_tool", ompt_finalize_tool_t;
}

/// An answer about a region or a task at some level.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Info<R> {
    /// The region or task exists; the value describes it.
    Available(R),
    /// A region or task exists at this level, but the runtime cannot describe it now.
    Unavailable,
    /// No region or task exists at this level.
    None,
}

/// A parallel region around the calling task.
#[derive(Clone, Copy, Debug)]
pub struct ParallelInfo<'a, D: Model = Raw> {
    /// The region's word, or its identity.
    pub parallel: Option<D::Other<'a>>,
    /// Threads of its team.
    pub team_size: i32,
}

/// A task whose frames are on the calling thread's stack.
#[derive(Clone, Copy, Debug)]
pub struct TaskInfo<'a, D: Model = Raw> {
    /// Kind and properties.
    pub flags: TaskFlags,
    /// The task's word, or its identity.
    pub task: Option<D::Other<'a>>,
    /// The task's frames.
    pub frame: Option<Frame<'a>>,
    /// The word of the region that contains it, or the region's identity.
    pub parallel: Option<D::Other<'a>>,
    /// The executing thread's number in that region's team.
    pub thread_num: i32,
}

/// A range of a task's data environment.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TaskMemory {
    /// Where the range starts.
    pub address: u64,
    /// The size of the range; 0 if the task uses no memory.
    pub bytes: usize,
    /// Whether there are further blocks.
    pub more: bool,
}

/// The target region the calling thread is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TargetInfo {
    /// The device.
    pub device_num: u64,
    /// Identifies the region.
    pub target_id: ompt_id_t,
    /// The operation that the thread is initiating; 0 without an operation.
    pub host_op_id: ompt_id_t,
}

impl<D: Model> EntryPoints<D> {
    /// The function of an entry point; `None` if the runtime lacks it, or has ended the tool.
    #[inline]
    fn usable<F>(&self, function: Option<F>) -> Option<F> {
        function.filter(|_| self.gate.is_open())
    }

    /// Whether these are the entry points of the tool with this gate.
    pub(crate) fn is_of(&self, gate: &Gate) -> bool {
        core::ptr::eq(self.gate, gate)
    }

    /// From now on the tool's method for an event is not called. Returns whether the SDK itself
    /// still listens to the event.
    pub(crate) fn stop_listening(&self, event: Event) -> bool {
        self.gate.listen(event, false)
    }

    /// Whether the runtime has the entry point that every tool needs: the one that registers
    /// callbacks.
    pub(crate) fn can_register(&self) -> bool {
        self.set_callback.is_some()
    }

    /// Registers the tool's callback for an event.
    ///
    /// # Safety
    /// `callback` has the signature of `event`'s callback.
    pub(crate) unsafe fn register(&self, event: Event, callback: ompt_callback_t) -> SetResult {
        self.gate.note_registered(event, true);
        // SAFETY: as the caller promises.
        unsafe { self.set_callback(event, Some(callback)) }
    }

    /// Unregisters the tool's callback for an event. On a runtime that might call the null pointer
    /// then, replaces the callback by one that does nothing.
    pub(crate) fn unregister(&self, event: Event) -> SetResult {
        let was_registered = self.gate.note_registered(event, false);
        let instead = (!self.gate.takes_null()).then(|| quiet::of(event));
        if !was_registered && instead.is_some() {
            return self.usable(self.set_callback).map_or(SetResult::Error, |_| SetResult::Always);
        }
        // SAFETY: a null callback has no signature that could differ, and the other one has the
        // event's.
        unsafe { self.set_callback(event, instead) }
    }

    /// Sets or removes a callback.
    ///
    /// # Safety
    /// `callback` has the signature of `event`'s callback.
    unsafe fn set_callback(&self, event: Event, callback: Option<ompt_callback_t>) -> SetResult {
        match self.usable(self.set_callback) {
            // SAFETY: the entry point is the runtime's, and the caller guarantees the signature.
            Some(set_callback) => unsafe { set_callback(event.raw(), callback) }.into(),
            None => SetResult::Error,
        }
    }

    /// Whether a callback is registered for an event.
    pub fn is_registered(&self, event: Event) -> bool {
        let mut callback = None;
        // The runtime may have a callback that does nothing.
        // SAFETY: the entry point is the runtime's; it writes a callback or nothing.
        self.usable(self.get_callback)
            .filter(|_| self.gate.has_registered(event))
            .is_some_and(|get| unsafe { get(event.raw(), &mut callback) } != 0)
    }

    /// The calling thread's state. Signal-safe.
    #[inline]
    pub fn state(&self) -> State {
        self.usable(self.get_state).map_or(State::Undefined, |get| {
            // SAFETY: the entry point is the runtime's; the wait id may be null.
            unsafe { get(null_mut()) }.into()
        })
    }

    /// The calling thread's state, and in a mutex wait state the mutex that it waits for.
    /// Signal-safe.
    #[inline]
    pub fn state_and_wait_id(&self) -> (State, Option<WaitId>) {
        let Some(get) = self.usable(self.get_state) else { return (State::Undefined, None) };
        let mut wait_id = 0;
        // SAFETY: the entry point is the runtime's; the wait id is a variable of ours.
        let state = unsafe { get(&mut wait_id) };
        (state.into(), state.is_mutex_wait().then_some(WaitId(wait_id)))
    }

    /// Shows the calling thread's word, or the tool's data of it; `None` if OpenMP does not know
    /// the thread. Signal-safe.
    #[inline]
    pub fn thread_data<R>(&self, look: impl FnOnce(D::Thread<'_>) -> R) -> Option<R> {
        // SAFETY: the entry point is the runtime's, and the word lives while its thread is here.
        unsafe { D::thread(mapped(self.usable(self.get_thread_data)?())) }.map(look)
    }

    /// Shows the word of the task that the calling thread executes, or the tool's data of it.
    /// Signal-safe.
    #[inline]
    pub fn task_data<R>(&self, look: impl FnOnce(D::Task<'_>) -> R) -> Option<R> {
        // SAFETY: the task is the calling thread's, and lives until it returns to the runtime.
        unsafe { D::task(self.innermost()?.0) }.map(look)
    }

    /// Shows the word of the region around the task that the calling thread executes, or the tool's
    /// data of it. Signal-safe.
    #[inline]
    pub fn region_data<R>(&self, look: impl FnOnce(D::Region<'_>) -> R) -> Option<R> {
        let (task, region) = self.innermost()?;
        // SAFETY: as for `task_data`; the region lives as long as the task.
        unsafe { D::region_around(region, task) }.map(look)
    }

    /// The words of the innermost task and of the region around it.
    #[inline]
    fn innermost(&self) -> Option<(*mut ompt_data_t, *mut ompt_data_t)> {
        let get = self.usable(self.get_task_info)?;
        let (mut task, mut region) = (null_mut(), null_mut());
        // SAFETY: the entry point is the runtime's; it writes our variables, and takes null for
        // answers that are not wanted.
        let found = unsafe { get(0, null_mut(), &mut task, null_mut(), &mut region, null_mut()) };
        (found == 2).then(|| (mapped(task), mapped(region)))
    }

    /// Shows the parallel region at a level; 0 is the innermost. Signal-safe.
    #[inline]
    pub fn parallel_info<R>(
        &self,
        ancestor_level: u32,
        look: impl FnOnce(ParallelInfo<'_, D>) -> R,
    ) -> Info<R> {
        let Some(get) = self.usable(self.get_parallel_info) else { return Info::None };
        let mut parallel = null_mut();
        let mut team_size = 0;
        // SAFETY: the entry point is the runtime's; it writes our variables. The region lives
        // while the calling thread is in it.
        unsafe {
            match get(ancestor_level.cast_signed(), &mut parallel, &mut team_size) {
                2 => Info::Available(look(ParallelInfo {
                    parallel: D::other(mapped(parallel)),
                    team_size,
                })),
                1 => Info::Unavailable,
                _ => Info::None,
            }
        }
    }

    /// Shows the task at a level; 0 is the one that runs. Signal-safe.
    #[inline]
    pub fn task_info<R>(
        &self,
        ancestor_level: u32,
        look: impl FnOnce(TaskInfo<'_, D>) -> R,
    ) -> Info<R> {
        let Some(get) = self.usable(self.get_task_info) else { return Info::None };
        let mut flags = ompt_task_flag_t::NONE;
        let mut task = null_mut();
        let mut frame = null_mut();
        let mut parallel = null_mut();
        let mut thread_num = 0;
        // SAFETY: the entry point is the runtime's; it writes our variables. The objects behind
        // them live until control returns to the runtime.
        unsafe {
            match get(
                ancestor_level.cast_signed(),
                &mut flags,
                &mut task,
                &mut frame,
                &mut parallel,
                &mut thread_num,
            ) {
                2 => Info::Available(look(TaskInfo {
                    flags,
                    task: D::other(mapped(task)),
                    frame: Frame::from_raw(frame),
                    parallel: D::other(mapped(parallel)),
                    thread_num,
                })),
                1 => Info::Unavailable,
                _ => Info::None,
            }
        }
    }

    /// A range of the current task's data environment, by its number from 0. Signal-safe.
    pub fn task_memory(&self, block: u32) -> Option<TaskMemory> {
        let mut address = null_mut();
        let mut bytes = 0;
        let get = self.usable(self.get_task_memory)?;
        // SAFETY: the entry point is the runtime's; it writes our variables.
        let more = unsafe { get(&mut address, &mut bytes, block.cast_signed()) } != 0;
        Some(TaskMemory { address: address.addr() as u64, bytes, more })
    }

    /// The target region the calling thread is in, if it is in one. Signal-safe.
    pub fn target_info(&self) -> Option<TargetInfo> {
        let mut info = TargetInfo { device_num: 0, target_id: 0, host_op_id: 0 };
        let get = self.usable(self.get_target_info)?;
        // SAFETY: the entry point is the runtime's; it writes our variables.
        let inside =
            unsafe { get(&mut info.device_num, &mut info.target_id, &mut info.host_op_id) };
        (inside == 1).then_some(info)
    }

    /// A number unique in this run; not in any order. Signal-safe.
    #[inline]
    pub fn unique_id(&self) -> Option<u64> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_unique_id).map(|get| unsafe { get() })
    }

    /// Processors of the host now. Signal-safe.
    pub fn num_procs(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_num_procs).and_then(|get| unsigned(unsafe { get() }))
    }

    /// Places of the initial task's partition. Signal-safe.
    pub fn num_places(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_num_places).and_then(|get| unsigned(unsafe { get() }))
    }

    /// How many processors a place has; `ids` is filled if it is long enough.
    pub fn place_proc_ids(&self, place_num: i32, ids: &mut [i32]) -> Option<u32> {
        let get = self.usable(self.get_place_proc_ids)?;
        // SAFETY: the entry point is the runtime's; it writes at most the slice.
        unsigned(unsafe { get(place_num, length(ids), ids.as_mut_ptr()) })
    }

    /// The place the calling thread is bound to, if it is bound. Signal-safe.
    pub fn place_num(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_place_num).and_then(|get| unsigned(unsafe { get() }))
    }

    /// How many places the implicit task's partition has; `places` is filled if it is long
    /// enough. Signal-safe.
    pub fn partition_place_nums(&self, places: &mut [i32]) -> Option<u32> {
        let get = self.usable(self.get_partition_place_nums)?;
        // SAFETY: the entry point is the runtime's; it writes at most the slice.
        unsigned(unsafe { get(length(places), places.as_mut_ptr()) })
    }

    /// The processor the calling thread runs on. Signal-safe.
    pub fn proc_id(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_proc_id).and_then(|get| unsigned(unsafe { get() }))
    }

    /// How many devices there are. Signal-safe.
    pub fn num_devices(&self) -> Option<u32> {
        // SAFETY: the entry point is the runtime's.
        self.usable(self.get_num_devices).and_then(|get| unsigned(unsafe { get() }))
    }

    /// Shows every state that the runtime has, with its name in C.
    pub fn enumerate_states(&self, mut look: impl FnMut(State, &'static CStr)) {
        let Some(next) = self.usable(self.enumerate_states) else { return };
        let mut state = ompt_state_t::UNDEFINED;
        let mut name = core::ptr::null();
        // SAFETY: the entry point is the runtime's; it writes our variables.
        while unsafe { next(state, &mut state, &mut name) } != 0 {
            // SAFETY: the runtime's names stay for the run.
            look(state.into(), unsafe { static_name(name) });
        }
    }

    /// Shows every mutex implementation that the runtime has, with its name.
    pub fn enumerate_mutex_impls(&self, mut look: impl FnMut(i32, &'static CStr)) {
        let Some(next) = self.usable(self.enumerate_mutex_impls) else { return };
        let mut implementation = ompt_mutex_impl_none;
        let mut name = core::ptr::null();
        // SAFETY: the entry point is the runtime's; it writes our variables.
        while unsafe { next(implementation, &mut implementation, &mut name) } != 0 {
            // SAFETY: the runtime's names stay for the run.
            look(implementation, unsafe { static_name(name) });
        }
    }

    /// Ends the tool: unregisters all events, and calls [`Tool::finalize`](crate::Tool::finalize);
    /// once running calls have ended, no method is called any more. It may be called on any thread,
    /// in a callback, too, and on every runtime. Of several calls the first one counts. Data that
    /// are alive are not dropped.
    ///
    /// This is the SDK's own end; the runtime takes no part in it, and goes on without a tool. On
    /// runtimes that must not lose a callback while the event happens (all but oxomp), callbacks
    /// that do nothing replace the tool's.
    pub fn end_tool(&self) {
        if self.gate.is_open() {
            for event in Event::ALL {
                let _ = self.unregister(*event);
            }
            self.gate.end_tool();
        }
    }

    /// Calls `ompt_finalize_tool`: the runtime delivers outstanding events, such as the ends of
    /// threads, then calls [`Tool::finalize`](crate::Tool::finalize), and no event follows. Of
    /// several calls the first one counts. If an object ends meanwhile on the calling thread, its
    /// data are not dropped: a callback further down the stack may have references to them.
    ///
    /// # Safety
    /// The runtime allows the call here. oxomp allows it anywhere; OpenMP 6.0 forbids it inside an
    /// explicit region; libomp and libiomp5 shut the whole runtime down, and hang or crash if a
    /// callback calls. [`EntryPoints::end_tool`] needs no such promise.
    pub unsafe fn finalize_tool(&self) {
        if let Some(finalize_tool) = self.usable(self.finalize_tool)
            && self.gate.claim_finalizer()
        {
            // SAFETY: the entry point is the runtime's, which allows the call; when it returns,
            // `finalize` has closed the gate, so that no entry point is used any more.
            unsafe { finalize_tool() };
            self.gate.close();
        }
    }
}

/// An entry point's answer, if it can be an address.
///
/// libomp 19 and libiomp5 2026 may answer with a word at some offset from a null pointer to a team,
/// for the outermost task of a worker whose team follows a serialized region. No memory is mapped
/// at such an address, so it counts as null.
fn mapped(word: *mut ompt_data_t) -> *mut ompt_data_t {
    const FIRST_MAPPED: usize = 4096;
    match word.addr() < FIRST_MAPPED {
        true => null_mut(),
        false => word,
    }
}

fn unsigned(value: c_int) -> Option<u32> {
    u32::try_from(value).ok()
}

fn length(slice: &[i32]) -> c_int {
    c_int::try_from(slice.len()).unwrap_or(c_int::MAX)
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
