//! The sums of random programs are what their events add up to.

use std::fs;
use std::path::Path;

use libtest_mimic::Failed;
use oxomp_prerequisites::Program as Tool;
use oxomp_testing::compiler::Family;
use oxomp_testing::fuzz::program::draw;
use oxomp_testing::fuzz::program::tree::Program;
use oxomp_testing::fuzz::run::{Built, Request};

use crate::Check;
use crate::agreement::agree;
use crate::run::Setting;

/// On one runtime, since the programs use what LLVM's runtimes report otherwise.
pub(crate) const ON_OXOMP: &[Check] =
    &[("sums_of_random_programs_are_what_events_add_up_to", programs)];

/// The seeds of the first program of each file. The fuzzer compiles them in turns without
/// optimisation, with it, and with calls that are jumps. The last ones, seeds 40 to 59, are left
/// out: events do not tell some of their regions apart, and the sums do.
const SEEDS: [u64; 4] = [0, 20, 60, 80];
/// The programs in each file.
const COUNT: u64 = 10;

fn programs(setting: &Setting) -> Result<(), Failed> {
    let family = if setting.compiler() == Tool::Gcc { Family::Gcc } else { Family::Clang };
    let request = Request {
        programs: 0,
        seed: 0,
        compilers: vec![family],
        runtime: setting.folder.path().join("lib"),
        recorder: setting.folder.path().to_owned(),
        folder: setting.folder.path().to_owned(),
        most_failures: 1,
        shrinks: false,
    };
    for seed in SEEDS {
        let programs: Vec<Program> = (seed..seed + COUNT).map(draw::program).collect();
        let built = Built::new(&request, family, &programs, &format!("random-{seed}"))?;
        for (index, program) in programs.iter().enumerate() {
            let alone = built.command(&request, index, program);
            let mut command = setting.command(built.executable());
            command.args(alone.get_args());
            let kept = alone.get_envs().filter(|(name, _)| *name != "LD_LIBRARY_PATH");
            command.envs(kept.filter_map(|(name, value)| Some((name, value?))));
            command.env("OXOMP_EVENTS", "all").env("OXOMP_HZ", "0");
            let judged = setting.recording(&mut command);
            judged.and_then(|profile| agree(&profile, true)).map_err(|error| {
                let kept = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("random-{seed}.c"));
                fs::copy(built.executable().with_extension("c"), &kept).ok();
                format!("program {index}, seed {}, of {}: {error}", program.seed, kept.display())
            })?;
        }
    }
    Ok(())
}
