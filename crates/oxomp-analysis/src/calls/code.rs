//! The code at an address: the user's functions, the runtime's, or the C library's.

use std::collections::HashMap;

use oxomp_trace::{Info, Module};

use super::library::{is_c_library, is_header_of_system, is_of_system};
use crate::symbols::{SiteModule, Symbols, is_offload_runtime};

/// A frame's identity in the tree.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Frame {
    pub(super) function: String,
    pub(super) line: Option<(String, u32)>,
    pub(super) module: Option<String>,
    pub(super) region: bool,
    pub(super) library: bool,
}

/// The code at an address.
#[derive(Debug, Clone)]
pub(super) enum Code {
    /// Functions, the outermost first: those after the first are inlined.
    User(Vec<Frame>),
    /// The runtime's, or the collector's.
    Runtime,
    /// The C library's, with its frames.
    Library(Vec<Frame>),
}

/// Names code by its address.
pub(super) struct Names<'a> {
    pub(super) info: &'a Info,
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
    /// Names for the code of `info`'s modules.
    pub(super) fn new(info: &'a Info, symbols: &'a mut Symbols) -> Self {
        Self { info, symbols, known: HashMap::new() }
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
        let module = self.info.module_of(address);
        let runtime = self.info.runtime_address.and_then(|runtime| self.info.module_of(runtime));
        let file = module.map_or("", |module| module.path.rsplit('/').next().unwrap_or(""));
        let is_ours = module.is_some() && module == runtime || file.starts_with("liboxomp_collect");
        if is_ours || is_offload_runtime(file) {
            return Code::Runtime;
        }
        let frames = self.frames(address, module);
        if is_c_library(file) { Code::Library(frames) } else { Code::User(frames) }
    }

    /// The functions at `address`, the outermost first.
    pub(super) fn frames(&mut self, address: u64, module: Option<&Module>) -> Vec<Frame> {
        let Some(found) = module else {
            let function = format!("{address:#x}");
            let (line, module) = (None, None);
            return vec![Frame { function, line, module, region: false, library: false }];
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
