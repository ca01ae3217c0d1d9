//! Making a program that fails smaller: constructs are left out as long as it fails.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::program::tree::{Block, Program};
use super::run::{Built, Judged, Request};

/// How long one program is worked on.
const LIMIT: Duration = Duration::from_secs(40);

/// How often a smaller program is run: threads do not meet alike each time.
const RUNS: usize = 6;

/// The file of a smaller program that breaks the same rule, if there is one.
#[must_use]
pub fn shrink(
    request: &Request,
    built: &Built,
    program: &Program,
    judged: &Judged,
) -> Option<PathBuf> {
    let clause = judged.violations.first()?.clause;
    let start = Instant::now();
    let mut small = program.clone();
    let name = format!("smaller-{}-{}", built.compiler.name(), program.seed);
    let fails = |program: &Program| {
        let programs = std::slice::from_ref(program);
        Built::new(request, built.compiler, programs, &format!("{name}-try")).is_ok_and(|tried| {
            let fails = (0..RUNS).any(|_| {
                let judged = tried.judge(request, 0, program);
                judged.violations.first().is_some_and(|violation| violation.clause == clause)
            });
            if fails {
                // The kept file is the last that failed.
                let _ = fs::copy(&tried.source, request.folder.join(format!("{name}.c")));
            }
            tried.remove();
            fails
        })
    };
    let mut position = 0;
    let mut is_smaller = false;
    while start.elapsed() < LIMIT {
        let mut tried = small.clone();
        if !leave_out(&mut tried, position) {
            break;
        }
        if fails(&tried) {
            small = tried;
            is_smaller = true;
        } else {
            position += 1;
        }
    }
    is_smaller.then(|| request.folder.join(format!("{name}.c")))
}

/// Leaves out the construct at `position` in the order of the text; false if no construct is there.
fn leave_out(program: &mut Program, position: usize) -> bool {
    let mut left = position;
    if !program.natives.is_empty() {
        if left == 0 {
            program.natives.pop();
            return true;
        }
        left -= 1;
    }
    let blocks = std::iter::once(&mut program.body).chain(&mut program.natives);
    blocks.into_iter().any(|block| leave_out_of(block, &mut left))
}

fn leave_out_of(block: &mut Block, left: &mut usize) -> bool {
    for index in 0..block.len() {
        if *left == 0 {
            block.remove(index);
            return true;
        }
        *left -= 1;
        for inner in block[index].construct.blocks_mut() {
            if leave_out_of(inner, left) {
                return true;
            }
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::leave_out;
    use crate::fuzz::program::draw;

    #[test]
    fn every_construct_can_be_left_out() {
        let mut program = draw::program(3);
        let mut count = 0;
        while leave_out(&mut program, 0) {
            count += 1;
        }
        assert!(count > 0);
        assert!(program.body.is_empty() && program.natives.is_empty());
        assert!(!leave_out(&mut program, 1));
    }
}
