//! The predefined handles as variables, for programs whose headers declare them so.

data! {
    /// `const omp_allocator_handle_t omp_null_allocator`
    pub static omp_null_allocator: usize = 0;
    /// `const omp_allocator_handle_t omp_default_mem_alloc`
    pub static omp_default_mem_alloc: usize = 1;
    /// `const omp_allocator_handle_t omp_large_cap_mem_alloc`
    pub static omp_large_cap_mem_alloc: usize = 2;
    /// `const omp_allocator_handle_t omp_const_mem_alloc`
    pub static omp_const_mem_alloc: usize = 3;
    /// `const omp_allocator_handle_t omp_high_bw_mem_alloc`
    pub static omp_high_bw_mem_alloc: usize = 4;
    /// `const omp_allocator_handle_t omp_low_lat_mem_alloc`
    pub static omp_low_lat_mem_alloc: usize = 5;
    /// `const omp_allocator_handle_t omp_cgroup_mem_alloc`
    pub static omp_cgroup_mem_alloc: usize = 6;
    /// `const omp_allocator_handle_t omp_pteam_mem_alloc`
    pub static omp_pteam_mem_alloc: usize = 7;
    /// `const omp_allocator_handle_t omp_thread_mem_alloc`
    pub static omp_thread_mem_alloc: usize = 8;
    /// `const omp_allocator_handle_t kmp_max_mem_alloc`: the handles up to this are predefined.
    pub static kmp_max_mem_alloc: usize = 1024;

    /// `const omp_memspace_handle_t omp_null_mem_space`
    pub static omp_null_mem_space: usize = 0;
    /// `const omp_memspace_handle_t omp_default_mem_space`: LLVM's number since 20. Before, it was
    /// 0, which means the default memory space as well where an allocator is created.
    pub static omp_default_mem_space: usize = 99;
    /// `const omp_memspace_handle_t omp_large_cap_mem_space`
    pub static omp_large_cap_mem_space: usize = 1;
    /// `const omp_memspace_handle_t omp_const_mem_space`
    pub static omp_const_mem_space: usize = 2;
    /// `const omp_memspace_handle_t omp_high_bw_mem_space`
    pub static omp_high_bw_mem_space: usize = 3;
    /// `const omp_memspace_handle_t omp_low_lat_mem_space`
    pub static omp_low_lat_mem_space: usize = 4;
    /// `const omp_memspace_handle_t omp_cgroup_mem_space`
    pub static omp_cgroup_mem_space: usize = 5;
    /// `const omp_memspace_handle_t kmp_max_mem_space`: the handles up to this are predefined.
    pub static kmp_max_mem_space: usize = 1024;
}
