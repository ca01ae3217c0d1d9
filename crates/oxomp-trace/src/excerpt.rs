//! The last seconds of a recording as a recording of their own.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::calls::{NODE_SIZE, NODES_PER_CHUNK, PathNode, SAMPLE_SIZE};
use crate::costs::{COST_SIZE, CostEntry};
use crate::counters::{CounterEntry, CounterKey, Counts};
use crate::event::{EventKind, Record};
use crate::fold::{FoldKind, fit};
use crate::follow::Look;
use crate::info::{Info, Tag, write_item};
use crate::layout::{CHUNK_PAYLOAD, ChunkHeader, ChunkKind, u32_at, u64_at};
use crate::mpi::MpiElsewhere;
use crate::mpi_events::MPI_EVENT_SIZE;
use crate::read::{Part, Profile};
use crate::registers::REGISTER_SAMPLE_SIZE;
use crate::ring::{continued, stitched};
use crate::standing::{At, Regions};
use crate::write::Writer;

/// Facts that are those of the whole recording.
const OF_ALL: [Tag; 8] = [
    Tag::CpuTime,
    Tag::ThreadCpu,
    Tag::EventCost,
    Tag::Unfinished,
    Tag::Age,
    Tag::End,
    Tag::MpiElsewhere,
    Tag::Kept,
];

/// Where a node has its count.
const OF_COUNT: usize = NODE_SIZE - 4;
/// The words of a cost curve that are no sums.
const NO_SUMS_OF_COSTS: [usize; 6] = [0, 1, 2, 3, 6, 7];

/// A part of a recording, up to a look.
#[derive(Debug)]
pub(crate) struct Excerpt<'a> {
    pub(crate) now: &'a Look,
    /// The begin; `None`: that of the recording.
    pub(crate) earlier: Option<&'a Look>,
    /// Why the excerpt is made.
    pub(crate) why: &'a str,
}

