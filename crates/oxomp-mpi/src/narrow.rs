//! Functions with counts of type `MPI_Count` in the place of which an older library has only those
//! with counts of type `int`.
//!
//! A program may ask the process whether there is a function whose name ends in `_c`, as mpi4py
//! does, and finds ours: so these do what they are for, as long as all counts fit.

use std::ffi::{c_int, c_void};

use crate::bytes::{Word, in_place, int, processes};
use crate::implementation::Implementation;
use crate::library::{MISSING, ask};
use crate::next::Next;

/// The most arguments of a function.
const MOST: usize = 14;
/// `MPI_ERR_COUNT` of both families.
const TOO_MANY: c_int = 2;

/// A call with its arguments by name.
#[derive(Debug, Clone, Copy)]
struct Call<'a> {
    function: &'a str,
    arguments: &'a [(&'static str, Word)],
}

/// Calls `next`, the function with counts of type `int`, in place of `function` with counts of type
/// `MPI_Count` and these arguments.
pub(crate) fn call(next: &Next, function: &str, arguments: &[(&'static str, Word)]) -> c_int {
    let address = next.address();
    // Neighbourhoods have arrays of two lengths.
    let has_arrays = arguments.iter().any(|(name, _)| name.ends_with("counts"));
    let is_known = arguments.len() <= MOST && !(has_arrays && function.contains("eighbor"));
    if address.is_null() || !is_known {
        return MISSING;
    }
    let call = Call { function, arguments };
    let mut words: [Word; MOST] = [0; MOST];
    let mut arrays = Vec::new();
    for (place, &(name, word)) in words.iter_mut().zip(arguments) {
        *place = word;
        if !call.is_significant(name) {
            continue;
        }
        if name.ends_with("counts") || name.ends_with("displs") {
            let Some(array) = narrowed(word, call.processes()) else { return TOO_MANY };
            *place = array.as_ptr().addr();
            arrays.push(array);
        } else if name.ends_with("count") && c_int::try_from(word).is_err() {
            return TOO_MANY;
        }
    }
    // SAFETY: the function has so many of these words, and ignores those behind; the caller has
    // passed what it takes but for the widths of counts.
    let result = unsafe {
        let next = std::mem::transmute::<
            *mut c_void,
            unsafe extern "C" fn(
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
                Word,
            ) -> c_int,
        >(address);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n] = words;
        next(a, b, c, d, e, f, g, h, i, j, k, l, m, n)
    };
    if function.starts_with('I') || function.ends_with("_init") {
        // The library reads them until the request is complete, of which nobody tells.
        std::mem::forget(arrays);
    }
    result
}

/// The `length` numbers of an array as `int`; `None` if one is too large.
fn narrowed(array: Word, length: usize) -> Option<Vec<c_int>> {
    if array == 0 {
        return Some(Vec::new());
    }
    // SAFETY: the standard demands that the array has an element for each process.
    let number = |index| unsafe { (array as *const i64).add(index).read() };
    (0..length).map(|index| c_int::try_from(number(index)).ok()).collect()
}

impl Call<'_> {
    fn argument(self, name: &str) -> Option<Word> {
        self.arguments.iter().find(|(own, _)| *own == name).map(|(_, word)| *word)
    }

    fn processes(self) -> usize {
        self.argument("comm").map_or(0, processes)
    }

    /// Whether the standard says that the argument counts in this process: others may be anything.
    fn is_significant(self, name: &str) -> bool {
        let sends = name.starts_with("send") || name == "sdispls";
        let receives = name.starts_with("recv") || name == "rdispls";
        let is_in_place = |buffer: &str| self.argument(buffer).is_some_and(in_place);
        if (sends && is_in_place("sendbuf")) || (receives && is_in_place("recvbuf")) {
            return false;
        }
        let of_root = match self.function.trim_start_matches(['I', 'i']) {
            name if name.to_ascii_lowercase().starts_with("scatter") => sends,
            name if name.to_ascii_lowercase().starts_with("gather") => receives,
            _ => return true,
        };
        !(of_root || name == "displs") || self.is_root()
    }

    fn is_root(self) -> bool {
        static RANK: Next = Next::new(c"PMPI_Comm_rank");
        static IS_INTER: Next = Next::new(c"PMPI_Comm_test_inter");
        let (Some(root), Some(comm)) = (self.argument("root"), self.argument("comm")) else {
            return true;
        };
        let is_inter = ask(&IS_INTER, comm) != 0;
        int(root) == if is_inter { Implementation::own().root() } else { ask(&RANK, comm) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Call, narrowed};

    #[test]
    fn numbers_that_do_not_fit_are_refused() {
        let wide: [i64; 3] = [7, -1, 1 << 40];
        assert_eq!(narrowed(wide.as_ptr().addr(), 2), Some(vec![7, -1]));
        assert_eq!(narrowed(wide.as_ptr().addr(), 3), None);
    }

    #[test]
    fn what_does_not_count_is_not_looked_at() {
        let is = |function, sendbuf, name| {
            let arguments = &[("sendbuf", sendbuf), ("recvbuf", 64)];
            Call { function, arguments }.is_significant(name)
        };
        assert!(is("Alltoallv", 64, "sendcounts") && !is("Alltoallv", 1, "sendcounts"));
        assert!(is("Alltoallv", 1, "recvcounts") && !is("Alltoallv", usize::MAX, "sdispls"));
        assert!(is("Reduce_scatter", 1, "recvcounts"));
    }
}
