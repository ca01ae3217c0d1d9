//! The doacross loop nest that an implicit task executes.

use core::cell::{Cell, UnsafeCell};
use core::mem;

use oxomp_protocol::Alone;
use oxomp_protocol::loops::{Iteration, PostedRun, Posting, Shape};

use super::LoopSlot;
use super::awaited::Awaited;

/// A loop of a doacross loop nest: the values of its variable, as the vectors of the nest have
/// them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dimension {
    first: u64,
    /// The number of the last iteration, from 0.
    last: u64,
    /// The distance of two values that follow each other.
    stride: u64,
    is_descending: bool,
}

impl Dimension {
    /// A loop with the values from 0 to `count`, `count` excluded.
    #[must_use]
    pub fn counted(count: u64) -> Self {
        // A loop without an iteration has no vector either, so that its last number is never used.
        Dimension { first: 0, last: count.wrapping_sub(1), stride: 1, is_descending: false }
    }

    /// A loop from `lower` to `upper`, both included, by `step`, of numbers modulo 2^64: the upper
    /// bound of an unsigned loop may be a negative number.
    #[must_use]
    pub fn inclusive(lower: i64, upper: i64, step: i64) -> Self {
        let is_descending = step < 0;
        let distance =
            if is_descending { lower.wrapping_sub(upper) } else { upper.wrapping_sub(lower) };
        // No loop has a step of 0.
        let stride = step.unsigned_abs().max(1);
        let last = distance.cast_unsigned() / stride;
        Dimension { first: lower.cast_unsigned(), last, stride, is_descending }
    }

    /// The number of the iteration in which the variable has that value; `None` if there is no such
    /// iteration.
    #[inline(always)]
    fn number(&self, value: u64) -> Option<u64> {
        let distance = if self.is_descending {
            self.first.wrapping_sub(value)
        } else {
            value.wrapping_sub(self.first)
        };
        let number = if self.stride == 1 { distance } else { self.strides(distance)? };
        (number <= self.last).then_some(number)
    }

    /// The number of strides in a distance; `None` if the distance is not a multiple of the stride.
    #[cold]
    fn strides(&self, distance: u64) -> Option<u64> {
        distance.is_multiple_of(self.stride).then(|| distance / self.stride)
    }

    /// The number of iterations; `None` if it is 2^64.
    fn count(&self) -> Option<u64> {
        self.last.checked_add(1)
    }
}

/// The doacross loop nest that an implicit task executes. Only the task's thread accesses it.
///
/// Invariant: no code outside of this file runs while a reference to the list in `dimensions`
/// lives. Above all, the callers' iterators and closures run without one.
#[derive(Debug)]
pub(crate) struct DoacrossState {
    /// The task is in such a loop nest.
    is_active: Cell<bool>,
    /// The slot with the posted iterations, and its number; `None` in a team of one.
    slot: Cell<Option<&'static LoopSlot>>,
    number: Cell<u32>,
    team_size: Cell<u32>,
    /// The loops, the outermost first.
    dimensions: UnsafeCell<Vec<Dimension>>,
    run: PostedRun,
    /// The iteration that the thread waits for.
    pub(in crate::worksharing) awaited: Awaited,
}

/// The loop nest of a team of several threads, for a task that is in it.
#[derive(Clone, Copy, Debug)]
pub(in crate::worksharing) struct SharedNest<'a> {
    pub(in crate::worksharing) state: &'a DoacrossState,
    slot: &'static LoopSlot,
}

impl<'a> SharedNest<'a> {
    /// The posted iterations of the nest.
    #[inline(always)]
    pub(in crate::worksharing) fn posting(self) -> Posting<'a> {
        // SAFETY: the task is in the nest, which it has begun with `run` (`share`), and no caller
        // keeps the value until it leaves. All threads of the team begin the same nest: the bounds
        // of its loops, which the program passes, are the same on each thread.
        unsafe { self.slot.extra().posted.in_loop(&self.state.run) }
    }
}

impl DoacrossState {
    pub(super) fn new() -> Self {
        DoacrossState {
            is_active: Cell::new(false),
            slot: Cell::new(None),
            number: Cell::new(0),
            team_size: Cell::new(1),
            dimensions: UnsafeCell::new(Vec::new()),
            run: PostedRun::new(),
            awaited: Awaited::none(),
        }
    }

