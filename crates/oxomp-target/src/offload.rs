//! The state of the offload runtime: plug-ins, devices, libraries.

use core::ops::ControlFlow;
use core::sync::atomic::Ordering::{Acquire, Relaxed, Release};

use once_cell::race::OnceBox;
use oxomp_protocol::chain::Chain;
use oxomp_sys::offload::{__tgt_bin_desc, requires_flag};

use crate::device::{Arrival, TargetDevice, Turnstile};
use crate::host_runtime::{HostRuntime, TargetOffload};
use crate::library::{self, Library};
use crate::plugin::{Device, Plugin};
use crate::report::{self, Mistake};
use crate::settings;
use crate::sync::{AtomicBool, AtomicI32, AtomicU64, Child, Mutex, Visit, lock};
use crate::tool::{self, CallSite, Executor, HostTool, Scope};

/// `omp_initial_device`, and clang's number for the default device where a construct names no
/// device.
const DEFAULT_DEVICE: i64 = -1;

/// The status of a program whose units disagree in their requirements.
const INCONSISTENT: i32 = 2;

/// The offload runtime.
#[derive(Debug)]
pub struct Offload {
    plugins: Vec<Box<dyn Plugin>>,
    /// For each plug-in, whether its devices are in `devices`.
    started: Mutex<Vec<bool>>,
    /// Whether an image fits a plug-in whose devices are not in `devices` yet, since nobody has
    /// asked for them.
    is_late: AtomicBool,
    /// The plug-ins of which that holds.
    late: Mutex<Vec<usize>>,
    /// Admits one thread at a time to add their devices.
    entrance: Turnstile,
    /// Written with `started` locked. Devices live as long as the process: programs hold their
    /// numbers and addresses.
    devices: Chain<TargetDevice>,
    /// The length of `devices`.
    count: AtomicI32,
    libraries: Mutex<Vec<Library>>,
    /// Grows with each library.
    generation: AtomicU64,
    requires: AtomicU64,
    policy: OnceBox<TargetOffload>,
}

/// Where a construct is executed.
#[derive(Clone, Copy, Debug)]
pub enum Destination {
    /// On the host, by the caller.
    Host,
    /// On a device that is ready.
    Device(&'static TargetDevice),
}

impl Offload {
    /// A runtime with these plug-ins and no library.
    #[must_use]
    pub fn new(plugins: Vec<Box<dyn Plugin>>) -> Self {
        settings::read_environment();
        Self {
            started: Mutex::new(vec![false; plugins.len()]),
            plugins,
            is_late: AtomicBool::new(false),
            late: Mutex::default(),
            entrance: Turnstile::default(),
            devices: Chain::new(),
            count: AtomicI32::new(0),
            libraries: Mutex::default(),
            generation: AtomicU64::new(0),
            requires: AtomicU64::new(0),
            policy: OnceBox::new(),
        }
    }

    /// Registers a library. The devices of each plug-in that one of its images fits are there from
    /// now on.
    ///
    /// # Safety
    /// As for [`Library::read`].
    pub unsafe fn register(&self, descriptor: *const __tgt_bin_desc) {
        // SAFETY: the caller's own promise (`# Safety`).
        if let Some(library) = unsafe { Library::read(descriptor) } {
            self.add_library(library);
        }
    }

    /// Registers a library that has been read.
    pub fn add_library(&self, mut library: Library) {
        for bits in library.requires() {
            self.require(bits);
        }
        library.examine(&self.plugins);
        for (index, fitting) in library.fitting.iter().enumerate() {
            match fitting {
                Some(_) if self.plugins[index].is_late() => {
                    let mut late = lock(&self.late);
                    late.push(index);
                    // Release: with the Acquire of `start_late`.
                    self.is_late.store(true, Release);
                }
                Some(_) => self.start(index),
                None => {}
            }
        }
        let mut libraries = lock(&self.libraries);
        library.keep_names();
        libraries.push(library);
        // Release: with the Acquire of `prepare`, though `prepare` also locks the libraries to read
        // them.
        self.generation.fetch_add(1, Release);
    }

    /// Takes the requirements of a compilation unit. Ends the program if the units disagree in a
    /// requirement in which all must agree (OpenMP 5.2 §8.2).
    fn require(&self, bits: u64) {
        let earlier = self.requires.fetch_or(bits, Relaxed);
        if let Some(clause) = library::disagreement(earlier, bits) {
            report::inconsistent(clause);
            std::process::exit(INCONSISTENT);
        }
    }

    /// Unregisters a library: all devices unload its programs.
    pub fn unregister(&self, descriptor: *const __tgt_bin_desc) {
        self.remove_library(descriptor.addr());
    }

