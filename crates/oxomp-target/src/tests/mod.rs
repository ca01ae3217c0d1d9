//! Tests of the parts that need no device, and of constructs on a device that is made for them.

mod constructs;
mod entries;
mod libraries;
mod table;
mod tool;
mod types;
