//! A binary or shared library, and the names that it has for its addresses.

use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

use addr2line::Loader;
use object::read::elf::FileHeader;
use object::{Object, ObjectSection, ObjectSymbol, ReadRef, SymbolKind};
use oxomp_arch::read::Machine;
use serde::{Deserialize, Serialize};
use tempfile::NamedTempFile;

use crate::debug_file::{self, with_object};
use crate::images::{ImageFile, is_of_reader};
use crate::instructions::{AtomicUpdate, Instructions, MemoryAccess};
use crate::names::user_function;
use crate::outlined::{Code, name_at};
use crate::vdso;

/// Bytes at the start of a function that may belong to no line.
const MOST_WITHOUT_LINE: u64 = 64;

/// Bytes in which flang's outlined functions compute the bounds of a loop, at most, and a part of
/// the names of these functions.
const BYTES_OF_BOUNDS: u64 = 8;
const FLANG: &str = "..omp_par";

/// Lines above a call of the runtime in which its directive stands.
const BELOW_DIRECTIVE: usize = 40;

/// The extent of a function, or of a variable, in the file's virtual addresses.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Function {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// As the symbol table has it.
    pub(crate) symbol: String,
}

/// The answer of a look-up, the most exact first.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Known {
    /// The source line, and the function if it has a name.
    Line {
        function: Option<String>,
        file: String,
        line: u32,
    },
    /// The function that holds the address.
    Function(String),
    /// Only that this symbol lies before the address.
    Behind(String),
    Nothing,
}

/// An opened binary.
pub(crate) struct Module {
    /// The machine that the code is for; `None` if it is not known here.
    machine: Option<Machine>,
    /// Debug information; `None` if no debug information can be read.
    lines: Option<Loader>,
    /// Functions of the symbol tables, by address.
    functions: Vec<Function>,
    /// The file that holds the code.
    path: PathBuf,
    /// That file, where it is a copy of an image in a program.
    image: Option<ImageFile>,
    /// The instructions of functions by their addresses; `None`: they are not known.
    decoded: RefCell<HashMap<u64, Option<Rc<Instructions>>>>,
    /// The file with the symbols, which may be another one than that with the code.
    main: PathBuf,
    /// The variables of static storage, once one was asked for.
    variables: OnceCell<Vec<Function>>,
}

impl fmt::Debug for Module {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Module")
            .field("lines", &self.lines.is_some())
            .field("functions", &self.functions.len())
            .finish()
    }
}

impl Module {
    /// Opens the file at `path` if it is the one that has `build_id`; an empty one is not compared.
    pub(crate) fn open(path: &Path, build_id: &[u8]) -> Option<Self> {
        if path == Path::new(vdso::NAME) {
            return Self::of_kernel(build_id);
        }
        if is_of_reader(path) {
            return None;
        }
        let (machine, files, mut functions) = with_object(path, |object| {
            let found = object.build_id().ok().flatten().unwrap_or_default();
            if !build_id.is_empty() && found != build_id {
                return None;
            }
            let functions = symbols_of(object, SymbolKind::Text);
            Some((machine_of(object), debug_file::find(path, object), functions))
        })
        .ok()??;
        if files.main != path
            && let Ok(more) =
                with_object(&files.main, |object| symbols_of(object, SymbolKind::Text))
        {
            functions.extend(more);
        }
        functions.sort();
        functions.dedup_by_key(|function| function.address);
        let lines = Loader::new_with_sup(&files.main, files.supplementary.as_ref()).ok();
        Some(Self {
            machine,
            lines,
            functions,
            path: path.to_owned(),
            image: None,
            decoded: RefCell::default(),
            main: files.main,
            variables: OnceCell::new(),
        })
    }

    /// Opens the image in `file`, which people know by `name`.
    pub(crate) fn of_image(file: NamedTempFile, build_id: &[u8], name: String) -> Option<Self> {
        let module = Self::open(file.path(), build_id)?;
        Some(Self { image: Some(ImageFile { _file: file, name }), ..module })
    }

