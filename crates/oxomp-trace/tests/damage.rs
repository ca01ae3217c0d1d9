//! Files cut anywhere or damaged anywhere are read as far as they go, and say what is wrong.

use std::sync::OnceLock;

use oxomp_trace::calls::{NODES_PER_CHUNK, PathNode, Pseudo, Sample};
use oxomp_trace::counters::{Activity, Counter, CounterEntry, CounterKey, Counts};
use oxomp_trace::info::{Tag, write_item, write_module};
use oxomp_trace::layout::{CHUNK_HEADER_SIZE, CHUNK_SIZE, CRC_OFFSET, ChunkHeader, HEADER_SIZE};
use oxomp_trace::mpi_events::{MPI_EVENT_SIZE, MPI_EVENTS_PER_CHUNK};
use oxomp_trace::phases::{OF_CHANGES, PHASE_SIZE, PHASES_HEADER};
use oxomp_trace::registers::RegisterSample;
use oxomp_trace::{
    DamageKind, EventKind, FileHeader, MpiEvent, MpiRole, Phase, Phases, Profile, ReadError,
    Record, Writer,
};
use proptest::prelude::{any, proptest};

fn records(count: u64) -> Vec<Record> {
    (0..count)
        .map(|tick| Record { tick, kind: EventKind::WaitBegin as u8, ..Record::default() })
        .collect()
}

fn file() -> Vec<u8> {
    static FILE: OnceLock<Vec<u8>> = OnceLock::new();
    FILE.get_or_init(build_file).clone()
}

/// Two threads, the first with more than a chunk of events, some facts, and a tree of call paths
/// in two chunks with three samples, two chunks of samples with registers, and one of counters.
fn build_file() -> Vec<u8> {
    let header = FileHeader {
        pid: 7,
        start_tick: 100,
        start_monotonic_ns: 200,
        start_unix_ns: 300,
        ticks_per_second: 1_000_000_000,
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &header).expect("a vector takes everything");
    let mut items = vec![0; 1024];
    let mut used = 0;
    for (tag, text) in [
        (Tag::Argument, "./solver"),
        (Tag::Argument, "-n"),
        (Tag::Environment, "OMP_NUM_THREADS=4"),
        (Tag::RuntimeVersion, "some runtime"),
    ] {
        used += write_item(&mut items[used..], tag, &[text.as_bytes()]).expect("room");
    }
    let refused = [&Counter::REFUSED.to_le_bytes()[..], &6_u64.to_le_bytes(), b"cyclesno unit"];
    used += write_item(&mut items[used..], Tag::Counter, &refused).expect("room");
    let bandwidth = [&20_000_000_000_u64.to_le_bytes()[..], &4_u64.to_le_bytes()];
    used += write_item(&mut items[used..], Tag::Bandwidth, &bandwidth).expect("room");
    used += write_module(&mut items[used..], 0x1000, (0x2000, 0x3000), &[1, 2, 3], b"/bin/solver")
        .expect("room");
    writer.info(&items[..used]).expect("a vector takes everything");
    writer.thread(0, &records(5000)).expect("a vector takes everything");
    writer.thread(1, &records(10)).expect("a vector takes everything");
    writer.calls(3, &nodes(), &samples()).expect("a vector takes everything");
    writer.registers(3, &registers()).expect("a vector takes everything");
    writer.counters(3, &counters()).expect("a vector takes everything");
    bytes
}

/// Events of MPI in two chunks.
fn mpi_events() -> Vec<MpiEvent> {
    let event = |n: u64| MpiEvent {
        begin_ns: n,
        end_ns: n + 5,
        instance: n << 3,
        code: 0x2001,
        peer: 1,
        members: 2,
        function: 9,
        role: MpiRole::Receive,
        thinning: 3,
        blocking: n.is_multiple_of(2),
        on_main_thread: n.is_multiple_of(3),
    };
    (0..MPI_EVENTS_PER_CHUNK as u64 + 9).map(event).collect()
}

