//! Constructs for devices, and the operations of devices in them.

use oxomp_trace::Record;

use super::machine::Machine;
use crate::model::{DeviceOperation, Target};

impl Machine<'_> {
    pub(super) fn target_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.target.is_some() {
            // A pause of the recording has hidden its end.
            self.model.tallies.repair("ends that never came");
            self.close_target(time, true);
        }
        self.target = Some(self.model.targets.len());
        self.model.targets.push(Target {
            kind: record.sub,
            device: record.aux,
            code: record.code,
            thread: self.model.threads.len(),
            begin: time,
            end: time,
            ended: true,
        });
    }

    pub(super) fn target_end(&mut self, time: u64) {
        self.advance(time);
        if self.target.is_none() {
            self.model.tallies.anomaly("end of a target construct that had not begun");
        }
        self.close_target(time, true);
    }

    pub(super) fn operation_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        if self.operation.is_some() {
            self.model.tallies.repair("ends that never came");
            self.close_operation(time, true);
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
            ended: true,
        });
    }

    pub(super) fn operation_end(&mut self, time: u64) {
        self.advance(time);
        if self.operation.is_none() {
            self.model.tallies.anomaly("end of a device's operation that had not begun");
        }
        self.close_operation(time, true);
    }

    /// The construct for a device that the thread is in, and the operation, end at `time`, or, if
    /// not `ended`, go on beyond it.
    pub(super) fn close_target(&mut self, time: u64, ended: bool) {
        self.close_operation(time, ended);
        if let Some(target) = self.target.take() {
            let target = &mut self.model.targets[target];
            (target.end, target.ended) = (time, ended);
        }
    }

    fn close_operation(&mut self, time: u64, ended: bool) {
        if let Some(operation) = self.operation.take() {
            let operation = &mut self.model.operations[operation];
            (operation.end, operation.ended) = (time, ended);
        }
    }
}
