//! The signal handler, and the walk of a stack.

use std::ffi::{c_int, c_void};
use std::sync::OnceLock;
use std::sync::atomic::Ordering;
use std::{mem, ptr};

use framehop::FrameAddress;
use ompt::{EntryPoints, State};
use oxomp_arch::{WalkRegisters, general_registers, registers_of};
use oxomp_trace::calls::{Pseudo, Sample};
use oxomp_trace::counters::Activity;
use oxomp_trace::info::EventClass;
use oxomp_trace::registers::RegisterSample;

use super::c_thread;
use super::modules::with_tables;
use super::offers;
use super::sampler::{Sampler, Walk};
use super::source::SIGNAL;
use super::steps::follow;
use super::unwinder::unwind_registers;
use crate::beside::Beside;
use crate::counters::Place;
use crate::log::{self, Log};
use crate::mode::{MODE, Mode};
use crate::own_thread::own_thread;
use crate::store::Store;
use crate::{clock, overhead};

static ENTRY_POINTS: OnceLock<EntryPoints> = OnceLock::new();

/// The entry points of the runtime, for the thread's state. Called once, before any sample.
pub(crate) fn prepare(entry_points: EntryPoints) {
    ENTRY_POINTS.get_or_init(|| entry_points);
}

/// Whether the program has left the signal to us. `Err` says why not.
pub(super) fn install() -> Result<(), String> {
    // SAFETY: the structures live during the calls, and the handler is signal-safe.
    unsafe {
        let mut before = mem::zeroed::<libc::sigaction>();
        libc::sigaction(SIGNAL, ptr::null(), &mut before);
        if is_ours(&before) {
            return Ok(());
        }
        if !matches!(before.sa_sigaction, libc::SIG_DFL | libc::SIG_IGN) {
            return Err("the program handles SIGURG itself".to_owned());
        }
        let mut action = mem::zeroed::<libc::sigaction>();
        action.sa_sigaction = handle as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
        // A handler of the program's that ran inside ours could leave both by longjmp(3).
        libc::sigfillset(&mut action.sa_mask);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGTRAP] {
            libc::sigdelset(&mut action.sa_mask, fault);
        }
        if libc::sigaction(SIGNAL, &action, ptr::null_mut()) != 0 {
            return Err(std::io::Error::last_os_error().to_string());
        }
    }
    Ok(())
}

/// Whether the signal is still ours.
pub(super) fn is_installed() -> bool {
    // SAFETY: `now` has room for the answer.
    unsafe {
        let mut now = mem::zeroed::<libc::sigaction>();
        libc::sigaction(SIGNAL, ptr::null(), &mut now) == 0 && is_ours(&now)
    }
}

fn is_ours(action: &libc::sigaction) -> bool {
    action.sa_sigaction == handle as *const () as usize
}

unsafe extern "C" fn handle(_: c_int, info: *mut libc::siginfo_t, context: *mut c_void) {
    // Signals come to threads that have a sampler, or are offered one.
    if offers::are_there() {
        let tid = own_thread().unsigned_abs();
        if !c_thread::is_own(tid) {
            return offers::refuse(tid);
        }
    }
    let Some(sampler) = Sampler::of_thread().or_else(Sampler::accept) else { return };
    // SAFETY: the kernel passes both structures; errno is this thread's.
    let (errno, code, context) = unsafe {
        (*libc::__errno_location(), (*info).si_code, &*context.cast::<libc::ucontext_t>())
    };
    let begin = clock::now();
    let ours = sampler.source.as_ref().is_some_and(|source| source.sends(code));
    if ours && let Some(store) = sampler.store {
        if sampler.busy.load(Ordering::Relaxed) {
            sampler.missed.fetch_add(1, Ordering::Relaxed);
        } else if MODE.is(Mode::On) {
            let missed = sampler.missed.swap(0, Ordering::Relaxed);
            let (tid, is_guest) = (sampler.tid, sampler.is_guest);
            // SAFETY: this thread's sampler, which nothing outside the handler uses now; the
            // handler does not interrupt itself, since all signals are blocked in it.
            unsafe { sampler.walk(|walk| sample(walk, store, context, missed, (tid, is_guest))) };
        }
        if !MODE.is(Mode::Off) {
            sampler.arm();
        }
        overhead::add(EventClass::Samples, 1, clock::now().saturating_sub(begin));
    }
    // SAFETY: errno is this thread's.
    unsafe { *libc::__errno_location() = errno };
}

