//! The memory of tasks: blocks of a few sizes, which return to the free lists of the thread that
//! allocated them.
//!
//! A block is never freed, and always remains a block of a task: a thief may read a task that
//! another thread has executed in the meantime (`Deque::steal`).

use core::alloc::Layout;
use core::ffi::c_void;
use core::mem::offset_of;
use core::ptr::{self, NonNull};
use core::sync::atomic::AtomicPtr;
use core::sync::atomic::Ordering::{Relaxed, Release};
use std::alloc;

use oxomp_base::diag;
use oxomp_base::inside::inside;
use oxomp_ompd_layout::{Field, Kind, Object, Readable, Record, fields};
use oxomp_protocol::Alone;
use oxomp_protocol::task::Returned;

use super::Task;
use super::properties::ALIGNMENT;
use super::returns::{Homing, List, Outgoing, give_back};
use crate::block::{Shared, shared_fields};

/// Payload bytes of each size of block. A task that clang compiled, with a few captured variables,
/// fits the first size.
const PAYLOADS: [usize; 5] = [64, 192, 320, 832, 1856];
/// Blocks of one size are cut from pieces of about this many bytes.
const PIECE: usize = 16 * 1024;
/// Value of `Task::size` for a task whose payload is in a separate allocation.
const ELSEWHERE: u8 = PAYLOADS.len() as u8;

/// The free blocks of a thread.
///
/// Invariants:
/// 1. Only the owning thread accesses the fields other than `returned`: the type is not `Sync`.
/// 2. `returned` is a stack to which other threads push, and which the owning thread takes as a
///    whole.
#[derive(Debug)]
pub(crate) struct Blocks {
    free: [List<Task>; PAYLOADS.len()],
    /// Blocks of one other thread that are to be returned to it.
    outgoing: Outgoing<Task>,
    returned: Returned<Task>,
    /// The pieces of memory that the thread's blocks were cut from, for a debugger, which finds the
    /// tasks of a program in them.
    pieces: AtomicPtr<Piece>,
}

/// A piece of memory that blocks of one size were cut from.
#[derive(Debug)]
pub(crate) struct Piece {
    next: *const Piece,
    first: *const Task,
    step: usize,
    count: usize,
}

impl Readable for Blocks {
    const KIND: Kind = Kind::Structure;
}

/// The fields that a debugger reads.
pub(crate) const FIELDS: &[Record] = &[
    Record::whole(Object::TaskBlocks, size_of::<Blocks>()),
    Record::of(Field::TaskBlocksPieces, offset_of!(Blocks, pieces), |blocks: &Blocks| {
        &blocks.pieces
    }),
    free(Field::TaskBlocksFree1, 0),
    free(Field::TaskBlocksFree2, 1),
    free(Field::TaskBlocksFree3, 2),
    free(Field::TaskBlocksFree4, 3),
    free(Field::TaskBlocksFree5, 4),
    Record::of(Field::TaskBlocksOutgoing, offset_of!(Blocks, outgoing.list), |blocks: &Blocks| {
        &blocks.outgoing.list
    }),
    inside(
        Field::TaskBlocksReturned,
        offset_of!(Blocks, returned),
        |blocks: &Blocks| &blocks.returned,
        &Returned::FIRST,
    ),
];

const _: () = assert!(PAYLOADS.len() == 5, "a debugger reads the lists of five sizes");

/// The record of the list of free blocks of a size.
const fn free(field: Field, size: usize) -> Record {
    let offset = offset_of!(Blocks, free) + size * size_of::<List<Task>>();
    Record::of(field, offset, |blocks: &Blocks| &blocks.free[0])
}

/// The fields that a debugger reads of a piece.
pub(crate) const PIECE_FIELDS: &[Record] = fields!(Piece as TaskPiece {
    next => TaskPieceNext,
    first => TaskPieceFirst,
    step => TaskPieceStep,
    count => TaskPieceCount,
});

shared_fields! {
    Blocks {
        /// Blocks that other threads have returned.
        returned: returned: Returned<Task>,
    }
}

impl Homing for Task {
    #[inline(always)]
    fn home(&self) -> Option<&'static Returned<Task>> {
        self.owner.map(Shared::returned)
    }
}

impl Blocks {
    pub(crate) const fn new() -> Self {
        Blocks {
            free: [const { List::new() }; PAYLOADS.len()],
            outgoing: Outgoing::new(),
            returned: Returned::new(),
            pieces: AtomicPtr::new(ptr::null_mut()),
        }
    }

    /// In the child of a fork(2), for a thread that is gone: drops the lists.
    pub(in crate::task) fn forget(&self, alone: &Alone) {
        for list in &self.free {
            list.forget(alone);
        }
        self.outgoing.forget(alone);
        let _ = self.returned.take_all();
        self.pieces.store(ptr::null_mut(), Relaxed);
    }