    /// The machine that the code is for; `None` if it is not known here.
    pub(crate) fn machine(&self) -> Option<Machine> {
        self.machine
    }

    /// The name of an image, which has no file of its own.
    pub(crate) fn image_name(&self) -> Option<&str> {
        self.image.as_ref().map(|image| image.name.as_str())
    }

    /// The code that the kernel gives to every process, if this kernel's code has the `build_id`.
    fn of_kernel(build_id: &[u8]) -> Option<Self> {
        let image = vdso::image()?;
        let object = object::File::parse(&*image).ok()?;
        if build_id.is_empty() || object.build_id().ok().flatten() != Some(build_id) {
            return None;
        }
        let mut functions = symbols_of(&object, SymbolKind::Text);
        functions.sort();
        functions.dedup_by_key(|function| function.address);
        Some(Self {
            machine: Some(Machine::OWN),
            lines: None,
            functions,
            path: PathBuf::from(vdso::NAME),
            image: None,
            decoded: RefCell::default(),
            main: PathBuf::from(vdso::NAME),
            variables: OnceCell::new(),
        })
    }

    /// Looks up a virtual address of the file.
    pub(crate) fn look_up(&self, address: u64) -> Known {
        self.line(address).unwrap_or_else(|| self.symbol(address))
    }

    /// The address of the outlined function of the construct whose call returns to `address`.
    pub(crate) fn outlined_at(&self, address: u64) -> Option<u64> {
        self.in_code(|code| code.outlined_at(address)).map(|function| self.begin_of_lines(function))
    }

    /// The address of the outlined function of the construct with which the function at `address`
    /// ends.
    pub(crate) fn outlined_at_end_of(&self, address: u64) -> Option<u64> {
        let function = self.in_code(|code| code.outlined_at_end_of(address))?;
        Some(self.begin_of_lines(function))
    }

    /// The atomic update of memory at `address`, or directly before it.
    pub(crate) fn atomic_update(&self, address: u64) -> Option<AtomicUpdate> {
        self.decoded(address)?.atomic_update(address)
    }

    /// What the instructions around the one at `address` use in memory.
    pub(crate) fn accesses_around(&self, address: u64) -> Vec<MemoryAccess> {
        self.decoded(address).map(|function| function.accesses_around(address)).unwrap_or_default()
    }

    /// The begin of the loop around `address` that waits for memory to change.
    pub(crate) fn spin_loop(&self, address: u64) -> Option<u64> {
        self.decoded(address)?.spin_loop(address)
    }

    /// The instructions of the function that has `address`.
    fn decoded(&self, address: u64) -> Option<Rc<Instructions>> {
        let (begin, _) = self.function_extent(address)?;
        let known = self.decoded.borrow().get(&begin).cloned();
        known.unwrap_or_else(|| {
            let decoded = self.in_code(|code| {
                let (function, bytes) = code.function_at(address)?;
                Instructions::decode(code.machine, &bytes, function.address).map(Rc::new)
            });
            self.decoded.borrow_mut().insert(begin, decoded.clone());
            decoded
        })
    }

    /// The begin and the end of the function that has `address`.
    pub(crate) fn function_extent(&self, address: u64) -> Option<(u64, u64)> {
        let next = self.functions.partition_point(|function| function.address <= address);
        let function = &self.functions[next.checked_sub(1)?];
        let end = function.address.saturating_add(function.size);
        (address < end).then_some((function.address, end))
    }