impl Excerpt<'_> {
    /// Writes the excerpt; `parts` are all chunks of the recording.
    pub(crate) fn write(&self, mut parts: Vec<Part>, output: impl Write) -> io::Result<()> {
        // A chunk that was given back lies anywhere.
        parts.sort_by_key(|(_, header, _)| (header.owner, header.kind, header.sequence));
        let whole = self.now.profile.header;
        let header = self.earlier.map_or(whole, Look::header_from);
        let mut writer = Writer::new(output, &header)?;
        let mut sequences = HashMap::<(u32, u16), u32>::new();
        for (_, header, payload) in &parts {
            let Some(kind) = ChunkKind::from_number(header.kind) else { continue };
            let Some(payload) = self.chunk(kind, header, payload) else { continue };
            if kind == ChunkKind::Info {
                writer.info(&payload)?;
                continue;
            }
            let kept = !kind.passes();
            let next = sequences.entry((header.owner, header.kind)).or_insert(0);
            let sequence = if kept { header.sequence } else { *next };
            if kept || !payload.is_empty() {
                writer.chunk(kind, header.owner, sequence, &payload)?;
                *next += 1;
            }
        }
        writer.info(&self.facts())?;
        let is_event = |kind: u16| {
            let kind = ChunkKind::from_number(kind);
            matches!(kind, Some(ChunkKind::Events | ChunkKind::Lives))
        };
        let mut events = Profile::default();
        events.take_in(parts.into_iter().filter(|(_, header, _)| is_event(header.kind)).collect());
        let mut regions = Regions::of(&events.threads);
        self.sums(&regions, &mut writer)?;
        for stream in &events.threads {
            writer.thread(stream.number, &self.events(&stream.records, &mut regions))?;
        }
        Ok(())
    }

    /// The tick at which the excerpt begins.
    fn begin(&self) -> u64 {
        self.earlier.map_or(0, Look::tick)
    }

    /// The part of a chunk's payload that belongs to the excerpt; `None` for chunks that it has in
    /// another form, or not.
    fn chunk(&self, kind: ChunkKind, header: &ChunkHeader, payload: &[u8]) -> Option<Vec<u8>> {
        let ticks = (self.begin(), self.now.tick());
        match kind {
            ChunkKind::Info => Some(Info::without(payload, &OF_ALL)),
            ChunkKind::Calls | ChunkKind::BlockedCalls => Some(self.nodes(kind, header, payload)),
            ChunkKind::Python | ChunkKind::BlockedPython => Some(payload.to_vec()),
            ChunkKind::Costs => Some(self.curves(header.owner, payload)),
            ChunkKind::Samples | ChunkKind::BlockedSamples => {
                Some(between(ticks, payload, SAMPLE_SIZE, 0))
            }
            ChunkKind::Registers => Some(between(ticks, payload, REGISTER_SAMPLE_SIZE, 0)),
            ChunkKind::MpiEvents => {
                let header = self.earlier.map_or(self.now.profile.header, Look::header_from);
                let from = self.earlier.map_or(0, |_| header.start_monotonic_ns);
                Some(between((from, u64::MAX), payload, MPI_EVENT_SIZE, 8))
            }
            ChunkKind::Events
            | ChunkKind::Lives
            | ChunkKind::Fold
            | ChunkKind::Counters
            | ChunkKind::Phases
            | ChunkKind::Present
            | ChunkKind::SlowRegions
            | ChunkKind::Slices => None,
        }
    }

    /// Nodes of call paths with the counts of the excerpt.
    fn nodes(&self, kind: ChunkKind, header: &ChunkHeader, payload: &[u8]) -> Vec<u8> {
        let mut payload = payload.to_vec();
        let Some(earlier) = self.earlier.map(|earlier| &earlier.profile) else { return payload };
        let known = match kind {
            ChunkKind::BlockedCalls => &earlier.blocked.nodes[..],
            _ => {
                let own = earlier.calls.iter().find(|calls| calls.number == header.owner);
                own.map_or(&[][..], |own| &own.nodes)
            }
        };
        let first = header.sequence as usize * NODES_PER_CHUNK;
        let known = known.get(first..).unwrap_or_default();
        for (node, PathNode { count, .. }) in payload.chunks_exact_mut(NODE_SIZE).zip(known) {
            let more = u32_at(node, OF_COUNT).saturating_sub(*count);
            node[OF_COUNT..].copy_from_slice(&more.to_le_bytes());
        }
        payload
    }

    /// Cost curves with the sums of the excerpt.
    fn curves(&self, owner: u32, payload: &[u8]) -> Vec<u8> {
        let mut payload = payload.to_vec();
        let Some(earlier) = self.earlier.map(|earlier| &earlier.profile) else { return payload };
        for curve in payload.chunks_exact_mut(COST_SIZE) {
            let is_own = |(number, known): &&(u32, CostEntry)| {
                let key = [u64_at(curve, 8), u64_at(curve, 16)];
                (*number, known.sub, known.key) == (owner, u32_at(curve, 4), key)
            };
            let Some((_, known)) = earlier.costs.iter().find(is_own) else { continue };
            let known = known.encode();
            for at in (0..COST_SIZE).step_by(8).filter(|at| !NO_SUMS_OF_COSTS.contains(&(at / 8))) {
                let more = u64_at(curve, at).saturating_sub(u64_at(&known, at));
                curve[at..at + 8].copy_from_slice(&more.to_le_bytes());
            }
        }
        payload
    }

    /// The facts that the excerpt has for its own.
    fn facts(&self) -> Vec<u8> {
        let mut items = vec![0; CHUNK_PAYLOAD];
        let mut used = 0;
        let mut item = |tag, parts: &[&[u8]]| {
            used += write_item(&mut items[used..], tag, parts).unwrap_or(0);
        };
        let info = &self.now.profile.info;
        match self.earlier {
            // Threads may have been in the middle of anything.
            Some(_) => item(Tag::Attached, &[&1_u64.to_le_bytes()]),
            None => item(Tag::Age, &[&info.age_ns.to_le_bytes()]),
        }
        item(Tag::End, &[&self.now.tick().to_le_bytes()]);
        item(Tag::Excerpt, &[self.why.as_bytes()]);
        let known = self.earlier.map_or(&[][..], |earlier| &earlier.profile.info.mpi_elsewhere);
        for calls in &info.mpi_elsewhere {
            let numbers = since(calls, known).numbers().map(u64::to_le_bytes);
            item(Tag::MpiElsewhere, &numbers.each_ref().map(<[u8; 8]>::as_slice));
        }
        items.truncate(used);
        items
    }

    /// Writes the sums of threads, counters and phases.
    fn sums(&self, regions: &Regions, writer: &mut Writer<impl Write>) -> io::Result<()> {
        let mut before = regions.before(self.begin());
        for (number, mut sums) in self.now.sums_since(self.earlier) {
            for entry in sums.iter_mut().filter(|entry| entry.is_of(FoldKind::Region)) {
                if let Some(ticks) = before.get_mut(&(number, entry.key[0])) {
                    *ticks -= entry.shorten(*ticks);
                }
            }
            if let Some(earlier) = self.earlier {
                fit(&mut sums, self.now.tick() - earlier.tick());
            }
            writer.folded(number, &sums)?;
        }
        let now = &self.now.profile;
        let earlier = self.earlier.map(|earlier| &earlier.profile);
        let known: HashMap<(u32, CounterKey), Counts> = earlier
            .into_iter()
            .flat_map(|earlier| &earlier.counters)
            .map(|(owner, entry)| ((*owner, entry.key), entry.counts))
            .collect();
        let owners: std::collections::BTreeSet<u32> =
            now.counters.iter().map(|(owner, _)| *owner).collect();
        for owner in owners {
            let own = now.counters.iter().filter(|(number, _)| *number == owner);
            let grown = own.map(|(_, entry)| CounterEntry {
                counts: match known.get(&(owner, entry.key)) {
                    Some(known) => entry.counts.since(known),
                    None => entry.counts,
                },
                ..*entry
            });
            let grown: Vec<CounterEntry> =
                grown.filter(|entry| entry.counts.readings > 0).collect();
            writer.counters(owner, &grown)?;
        }
        match &now.phases {
            Some(phases) => {
                let known = earlier.and_then(|earlier| earlier.phases.as_ref());
                writer.phases(&phases.since(known, self.begin()))
            }
            None => Ok(()),
        }
    }

    /// The events of a stream that belong to the excerpt.
    fn events(&self, events: &[Record], regions: &mut Regions) -> Vec<Record> {
        let behind = events.iter().position(|event| event.tick > self.now.tick());
        let events = &events[..behind.unwrap_or(events.len())];
        let Some(begin) = self.earlier.map(Look::tick) else { return events.to_vec() };
        let is_life = |event: &Record| event.event().is_some_and(EventKind::is_always_recorded);
        let (lives, mut others): (Vec<Record>, Vec<Record>) =
            events.iter().copied().partition(is_life);
        match regions.under_way(events, begin) {
            At::Known(standing) => return continued(&lives, &others, begin, standing),
            At::InRegion(end, region) => leave_region(&mut others, begin, end, region),
            At::Folded => {}
        }
        stitched(&lives, &others, Some(begin))
    }
}

