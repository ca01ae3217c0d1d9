//! The OMPT tool that `oxomp profile` loads into programs: it records their events in a .oxp file.
//!
//! Callbacks add to their own thread's sums in a shared mapping, and, at the begin of the run and
//! in windows spread over it, append a 32-byte record besides: no lock, no allocation, no
//! formatting. A helper thread does everything else (making room, checksums, clocks, modules). A
//! failure ends the recording, never the program.
//!
//! A child of fork(2) that begins a region has a recording of its own, in a file beside its
//! parent's that begins with the fork.
//!
//! Environment: `OXOMP_TOOL` (profile, off), `OXOMP_OUT` (directory), `OXOMP_MAX_SIZE`,
//! `OXOMP_EVENTS` (some, all, none), `OXOMP_HZ`, `OXOMP_SAMPLER` (auto, timer, off),
//! `OXOMP_COUNTERS` (names), `OXOMP_BANDWIDTH` (bytes per second), `OXOMP_LAST` (seconds),
//! `OXOMP_SLOW_REGION` (seconds), `OXOMP_VERBOSE`.

mod attached;
mod beside;
mod census;
mod child;
mod clock;
mod context;
mod costs;
mod counters;
mod descriptor;
mod facts;
mod fold;
mod holds;
mod last;
mod loader;
mod log;
mod loops;
mod message;
mod mode;
mod mpi_events;
mod mpi_library;
mod offload;
mod origin;
mod overhead;
mod own_thread;
mod pages;
mod perf;
mod phases;
mod place;
mod present;
mod priority;
mod recording;
mod runtime_code;
mod sample;
mod scheduler;
mod seen;
mod settings;
mod slot;
mod slow_regions;
mod store;
mod sums;
mod tasks;
mod team;
mod thread_end;
mod tool;
mod turns;
mod under_way;
mod unreported;
mod usage;
mod visible;
mod wait_class;
mod zeros;
