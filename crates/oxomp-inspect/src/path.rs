//! The path of calls by which a thread came to where it stands.

use oxomp_symbols::{Place, Site, SiteModule};

use crate::image::Image;
use crate::unwind::PathEnd;

/// A thread's calls, the innermost first.
#[derive(Debug, Clone, PartialEq)]
pub struct CallPath {
    /// The frames; the first is that in which the thread stands.
    pub frames: Vec<Frame>,
    /// Why the path ends here.
    pub end: PathEnd,
}

/// One call of a path.
#[derive(Debug, Clone, PartialEq)]
pub struct Frame {
    /// The next instruction of this frame: where the thread stands, or where a call returns to.
    pub pc: u64,
    /// The stack pointer before the call of this function; `None` where it could not be found.
    pub frame_address: Option<u64>,
    /// Index in [`Image::modules`]; `None` for code of no file, as that made at run time.
    pub module: Option<usize>,
    /// Whether the kernel made this frame to call a signal's handler.
    pub signal: bool,
    /// The functions whose code this is: first the innermost inlined one, last the function with
    /// the frame. Never empty.
    pub places: Vec<Place>,
}

impl Image {
    /// The calls by which the thread `lwp` came to where it stands.
    #[must_use]
    pub fn call_path(&self, lwp: i32) -> CallPath {
        let registers = self
            .threads
            .iter()
            .find(|thread| thread.lwp == lwp)
            .and_then(|thread| thread.registers.as_ref());
        let Some(registers) = registers else {
            return CallPath { frames: Vec::new(), end: PathEnd::NoRegisters };
        };
        let walk = self.unwinder.walk(registers, &self.memory);
        let frames = walk.frames.iter().map(|raw| Frame {
            pc: raw.pc,
            frame_address: raw.frame_address,
            module: self.module_of(raw.pc),
            signal: raw.signal,
            // The kernel pushed the address of a signal's frame: no call lies before it.
            places: self.places(raw.pc, raw.returns && !raw.signal),
        });
        CallPath { frames: frames.collect(), end: walk.end }
    }

    /// The name of the code at `address`, the address of an instruction; for inlined code, the
    /// innermost function.
    #[must_use]
    pub fn place(&self, address: u64) -> Place {
        self.places(address, false).swap_remove(0)
    }

    /// The name of the call that returns to `address`.
    #[must_use]
    pub fn place_of_return(&self, address: u64) -> Place {
        self.places(address, true).swap_remove(0)
    }

    /// The names of the code at `address`, the innermost inlined function first; never empty.
    /// `returns` says that it is a return address, so that the call before it is meant.
    #[must_use]
    pub fn places(&self, address: u64, returns: bool) -> Vec<Place> {
        let key = (address, returns);
        if let Some(known) = self.names.borrow().places.get(&key) {
            return known.clone();
        }
        let found = self.look_up(address, returns);
        self.names.borrow_mut().places.insert(key, found.clone());
        found
    }

    /// The name of the function whose code begins at `address`, with the line at which it begins.
    #[must_use]
    pub fn function(&self, address: u64) -> Option<Place> {
        let begin = self.module_of(address).and_then(|index| {
            let module = &self.modules[index];
            let lines = self.names.borrow_mut().files.begin_of_lines(&SiteModule {
                path: module.path.clone(),
                file: module.file.clone()?,
                build_id: module.build_id.clone(),
                offset: address.wrapping_sub(module.bias()),
            });
            Some(lines?.wrapping_add(module.bias()))
        });
        self.places(begin.unwrap_or(address), false).pop()
    }

    /// The address of the function into which the compiler has outlined the construct whose call
    /// of an OpenMP runtime returns to `return_address`, where the code there tells.
    #[must_use]
    pub fn outlined_at(&self, return_address: u64) -> Option<u64> {
        let module = &self.modules[self.module_of(return_address.checked_sub(1)?)?];
        let site = Site {
            codeptr: return_address,
            module: Some(SiteModule {
                path: module.path.clone(),
                file: module.file.clone()?,
                build_id: module.build_id.clone(),
                offset: return_address.wrapping_sub(module.bias()),
            }),
        };
        let found = self.names.borrow_mut().files.outlined_at(&site)?;
        // It is told as if it were a return address.
        found.codeptr.checked_sub(1)
    }

    fn look_up(&self, address: u64, returns: bool) -> Vec<Place> {
        let instruction = address.wrapping_sub(u64::from(returns));
        let Some(index) = self.module_of(instruction) else {
            return vec![Place {
                function: None,
                line: None,
                module: None,
                offset: address,
                behind: None,
                body: None,
            }];
        };
        let module = &self.modules[index];
        let offset = address.wrapping_sub(module.bias());
        let mut places = match &module.file {
            Some(file) => self.names.borrow_mut().files.inlined(
                &SiteModule {
                    path: file.to_string_lossy().into_owned(),
                    file: file.clone(),
                    build_id: module.build_id.clone(),
                    offset,
                },
                returns,
            ),
            None => Vec::new(),
        };
        if places.is_empty() {
            let (function, line, module) = (None, None, None);
            places.push(Place { function, line, module, offset, behind: None, body: None });
        }
        for place in &mut places {
            place.module = Some(oxomp_symbols::short_module_name(&module.path));
        }
        let outermost = places.last_mut().expect("there is at least one");
        if outermost.function.is_none() {
            self.name_by_memory(index, instruction, outermost);
        }
        places
    }

    /// Names a place by the dynamic symbols in the process's memory, if the file did not name it.
    fn name_by_memory(&self, module: usize, instruction: u64, place: &mut Place) {
        let Some(symbols) = self.dynamic_symbols(module) else { return };
        let mut names = self.names.borrow_mut();
        let functions =
            names.exported.entry(module).or_insert_with(|| symbols.functions(&self.memory));
        let next = functions.partition_point(|function| function.address <= instruction);
        let Some(function) = next.checked_sub(1).map(|last| &functions[last]) else { return };
        let name = oxomp_symbols::user_function(&function.name);
        if instruction - function.address < function.size {
            place.function = Some(name);
            place.behind = None;
        } else if place.behind.is_none() {
            place.behind = Some(name);
        }
    }
}
