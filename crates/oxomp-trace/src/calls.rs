//! Sampled call paths: trees of nodes, and samples with their times.

use crate::layout::{CHUNK_PAYLOAD, u32_at, u64_at};
use crate::registers::RegisterSample;

/// Bytes of a node.
pub const NODE_SIZE: usize = 16;
/// Nodes in a chunk; a node's number is its position in its stream.
pub const NODES_PER_CHUNK: usize = CHUNK_PAYLOAD / NODE_SIZE;
/// Bytes of a sample.
pub const SAMPLE_SIZE: usize = 32;

/// Chunks of nodes that a stream can have.
const MOST_CHUNKS: usize = 1024;

/// The bit of a sample's node that tells the begin of a region from a sample.
const FORK: u32 = 1 << 31;

/// The first nodes of every stream, which have no caller.
#[derive(Debug, Clone, Copy)]
pub struct Pseudo;

impl Pseudo {
    /// The start of paths that reach the start of their thread.
    pub const COMPLETE: u32 = 0;
    /// The start of paths of which only the inner part is known.
    pub const INCOMPLETE: u32 = 1;
    /// Its count has the samples of a thread that waited in the runtime.
    pub const WAITING: u32 = 2;
    /// Its count has the samples that could not be taken.
    pub const LOST: u32 = 3;
    /// How many there are.
    pub const COUNT: u32 = 4;
    /// In the place of a caller.
    pub const NO_CALLER: u32 = u32::MAX;
}

/// Code in the context of its callers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PathNode {
    /// The address of the instruction: of the sampled one, or of the last byte of a call.
    pub address: u64,
    /// The number of the caller's node, which is less than its own; [`Pseudo::NO_CALLER`].
    pub caller: u32,
    /// Samples in this code itself.
    pub count: u32,
}

/// A sample, or the path by which a thread has begun a region.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Sample {
    /// When it was taken.
    pub tick: u64,
    /// The number of the region in which the thread was a worker, or that was begun; 0: none.
    pub region: u64,
    /// Of a path to a region: the number of the region around it; 0: none.
    pub outer: u64,
    /// The innermost node, in the tree of the same stream.
    pub node: u32,
    /// The system's id of the thread.
    pub tid: u32,
    /// Whether it is the path by which the region was begun.
    pub fork: bool,
}

/// The two nodes by which a path to a blocked thread differs from others: the outermost one has the
/// code address of the region in which the thread was, 0 outside every region, and the innermost
/// one the number of the system call in which it waited. So the count of an innermost node tells
/// how often a thread was found in that call, on that path.
#[derive(Debug, Clone, Copy)]
pub struct Blocked;

impl Blocked {
    /// The time for which a look at a blocked thread counts, ns.
    pub const PERIOD_NS: u64 = 10_000_000;
    /// In place of the number of a system call: the thread was in none, but waited for a page of
    /// its memory.
    pub const NO_CALL: u64 = 0xffff;
}

/// The tree and the samples of one stream: of one thread after another.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct ThreadCalls {
    /// Number of the stream; it has nothing to do with that of the events.
    pub number: u32,
    /// The nodes, by their numbers, as far as they are in the file.
    pub nodes: Vec<PathNode>,
    /// The samples in the order in which they were taken.
    pub samples: Vec<Sample>,
    /// The samples in regions with the registers of their thread, as far as it kept them; in the
    /// order in which they were taken.
    pub registers: Vec<RegisterSample>,
}

impl Sample {
    /// The sample as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; SAMPLE_SIZE] {
        let mut bytes = [0; SAMPLE_SIZE];
        bytes[..8].copy_from_slice(&self.tick.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.region.to_le_bytes());
        bytes[16..24].copy_from_slice(&self.outer.to_le_bytes());
        let node = self.node | if self.fork { FORK } else { 0 };
        bytes[24..28].copy_from_slice(&node.to_le_bytes());
        bytes[28..32].copy_from_slice(&self.tid.to_le_bytes());
        bytes
    }

    fn decode(bytes: &[u8]) -> Self {
        let node = u32_at(bytes, 24);
        Self {
            tick: u64_at(bytes, 0),
            region: u64_at(bytes, 8),
            outer: u64_at(bytes, 16),
            node: node & !FORK,
            tid: u32_at(bytes, 28),
            fork: node & FORK != 0,
        }
    }
}

impl PathNode {
    /// The node as bytes.
    #[must_use]
    pub fn encode(&self) -> [u8; NODE_SIZE] {
        let mut bytes = [0; NODE_SIZE];
        bytes[..8].copy_from_slice(&self.address.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.caller.to_le_bytes());
        bytes[12..].copy_from_slice(&self.count.to_le_bytes());
        bytes
    }
}

impl ThreadCalls {
    /// Takes in the nodes of the stream's chunk `sequence`; chunks come in their order.
    pub(crate) fn read_nodes(&mut self, sequence: u32, payload: &[u8]) {
        // Nodes that are not in the file keep their numbers.
        let before = sequence as usize;
        if before > MOST_CHUNKS {
            return;
        }
        let nothing = PathNode { caller: Pseudo::NO_CALLER, ..PathNode::default() };
        self.nodes.resize(before * NODES_PER_CHUNK, nothing);
        self.nodes.extend(payload.chunks_exact(NODE_SIZE).map(|bytes| PathNode {
            address: u64_at(bytes, 0),
            caller: u32_at(bytes, 8),
            count: u32_at(bytes, 12),
        }));
    }

    /// Takes in the samples of the stream's next chunk.
    pub(crate) fn read_samples(&mut self, payload: &[u8]) {
        self.samples.extend(payload.chunks_exact(SAMPLE_SIZE).map(Sample::decode));
    }

    /// Takes in the samples with registers of the stream's next chunk.
    pub(crate) fn read_registers(&mut self, payload: &[u8]) {
        self.registers.extend(RegisterSample::read_all(payload));
    }

    /// The samples of a pseudo node.
    #[must_use]
    pub fn pseudo(&self, node: u32) -> u64 {
        self.nodes.get(node as usize).map_or(0, |node| node.count.into())
    }
}
