//! The programs of a device, from their arrival to their end.

use core::mem;
use core::sync::atomic::AtomicU64;
use core::sync::atomic::Ordering::Relaxed;

use super::arrival::Arrival;
use crate::device::TargetDevice;
use crate::device::loaded::{Image, Loaded, LoadedProgram, Stage};
use crate::ending;
use crate::library::Library;
use crate::plugin;
use crate::sync::lock;
use crate::tool;

/// Where an image is in the host's memory, and its bytes.
fn place(image: plugin::Image<'static>) -> (usize, usize) {
    match image {
        plugin::Image::Bytes(bytes) => (bytes.as_ptr().expose_provenance(), bytes.len()),
        plugin::Image::Opaque(image) => (image.data, image.bytes),
    }
}

/// A number that no other loaded image has; never 0.
fn next_module() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    // Relaxed: only the difference counts.
    NEXT.fetch_add(1, Relaxed)
}

impl TargetDevice {
    /// The program of a library that the device has not seen; `None` if the device has seen all.
    pub(crate) fn unseen(&self, libraries: &[Library]) -> Option<Arrival> {
        let programs = lock(&self.programs);
        let is_new = |it: &&Library| programs.iter().all(|loaded| loaded.library != it.number);
        libraries.iter().find(is_new).map(|library| Arrival::new(library, self.plugin))
    }

    /// Adds a program that has been loaded; its variables have no counterparts before
    /// `enter_variables`. The caller holds the lock of the libraries, in which `library` is.
    pub(crate) fn add(&self, arrival: Arrival, library: &Library) {
        let Arrival { image, program, kernels, variables, .. } = arrival;
        let mut loaded = Loaded {
            library: library.number,
            program: None,
            regions: kernels.iter().map(|(region, _)| *region).collect(),
            variables: Vec::new(),
            linked: Vec::new(),
            arriving: variables,
            is_told: false,
            stage: Stage::Arriving,
        };
        if let (Some(index), Some(program)) = (image, program) {
            let (host, bytes) = place(library.images[index]);
            let device = program.address();
            let image = Image { module: next_module(), host, bytes, device };
            loaded.program = Some(LoadedProgram { program, image });
        }
        let mut programs = lock(&self.programs);
        lock(&self.kernels).extend(kernels);
        programs.push(loaded);
        ending::watch();
    }

    /// A library whose program is not ready: it has just been added, or, in the child of a fork, a
    /// thread that is gone had added it.
    pub(crate) fn arriving(&self) -> Option<u64> {
        let programs = lock(&self.programs);
        let arriving = programs.iter().find(|loaded| loaded.stage != Stage::Ready);
        arriving.map(|loaded| loaded.library)
    }

    /// The image of an arriving program, if tools are to be told of it now.
    pub(crate) fn becomes_visible(&self, library: u64) -> Option<Image> {
        let mut programs = lock(&self.programs);
        let loaded = programs.iter_mut().find(|it| it.library == library)?;
        if loaded.stage == Stage::Closed || mem::replace(&mut loaded.is_told, true) {
            return None;
        }
        loaded.program.as_ref().map(|it| it.image)
    }

    /// Ends the arrival of a program: it is ready, or, if its library was closed meanwhile,
    /// unloaded.
    pub(crate) fn settle(&self, library: u64) {
        let mut programs = lock(&self.programs);
        let Some(loaded) = programs.iter_mut().find(|it| it.library == library) else { return };
        if loaded.stage != Stage::Closed {
            loaded.stage = Stage::Ready;
            return;
        }
        drop(programs);
        self.drop_program(library);
    }

    /// Unloads the program of a library. If it is still arriving, the thread that loads it does the
    /// rest.
    pub(crate) fn unload(&self, library: u64) {
        if self.close(library) {
            self.drop_program(library);
        }
    }

    /// Takes the kernels and variables of a library from the device. Returns whether the program is
    /// to be dropped now.
    pub(crate) fn close(&self, library: u64) -> bool {
        let mut programs = lock(&self.programs);
        let Some(loaded) = programs.iter_mut().find(|it| it.library == library) else {
            return false;
        };
        let is_ready = loaded.stage == Stage::Ready;
        if !is_ready {
            loaded.stage = Stage::Closed;
        }
        let (regions, variables) =
            (mem::take(&mut loaded.regions), mem::take(&mut loaded.variables));
        let linked = mem::take(&mut loaded.linked);
        loaded.arriving.clear();
        drop(programs);
        let mut kernels = lock(&self.kernels);
        for region in &regions {
            kernels.remove(region);
        }
        drop(kernels);
        let mut table = self.table();
        for &variable in &variables {
            table.remove_permanent(variable);
        }
        for &variable in &linked {
            table.remove_link(variable);
        }
        is_ready
    }

    /// Drops the program of a library that is closed.
    fn drop_program(&self, library: u64) {
        let module = {
            let programs = lock(&self.programs);
            let loaded = programs.iter().find(|it| it.library == library && it.is_told);
            loaded.and_then(|it| it.program.as_ref()).map(|it| it.image.module)
        };
        if let (Some(module), Some(tool)) = (module, tool::listener()) {
            tool::unloading(tool, self, module);
        }
        let mut programs = lock(&self.programs);
        let Some(index) = programs.iter().position(|it| it.library == library) else { return };
        let loaded = programs.swap_remove(index);
        drop(programs);
        if ending::has_begun() {
            // Threads may run its kernels until the process is gone.
            mem::forget(loaded.program);
        }
    }
}
