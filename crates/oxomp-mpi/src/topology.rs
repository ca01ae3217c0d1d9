//! The processes to which a process sends in collective calls on its neighbourhood.

use std::ffi::c_int;

use crate::bytes::Word;
use crate::implementation::Implementation;
use crate::library::{ask, call};
use crate::next::Next;

/// The number of `MPI_DIST_GRAPH` in both families.
const DISTRIBUTED_GRAPH: c_int = 3;

/// To how many processes this one sends in the topology of `comm`, `MPI_PROC_NULL` included; 0
/// without a topology.
pub(crate) fn neighbours(comm: Word) -> usize {
    static TOPOLOGY: Next = Next::new(c"PMPI_Topo_test");
    static DIMENSIONS: Next = Next::new(c"PMPI_Cartdim_get");
    let topology = ask(&TOPOLOGY, comm);
    let number = if Implementation::own().is_cartesian(topology) {
        // One before and one behind in each dimension.
        2 * ask(&DIMENSIONS, comm)
    } else if topology == DISTRIBUTED_GRAPH {
        of_distributed_graph(comm)
    } else {
        of_graph(comm)
    };
    number.max(0).unsigned_abs() as usize
}

fn of_distributed_graph(comm: Word) -> c_int {
    static COUNT: Next = Next::new(c"PMPI_Dist_graph_neighbors_count");
    let mut numbers: [c_int; 3] = [0; 3];
    let [from, to, weighted] = numbers.each_mut().map(|it| (&raw mut *it).addr());
    if call(&COUNT, [comm, from, to, weighted]) { numbers[1] } else { 0 }
}

fn of_graph(comm: Word) -> c_int {
    static RANK: Next = Next::new(c"PMPI_Comm_rank");
    static COUNT: Next = Next::new(c"PMPI_Graph_neighbors_count");
    let rank = ask(&RANK, comm).unsigned_abs() as Word;
    let mut number: c_int = 0;
    if call(&COUNT, [comm, rank, (&raw mut number).addr()]) { number } else { 0 }
}
