//! What a tool is attached by while the program runs (`oxomp_sys::attach`).

use oxomp_core::ompt::tool;
use oxomp_sys::attach::oxomp_attach_t;

data! {
    /// Where a request to attach a tool is written.
    pub static oxomp_attach: oxomp_attach_t = oxomp_attach_t::new();
}

/// Runs when the library is loaded, before a tool may start the runtime.
extern "C" fn at_load() {
    tool::install_request(&oxomp_attach);
}

#[used]
#[unsafe(link_section = ".init_array.00101")]
static AT_LOAD: extern "C" fn() = at_load;
