//! The functions: their arguments, what they are for, and the bytes that a process contributes.
//!
//! All arguments of MPI's functions are integers, addresses and handles, each of them a word or
//! less, so they are passed on as words. Counts are of type `int`; `both`: there is a second
//! function, whose name ends in `_c`, with counts of type `MPI_Count`, and it has the same sums.
//! Bytes are those of blocks that are sent, of messages by the sender
//! alone; `{}`: the call says nothing of them, or the arguments do not tell.

use std::ffi::{CStr, c_int, c_void};

use oxomp_sys::mpi::{oxomp_mpi_class_t, oxomp_mpi_function_t};

use crate::bytes::{Counts, Word, in_place, is_no_root};
use crate::measure::{MISSING, measure};
use crate::next::Next;

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

/// A function under the name `$symbol`, which calls the next one of this name.
macro_rules! export {
    (@word $argument:ident) => { Word };
    (@int $name:expr, $number:ident, $arguments:tt, $bytes:tt) => {
        export!(concat!("MPI_", $name), $number, false, $arguments, $bytes);
        export!(concat!("PMPI_", $name), $number, false, $arguments, $bytes);
    };
    (@both $name:expr, $number:ident, $arguments:tt, $bytes:tt) => {
        export!(@int $name, $number, $arguments, $bytes);
        export!(concat!("MPI_", $name, "_c"), $number, true, $arguments, $bytes);
        export!(concat!("PMPI_", $name, "_c"), $number, true, $arguments, $bytes);
    };
    ($symbol:expr, $number:ident, $are_wide:expr, ($($argument:ident),*), $bytes:tt) => {
        const _: () = {
            #[unsafe(export_name = $symbol)]
            unsafe extern "C" fn function($($argument: Word),*) -> c_int {
                static NEXT: Next = Next::new(c_string(concat!($symbol, "\0")));
                let next = NEXT.address();
                if next.is_null() {
                    return MISSING;
                }
                let call = || {
                    // SAFETY: a function with this number of words, which the caller passes.
                    unsafe {
                        let next = std::mem::transmute::<
                            *mut c_void,
                            unsafe extern "C" fn($(export!(@word $argument)),*) -> c_int,
                        >(next);
                        next($($argument),*)
                    }
                };
                measure(Number::$number as u32, call, || bytes!($are_wide, $bytes))
            }
        };
    };
}