    /// The first address of `function` that has a line of its own, or else any line, if one of the
    /// first has: flang's outlined functions begin with code of no line, and gcc may put the
    /// beginning of an inlined function first. flang's also compute the bounds of a loop first, in
    /// a few bytes which have the line of the statement before the construct.
    pub(crate) fn begin_of_lines(&self, function: u64) -> u64 {
        let end = self.function_extent(function).map_or(u64::MAX, |(_, end)| end);
        let begin = function..function.saturating_add(MOST_WITHOUT_LINE).min(end);
        let mut own = begin.clone().filter_map(|it| Some((it, self.own_line(it)?)));
        let Some((first, line)) = own.next() else {
            let any = begin.clone().find(|address| self.line(*address).is_some());
            return any.unwrap_or(function);
        };
        let is_bounds = |(address, other): &(u64, u32)| {
            *address <= first.saturating_add(BYTES_OF_BOUNDS) && *other > line
        };
        let is_flangs = self.symbol_at(function).is_some_and(|symbol| symbol.contains(FLANG));
        let next = own.find(|(_, other)| *other != line).filter(is_bounds);
        next.filter(|_| is_flangs).map_or(first, |(address, _)| address)
    }

    /// The line of the code at `address`, if no other function is inlined there.
    fn own_line(&self, address: u64) -> Option<u32> {
        let mut frames = self.lines.as_ref()?.find_frames(address).ok()?;
        let line = frames.next().ok()??.location?.line.filter(|line| *line > 0)?;
        matches!(frames.next(), Ok(None)).then_some(line)
    }

