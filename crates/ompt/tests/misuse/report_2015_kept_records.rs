//! Records that were not read are gone when the method returns.

use std::cell::RefCell;

use ompt::report_2015::trace::Records;
use ompt::report_2015::{Initialization, Tool};

struct Keeper;

thread_local! {
    static KEPT: RefCell<Vec<Records<'static>>> = const { RefCell::new(Vec::new()) };
}

#[ompt::report_2015::tool]
impl Tool for Keeper {
    fn initialize(_: &Initialization) -> Option<Self> {
        Some(Self)
    }

    fn trace_records(&self, records: Records<'_>) {
        KEPT.with_borrow_mut(|kept| kept.push(records));
    }
}

fn main() {}
