//! A binary or shared library, and the names that it has for its addresses.

use std::fmt;
use std::path::{Path, PathBuf};

use addr2line::Loader;
use object::{Architecture, Object, ObjectSection, ObjectSymbol, ReadRef, SymbolKind};
use tempfile::NamedTempFile;

use crate::debug_file::{self, with_object};
use crate::images::{ImageFile, is_of_reader};
use crate::names::user_function;
use crate::outlined::Code;
use crate::vdso;

/// Bytes at the begin of a function that may belong to no line.
const MOST_WITHOUT_LINE: u64 = 64;

/// The extent of a function, or of a variable, in the file's virtual addresses.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Function {
    pub(crate) address: u64,
    pub(crate) size: u64,
    /// As the symbol table has it.
    pub(crate) symbol: String,
}

/// The answer of a look-up, the most exact first.
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// Debug information; `None` if there is none that can be read.
    lines: Option<Loader>,
    /// Functions of the symbol tables, by address.
    functions: Vec<Function>,
    /// The file that holds the code.
    path: PathBuf,
    /// That file, where it is a copy of an image in a program.
    image: Option<ImageFile>,
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
        let (files, mut functions) = with_object(path, |object| {
            let found = object.build_id().ok().flatten().unwrap_or_default();
            if !build_id.is_empty() && found != build_id {
                return None;
            }
            Some((debug_file::find(path, object), symbols_of(object, SymbolKind::Text)))
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
        Some(Self { lines, functions, path: path.to_owned(), image: None })
    }

    /// Opens the image in `file`, which people know by `name`.
    pub(crate) fn of_image(file: NamedTempFile, build_id: &[u8], name: String) -> Option<Self> {
        let module = Self::open(file.path(), build_id)?;
        Some(Self { image: Some(ImageFile { _file: file, name }), ..module })
    }

    /// The name of an image, which has no file of its own.
    pub(crate) fn image_name(&self) -> Option<&str> {
        self.image.as_ref().map(|image| image.name.as_str())
    }

    /// The code that the kernel gives to every process, if this kernel's is the one that has
    /// `build_id`.
    fn of_kernel(build_id: &[u8]) -> Option<Self> {
        let image = vdso::image()?;
        let object = object::File::parse(&*image).ok()?;
        if build_id.is_empty() || object.build_id().ok().flatten() != Some(build_id) {
            return None;
        }
        let mut functions = symbols_of(&object, SymbolKind::Text);
        functions.sort();
        functions.dedup_by_key(|function| function.address);
        Some(Self { lines: None, functions, path: PathBuf::from(vdso::NAME), image: None })
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

    /// The first address of `function` that has a line of its own, or else any line, if one of the
    /// first has: flang's outlined functions begin with code of no line, and gcc may put the
    /// beginning of an inlined function first.
    fn begin_of_lines(&self, function: u64) -> u64 {
        let begin = function..function.saturating_add(MOST_WITHOUT_LINE);
        let own = begin.clone().find(|address| self.is_own_line(*address));
        own.or_else(|| begin.clone().find(|address| self.line(*address).is_some()))
            .unwrap_or(function)
    }

    /// Whether the code at `address` has a line, and no other function is inlined there.
    fn is_own_line(&self, address: u64) -> bool {
        let frames = self.lines.as_ref().and_then(|lines| lines.find_frames(address).ok());
        let Some(mut frames) = frames else { return false };
        let first = frames.next().ok().flatten();
        let line = first.and_then(|frame| frame.location?.line).filter(|line| *line > 0);
        line.is_some() && matches!(frames.next(), Ok(None))
    }

    /// Asks the code of the file, if it is that of a machine which [`crate::outlined`] knows.
    fn in_code(&self, ask: impl FnOnce(&Code<'_>) -> Option<u64>) -> Option<u64> {
        with_object(&self.path, |object| {
            if object.architecture() != Architecture::X86_64 {
                return None;
            }
            let bytes = |function: &Function| {
                object.sections().find_map(|section| {
                    let bytes = section.data_range(function.address, function.size);
                    bytes.ok().flatten().map(<[u8]>::to_vec)
                })
            };
            ask(&Code { functions: &self.functions, bytes: &bytes })
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
        let frame = self.lines.as_ref()?.find_frames(address).ok()?.next().ok()??;
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

    /// The variable of static storage that holds `address`, which the file is read for again.
    pub(crate) fn variable(&self, address: u64) -> Known {
        let variables = with_object(&self.path, |object| symbols_of(object, SymbolKind::Data));
        let variables = variables.unwrap_or_default();
        let holds = |one: &&Function| {
            (one.address..one.address.saturating_add(one.size)).contains(&address)
        };
        let found = variables.iter().find(holds);
        found.map_or(Known::Nothing, |found| Known::Function(user_function(&found.symbol)))
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