#[test]
fn an_event_of_mpi_that_cannot_be_one_ends_its_chunk_and_is_named() {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &FileHeader::default()).expect("room");
    writer.mpi_events(2, &mpi_events()).expect("room");
    let profile = Profile::read(bytes.as_slice()).expect("whole");
    assert_eq!((profile.damage, profile.mpi_events), (vec![], mpi_events()));
    // The role of the second event of the second chunk, which has a new checksum.
    let begin = HEADER_SIZE + CHUNK_SIZE;
    bytes[begin + CHUNK_HEADER_SIZE + MPI_EVENT_SIZE + 41] = 77;
    let header = ChunkHeader::decode(&bytes[begin..]).expect("a chunk");
    let payload = &bytes[begin + CHUNK_HEADER_SIZE..][..header.committed as usize];
    let crc = header.checksum(payload).to_le_bytes();
    bytes[begin + CRC_OFFSET..][..4].copy_from_slice(&crc);
    let profile = Profile::read(bytes.as_slice()).expect("whole");
    assert_eq!(profile.mpi_events, mpi_events()[..MPI_EVENTS_PER_CHUNK + 1]);
    let [damage] = profile.damage.as_slice() else { panic!("{:?}", profile.damage) };
    let said = damage.to_string();
    assert!(said.contains("chunk 1: the MPI event at byte 48") && said.contains("unknown role"));
}

#[test]
fn phases_with_a_damaged_byte_are_left_out_or_read_as_far_as_they_make_sense() {
    let phase =
        |path: &str, since| Phase { path: path.to_owned(), count: 2, ticks: 9, longest: 5, since };
    let phases = Phases {
        phases: vec![phase("step", 0), phase("step/solve", 80)],
        changes: vec![(10, 1), (20, 2), (30, 0), (80, 2)],
        unlogged: 0,
    };
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &FileHeader::default()).expect("room");
    writer.thread(0, &records(100)).expect("room");
    writer.phases(&phases).expect("room");
    let whole = Profile::read(bytes.as_slice()).expect("a profile");
    assert_eq!((whole.damage, whole.phases.as_ref()), (vec![], Some(&phases)));

    let begin = HEADER_SIZE + CHUNK_SIZE;
    // Open: no checksum finds what is wrong.
    bytes[begin + 6] = 1;
    let places = (0..PHASES_HEADER + 2 * PHASE_SIZE).chain(OF_CHANGES..OF_CHANGES + 64);
    for place in places {
        for byte in [0, 1, 0x80, 0xff] {
            let mut damaged = bytes.clone();
            damaged[begin + CHUNK_HEADER_SIZE + place] ^= byte;
            let profile = Profile::read(damaged.as_slice()).expect("a profile");
            let is_told = profile.damage.iter().any(|one| one.what == DamageKind::Phases);
            assert_eq!(is_told, profile.phases.is_none(), "{place}");
            for path in ["", "step", "step/solve"] {
                let view = profile.of_phase(path);
                assert!(view.is_none_or(|view| view.threads.len() <= 1), "{place}");
            }
        }
    }
}

fn nodes() -> Vec<PathNode> {
    (0..NODES_PER_CHUNK as u32 + 7)
        .map(|number| PathNode {
            address: 0x2000 + u64::from(number),
            caller: number.checked_sub(Pseudo::COUNT).unwrap_or(Pseudo::NO_CALLER),
            count: number % 5,
        })
        .collect()
}

fn samples() -> Vec<Sample> {
    let sample = |tick, fork| Sample { tick, region: 1 << 40, outer: 9, node: 4100, tid: 7, fork };
    vec![sample(1, false), sample(2, true), sample(3, false)]
}

fn registers() -> Vec<RegisterSample> {
    let sample = |tick| RegisterSample {
        tick,
        region: 9,
        code: 0x2001,
        address: 0x2004,
        node: 4,
        tid: 7,
        weight: 1,
        phase: 2,
        alone: true,
        registers: [tick; 16],
    };
    (0..400).map(sample).collect()
}

fn counters() -> Vec<CounterEntry> {
    let entry = |number: u64| {
        let counts = Counts { readings: 1, time_ns: 9, running_ns: 5, values: [number; 10] };
        let key = match number {
            0 => CounterKey::Thread { tid: 7 },
            region => CounterKey::Place { region, activity: Activity::Work, mixed: false },
        };
        CounterEntry { key, counts }
    };
    (0..300).map(entry).collect()
}

