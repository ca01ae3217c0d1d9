//! Random bytes of a recording are changed: every number that becomes wrong is noticed.

use std::fs;

use libtest_mimic::Failed;
use oxomp_analysis::summarize;
use oxomp_trace::Profile;

use crate::Check;
use crate::run::Setting;

/// On one runtime: the file is the collector's.
pub(crate) const ON_OXOMP: &[Check] =
    &[("a_flipped_byte_of_a_recording_changes_no_number_unnoticed", flipped)];

/// This many bytes are changed, each alone.
const FLIPS: u64 = 300;

fn flipped(setting: &Setting) -> Result<(), Failed> {
    let program = setting.compile("critical")?;
    let mut command = setting.command(&program);
    let path = setting.record(command.env("OXOMP_EVENTS", "all"))?;
    let whole = fs::read(&path)?;
    let clean = Profile::read(whole.as_slice()).map_err(|error| error.to_string())?;
    let expected = summarize(&clean);
    let mut noticed = 0;
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    for _ in 0..FLIPS {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let at = (state >> 16) as usize % whole.len();
        let flip = 1 << (state >> 13 & 7);
        let mut bytes = whole.clone();
        bytes[at] ^= flip;
        let is_noticed = match Profile::read(bytes.as_slice()) {
            Ok(profile) => {
                let is_noticed = !profile.damage.is_empty();
                if !is_noticed && summarize(&profile) != expected {
                    return Err(format!("byte {at} of {}, {flip:#x}", whole.len()).into());
                }
                is_noticed
            }
            Err(_) => true,
        };
        noticed += u64::from(is_noticed);
    }
    // Not all of a recording's end is in use.
    if noticed * 2 < FLIPS {
        return Err(format!("{noticed} of {FLIPS} were noticed").into());
    }
    Ok(())
}
