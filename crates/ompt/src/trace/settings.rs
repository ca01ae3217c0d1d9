//! The buffers of a trace: what the tool wants, what the device says, and what has become of the
//! buffers.

/// The buffers that a device gets for a trace.
///
/// Unless told otherwise, a buffer has the size that the device recommends, or 256 KiB, some 2500
/// records, if it recommends none; and the device gets as many as it asks for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TraceBuffers {
    bytes: Option<usize>,
    most: Option<usize>,
}

impl TraceBuffers {
    /// The same with buffers of this size in bytes. A device of OpenMP 6.0 that needs more gets
    /// what it needs; other devices cannot use a buffer without room for a record. A standard
    /// record has up to 104 bytes.
    #[must_use]
    pub const fn bytes(self, bytes: usize) -> Self {
        Self { bytes: Some(bytes), ..self }
    }

    /// The same with at most this many buffers at once in the hands of the device. A device that is
    /// refused a buffer may drop records until the trace is started again.
    #[must_use]
    pub const fn at_most(self, buffers: usize) -> Self {
        Self { most: Some(buffers), ..self }
    }

    pub(crate) fn size(self) -> Option<usize> {
        self.bytes
    }

    pub(crate) fn most(self) -> Option<usize> {
        self.most
    }
}

/// The limits of the buffers of a device (OpenMP 6.0 §37.6). They do not change while a trace runs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BufferLimits {
    /// The most buffers that the device uses at once; 0 if the runtime says nothing sensible.
    pub max_buffers: u32,
    /// The size of a buffer, in bytes, that the device recommends.
    pub recommended_bytes: usize,
}

/// What has become of the buffers of a device, since the device began.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct TraceStatus {
    /// How often the device has asked for a buffer.
    pub requested: u64,
    /// How often the device got no buffer, by the limit that the tool has set or for want of
    /// memory.
    pub refused: u64,
    /// How many buffers the device has given back.
    pub returned: u64,
    /// How many buffers the device has now.
    pub outstanding: usize,
    /// The bytes of the buffers that the device has now.
    pub outstanding_bytes: usize,
}
