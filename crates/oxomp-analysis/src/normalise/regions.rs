//! Parallel regions and the implicit tasks of their threads.

use oxomp_trace::Record;

use super::machine::{Frame, Machine, add};
use crate::model::{Member, Next, Region};

impl Machine<'_> {
    pub(super) fn parallel_begin(&mut self, time: u64, record: &Record) {
        self.advance(time);
        let mut region = self.region(record.value);
        if self.model.regions[region as usize].begin.is_some() {
            self.model.tallies.anomaly("region began twice");
            region = add(&mut self.model.regions, Region::default());
            self.known.regions.insert(record.value, region);
        }
        let outer = self.region_frame().and_then(|position| match self.stack[position] {
            Frame::Region { region, .. } => Some(region),
            _ => None,
        });
        let nested = outer.is_some();
        let facts = &mut self.model.regions[region as usize];
        facts.begin = Some(time);
        facts.code = record.code;
        facts.league = record.sub == 1;
        facts.nested = nested;
        facts.outer = outer;
        if !nested {
            self.end_serial(time, Some(record.code));
        }
        self.stack.push(Frame::Region {
            region,
            member: None,
            primary: true,
            arrived: false,
            barriers: 0,
        });
    }

    pub(super) fn parallel_end(&mut self, time: u64, record: &Record) {
        let wanted = match self.part {
            Some((id, part)) if id == record.value => {
                if let Some(&whole) = self.known.regions.get(&id) {
                    self.model.regions[whole as usize].is_over = true;
                }
                Some(part)
            }
            _ => self.known.regions.get(&record.value).copied(),
        };
        // A runtime that passes no parallel data at the end means the innermost region.
        let position = self.stack.iter().rposition(|frame| match frame {
            Frame::Region { region, primary: true, .. } => {
                record.value == 0 || Some(*region) == wanted
            }
            _ => false,
        });
        self.advance(time);
        let Some(position) = position else {
            self.model.tallies.anomaly("end of a region this thread did not begin");
            return;
        };
        self.close_above(position + 1);
        let Some(Frame::Region { region, member, .. }) = self.stack.pop() else { return };
        let facts = &mut self.model.regions[region as usize];
        facts.end = Some(time);
        let wall = time - facts.begin.unwrap_or(time);
        let code = facts.code;
        if let Some(member) = member {
            self.model.members[member as usize].arrival.get_or_insert(time);
            self.model.members[member as usize].release.get_or_insert(time);
        }
        match self.member() {
            Some(outer) => self.model.members[outer as usize].nested += wall,
            None if self.region_frame().is_none() => self.serial = (time, Some(code)),
            None => {}
        }
    }

    pub(super) fn implicit_begin(&mut self, time: u64, record: &Record) {
        let region = self.region(record.value);
        let depth = self.stack.len();
        self.close_arrived();
        if self.stack.len() < depth {
            self.model.tallies.repair("ends that never came");
        }
        self.advance(time);
        self.lead_to(Next::Region(region));
        let member = add(
            &mut self.model.members,
            Member { region, begin: time, arrival: None, release: None, nested: 0 },
        );
        let facts = &mut self.model.regions[region as usize];
        facts.size = facts.size.max(record.aux);
        facts.members.push(member);
        match self.stack.last_mut() {
            Some(Frame::Region { region: begun, member: mine @ None, .. }) if *begun == region => {
                *mine = Some(member);
                facts.primary = Some(member);
            }
            _ => {
                if !self.stack.is_empty() {
                    self.model.tallies.anomaly("implicit task inside another");
                }
                self.stack.push(Frame::Region {
                    region,
                    member: Some(member),
                    primary: false,
                    arrived: false,
                    barriers: 0,
                });
            }
        }
    }

    pub(super) fn implicit_end(&mut self, time: u64) {
        self.advance(time);
        let position = self.region_frame();
        let Some((position, Frame::Region { member: Some(member), primary, arrived, .. })) =
            position.map(|position| (position, &mut self.stack[position]))
        else {
            self.model.tallies.anomaly("end of an implicit task that had not begun");
            return;
        };
        *arrived = true;
        let (member, primary) = (*member, *primary);
        self.close_above(position + 1);
        self.model.members[member as usize].arrival.get_or_insert(time);
        self.model.members[member as usize].release.get_or_insert(time);
        if !primary {
            self.stack.pop();
            self.last = Some(member);
        }
    }
}
