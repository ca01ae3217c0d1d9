//! Threadprivate variables (kmpc): flang's, and clang's without thread-local storage.

use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};

use oxomp_core::Thread;
use oxomp_core::threadprivate::{
    self, Construct, ConstructVector, CopyConstruct, CopyConstructVector, Destroy, DestroyVector,
    Lifetime, Variable,
};

use super::Loc;

/// `void ***`: the word in which the runtime keeps its record of a variable (rule A13).
#[repr(transparent)]
#[derive(Debug)]
pub struct Cache<'a>(&'a AtomicPtr<Variable>);

impl Cache<'_> {
    /// The variable, if a call has kept it.
    #[inline(always)]
    fn variable(&self) -> Option<&'static Variable> {
        // SAFETY: A13: null, or a variable that `keep` stored; none is ever freed.
        // Acquire: pairs with the Release in `keep`.
        unsafe { self.0.load(Ordering::Acquire).as_ref() }
    }

    fn keep(&self, variable: &'static Variable) {
        self.0.store(core::ptr::from_ref(variable).cast_mut(), Ordering::Release);
    }
}

entry! {
    /// `void *__kmpc_threadprivate_cached(ident_t *loc, kmp_int32 global_tid, void *data,
    /// size_t size, void ***cache)`: the calling thread's copy.
    ///
    /// # Safety
    /// A13: `data` is the variable's object, of `size` bytes.
    pub unsafe fn __kmpc_threadprivate_cached(
        _loc: Loc,
        _gtid: i32,
        data: *mut c_void,
        size: usize,
        cache: Cache,
    ) -> *mut c_void {
        let variable = cache.variable().unwrap_or_else(|| {
            // SAFETY: A13: the variable's object.
            let variable = unsafe { threadprivate::find(data, size) };
            cache.keep(variable);
            variable
        });
        variable.copy_of(Thread::current())
    }

    /// `void *__kmpc_threadprivate(ident_t *loc, kmp_int32 global_tid, void *data, size_t size)`
    ///
    /// # Safety
    /// A13: `data` is the variable's object, of `size` bytes.
    pub unsafe fn __kmpc_threadprivate(
        _loc: Loc,
        _gtid: i32,
        data: *mut c_void,
        size: usize,
    ) -> *mut c_void {
        // SAFETY: A13: the variable's object.
        unsafe { threadprivate::find(data, size) }.copy_of(Thread::current())
    }

    /// `void __kmpc_threadprivate_register(ident_t *loc, void *data, kmpc_ctor ctor,
    /// kmpc_cctor cctor, kmpc_dtor dtor)`
    ///
    /// # Safety
    /// A8: the functions, where they are not null, construct and end objects of the type of `data`.
    pub unsafe fn __kmpc_threadprivate_register(
        _loc: Loc,
        data: *mut c_void,
        construct: Option<Construct>,
        copy: Option<CopyConstruct>,
        destroy: Option<Destroy>,
    ) {
        threadprivate::register(data, Lifetime::Object { construct, copy, destroy });
    }

    /// `void __kmpc_threadprivate_register_vec(ident_t *loc, void *data, kmpc_ctor_vec ctor,
    /// kmpc_cctor_vec cctor, kmpc_dtor_vec dtor, size_t vector_length)`
    ///
    /// # Safety
    /// A8: the functions, where they are not null, construct and end arrays of `length` elements of
    /// the type of those at `data`.
    pub unsafe fn __kmpc_threadprivate_register_vec(
        _loc: Loc,
        data: *mut c_void,
        construct: Option<ConstructVector>,
        copy: Option<CopyConstructVector>,
        destroy: Option<DestroyVector>,
        length: usize,
    ) {
        threadprivate::register(data, Lifetime::Array { construct, copy, destroy, length });
    }
}
