//! Advice against more threads than processors.

use crate::report::units::plural;
use crate::summary::Summary;

pub(super) fn advice(summary: &Summary) -> Option<String> {
    let header = &summary.header;
    let nested = summary.regions.iter().any(|region| region.nested > region.serialized);
    let (team, cpus) = (header.max_team, header.allowed_cpus);
    let threads = if nested { header.threads } else { team };
    if cpus == 0 || threads <= cpus {
        return None;
    }
    let remedy = if team <= cpus {
        "smaller teams, since each thread of an outer team has an inner one,".to_owned()
    } else if variable_rules(summary) {
        format!("OMP_NUM_THREADS={cpus}")
    } else {
        format!("{cpus} in num_threads or omp_set_num_threads")
    };
    let verb = if remedy.starts_with("smaller") { "keep" } else { "keeps" };
    Some(format!(
        "{} share {}: {remedy} {verb} them from waiting for each other's turn",
        plural(threads.into(), "thread"),
        plural(cpus.into(), "CPU")
    ))
}

/// Whether the largest team has the size that the environment asks for: a clause or a call in the
/// program overrides the variable.
fn variable_rules(summary: &Summary) -> bool {
    let header = &summary.header;
    let variable = header.environment.iter().find(|(name, _)| name == "OMP_NUM_THREADS");
    let sizes = variable.iter().flat_map(|(_, value)| value.split(','));
    sizes.filter_map(|size| size.trim().parse().ok()).any(|size: u32| size == header.max_team)
}
