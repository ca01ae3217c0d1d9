//! gcc's programs on devices, by the test plug-in: on oxomp, and on libgomp for comparison.

mod by_hand;
mod events;
mod libraries;
mod offload_compiler;
mod programs;
mod support;
mod tool;
