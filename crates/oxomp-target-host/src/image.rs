//! Images: shared objects that the loader takes from memory, a copy for each device.

use core::ffi::{CStr, c_int, c_void};
use core::fmt::Write as _;
use core::ops::Range;
use std::env;
use std::ffi::CString;
use std::fs::File;
use std::io::Write as _;
use std::os::fd::{AsRawFd, FromRawFd};
use std::path::Path;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::Relaxed;

use oxomp_target::loader;
use oxomp_target::plugin::{Address, DeviceError, EntryName, Kernel, Program};

/// An image that the loader has loaded.
#[derive(Debug)]
pub(crate) struct LoadedImage {
    handle: *mut c_void,
    /// Where the loader has put it.
    base: usize,
    /// The addresses that its segments have.
    extent: Range<usize>,
    /// The file in memory: debuggers and profilers open an object by its name, as long as it is
    /// loaded.
    _file: Option<File>,
}

// SAFETY: the loader's functions may be called with a handle by any thread.
unsafe impl Send for LoadedImage {}
// SAFETY: as above.
unsafe impl Sync for LoadedImage {}

impl LoadedImage {
    /// Loads a copy of the image.
    pub(crate) fn load(image: &[u8]) -> Result<Self, DeviceError> {
        // Writing a larger file would end the process by a signal.
        let most = largest_file();
        if most < image.len() as u64 {
            return Err(DeviceError(format!(
                "cannot load an image of {} bytes: files may have {most} (ulimit -f)",
                image.len()
            )));
        }
        let from_memory = memory_file(image).and_then(|file| {
            // The path has the number of the process, since other processes open the name, too.
            let (process, separators) = (std::process::id(), unique_separators());
            let path = format!("/proc/{process}/fd/{separators}{}", file.as_raw_fd());
            open(&path, Some(file)).map_err(std::io::Error::other)
        });
        // A system may forbid code in such files; a folder for temporary files may have it.
        from_memory.or_else(|error| open_temporary(&env::temp_dir(), image, &error.to_string()))
    }
}

/// Separators that do not change what a path means, but make it a new name. The loader takes an
/// object for loaded if an object of the same name is loaded, and the number of a file comes again
/// once the file is closed.
fn unique_separators() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let mut number = NEXT.fetch_add(1, Relaxed);
    let mut text = String::new();
    while number > 0 {
        text.push_str(if number & 1 == 1 { "./" } else { "/" });
        number >>= 1;
    }
    text
}

/// The most bytes that a file of the process may have.
fn largest_file() -> u64 {
    let mut limit = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: the place is this function's own; without an answer no limit holds.
    unsafe { libc::getrlimit(libc::RLIMIT_FSIZE, &raw mut limit) };
    limit.rlim_cur
}

/// A file in memory with the image.
fn memory_file(image: &[u8]) -> std::io::Result<File> {
    // glibc has a function for it since 2.27, and would not load a library that asks an earlier one
    // for it.
    // SAFETY: a name and flags; the descriptor is new.
    let mut file = unsafe {
        let name = c"oxomp-image".as_ptr();
        let descriptor = libc::syscall(libc::SYS_memfd_create, name, libc::MFD_CLOEXEC);
        let descriptor = c_int::try_from(descriptor).unwrap_or(-1);
        if descriptor < 0 {
            return Err(std::io::Error::last_os_error());
        }
        File::from_raw_fd(descriptor)
    };
    file.write_all(image)?;
    Ok(out_of_the_way(file))
}

/// Gives the file a descriptor of at least 40, if one is free: programs count on the small ones.
/// The search begins below 64, since from 64 on Linux enlarges the process's table of files, which
/// takes 10 ms if the process has threads. A process pays that once, if 40 to 63 are taken.
fn out_of_the_way(file: File) -> File {
    const SMALLEST: c_int = 40;
    if file.as_raw_fd() >= SMALLEST {
        return file;
    }
    // SAFETY: the descriptor is the file's; a new one is nobody else's.
    unsafe {
        let number = libc::fcntl(file.as_raw_fd(), libc::F_DUPFD_CLOEXEC, SMALLEST);
        if number < 0 { file } else { File::from_raw_fd(number) }
    }
}

/// Loads the image through a file in `folder`.
fn open_temporary(folder: &Path, image: &[u8], reason: &str) -> Result<LoadedImage, DeviceError> {
    // Removed when this returns: the loader keeps what it has mapped.
    let file = tempfile::Builder::new().prefix("oxomp-image-").tempfile_in(folder);
    let loaded = file.map_err(|error| error.to_string()).and_then(|mut file| {
        file.write_all(image).map_err(|error| error.to_string())?;
        open(&file.path().to_string_lossy(), None)
    });
    loaded.map_err(|error| {
        let mut text = format!("cannot load an image: {reason}");
        // A String takes all text.
        let _ = write!(text, "; {error}");
        DeviceError(text)
    })
}

