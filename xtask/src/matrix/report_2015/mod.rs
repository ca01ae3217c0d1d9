//! The 2015 report, rule by rule: `tests/report_2015.tsv` names, for each rule that binds a
//! runtime, the tests that check it, or the reason why no test can.
//!
//! The table counts only if it holds: each test that it names is there, no rule lacks both a test
//! and a reason, and each event and each entry point of `oxomp_sys::report_2015` has a rule.

mod answers;
mod faults;
mod page;
mod rule;
mod test_name;

pub(crate) use answers::ask;
pub(crate) use faults::faults;
pub(crate) use page::{Report, write};
pub(crate) use rule::read;
