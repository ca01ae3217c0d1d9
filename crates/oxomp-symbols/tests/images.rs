//! Addresses in images for the host as a device, which lie in the program that brought them.

use std::path::{Path, PathBuf};
use std::process::Command;

use object::{Object, ObjectSegment, ObjectSymbol, SymbolKind};
use oxomp_prerequisites::skipped::has_all;
use oxomp_prerequisites::{File, HOST_DEVICE, Prerequisite, Program as Tool};
use oxomp_symbols::{LoadedModule, Place, Site, SiteModule, Symbols};
use tempfile::TempDir;

/// The lines of the construct and of the code in it of [`source`].
const CONSTRUCT: u32 = 3;
const LINE: u32 = 4;
/// The path under which a loader knows a file in memory.
const IN_MEMORY: &str = "/proc/self/fd/./3";

/// A program whose kernel adds `number`.
fn source(number: u32) -> String {
    format!(
        "int main(void) {{
  int sum = 0;
#pragma omp target map(tofrom : sum)
  sum += {number};
  return sum;
}}
"
    )
}

struct Program {
    _folder: TempDir,
    path: PathBuf,
    build_id: Vec<u8>,
    image: Image,
}

/// The facts about a program's image.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Image {
    /// Where it begins in the program.
    at: usize,
    build_id: Vec<u8>,
    size: u64,
    /// An address in the kernel.
    kernel: u64,
}

impl Program {
    /// `None` if a compiler for devices is missing.
    fn build(number: u32, flags: &[&str]) -> Option<Self> {
        let needed = [File::OffloadBinary, File::ClangLinkerWrapper].map(Prerequisite::from);
        if !has_all(&needed) {
            return None;
        }
        let folder = TempDir::new().expect("a temporary folder");
        let file = folder.path().join("work.c");
        std::fs::write(&file, source(number)).expect("the source is written");
        let path = folder.path().join("app");
        let target = format!("-fopenmp-targets={HOST_DEVICE}");
        let mut compiler = Tool::Clang.command();
        compiler.args(["-g", "-O1", "-fopenmp", "-nogpulib", &target]).args(flags);
        run(compiler.arg(&file).arg("-o").arg(&path));
        let bytes = std::fs::read(&path).expect("the program");
        let build_id = build_id(&object::File::parse(&*bytes).expect("a program"));
        let image = image_in(&bytes);
        Some(Self { _folder: folder, path, build_id, image })
    }

    /// The program as a module of a process, and the image as another one.
    fn modules(&self) -> [LoadedModule<'_>; 2] {
        let (file, build_id) = (self.path.as_path(), self.build_id.as_slice());
        let image = &self.image;
        [LoadedModule { file, build_id, size: 0 }, image.module()]
    }

    /// The kernel's place in a process that has `modules`.
    fn kernel(&self, modules: &[LoadedModule<'_>]) -> Place {
        let mut symbols = Symbols::new();
        symbols.find_images(modules);
        self.image.place(&mut symbols)
    }
}

impl Image {
    fn module(&self) -> LoadedModule<'_> {
        LoadedModule { file: Path::new(IN_MEMORY), build_id: &self.build_id, size: self.size }
    }

    fn place(&self, symbols: &mut Symbols) -> Place {
        let module = SiteModule {
            path: IN_MEMORY.to_owned(),
            file: IN_MEMORY.into(),
            build_id: self.build_id.clone(),
            offset: self.kernel,
        };
        symbols.place(&Site { codeptr: self.kernel, module: Some(module) })
    }
}

fn run(command: &mut Command) {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {}\n{stderr}", output.status);
}

fn build_id(object: &object::File<'_>) -> Vec<u8> {
    object.build_id().expect("notes").unwrap_or_default().to_vec()
}

/// The first file in ELF behind the start of the program.
fn image_in(program: &[u8]) -> Image {
    let begins = |at: &usize| program[*at..].starts_with(b"\x7fELF\x02\x01");
    let at = (1..program.len()).find(begins).expect("an image");
    let object = object::File::parse(&program[at..]).expect("an image");
    let ends = object.segments().map(|it| it.address() + it.size());
    let is_kernel = |it: &object::Symbol<'_, '_>| {
        let ending = format!("_main_l{CONSTRUCT}");
        it.kind() == SymbolKind::Text && it.name().is_ok_and(|name| name.ends_with(&ending))
    };
    let kernel = object.symbols().find(is_kernel).expect("a kernel").address() + 1;
    Image { at, build_id: build_id(&object), size: ends.max().expect("segments"), kernel }
}

fn assert_is_named(place: &Place) {
    assert_eq!(place.function.as_deref(), Some("main"), "{place:?}");
    assert_eq!(place.short(), format!("work.c:{LINE}"), "{place:?}");
    assert_eq!(place.module.as_deref(), Some("image of app"), "{place:?}");
}

#[track_caller]
fn assert_is_nameless(place: &Place) {
    assert_eq!((&place.function, &place.line), (&None, &None), "{place:?}");
    assert_eq!(place.module.as_deref(), Some("memory file"), "{place:?}");
}

