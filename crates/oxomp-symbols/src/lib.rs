//! Names for addresses in modules: function, file and line.
//!
//! Reads the files as they lie on disk now; a file that was rebuilt since the run has another build
//! id and is not used. Nothing is fetched from a network.

#![forbid(unsafe_code)]
#![warn(missing_docs)]

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

mod debug_file;
mod images;
mod instructions;
mod memory;
mod module;
mod names;
mod outlined;
mod site;
mod sources;
mod vdso;

pub use images::{LoadedModule, is_offload_runtime};
pub use instructions::{AtomicUpdate, MemoryAccess};
pub use names::user_function;
pub use site::{Site, SiteModule};
pub use sources::Found;

use oxomp_arch::read::Machine;

use memory::{Kind, Memory};
use module::{Known, Module};
use sources::Sources;

/// A site's name for people.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Place {
    /// The user's function: an outlined function is shown as the one it was outlined from.
    pub function: Option<String>,
    /// Source file as the compiler recorded it, and line from 1.
    pub line: Option<(String, u32)>,
    /// Short name of the mapped file; `None` for code of no file.
    pub module: Option<String>,
    /// The return address as an offset in the module, or as an address of the process where no
    /// module is known.
    pub offset: u64,
    /// The dynamic symbol before the address, where the function itself has no name.
    pub behind: Option<String>,
    /// The outlined function, in the compiler's words, where the line does not tell the construct
    /// from another one; several where constructs share a call.
    pub body: Option<String>,
}

/// A variable of static storage.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variable {
    /// Its name, as in the source.
    pub name: String,
    /// Where it begins, as an offset in the module; `None` if only the name was kept, since the
    /// file is gone.
    pub begin: Option<u64>,
}

impl Place {
    /// `solver.c:118`, or `module+0x…` where no line is known; with the outlined function where
    /// constructs have the same line.
    #[must_use]
    pub fn short(&self) -> String {
        match &self.line {
            Some((file, line)) => {
                let body = self.body.as_ref().map(|body| format!(" ({body})"));
                format!("{}:{line}{}", file_name(file), body.unwrap_or_default())
            }
            None => match &self.module {
                Some(module) => format!("{module}+{:#x}", self.offset),
                None => format!("{:#x}", self.offset),
            },
        }
    }

    fn fill(&mut self, known: Known) {
        match known {
            Known::Line { function, file, line } => {
                self.function = function;
                self.line = Some((file, line));
            }
            Known::Function(name) => self.function = Some(name),
            Known::Behind(name) => self.behind = Some(name),
            Known::Nothing => {}
        }
    }

    /// The function, else the closest thing to its name.
    #[must_use]
    pub fn function_or_nearest(&self) -> Option<String> {
        self.function.clone().or_else(|| self.behind.as_ref().map(|name| format!("after {name}")))
    }
}

/// For which processor files have code.
#[derive(Clone, Copy, Debug, Default)]
enum CodeOf {
    /// For any.
    #[default]
    Any,
    /// For this one.
    Machine(Machine),
    /// For one that is not known here.
    Other,
}

/// Looks sites up, and keeps the files that it has opened.
#[derive(Debug, Default)]
pub struct Symbols {
    /// What a file without a build id must have to be taken for the one that was loaded.
    code_of: CodeOf,
    modules: HashMap<(PathBuf, Vec<u8>), Option<Module>>,
    sources: Sources,
    /// Answers for files that are gone or are another build now.
    kept: Memory,
    /// Answers since the last call of [`Symbols::take_answers`].
    given: Memory,
}

impl Symbols {
    /// A reader that has opened nothing yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on a file without a build id, which may be another than the one that was loaded,
    /// counts if it has code for this processor; `None` is one that is not known here. Before the
    /// first call each such file counts.
    pub fn expect_code_of(&mut self, machine: Option<Machine>) {
        self.code_of = machine.map_or(CodeOf::Other, CodeOf::Machine);
    }

    /// The answers since the last call, for [`Symbols::remember`]: a recording keeps its names when
    /// the program is built anew.
    #[must_use]
    pub fn take_answers(&mut self) -> String {
        std::mem::take(&mut self.given).into_text()
    }

    /// Takes `answers` for files that cannot be read, or are another build.
    pub fn remember(&mut self, answers: &str) {
        self.kept.add_text(answers);
    }

