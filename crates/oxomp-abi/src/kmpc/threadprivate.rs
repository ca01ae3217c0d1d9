//! Threadprivate variables (kmpc): flang's, and clang's without thread-local storage.

use core::ffi::c_void;
use core::sync::atomic::{AtomicPtr, Ordering};

use oxomp_core::Thread;
use oxomp_core::threadprivate::{
    self, Construct, ConstructVector, CopyConstruct, CopyConstructVector, Destroy, DestroyVector,
    Lifetime, Variable,
};
use oxomp_sys::kmpc::ident_t;

entry! {
    /// `void *__kmpc_threadprivate_cached(ident_t *loc, kmp_int32 global_tid, void *data,
    /// size_t size, void ***cache)`: the calling thread's copy.
    ///
    /// # Safety
    /// `data` is the variable's object, of `size` bytes; `cache` is the compiler's word for it, null
    /// at first and the runtime's.
    pub unsafe fn __kmpc_threadprivate_cached(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut c_void,
        size: usize,
        cache: *mut *mut c_void,
    ) -> *mut c_void {
        // SAFETY: by contract; only we write there, pointers to variables, which are never freed.
        let (cache, known) = unsafe {
            let cache = AtomicPtr::from_ptr(cache.cast::<*mut Variable>());
            // Acquire: pairs with the Release below.
            (cache, cache.load(Ordering::Acquire).as_ref())
        };
        let variable = known.unwrap_or_else(|| {
            // SAFETY: by contract.
            let variable = unsafe { threadprivate::find(data, size) };
            cache.store(core::ptr::from_ref(variable).cast_mut(), Ordering::Release);
            variable
        });
        variable.copy_of(Thread::current())
    }

    /// `void *__kmpc_threadprivate(ident_t *loc, kmp_int32 global_tid, void *data, size_t size)`
    ///
    /// # Safety
    /// `data` is the variable's object, of `size` bytes.
    pub unsafe fn __kmpc_threadprivate(
        _loc: *const ident_t,
        _gtid: i32,
        data: *mut c_void,
        size: usize,
    ) -> *mut c_void {
        // SAFETY: by contract.
        unsafe { threadprivate::find(data, size) }.copy_of(Thread::current())
    }

    /// `void __kmpc_threadprivate_register(ident_t *loc, void *data, kmpc_ctor ctor,
    /// kmpc_cctor cctor, kmpc_dtor dtor)`
    ///
    /// # Safety
    /// The functions, where they are not null, construct and end objects of the type of `data`.
    pub unsafe fn __kmpc_threadprivate_register(
        _loc: *const ident_t,
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
    /// The functions, where they are not null, construct and end arrays of `length` elements of the
    /// type of those at `data`.
    pub unsafe fn __kmpc_threadprivate_register_vec(
        _loc: *const ident_t,
        data: *mut c_void,
        construct: Option<ConstructVector>,
        copy: Option<CopyConstructVector>,
        destroy: Option<DestroyVector>,
        length: usize,
    ) {
        threadprivate::register(data, Lifetime::Array { construct, copy, destroy, length });
    }
}
