//! The phase between two regions of a team, in which one thread may change the state that the
//! members read.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::marker::PhantomData;

use oxomp_protocol::Sole;

use super::Team;
use super::membership::Membership;
use crate::block::ImplicitTask;
use crate::block::shared::Shared;
use crate::ompt::event::State;
use crate::task::{Task, Taskgroup};
use crate::worksharing::{LoopRing, WorksharingLoop};

/// The right to a team of which no region runs: one value for each team that can begin a region
/// (the team of an initial task never does, and has none). The implicit task in which
/// the team was formed keeps it. The thread that executes this task takes the value to begin a
/// region, and puts it back when the region is over.
///
/// ```no_run
/// fn begins(team: oxomp_core::block::IdleTeam) -> &'static oxomp_core::Team {
///     team.set_displays_affinity(false);
///     team.begin()
/// }
/// ```
///
/// A team whose region has begun cannot be changed:
///
/// ```compile_fail,E0382
/// fn changes(team: oxomp_core::block::IdleTeam) {
///     let running = team.begin();
///     team.set_displays_affinity(false);
/// }
/// ```
/// Another thread cannot change the team either:
///
/// ```compile_fail,E0277
/// fn sends(team: oxomp_core::block::IdleTeam) {
///     std::thread::spawn(move || team.set_displays_affinity(false));
/// }
/// ```
#[derive(Debug)]
pub struct IdleTeam {
    team: &'static Team,
    stays_on_its_thread: PhantomData<*mut ()>,
}

impl IdleTeam {
    /// The right to a new team, which no other thread knows, with `primary` as its member 0.
    pub(super) fn of_new(team: &'static Team, primary: Shared<ImplicitTask>) -> Self {
        let mut idle = IdleTeam { team, stays_on_its_thread: PhantomData };
        idle.membership().members.push(primary);
        idle.show_members();
        idle.use_barrier_for(1);
        idle
    }

