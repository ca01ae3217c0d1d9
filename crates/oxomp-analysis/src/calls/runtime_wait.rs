//! Waits in the runtime that samples find, by the function that the user's code called.

use super::builder::Builder;
use super::code::Code;

/// What the runtime waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RuntimeWait {
    /// Another iteration of a doacross loop nest. No event tells for how long: the sink's event
    /// comes when the wait is over.
    Iteration,
    /// The thread's turn in an ordered region; events tell of these waits. Where no iteration of a
    /// chunk has met the region, the whole chunk waits for its turn, and the called function does
    /// not tell of this wait.
    Turn,
    /// The others that combine their parts of a reduction, one after the other. An event says that
    /// the reduction begins; no event says that the thread's turn has come.
    Reduction,
}

impl RuntimeWait {
    /// The wait of a runtime's function of this name, as `__kmpc_doacross_wait`.
    fn of_function(name: &str) -> Option<Self> {
        match name {
            _ if name.contains("doacross") && name.contains("wait") => Some(Self::Iteration),
            "__kmpc_ordered" | "GOMP_ordered_start" => Some(Self::Turn),
            "__kmpc_reduce" | "__kmpc_reduce_nowait" => Some(Self::Reduction),
            _ => None,
        }
    }
}

impl Builder<'_> {
    /// The wait in the runtime at the end of a path of addresses, the outermost first, and the
    /// position of the user's call in the path.
    pub(super) fn runtime_wait(&mut self, path: &[u64]) -> Option<(RuntimeWait, usize)> {
        let caller = path.iter().rposition(|at| matches!(self.code(*at), Code::User(_)))?;
        let &entry = path.get(caller + 1)?;
        let Code::Runtime = self.code(entry) else { return None };
        let wait = RuntimeWait::of_function(&self.runtime_function(entry))?;
        Some((wait, caller))
    }
}

#[cfg(test)]
mod tests {
    use super::RuntimeWait;

    #[test]
    fn functions_of_both_interfaces_are_known() {
        for (name, expected) in [
            ("__kmpc_doacross_wait", Some(RuntimeWait::Iteration)),
            ("GOMP_doacross_wait", Some(RuntimeWait::Iteration)),
            ("GOMP_doacross_ull_wait", Some(RuntimeWait::Iteration)),
            ("__kmpc_doacross_post", None),
            ("GOMP_ordered_start", Some(RuntimeWait::Turn)),
            ("__kmpc_ordered", Some(RuntimeWait::Turn)),
            ("__kmpc_end_ordered", None),
            ("GOMP_loop_ordered_dynamic_next", None),
            ("GOMP_loop_ull_ordered_static_start", None),
            ("__kmpc_reduce", Some(RuntimeWait::Reduction)),
            ("__kmpc_reduce_nowait", Some(RuntimeWait::Reduction)),
            ("__kmpc_end_reduce", None),
            ("__kmpc_barrier", None),
        ] {
            assert_eq!(RuntimeWait::of_function(name), expected, "{name}");
        }
    }
}
