//! The events of one location: a file.

use std::io::{self, Write};

use super::chunks::{Chunks, EVENT_CHUNK};
use super::definitions::UNDEFINED;
use super::locks::LockEvent;
use super::record::Record;
use super::role::Paradigm;
use super::tasks::TaskName;

/// Types of events.
mod kind {
    pub(super) const ENTER: u8 = 12;
    pub(super) const LEAVE: u8 = 13;
    pub(super) const SEND: u8 = 14;
    pub(super) const RECEIVE: u8 = 18;
    pub(super) const COLLECTIVE_BEGIN: u8 = 22;
    pub(super) const COLLECTIVE_END: u8 = 23;
    pub(super) const FORK: u8 = 53;
    pub(super) const JOIN: u8 = 54;
    pub(super) const TEAM_BEGIN: u8 = 55;
    pub(super) const TEAM_END: u8 = 56;
    pub(super) const ACQUIRE_LOCK: u8 = 57;
    pub(super) const RELEASE_LOCK: u8 = 58;
    pub(super) const TASK_CREATE: u8 = 59;
    pub(super) const TASK_SWITCH: u8 = 60;
    pub(super) const TASK_COMPLETE: u8 = 61;
}

/// The communicator of all messages.
const WORLD: u32 = 0;
/// Bytes of messages and of collective operations are not known.
const UNKNOWN_SIZE: u64 = 0;

/// The events of a location, being written.
pub(super) struct Events<'a> {
    chunks: Chunks<'a>,
    /// What is added to times: the begin of the process.
    start: u64,
}

impl<'a> Events<'a> {
    /// Those of a process that began `start` ns after the first one.
    pub(super) fn new(start: u64, out: &'a mut dyn Write) -> Self {
        Self { chunks: Chunks::new(EVENT_CHUNK, out), start }
    }

    fn event(&mut self, time: u64, record: &[u8]) -> io::Result<()> {
        self.chunks.event(time.saturating_add(self.start), record)
    }

    /// The process sends a message to that rank of [`WORLD`].
    pub(super) fn send(&mut self, time: u64, to: u32, message: u32) -> io::Result<()> {
        self.message(kind::SEND, time, to, message)
    }

    /// The process has received a message from that rank.
    pub(super) fn receive(&mut self, time: u64, from: u32, message: u32) -> io::Result<()> {
        self.message(kind::RECEIVE, time, from, message)
    }

    /// The number of the message stands in the place of the tag: so readers find both its ends.
    fn message(&mut self, kind: u8, time: u64, rank: u32, message: u32) -> io::Result<()> {
        let mut record = Record::new(kind);
        record.number(rank).number(WORLD).number(message).long(UNKNOWN_SIZE);
        self.event(time, &record.with_length())
    }

    pub(super) fn collective_begin(&mut self, time: u64) -> io::Result<()> {
        self.event(time, &Record::new(kind::COLLECTIVE_BEGIN).with_length())
    }

    pub(super) fn collective_end(
        &mut self,
        time: u64,
        operation: u8,
        communicator: u32,
        root: Option<u32>,
    ) -> io::Result<()> {
        let mut record = Record::new(kind::COLLECTIVE_END);
        record.byte(operation).number(communicator).number(root.unwrap_or(UNDEFINED));
        record.long(UNKNOWN_SIZE).long(UNKNOWN_SIZE);
        self.event(time, &record.with_length())
    }

    pub(super) fn enter(&mut self, time: u64, region: u32) -> io::Result<()> {
        self.event(time, &Record::new(kind::ENTER).number(region).bare())
    }

    pub(super) fn leave(&mut self, time: u64, region: u32) -> io::Result<()> {
        self.event(time, &Record::new(kind::LEAVE).number(region).bare())
    }

    /// The thread begins a region, for which it asks for `threads`.
    pub(super) fn fork(&mut self, time: u64, threads: u32) -> io::Result<()> {
        let mut record = openmp(kind::FORK);
        self.event(time, &record.number(threads).with_length())
    }

    pub(super) fn join(&mut self, time: u64) -> io::Result<()> {
        self.event(time, &openmp(kind::JOIN).with_length())
    }

    pub(super) fn team_begin(&mut self, time: u64, team: u32) -> io::Result<()> {
        self.event(time, &Record::new(kind::TEAM_BEGIN).number(team).with_length())
    }

    pub(super) fn team_end(&mut self, time: u64, team: u32) -> io::Result<()> {
        self.event(time, &Record::new(kind::TEAM_END).number(team).with_length())
    }

    /// A thread makes the task.
    pub(super) fn create_task(&mut self, time: u64, task: TaskName) -> io::Result<()> {
        self.task(kind::TASK_CREATE, time, task)
    }

    /// The thread goes on with the task.
    pub(super) fn switch_task(&mut self, time: u64, task: TaskName) -> io::Result<()> {
        self.task(kind::TASK_SWITCH, time, task)
    }

