//! The counterparts of a library's variables: the variables of the same names in its program on the
//! device.

use core::ffi::c_void;
use core::ptr;

use crate::device::TargetDevice;
use crate::device::loaded::{Reference, Variable};
use crate::mapping::POINTER_BYTES;
use crate::plugin::{Address, DeviceError};
use crate::sync::lock;
use crate::tool::Scope;
use crate::transfer::{Channel, Transfer};

impl TargetDevice {
    /// Gives the variables of an arriving program their counterparts, until the library is closed.
    /// A variable stays in the list until it has its counterpart: in the child of a fork another
    /// thread goes on.
    pub(crate) fn enter_variables(
        &'static self,
        library: u64,
        is_memory_unified: bool,
        scope: &Scope,
    ) -> Result<(), DeviceError> {
        while let Some((variable, pointer)) = self.next_variable(library, is_memory_unified) {
            let device = match (variable.reference, pointer) {
                (Reference::Function, _) => self.read_pointer(&variable, scope)?,
                (_, Some(pointer)) => {
                    self.point_to_host(&variable, pointer, scope)?;
                    variable.device
                }
                _ => variable.device,
            };
            if self.enter_variable(library, &variable, device) {
                scope.association(self, &variable.host, device);
            }
        }
        Ok(())
    }

    /// The next variable; with unified memory, if the variable is a reference pointer, also its
    /// value on the host. The library is not closed while its memory is read here, since closing
    /// needs the lock.
    fn next_variable(
        &self,
        library: u64,
        is_memory_unified: bool,
    ) -> Option<(Variable, Option<usize>)> {
        let programs = lock(&self.programs);
        let loaded = programs.iter().find(|it| it.library == library)?;
        let variable = loaded.arriving.front()?.clone();
        let is_pointer = is_memory_unified && matches!(variable.reference, Reference::Link);
        let pointer = is_pointer.then(|| {
            let place = ptr::with_exposed_provenance::<usize>(variable.host.start);
            // SAFETY: a reference pointer of a library that is not closed.
            unsafe { place.read_unaligned() }
        });
        Some((variable, pointer))
    }

    /// Enters the variable, unless the library has been closed. Returns whether the variable has
    /// got a counterpart by this call.
    fn enter_variable(&self, library: u64, variable: &Variable, device: Address) -> bool {
        let mut programs = lock(&self.programs);
        let Some(loaded) = programs.iter_mut().find(|it| it.library == library) else {
            return false;
        };
        if loaded.arriving.pop_front().is_none() {
            return false;
        }
        let host = variable.host.clone();
        if matches!(variable.reference, Reference::Pointer) {
            self.table().insert_link(host.clone(), device);
            loaded.linked.push(host.start);
            return false;
        }
        let is_entered = self.table().insert_permanent(host.clone(), device, variable.name);
        if is_entered {
            loaded.variables.push(host.start);
        }
        is_entered
    }

    /// Gives the reference pointer on the device the value of the host's pointer.
    fn point_to_host(
        &'static self,
        at: &Variable,
        pointer: usize,
        scope: &Scope,
    ) -> Result<(), DeviceError> {
        let mut queue = self.device.queue()?;
        let (host, bytes) = (at.host.start, POINTER_BYTES);
        let transfer = Transfer { host, device: at.device, bytes, name: at.name };
        let mut channel = Channel { device: self, queue: &mut *queue, scope };
        // SAFETY: the variable is a pointer, and the value outlives the queue's operations.
        unsafe { channel.send(&transfer, (&raw const pointer).cast())? };
        queue.finish()
    }

    fn read_pointer(&'static self, at: &Variable, scope: &Scope) -> Result<Address, DeviceError> {
        let (mut queue, mut value) = (self.device.queue()?, 0_usize);
        let place = (&raw mut value).cast::<c_void>();
        let (host, bytes) = (place.expose_provenance(), POINTER_BYTES);
        let transfer = Transfer { host, device: at.device, bytes, name: at.name };
        let mut channel = Channel { device: self, queue: &mut *queue, scope };
        // SAFETY: the variable is a pointer, and the value outlives the queue's operations.
        unsafe { channel.fetch(&transfer, place)? };
        queue.finish()?;
        Ok(Address(value))
    }
}
