//! The records of a buffer: the code that both interfaces share.

/// Implements what `Records` does in both interfaces, for the `Device` and `Record` in scope;
/// `$format` is the type that numbers the formats of records. The interfaces differ in
/// `Records::at`, the record at a position, and in `Records::after`, the position behind it.
/// `Records` has the device, the address of the buffer and its `bytes`, the position of the `next`
/// record, `None` after the last one, and the position of the `end`, if the device tells it.
macro_rules! records {
    ($format:ident) => {
        impl<'a> Records<'a> {
            /// # Safety
            /// The device has completed the records from `begin` on, up to `end` if this is given,
            /// and they are alive for `'a`.
            pub(super) unsafe fn new(
                device: Device,
                handed: &'a $crate::device::state::Handed,
                begin: u64,
                end: Option<u64>,
            ) -> Self {
                Self {
                    device,
                    buffer: handed.start(),
                    bytes: handed.bytes(),
                    next: Some(begin).filter(|_| Some(begin) != end),
                    end,
                    life: core::marker::PhantomData,
                }
            }

            /// The device that has recorded them.
            pub fn device(&self) -> Device {
                self.device
            }

            /// The size of the buffer, in bytes.
            pub fn buffer_bytes(&self) -> usize {
                self.bytes
            }
        }

        impl Iterator for Records<'_> {
            type Item = Record;

            fn next(&mut self) -> Option<Record> {
                let get_type = self.device.state.functions.get_record_type.function?;
                while let Some(current) = self.next.take() {
                    // SAFETY: the entry point is the device's, as is the buffer.
                    let format = unsafe { get_type(self.buffer, current) };
                    if format == $format::INVALID {
                        break;
                    }
                    let record = self.at(current, format);
                    // With a cursor that stays where it is, the iteration would never end.
                    let is_another = |next: &u64| *next != current && Some(*next) != self.end;
                    self.next = self.after(current).filter(is_another);
                    if record.is_some() {
                        return record;
                    }
                }
                None
            }
        }

        impl core::iter::FusedIterator for Records<'_> {}

        impl core::fmt::Debug for Records<'_> {
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                f.debug_struct("Records").field("device", &self.device).finish_non_exhaustive()
            }
        }
    };
}

pub(crate) use records;
