//! Prints the sampled call tree of a recording: `cargo run --example calls -- run.oxp`.

use std::env;
use std::error::Error;

use oxomp_analysis::Analysis;
use oxomp_analysis::calls::CallTree;
use oxomp_analysis::symbols::Symbols;
use oxomp_trace::Profile;

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("no recording named")?;
    let analysis = Analysis::new(Profile::open(path)?, &mut Symbols::new());
    let calls = &analysis.calls;
    println!("incomplete {}, lost {}, timed {}", calls.incomplete, calls.lost, calls.samples.len());
    print_callees(calls, None, 0);
    Ok(())
}

fn print_callees(calls: &CallTree, caller: Option<u32>, depth: usize) {
    for (index, node) in (0..).zip(&calls.nodes).filter(|(_, node)| node.caller == caller) {
        let line = node.line.as_ref().map(|(file, line)| format!("{file}:{line}"));
        let region = if node.region { " (region)" } else { "" };
        println!(
            "{:depth$}{}{region} {} own {} total {}",
            "",
            node.function,
            line.unwrap_or_default(),
            node.own,
            node.total
        );
        print_callees(calls, Some(index), depth + 2);
    }
}
