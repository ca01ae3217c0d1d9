//! The packets of a trace, and the texts that they share.

use std::collections::HashMap;
use std::io::{self, Write};

use crate::message::Message;

/// The fields of perfetto's messages, by message.
pub(super) mod field {
    /// The only field of a trace.
    pub(in crate::perfetto) const PACKET: u32 = 1;
    pub(in crate::perfetto) mod packet {
        pub(in crate::perfetto) const TIMESTAMP: u32 = 8;
        pub(in crate::perfetto) const SEQUENCE: u32 = 10;
        pub(in crate::perfetto) const EVENT: u32 = 11;
        pub(in crate::perfetto) const INTERNED: u32 = 12;
        pub(in crate::perfetto) const FLAGS: u32 = 13;
        pub(in crate::perfetto) const DEFAULTS: u32 = 59;
        pub(in crate::perfetto) const TRACK: u32 = 60;
        pub(in crate::perfetto) const SAMPLE: u32 = 66;
    }
    /// Tables of interned data.
    pub(in crate::perfetto) mod table {
        pub(in crate::perfetto) const CATEGORY: u32 = 1;
        pub(in crate::perfetto) const NAME: u32 = 2;
        pub(in crate::perfetto) const ANNOTATION: u32 = 3;
        pub(in crate::perfetto) const LOCATION: u32 = 4;
        pub(in crate::perfetto) const FUNCTION: u32 = 5;
        pub(in crate::perfetto) const FRAME: u32 = 6;
        pub(in crate::perfetto) const CALLSTACK: u32 = 7;
        pub(in crate::perfetto) const MAPPING_PATH: u32 = 17;
        pub(in crate::perfetto) const SOURCE_PATH: u32 = 18;
        pub(in crate::perfetto) const MAPPING: u32 = 19;
    }
    pub(in crate::perfetto) mod event {
        pub(in crate::perfetto) const CATEGORY: u32 = 3;
        pub(in crate::perfetto) const ANNOTATION: u32 = 4;
        pub(in crate::perfetto) const TYPE: u32 = 9;
        pub(in crate::perfetto) const NAME: u32 = 10;
        pub(in crate::perfetto) const TRACK: u32 = 11;
        pub(in crate::perfetto) const LOCATION: u32 = 34;
        pub(in crate::perfetto) const DOUBLE_COUNTER: u32 = 44;
        pub(in crate::perfetto) const FLOW: u32 = 47;
        pub(in crate::perfetto) const LAST_OF_FLOW: u32 = 48;
    }
}

/// The sequence of all packets.
const SEQUENCE: u64 = 1;
/// The texts before this packet are forgotten.
const CLEARED: u64 = 1;
/// The packet uses texts of packets before.
const NEEDS_STATE: u64 = 2;

/// A trace being written.
pub(super) struct Stream<'a> {
    out: &'a mut dyn Write,
    begun: bool,
    /// Tables of interned data: content by table, and its number.
    interned: HashMap<(u32, Message), u64>,
    counts: HashMap<u32, u64>,
    /// Interned data that no packet has told yet.
    fresh: Message,
}

impl<'a> Stream<'a> {
    pub(super) fn new(out: &'a mut dyn Write) -> Self {
        Self {
            out,
            begun: false,
            interned: HashMap::new(),
            counts: HashMap::new(),
            fresh: Message::new(),
        }
    }

    /// The number of `content` in `table`, from 1. In each table the number is field 1.
    pub(super) fn intern(&mut self, table: u32, content: &Message) -> u64 {
        if let Some(number) = self.interned.get(&(table, content.clone())) {
            return *number;
        }
        let count = self.counts.entry(table).or_default();
        *count += 1;
        let number = *count;
        self.fresh.message(table, Message::new().number(1, number).append(content));
        self.interned.insert((table, content.clone()), number);
        number
    }

    /// The number of a text in a table of names or of strings.
    pub(super) fn text(&mut self, table: u32, text: &str) -> u64 {
        self.intern(table, Message::new().text(2, text))
    }

    /// Writes a packet with the field `field`.
    pub(super) fn packet(
        &mut self,
        time: Option<u64>,
        field: u32,
        content: &Message,
    ) -> io::Result<()> {
        let mut packet = Message::new();
        if let Some(time) = time {
            packet.number(field::packet::TIMESTAMP, time);
        }
        packet.number(field::packet::SEQUENCE, SEQUENCE);
        let flags = if self.begun { NEEDS_STATE } else { CLEARED | NEEDS_STATE };
        self.begun = true;
        packet.number(field::packet::FLAGS, flags);
        if !self.fresh.is_empty() {
            packet.message(field::packet::INTERNED, &self.fresh);
            self.fresh = Message::new();
        }
        packet.message(field, content);
        self.out.write_all(Message::new().message(field::PACKET, &packet).bytes())
    }
}
