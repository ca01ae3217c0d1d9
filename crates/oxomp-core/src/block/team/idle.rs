//! The phase between two regions of a team, in which one thread may change what the members read.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::marker::PhantomData;

use smallvec::SmallVec;

use super::Team;
use super::crew::Crew;
use crate::block::ImplicitTask;
use crate::block::shared::Shared;
use crate::ompt::event::State;
use crate::task::{Task, Taskgroup};
use crate::worksharing::WorksharingLoop;

/// The right to a team of which no region runs: one value for each team. It lies with the implicit
/// task under which the team was formed; the thread that executes that task takes it to begin a
/// region and puts it back when the region is over.
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
///
/// Nor can another thread change it:
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
    /// Of a team that nobody else knows, whose primary thread's member is this.
    pub(super) fn of_new(team: &'static Team, primary: Shared<ImplicitTask>) -> Self {
        let mut idle = IdleTeam { team, stays_on_its_thread: PhantomData };
        idle.crew().members.push(primary);
        idle.show_members();
        idle.use_barrier_for(1);
        idle
    }

    /// A region begins: the team is its members' from now on.
    #[inline(always)]
    pub fn begin(self) -> &'static Team {
        self.team
    }

    /// The region that `begin` began is over.
    ///
    /// # Safety
    /// All members have arrived at the barrier that ends the region, the caller was the primary
    /// thread and is the first to ask.
    #[inline(always)]
    pub(crate) unsafe fn after_region(team: &'static Team) -> Self {
        IdleTeam { team, stays_on_its_thread: PhantomData }
    }

    /// The team.
    #[inline(always)]
    pub(crate) fn team(&self) -> &'static Team {
        self.team
    }

    /// The crew, which is the holder's.
    #[inline(always)]
    pub(super) fn crew(&mut self) -> &mut Crew<ImplicitTask> {
        self.team.crew.of_holder(self)
    }

    /// A member as its own thread has it in a region.
    pub(super) fn own(&self, member: Shared<ImplicitTask>) -> &ImplicitTask {
        debug_assert!(core::ptr::eq(member.team(), self.team));
        // SAFETY: between regions the members are the holder's (`ImplicitTask`, Invariant 2).
        unsafe { member.own() }
    }

    /// The implicit task of the primary thread, which the calling thread will be.
    #[inline(always)]
    pub(crate) fn primary(&self) -> &'static ImplicitTask {
        // SAFETY: as in `own`; in the region the task is the calling thread's too.
        unsafe { self.team.member(0).own() }
    }

    /// All members that the team has had: as many of the first as its size says are in its next
    /// region.
    pub(crate) fn members(&mut self) -> impl Iterator<Item = &ImplicitTask> {
        let members: SmallVec<[_; 16]> = self.crew().members.iter().collect();
        members.into_iter().map(|member| self.own(member))
    }

    /// The array of the members is where it is now.
    pub(super) fn show_members(&mut self) {
        let address = self.crew().members.address();
        self.team.members.set(address);
    }

    /// The next region's threads meet in the barrier of their number.
    pub(super) fn use_barrier_for(&mut self, size: u32) {
        let barrier = self.crew().barrier(size);
        self.team().region.barrier.set(Some(barrier));
    }

    /// The taskgroup in which the next region's implicit tasks begin.
    pub(crate) fn set_taskgroup(&self, taskgroup: Option<&'static Taskgroup>) {
        self.team.region.taskgroup.set(taskgroup);
    }

    /// The task that encounters the next region.
    #[inline(always)]
    pub(crate) fn set_encountering(&self, task: &'static Task) {
        self.team.encounter.task.set(Some(Shared::of(task)));
    }

    /// The loop that each thread of the next region begins with.
    pub(crate) fn set_combined_loop(&mut self, description: Option<WorksharingLoop>) {
        *self.team.region.combined_loop.of_holder(self) = description;
    }

    /// Whether the next region's threads display their affinity.
    pub fn set_displays_affinity(&self, displays: bool) {
        self.team.region.displays_affinity.set(displays);
    }

    /// What tools and debuggers may ask for of the next region: where the construct's call returns
    /// to, and the outlined function.
    pub(crate) fn note_code(&self, return_address: *const c_void, outlined: *const c_void) {
        self.team.encounter.return_address.set(return_address);
        self.team.encounter.outlined.set(outlined);
    }

    /// The state of the thread that encounters the next region.
    #[inline(always)]
    pub(crate) fn set_outer_state(&mut self, state: State) {
        self.crew().outer_state = state;
    }

    /// The state that the thread had when it encountered the last region.
    #[inline(always)]
    pub(crate) fn outer_state(&mut self) -> State {
        self.crew().outer_state
    }

    /// Tells the enclosing teams if the next region's threads are more than the processors.
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

/// A value that the holder of a team's `IdleTeam` changes, and the members read in a region.
#[derive(Debug)]
pub(super) struct Between<T>(UnsafeCell<T>);

// SAFETY: changed through an `IdleTeam` only, which one thread has while no region runs; read
// through an `ImplicitTask`, whose thread is in a region, or between regions is that one.
unsafe impl<T: Send + Sync> Sync for Between<T> {}

impl<T> Between<T> {
    pub(super) const fn new(value: T) -> Self {
        Between(UnsafeCell::new(value))
    }

    /// The value, for a thread that executes a task of the team.
    #[inline(always)]
    pub(super) fn read<'a>(&'a self, _member: &'a ImplicitTask) -> &'a T {
        // SAFETY: a region of the team runs on the calling thread, so that nobody changes the value
        // (`Team`, Invariant 2).
        unsafe { &*self.0.get() }
    }

    /// The value, for the holder of its team's right.
    #[inline(always)]
    pub(super) fn of_holder<'a>(&'a self, _holder: &'a mut IdleTeam) -> &'a mut T {
        // SAFETY: there is one holder, which lends its right for as long; no region runs.
        unsafe { &mut *self.0.get() }
    }

    /// Where it is.
    #[inline(always)]
    pub(super) fn as_ptr(&self) -> *const T {
        self.0.get()
    }
}