    /// Whether the task is in a doacross loop nest.
    #[inline(always)]
    pub(in crate::worksharing) fn is_active(&self) -> bool {
        self.is_active.get()
    }

    /// The nest, if its iterations are posted; `None` in a team of one.
    #[inline(always)]
    pub(in crate::worksharing) fn shared(&self) -> Option<SharedNest<'_>> {
        self.slot.get().map(|slot| SharedNest { state: self, slot })
    }

    /// The number of loops of the nest.
    pub(in crate::worksharing) fn depth(&self) -> usize {
        self.dimensions().len()
    }

    /// The loops, the outermost first. The caller keeps the invariant.
    #[inline(always)]
    fn dimensions(&self) -> &[Dimension] {
        // SAFETY: the type is not `Sync`, so the task's thread is here. It changes the list in
        // `replace` alone, and does not come there while the reference lives: by the invariant only
        // code of this file runs meanwhile, and none of it that has a reference calls `replace`.
        unsafe { &*self.dimensions.get() }
    }

    /// Sets the loops of the nest, and returns those of the last one.
    fn replace(&self, dimensions: Vec<Dimension>) -> Vec<Dimension> {
        // SAFETY: the type is not `Sync`, so the task's thread is here, and by the invariant no
        // reference to the list lives but this one, which ends without a call of other code.
        mem::replace(unsafe { &mut *self.dimensions.get() }, dimensions)
    }

    /// Begins a loop nest.
    pub(in crate::worksharing) fn begin(&self, dimensions: impl Iterator<Item = Dimension>) {
        // The memory of the last nest's list serves again.
        let mut list = self.replace(Vec::new());
        list.clear();
        list.extend(dimensions);
        drop(self.replace(list));
        self.is_active.set(true);
    }

    /// The loop nest has slot number `number`, which a team of `team_size` shares.
    pub(in crate::worksharing) fn share(
        &self,
        slot: &'static LoopSlot,
        number: u32,
        team_size: u32,
    ) {
        self.slot.set(Some(slot));
        self.number.set(number);
        self.team_size.set(team_size);
        slot.extra().posted.begin(&self.run, self.shape());
    }

    /// Ends the loop nest.
    pub(in crate::worksharing) fn end(&self) {
        self.is_active.set(false);
        if let Some(slot) = self.slot.take() {
            // SAFETY: the thread has entered the nest before `share`, and `take` lets it leave
            // once. All threads of the team encounter the nest. From now on the state has no slot,
            // and no caller keeps a `SharedNest` until here.
            unsafe { slot.leave(self.number.get(), self.team_size.get()) };
        }
    }

    /// Number and team size of the loop nest, if other threads may be in it too.
    pub(super) fn in_flight(&self) -> Option<(u32, u32)> {
        self.slot.get().map(|_| (self.number.get(), self.team_size.get()))
    }

    /// The task is in no loop nest any more. The slot does not count it out.
    pub(super) fn leave(&self) {
        self.is_active.set(false);
        self.slot.set(None);
    }

    /// In the child of a fork(2): the task is in no loop nest. The memory of the list is not freed,
    /// since a thread that is gone may have been changing it.
    pub(super) fn abandon(&self, _: &Alone) {
        self.leave();
        mem::forget(self.replace(Vec::new()));
    }

    fn shape(&self) -> Shape {
        let Some((inner, outer)) = self.dimensions().split_last() else {
            return Shape { rows: Some(1), length: 1 };
        };
        let product = |loops: &[Dimension]| {
            loops.iter().try_fold(1_u64, |rows, one| rows.checked_mul(one.count()?))
        };
        match (outer, inner.count()) {
            ([], rows) => Shape { rows, length: 1 },
            (outer, Some(length)) => Shape { rows: product(outer), length },
            (_, None) => Shape { rows: None, length: u64::MAX },
        }
    }

    /// The iteration with a vector, whose element number `n` is `element(n)`; `None` if the vector
    /// is not in the iteration space.
    #[inline(always)]
    pub(in crate::worksharing) fn iteration(
        &self,
        element: impl Fn(usize) -> u64,
    ) -> Option<Iteration> {
        // `element` is the caller's code: it runs before a reference is taken.
        let outer = self.depth().checked_sub(1)?;
        let value = element(outer);
        let last = self.dimensions().get(outer)?.number(value)?;
        // SAFETY: each number is one of its loop's, so the nest has the iteration: `element` reads
        // a vector, and begins no other nest where iterations are posted.
        let at = |row, column| Some(unsafe { Iteration::at(row, column) });
        if outer == 0 {
            return at(last, 0);
        }
        let mut row = 0_u64;
        for index in 0..outer {
            let value = element(index);
            let one = self.dimensions().get(index)?;
            let number = one.number(value)?;
            row = row.wrapping_mul(one.last.wrapping_add(1)).wrapping_add(number);
        }
        at(row, last)
    }
}

