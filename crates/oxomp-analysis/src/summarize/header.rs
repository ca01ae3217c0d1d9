//! Facts about the run.

use oxomp_trace::Profile;

use crate::model::Model;
use crate::processor::name_of;
use crate::resolve::overlap;
use crate::summary::Header;

pub(super) fn header(profile: &Profile, model: &Model, max_team: u32) -> Header {
    let info = &profile.info;
    let wall_ns = model.end;
    // The value is read now and then during the run: without an orderly end it is out of date.
    let in_order = info.end_tick.is_some() && info.stopped.is_none();
    Header {
        command: info.arguments.clone(),
        executable: info.executable.clone(),
        pid: profile.header.pid,
        runtime: info.runtime_version.clone(),
        runtime_path: info
            .runtime_address
            .and_then(|address| info.module_of(address))
            .map(|module| module.path.clone()),
        omp_version: info.omp_version,
        environment: info.environment.clone(),
        phase: None,
        window: None,
        excerpt: info.excerpt.clone(),
        hostname: info.hostname.clone(),
        processor: name_of(info).to_owned(),
        allowed_cpus: info.allowed_cpus,
        started_unix_ns: profile.header.start_unix_ns.saturating_sub(info.age_ns),
        wall_ns,
        recorded_ns: wall_ns - overlap(&model.pauses, 0, wall_ns),
        cpu_ns: info.cpu_ns.filter(|_| in_order),
        max_team,
        threads: most_at_once(model).max(max_team),
        truncated: info.end_tick.is_none(),
    }
}

/// The most threads that lived at the same time.
fn most_at_once(model: &Model) -> u32 {
    let mut changes: Vec<(u64, i64)> = Vec::with_capacity(2 * model.threads.len());
    for thread in &model.threads {
        changes.extend([(thread.begin, 1), (thread.end, -1)]);
    }
    // A thread that ends when another one begins makes room for it.
    changes.sort_unstable();
    let mut living = 0;
    let most = changes.iter().map(|(_, change)| {
        living += change;
        living
    });
    most.max().map_or(0, |most| u32::try_from(most).unwrap_or(u32::MAX))
}
