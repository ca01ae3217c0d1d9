//! The functions into which compilers outline the bodies of regions, found in the machine code
//! around a call of the runtime.
//!
//! gcc gives the call of a region's construct any line of the function, often that of the loop
//! around it, and both gcc and clang jump to the runtime where a region is the last statement of a
//! function. The outlined function is an argument of the call: its own lines are the construct's.
//! An address is taken for such an argument only if an outlined function begins there, so that
//! bytes that merely look like an instruction do not matter.

use std::ops::Range;

use oxomp_arch::read::{Calls, Machine};

use crate::module::Function;

/// Bytes before a call in which its argument is set.
const BEFORE_CALL: usize = 96;
/// Bytes after the argument is set in which the jump to the runtime comes.
const BEFORE_JUMP: usize = 64;
/// Functions that jump to each other instead of calling.
const LONGEST_CHAIN: u32 = 4;
/// Bytes between the setting of an argument and a jump to a call that other code makes, too.
const BEFORE_SHARED_CALL: usize = 24;

/// A compiler's way to hand an outlined function to the runtime.
struct Convention {
    /// Number of the argument that holds the function's address.
    argument: usize,
    /// Part of the names of the functions.
    mark: &'static str,
}

/// gcc: the first argument of `GOMP_parallel`; clang and flang: the third of `__kmpc_fork_call`.
const CONVENTIONS: [Convention; 3] = [
    Convention { argument: 0, mark: "._omp_fn." },
    Convention { argument: 2, mark: "omp_outlined" },
    Convention { argument: 2, mark: "..omp_par" },
];

/// What compilers append to the names of a function's copies, and clang to that of the function
/// which has the body of an outlined one.
const COPIES: [&str; 7] =
    [".constprop.", ".isra.", ".part.", ".cold", ".lto_priv.", ".specialized.", "_debug__"];

/// The code of a module.
pub(crate) struct Code<'a> {
    /// Functions by address.
    pub(crate) functions: &'a [Function],
    /// The bytes of a function.
    pub(crate) bytes: &'a dyn Fn(&Function) -> Option<Vec<u8>>,
    pub(crate) machine: Machine,
    /// How code of the machine calls.
    pub(crate) calls: &'a dyn Calls,
}