/// Loads the object of that path, and keeps its file.
fn open(path: &str, file: Option<File>) -> Result<LoadedImage, String> {
    let path = CString::new(path).map_err(|error| error.to_string())?;
    // Lazy: flang's images ask for functions that no library has, and may never call them.
    // SAFETY: a path; what the image does when it is loaded is the program's.
    let handle = unsafe { libc::dlopen(path.as_ptr(), libc::RTLD_LAZY | libc::RTLD_LOCAL) };
    if !handle.is_null() {
        let base = base_of(handle);
        return Ok(LoadedImage { handle, base, extent: extent_of(base), _file: file });
    }
    // SAFETY: after a failure the loader has a message for this thread.
    let message = unsafe { libc::dlerror() };
    if message.is_null() {
        return Err("the loader gives no reason".to_owned());
    }
    // SAFETY: a string that stays until this thread's next call of the loader.
    Err(unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned())
}

/// Where the loader has put the object of a handle; 0 if it does not say.
fn base_of(handle: *mut c_void) -> usize {
    let mut map: *const usize = core::ptr::null();
    // SAFETY: a handle of the loader; the answer is a pointer.
    let error = unsafe { libc::dlinfo(handle, libc::RTLD_DI_LINKMAP, (&raw mut map).cast()) };
    if error != 0 || map.is_null() {
        return 0;
    }
    // SAFETY: the loader's record of an object begins with its address.
    unsafe { *map }
}

/// The addresses of the object that the loader has put at `base`; an empty range if no object is
/// there.
fn extent_of(base: usize) -> Range<usize> {
    let extent = loader::search(|object| {
        let is_it = base != 0 && object.base() == base;
        let both =
            |all: Range<usize>, it: Range<usize>| all.start.min(it.start)..all.end.max(it.end);
        is_it.then(|| object.segments().reduce(both)).flatten()
    });
    extent.unwrap_or_default()
}

impl LoadedImage {
    /// Where the image has that name.
    fn address_of(&self, name: &CStr) -> Option<Address> {
        // SAFETY: a handle of the loader, and a string.
        let address = unsafe { libc::dlsym(self.handle, name.as_ptr()) };
        (!address.is_null()).then(|| Address(address.expose_provenance()))
    }
}

impl Program for LoadedImage {
    fn kernel(&self, name: EntryName<'_>) -> Option<Kernel> {
        self.address_of(name.name).map(Kernel)
    }

    fn variable(&self, name: EntryName<'_>, _bytes: usize) -> Result<Option<Address>, DeviceError> {
        Ok(self.address_of(name.name))
    }

    fn contains(&self, code: *const c_void) -> bool {
        self.extent.contains(&code.addr())
    }

    fn address(&self) -> Option<Address> {
        (self.base != 0).then_some(Address(self.base))
    }
}

impl Drop for LoadedImage {
    fn drop(&mut self) {
        // SAFETY: the handle is of `open`, and no kernel of the image runs.
        unsafe { libc::dlclose(self.handle) };
    }
}

#[cfg(test)]
mod tests {
    use super::{open_temporary, unique_separators};

    #[test]
    fn no_two_paths_are_equal() {
        let paths: Vec<String> = (0..100).map(|_| unique_separators()).collect();
        for (index, path) in paths.iter().enumerate() {
            assert!(!paths[..index].contains(path));
            assert!(path.chars().all(|it| it == '.' || it == '/'));
        }
    }

    /// The file of a library that this process has loaded.
    fn loaded_library() -> Vec<u8> {
        let maps = std::fs::read_to_string("/proc/self/maps").expect("the mappings");
        let mut paths = maps.lines().filter_map(|line| line.split_whitespace().last());
        let path = paths.find(|path| path.contains("libgcc_s"));
        std::fs::read(path.expect("std's unwinder is a library")).expect("the library's file")
    }

    #[test]
    fn an_image_is_loaded_through_a_file_that_does_not_stay() {
        let folder = tempfile::tempdir().expect("a folder");
        let image = loaded_library();
        let loaded = open_temporary(folder.path(), &image, "no memory file").expect("it is loaded");
        assert_ne!(loaded.base, 0);
        assert_eq!(folder.path().read_dir().expect("the folder").count(), 0);
        let error =
            open_temporary(folder.path(), b"no image", "no memory file").expect_err("no image");
        assert!(error.0.starts_with("cannot load an image: no memory file; "), "{error}");
    }
}
