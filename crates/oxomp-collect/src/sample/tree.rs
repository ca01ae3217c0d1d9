//! A thread's tree of call paths, and its samples, in the recording's file.
//!
//! The thread itself writes, in its signal handler: chunks come from the store, which hands them
//! out without a lock, and the table that finds a node by its caller and address was mapped when
//! the thread began.

use std::sync::atomic::{AtomicU32, Ordering};

use oxomp_trace::calls::{NODE_SIZE, NODES_PER_CHUNK, PathNode, Pseudo, SAMPLE_SIZE, Sample};
use oxomp_trace::layout::{CHUNK_PAYLOAD, ChunkKind};

use crate::store::{Chunk, Store};

/// Chunks of nodes that a tree may have.
const CHUNKS: usize = 8;
/// Places of the table, a power of two above the number of nodes.
const PLACES: usize = 1 << 16;
/// The part of the file that samples with their times may take.
const PART_FOR_SAMPLES: u32 = 8;

/// Zeros are a tree without nodes, once [`Tree::prepare`] was called for them.
#[derive(Debug)]
pub(crate) struct Tree {
    /// Number of the stream, plus 1.
    number: u32,
    nodes: u32,
    chunks: [Option<Chunk>; CHUNKS],
    samples: Option<Chunk>,
    used: usize,
    sequence: u32,
    /// The kinds of its chunks of nodes and of samples.
    kinds: [ChunkKind; 2],
    /// Numbers of nodes, by the hash of caller and address; 0: none, since the first nodes are
    /// never found by their address.
    table: [u32; PLACES],
}

impl Tree {
    /// Makes zeros a tree without nodes.
    ///
    /// # Safety
    /// `tree` points to zeros of a tree's size and alignment that only the caller uses.
    pub(super) unsafe fn prepare(tree: *mut Self) {
        // SAFETY: as the caller promises; the other fields are numbers.
        unsafe {
            (&raw mut (*tree).chunks).write([None; CHUNKS]);
            (&raw mut (*tree).samples).write(None);
            (&raw mut (*tree).kinds).write([ChunkKind::Calls, ChunkKind::Samples]);
        }
    }

    /// Begins the tree of the stream `number`, if it has not begun.
    pub(crate) fn begin(&mut self, number: u32) {
        self.number = number + 1;
    }

    /// Begins the tree of the paths in which threads are blocked.
    pub(super) fn begin_blocked(&mut self) {
        self.begin(0);
        self.kinds = [ChunkKind::BlockedCalls, ChunkKind::BlockedSamples];
    }

    /// The node of the code at `address`, called by `caller`; `None` if there is no room.
    pub(crate) fn node(&mut self, store: &Store, caller: u32, address: u64) -> Option<u32> {
        let hash = (address ^ u64::from(caller) << 40).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut place = (hash >> 48) as usize % PLACES;
        while self.table[place] != 0 {
            let node = self.table[place];
            if self.key(node) == Some((address, caller)) {
                return Some(node);
            }
            place = (place + 1) % PLACES;
        }
        let node = self.add(store, caller, address)?;
        self.table[place] = node;
        Some(node)
    }

    /// Counts a sample of `node`.
    pub(crate) fn count(&mut self, store: &Store, node: u32) {
        self.has_pseudo_nodes(store);
        if let Some(place) = self.place(node) {
            // SAFETY: the node lies in a chunk of which this thread is the only writer; the count
            // is its last word, aligned as its type.
            unsafe {
                let count = AtomicU32::from_ptr(place.add(12).cast());
                count.store(count.load(Ordering::Relaxed).saturating_add(1), Ordering::Relaxed);
            }
        }
    }

    /// Keeps a sample with its time, while there is room.
    pub(crate) fn keep(&mut self, store: &Store, sample: &Sample) {
        if self.samples.is_none() || self.used + SAMPLE_SIZE > CHUNK_PAYLOAD {
            if let Some(full) = self.samples.take() {
                store.release(full);
            }
            let kinds = [ChunkKind::Samples, ChunkKind::BlockedSamples];
            let in_use: u32 = kinds.map(|kind| store.in_use_by(kind)).iter().sum();
            if in_use >= (store.capacity() / PART_FOR_SAMPLES).max(1) {
                return;
            }
            self.samples = store.take(self.kinds[1], self.number - 1, self.sequence).ok();
            self.sequence += u32::from(self.samples.is_some());
            self.used = 0;
        }
        let Some(chunk) = self.samples else { return };
        let bytes = sample.encode();
        // SAFETY: `used` and the sample's size together are at most the payload's, and this thread
        // is the chunk's writer.
        unsafe { chunk.payload().add(self.used).cast::<[u8; SAMPLE_SIZE]>().write(bytes) };
        self.used += SAMPLE_SIZE;
        chunk.commit(self.used);
    }

    /// Releases the chunks.
    pub(crate) fn close(&mut self, store: &Store) {
        let chunks = self.chunks.iter_mut().chain([&mut self.samples]);
        for chunk in chunks.filter_map(Option::take) {
            store.release(chunk);
        }
    }

    /// The first nodes stand for samples without a path, and for the starts of paths.
    fn has_pseudo_nodes(&mut self, store: &Store) {
        while self.nodes < Pseudo::COUNT {
            if self.append(store, Pseudo::NO_CALLER, 0).is_none() {
                return;
            }
        }
    }

    fn add(&mut self, store: &Store, caller: u32, address: u64) -> Option<u32> {
        self.has_pseudo_nodes(store);
        self.append(store, caller, address)
    }

    fn append(&mut self, store: &Store, caller: u32, address: u64) -> Option<u32> {
        let node = self.nodes;
        let (chunk, position) = (node as usize / NODES_PER_CHUNK, node as usize % NODES_PER_CHUNK);
        let place = self.chunks.get_mut(chunk)?;
        if place.is_none() {
            *place = store.take(self.kinds[0], self.number - 1, chunk as u32).ok();
        }
        let chunk = (*place)?;
        // SAFETY: the position is inside the payload, which is aligned, and this thread is the
        // chunk's writer.
        unsafe {
            let entry = chunk.payload().add(position * NODE_SIZE);
            entry.cast::<[u8; NODE_SIZE]>().write(PathNode { address, caller, count: 0 }.encode());
        }
        chunk.commit((position + 1) * NODE_SIZE);
        self.nodes += 1;
        Some(node)
    }

    fn key(&self, node: u32) -> Option<(u64, u32)> {
        let place = self.place(node)?;
        // SAFETY: a node that this thread has written.
        unsafe { Some((place.cast::<u64>().read(), place.add(8).cast::<u32>().read())) }
    }

    /// The place of a node, if it exists.
    fn place(&self, node: u32) -> Option<*mut u8> {
        let (chunk, position) = (node as usize / NODES_PER_CHUNK, node as usize % NODES_PER_CHUNK);
        let chunk = (*self.chunks.get(chunk)?)?;
        // SAFETY: the position is inside the payload.
        (node < self.nodes).then(|| unsafe { chunk.payload().add(position * NODE_SIZE) })
    }
}