    /// Begins a region: from now on the members use the team.
    #[inline(always)]
    pub fn begin(self) -> &'static Team {
        self.team
    }

    /// Ends the phase that `begin` began: the right to the team whose region is over.
    ///
    /// # Safety
    /// All members have arrived at the barrier that ends the region, the caller was its primary
    /// thread, and this is the first call after the region.
    #[inline(always)]
    pub(crate) unsafe fn after_region(team: &'static Team) -> Self {
        IdleTeam { team, stays_on_its_thread: PhantomData }
    }

    #[inline(always)]
    pub(crate) fn team(&self) -> &'static Team {
        self.team
    }

    /// The membership, which the holder owns.
    #[inline(always)]
    pub(super) fn membership(&mut self) -> &mut Membership<ImplicitTask> {
        self.team.membership.of_holder(self)
    }

    /// Whether the team is formed for regions of `size` threads.
    #[inline(always)]
    pub(super) fn is_formed_for(&mut self, size: u32) -> bool {
        self.membership().formed == size
    }

    /// Whether the team has had more threads than the primary one, and has kept them.
    pub(crate) fn has_workers(&mut self) -> bool {
        self.membership().hired > 1
    }

    /// A member in the form that its own thread has in a region.
    pub(super) fn own(&self, member: Shared<ImplicitTask>) -> &ImplicitTask {
        debug_assert!(core::ptr::eq(member.team(), self.team));
        // SAFETY: between regions the holder of the `IdleTeam` owns the members (`ImplicitTask`,
        // Invariant 2).
        unsafe { member.own() }
    }

    /// The implicit task of the primary thread, which the calling thread becomes.
    #[inline(always)]
    pub(crate) fn primary(&self) -> &'static ImplicitTask {
        // SAFETY: between regions the holder owns the members (`ImplicitTask`, Invariant 2); in the
        // region the calling thread executes this task, and owns it too.
        unsafe { self.team.member(0).own() }
    }

    /// All members that the team has ever had. The first `size` of them take part in its next
    /// region.
    pub(crate) fn members(&mut self) -> impl Iterator<Item = &ImplicitTask> {
        let members = self.membership().members.iter();
        members.map(|member| self.own(member))
    }

    /// The loops in flight, of which there is none.
    pub(crate) fn loops(&mut self) -> Sole<&LoopRing> {
        // SAFETY: no region of the team begins while `self` is borrowed, and none runs, so no
        // thread is in a loop of it. A thread that was in one has arrived at the barrier that ends
        // the region since then, and that orders them. In the child of a fork(2) a region may run,
        // whose threads are gone but the one that mends the team.
        unsafe { Sole::of(&self.team.loops) }
    }

    /// Publishes the address of the present array of members.
    pub(super) fn show_members(&mut self) {
        let address = self.membership().members.address();
        self.team.members.set(address);
    }

    /// Makes the threads of the next region meet at the barrier for `size` threads.
    pub(super) fn use_barrier_for(&mut self, size: u32) {
        let barrier = self.membership().barrier(size);
        self.team().region.barrier.set(Some(barrier));
    }

    /// Sets the taskgroup in which the next region's implicit tasks begin.
    pub(crate) fn set_taskgroup(&self, taskgroup: Option<&'static Taskgroup>) {
        self.team.region.taskgroup.set(taskgroup);
    }

    /// Sets the task that encounters the next region.
    #[inline(always)]
    pub(crate) fn set_encountering(&self, task: &'static Task) {
        self.team.encounter.task.set(Some(Shared::of(task)));
    }

    /// Sets whether the program ends the next region by a call, `parallel::end`.
    #[inline(always)]
    pub(crate) fn set_has_call_to_end(&self, has: bool) {
        self.team.encounter.has_call_to_end.set(has);
    }

    /// Sets the loop that each thread of the next region begins with.
    pub(crate) fn set_combined_loop(&mut self, description: Option<WorksharingLoop>) {
        *self.team.region.combined_loop.of_holder(self) = description;
    }

    /// Sets whether the next region's threads display their affinity.
    pub fn set_displays_affinity(&self, displays: bool) {
        self.team.region.displays_affinity.set(displays);
    }

    /// Notes what tools and debuggers may ask of the next region: the return address of the
    /// construct's call, and the outlined function.
    pub(crate) fn note_code(&self, return_address: *const c_void, outlined: *const c_void) {
        self.team.encounter.return_address.set(return_address);
        self.team.encounter.outlined.set(outlined);
    }

    /// Notes the state of the thread that encounters the next region.
    #[inline(always)]
    pub(crate) fn set_outer_state(&mut self, state: State) {
        self.membership().outer_state = state;
    }

    /// The state that the thread had when it encountered the last region.
    #[inline(always)]
    pub(crate) fn outer_state(&mut self) -> State {
        self.membership().outer_state
    }

    /// Marks the enclosing teams as crowded if the next region has more threads than there are
    /// processors.
    #[inline(always)]
    pub(crate) fn tell_if_crowded(&self) {
        if self.team.region.is_crowded() {
            let mut outer = self.team.parent;
            while let Some(task) = outer
                && !task.team().region.crowded_below.get()
            {
                task.team().region.crowded_below.set(true);
                outer = task.team().parent;
            }
        }
    }
}

/// A value that the holder of a team's `IdleTeam` changes between regions, and the members read in
/// a region.
#[derive(Debug)]
pub(super) struct SetBetweenRegions<T>(UnsafeCell<T>);

// SAFETY: the value is changed through an `IdleTeam` only, which one thread holds while no region
// runs. It is read through an `ImplicitTask`: in a region by the member's thread, and between
// regions by the holder of the `IdleTeam`.
unsafe impl<T: Send + Sync> Sync for SetBetweenRegions<T> {}

impl<T> SetBetweenRegions<T> {
    pub(super) const fn new(value: T) -> Self {
        SetBetweenRegions(UnsafeCell::new(value))
    }

    /// The value, for a thread that executes a task of the team.
    #[inline(always)]
    pub(super) fn read<'a>(&'a self, _member: &'a ImplicitTask) -> &'a T {
        // SAFETY: the calling thread is in a region of the team, so no thread changes the value
        // (`Team`, Invariant 2).
        unsafe { &*self.0.get() }
    }

    /// The value, for the holder of its team's right.
    #[inline(always)]
    pub(super) fn of_holder<'a>(&'a self, _holder: &'a mut IdleTeam) -> &'a mut T {
        // SAFETY: this module's callers pass the `IdleTeam` of the team that contains the value. It
        // is the only one of its team, is borrowed for as long as the value, and no region runs.
        unsafe { &mut *self.0.get() }
    }

    /// The address of the value.
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const T {
        self.0.get()
    }
}
