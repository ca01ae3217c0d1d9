//! The calls of MPI, with the messages and collective operations in them.

use std::io;

use oxomp_analysis::ranks::{Exchange, MpiPart};

use super::definitions::UNDEFINED;
use super::events::Events;
use super::role::{Paradigm, Role};
use super::shared::{Region, Shared};

/// A call on a thread, with what the process exchanged in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Call {
    pub(super) begin: u64,
    pub(super) end: u64,
    /// The function: a position in the job's.
    function: u16,
    parts: Vec<Exchange>,
}

impl Call {
    /// A moment at which it was certainly under way.
    pub(super) fn middle(&self) -> u64 {
        self.begin + (self.end - self.begin) / 2
    }

    /// Writes the call from `begin` to `end`: those of the job's `functions` are the names.
    pub(super) fn write(
        &self,
        (begin, end): (u64, u64),
        functions: &[String],
        shared: &mut Shared,
        events: &mut Events<'_>,
    ) -> io::Result<()> {
        let function = functions.get(usize::from(self.function)).map_or("MPI", String::as_str);
        let operation = operation(function);
        let role = match operation {
            Some((_, role)) => role,
            None if self.parts.iter().any(|part| matches!(part, Exchange::Collective { .. })) => {
                Role::OtherCollective
            }
            None => Role::PointToPoint,
        };
        let (name, paradigm) = (function.to_owned(), Paradigm::Mpi);
        let region = shared.region(Region { name, place: (UNDEFINED, 0), role, paradigm });
        events.enter(begin, region)?;
        for part in &self.parts {
            match *part {
                Exchange::Send { message, to } => events.send(begin, to, message)?,
                Exchange::Collective { .. } if operation.is_some() => {
                    events.collective_begin(begin)?;
                }
                Exchange::Receive { .. } | Exchange::Collective { .. } => {}
            }
        }
        for part in &self.parts {
            match (*part, operation) {
                (Exchange::Receive { message, from }, _) => events.receive(end, from, message)?,
                (Exchange::Collective { communicator, root }, Some((operation, _))) => {
                    events.collective_end(end, operation, communicator, root)?;
                }
                (Exchange::Send { .. } | Exchange::Collective { .. }, _) => {}
            }
        }
        events.leave(end, region)
    }
}

/// The calls of a process, those of a list one after the other.
#[derive(Debug, Default)]
pub(super) struct Calls {
    pub(super) on_main_thread: Vec<Call>,
    /// Of threads of which nothing else is known: as many lists as there were at the same time.
    pub(super) on_others: Vec<Vec<Call>>,
}

impl Calls {
    /// Those of the `parts`, which are in the order of their begins.
    pub(super) fn of(parts: impl Iterator<Item = MpiPart>) -> Self {
        let mut calls = Self::default();
        for part in parts {
            let MpiPart { begin_ns: begin, end_ns: end, function, on_main_thread, what } = part;
            let key = (begin, end, function);
            let is_same = |call: &Call| (call.begin, call.end, call.function) == key;
            let list = match on_main_thread {
                true => &mut calls.on_main_thread,
                false => calls.list(begin, is_same),
            };
            match list.last_mut().filter(|last| is_same(last)) {
                Some(last) => last.parts.push(what),
                None => list.push(Call { begin, end, function, parts: vec![what] }),
            }
        }
        calls
    }

    /// The list of other threads for a call from `begin` on, or for one more part of it.
    fn list(&mut self, begin: u64, is_same: impl Fn(&Call) -> bool) -> &mut Vec<Call> {
        let is_for =
            |list: &Vec<Call>| list.last().is_none_or(|last| last.end <= begin || is_same(last));
        let known = self.on_others.iter().position(is_for);
        let position = known.unwrap_or_else(|| {
            self.on_others.push(Vec::new());
            self.on_others.len() - 1
        });
        &mut self.on_others[position]
    }
}

/// The number of a collective operation in the format, and the role of its region; `None` for a
/// function that is none there.
fn operation(function: &str) -> Option<(u8, Role)> {
    let number = match function.strip_prefix("MPI_")? {
        "Barrier" => return Some((0, Role::Barrier)),
        "Bcast" => 1,
        "Gather" => 2,
        "Gatherv" => 3,
        "Scatter" => 4,
        "Scatterv" => 5,
        "Allgather" => 6,
        "Allgatherv" => 7,
        "Alltoall" => 8,
        "Alltoallv" => 9,
        "Alltoallw" => 10,
        "Allreduce" => 11,
        "Reduce" => 12,
        "Reduce_scatter" => 13,
        "Reduce_scatter_block" => 16,
        "Comm_free" => 18,
        name if name.starts_with("Comm_") => 17,
        _ => return None,
    };
    let role = match number {
        1 | 4 | 5 => Role::OneToAll,
        2 | 3 | 12 => Role::AllToOne,
        17 | 18 => Role::OtherCollective,
        _ => Role::AllToAll,
    };
    Some((number, role))
}

#[cfg(test)]
mod tests {
    use super::{Call, Calls};
    use oxomp_analysis::ranks::{Exchange, MpiPart};

    const fn send(message: u32) -> Exchange {
        Exchange::Send { message, to: 1 }
    }

    fn part(span: (u64, u64), on_main_thread: bool, what: Exchange) -> MpiPart {
        MpiPart { begin_ns: span.0, end_ns: span.1, function: 0, on_main_thread, what }
    }

    #[test]
    fn what_one_call_exchanges_is_together_and_calls_at_a_time_are_apart() {
        let receive = Exchange::Receive { message: 7, from: 2 };
        let parts = [
            part((10, 20), true, send(1)),
            part((10, 20), true, receive),
            part((12, 30), false, send(2)),
            part((15, 18), false, send(3)),
            part((18, 25), false, send(4)),
            part((20, 20), true, send(5)),
        ];
        let calls = Calls::of(parts.into_iter());
        let call = |(begin, end), parts: &[Exchange]| Call {
            begin,
            end,
            function: 0,
            parts: parts.to_vec(),
        };
        let main = [call((10, 20), &[send(1), receive]), call((20, 20), &[send(5)])];
        assert_eq!(calls.on_main_thread, main);
        let others = [
            vec![call((12, 30), &[send(2)])],
            vec![call((15, 18), &[send(3)]), call((18, 25), &[send(4)])],
        ];
        assert_eq!(calls.on_others, others);
    }
}