    /// The task's code is over.
    pub(super) fn complete_task(&mut self, time: u64, task: TaskName) -> io::Result<()> {
        self.task(kind::TASK_COMPLETE, time, task)
    }

    fn task(&mut self, kind: u8, time: u64, task: TaskName) -> io::Result<()> {
        let TaskName { team, thread, number } = task;
        let mut record = Record::new(kind);
        self.event(time, &record.number(team).number(thread).number(number).with_length())
    }

    pub(super) fn lock(&mut self, event: LockEvent) -> io::Result<()> {
        let kind = if event.acquires { kind::ACQUIRE_LOCK } else { kind::RELEASE_LOCK };
        let mut record = openmp(kind);
        self.event(event.time, &record.number(event.lock).number(event.order).with_length())
    }

    /// Ends the file, and returns the number of events.
    pub(super) fn finish(self) -> io::Result<u64> {
        self.chunks.finish()
    }
}

/// A record of an event that several paradigms have.
fn openmp(kind: u8) -> Record {
    let mut record = Record::new(kind);
    record.byte(Paradigm::OpenMp as u8);
    record
}

#[cfg(test)]
mod tests {
    use super::{Events, LockEvent, TaskName};

    #[test]
    fn the_events_are_those_that_libotf2_writes() {
        let mut bytes = Vec::new();
        let mut events = Events::new(0, &mut bytes);
        let lock = |time, acquires, order| LockEvent { time, acquires, lock: 5, order };
        events.enter(1000, 0).unwrap();
        events.fork(1001, 2).unwrap();
        events.team_begin(1001, 0).unwrap();
        events.lock(lock(1002, true, 1)).unwrap();
        events.lock(lock(300_000, false, 70_000)).unwrap();
        events.team_end(300_000, 0).unwrap();
        events.join(300_001).unwrap();
        events.leave(300_001, 0).unwrap();
        assert_eq!(events.finish().unwrap(), 8);
        let expected: Vec<u8> = [
            &b"\x03\x42\x01\0\0\0\0\0\0\0\x08\0\0\0\0\0\0\0\x05\xe8\x03\0\0\0\0\0\0\x0c\0"[..],
            b"\x05\xe9\x03\0\0\0\0\0\0\x35\x03\x03\x01\x02\x37\x01\0",
            b"\x05\xea\x03\0\0\0\0\0\0\x39\x05\x03\x01\x05\x01\x01",
            b"\x05\xe0\x93\x04\0\0\0\0\0\x3a\x07\x03\x01\x05\x03\x70\x11\x01\x38\x01\0",
            b"\x05\xe1\x93\x04\0\0\0\0\0\x36\x01\x03\x0d\0\x02\x01",
        ]
        .concat();
        assert_eq!(bytes, expected);
    }

    #[test]
    fn the_events_of_tasks_are_those_that_libotf2_writes() {
        let mut bytes = Vec::new();
        let mut events = Events::new(0, &mut bytes);
        let task = TaskName { team: 0, thread: 3, number: 7 };
        events.create_task(1001, task).unwrap();
        events.switch_task(1002, task).unwrap();
        events.complete_task(1003, task).unwrap();
        assert_eq!(events.finish().unwrap(), 3);
        let expected: Vec<u8> = [
            &b"\x05\xe9\x03\0\0\0\0\0\0\x3b\x05\0\x01\x03\x01\x07"[..],
            b"\x05\xea\x03\0\0\0\0\0\0\x3c\x05\0\x01\x03\x01\x07",
            b"\x05\xeb\x03\0\0\0\0\0\0\x3d\x05\0\x01\x03\x01\x07\x02\x01",
        ]
        .concat();
        assert_eq!(bytes[18..], expected);
    }

    #[test]
    fn the_events_of_mpi_are_those_that_libotf2_writes() {
        let mut bytes = Vec::new();
        // The process began 10 ns after the first one.
        let mut events = Events::new(10, &mut bytes);
        events.send(1000, 1, 5).unwrap();
        events.receive(1001, 1, 5).unwrap();
        events.collective_begin(1006).unwrap();
        events.collective_end(1007, 11, 0, None).unwrap();
        assert_eq!(events.finish().unwrap(), 4);
        // The sizes, which libotf2 was given, are not known here.
        let expected: Vec<u8> = [
            &b"\x05\xf2\x03\0\0\0\0\0\0\x0e\x06\x01\x01\0\x01\x05\0"[..],
            b"\x05\xf3\x03\0\0\0\0\0\0\x12\x06\x01\x01\0\x01\x05\0",
            b"\x05\xf8\x03\0\0\0\0\0\0\x16\0",
            b"\x05\xf9\x03\0\0\0\0\0\0\x17\x05\x0b\0\xff\0\0\x02\x01",
        ]
        .concat();
        assert_eq!(bytes[18..], expected);
    }
}
