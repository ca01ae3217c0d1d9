//! Constructs for devices, and the operations of devices in them.

use oxomp_trace::Record;

use super::Machine;
use crate::model::{DeviceOperation, Target};

impl Machine<'_> {
    pub(super) fn target_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.target.is_some() {
            // A pause of the recording has hidden its end.
            self.model.tallies.repair("ends that never came");
            self.close_target(time);
        }
        self.target = Some(self.model.targets.len());
        self.model.targets.push(Target {
            kind: record.sub,
            device: record.aux,
            code: record.code,
            thread: self.model.threads.len(),
            begin: time,
            end: time,
        });
    }

    pub(super) fn target_end(&mut self, time: u64) {
        self.advance(time);
        if self.target.is_none() {
            self.model.tallies.anomaly("end of a target construct that had not begun");
        }
        self.close_target(time);
    }

    pub(super) fn operation_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.operation.is_some() {
            self.model.tallies.repair("ends that never came");
            self.close_operation(time);
        }
        self.operation = Some(self.model.operations.len());
        self.model.operations.push(DeviceOperation {
            kind: record.sub,
            device: record.aux,
            code: record.code,
            thread: self.model.threads.len(),
            value: record.value,
            begin: time,
            end: time,
        });
    }

    pub(super) fn operation_end(&mut self, time: u64) {
        self.advance(time);
        if self.operation.is_none() {
            self.model.tallies.anomaly("end of a device's operation that had not begun");
        }
        self.close_operation(time);
    }

    /// What the thread is in of a construct for a device ends at `time`.
    pub(super) fn close_target(&mut self, time: u64) {
        self.close_operation(time);
        if let Some(target) = self.target.take() {
            self.model.targets[target].end = time;
        }
    }

    fn close_operation(&mut self, time: u64) {
        if let Some(operation) = self.operation.take() {
            self.model.operations[operation].end = time;
        }
    }
}