    /// Looks for those of a process's `modules` that are images for devices in others of them: an
    /// offload runtime loads the images of a program from memory or from temporary files. Those
    /// without a build id count until the next call.
    pub fn find_images(&mut self, modules: &[LoadedModule<'_>]) {
        let key = |module: &LoadedModule<'_>| (module.file.to_owned(), module.build_id.to_owned());
        let is_image =
            |module: &Option<Module>| module.as_ref().and_then(Module::image_name).is_some();
        // Without a build id, the path of one process names another image in the next.
        self.modules.retain(|(_, build_id), module| !build_id.is_empty() || !is_image(module));
        // The ranks of a job have the same images.
        let is_known =
            |module: &LoadedModule<'_>| self.modules.get(&key(module)).is_some_and(is_image);
        for (at, image) in images::find(modules, is_known) {
            self.modules.insert(key(&modules[at]), Some(image));
        }
    }

    /// The short name of a mapped file for people: `image of app` for an image of the program
    /// `app`.
    pub fn module_name(&mut self, module: &SiteModule) -> String {
        let image = self.open(module).and_then(Module::image_name).map(str::to_owned);
        image.unwrap_or_else(|| short_module_name(&module.path))
    }

    /// The name of `site`.
    pub fn place(&mut self, site: &Site) -> Place {
        let mut place = Place {
            function: None,
            line: None,
            module: site.module.as_ref().map(|module| self.module_name(module)),
            offset: site.module.as_ref().map_or(site.codeptr, |module| module.offset),
            behind: None,
            body: None,
        };
        place.fill(site.module.as_ref().map_or(Known::Nothing, |module| self.look_up(module)));
        place
    }

    /// The names of all `sites`, in their order. Constructs of one line, as a macro or a compiler's
    /// line table makes them, are told apart by [`Place::body`].
    pub fn places(&mut self, sites: &[Site]) -> Vec<Place> {
        let mut places: Vec<Place> = sites.iter().map(|site| self.place(site)).collect();
        let bodies: Vec<Option<String>> = sites.iter().map(|site| self.body(site)).collect();
        let mut by_line = HashMap::<_, BTreeSet<&String>>::new();
        for (place, body) in places.iter().zip(&bodies) {
            if let (Some(line), Some(body)) = (&place.line, body) {
                by_line.entry((line.clone(), place.function.clone())).or_default().insert(body);
            }
        }
        for (place, body) in places.iter_mut().zip(&bodies) {
            let Some(line) = &place.line else { continue };
            let key = (line.clone(), place.function.clone());
            if by_line.get(&key).is_some_and(|bodies| bodies.len() > 1) {
                place.body.clone_from(body);
            }
        }
        for (place, site) in places.iter_mut().zip(sites).filter(|(place, _)| place.body.is_none())
        {
            place.body = self.bodies(site);
        }
        places
    }

    /// The site of the function into which the compiler has outlined the construct at `site`, as if
    /// it were a return address; `None` if it is not known.
    pub fn outlined_at(&mut self, site: &Site) -> Option<Site> {
        let module = site.module.as_ref()?;
        let address = self.ask(
            module,
            |file| &mut file.outlined,
            module.offset,
            |opened| opened.outlined_at(module.offset),
        )?;
        Some(moved(site, module, address))
    }

    /// As [`Symbols::outlined_at`], of the construct with which the outlined function at `site`
    /// ends.
    pub fn outlined_at_end_of(&mut self, site: &Site) -> Option<Site> {
        let module = site.module.as_ref()?;
        let inside = module.offset.checked_sub(1)?;
        let address = self.ask(
            module,
            |file| &mut file.outlined_at_end,
            inside,
            |opened| opened.outlined_at_end_of(inside),
        )?;
        Some(moved(site, module, address))
    }

    /// The address, as [`SiteModule::offset`], at which the lines of the function with its code at
    /// `module.offset` begin: behind code that has no line, or that of an inlined function.
    pub fn begin_of_lines(&mut self, module: &SiteModule) -> Option<u64> {
        self.open(module).map(|opened| opened.begin_of_lines(module.offset))
    }

    /// The names of the code at one address: the innermost inlined function first, the function
    /// that has the code last. Empty if
    /// they are not known.
    ///
    /// `returns` says that [`SiteModule::offset`] is a return address, as that of a [`Site`] is; it
    /// is the address of an instruction otherwise.
    pub fn inlined(&mut self, module: &SiteModule, returns: bool) -> Vec<Place> {
        let address = module.offset.saturating_sub(u64::from(returns));
        let name = self.module_name(module);
        let found = self.ask(
            module,
            |file| &mut file.inlined,
            address,
            |opened| Some(opened.look_up_all(address)),
        );
        let place = |known| {
            let mut place = Place {
                function: None,
                line: None,
                module: Some(name.clone()),
                offset: module.offset,
                behind: None,
                body: None,
            };
            place.fill(known);
            place
        };
        found.unwrap_or_default().into_iter().map(place).collect()
    }

    /// The atomic update of memory at the instruction with this address, or the one directly before
    /// it; `None` if there is no such update, or the code is not known.
    pub fn atomic_update(&mut self, module: &SiteModule) -> Option<AtomicUpdate> {
        self.ask(
            module,
            |file| &mut file.updates,
            module.offset,
            |opened| opened.atomic_update(module.offset),
        )
    }

    /// The begin, as an offset in the module, of the loop that has the instruction with this
    /// address and waits for memory to change; `None` if there is no such loop, or the code is not
    /// known.
    pub fn spin_loop(&mut self, module: &SiteModule) -> Option<u64> {
        self.ask(
            module,
            |file| &mut file.spin_loops,
            module.offset,
            |opened| opened.spin_loop(module.offset),
        )
    }

    /// What the instructions around the one with this address use in memory; empty if that is not
    /// known.
    pub fn accesses_around(&mut self, module: &SiteModule) -> Vec<MemoryAccess> {
        let found = self.ask(
            module,
            |file| &mut file.accesses,
            module.offset,
            |opened| Some(opened.accesses_around(module.offset)).filter(|found| !found.is_empty()),
        );
        found.unwrap_or_default()
    }

    /// Where the function that has the instruction with this address begins and ends, as offsets in
    /// the module.
    pub fn function_extent(&mut self, module: &SiteModule) -> Option<(u64, u64)> {
        self.ask(
            module,
            |file| &mut file.extents,
            module.offset,
            |opened| opened.function_extent(module.offset),
        )
    }

    /// The variable of static storage that holds the data at `site`, whose address is not a return
    /// address here; `None` if it is not known.
    pub fn variable(&mut self, site: &Site) -> Option<Variable> {
        let module = site.module.as_ref()?;
        let name = self.ask(
            module,
            |file| &mut file.variables,
            module.offset,
            |opened| opened.variable(module.offset).map(|(name, _)| name),
        )?;
        let found = self.open(module).and_then(|opened| opened.variable(module.offset));
        Some(Variable { name, begin: found.map(|(_, begin)| begin) })
    }

    /// The name that the compiler gave to the outlined function at `site`, such as
    /// `main._omp_fn.1`; the same for copies of it. `None` if the code there was not outlined, or
    /// comes from another function that was inlined.
    pub fn body(&mut self, site: &Site) -> Option<String> {
        let module = site.module.as_ref()?;
        let address = module.offset.saturating_sub(1);
        let body = self.ask(
            module,
            |file| &mut file.body,
            address,
            |opened| something(opened.body(address)),
        )?;
        match body {
            Known::Function(name) => {
                let of = self.look_up(module);
                let (Known::Line { function: Some(of), .. } | Known::Function(of)) = of else {
                    return None;
                };
                (user_function(&name) == of).then_some(name)
            }
            _ => None,
        }
    }

    /// The outlined functions of constructs that share the call at `site`, if there are several.
    fn bodies(&mut self, site: &Site) -> Option<String> {
        let module = site.module.as_ref()?;
        let bodies = self.ask(
            module,
            |file| &mut file.bodies,
            module.offset,
            |opened| something(opened.bodies(module.offset)),
        )?;
        match bodies {
            Known::Function(names) => Some(names),
            _ => None,
        }
    }

    /// What `read` finds in the source `file` for the line, or what it found when the answers were
    /// kept; empty if the source is not at hand.
    pub fn in_source(
        &mut self,
        file: &str,
        line: u32,
        read: impl FnOnce(&str) -> Vec<Found>,
    ) -> Vec<Found> {
        let memories = (&self.kept.sources, &mut self.given.sources);
        self.sources.find(memories, file, line, read).unwrap_or_default()
    }

    fn look_up(&mut self, module: &SiteModule) -> Known {
        // A return address may already belong to the next line or function.
        let address = module.offset.saturating_sub(1);
        let name = self.ask(
            module,
            |file| &mut file.names,
            address,
            |opened| something(opened.look_up(address)),
        );
        name.unwrap_or(Known::Nothing)
    }

    /// What the file says about the address, or what was kept of the one that was loaded.
    fn ask<A: Clone>(
        &mut self,
        module: &SiteModule,
        kind: Kind<A>,
        address: u64,
        look_up: impl FnOnce(&Module) -> Option<A>,
    ) -> Option<A> {
        let answer = match self.open(module) {
            Some(opened) => look_up(opened),
            None => self.kept.answer(module, kind, address),
        }?;
        self.given.keep(module, kind, address, answer.clone());
        Some(answer)
    }

    fn open(&mut self, module: &SiteModule) -> Option<&Module> {
        let opened = self
            .modules
            .entry((module.file.clone(), module.build_id.clone()))
            .or_insert_with(|| Module::open(&module.file, &module.build_id))
            .as_ref()?;
        let is_meant = match self.code_of {
            _ if !module.build_id.is_empty() => true,
            CodeOf::Any => true,
            CodeOf::Machine(machine) => opened.machine() == Some(machine),
            CodeOf::Other => opened.machine().is_none(),
        };
        is_meant.then_some(opened)
    }
}

/// The answer, unless it says nothing.
fn something(known: Known) -> Option<Known> {
    (known != Known::Nothing).then_some(known)
}

/// The site whose look-up finds `address` of the file of `site`.
fn moved(site: &Site, module: &SiteModule, address: u64) -> Site {
    let offset = address + 1;
    let codeptr = site.codeptr.wrapping_sub(module.offset).wrapping_add(offset);
    Site { codeptr, module: Some(SiteModule { offset, ..module.clone() }) }
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The file's name, without the platform tag that Python puts before `.so`. A file without a name
/// of its own, which a process has loaded from memory, is a `memory file`.
#[must_use]
pub fn short_module_name(path: &str) -> String {
    if images::is_of_reader(Path::new(path)) {
        return "memory file".to_owned();
    }
    let name = file_name(path);
    match name.split_once(".cpython-") {
        Some((module, rest)) if rest.ends_with(".so") => format!("{module}.so"),
        _ => name.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Place, Site, SiteModule, Symbols, Variable, short_module_name};

    fn site(path: &str, offset: u64) -> Site {
        let module =
            SiteModule { path: path.to_owned(), file: path.into(), build_id: Vec::new(), offset };
        Site { codeptr: 0x5000_0000 + offset, module: Some(module) }
    }

    #[test]
    fn an_address_outside_every_module_is_shown_as_it_is() {
        let place = Symbols::new().place(&Site { codeptr: 0x7f00_1234, module: None });
        assert_eq!(place.short(), "0x7f001234");
        assert_eq!(place.function_or_nearest(), None);
    }

    #[test]
    fn a_module_that_is_gone_is_named_all_the_same() {
        let place = Symbols::new().place(&site("/no/such/libwork.so", 0x1234));
        assert_eq!(place.short(), "libwork.so+0x1234");
    }

    #[test]
    fn each_recording_keeps_the_answers_that_it_needs() {
        let mut symbols = Symbols::new();
        let kept = r#"{"version": 2, "files": [{
            "path": "/gone/app", "build_id": [171],
            "answers": {"names": {"4095": {"Function": "relax"}, "8191": {"Function": "solve"}}}
        }]}"#;
        symbols.remember(kept);
        let gone = |offset| {
            let module = SiteModule {
                path: "/gone/app".to_owned(),
                file: "/gone/app".into(),
                build_id: vec![0xab],
                offset,
            };
            Site { codeptr: offset, module: Some(module) }
        };
        assert_eq!(symbols.place(&gone(0x1000)).function.as_deref(), Some("relax"));
        // The answers about a file that is gone are kept again.
        let first = symbols.take_answers();
        assert!(first.contains("relax") && !first.contains("solve"), "{first}");
        symbols.place(&gone(0x2000));
        let second = symbols.take_answers();
        assert!(second.contains("solve") && !second.contains("relax"), "{second}");
    }

    #[test]
    fn of_a_variable_in_a_file_that_is_gone_the_name_is_kept() {
        let mut symbols = Symbols::new();
        symbols.remember(
            r#"{"version": 2, "files": [{
                "path": "/gone/app", "build_id": [], "answers": {"variables": {"4096": "counts"}}
            }]}"#,
        );
        let known = Variable { name: "counts".to_owned(), begin: None };
        assert_eq!(symbols.variable(&site("/gone/app", 0x1000)), Some(known));
        assert_eq!(symbols.variable(&site("/gone/app", 0x1001)), None);
    }

    #[test]
    fn python_modules_lose_their_platform_tag() {
        let path = "/x/_k_means_lloyd.cpython-311-some-linux-gnu.so";
        assert_eq!(short_module_name(path), "_k_means_lloyd.so");
        assert_eq!(short_module_name("/x/libgomp.so.1"), "libgomp.so.1");
    }

    #[test]
    fn a_descriptor_of_the_process_is_no_name() {
        assert_eq!(short_module_name("/proc/self/fd/./3"), "memory file");
        // Nor is it a file here, whatever this process has opened.
        let own = std::env::current_exe().unwrap();
        let open = std::fs::File::open(&own).unwrap();
        let number = std::os::fd::AsRawFd::as_raw_fd(&open);
        let place = Symbols::new().place(&site(&format!("/proc/self/fd/.//{number}"), 0x1234));
        assert_eq!(place.short(), "memory file+0x1234");
        assert_eq!(place.function_or_nearest(), None);
    }

    #[test]
    fn a_place_behind_a_symbol_says_so() {
        let place = Place {
            function: None,
            line: None,
            module: Some("libwork.so".to_owned()),
            offset: 0x10,
            behind: Some("init".to_owned()),
            body: None,
        };
        assert_eq!(place.function_or_nearest().as_deref(), Some("after init"));
    }
}
