//! Finding the interpreter among the loaded modules: in the program itself, or in a library.

use oxomp_trace::info::{Python, PythonFrames};

use super::exports::{Exports, Symbol};
use super::interpreter::{Interpreter, is_there, publish};
use super::layout::{Layout, Unread};
use super::symbols::{self, Table};
use crate::loader::Loaded;
use crate::sample::memory;

/// Looks for an interpreter in `modules`, the program first, if none is known. The helper thread
/// calls it; from then on walks use the interpreter.
pub(in crate::sample) fn look_for(modules: &[Loaded]) {
    if !is_there()
        && let Some(found) = modules.iter().find_map(interpreter_in)
    {
        publish(found);
    }
}

/// The state of the process's interpreters, by which a module that has them is known.
const RUNTIME: &str = "_PyRuntime";

/// The symbols of a module with an interpreter.
enum Symbols {
    Exported(Exports),
    /// In the program's file.
    Listed(Table),
}

impl Symbols {
    /// Those of `module`, if it has an interpreter.
    fn of(module: &Loaded) -> Option<Self> {
        let exports = Exports::of(module).filter(|exports| exports.find(RUNTIME).is_some());
        exports
            .map(Self::Exported)
            .or_else(|| symbols::of_program(module, RUNTIME).map(Self::Listed))
    }

    fn find(&self, name: &str) -> Option<Symbol> {
        match self {
            Self::Exported(exports) => exports.find(name),
            Self::Listed(table) => table.find(name),
        }
    }
}

/// The interpreter in `module`, if it is there.
fn interpreter_in(module: &Loaded) -> Option<Interpreter> {
    let symbols = Symbols::of(module)?;
    let runtime = symbols.find(RUNTIME)?.address;
    let address = |name: &str| symbols.find(name).map(|symbol| symbol.address);
    let version = version(&symbols);
    let minor = (version >> 16) as u8;
    let layout = match version >> 24 {
        3 => Layout::of(minor, runtime),
        _ => Err(Unread::UnknownVersion),
    };
    let types = address("PyCode_Type").zip(address("PyUnicode_Type"));
    let layout = layout.and_then(|layout| match types {
        Some(_) if agrees(&layout) => Ok(layout),
        _ => Err(Unread::Unexpected),
    });
    let frames = match layout {
        Ok(_) => PythonFrames::Read,
        Err(Unread::UnknownVersion) => PythonFrames::UnknownVersion,
        Err(Unread::Unexpected) => PythonFrames::Unexpected,
    };
    let evaluator = symbols.find("_PyEval_EvalFrameDefault");
    let evaluator = evaluator.map_or((0, 0), |it| (it.address, it.address.wrapping_add(it.size)));
    let (code_type, text_type) = types.unwrap_or_default();
    Some(Interpreter {
        found: Python { address: runtime, version, frames },
        layout: layout.ok(),
        code: code(module, &symbols),
        evaluator,
        code_type,
        text_type,
    })
}

/// The code of the interpreter in `module`, as far as it is known.
fn code(module: &Loaded, symbols: &Symbols) -> Vec<(u64, u64)> {
    if is_interpreter_alone(module) {
        let (begin, end) = module.range();
        return vec![(module.bias.wrapping_add(begin), module.bias.wrapping_add(end))];
    }
    match symbols {
        Symbols::Listed(table) => table.interpreters_code(),
        Symbols::Exported(_) => symbols::of_program(module, RUNTIME)
            .map_or_else(Vec::new, |table| table.interpreters_code()),
    }
}

/// The version as `PY_VERSION_HEX`, without its patch version before 3.11; 0 before 3.9. The
/// interpreter's documentation tells in which version functions were new.
fn version(symbols: &Symbols) -> u32 {
    if let Some(symbol) = symbols.find("Py_Version") {
        let mut bytes = [0; 8];
        let is_read = memory::copy(symbol.address, &mut bytes);
        return if is_read { u64::from_ne_bytes(bytes) as u32 } else { 0 };
    }
    let of_version = [("PyModule_AddObjectRef", 0x030a_0000), ("PyFrame_GetBack", 0x0309_0000)];
    let known = of_version.into_iter().find(|(name, _)| symbols.find(name).is_some());
    known.map_or(0, |(_, version)| version)
}

/// Whether the interpreters and the first thread of each name each other, as far as there are any
/// yet.
fn agrees(layout: &Layout) -> bool {
    let word = |address: u64| {
        let mut bytes = [0; 8];
        memory::copy(address, &mut bytes).then(|| u64::from_ne_bytes(bytes))
    };
    let Some(interpreter) = word(layout.interpreters) else { return false };
    if interpreter == 0 {
        return true;
    }
    let thread = word(interpreter.wrapping_add(layout.threads));
    match thread {
        None => false,
        Some(0) => true,
        Some(thread) => word(thread.wrapping_add(layout.interpreter)) == Some(interpreter),
    }
}

/// Whether all code of the module is the interpreter's: it is the program `python3.11`, or
/// `libpython3.11.so.1.0`. Other programs may have the interpreter and code of their own in one
/// file.
fn is_interpreter_alone(module: &Loaded) -> bool {
    let own;
    let path = if module.name.is_empty() {
        own = std::fs::read_link("/proc/self/exe").unwrap_or_default();
        own.as_os_str().as_encoded_bytes()
    } else {
        &module.name
    };
    let name = path.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
    let name = name.strip_prefix(b"lib").unwrap_or(name);
    name.starts_with(b"python")
}
