//! The code at an address: the user's functions, the runtime's, or the C library's.

use std::collections::HashMap;

use oxomp_trace::info::PythonFrames;
use oxomp_trace::python::{PythonAddress, PythonCode};
use oxomp_trace::{Info, Module, Profile};

use super::frame::Frame;
use super::interpreter::{function_of_python, is_function_of_interpreter, is_interpreter};
use super::library::{is_c_library, is_header_of_system, is_of_system};
use crate::symbols::{SiteModule, Symbols, is_offload_runtime};

/// The code at an address.
#[derive(Debug, Clone)]
pub(super) enum Code {
    /// Functions, the outermost first: those after the first are inlined.
    User(Vec<Frame>),
    /// The runtime's, or the collector's.
    Runtime,
    /// The C library's, with its frames.
    Library(Vec<Frame>),
    /// The interpreter's of Python, for which its functions stand.
    Interpreter,
}

/// Names code by its address.
pub(super) struct Names<'a> {
    pub(super) info: &'a Info,
    python: &'a [PythonCode],
    /// The module of the interpreter whose functions of Python are known.
    interpreter: Option<&'a Module>,
    pub(super) symbols: &'a mut Symbols,
    known: HashMap<u64, Code>,
}

/// The place of an address in its module.
pub(super) fn site(module: &Module, address: u64) -> SiteModule {
    SiteModule {
        path: module.path.clone(),
        file: module.file.clone(),
        build_id: module.build_id.clone(),
        offset: address.wrapping_sub(module.bias),
    }
}

impl<'a> Names<'a> {
    /// Names for the code of `profile`'s modules, and for its functions of Python.
    pub(super) fn new(profile: &'a Profile, symbols: &'a mut Symbols) -> Self {
        let info = &profile.info;
        let python = info.python.filter(|python| python.frames == PythonFrames::Read);
        let interpreter = python.and_then(|python| info.module_of(python.address));
        Self { info, python: &profile.python, interpreter, symbols, known: HashMap::new() }
    }

    pub(super) fn code(&mut self, address: u64) -> Code {
        if let Some(code) = self.known.get(&address) {
            return code.clone();
        }
        let code = self.look_up(address);
        self.known.insert(address, code.clone());
        code
    }

    fn look_up(&mut self, address: u64) -> Code {
        if let Some(python) = PythonAddress::decode(address) {
            return Code::User(vec![function_of_python(self.python, python)]);
        }
        let module = self.info.module_of(address);
        let runtime = self.info.runtime_address.and_then(|runtime| self.info.module_of(runtime));
        let file = module.map_or("", |module| module.path.rsplit('/').next().unwrap_or(""));
        let is_ours = module.is_some() && module == runtime || file.starts_with("liboxomp_collect");
        if is_ours || is_offload_runtime(file) {
            return Code::Runtime;
        }
        let frames = self.frames(address, module);
        if is_c_library(file) {
            return Code::Library(frames);
        }
        let is_of_interpreter = module.is_some()
            && module == self.interpreter
            && (is_interpreter(file)
                || frames
                    .first()
                    .is_some_and(|outermost| is_function_of_interpreter(&outermost.function)));
        if is_of_interpreter { Code::Interpreter } else { Code::User(frames) }
    }

    /// The functions at `address`, the outermost first.
    pub(super) fn frames(&mut self, address: u64, module: Option<&Module>) -> Vec<Frame> {
        let Some(found) = module else {
            let function = format!("{address:#x}");
            let (line, module) = (None, None);
            return vec![Frame {
                function,
                line,
                module,
                region: false,
                library: false,
                python: false,
            }];
        };
        let site = site(found, address);
        let file = found.path.rsplit('/').next().unwrap_or("");
        let of_system = is_of_system(file);
        let module = self.symbols.module_name(&site);
        let nameless = || Frame {
            function: format!("{module}+{:#x}", site.offset),
            line: None,
            module: Some(module.clone()),
            region: false,
            library: of_system,
            python: false,
        };
        let is_header = |line: &Option<(String, u32)>| {
            line.as_ref().is_some_and(|(file, _)| is_header_of_system(file))
        };
        let mut frames: Vec<Frame> = self
            .symbols
            .inlined(&site, false)
            .into_iter()
            .map(|place| match place.function_or_nearest() {
                Some(function) => Frame {
                    function,
                    library: of_system || is_header(&place.line),
                    line: place.line,
                    module: place.module,
                    region: false,
                    python: false,
                },
                None => Frame { line: place.line, ..nameless() },
            })
            .collect();
        // clang puts a construct into a function that only calls the one with its lines.
        frames.dedup_by(|outer, inner| outer.function == inner.function);
        frames.reverse();
        if frames.is_empty() { vec![nameless()] } else { frames }
    }
}
