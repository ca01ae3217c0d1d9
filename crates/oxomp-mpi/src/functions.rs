//! The functions: their arguments, what they are for, and the bytes that a process contributes.
//!
//! All arguments of MPI's functions are integers, addresses and handles, each of them a word or
//! less, so they are passed on as words. Counts are of type `int`; `both`: there is a second
//! function, whose name ends in `_c`, with counts of type `MPI_Count`, and it has the same sums.
//! Bytes are those of blocks that are sent, of messages by the sender alone; `{}`: the call says
//! nothing of them, or the arguments do not tell. `[]` says what the call does to messages,
//! collective operations, requests and communicators; without it, none of these.

use std::ffi::{CStr, c_int, c_void};

use oxomp_sys::mpi::{oxomp_mpi_class_t, oxomp_mpi_function_t};

use crate::bytes::{Counts, Word, in_place, is_no_root};
use crate::completion::Which;
use crate::library::MISSING;
use crate::measure::Measured;
use crate::narrow;
use crate::next::Next;
use crate::steps::{Steps, on_start, started_bytes};

/// Bytes by the expression of the table.
macro_rules! bytes {
    ($are_wide:expr, {}) => {
        0
    };
    ($are_wide:expr, {$n:ident: $bytes:expr}) => {{
        let $n = Counts { are_wide: $are_wide };
        $bytes
    }};
}

/// What a call does, by the table, in `steps`.
macro_rules! steps {
    ($into:ident,) => {};
    ($into:ident, $s:ident: $steps:expr) => {
        let $s = &mut $into;
        let _ = $steps;
    };
}

/// A function under the name `$symbol`, which calls the next one of this name.
macro_rules! export {
    (@word $argument:ident) => { Word };
    (@int $name:expr, $number:ident, $arguments:tt, $bytes:tt, $steps:tt) => {
        export!(concat!("MPI_", $name), $name, $number, false, $arguments, $bytes, $steps);
        export!(concat!("PMPI_", $name), $name, $number, false, $arguments, $bytes, $steps);
    };
    (@both $name:expr, $number:ident, $arguments:tt, $bytes:tt, $steps:tt) => {
        export!(@int $name, $number, $arguments, $bytes, $steps);
        export!(concat!("MPI_", $name, "_c"), $name, $number, true, $arguments, $bytes, $steps);
        export!(concat!("PMPI_", $name, "_c"), $name, $number, true, $arguments, $bytes, $steps);
    };
    (
        $symbol:expr, $name:expr, $number:ident, $are_wide:expr, ($($argument:ident),*), $bytes:tt,
        [$($steps:tt)*]
    ) => {
        const _: () = {
            #[unsafe(export_name = $symbol)]
            #[allow(unused_mut, reason = "calls without steps change neither these nor a status")]
            unsafe extern "C" fn function($(mut $argument: Word),*) -> c_int {
                static NEXT: Next = Next::new(c_string(concat!($symbol, "\0")));
                static NARROW: Next = Next::new(c_string(concat!("MPI_", $name, "\0")));
                let next = NEXT.address();
                if next.is_null() && !$are_wide {
                    return MISSING;
                }
                let call = |$($argument: Word),*| {
                    if next.is_null() {
                        let arguments = [$((stringify!($argument), $argument)),*];
                        return narrow::call(&NARROW, $name, &arguments);
                    }
                    // SAFETY: a function with this number of words, which the caller passes.
                    unsafe {
                        let next = std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($(export!(@word $argument)),*) -> c_int,
                        >(next);
                        next($($argument),*)
                    }
                };
                let Some(mut measured) = Measured::enter(Number::$number as u32) else {
                    return call($($argument),*);
                };
                let mut steps = Steps::default();
                steps!(steps, $($steps)*);
                measured.begin();
                let result = call($($argument),*);
                measured.end(result, &steps, || bytes!($are_wide, $bytes))
            }
        };
    };
}