    /// A block with room for `payload` bytes. Called by the owning thread.
    #[inline(always)]
    pub(in crate::task) fn take(&'static self, payload: usize) -> &'static Task {
        let Some(size) = PAYLOADS.iter().position(|room| payload <= *room) else {
            return self.take_large(payload);
        };
        match self.free[size].pop() {
            Some(block) => block,
            None => self.refill(size),
        }
    }

    #[cold]
    fn refill(&'static self, size: usize) -> &'static Task {
        let mut returned = self.returned.take_all();
        while let Some(block) = returned {
            returned = block.link.get();
            self.free[usize::from(block.size.get())].push(block);
        }
        if let Some(block) = self.free[size].pop() {
            return block;
        }
        let bytes = size_of::<Task>() + PAYLOADS[size];
        let count = (PIECE / bytes).max(1);
        let piece = allocate(bytes * count);
        for index in 0..count {
            // SAFETY: the block lies within the piece, at a multiple of the alignment of a task.
            let block = unsafe {
                let at = piece.add(bytes * index).cast::<Task>();
                at.write(Task::vacant(Some(Shared::of(self)), size as u8));
                &*at.as_ptr()
            };
            block.this.set(block);
            self.free[size].push(block);
        }
        self.note_piece(piece, bytes, count);
        self.free[size].pop().expect("a piece holds a block")
    }

    /// Lists a new piece, of which all blocks are free, for a debugger.
    fn note_piece(&self, first: NonNull<u8>, step: usize, count: usize) {
        // Relaxed: only this thread changes the list.
        let next = self.pieces.load(Relaxed).cast_const();
        let first = first.as_ptr().cast_const().cast();
        let piece = Box::leak(Box::new(Piece { next, first, step, count }));
        // Release: a debugger that finds the piece finds it complete, and its blocks.
        self.pieces.store(piece, Release);
    }

    /// A block whose payload is in a separate allocation.
    #[cold]
    fn take_large(&'static self, payload: usize) -> &'static Task {
        let block = self.take(PAYLOADS[0]);
        // The word before a payload points to its task, in either kind of memory.
        let memory = allocate(ALIGNMENT + payload);
        // SAFETY: the writes are within `memory`, and to the block's first payload word; no other
        // thread knows either.
        unsafe {
            let at = memory.add(ALIGNMENT);
            memory.cast::<usize>().write(payload);
            at.cast::<*const Task>().sub(1).write(ptr::from_ref(block));
            block.inline_payload().cast::<*mut u8>().write(at.as_ptr());
        }
        block.size.set(ELSEWHERE);
        block
    }

    /// Frees the block of a task that is gone. `here` are the free blocks of the calling thread, if
    /// it has any.
    #[inline(always)]
    pub(in crate::task) fn free(block: &'static Task, here: Option<&Blocks>) {
        match here {
            Some(here) if Shared::leads_to(block.owner, here) => {
                match here.free.get(usize::from(block.size.get())) {
                    Some(list) => list.push(block),
                    None => free_large(block, Some(here)),
                }
            }
            _ if block.size.get() == ELSEWHERE => free_large(block, here),
            Some(here) => here.outgoing.send(block),
            None => give_back(block, block),
        }
    }
}

/// Frees the block of a task that is gone and whose payload is in a separate allocation.
#[cold]
fn free_large(block: &'static Task, here: Option<&Blocks>) {
    // SAFETY: `take_large` allocated the memory with this layout.
    unsafe {
        let memory = block.inline_payload().cast::<*mut u8>().read().sub(ALIGNMENT);
        let payload = memory.cast::<usize>().read();
        alloc::dealloc(memory, layout(ALIGNMENT + payload));
    }
    block.size.set(0);
    Blocks::free(block, here);
}

fn layout(bytes: usize) -> Layout {
    match Layout::from_size_align(bytes, ALIGNMENT) {
        Ok(layout) => layout,
        Err(_) => diag::fatal(&format!("a task of {bytes} bytes is too large")),
    }
}

fn allocate(bytes: usize) -> NonNull<u8> {
    // SAFETY: the layout's size is not zero.
    match NonNull::new(unsafe { alloc::alloc(layout(bytes)) }) {
        Some(memory) => memory,
        None => diag::fatal(&format!("no memory for tasks: {bytes} bytes were asked for")),
    }
}

impl Task {
    /// The address of the payload in a block that holds it.
    fn inline_payload(&self) -> *mut c_void {
        // SAFETY: a block has at least the smallest payload after the task.
        unsafe { ptr::from_ref(self).add(1).cast_mut().cast::<c_void>() }
    }

    /// The data of the task: its captured variables.
    #[inline(always)]
    pub fn payload(&self) -> *mut c_void {
        if self.size.get() == ELSEWHERE {
            // SAFETY: `take_large` wrote the payload's address there.
            return unsafe { self.inline_payload().cast::<*mut c_void>().read() };
        }
        self.inline_payload()
    }

    /// The number of bytes of the data, as requested.
    pub(in crate::task) fn payload_len(&self) -> usize {
        if self.size.get() == ELSEWHERE {
            // SAFETY: `take_large` wrote the number at the beginning of the memory, before the
            // payload.
            return unsafe { *self.payload().byte_sub(ALIGNMENT).cast::<usize>() };
        }
        self.payload_bytes.get() as usize
    }

    /// The task that has this payload.
    ///
    /// # Safety
    /// `payload` came from `Task::payload`, of a task that is not gone.
    #[inline(always)]
    pub unsafe fn of_payload(payload: *mut c_void) -> &'static Task {
        // SAFETY: the word before a payload points to its task (`Task::this`, `take_large`).
        unsafe { &**payload.cast::<*const Task>().sub(1) }
    }
}