macro_rules! functions {
    ($($class:ident: { $($name:ident $counts:ident $arguments:tt $bytes:tt;)* })*) => {
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
            export!(@$counts stringify!($name), $name, $arguments, $bytes);
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
        Finalize int () {};
        Session_init int (info, errhandler, session) {};
        Session_finalize int (session) {};
        Comm_dup int (comm, newcomm) {};
        Comm_dup_with_info int (comm, info, newcomm) {};
        Comm_idup int (comm, newcomm, request) {};
        Comm_idup_with_info int (comm, info, newcomm, request) {};
        Comm_split int (comm, color, key, newcomm) {};
        Comm_split_type int (comm, split_type, key, info, newcomm) {};
        Comm_create int (comm, group, newcomm) {};
        Comm_create_group int (comm, group, tag, newcomm) {};
        Comm_create_from_group int (group, stringtag, info, errhandler, newcomm) {};
        Comm_free int (comm) {};
        Comm_disconnect int (comm) {};
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
        Intercomm_merge int (intercomm, high, newintracomm) {};
        Cart_create int (comm, ndims, dims, periods, reorder, newcomm) {};
        Cart_sub int (comm, remain_dims, newcomm) {};
        Graph_create int (comm, nnodes, index, edges, reorder, newcomm) {};
        Dist_graph_create int (
            comm, n, sources, degrees, destinations, weights, info, reorder, newcomm
        )
            {};
        Dist_graph_create_adjacent int (
            comm, indegree, sources, sourceweights, outdegree, destinations, destweights, info,
            reorder, newcomm
        ) {};
    }
    PointToPoint: {
        Send both (buf, count, datatype, dest, tag, comm) {n: n.to(dest, count, datatype)};
        Bsend both (buf, count, datatype, dest, tag, comm) {n: n.to(dest, count, datatype)};
        Rsend both (buf, count, datatype, dest, tag, comm) {n: n.to(dest, count, datatype)};
        Ssend both (buf, count, datatype, dest, tag, comm) {n: n.to(dest, count, datatype)};
        Isend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)};
        Ibsend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)};
        Irsend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)};
        Issend both (buf, count, datatype, dest, tag, comm, request)
            {n: n.to(dest, count, datatype)};
        Recv both (buf, count, datatype, source, tag, comm, status) {};
        Irecv both (buf, count, datatype, source, tag, comm, request) {};
        Mrecv both (buf, count, datatype, message, status) {};
        Imrecv both (buf, count, datatype, message, request) {};
        Sendrecv both (
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, status
        ) {n: n.to(dest, sendcount, sendtype)};
        Isendrecv both (
            sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount, recvtype, source,
            recvtag, comm, request
        ) {n: n.to(dest, sendcount, sendtype)};
        Sendrecv_replace both (buf, count, datatype, dest, sendtag, source, recvtag, comm, status)
            {n: n.to(dest, count, datatype)};
        Isendrecv_replace both (buf, count, datatype, dest, sendtag, source, recvtag, comm, request)
            {n: n.to(dest, count, datatype)};
        Send_init both (buf, count, datatype, dest, tag, comm, request) {};
        Bsend_init both (buf, count, datatype, dest, tag, comm, request) {};
        Rsend_init both (buf, count, datatype, dest, tag, comm, request) {};
        Ssend_init both (buf, count, datatype, dest, tag, comm, request) {};
        Recv_init both (buf, count, datatype, source, tag, comm, request) {};
        Psend_init int (buf, partitions, count, datatype, dest, tag, comm, info, request) {};
        Precv_init int (buf, partitions, count, datatype, source, tag, comm, info, request) {};
        Start int (request) {};
        Startall int (count, requests) {};
        Pready int (partition, request) {};
        Pready_range int (low, high, request) {};
        Pready_list int (length, partitions, request) {};
    }
    Collective: {
        Barrier int (comm) {};
        Ibarrier int (comm, request) {};
        Barrier_init int (comm, info, request) {};
        Bcast both (buffer, count, datatype, root, comm) {n: n.to(root, count, datatype)};
        Ibcast both (buffer, count, datatype, root, comm, request)
            {n: n.to(root, count, datatype)};
        Bcast_init both (buffer, count, datatype, root, comm, info, request) {};
        Gather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
            {n: n.rooted(root, ||
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Igather both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request
        )
            {n: n.rooted(root, ||
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Gather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request
        ) {};
        Gatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm
        )
            {n: n.unless(is_no_root(root) || in_place(sendbuf), || n.of(sendcount, sendtype))};
        Igatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm,
            request
        ) {n: n.unless(is_no_root(root) || in_place(sendbuf), || n.of(sendcount, sendtype))};
        Gatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, info,
            request
        ) {};
        Scatter both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm)
            {n: n.rooted(root, ||
                n.of_either(recvbuf, [recvcount, recvtype], [sendcount, sendtype]))};
        Iscatter both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request
        )
            {n: n.rooted(root, ||
                n.of_either(recvbuf, [recvcount, recvtype], [sendcount, sendtype]))};
        Scatter_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, info, request
        ) {};
        Scatterv both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm
        ) {n: n.unless(is_no_root(root) || in_place(recvbuf), || n.of(recvcount, recvtype))};
        Iscatterv both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm,
            request
        ) {n: n.unless(is_no_root(root) || in_place(recvbuf), || n.of(recvcount, recvtype))};
        Scatterv_init both (
            sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, info,
            request
        ) {};
        Allgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])};
        Iallgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
            {n: n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype])};
        Allgather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {};
        Allgatherv both (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm)
            {n: n.unless(in_place(sendbuf), || n.of(sendcount, sendtype))};
        Iallgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request
        ) {n: n.unless(in_place(sendbuf), || n.of(sendcount, sendtype))};
        Allgatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request
        ) {};
        Alltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.to_each(comm,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Ialltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request)
            {n: n.to_each(comm,
                n.of_either(sendbuf, [sendcount, sendtype], [recvcount, recvtype]))};
        Alltoall_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {};
        Alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
        ) {n: n.all_of_either(comm, sendbuf, [sendcounts, sendtype], [recvcounts, recvtype])};
        Ialltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request
        ) {n: n.all_of_either(comm, sendbuf, [sendcounts, sendtype], [recvcounts, recvtype])};
        Alltoallv_init both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request
        ) {};
        Alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
        ) {};
        Ialltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, request
        ) {};
        Alltoallw_init both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, info, request
        ) {};
        Reduce both (sendbuf, recvbuf, count, datatype, op, root, comm)
            {n: n.rooted(root, || n.of(count, datatype))};
        Ireduce both (sendbuf, recvbuf, count, datatype, op, root, comm, request)
            {n: n.rooted(root, || n.of(count, datatype))};
        Reduce_init both (sendbuf, recvbuf, count, datatype, op, root, comm, info, request) {};
        Allreduce both (sendbuf, recvbuf, count, datatype, op, comm) {n: n.of(count, datatype)};
        Iallreduce both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Allreduce_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request) {};
        Scan both (sendbuf, recvbuf, count, datatype, op, comm) {n: n.of(count, datatype)};
        Iscan both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Scan_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request) {};
        Exscan both (sendbuf, recvbuf, count, datatype, op, comm) {n: n.of(count, datatype)};
        Iexscan both (sendbuf, recvbuf, count, datatype, op, comm, request)
            {n: n.of(count, datatype)};
        Exscan_init both (sendbuf, recvbuf, count, datatype, op, comm, info, request) {};
        Reduce_scatter both (sendbuf, recvbuf, recvcounts, datatype, op, comm)
            {n: n.of_all(comm, recvcounts, datatype)};
        Ireduce_scatter both (sendbuf, recvbuf, recvcounts, datatype, op, comm, request)
            {n: n.of_all(comm, recvcounts, datatype)};
        Reduce_scatter_init both (sendbuf, recvbuf, recvcounts, datatype, op, comm, info, request)
            {};
        Reduce_scatter_block both (sendbuf, recvbuf, recvcount, datatype, op, comm)
            {n: n.to_each(comm, n.of(recvcount, datatype))};
        Ireduce_scatter_block both (sendbuf, recvbuf, recvcount, datatype, op, comm, request)
            {n: n.to_each(comm, n.of(recvcount, datatype))};
        Reduce_scatter_block_init both (
            sendbuf, recvbuf, recvcount, datatype, op, comm, info, request
        ) {};
        Neighbor_allgather both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {n: n.of(sendcount, sendtype)};
        Ineighbor_allgather both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request
        ) {n: n.of(sendcount, sendtype)};
        Neighbor_allgather_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {};
        Neighbor_allgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm
        ) {n: n.of(sendcount, sendtype)};
        Ineighbor_allgatherv both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request
        ) {n: n.of(sendcount, sendtype)};
        Neighbor_allgatherv_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, info,
            request
        ) {};
        Neighbor_alltoall both (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm)
            {};
        Ineighbor_alltoall both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request
        ) {};
        Neighbor_alltoall_init both (
            sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, info, request
        ) {};
        Neighbor_alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm
        ) {};
        Ineighbor_alltoallv both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            request
        ) {};
        Neighbor_alltoallv_init both (
            sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, recvtype, comm,
            info, request
        ) {};
        Neighbor_alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes, comm
        ) {};
        Ineighbor_alltoallw both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, request
        ) {};
        Neighbor_alltoallw_init both (
            sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, recvtypes,
            comm, info, request
        ) {};
    }
    Wait: {
        Wait int (request, status) {};
        Waitall int (count, requests, statuses) {};
        Waitany int (count, requests, index, status) {};
        Waitsome int (incount, requests, outcount, indices, statuses) {};
        Test int (request, flag, status) {};
        Testall int (count, requests, flag, statuses) {};
        Testany int (count, requests, index, flag, status) {};
        Testsome int (incount, requests, outcount, indices, statuses) {};
        Probe int (source, tag, comm, status) {};
        Iprobe int (source, tag, comm, flag, status) {};
        Mprobe int (source, tag, comm, message, status) {};
        Improbe int (source, tag, comm, flag, message, status) {};
        Parrived int (request, partition, flag) {};
        Cancel int (request) {};
        Request_free int (request) {};
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