    /// Asks the code of the file, if it is known how code of its machine calls.
    fn in_code<T>(&self, ask: impl FnOnce(&Code<'_>) -> Option<T>) -> Option<T> {
        with_object(&self.path, |object| {
            let machine = machine_of(object)?;
            let calls = machine.calls()?;
            let bytes = |function: &Function| {
                object.sections().find_map(|section| {
                    let bytes = section.data_range(function.address, function.size);
                    bytes.ok().flatten().map(<[u8]>::to_vec)
                })
            };
            ask(&Code { functions: &self.functions, bytes: &bytes, machine, calls })
        })
        .ok()?
    }

    /// Looks up a virtual address of the file: the innermost inlined function first, the function
    /// that has the code last. Never empty.
    pub(crate) fn look_up_all(&self, address: u64) -> Vec<Known> {
        let mut found = Vec::new();
        let mut frames = self.lines.as_ref().and_then(|lines| lines.find_frames(address).ok());
        while let Some(Ok(Some(frame))) = frames.as_mut().map(|frames| frames.next()) {
            let named = frame.function.as_ref().and_then(|function| function.raw_name().ok());
            let function = named.map(|name| user_function(&name));
            let location = frame.location.and_then(|location| {
                Some((location.file?.to_owned(), location.line.filter(|line| *line > 0)?))
            });
            found.push(match (function, location) {
                (function, Some((file, line))) => Known::Line { function, file, line },
                (Some(function), None) => Known::Function(function),
                (None, None) => Known::Nothing,
            });
        }
        // The function that has the code may have a symbol where its debug information has no name.
        let outermost = found.pop().unwrap_or(Known::Nothing);
        found.push(match (outermost, self.symbol(address)) {
            (Known::Line { function: None, file, line }, Known::Function(name)) => {
                Known::Line { function: Some(name), file, line }
            }
            (Known::Nothing, symbol) => symbol,
            (outermost, _) => outermost,
        });
        found
    }

    fn line(&self, address: u64) -> Option<Known> {
        // The innermost frame is the one the directive stands in: code inlined into another
        // function is shown under the name of its own function.
        let mut frames = self.lines.as_ref()?.find_frames(address).ok()?;
        let mut frame = frames.next().ok()??;
        // But gcc may give a call at the end of a construct the line of a function that was inlined
        // into the construct's body, in which no directive stands.
        let mut inner = Some(frame.location.as_ref().is_some_and(stands_below_directive))
            .filter(|stands| !stands && self.body_at(address).is_some());
        while inner.is_some()
            && let Ok(Some(outer)) = frames.next()
        {
            inner = inner.filter(|_| !outer.location.as_ref().is_some_and(stands_below_directive));
            frame = outer;
        }
        let location = frame.location?;
        let (file, line) = (location.file?.to_owned(), location.line.filter(|line| *line > 0)?);
        let named = frame.function.as_ref().and_then(|function| function.raw_name().ok());
        let function =
            named.map(|name| user_function(&name)).or_else(|| match self.symbol(address) {
                Known::Function(name) => Some(name),
                _ => None,
            });
        Some(Known::Line { function, file, line })
    }

    /// The name of the variable of static storage that holds `address`, and where it begins.
    pub(crate) fn variable(&self, address: u64) -> Option<(String, u64)> {
        let variables = self.variables.get_or_init(|| {
            let files = [&self.path, &self.main];
            let files = &files[..if self.path == self.main { 1 } else { 2 }];
            let of_file = |file: &&PathBuf| {
                with_object(file, |object| symbols_of(object, SymbolKind::Data)).unwrap_or_default()
            };
            files.iter().flat_map(of_file).collect()
        });
        let holds = |one: &&Function| {
            (one.address..one.address.saturating_add(one.size)).contains(&address)
        };
        let found = variables.iter().find(holds)?;
        Some((user_function(&found.symbol), found.address))
    }

    /// The outlined function that holds `address`.
    pub(crate) fn body(&self, address: u64) -> Known {
        self.body_at(address).map_or(Known::Nothing, Known::Function)
    }

    /// The outlined functions of the constructs that share the call which returns to `address`.
    pub(crate) fn bodies(&self, address: u64) -> Known {
        self.in_code(|code| code.names_at(address)).map_or(Known::Nothing, Known::Function)
    }

    fn body_at(&self, address: u64) -> Option<String> {
        name_at(&self.functions, address).map(str::to_owned)
    }

    /// The symbol of the function that begins at `address`.
    fn symbol_at(&self, address: u64) -> Option<&str> {
        let found = self.functions.binary_search_by_key(&address, |function| function.address);
        found.ok().map(|index| self.functions[index].symbol.as_str())
    }

    fn symbol(&self, address: u64) -> Known {
        let next = self.functions.partition_point(|function| function.address <= address);
        let Some(function) = next.checked_sub(1).map(|last| &self.functions[last]) else {
            return Known::Nothing;
        };
        let name = user_function(&function.symbol);
        if address - function.address < function.size {
            Known::Function(name)
        } else {
            Known::Behind(name)
        }
    }
}

/// Whether a directive stands a little above, or in, this line of a source that can be read.
fn stands_below_directive(location: &addr2line::Location<'_>) -> bool {
    let (Some(file), Some(line)) = (location.file, location.line) else { return false };
    let Ok(source) = std::fs::read_to_string(file) else { return false };
    let last = usize::try_from(line).unwrap_or(usize::MAX);
    let above = source.lines().take(last).skip(last.saturating_sub(BELOW_DIRECTIVE));
    above.into_iter().any(is_directive)
}

/// Whether a line of C, C++ or Fortran begins with a directive of OpenMP, or has one of C's
/// operators for it.
fn is_directive(line: &str) -> bool {
    let text = line.trim_start().to_ascii_lowercase();
    let after = text.strip_prefix('#').map(str::trim_start);
    after.is_some_and(|text| text.starts_with("pragma") && text.contains("omp"))
        || text.starts_with("!$omp")
        || text.contains("_pragma(")
}

/// The machine that the code of the file is for.
fn machine_of<'a, R: ReadRef<'a>>(object: &object::File<'a, R>) -> Option<Machine> {
    let object::File::Elf64(file) = object else { return None };
    Machine::of_elf(file.elf_header().e_machine(file.endian()).0)
}

/// The symbols of `kind`, in no order.
fn symbols_of<'a, R: ReadRef<'a>>(object: &object::File<'a, R>, kind: SymbolKind) -> Vec<Function> {
    object
        .symbols()
        .chain(object.dynamic_symbols())
        .filter(|symbol| symbol.kind() == kind && symbol.is_definition())
        .filter_map(|symbol| {
            let name = symbol.name().ok().filter(|name| !name.is_empty())?;
            Some(Function {
                address: symbol.address(),
                size: symbol.size(),
                symbol: name.to_owned(),
            })
        })
        .collect()
}