#[cfg(test)]
mod tests {
    use super::{Dimension, DoacrossState};
    use oxomp_protocol::loops::Shape;

    fn nest(dimensions: &[Dimension]) -> DoacrossState {
        let state = DoacrossState::new();
        state.begin(dimensions.iter().copied());
        state
    }

    fn at(state: &DoacrossState, vector: &[i64]) -> Option<(u64, u64)> {
        state.iteration(|index| vector[index].cast_unsigned()).map(|it| it.place())
    }

    #[test]
    fn vectors_outside_of_the_space_are_no_iterations() {
        let state = nest(&[Dimension::inclusive(-2, 2, 1), Dimension::inclusive(9, 0, -3)]);
        assert_eq!(state.shape(), Shape { rows: Some(5), length: 4 });
        assert_eq!(at(&state, &[-2, 9]), Some((0, 0)));
        assert_eq!(at(&state, &[2, 0]), Some((4, 3)));
        assert_eq!(at(&state, &[0, 6]), Some((2, 1)));
        for outside in [[-3, 9], [3, 9], [0, 12], [0, -3], [0, 7]] {
            assert_eq!(at(&state, &outside), None);
        }
    }

    #[test]
    fn a_single_loop_has_rows_of_one() {
        let state = nest(&[Dimension::counted(7)]);
        assert_eq!(state.shape(), Shape { rows: Some(7), length: 1 });
        assert_eq!(at(&state, &[6]), Some((6, 0)));
        assert_eq!(at(&state, &[7]), None);
        assert_eq!(at(&state, &[-1]), None);
    }

    #[test]
    fn bounds_may_be_the_extremes_of_the_type() {
        let state = nest(&[Dimension::inclusive(i64::MIN, i64::MAX, i64::MAX)]);
        assert_eq!(at(&state, &[i64::MIN]), Some((0, 0)));
        assert_eq!(at(&state, &[-1]), Some((1, 0)));
        assert_eq!(at(&state, &[i64::MAX - 1]), Some((2, 0)));
        assert_eq!(at(&state, &[i64::MAX]), None);
        let state = nest(&[Dimension::inclusive(i64::MAX, i64::MIN, i64::MIN)]);
        assert_eq!(at(&state, &[i64::MAX]), Some((0, 0)));
        assert_eq!(at(&state, &[-1]), Some((1, 0)));
        // The count of an unsigned loop.
        let state = nest(&[Dimension::inclusive(0, -2, 1)]);
        assert_eq!(at(&state, &[-3]), Some((u64::MAX - 2, 0)));
        assert_eq!(at(&state, &[-1]), None);
    }

    #[test]
    fn the_callers_code_may_begin_another_nest() {
        let state = nest(&[Dimension::counted(3), Dimension::counted(5)]);
        let replace = |index: usize| {
            state.begin([Dimension::counted(2); 4].into_iter());
            index as u64
        };
        assert_eq!(state.iteration(replace).map(|it| it.place()), Some((0, 1)));
        assert_eq!(state.depth(), 4);
        state.begin((1..=2).map(|count| {
            state.begin([Dimension::counted(9)].into_iter());
            Dimension::counted(count)
        }));
        assert_eq!(state.shape(), Shape { rows: Some(1), length: 2 });
    }

    #[test]
    fn spaces_too_large_to_number_are_known() {
        let whole = Dimension::inclusive(i64::MIN, i64::MAX, 1);
        let wide = Dimension::counted(1 << 33);
        assert_eq!(nest(&[whole]).shape().rows, None);
        assert_eq!(nest(&[whole, Dimension::counted(2)]).shape().rows, None);
        assert_eq!(nest(&[Dimension::counted(2), whole]).shape().rows, None);
        assert_eq!(nest(&[wide, wide, wide]).shape().rows, None);
        assert_eq!(nest(&[wide, wide]).shape().rows, Some(1 << 33));
    }
}
