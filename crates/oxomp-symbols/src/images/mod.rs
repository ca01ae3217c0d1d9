//! Images for the host as a device, which an offload runtime loads from memory or from temporary
//! files: those files are gone when names are asked for, or have names that say nothing. The images
//! lie in the program that brought them, or in one of its libraries.

mod container;

use std::fs::File;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use object::elf::FileHeader64;
use object::read::elf::{FileHeader, SectionHeader};
use object::{LittleEndian, Object, ObjectKind, ObjectSegment, ReadCache, ReadRef};
use tempfile::NamedTempFile;

use crate::file_name;
use crate::module::Module;
use crate::vdso;

/// A module of a process, as its recording knows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LoadedModule<'a> {
    /// Path at run time.
    pub file: &'a Path,
    /// GNU build id; empty if the file has none.
    pub build_id: &'a [u8],
    /// Bytes from the start of the first loaded segment to the end of the last.
    pub size: u64,
}

/// Folders whose files belong to a process: to the one that looks, or to one that may be another
/// process by now.
const OF_READER: [&str; 2] = ["/proc", "/dev/fd"];

/// Whether the path may mean another file than it did to the program.
pub(crate) fn is_of_reader(path: &Path) -> bool {
    OF_READER.iter().any(|folder| path.starts_with(folder))
}

impl LoadedModule<'_> {
    /// Whether nothing is left of its file.
    fn is_gone(&self) -> bool {
        let is_file = !self.file.as_os_str().is_empty() && self.file != Path::new(vdso::NAME);
        is_file && (is_of_reader(self.file) || !self.file.exists())
    }
}

/// Whether a file of that name is an offload runtime: ours, or LLVM's.
#[must_use]
pub fn is_offload_runtime(name: &str) -> bool {
    name.starts_with("libomptarget.")
}

/// The modules among `modules` that are images in others of them, by position, but for those that
/// are known. A module whose file is there counts only if it has the image's build id.
pub(crate) fn find(
    modules: &[LoadedModule<'_>],
    is_known: impl Fn(&LoadedModule<'_>) -> bool,
) -> Vec<(usize, Module)> {
    let offloads = modules.iter().any(|module| {
        module.file.file_name().is_some_and(|name| is_offload_runtime(&name.to_string_lossy()))
    });
    let may_be_image =
        |at: &usize| modules[*at].is_gone() || offloads && !modules[*at].build_id.is_empty();
    let candidates = (0..modules.len()).filter(may_be_image);
    let candidates: Vec<usize> = candidates.filter(|&at| !is_known(&modules[at])).collect();
    if candidates.is_empty() {
        return Vec::new();
    }
    let programs: Vec<Program<'_>> = modules.iter().filter_map(Program::open).collect();
    let find = |at: usize| {
        let (program, bytes) = sole_image(&programs, &modules[at])?;
        let module = extracted(&bytes, modules[at].build_id, program.file).ok()??;
        Some((at, module))
    };
    candidates.into_iter().filter_map(find).collect()
}

/// A module that has images.
struct Program<'a> {
    file: &'a Path,
    data: ReadCache<File>,
    images: Vec<Image>,
}

/// An image in a program.
#[derive(Debug)]
struct Image {
    /// Its bytes in the file.
    range: Range<u64>,
    build_id: Vec<u8>,
    /// As [`LoadedModule::size`].
    size: u64,
}

impl<'a> Program<'a> {
    /// The module, if it is the file that has its build id, and has images for its own processor.
    fn open(module: &LoadedModule<'a>) -> Option<Self> {
        // A file of the process's own, or one that blocks, is not a program.
        if is_of_reader(module.file) || !module.file.is_file() {
            return None;
        }
        let data = ReadCache::new(File::open(module.file).ok()?);
        let sections = sections(&data).unwrap_or_default();
        if sections.is_empty() {
            return None;
        }
        let program = object::File::parse(&data).ok()?;
        let build_id = program.build_id().ok().flatten().unwrap_or_default();
        if !module.build_id.is_empty() && module.build_id != build_id {
            return None;
        }
        let ranges = sections.into_iter().flat_map(|section| container::images(&data, section));
        let machine = program.architecture();
        let image = |range: Range<u64>| {
            let object = object::File::parse(data.range(range.start, range.end - range.start));
            let object = object.ok().filter(|object| {
                object.kind() == ObjectKind::Dynamic && object.architecture() == machine
            })?;
            let build_id = object.build_id().ok().flatten().unwrap_or_default().to_vec();
            Some(Image { range, build_id, size: size_of_segments(&object) })
        };
        let images: Vec<Image> = ranges.filter_map(image).collect();
        drop(program);
        (!images.is_empty()).then_some(Self { file: module.file, data, images })
    }

    fn bytes(&self, image: &Image) -> Option<&[u8]> {
        let Range { start, end } = image.range;
        (&self.data).read_bytes_at(start, end - start).ok()
    }
}

/// Where the sections with containers lie in a file. Only their headers are read.
fn sections<'data>(data: impl ReadRef<'data>) -> object::Result<Vec<Range<u64>>> {
    let header = FileHeader64::<LittleEndian>::parse(data)?;
    let endian = header.endian()?;
    let sections = header.sections(endian, data)?;
    let has_containers = |section: &&object::elf::SectionHeader64<LittleEndian>| {
        section.sh_type(endian).0 == container::SECTION_TYPE
            || sections.section_name(endian, *section).is_ok_and(|name| name == container::SECTION)
    };
    let found = sections.iter().filter(has_containers);
    let ranges = found.filter_map(|section| {
        let (begin, size) = section.file_range(endian)?;
        Some(begin..begin.checked_add(size)?)
    });
    Ok(ranges.collect())
}

fn size_of_segments<'data, R: ReadRef<'data>>(object: &object::File<'data, R>) -> u64 {
    let begin = object.segments().map(|segment| segment.address()).min();
    let end = object.segments().map(|segment| segment.address().saturating_add(segment.size()));
    end.max().unwrap_or(0).saturating_sub(begin.unwrap_or(0))
}

/// The image that `module` was loaded from: the one with its build id; without a build id, the one
/// of its size, if all others of that size are equal to it.
fn sole_image<'a>(
    programs: &'a [Program<'a>],
    module: &LoadedModule<'_>,
) -> Option<(&'a Program<'a>, Vec<u8>)> {
    let is_it = |image: &&Image| {
        image.build_id == module.build_id
            && (!module.build_id.is_empty() || image.size == module.size)
    };
    let mut found: Option<(&Program<'_>, &[u8])> = None;
    for program in programs {
        for image in program.images.iter().filter(is_it) {
            let bytes = program.bytes(image)?;
            match found {
                Some((_, known)) if known == bytes => {}
                Some(_) => return None,
                None => found = Some((program, bytes)),
            }
        }
    }
    found.map(|(program, bytes)| (program, bytes.to_vec()))
}

/// The image as a module of its own.
fn extracted(image: &[u8], build_id: &[u8], program: &Path) -> io::Result<Option<Module>> {
    let mut file = tempfile::Builder::new().prefix("oxomp-image-").tempfile()?;
    file.write_all(image)?;
    let program = program.to_string_lossy();
    Ok(Module::of_image(file, build_id, format!("image of {}", file_name(&program))))
}

/// The file of an image while its names are asked for.
#[derive(Debug)]
pub(crate) struct ImageFile {
    /// Removed when this is dropped.
    pub(crate) _file: NamedTempFile,
    /// The image's name for people.
    pub(crate) name: String,
}
