//! Recordings of a job of many ranks that never ran: what each rank did, and waited, is known.
//!
//! In each iteration, which lasts [`ITERATION_NS`], a rank sends a message to the next one, gets
//! one from the previous one, and takes part in a collective operation. One rank, another one each
//! time, enters that by [`LATE_NS`] after the others; in each tenth iteration rank [`SLOW`] sends
//! its message by [`LATE_NS`] late as well.

use std::fs::{self, File};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::Path;

use oxomp_trace::fold::mpi;
use oxomp_trace::info::{Tag, write_item};
use oxomp_trace::{
    EventKind, FileHeader, FoldEntry, FoldKind, MpiClass, MpiEvent, MpiRole, Record, Writer,
};

/// How long an iteration takes, ns.
pub(crate) const ITERATION_NS: u64 = 10_000_000;
/// By how much a rank is late, ns.
pub(crate) const LATE_NS: u64 = 1_000_000;
/// The rank that sends late.
pub(crate) const SLOW: u32 = 17;
/// How long a call takes in which nobody waits, ns.
const CALL_NS: u64 = 10_000;
/// When the job begins, ns of all clocks.
const BEGIN_NS: u64 = 1_000_000_000_000;
/// Numbers of the functions.
const SEND: u8 = 3;
const RECEIVE: u8 = 4;
const ALLREDUCE: u8 = 5;

/// A job.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Job {
    pub(crate) ranks: u32,
    pub(crate) iterations: u64,
}