/// Takes a sample of the code that the signal has interrupted, after `missed` signals without one,
/// on the thread `tid`, of which OpenMP knows nothing if it is a guest.
fn sample(
    walk: &mut Walk,
    store: &Store,
    context: &libc::ucontext_t,
    missed: u32,
    (tid, is_guest): (u32, bool),
) {
    let tick = clock::now();
    for _ in 0..missed {
        walk.tree.count(store, Pseudo::LOST);
    }
    // A runtime may allocate what it has for a thread when it is asked for the first time.
    let entry_points = ENTRY_POINTS.get().filter(|_| !is_guest);
    let state = entry_points.map_or(State::Undefined, EntryPoints::state);
    if walk.counters.counts() {
        count(walk, store, state, MODE.paused_until(tick));
    }
    if is_waiting(state) {
        return walk.tree.count(store, Pseudo::WAITING);
    }
    let interrupted = registers_of(context);
    let node = path(walk, store, interrupted);
    walk.tree.count(store, node);
    let team = log::peek(Log::member_of);
    let region = team.map_or(0, |team| {
        team.ask();
        team.id.load(Ordering::Relaxed)
    });
    walk.tree.keep(store, &Sample { tick, region, outer: 0, node, tid, fork: false });
    if let Some(Beside { region, code, phase, alone }) = log::peek(Log::beside_others)
        && let Some(registers) = general_registers(context)
        && let Some(weight) = walk.registers.is_due()
    {
        let taken = RegisterSample {
            tick,
            address: interrupted.address,
            node,
            tid,
            weight,
            registers,
            region,
            code,
            phase,
            alone,
        };
        walk.registers.keep(store, &taken);
    }
}

/// Reads the thread's counters, unless the thread is in a callback: then the next sample does.
fn count(walk: &mut Walk, store: &Store, state: State, paused: u64) {
    let activity = Activity::of_state(state.raw().0);
    let place = match log::peek(|log| Some(log.stretch())) {
        Some((region, stretch)) => {
            walk.has_log = true;
            Place { region, activity, stretch }
        }
        None if walk.has_log => return,
        // OpenMP does not know the thread yet.
        None => Place { region: 0, activity: Activity::Work, stretch: Some(Log::BEFORE_REGIONS) },
    };
    walk.counters.read(store, place, paused);
}

/// Whether the thread waits in the runtime, in a wait whose length events tell. Events do not tell
/// the length of a wait for another iteration of a doacross loop nest, whose state is also that of
/// an ordered wait: so ordered waits have a path, by which readers tell the two apart.
fn is_waiting(state: State) -> bool {
    let number = state.raw().0;
    let is_wait = (0x010..0x100).contains(&number) && state != State::WaitOrdered;
    is_wait || state == State::Idle
}

/// The node of the path that leads to the code with these registers.
pub(super) fn path(walk: &mut Walk, store: &Store, from: WalkRegisters) -> u32 {
    walk.reader.forget();
    let mut depth = 0;
    let complete = with_tables(|tables| {
        let mut at = FrameAddress::from_instruction_pointer(from.address);
        let mut registers = unwind_registers(from);
        follow(walk, tables, &mut at, &mut registers, &mut depth)
    });
    if depth == 0 {
        (walk.frames[0], walk.ends[0]) = (from.address, from.stack);
        depth = 1;
    }
    if complete == Some(false) {
        // Perhaps a module is new.
        walk.look_for_modules(store);
    }
    let is_complete = complete == Some(true);
    // SAFETY: always safe to call, in a handler, too.
    let handle = unsafe { libc::pthread_self() };
    let (depth, is_complete) = walk.add_python(store, (depth, is_complete), from.stack, handle);
    let mut node = if is_complete { Pseudo::COMPLETE } else { Pseudo::INCOMPLETE };
    for &address in walk.frames[..depth].iter().rev() {
        match walk.tree.node(store, node, address) {
            Some(next) => node = next,
            None => break,
        }
    }
    node
}
