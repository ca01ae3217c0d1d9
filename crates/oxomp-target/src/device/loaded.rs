//! What a device has loaded of a library: a program, and what came with it.

use core::ops::Range;
use std::collections::VecDeque;

use crate::location::ItemName;
use crate::plugin::{Address, Program};

/// A program that the device has loaded, and what came with it.
#[derive(Debug)]
pub(super) struct Loaded {
    pub(super) library: u64,
    /// None if no image of the library fits the device.
    pub(super) program: Option<LoadedProgram>,
    pub(super) regions: Vec<usize>,
    /// The host addresses of variables that have their counterparts.
    pub(super) variables: Vec<usize>,
    /// The host addresses of variables whose pointers the table knows.
    pub(super) linked: Vec<usize>,
    /// The variables that have no counterparts yet.
    pub(super) arriving: VecDeque<Variable>,
    /// Whether tools have been told of the image, or will be with the device.
    pub(super) is_told: bool,
    pub(super) stage: Stage,
}

/// How far a loaded program has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    /// The variables get their counterparts.
    Arriving,
    /// The library has been closed before its variables had counterparts, or the device has failed.
    Closed,
    /// The variables have their counterparts.
    Ready,
}

/// A program, and the image of which it was made.
#[derive(Debug)]
pub(super) struct LoadedProgram {
    pub(super) program: Box<dyn Program>,
    pub(super) image: Image,
}

/// An image that a device has loaded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Image {
    /// A number that no other loaded image has.
    pub(crate) module: u64,
    /// Where the image is in the host's memory.
    pub(crate) host: usize,
    /// The bytes of the image; 0 if their number is not known.
    pub(crate) bytes: usize,
    /// Where the device has loaded the image, if the plug-in knows it.
    pub(crate) device: Option<Address>,
}

/// A variable of the host that has a counterpart in a program.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub(super) host: Range<usize>,
    pub(super) name: ItemName,
    /// What the program has under the variable's name.
    pub(super) device: Address,
    pub(super) reference: Reference,
}

/// What a program has under the name of a variable of the host.
#[derive(Clone, Copy, Debug)]
pub(super) enum Reference {
    /// The counterpart.
    Direct,
    /// The counterpart of a reference pointer.
    Link,
    /// A pointer to the counterpart, a function.
    Function,
    /// A pointer that leads to the counterpart while the variable is mapped.
    Pointer,
}