/// A number as good as random.
fn mixed(number: u64) -> u64 {
    let mut it = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    it = (it ^ (it >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    it = (it ^ (it >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    it ^ (it >> 31)
}

impl Job {
    /// The waits of all ranks in collective operations, ns.
    pub(crate) fn collective_ns(self) -> u64 {
        self.iterations * u64::from(self.ranks - 1) * LATE_NS
    }

    /// The iterations in which a rank sends late.
    pub(crate) fn late_sends(self) -> u64 {
        self.iterations.div_ceil(10)
    }

    /// The waits for the messages of the rank that sends late, ns.
    pub(crate) fn late_sender_ns(self) -> u64 {
        self.late_sends() * (LATE_NS - CALL_NS)
    }

    /// Writes the recordings of all ranks into `folder`.
    pub(crate) fn write(self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        for rank in 0..self.ranks {
            write_sparsely(&folder.join(format!("rank-{rank}.oxp")), &self.recording(rank)?)?;
        }
        Ok(())
    }

    fn recording(self, rank: u32) -> io::Result<Vec<u8>> {
        let pid = 10_000 + rank;
        let header = FileHeader {
            pid,
            start_tick: BEGIN_NS,
            start_monotonic_ns: BEGIN_NS,
            start_unix_ns: 1_700_000_000_000_000_000,
            ticks_per_second: 1_000_000_000,
        };
        let end_ns = BEGIN_NS + self.iterations * ITERATION_NS;
        let events = self.events(rank);
        let mut bytes = Vec::new();
        let mut writer = Writer::new(&mut bytes, &header)?;
        writer.info(&self.facts(rank, end_ns))?;
        let record = |tick, kind, value| Record {
            tick,
            value,
            kind: kind as u8,
            sub: 1,
            ..Record::default()
        };
        let records = [
            record(BEGIN_NS, EventKind::ThreadBegin, pid.into()),
            record(end_ns, EventKind::ThreadEnd, 0),
        ];
        writer.thread(0, &records)?;
        let sums = [SEND, RECEIVE, ALLREDUCE].map(|function| sums(&events, function));
        writer.folded(0, &sums)?;
        writer.mpi_events(0, &events)?;
        Ok(bytes)
    }

    fn facts(self, rank: u32, end_ns: u64) -> Vec<u8> {
        let mut items = vec![0; 4096];
        let mut used = 0;
        let mut item = |tag, parts: &[&[u8]]| {
            used += write_item(&mut items[used..], tag, parts).expect("room");
        };
        let [number, size] = [rank, self.ranks].map(|it| u64::from(it).to_le_bytes());
        item(Tag::Argument, &[b"./synthetic"]);
        item(Tag::Hostname, &[b"node"]);
        item(Tag::RuntimeVersion, &[b"a runtime"]);
        item(Tag::AllowedCpus, &[&1_u64.to_le_bytes()]);
        item(Tag::Rank, &[&number, &size, b"the job"]);
        item(Tag::MpiWorld, &[&number, &size, &0_u64.to_le_bytes()]);
        for (function, class, name) in [
            (SEND, MpiClass::PointToPoint, "MPI_Send"),
            (RECEIVE, MpiClass::PointToPoint, "MPI_Recv"),
            (ALLREDUCE, MpiClass::Collective, "MPI_Allreduce"),
        ] {
            let numbers = [function.into(), class as u64].map(u64::to_le_bytes);
            item(Tag::MpiFunction, &[&numbers[0], &numbers[1], name.as_bytes()]);
        }
        item(Tag::End, &[&end_ns.to_le_bytes()]);
        items.truncate(used);
        items
    }

    /// What a rank does.
    fn events(self, rank: u32) -> Vec<MpiEvent> {
        let (next, previous) = ((rank + 1) % self.ranks, (rank + self.ranks - 1) % self.ranks);
        let call = |begin_ns: u64, end_ns: u64, function: u8, role: MpiRole, peer: u32| MpiEvent {
            begin_ns,
            end_ns,
            instance: 0,
            code: 0,
            peer,
            members: if role == MpiRole::AllToAll { self.ranks } else { 2 },
            function,
            role,
            thinning: 0,
            blocking: true,
            on_main_thread: true,
        };
        let mut events = Vec::new();
        for iteration in 0..self.iterations {
            let begin = BEGIN_NS + iteration * ITERATION_NS;
            let sends_at = |rank| {
                let is_late = rank == SLOW && iteration % 10 == 0;
                if is_late { begin + LATE_NS } else { begin }
            };
            let message = |from: u32| mixed(iteration << 32 | u64::from(from) << 1 | 1);
            let sent = sends_at(rank);
            let send = call(sent, sent + CALL_NS, SEND, MpiRole::Send, next);
            events.push(MpiEvent { instance: message(rank), ..send });
            let received_by = sends_at(previous).max(send.end_ns) + CALL_NS;
            let receive = call(send.end_ns, received_by, RECEIVE, MpiRole::Receive, previous);
            events.push(MpiEvent { instance: message(previous), ..receive });
            let together = begin + 3 * LATE_NS;
            let is_last = u64::from(rank) == iteration * 7 % u64::from(self.ranks);
            let enters = together + if is_last { LATE_NS } else { 0 };
            let leaves = together + LATE_NS + CALL_NS;
            let all = call(enters, leaves, ALLREDUCE, MpiRole::AllToAll, 0);
            events.push(MpiEvent { instance: mixed(iteration << 32), ..all });
        }
        events
    }
}

/// The sums of a rank's calls of a function.
fn sums(events: &[MpiEvent], function: u8) -> FoldEntry {
    let times = || {
        let own = events.iter().filter(move |event| event.function == function);
        own.map(|event| event.end_ns - event.begin_ns)
    };
    let mut entry =
        FoldEntry { kind: FoldKind::Mpi as u32, sub: function.into(), ..FoldEntry::default() };
    entry.values[mpi::CALLS] = times().count() as u64;
    entry.values[mpi::TIME_NS] = times().sum();
    entry.values[mpi::LONGEST_NS] = times().max().unwrap_or(0);
    entry
}

/// Writes a file whose zeros take no room on the disk.
fn write_sparsely(path: &Path, bytes: &[u8]) -> io::Result<()> {
    const PAGE: usize = 4096;
    let mut file = File::create(path)?;
    file.set_len(bytes.len() as u64)?;
    for (index, page) in bytes.chunks(PAGE).enumerate() {
        if page.iter().any(|&byte| byte != 0) {
            file.seek(SeekFrom::Start((index * PAGE) as u64))?;
            file.write_all(page)?;
        }
    }
    Ok(())
}
