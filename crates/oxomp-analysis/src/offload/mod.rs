//! Constructs for devices: sums that threads form in every mode, and from the recorded events what
//! the host did meanwhile.

pub(crate) mod overlap;
pub(crate) mod sums;
mod unfinished;
mod values;

use oxomp_trace::Info;

use crate::summary::{Offload, Site, SiteModule};
use crate::symbols::Symbols;

/// Names the variables of `offload` that are of static storage.
pub(crate) fn name_variables(offload: &mut Offload, info: &Info, symbols: &mut Symbols) {
    for one in offload.repeated.iter_mut().filter(|one| one.address != 0) {
        let module = info.module_of(one.address).map(|module| SiteModule {
            path: module.path.clone(),
            file: module.file.clone(),
            build_id: module.build_id.clone(),
            offset: one.address.wrapping_sub(module.bias),
        });
        one.variable =
            symbols.variable(&Site { codeptr: one.address, module }).map(|variable| variable.name);
    }
}
