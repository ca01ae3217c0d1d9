//! Expressions of unwinding tables, in which the kernel and C libraries tell what the simple rules
//! cannot.

use gimli::{Encoding, EndianSlice, EvaluationResult, Expression, Format, LittleEndian, Location};
use gimli::{Value, ValueType};
use oxomp_ompd_layout::Memory;

use super::known::Known;

/// The most operations of one expression.
const MOST_OPERATIONS: u32 = 1 << 10;

/// The value of an expression, with `initial` on its stack.
pub(super) fn value(
    expression: Expression<EndianSlice<'_, LittleEndian>>,
    initial: Option<u64>,
    known: &Known,
    stack: &dyn Memory,
) -> Option<u64> {
    let encoding = Encoding { address_size: 8, format: Format::Dwarf32, version: 4 };
    let mut evaluation = expression.evaluation(encoding);
    evaluation.set_max_iterations(MOST_OPERATIONS);
    if let Some(initial) = initial {
        evaluation.set_initial_value(initial);
    }
    let mut state = evaluation.evaluate().ok()?;
    loop {
        state = match state {
            EvaluationResult::Complete => break,
            EvaluationResult::RequiresMemory { address, size, .. } => {
                let mut bytes = [0; 8];
                let part = bytes.get_mut(..usize::from(size))?;
                if !stack.read(address, part) {
                    return None;
                }
                let word = u64::from_le_bytes(bytes);
                let value = Value::from_u64(ValueType::Generic, word).ok()?;
                evaluation.resume_with_memory(value).ok()?
            }
            EvaluationResult::RequiresRegister { register, .. } => {
                let value = Value::Generic(known.get(register.0)?);
                evaluation.resume_with_register(value).ok()?
            }
            _ => return None,
        };
    }
    match evaluation.result().first()?.location {
        Location::Address { address } => Some(address),
        Location::Value { value } => value.to_u64(u64::MAX).ok(),
        _ => None,
    }
}
