//! Samples as collapsed stacks: a line for each call path of each thread, for `flamegraph.pl`,
//! `inferno` and their like.
//!
//! `thread 0 (initial);main;relax [omp];sqrt 42`: the frames from the thread inwards, separated
//! by semicolons, a space, and the number of samples. Functions of Python have file and line behind
//! their names. Times the sampling period that number is
//! processor time.

use std::io::{self, Write};

use oxomp_analysis::Analysis;

use crate::Extent;
use crate::stacks::{Stacks, full_name, path, thread_name};

/// Writes the samples of `analysis` in the window of `extent`. Returns a remark if there are none,
/// or if some are left out.
///
/// # Errors
///
/// The errors of `out`.
pub fn write(
    analysis: &Analysis,
    extent: Extent,
    out: &mut dyn Write,
) -> io::Result<Option<String>> {
    let stacks = Stacks::of(analysis, extent);
    for stack in &stacks.stacks {
        let mut line = written(&thread_name(analysis, stack.thread));
        for frame in path(analysis, stack.node).into_iter().rev() {
            line.push(';');
            line.push_str(&written(&full_name(&analysis.calls.nodes[frame as usize])));
        }
        writeln!(out, "{line} {}", stack.samples)?;
    }
    Ok(stacks.remark(analysis))
}

/// `name` without the characters that would end it: semicolons become commas, and control
/// characters U+FFFD.
fn written(name: &str) -> String {
    let of = |character: char| match character {
        ';' => ',',
        other if other.is_control() => '\u{fffd}',
        other => other,
    };
    name.chars().map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::written;

    #[test]
    fn no_name_ends_a_frame_or_a_line() {
        assert_eq!(written("f<a; b>\n\x1b[1m"), "f<a, b>\u{fffd}\u{fffd}[1m");
        assert_eq!(written("std::vector<int, A>"), "std::vector<int, A>");
    }
}
