//! The vectors that `ompd_get_display_control_vars` returns. The debugger releases each as a whole.

use core::ffi::c_char;
use core::ptr::{self, NonNull};
use std::collections::BTreeMap;

use oxomp_debuggee::AddressSpace;
use oxomp_ompd_layout::Field;
use oxomp_sys::ompd::ompd_rc_t;

use crate::Answer;
use crate::callbacks::Callbacks;
use crate::memory;

/// The vectors that the debugger has not released.
#[derive(Debug)]
pub(crate) struct ControlVars(BTreeMap<usize, Callbacks>);

/// The variables that have a value, `NAME=VALUE` each.
pub(crate) fn assignments(space: &AddressSpace) -> Answer<Vec<Vec<u8>>> {
    space.require_tracking()?;
    let bytes = space.bytes(space.process(), Field::ProcessEnvironment)?;
    let texts = bytes.split(|byte| *byte == 0).filter(|text| !text.is_empty());
    Ok(texts.map(<[u8]>::to_vec).collect())
}

impl ControlVars {
    /// No vector.
    pub(crate) const fn new() -> Self {
        ControlVars(BTreeMap::new())
    }

    /// A vector of the texts that ends with null, in one piece of memory with the texts.
    pub(crate) fn give(
        &mut self,
        callbacks: Callbacks,
        texts: &[Vec<u8>],
    ) -> Answer<NonNull<*const c_char>> {
        let vector = (texts.len() + 1) * size_of::<*const c_char>();
        let bytes: usize = texts.iter().map(|text| text.len() + 1).sum();
        let memory = callbacks.allocate(vector + bytes)?;
        let mut at = vector;
        for (index, text) in texts.iter().enumerate() {
            // SAFETY: the memory is new. It has room for the vector, with its end, and behind the
            // vector for each of the texts, with its zero byte.
            unsafe {
                let place = memory.as_ptr().add(at);
                place.copy_from_nonoverlapping(text.as_ptr(), text.len());
                place.add(text.len()).write(0);
                let element = memory.as_ptr().cast::<*const c_char>().add(index);
                element.write_unaligned(place.cast_const().cast());
            }
            at += text.len() + 1;
        }
        // SAFETY: the vector has a place more than there are texts.
        unsafe {
            let end = memory.as_ptr().cast::<*const c_char>().add(texts.len());
            end.write_unaligned(ptr::null());
        }
        let address = memory.as_ptr().expose_provenance();
        self.0.insert(address, callbacks);
        match memory::enough() {
            Ok(()) => Ok(memory.cast()),
            Err(code) => {
                self.release(address)?;
                Err(code)
            }
        }
    }

    /// Frees a vector and its texts. Once no vector is left, the list of vectors needs no memory
    /// either.
    ///
    /// # Errors
    /// `bad_input` if there is no such vector.
    pub(crate) fn release(&mut self, vector: usize) -> Answer<()> {
        let callbacks = self.0.remove(&vector).ok_or(ompd_rc_t::BAD_INPUT)?;
        if self.0.is_empty() {
            self.0.clear();
        }
        if let Some(memory) = NonNull::new(ptr::with_exposed_provenance_mut(vector)) {
            callbacks.free(memory);
        }
        Ok(())
    }

    /// Frees all vectors.
    pub(crate) fn clear(&mut self) {
        while let Some((&vector, _)) = self.0.first_key_value() {
            // The vector is in the map, so its release cannot fail.
            let _ = self.release(vector);
        }
    }
}