#[test]
fn a_whole_file_comes_back_whole() {
    let profile = Profile::read(file().as_slice()).expect("whole");
    assert_eq!(profile.damage, []);
    assert_eq!(profile.open_chunks, 0);
    assert_eq!(profile.header.pid, 7);
    assert_eq!(profile.info.arguments, ["./solver", "-n"]);
    assert_eq!(profile.info.environment, [("OMP_NUM_THREADS".into(), "4".into())]);
    let position = Err("no unit".to_owned());
    assert_eq!(profile.info.counters, [Counter { name: "cycles".to_owned(), position }]);
    let bandwidth = profile.info.bandwidth.expect("an item");
    assert_eq!((bandwidth.bytes_per_second, bandwidth.threads), (20_000_000_000, 4));
    let module = profile.info.module_of(0x2fff).expect("inside");
    assert_eq!((module.path.as_str(), module.build_id.as_slice()), ("/bin/solver", &[1, 2, 3][..]));
    assert_eq!(profile.info.module_of(0x3000), None);
    assert_eq!(profile.threads[0].records, records(5000));
    assert_eq!(profile.threads[1].records, records(10));
    let [calls] = profile.calls.as_slice() else { panic!("{} trees", profile.calls.len()) };
    assert_eq!((calls.number, &calls.nodes, &calls.samples), (3, &nodes(), &samples()));
    assert_eq!(calls.registers, registers());
    assert!(profile.counters.iter().all(|(stream, _)| *stream == 3));
    let entries: Vec<_> = profile.counters.iter().map(|(_, entry)| *entry).collect();
    assert_eq!(entries, counters());
}

#[test]
fn a_damaged_chunk_of_registers_costs_no_other() {
    let mut bytes = file();
    // The last chunk but two.
    let begin = bytes.len() - 3 * CHUNK_SIZE;
    bytes[begin + 500] ^= 1;
    let profile = Profile::read(bytes.as_slice()).expect("the header is whole");
    assert_eq!(profile.damage[0].what, DamageKind::Checksum);
    let [calls] = profile.calls.as_slice() else { panic!("{} trees", profile.calls.len()) };
    assert_eq!((&calls.nodes, &calls.samples), (&nodes(), &samples()));
    assert_eq!(calls.registers, registers()[372..]);
    assert_eq!(profile.counters.len(), counters().len());
}

#[test]
fn what_is_no_profile_is_told_by_kind() {
    assert!(matches!(Profile::read(&[][..]), Err(ReadError::Empty)));
    assert!(matches!(Profile::read(&[0; 9000][..]), Err(ReadError::Empty)));
    assert!(matches!(Profile::read(&b"\x7fELF and more"[..]), Err(ReadError::NotAProfile)));
    assert!(matches!(Profile::read(&file()[..20]), Err(ReadError::HeaderCutOff { length: 20 })));
    let mut bytes = file();
    bytes[25] ^= 1;
    assert!(matches!(Profile::read(bytes.as_slice()), Err(ReadError::HeaderDamaged)));
    let missing = Profile::open("/nonexistent/run.oxp").expect_err("no such file");
    assert!(missing.to_string().contains("/nonexistent/run.oxp"), "{missing}");
}

#[test]
fn a_newer_major_version_is_refused_by_number() {
    let mut bytes = file();
    bytes[8] = 2;
    bytes[10] = 0;
    let crc = oxomp_trace::crc::crc32(&bytes[..64]);
    bytes[64..68].copy_from_slice(&crc.to_le_bytes());
    let error = Profile::read(bytes.as_slice()).expect_err("newer");
    assert!(matches!(error, ReadError::NewerVersion { major: 2, minor: 0 }));
    assert!(error.to_string().contains("version 2.0"), "{error}");
}

#[test]
fn a_flipped_bit_costs_its_chunk_only() {
    let mut bytes = file();
    bytes[HEADER_SIZE + CHUNK_SIZE + 500] ^= 0x10;
    let profile = Profile::read(bytes.as_slice()).expect("the header is whole");
    assert_eq!(profile.damage[0].chunk, 1);
    assert_eq!(profile.damage[0].what, DamageKind::Checksum);
    assert_eq!(profile.damage[1].what, DamageKind::Gap { owner: 0 });
    assert_eq!(profile.threads[1].records, records(10));
    assert!(profile.threads[0].records.len() > 2000);
}

/// A small file whose recording ended in order.
fn ended_file() -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &FileHeader::default()).expect("a vector");
    let mut item = [0; 16];
    write_item(&mut item, Tag::End, &[&77_u64.to_le_bytes()]).expect("room");
    writer.info(&item).expect("a vector");
    writer.thread(0, &records(10)).expect("a vector");
    writer.calls(3, &nodes()[..9], &samples()).expect("a vector");
    writer.registers(3, &registers()[..3]).expect("a vector");
    bytes
}

