//! Writing a whole file at once. The collector does not use it: it writes in place.

use std::io::{self, Write};

use crate::calls::{NODES_PER_CHUNK, PathNode, SAMPLE_SIZE, Sample};
use crate::counters::{COUNTER_ENTRY_SIZE, CounterEntry};
use crate::event::Record;
use crate::fold::{ENTRY_SIZE, FoldEntry};
use crate::layout::{
    CHUNK_PAYLOAD, CHUNK_SIZE, ChunkHeader, ChunkKind, FileHeader, HEADER_SIZE, PROCESS,
    RECORD_SIZE, STATE_SEALED,
};
use crate::mpi_events::{MPI_EVENTS_PER_CHUNK, MpiEvent};
use crate::phases::Phases;
use crate::registers::{REGISTER_SAMPLE_SIZE, RegisterSample};

/// Writes sealed chunks to `output`.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
    info_chunks: u32,
}

impl<W: Write> Writer<W> {
    /// Writes the file header.
    ///
    /// # Errors
    /// Those of the output.
    pub fn new(mut output: W, header: &FileHeader) -> io::Result<Self> {
        let mut bytes = [0; HEADER_SIZE];
        let used = header.encode();
        bytes[..used.len()].copy_from_slice(&used);
        output.write_all(&bytes)?;
        Ok(Self { output, info_chunks: 0 })
    }

    /// Writes items made by [`crate::info::write_item`].
    ///
    /// # Errors
    /// Those of the output; `InvalidInput` if the items exceed a chunk.
    pub fn info(&mut self, items: &[u8]) -> io::Result<()> {
        let sequence = self.info_chunks;
        self.info_chunks += 1;
        self.chunk(ChunkKind::Info, PROCESS, sequence, items)
    }

    /// Writes all events of one thread.
    ///
    /// # Errors
    /// Those of the output.
    pub fn thread(&mut self, number: u32, records: &[Record]) -> io::Result<()> {
        let per_chunk = CHUNK_PAYLOAD / RECORD_SIZE;
        for (sequence, records) in records.chunks(per_chunk).enumerate() {
            let payload: Vec<u8> = records.iter().flat_map(Record::encode).collect();
            let sequence = u32::try_from(sequence).map_err(io::Error::other)?;
            self.chunk(ChunkKind::Events, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes the call paths of a stream.
    ///
    /// # Errors
    /// Those of the output.
    pub fn calls(&mut self, number: u32, nodes: &[PathNode], samples: &[Sample]) -> io::Result<()> {
        for (sequence, nodes) in (0..).zip(nodes.chunks(NODES_PER_CHUNK)) {
            let payload: Vec<u8> = nodes.iter().flat_map(PathNode::encode).collect();
            self.chunk(ChunkKind::Calls, number, sequence, &payload)?;
        }
        for (sequence, samples) in (0..).zip(samples.chunks(CHUNK_PAYLOAD / SAMPLE_SIZE)) {
            let payload: Vec<u8> = samples.iter().flat_map(Sample::encode).collect();
            self.chunk(ChunkKind::Samples, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes the samples of a stream that have registers.
    ///
    /// # Errors
    /// Those of the output.
    pub fn registers(&mut self, number: u32, samples: &[RegisterSample]) -> io::Result<()> {
        for (sequence, samples) in (0..).zip(samples.chunks(CHUNK_PAYLOAD / REGISTER_SAMPLE_SIZE)) {
            let payload: Vec<u8> = samples.iter().flat_map(RegisterSample::encode).collect();
            self.chunk(ChunkKind::Registers, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes what the threads of a stream counted.
    ///
    /// # Errors
    /// Those of the output.
    pub fn counters(&mut self, number: u32, entries: &[CounterEntry]) -> io::Result<()> {
        for (sequence, entries) in (0..).zip(entries.chunks(CHUNK_PAYLOAD / COUNTER_ENTRY_SIZE)) {
            let payload: Vec<u8> = entries.iter().flat_map(CounterEntry::encode).collect();
            self.chunk(ChunkKind::Counters, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes the phases of the program.
    ///
    /// # Errors
    /// Those of the output.
    pub fn phases(&mut self, phases: &Phases) -> io::Result<()> {
        self.chunk(ChunkKind::Phases, PROCESS, 0, &phases.encode())
    }

    /// Writes what a thread did in messages and collective operations of MPI.
    ///
    /// # Errors
    /// Those of the output.
    pub fn mpi_events(&mut self, number: u32, events: &[MpiEvent]) -> io::Result<()> {
        for (sequence, events) in (0..).zip(events.chunks(MPI_EVENTS_PER_CHUNK)) {
            let payload: Vec<u8> = events.iter().flat_map(MpiEvent::encode).collect();
            self.chunk(ChunkKind::MpiEvents, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes the sums of one thread.
    ///
    /// # Errors
    /// Those of the output.
    pub fn folded(&mut self, number: u32, entries: &[FoldEntry]) -> io::Result<()> {
        for (sequence, entries) in (0..).zip(entries.chunks(CHUNK_PAYLOAD / ENTRY_SIZE)) {
            let payload: Vec<u8> = entries.iter().flat_map(FoldEntry::encode).collect();
            self.chunk(ChunkKind::Fold, number, sequence, &payload)?;
        }
        Ok(())
    }

    /// Writes a chunk.
    ///
    /// # Errors
    /// Those of the output; `InvalidInput` if the payload is longer than that of a chunk.
    pub(crate) fn chunk(
        &mut self,
        kind: ChunkKind,
        owner: u32,
        sequence: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        self.output.write_all(&sealed_chunk(kind, owner, sequence, payload)?)
    }
}

/// A sealed chunk as bytes.
///
/// # Errors
/// `InvalidInput` if the payload is longer than that of a chunk.
pub(crate) fn sealed_chunk(
    kind: ChunkKind,
    owner: u32,
    sequence: u32,
    payload: &[u8],
) -> io::Result<Vec<u8>> {
    if payload.len() > CHUNK_PAYLOAD {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "more than a chunk holds"));
    }
    let mut header = ChunkHeader {
        kind: kind as u16,
        state: STATE_SEALED,
        owner,
        sequence,
        committed: payload.len() as u32,
        crc: 0,
    };
    header.crc = header.checksum(payload);
    let mut bytes = Vec::with_capacity(CHUNK_SIZE);
    bytes.extend(header.encode());
    bytes.extend(payload);
    bytes.resize(CHUNK_SIZE, 0);
    Ok(bytes)
}