    /// Unregisters the library whose descriptor is at that address.
    pub fn remove_library(&self, descriptor: usize) {
        let library = {
            let mut libraries = lock(&self.libraries);
            let is_it = |it: &Library| it.descriptor == descriptor;
            let Some(index) = libraries.iter().position(is_it) else { return };
            libraries.remove(index).number
        };
        for device in self.devices() {
            device.unload(library);
        }
        if lock(&self.libraries).is_empty() {
            tool::release_devices();
        }
    }

    /// Adds the devices of a plug-in.
    fn start(&self, plugin: usize) {
        let mut started = lock(&self.started);
        if !started[plugin] {
            let devices = self.plugins[plugin].devices();
            self.add_devices(plugin, devices, &mut started);
        }
    }

    /// Adds these devices of a plug-in; the caller has the lock of `started`.
    fn add_devices(&self, plugin: usize, devices: Vec<Box<dyn Device>>, started: &mut [bool]) {
        started[plugin] = true;
        let mut number = self.known_devices();
        for device in devices {
            self.devices.add(TargetDevice::new(number, Box::leak(device), plugin));
            number += 1;
        }
        // Release: with the Acquire of a thread that finds its device by the number.
        self.count.store(number, Release);
    }

    /// Adds the devices that have not been asked for before; holds no lock while a plug-in looks
    /// for them, since it may call the loader.
    fn start_late(&self) {
        // Acquire: with the Release of a registration.
        if !self.is_late.load(Acquire) {
            return;
        }
        let Some(_passage) = self.entrance.enter() else { return };
        while let Some(plugin) = self.next_late() {
            if !lock(&self.started)[plugin] {
                let devices = self.plugins[plugin].devices();
                self.add_devices(plugin, devices, &mut lock(&self.started));
            }
        }
    }

    /// A plug-in whose devices are to be added.
    fn next_late(&self) -> Option<usize> {
        let mut late = lock(&self.late);
        if late.is_empty() {
            self.is_late.store(false, Relaxed);
            return None;
        }
        Some(late.remove(0))
    }

    /// Adds the devices of all plug-ins, whether or not there is an image for them.
    pub fn start_all(&self) {
        self.start_late();
        for (index, plugin) in self.plugins.iter().enumerate() {
            if !plugin.is_late() {
                self.start(index);
            }
        }
    }

    /// *target-offload-var*.
    pub fn policy(&self) -> TargetOffload {
        if let Some(policy) = self.policy.get() {
            return *policy;
        }
        // This thread asks outside of the initialization: the runtime may start here, and with it a
        // tool that asks for the number of devices.
        let policy = HostRuntime::get().target_offload();
        *self.policy.get_or_init(|| Box::new(policy))
    }

    /// The number of devices without the host, which is also the host's device number: 0 if offload
    /// is disabled.
    pub fn num_devices(&self) -> i32 {
        match self.policy() {
            TargetOffload::Disabled => 0,
            TargetOffload::Default | TargetOffload::Mandatory => self.count_devices(),
        }
    }

    /// The number of devices of the plug-ins that an image fits, whatever *target-offload-var* is.
    pub fn count_devices(&self) -> i32 {
        self.start_late();
        self.known_devices()
    }

    /// The number of devices that are there already.
    fn known_devices(&self) -> i32 {
        // Acquire: with the Release that follows the last device.
        self.count.load(Acquire)
    }

    /// Whether a library requires unified shared memory.
    #[must_use]
    pub fn is_memory_unified(&self) -> bool {
        let unified = requires_flag::UNIFIED_SHARED_MEMORY | requires_flag::SELF_MAPS;
        self.requires.load(Relaxed) & unified != 0
    }

    /// Whether `number` is a number of the host.
    pub fn is_host(&self, number: i32) -> bool {
        number == -1 || number == self.num_devices()
    }

    /// The device of a routine's argument, ready for use; `None` for the host, and without such a
    /// device.
    pub fn device(&self, number: i32) -> Option<&'static TargetDevice> {
        if self.policy() == TargetOffload::Disabled {
            return None;
        }
        self.start_late();
        let device = self.find(i64::from(number)).filter(|device| !device.is_lost())?;
        self.prepare(device).ok().map(|()| device)
    }

