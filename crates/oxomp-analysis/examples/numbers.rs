//! Prints every number of a profile as it is: `cargo run --example numbers -- run.oxp`.

use std::process::ExitCode;

use oxomp_trace::Profile;

fn main() -> ExitCode {
    let Some(path) = std::env::args_os().nth(1) else {
        eprintln!("usage: numbers FILE.oxp");
        return ExitCode::from(2);
    };
    match Profile::open(path) {
        Ok(profile) => {
            println!("{:#?}", oxomp_analysis::summarize(&profile));
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
