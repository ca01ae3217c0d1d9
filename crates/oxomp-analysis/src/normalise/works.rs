//! Worksharing constructs.

use oxomp_trace::{EventKind, Record};

use super::machine::Machine;
use crate::model::Work;

impl Machine<'_> {
    pub(super) fn work(&mut self, kind: EventKind, time: u64, record: &Record) {
        let member = self.member();
        if kind == EventKind::WorkBegin {
            self.works.push(self.model.works.len());
            self.model.works.push(Work {
                kind: record.sub,
                code: record.code,
                thread: self.model.threads.len(),
                begin: time,
                end: None,
                member,
                iterations: record.value,
                chunks: None,
            });
            return;
        }
        let model = &mut *self.model;
        let open = self.works.iter().rposition(|&work| {
            model.works[work].member == member && model.works[work].kind == record.sub
        });
        // The constructs inside it have ended too.
        match open.and_then(|open| self.works.drain(open..).next()) {
            Some(work) => {
                let work = &mut model.works[work];
                work.end = Some(time);
                work.chunks = Some(record.value).filter(|&chunks| chunks != u64::MAX);
            }
            None => self.unmatched_end("end of worksharing that had not begun"),
        }
    }
}