    /// All devices, by their numbers.
    pub fn devices(&self) -> Vec<&'static TargetDevice> {
        let mut devices: Vec<_> = self.devices.iter().collect();
        devices.reverse();
        devices
    }

    /// The device of that number. Async-signal-safe.
    pub fn find(&self, number: i64) -> Option<&'static TargetDevice> {
        self.devices.iter().find(|device| i64::from(device.number) == number)
    }

    /// Where a construct of the device clause `number` is executed.
    pub fn destination(&self, number: i64) -> Result<Destination, Mistake> {
        let policy = self.policy();
        if policy == TargetOffload::Disabled {
            return Ok(Destination::Host);
        }
        let number = match number {
            DEFAULT_DEVICE => HostRuntime::get().default_device(),
            number => number,
        };
        let count = i64::from(self.count_devices());
        match self.find(number) {
            Some(device) if device.is_lost() => match policy {
                TargetOffload::Mandatory => Err(Mistake::Lost { number }),
                _ => Ok(Destination::Host),
            },
            Some(device) => {
                self.prepare(device)?;
                Ok(Destination::Device(device))
            }
            // The host by its own number; without devices, every number that a device could have
            // means the host.
            None if number == count || number == -1 => match policy {
                TargetOffload::Mandatory if count == 0 && number != -1 => {
                    Err(Mistake::NoDevice { number, count })
                }
                _ => Ok(Destination::Host),
            },
            None if count == 0 && policy == TargetOffload::Default => Ok(Destination::Host),
            None => Err(Mistake::NoDevice { number, count }),
        }
    }

    /// Calls `visit` with each lock of the runtime and of its devices (`fork`).
    pub(crate) fn each_lock(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.entrance.each_lock(visit)?;
        visit(&self.late)?;
        visit(&self.started)?;
        visit(&self.libraries)?;
        self.devices.iter().try_for_each(|device| device.each_lock(visit))
    }

    /// Calls `visit` with each lock of the devices' traces (`fork`).
    pub(crate) fn each_lock_of_traces(&self, visit: &mut Visit<'_>) -> ControlFlow<()> {
        self.devices.iter().try_for_each(|device| device.tracer.each_lock(visit))
    }

    /// In the child of a fork, with the locks of the runtime and of its devices. If a thread that
    /// is gone was changing the list of libraries or of devices, no further device starts, and the
    /// existing devices are lost.
    pub(crate) fn after_fork(&self, child: &Child) {
        let started = self.started.after_fork(child, || vec![true; self.plugins.len()]);
        self.entrance.after_fork(child);
        self.late.after_fork(child, Vec::new);
        let libraries = self.libraries.after_fork(child, Vec::new);
        for device in self.devices.iter() {
            device.after_fork(child, started.is_whole() && libraries.is_whole());
        }
    }

    /// Loads the programs that the device has not loaded, and tells the tool of the device and the
    /// images that it does not know.
    fn prepare(&self, device: &'static TargetDevice) -> Result<(), Mistake> {
        let tool = tool::listener();
        let is_current = device.is_current(self.generation.load(Acquire));
        if is_current && tool::is_announced(tool, device) {
            return Ok(());
        }
        self.prepare_now(device, tool)
    }

    /// Makes the device ready while other threads wait; holds no lock where the tool is called.
    #[cold]
    fn prepare_now(
        &self,
        device: &'static TargetDevice,
        tool: Option<&'static HostTool>,
    ) -> Result<(), Mistake> {
        // Without a passage this is a call from the tool's callback, which may use the device as it
        // is.
        let Some(_passage) = device.turnstile.enter() else { return Ok(()) };
        let tool = tool.filter(|tool| tool::announce(tool, device));
        loop {
            while let Some(library) = device.arriving() {
                if let (Some(image), Some(tool)) = (device.becomes_visible(library), tool) {
                    tool::loaded(tool, device, image);
                }
                let scope = Scope::routine(self.executor(Some(device)), CallSite::NONE, false);
                let is_unified = self.is_memory_unified();
                let entered = device.enter_variables(library, is_unified, &scope);
                if entered.is_err() {
                    device.close(library);
                }
                device.settle(library);
                entered?;
            }
            let Some(mut arrival) = self.next_arrival(device) else { return Ok(()) };
            arrival.load(device.device, device.number)?;
            self.add(device, arrival);
        }
    }

    /// The program of a library that the device has not seen; `None` if the device has seen all;
    /// then the device is current.
    fn next_arrival(&self, device: &TargetDevice) -> Option<Arrival> {
        let libraries = lock(&self.libraries);
        let arrival = device.unseen(&libraries);
        if arrival.is_none() {
            device.becomes_current(self.generation.load(Relaxed));
        }
        arrival
    }

    /// Adds a program to the device, unless its library has been closed meanwhile.
    fn add(&self, device: &TargetDevice, arrival: Arrival) {
        let libraries = lock(&self.libraries);
        match libraries.iter().find(|it| it.number == arrival.library) {
            Some(library) => device.add(arrival, library),
            None => {
                // The device unloads the program, and no lock is held meanwhile.
                drop(libraries);
                drop(arrival);
            }
        }
    }

    /// Who executes a construct or a routine: the device, or the host.
    pub(crate) fn executor(&self, device: Option<&'static TargetDevice>) -> Executor {
        Executor { device, host: self.num_devices() }
    }
}
