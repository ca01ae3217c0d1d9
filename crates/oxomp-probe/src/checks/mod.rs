//! The checks by subject.

mod activation;
mod control;
mod debuggers;
mod devices;
mod ending;
mod entry_points;
mod frames;
mod mutual_exclusion;
mod parallel;
mod registration;
mod states;
mod synchronization;
mod target;
mod task_flags;
mod tasks;
mod teams;
mod threads;
mod worksharing;

use crate::check::Group;

/// All checks, in the order of the report.
pub(crate) const GROUPS: &[Group] = &[
    activation::GROUP,
    registration::GROUP,
    threads::GROUP,
    parallel::GROUP,
    frames::GROUP,
    teams::GROUP,
    worksharing::GROUP,
    synchronization::GROUP,
    mutual_exclusion::GROUP,
    tasks::GROUP,
    task_flags::GROUP,
    states::GROUP,
    entry_points::GROUP,
    control::GROUP,
    target::GROUP,
    devices::GROUP,
    debuggers::GROUP,
    ending::GROUP,
];