/// Makes events readable behind the end of a region at tick `begin` or later.
fn leave_region(events: &mut Vec<Record>, begin: u64, end: EventKind, region: u64) {
    let is_end =
        |event: &Record| event.tick >= begin && event.event() == Some(end) && event.value == region;
    if let Some(position) = events.iter().position(is_end) {
        let Record { tick, .. } = events[position];
        let kind = EventKind::FoldEnd as u8;
        events.insert(position + 1, Record { tick, kind, ..Record::default() });
    }
}

/// The entries of `size` bytes whose moment, a number at `at`, is between two others.
fn between((begin, end): (u64, u64), payload: &[u8], size: usize, at: usize) -> Vec<u8> {
    let entries = payload.chunks_exact(size);
    entries.filter(|entry| (begin..=end).contains(&u64_at(entry, at))).flatten().copied().collect()
}

/// What has been added to calls of MPI, of which `known` are the earlier sums.
fn since(calls: &MpiElsewhere, known: &[MpiElsewhere]) -> MpiElsewhere {
    let key = |one: &MpiElsewhere| (one.function, one.on_main_thread);
    match known.iter().find(|one| key(one) == key(calls)) {
        Some(known) => MpiElsewhere {
            calls: calls.calls.saturating_sub(known.calls),
            time_ns: calls.time_ns.saturating_sub(known.time_ns),
            bytes: calls.bytes.saturating_sub(known.bytes),
            ..*calls
        },
        None => *calls,
    }
}
