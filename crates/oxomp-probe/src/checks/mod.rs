//! The checks by subject, and the list of all.

mod activation;
mod check;
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

use self::check::Group;

pub(crate) use self::check::Check;

/// All checks, in the order of the report.
const GROUPS: &[Group] = &[
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

/// The whole list as lines of `id, form, group, clause, title`.
pub(crate) fn list() -> String {
    let mut lines = String::new();
    for group in GROUPS {
        for check in group.checks {
            for form in check.forms.names() {
                let Check { id, title, clause, .. } = check;
                lines += &format!("check\t{id}\t{form}\t{}\t{clause}\t{title}\n", group.title);
            }
        }
    }
    lines
}

/// The check of that name.
pub(crate) fn find(id: &str) -> Option<&'static Check> {
    GROUPS.iter().flat_map(|group| group.checks).find(|check| check.id == id)
}
