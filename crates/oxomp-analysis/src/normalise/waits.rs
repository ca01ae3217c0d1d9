//! Waits in barriers, taskwait and taskgroup, and the tasks executed in them.

use oxomp_trace::Record;

use super::machine::{Frame, Machine, add};
use super::ompt;
use crate::model::{BarrierWait, Task};

impl Machine<'_> {
    pub(super) fn wait_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        match record.sub {
            ompt::SYNC_TASKWAIT | ompt::SYNC_TASKGROUP => self.stack.push(Frame::Taskwait),
            ompt::SYNC_REDUCTION => {}
            ompt::SYNC_BARRIER_IMPLICIT_PARALLEL | ompt::SYNC_BARRIER_TEAMS => {
                match self.region_frame().map(|position| &mut self.stack[position]) {
                    Some(Frame::Region { member: Some(member), arrived, .. }) if !*arrived => {
                        *arrived = true;
                        self.model.members[*member as usize].arrival = Some(time);
                    }
                    _ => self.model.tallies.anomaly("a region's last barrier outside a region"),
                }
            }
            kind => {
                let Some(position) = self.region_frame() else {
                    return self.stack.push(Frame::Barrier { wait: None });
                };
                let Frame::Region { region, member, barriers, .. } = &mut self.stack[position]
                else {
                    return;
                };
                let (ordinal, member) = (*barriers, *member);
                *barriers = barriers.wrapping_add(1);
                let facts = &mut self.model.regions[*region as usize];
                let region_code = facts.code;
                let last = facts.last_arrivals.entry(ordinal).or_default();
                *last = time.max(*last);
                let mut code = record.code;
                if code == 0 && region_code != 0 {
                    self.model.tallies.repair("barriers without a code address");
                    code = region_code;
                }
                let work = self.last_work(member).filter(|_| kind == ompt::SYNC_BARRIER_WORKSHARE);
                let (ends, construct) = (work.map(|work| work.0), work.map(|work| work.1));
                let left = false;
                let wait = BarrierWait { kind, code, member, ordinal, ends, construct, left };
                let wait = add(&mut self.model.barrier_waits, wait);
                self.stack.push(Frame::Barrier { wait: Some(wait) });
            }
        }
    }

    /// The work type and the code address of the last worksharing construct that the implicit task
    /// reported.
    fn last_work(&self, member: Option<u32>) -> Option<(u8, u64)> {
        // The works of this thread are at the end of the list.
        let last = self.model.works.last().filter(|work| work.member == member);
        last.map(|work| (work.kind, work.code))
    }

    /// Puts an explicit task on the stack, whose construct has the address `code`.
    fn push_task(&mut self, code: u64) {
        let (begin, end) = (self.now, self.now);
        let task = |member| Task { member, code, begin, end, is_over: false };
        let task = self.member().map(|member| add(&mut self.model.tasks, task(member)));
        self.stack.push(Frame::Task { task });
    }

    /// The thread leaves the explicit task on the top of the stack, if there is one. While no
    /// events are recorded, its stretch has ended with them.
    pub(super) fn leave_task(&mut self, is_over: bool) {
        if let Some(&Frame::Task { task: Some(task) }) = self.stack.last()
            && !self.folding
        {
            let task = &mut self.model.tasks[task as usize];
            (task.end, task.is_over) = (self.now, is_over);
        }
    }

    /// The events of the thread end: so do the stretches of the tasks that it has begun.
    pub(super) fn cut_tasks(&mut self) {
        for frame in self.stack.iter().filter(|_| !self.folding) {
            if let Frame::Task { task: Some(task) } = frame {
                self.model.tasks[*task as usize].end = self.now;
            }
        }
    }

    pub(super) fn wait_end(&mut self, time: u64, record: &Record) {
        self.advance(time);
        match record.sub {
            ompt::SYNC_REDUCTION => {}
            ompt::SYNC_BARRIER_IMPLICIT_PARALLEL | ompt::SYNC_BARRIER_TEAMS => {
                match self.region_frame().map(|position| self.stack[position]) {
                    Some(Frame::Region { member: Some(member), arrived: true, .. }) => {
                        self.model.members[member as usize].release.get_or_insert(time);
                    }
                    _ => self.model.tallies.anomaly("end of a wait that had not begun"),
                }
            }
            kind => {
                let floor = self.region_frame().map_or(0, |position| position + 1);
                let taskwait = matches!(kind, ompt::SYNC_TASKWAIT | ompt::SYNC_TASKGROUP);
                let found = self.stack[floor..].iter().rposition(|frame| match frame {
                    Frame::Taskwait => taskwait,
                    Frame::Barrier { .. } => !taskwait,
                    _ => false,
                });
                match found {
                    Some(position) => {
                        self.close_above(floor + position + 1);
                        if let Some(Frame::Barrier { wait: Some(wait) }) = self.stack.pop() {
                            self.model.barrier_waits[wait as usize].left = true;
                        }
                    }
                    None => self.unmatched_end("end of a wait that had not begun"),
                }
            }
        }
    }

    pub(super) fn task_switch(&mut self, time: u64, record: &Record) {
        self.advance(time);
        let explicit = record.aux != 0;
        let floor = self.region_frame().map_or(0, |position| position + 1);
        let task =
            self.stack[floor..].iter().rposition(|frame| matches!(frame, Frame::Task { .. }));
        match record.sub {
            ompt::TASK_SWITCH | ompt::TASK_YIELD if explicit => self.push_task(record.code),
            ompt::TASK_SWITCH
            | ompt::TASK_YIELD
            | ompt::TASK_COMPLETE
            | ompt::TASK_CANCEL
            | ompt::TASK_DETACH => match task {
                Some(position) => {
                    self.close_above(floor + position + 1);
                    self.leave_task(!matches!(record.sub, ompt::TASK_SWITCH | ompt::TASK_YIELD));
                    self.stack.pop();
                    // Another explicit task follows directly, unless it is the one below.
                    let below =
                        self.stack[floor..].iter().any(|frame| matches!(frame, Frame::Task { .. }));
                    if explicit && !below {
                        self.push_task(record.code);
                    }
                }
                None if explicit => self.push_task(record.code),
                None => self.unmatched_end("end of a task that had not begun"),
            },
            _ => {}
        }
    }
}
