//! The variables of the table, which set one field each.

use super::reader::Reader;
use crate::icv::table::{FieldsMut, Syntax, VARIABLES};

/// Reads the variables of the table.
pub(super) fn by_table(reader: &mut Reader<'_>, fields: &mut FieldsMut<'_>) {
    for variable in VARIABLES {
        // The last name that is set counts.
        for name in variable.other.into_iter().chain([variable.name]) {
            match &variable.syntax {
                Syntax::Truth { get, set } => {
                    let mut value = get(&fields.as_ref());
                    reader.boolean(name, &mut value);
                    set(fields, value);
                }
                Syntax::Integer { least, get, set } => {
                    let mut value = get(&fields.as_ref());
                    reader.integer(name, *least, &mut value);
                    set(fields, value);
                }
                Syntax::Text { get, set, .. } => {
                    let used = get(&fields.as_ref());
                    reader.read(name, used, |text| set(fields, text));
                }
            }
        }
    }
}