#[test]
fn a_flipped_byte_is_noticed_wherever_it_is() {
    let whole = ended_file();
    let clean = Profile::read(whole.as_slice()).expect("whole");
    assert_eq!((clean.damage.as_slice(), clean.info.end_tick), (&[][..], Some(77)));
    let of_header = |at: usize| match at.checked_sub(HEADER_SIZE) {
        None => at < 70,
        Some(at) => at % CHUNK_SIZE < 26,
    };
    let places = (0..whole.len()).filter(|&at| of_header(at) || at % 2503 == 0);
    for (at, flip) in places.flat_map(|at| [(at, 1), (at, 0xff), (at, 3)]) {
        // A state that becomes another one needs two bits.
        if flip == 3 && (at < HEADER_SIZE || at % 2 == 1) {
            continue;
        }
        let mut bytes = whole.clone();
        bytes[at] ^= flip;
        let noticed = match Profile::read(bytes.as_slice()) {
            Ok(profile) => !profile.damage.is_empty(),
            Err(_) => true,
        };
        assert!(noticed, "byte {at}, changed by {flip:#x}");
    }
}

#[test]
fn nodes_after_a_damaged_chunk_keep_their_numbers() {
    let mut bytes = file();
    // After a chunk of facts and four of events.
    bytes[HEADER_SIZE + 5 * CHUNK_SIZE + 500] ^= 1;
    let profile = Profile::read(bytes.as_slice()).expect("the header is whole");
    assert_eq!(profile.damage[0].what, DamageKind::Checksum);
    let [calls] = profile.calls.as_slice() else { panic!("{} trees", profile.calls.len()) };
    assert_eq!(calls.nodes.len(), nodes().len());
    assert_eq!(calls.nodes[NODES_PER_CHUNK..], nodes()[NODES_PER_CHUNK..]);
    assert!(calls.nodes[..NODES_PER_CHUNK].iter().all(|node| node.count == 0));
    assert_eq!(calls.samples, samples());
}

#[test]
fn an_open_chunk_is_read_up_to_its_committed_size() {
    let mut bytes = file();
    let chunk = HEADER_SIZE + CHUNK_SIZE;
    bytes[chunk + 6] = 1;
    bytes[chunk + 16..chunk + 20].copy_from_slice(&96u32.to_le_bytes());
    bytes[chunk + 64 + 96..chunk + 64 + 128].fill(0xee);
    let profile = Profile::read(bytes.as_slice()).expect("the header is whole");
    assert_eq!(profile.open_chunks, 1);
    assert_eq!(profile.threads[0].records[..3], records(3));
    assert_eq!(profile.threads[0].records[3].tick, 2046);
}

#[test]
fn threads_that_share_a_stream_come_back_apart() {
    let record = |tick, kind| Record { tick, kind: kind as u8, ..Record::default() };
    let life =
        |tick| vec![record(tick, EventKind::ThreadBegin), record(tick, EventKind::ThreadEnd)];
    let mut bytes = Vec::new();
    let mut writer = Writer::new(&mut bytes, &FileHeader::default()).expect("a vector");
    writer.thread(0, &[life(1), life(3), life(4)].concat()).expect("a vector");
    writer.thread(1, &life(2)).expect("a vector");
    let profile = Profile::read(bytes.as_slice()).expect("whole");
    let threads: Vec<_> =
        profile.threads.into_iter().map(|thread| (thread.number, thread.records)).collect();
    assert_eq!(threads, [(0, life(1)), (1, life(2)), (2, life(3)), (3, life(4))]);
}

proptest! {
    #[test]
    fn any_prefix_is_read_and_holds_a_prefix_of_the_events(cut in 0usize..730_000) {
        let bytes = file();
        let cut = cut.min(bytes.len());
        match Profile::read(&bytes[..cut]) {
            Ok(profile) => for thread in &profile.threads {
                let expected = records(5000);
                assert_eq!(thread.records, expected[..thread.records.len()]);
            },
            Err(error) => assert!(cut < HEADER_SIZE, "{error}"),
        }
    }

    #[test]
    fn any_bytes_at_any_place_are_taken_without_panic(
        patches in proptest::collection::vec((0usize..730_000, any::<u8>()), 1..40),
        early in proptest::collection::vec((0usize..4200, any::<u8>()), 0..4),
        headers in proptest::collection::vec((0usize..12, 0usize..64, any::<u8>()), 0..20),
    ) {
        let mut bytes = file();
        let length = bytes.len();
        for (at, byte) in patches.into_iter().chain(early) {
            bytes[at % length] = byte;
        }
        for (chunk, at, byte) in headers {
            bytes[(HEADER_SIZE + chunk * CHUNK_SIZE + at) % length] = byte;
        }
        // Either answer is right: the point is that there is one.
        let _ = Profile::read(bytes.as_slice()).map(|profile| profile.clock().ns(1));
    }

    #[test]
    fn noise_is_taken_without_panic(bytes in proptest::collection::vec(any::<u8>(), 0..5000)) {
        let _ = Profile::read(bytes.as_slice()).is_ok();
    }
}
