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
mod tests {
    use oxomp_arch::read::Machine;

    use super::{Code, Function, name_at};

    fn function(address: u64, size: u64, symbol: &str) -> Function {
        Function { address, size, symbol: symbol.to_owned() }
    }

    fn code<'a>(
        functions: &'a [Function],
        bytes: &'a dyn Fn(&Function) -> Option<Vec<u8>>,
    ) -> Code<'a> {
        let machine = Machine::INSPECTED;
        Code { functions, bytes, machine, calls: machine.calls().expect("they are known") }
    }

    /// What is found in a function of these bytes at 0x1000, whose call returns to its end; bodies
    /// of constructs lie at 0x2000 and 0x2100, and a function that jumps at 0x3000.
    fn found(main: &[u8], jumps: &[u8]) -> Option<u64> {
        let functions = [
            function(0x1000, main.len() as u64 + 1, "main"),
            function(0x2000, 0x80, "main._omp_fn.0"),
            function(0x2100, 0x80, "main._omp_fn.1"),
            function(0x3000, jumps.len() as u64, "jumps"),
        ];
        let bytes = |function: &Function| {
            let own = if function.symbol == "main" { main } else { jumps };
            let mut bytes = own.to_vec();
            bytes.resize(function.size as usize, 0x90);
            Some(bytes)
        };
        code(&functions, &bytes).outlined_at(0x1000 + main.len() as u64)
    }

    /// What [`found`] looks for, as the names of several.
    fn names(main: &[u8]) -> Option<String> {
        let functions = [
            function(0x1000, main.len() as u64 + 1, "main"),
            function(0x2000, 0x80, "main._omp_fn.0"),
            function(0x2100, 0x80, "main._omp_fn.1"),
        ];
        let bytes = |function: &Function| {
            let mut bytes = main.to_vec();
            bytes.resize(function.size as usize, 0x90);
            Some(bytes)
        };
        code(&functions, &bytes).names_at(0x1000 + main.len() as u64)
    }

    /// `lea target(%rip), register` at `at`.
    fn lea(at: u32, prefix: u8, operands: u8, target: u32) -> Vec<u8> {
        let mut code = vec![prefix, 0x8d, operands];
        code.extend(target.wrapping_sub(at + 7).to_le_bytes());
        code
    }

    #[test]
    fn the_nearest_first_argument_is_the_calls() {
        let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
        code.extend(lea(0x1007, 0x48, 0x3d, 0x2100));
        code.extend([0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), Some(0x2100));
    }

    #[test]
    fn an_address_that_was_kept_in_a_register_is_followed() {
        let mut code = lea(0x1000, 0x4c, 0x25, 0x2000);
        code.extend(lea(0x1007, 0x48, 0x1d, 0x2100));
        code.extend([0x4c, 0x89, 0xe7, 0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), Some(0x2000), "mov %r12, %rdi");
        code.extend(lea(0x1016, 0x4c, 0x25, 0x2100));
        code.extend([0x90, 0x4c, 0x89, 0xe7, 0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), None, "one of two");
    }

    #[test]
    fn without_optimisation_each_call_has_its_argument_just_before() {
        let mut code = lea(0x1000, 0x48, 0x05, 0x2000);
        code.extend([0x48, 0x89, 0xc7, 0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), Some(0x2000), "lea, mov %rax, %rdi");
        code.extend(lea(0x100f, 0x48, 0x05, 0x2100));
        code.extend([0x48, 0x89, 0xc7, 0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), Some(0x2100));
    }

    #[test]
    fn a_call_that_two_constructs_share_is_neithers() {
        // lea 0x2000, %rdi; jmp to the call; lea 0x2100, %rdi; call
        let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
        code.extend([0xeb, 0x07]);
        code.extend(lea(0x1009, 0x48, 0x3d, 0x2100));
        code.extend([0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), None);
        assert_eq!(names(&code).as_deref(), Some("main._omp_fn.0 or main._omp_fn.1"));
        // A jump over the call shares nothing.
        code[8] = 0x0c;
        assert_eq!(found(&code, &[]), Some(0x2100));
        assert_eq!(names(&code), None);
    }

    #[test]
    fn copies_of_an_outlined_function_have_one_name() {
        let functions = [
            function(0x1000, 0x10, "main"),
            function(0x2000, 0x80, "main._omp_fn.0"),
            function(0x2100, 0x80, "main._omp_fn.1.constprop.0"),
            function(0x2200, 0x80, "main.omp_outlined_debug__.5"),
        ];
        let name_at = |address| name_at(&functions, address);
        assert_eq!(name_at(0x1004), None);
        assert_eq!(name_at(0x2004), Some("main._omp_fn.0"));
        assert_eq!(name_at(0x2104), Some("main._omp_fn.1"));
        assert_eq!(name_at(0x2080), None, "between functions");
    }

    #[test]
    fn an_argument_that_comes_from_memory_is_unknown() {
        let mut code = lea(0x1000, 0x48, 0x3d, 0x2000);
        code.extend([0xe8, 0, 0x10, 0, 0]);
        code.extend([0x48, 0x8b, 0x7c, 0x24, 0x08, 0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), None, "mov 8(%rsp), %rdi");
    }

    #[test]
    fn clangs_outlined_functions_are_the_third_argument() {
        let functions =
            [function(0x1000, 0x20, "main"), function(0x2000, 0x80, "main.omp_outlined")];
        let mut main = lea(0x1000, 0x48, 0x15, 0x2000);
        main.extend([0xe8, 0, 0x10, 0, 0]);
        let end = 0x1000 + main.len() as u64;
        main.resize(0x20, 0x90);
        let bytes = |_: &Function| Some(main.clone());
        assert_eq!(code(&functions, &bytes).outlined_at(end), Some(0x2000));
    }

    #[test]
    fn constants_are_addresses_too() {
        let code = [0xbf, 0x00, 0x21, 0, 0, 0xff, 0x15, 0, 0x10, 0, 0];
        assert_eq!(found(&code, &[]), Some(0x2100));
    }

    #[test]
    fn other_functions_are_no_constructs() {
        let mut code = lea(0x1000, 0x48, 0x3d, 0x3000);
        code.extend([0xe8, 0, 0x10, 0, 0]);
        assert_eq!(found(&code, &[]), None);
    }

    #[test]
    fn a_called_function_that_jumps_to_the_runtime_has_the_construct() {
        let call = [0xe8, 0xfb, 0x1f, 0, 0];
        let mut jumps = lea(0x3000, 0x48, 0x3d, 0x2100);
        jumps.extend([0xe9, 0, 0x10, 0, 0]);
        assert_eq!(found(&call, &jumps), Some(0x2100));
        jumps.extend(lea(0x300c, 0x48, 0x3d, 0x2000));
        jumps.extend([0xe9, 0, 0x10, 0, 0]);
        assert_eq!(found(&call, &jumps), None, "one of two");
    }
}
