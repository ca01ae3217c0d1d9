//! A stack of bounded depth.

/// A small stack that counts the items for which it has no room, rather than grow.
#[derive(Debug)]
pub(crate) struct Stack<T, const N: usize> {
    items: [Option<T>; N],
    depth: usize,
    /// How many items were pushed above the others without room.
    missed: usize,
}

impl<T: Copy, const N: usize> Stack<T, N> {
    pub(super) const fn new() -> Self {
        Self { items: [None; N], depth: 0, missed: 0 }
    }

    /// False if there is no room.
    #[inline]
    pub(crate) fn push(&mut self, item: T) -> bool {
        match self.items.get_mut(self.depth) {
            Some(place) if self.missed == 0 => {
                *place = Some(item);
                self.depth += 1;
                true
            }
            _ => {
                self.missed += 1;
                false
            }
        }
    }

    /// Removes the topmost item if it is one that had no room.
    #[inline]
    pub(crate) fn pop_missed(&mut self) -> bool {
        let missed = self.missed > 0;
        self.missed -= usize::from(missed);
        missed
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<T> {
        self.depth = self.depth.checked_sub(1)?;
        self.items[self.depth].take()
    }

    /// Removes the topmost item, if there is one.
    #[inline]
    pub(crate) fn discard(&mut self) {
        if let Some(depth) = self.depth.checked_sub(1) {
            self.depth = depth;
            self.items[depth] = None;
        }
    }

    #[inline]
    pub(crate) fn top(&mut self) -> Option<&mut T> {
        self.items[self.depth.checked_sub(1)?].as_mut()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.depth == 0
    }

    /// Whether a further item has room.
    pub(crate) fn has_room(&self) -> bool {
        self.missed == 0 && self.depth < N
    }

    pub(crate) fn depth(&self) -> usize {
        self.depth
    }

    /// Removes the topmost item that `matches`: most often the topmost of all.
    #[inline]
    pub(crate) fn take(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        match self.top() {
            Some(top) if matches(top) => self.pop(),
            _ => self.take_below(matches),
        }
    }

    #[cold]
    fn take_below(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        let index = self.items[..self.depth]
            .iter()
            .rposition(|item| item.as_ref().is_some_and(&matches))?;
        self.items[index..self.depth].rotate_left(1);
        self.pop()
    }

    /// Removes the topmost item that `matches`, and those above it, which have ended with it.
    pub(crate) fn take_with_inner(&mut self, matches: impl Fn(&T) -> bool) -> Option<T> {
        let mut items = self.items[..self.depth].iter();
        let index = items.rposition(|item| item.as_ref().is_some_and(&matches))?;
        while self.depth > index + 1 {
            self.discard();
        }
        self.pop()
    }

    /// Removes all items.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.missed = 0;
        while self.depth > 0 {
            self.discard();
        }
    }

    /// The items, topmost last.
    pub(crate) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.items[..self.depth].iter().flatten()
    }
}
