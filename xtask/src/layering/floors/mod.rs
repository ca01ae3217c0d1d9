//! The floors of each crate, the pairs of neighbours and the exceptions: one file a crate.

mod abi;
mod analysis;
mod arch;
mod base;
mod cli;
mod collect;
mod core;
mod export;
mod html;
mod inspect;
mod libompd;
mod ompt;
mod probe;
mod protocol;
mod sys;
mod table;
mod target;
mod testing;
mod trace;
mod xtask;

pub use self::table::{Allowed, Blocks, Floor, Rules};

/// The crates with floors.
const ALL: [(&str, Rules); 19] = [
    ("libompd", libompd::RULES),
    ("ompt", ompt::RULES),
    ("oxomp", cli::RULES),
    ("oxomp-abi", abi::RULES),
    ("oxomp-analysis", analysis::RULES),
    ("oxomp-arch", arch::RULES),
    ("oxomp-base", base::RULES),
    ("oxomp-collect", collect::RULES),
    ("oxomp-core", core::RULES),
    ("oxomp-export", export::RULES),
    ("oxomp-html", html::RULES),
    ("oxomp-inspect", inspect::RULES),
    ("oxomp-probe", probe::RULES),
    ("oxomp-protocol", protocol::RULES),
    ("oxomp-sys", sys::RULES),
    ("oxomp-target", target::RULES),
    ("oxomp-testing", testing::RULES),
    ("oxomp-trace", trace::RULES),
    ("xtask", xtask::RULES),
];

/// The rules for the inside of the crate `name`.
pub fn of(name: &str) -> Rules {
    ALL.iter().find(|(of, _)| *of == name).map_or(Rules::ONE_ROOM, |(_, rules)| *rules)
}