macro_rules! functions {
    ($($class:ident: {
        $($name:ident $counts:ident $arguments:tt $bytes:tt $([$($step:tt)*])?;)*
    })*) => {
        /// The functions by number.
        #[derive(Debug, Clone, Copy)]
        #[allow(non_camel_case_types, reason = "the names are MPI's")]
        #[repr(u32)]
        enum Number { $($($name,)*)* }

        /// The functions in the order of their numbers.
        pub(crate) static FUNCTIONS: [oxomp_mpi_function_t; [$($(Number::$name),*),*].len()] =
            [$($(function(
                c_string(concat!("MPI_", stringify!($name), "\0")),
                oxomp_mpi_class_t::$class,
            )),*),*];

        $($(
            export!(@$counts stringify!($name), $name, $arguments, $bytes, [$($($step)*)?]);
        )*)*
    };
}

const fn function(name: &'static CStr, class: oxomp_mpi_class_t) -> oxomp_mpi_function_t {
    oxomp_mpi_function_t { name: name.as_ptr(), class }
}

const fn c_string(text: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(text.as_bytes()) {
        Ok(text) => text,
        Err(_) => panic!("a name ends with a zero"),
    }
}

functions! {
    Setup: {
        Init int (argc, argv) {};
        Init_thread int (argc, argv, required, provided) {};
        Finalize int () {} [s: s.finalize()];
        Session_init int (info, errhandler, session) {};
        Session_finalize int (session) {};
        Comm_dup int (comm, newcomm) {} [s: s.make(newcomm)];
        Comm_dup_with_info int (comm, info, newcomm) {} [s: s.make(newcomm)];
        Comm_idup int (comm, newcomm, request) {} [s: s.make_like(comm, newcomm)];
        Comm_idup_with_info int (comm, info, newcomm, request) {} [s: s.make_like(comm, newcomm)];
        Comm_split int (comm, color, key, newcomm) {} [s: s.make(newcomm)];
        Comm_split_type int (comm, split_type, key, info, newcomm) {} [s: s.make(newcomm)];
        Comm_create int (comm, group, newcomm) {} [s: s.make(newcomm)];
        Comm_create_group int (comm, group, tag, newcomm) {} [s: s.make(newcomm)];
        Comm_create_from_group int (group, stringtag, info, errhandler, newcomm) {}
            [s: s.make(newcomm)];
        Comm_free int (comm) {} [s: s.free(comm)];
        Comm_disconnect int (comm) {} [s: s.free(comm)];
        Comm_accept int (port_name, info, root, comm, newcomm) {};
        Comm_connect int (port_name, info, root, comm, newcomm) {};
        Comm_join int (fd, intercomm) {};
        Comm_spawn int (command, argv, maxprocs, info, root, comm, intercomm, errcodes) {};
        Comm_spawn_multiple int (
            number, commands, argvs, maxprocs, infos, root, comm, intercomm, errcodes
        ) {};
        Intercomm_create int (
            local_comm, local_leader, peer_comm, remote_leader, tag, newintercomm
        ) {};
        Intercomm_merge int (intercomm, high, newintracomm) {} [s: s.make(newintracomm)];
        Cart_create int (comm, ndims, dims, periods, reorder, newcomm) {} [s: s.make(newcomm)];
        Cart_sub int (comm, remain_dims, newcomm) {} [s: s.make(newcomm)];
        Graph_create int (comm, nnodes, index, edges, reorder, newcomm) {} [s: s.make(newcomm)];
        Dist_graph_create int (
            comm, n, sources, degrees, destinations, weights, info, reorder, newcomm
        ) {} [s: s.make(newcomm)];
        Dist_graph_create_adjacent int (
            comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
            reorder, newcomm
        ) {} [s: s.make(newcomm)];
    }
    PointToPoint: {
        Send both (buf, count, datatype, dest, tag, comm)
            {n: n.to(dest, count, datatype)}
            [s: s.send(dest, tag, comm)];
        Bsend both (buf, count, datatype, dest, tag, comm)
            {n: n.to(dest, count, datatype)}
            [s: s.send(dest, tag, comm)];
        Rsend both (buf, count, datatype, dest, tag, comm)
            {n: n.to(dest, count, datatype)}
            [s: s.send(dest, tag, comm)];
        Ssend both (buf, count, datatype, dest, tag, comm)
            {n: n.to(dest, count, datatype)}
            [s: s.send(dest, tag, comm)];
        Isend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, tag, comm)];
        Ibsend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, tag, comm)];
        Irsend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, tag, comm)];
        Issend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, tag, comm)];
        Recv both (buf, count, datatype, source, tag, comm, status) {}
            [s: s.receive(source, tag, comm, &mut status)];
        Irecv both (buf, count, datatype, source, tag, comm, request) {}
            [s: s.post(source, tag, comm, request)];
        Mrecv both (buf, count, datatype, message, status) {};
        Imrecv both (buf, count, datatype, message, request) {};
        Sendrecv both (
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, status
        )
            {n: n.to(dest, sendcount, sendtype)}
            [s: s.begin_send(dest, sendtag, comm).receive(source, recvtag, comm, &mut status)];
        Isendrecv both (
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, request
        )
            {n: n.to(dest, sendcount, sendtype)}
            [s: s.begin_send(dest, sendtag, comm).post(source, recvtag, comm, request)];
        Sendrecv_replace both (buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, sendtag, comm).receive(source, recvtag, comm, &mut status)];
        Isendrecv_replace both (buf, count, datatype, dest, sendtag, source, recvtag, comm, request)
            {n: n.to(dest, count, datatype)}
            [s: s.begin_send(dest, sendtag, comm).post(source, recvtag, comm, request)];
        Send_init both (buf, count, datatype, dest, tag, comm, request)
            {n: on_start(request, n.to(dest, count, datatype))}
            [s: s.persist([dest, tag, comm], request, true)];
        Bsend_init both (buf, count, datatype, dest, tag, comm, request)
            {n: on_start(request, n.to(dest, count, datatype))}
            [s: s.persist([dest, tag, comm], request, true)];
        Rsend_init both (buf, count, datatype, dest, tag, comm, request)
            {n: on_start(request, n.to(dest, count, datatype))}
            [s: s.persist([dest, tag, comm], request, true)];
        Ssend_init both (buf, count, datatype, dest, tag, comm, request)
            {n: on_start(request, n.to(dest, count, datatype))}
            [s: s.persist([dest, tag, comm], request, true)];
        Recv_init both (buf, count, datatype, source, tag, comm, request) {}
            [s: s.persist([source, tag, comm], request, false)];
        Psend_init int (buf, partitions, count, datatype, dest, tag, comm, info, request) {};
        Precv_init int (buf, partitions, count, datatype, source, tag, comm, info, request) {};
        Start int (request) {_n: started_bytes(1, request)} [s: s.start(1, request)];
        Startall int (count, requests)
            {_n: started_bytes(count, requests)}
            [s: s.start(count, requests)];
        Pready int (partition, request) {};
        Pready_range int (low, high, request) {};
        Pready_list int (length, partitions, request) {};
    }
    Collective: {
        Barrier int (comm) {} [s: s.all(comm)];
        Ibarrier int (comm, request) {};
        Barrier_init int (comm, info, request) {};
        Bcast both (buffer, count, datatype, root, comm)
            {n: n.to(root, count, datatype)}
            [s: s.root_gives(root, comm)];
        Ibcast both (buffer, count, datatype, root, comm, request) {n: n.to(root, count, datatype)};
        Bcast_init both (buffer, count, datatype, root, comm, info, request)
            {n: on_start(request, n.to(root, count, datatype))};
        Gather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
            {n: n.rooted(root, ||
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))}
            [s: s.root_takes(root, comm)];
        Igather both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request
        ) {n: n.rooted(root, ||
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Gather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request
        ) {n: on_start(request, n.rooted(root, ||
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])))};
        Gatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm
        )
            {n: n.unless(is_no_root(root) || in_place(sendbuf), || n.of(sendcount, sendtype))}
            [s: s.root_takes(root, comm)];
        Igatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
            request
        ) {n: n.unless(is_no_root(root) || in_place(sendbuf), || n.of(sendcount, sendtype))};
        Gatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
            request
        )
            {n: on_start(request,
                n.unless(is_no_root(root) || in_place(sendbuf), || n.of(sendcount, sendtype)))};
        Scatter both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
            {n: n.rooted(root, ||
                n.of_either(recvbuf, [recvcount, recvtype], [sendcount, sendtype]))}
            [s: s.root_gives(root, comm)];
        Iscatter both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request
        ) {n: n.rooted(root, ||
                n.of_either(recvbuf, [recvcount, recvtype], [sendcount, sendtype]))};
        Scatter_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request
        ) {n: on_start(request, n.rooted(root, ||
                n.of_either(recvbuf, [recvcount, recvtype], [sendcount, sendtype])))};
        Scatterv both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm
        )
            {n: n.unless(is_no_root(root) || in_place(recvbuf), || n.of(recvcount, recvtype))}
            [s: s.root_gives(root, comm)];
        Iscatterv both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
            request
        ) {n: n.unless(is_no_root(root) || in_place(recvbuf), || n.of(recvcount, recvtype))};
        Scatterv_init both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
            request
        )
            {n: on_start(request,
                n.unless(is_no_root(root) || in_place(recvbuf), || n.of(recvcount, recvtype)))};
        Allgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])}
            [s: s.all(comm)];
        Iallgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
            {n: n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])};
        Allgather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        )
            {n: on_start(request,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Allgatherv both (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)
            {n: n.unless(in_place(sendbuf), || n.of(sendcount, sendtype))}
            [s: s.all(comm)];
        Iallgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request
        ) {n: n.unless(in_place(sendbuf), || n.of(sendcount, sendtype))};
        Allgatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request
        ) {n: on_start(request, n.unless(in_place(sendbuf), || n.of(sendcount, sendtype)))};
        Alltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.to_each(comm,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))}
            [s: s.all(comm)];
        Ialltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
            {n: n.to_each(comm,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Alltoall_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {n: on_start(request, n.to_each(comm,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])))};
        Alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
        )
            {n: n.all_of_either(comm, sendbuf, [sendcounts, sendtype], [recvcounts, recvtype])}
            [s: s.all(comm)];
        Ialltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request
        ) {n: n.all_of_either(comm, sendbuf, [sendcounts, sendtype], [recvcounts, recvtype])};
        Alltoallv_init both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request
        )
            {n: on_start(request,
                n.all_of_either(comm, sendbuf, [sendcounts, sendtype], [recvcounts, recvtype]))};
        Alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
        ) {n: n.of_each_type(
                comm, sendbuf, [sendcounts, sendtypes], [recvcounts, recvtypes])} [s: s.all(comm)];
        Ialltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, request
        ) {n: n.of_each_type(
                comm, sendbuf, [sendcounts, sendtypes], [recvcounts, recvtypes])};
        Alltoallw_init both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, info, request
        ) {n: on_start(request, n.of_each_type(
                comm, sendbuf, [sendcounts, sendtypes], [recvcounts, recvtypes]))};
        Reduce both (sendbuf, recvbuf, count, datatype, op, root, comm)
            {n: n.rooted(root, || n.of(count, datatype))}
            [s: s.root_takes(root, comm)];
        Ireduce both (sendbuf, recvbuf, count, datatype, op, root, comm, request)
            {n: n.rooted(root, || n.of(count, datatype))};
        Reduce_init both (sendbuf, recvbuf, count, datatype, op, root, comm, info, request)
            {n: on_start(request, n.rooted(root, || n.of(count, datatype)))};
        Allreduce both (sendbuf, recvbuf, count, datatype, op, comm)
            {n: n.of(count, datatype)}
            [s: s.all(comm)];
        Iallreduce both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Allreduce_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request)
            {n: on_start(request, n.of(count, datatype))};
        Scan both (sendbuf, recvbuf, count, datatype, op, comm) {n: n.of(count, datatype)};
        Iscan both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Scan_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request)
            {n: on_start(request, n.of(count, datatype))};
        Exscan both (sendbuf, recvbuf, count, datatype, op, comm) {n: n.of(count, datatype)};
        Iexscan both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Exscan_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request)
            {n: on_start(request, n.of(count, datatype))};
        Reduce_scatter both (sendbuf, recvbuf, recvcounts, datatype, op, comm)
            {n: n.of_all(comm, recvcounts, datatype)}
            [s: s.all(comm)];
        Ireduce_scatter both (sendbuf, recvbuf, recvcounts, datatype, op, comm, request)
            {n: n.of_all(comm, recvcounts, datatype)};
        Reduce_scatter_init both (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request)
            {n: on_start(request, n.of_all(comm, recvcounts, datatype))};
        Reduce_scatter_block both (sendbuf, recvbuf, recvcount, datatype, op, comm)
            {n: n.to_each(comm, n.of(recvcount, datatype))}
            [s: s.all(comm)];
        Ireduce_scatter_block both (sendbuf, recvbuf, recvcount, datatype, op, comm, request)
            {n: n.to_each(comm, n.of(recvcount, datatype))};
        Reduce_scatter_block_init both (
            sendbuf, recvbuf, recvcount, datatype, op, comm, info, request
        ) {n: on_start(request, n.to_each(comm, n.of(recvcount, datatype)))};
        Neighbor_allgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.of(sendcount, sendtype)};
        Ineighbor_allgather both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request
        ) {n: n.of(sendcount, sendtype)};
        Neighbor_allgather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {n: on_start(request, n.of(sendcount, sendtype))};
        Neighbor_allgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
        ) {n: n.of(sendcount, sendtype)};
        Ineighbor_allgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request
        ) {n: n.of(sendcount, sendtype)};
        Neighbor_allgatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request
        ) {n: on_start(request, n.of(sendcount, sendtype))};
        Neighbor_alltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.to_neighbours(comm, n.of(sendcount, sendtype))};
        Ineighbor_alltoall both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request
        ) {n: n.to_neighbours(comm, n.of(sendcount, sendtype))};
        Neighbor_alltoall_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {n: on_start(request, n.to_neighbours(comm, n.of(sendcount, sendtype)))};
        Neighbor_alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
        ) {n: n.of_neighbours(comm, sendcounts, sendtype)};
        Ineighbor_alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request
        ) {n: n.of_neighbours(comm, sendcounts, sendtype)};
        Neighbor_alltoallv_init both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request
        ) {n: on_start(request, n.of_neighbours(comm, sendcounts, sendtype))};
        Neighbor_alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
        ) {n: n.of_neighbours_types(comm, sendcounts, sendtypes)};
        Ineighbor_alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, request
        ) {n: n.of_neighbours_types(comm, sendcounts, sendtypes)};
        Neighbor_alltoallw_init both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, info, request
        ) {n: on_start(request, n.of_neighbours_types(comm, sendcounts, sendtypes))};
    }
    Wait: {
        Wait int (request, status) {}
            [s: s.complete(Which::All { flag: None }, 1, request, &mut status)];
        Waitall int (count, requests, statuses) {}
            [s: s.complete(Which::All { flag: None }, count, requests, &mut statuses)];
        Waitany int (count, requests, index, status) {}
            [s: s.complete(Which::Any { index, flag: None }, count, requests, &mut status)];
        Waitsome int (incount, requests, outcount, indices, statuses) {}
            [s: s.complete(
                Which::Some { count: outcount, indices, waits: true }, incount, requests,
                &mut statuses
            )];
        Test int (request, flag, status) {}
            [s: s.complete(Which::All { flag: Some(flag) }, 1, request, &mut status)];
        Testall int (count, requests, flag, statuses) {}
            [s: s.complete(Which::All { flag: Some(flag) }, count, requests, &mut statuses)];
        Testany int (count, requests, index, flag, status) {}
            [s: s.complete(Which::Any { index, flag: Some(flag) }, count, requests, &mut status)];
        Testsome int (incount, requests, outcount, indices, statuses) {}
            [s: s.complete(
                Which::Some { count: outcount, indices, waits: false }, incount, requests,
                &mut statuses
            )];
        Probe int (source, tag, comm, status) {}
            [s: s.probe([source, tag, comm], &mut status, None, false)];
        Iprobe int (source, tag, comm, flag, status) {}
            [s: s.probe([source, tag, comm], &mut status, Some(flag), false)];
        Mprobe int (source, tag, comm, message, status) {}
            [s: s.probe([source, tag, comm], &mut status, None, true)];
        Improbe int (source, tag, comm, flag, message, status) {}
            [s: s.probe([source, tag, comm], &mut status, Some(flag), true)];
        Parrived int (request, partition, flag) {};
        Cancel int (request) {} [s: s.cancel(request)];
        Request_free int (request) {} [s: s.free_request(request)];
    }
    OneSided: {
        Put both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Get both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Rput both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win, request
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Rget both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, win, request
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Accumulate both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Raccumulate both (
            origin_addr, origin_count, origin_datatype, target_rank, target_disp, target_count,
            target_datatype, op, win, request
        ) {n: n.to(target_rank, origin_count, origin_datatype)};
        Get_accumulate both (
            origin_addr, origin_count, origin_datatype, result_addr, result_count,
            result_datatype, target_rank, target_disp, target_count, target_datatype, op, win
        ) {n: n.to(target_rank, result_count, result_datatype)};
        Rget_accumulate both (
            origin_addr, origin_count, origin_datatype, result_addr, result_count,
            result_datatype, target_rank, target_disp, target_count, target_datatype, op, win,
            request
        ) {n: n.to(target_rank, result_count, result_datatype)};
        Fetch_and_op int (origin_addr, result_addr, datatype, target_rank, target_disp, op, win)
            {n: n.to(target_rank, 1, datatype)};
        Compare_and_swap int (
            origin_addr, compare_addr, result_addr, datatype, target_rank, target_disp, win
        ) {n: n.to(target_rank, 1, datatype)};
        Win_create both (base, size, disp_unit, info, comm, win) {};
        Win_allocate both (size, disp_unit, info, comm, baseptr, win) {};
        Win_allocate_shared both (size, disp_unit, info, comm, baseptr, win) {};
        Win_create_dynamic int (info, comm, win) {};
        Win_free int (win) {};
        Win_fence int (assertion, win) {};
        Win_start int (group, assertion, win) {};
        Win_complete int (win) {};
        Win_post int (group, assertion, win) {};
        Win_wait int (win) {};
        Win_test int (win, flag) {};
        Win_lock int (lock_type, rank, assertion, win) {};
        Win_lock_all int (assertion, win) {};
        Win_unlock int (rank, win) {};
        Win_unlock_all int (win) {};
        Win_flush int (rank, win) {};
        Win_flush_all int (win) {};
        Win_flush_local int (rank, win) {};
        Win_flush_local_all int (win) {};
        Win_sync int (win) {};
    }
    Io: {
        File_open int (comm, filename, amode, info, fh) {};
        File_close int (fh) {};
        File_delete int (filename, info) {};
        File_set_size int (fh, size) {};
        File_preallocate int (fh, size) {};
        File_set_view int (fh, disp, etype, filetype, datarep, info) {};
        File_sync int (fh) {};
        File_read both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_read_all both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_read_shared both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_read_ordered both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_read_at both (fh, offset, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_read_at_all both (fh, offset, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_iread both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iread_all both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iread_shared both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iread_at both (fh, offset, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iread_at_all both (fh, offset, buf, count, datatype, request)
            {n: n.of(count, datatype)};
        File_read_all_begin both (fh, buf, count, datatype) {n: n.of(count, datatype)};
        File_read_all_end int (fh, buf, status) {};
        File_read_ordered_begin both (fh, buf, count, datatype) {n: n.of(count, datatype)};
        File_read_ordered_end int (fh, buf, status) {};
        File_read_at_all_begin both (fh, offset, buf, count, datatype) {n: n.of(count, datatype)};
        File_read_at_all_end int (fh, buf, status) {};
        File_write both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_write_all both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_write_shared both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_write_ordered both (fh, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_write_at both (fh, offset, buf, count, datatype, status) {n: n.of(count, datatype)};
        File_write_at_all both (fh, offset, buf, count, datatype, status)
            {n: n.of(count, datatype)};
        File_iwrite both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iwrite_all both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iwrite_shared both (fh, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iwrite_at both (fh, offset, buf, count, datatype, request) {n: n.of(count, datatype)};
        File_iwrite_at_all both (fh, offset, buf, count, datatype, request)
            {n: n.of(count, datatype)};
        File_write_all_begin both (fh, buf, count, datatype) {n: n.of(count, datatype)};
        File_write_all_end int (fh, buf, status) {};
        File_write_ordered_begin both (fh, buf, count, datatype) {n: n.of(count, datatype)};
        File_write_ordered_end int (fh, buf, status) {};
        File_write_at_all_begin both (fh, offset, buf, count, datatype) {n: n.of(count, datatype)};
        File_write_at_all_end int (fh, buf, status) {};
    }
}