#[test]
fn the_image_with_the_build_id_is_found_in_the_program() {
    let Some(program) = Program::build(1, &[BUILD_ID[0], "-Xoffload-linker", "--build-id"]) else {
        return;
    };
    assert!(!program.image.build_id.is_empty());
    assert_is_named(&program.kernel(&program.modules()));
    // The name of a temporary file says as little as that of a file in memory.
    let gone = Path::new("/no/such/folder/image");
    let [of_program, image] = program.modules();
    let mut symbols = Symbols::new();
    symbols.find_images(&[of_program, LoadedModule { file: gone, ..image }]);
    let module = SiteModule {
        path: gone.to_string_lossy().into_owned(),
        file: gone.to_owned(),
        build_id: program.image.build_id.clone(),
        offset: program.image.kernel,
    };
    // The function with the lines is inlined into the kernel.
    let places = symbols.inlined(&module, true);
    assert_is_named(places.first().expect("a place"));
}

#[test]
fn a_file_that_is_still_there_has_the_name_of_the_program_too() {
    let Some(program) = Program::build(1, &[BUILD_ID[0], "-Xoffload-linker", "--build-id"]) else {
        return;
    };
    let file = program.path.with_file_name("tmpfile_1");
    let bytes = std::fs::read(&program.path).expect("the program");
    std::fs::write(&file, &bytes[program.image.at..]).expect("the image is written");
    let [of_program, image] = program.modules();
    let image = LoadedModule { file: &file, ..image };
    let library = Path::new("/no/such/libomptarget.so.22.1");
    let library = LoadedModule { file: library, build_id: &[], size: 0 };
    let module = SiteModule {
        path: file.to_string_lossy().into_owned(),
        file: file.clone(),
        build_id: program.image.build_id.clone(),
        offset: program.image.kernel,
    };
    let name = |modules: &[LoadedModule<'_>]| {
        let mut symbols = Symbols::new();
        symbols.find_images(modules);
        symbols.module_name(&module)
    };
    assert_eq!(name(&[of_program, library, image]), "image of app");
    assert_eq!(name(&[of_program, image]), "tmpfile_1", "no offload runtime");
}

#[test]
fn an_image_of_another_build_is_not_asked() {
    let Some(program) = Program::build(1, &[BUILD_ID[0], "-Xoffload-linker", "--build-id"]) else {
        return;
    };
    let [of_program, image] = program.modules();
    assert_is_nameless(&program.kernel(&[image]));
    assert_is_nameless(
        &program.kernel(&[LoadedModule { build_id: b"other", ..of_program }, image]),
    );
    let mut other = program.image.clone();
    other.build_id[0] ^= 1;
    let mut symbols = Symbols::new();
    symbols.find_images(&[of_program, other.module()]);
    assert_is_nameless(&other.place(&mut symbols));
}

const BUILD_ID: [&str; 3] = ["-Wl,--build-id", "-Wl,--build-id=none", "--build-id=none"];

#[test]
fn without_build_ids_the_size_tells_images_apart() {
    let without = [BUILD_ID[1], "-Xoffload-linker", BUILD_ID[2]];
    let Some(program) = Program::build(1, &without) else { return };
    let other = Program::build(2, &without).expect("as above");
    assert!(program.image.build_id.is_empty() && program.build_id.is_empty());
    assert_is_named(&program.kernel(&program.modules()));
    let [of_program, image] = program.modules();
    let larger = LoadedModule { size: image.size + 1, ..image };
    assert_is_nameless(&program.kernel(&[of_program, larger]));
    // Of two images of one size, each may be the one.
    let [of_other, _] = other.modules();
    assert_eq!(program.image.size, other.image.size, "they differ in a constant");
    assert_is_nameless(&program.kernel(&[of_program, of_other, image]));
    // What one process has found is not the next one's.
    let mut symbols = Symbols::new();
    symbols.find_images(&program.modules());
    assert_is_named(&program.image.place(&mut symbols));
    symbols.find_images(&[image]);
    assert_is_nameless(&program.image.place(&mut symbols));
    // The same program twice has the same image.
    assert_is_named(&program.kernel(&[of_program, of_program, image]));
}

#[test]
fn a_damaged_container_has_no_image() {
    let Some(program) = Program::build(1, &[BUILD_ID[0], "-Xoffload-linker", "--build-id"]) else {
        return;
    };
    let bytes = std::fs::read(&program.path).expect("the program");
    let container = program.image.at - 144;
    assert_eq!(bytes[container..container + 4], [0x10, 0xff, 0x10, 0xad]);
    // Each number of the header and of the entry, and the first of the image.
    for at in (container..container + 72).step_by(8).chain([program.image.at]) {
        for value in [u64::MAX, 1 << 40, 1] {
            let mut damaged = bytes.clone();
            damaged[at..at + 8].copy_from_slice(&value.to_le_bytes());
            std::fs::write(&program.path, damaged).expect("the program is written");
            let place = program.kernel(&program.modules());
            let is_named = place.line.is_some();
            // What the search does not look at: kinds and flags, and the entry's strings.
            let skipped = [32, 40, 48].contains(&(at - container)) || at == container + 24;
            assert_eq!(is_named, skipped, "byte {} is {value:#x}: {place:?}", at - container);
        }
    }
    // A file that ends in its section has no table of sections either.
    std::fs::write(&program.path, &bytes[..program.image.at + 100]).expect("it is written");
    assert_is_nameless(&program.kernel(&program.modules()));
}
