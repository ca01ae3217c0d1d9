//! Processes and ranks in words.

use crate::ranks::Brief;

/// Names in a list; the others are counted.
const LISTED: usize = 8;

pub(super) fn list(names: &[String]) -> String {
    let mut text = names[..names.len().min(LISTED)].join(", ");
    if names.len() > LISTED {
        text.push_str(&format!(" and {} more", names.len() - LISTED));
    }
    text
}

/// `rank 3`, `ranks 2, 5 to 9, 12`.
#[must_use]
pub fn rank_list(ranks: &[u32]) -> String {
    let mut runs: Vec<(u32, u32)> = Vec::new();
    for &rank in ranks {
        match runs.last_mut() {
            Some((_, last)) if *last + 1 == rank => *last = rank,
            _ => runs.push((rank, rank)),
        }
    }
    let runs: Vec<String> = runs
        .into_iter()
        .flat_map(|(first, last)| match last - first {
            0 => vec![first.to_string()],
            1 => vec![first.to_string(), last.to_string()],
            _ => vec![format!("{first} to {last}")],
        })
        .collect();
    format!("rank{} {}", if ranks.len() == 1 { "" } else { "s" }, list(&runs))
}

/// `rank 3`, or `process 4711`.
#[must_use]
pub fn process_name(process: &Brief) -> String {
    match &process.rank {
        Some(rank) => format!("rank {}", rank.number),
        None => format!("process {}", process.pid),
    }
}

pub(super) fn command(process: &Brief) -> String {
    let command = process.command.join(" ");
    command.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

pub(super) fn many(number: u64) -> String {
    if number == 1 { "1 process".to_owned() } else { format!("{number} processes") }
}