impl Code<'_> {
    /// The address of the outlined function with which the call that returns to `address`
    /// encounters its construct.
    pub(crate) fn outlined_at(&self, address: u64) -> Option<u64> {
        match self.all_at(address)?.as_slice() {
            [only] => Some(*only),
            _ => None,
        }
    }

    /// The names of the outlined functions of several constructs that share the call which returns
    /// to `address`: `main._omp_fn.0 or main._omp_fn.2`. Compilers make one call of the equal ends
    /// of several constructs.
    pub(crate) fn names_at(&self, address: u64) -> Option<String> {
        let all = self.all_at(address).filter(|all| all.len() > 1)?;
        let names = all.iter().filter_map(|one| name_at(self.functions, *one));
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        Some(names.join(" or "))
    }

    /// The outlined functions with which the call that returns to `address` encounters constructs.
    fn all_at(&self, address: u64) -> Option<Vec<u64>> {
        let (caller, bytes) = self.function_at(address.checked_sub(1)?)?;
        let end = usize::try_from(address - caller.address).ok()?;
        if let Some(called) = self.calls.called(&bytes, end, caller.address)
            && let Some(function) = self.beginning_at(called)
        {
            return Some(vec![self.outlined_at_end_of(function.address)?]);
        }
        let call = self.calls.begin_of_call(&bytes, end)?;
        let arguments = (call.saturating_sub(BEFORE_CALL)..call).rev();
        // What is set before another call, or read from memory, is not known.
        let registers = CONVENTIONS.map(|convention| self.calls.argument(convention.argument));
        let mut arguments = arguments.take_while(|at| !self.calls.hides(&bytes, *at, &registers));
        let found = arguments.find_map(|at| Some((at, self.argument(&bytes, at, caller.address)?)));
        let (at, outlined) = found?;
        let mut all = vec![outlined];
        for other in self.others(&bytes, at..call + 1, caller.address) {
            if !all.contains(&other) {
                all.push(other);
            }
        }
        Some(all)
    }

    /// The outlined functions that code elsewhere makes the argument of a call before it jumps to
    /// that call. `call` has the bytes from the setting of the call's own argument to the call.
    fn others(&self, bytes: &[u8], call: Range<usize>, base: u64) -> impl Iterator<Item = u64> {
        let jumps = (0..bytes.len()).filter(move |at| {
            let target = self.calls.jump_within(bytes, *at);
            target.is_some_and(|target| target > call.start && call.contains(&target))
        });
        jumps.filter_map(move |jump| {
            let mut before = (jump.saturating_sub(BEFORE_SHARED_CALL)..jump).rev();
            before.find_map(|at| self.argument(bytes, at, base))
        })
    }

    /// The address of the outlined function that the function at `address` hands to the runtime by
    /// a jump, as its last act; `None` if there are several.
    pub(crate) fn outlined_at_end_of(&self, address: u64) -> Option<u64> {
        self.last_act(address, LONGEST_CHAIN)
    }

    fn last_act(&self, address: u64, chain: u32) -> Option<u64> {
        let (function, bytes) = self.function_at(address)?;
        let mut found = None;
        for at in 0..bytes.len() {
            let Some(outlined) = self.argument(&bytes, at, function.address) else { continue };
            let behind = at..bytes.len().min(at + BEFORE_JUMP);
            let addresses = function.address..function.address + function.size;
            if !behind.clone().any(|at| self.calls.leaves(&bytes, at, addresses.clone())) {
                continue;
            }
            if found.is_some_and(|other| other != outlined) {
                return None;
            }
            found = Some(outlined);
        }
        found.or_else(|| {
            let next = self.calls.jump_at_end(&bytes, function.address)?;
            let next = self.beginning_at(next)?;
            (chain > 0).then(|| self.last_act(next.address, chain - 1))?
        })
    }

    /// The outlined function that the instruction at `at` makes an argument of the runtime.
    fn argument(&self, bytes: &[u8], at: usize, base: u64) -> Option<u64> {
        CONVENTIONS.iter().find_map(|convention| self.argument_by(convention, bytes, at, base))
    }

    fn argument_by(
        &self,
        convention: &Convention,
        bytes: &[u8],
        at: usize,
        base: u64,
    ) -> Option<u64> {
        let outlined = |address: &u64| {
            self.beginning_at(*address)
                .is_some_and(|function| function.symbol.contains(convention.mark))
        };
        let argument = self.calls.argument(convention.argument);
        if let Some(address) = self.calls.address_into(bytes, at, base, argument) {
            return Some(address).filter(outlined);
        }
        // The address may have been put into another register just before, or kept there since
        // before a loop, if the function keeps no other one there.
        let register = self.calls.copied_into(bytes, at, argument)?;
        let kept = |at| self.calls.address_into(bytes, at, base, register).filter(outlined);
        let lengths = self.calls.lengths_of_address_into().iter();
        let mut just_before = lengths.filter_map(|length| kept(at.checked_sub(*length)?));
        if let Some(address) = just_before.next() {
            return Some(address);
        }
        let mut found = (0..bytes.len()).filter_map(kept);
        let first = found.next()?;
        found.all(|other| other == first).then_some(first)
    }

    /// The function that has `address`, and its bytes.
    pub(crate) fn function_at(&self, address: u64) -> Option<(&Function, Vec<u8>)> {
        let function = function_at(self.functions, address)?;
        Some((function, (self.bytes)(function)?))
    }

    fn beginning_at(&self, address: u64) -> Option<&Function> {
        let found = self.functions.binary_search_by_key(&address, |function| function.address);
        found.ok().map(|index| &self.functions[index])
    }
}

/// The name of the outlined function that holds `address`, in the compiler's words but without what
/// tells copies of it apart; `None` if no compiler outlined it.
pub(crate) fn name_at(functions: &[Function], address: u64) -> Option<&str> {
    let function = function_at(functions, address)?;
    let marked = CONVENTIONS.iter().any(|one| function.symbol.contains(one.mark));
    marked.then(|| without_copies(&function.symbol))
}

/// The function that holds `address`.
fn function_at(functions: &[Function], address: u64) -> Option<&Function> {
    let next = functions.partition_point(|function| function.address <= address);
    let function = &functions[next.checked_sub(1)?];
    (address - function.address < function.size).then_some(function)
}

/// The name of a function without what compilers append to those of its copies.
fn without_copies(symbol: &str) -> &str {
    let end = COPIES.iter().filter_map(|mark| symbol.find(mark)).min();
    &symbol[..end.unwrap_or(symbol.len())]
}

#[cfg(test)]
mod tests;
