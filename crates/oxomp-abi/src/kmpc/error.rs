//! The error directive (kmpc).

use oxomp_core::CallSite;
use oxomp_core::error_directive;
use oxomp_core::ompt::event::Severity;

use super::Loc;
use crate::argument::Text;

entry! {
    /// `void __kmpc_error(ident_t *loc, int severity, const char *message)`
    pub fn __kmpc_error(loc: Loc, severity: i32, message: Text) {
        const WARNING: i32 = Severity::Warning as i32;
        let site = CallSite::here();
        let severity = if severity == WARNING { Severity::Warning } else { Severity::Fatal };
        let message = message.get().unwrap_or_default();
        error_directive::run(severity, message, loc.location(site), site);
    }
}
