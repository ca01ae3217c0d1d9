//! What belongs to libraries of the system, whose code the user does not change: time in it is the
//! time of what calls it.

use crate::calls::CallTree;

/// Whether the file of this name is the C library, or a part of it, or the code by which the kernel
/// helps it.
pub(crate) fn is_c_library(file: &str) -> bool {
    ["libc.so", "libc-", "libpthread", "ld-linux", "ld-musl", "linux-vdso"]
        .iter()
        .any(|name| file.starts_with(name))
}

/// Whether the file of this name comes with a compiler or with the C library.
pub(super) fn is_of_system(file: &str) -> bool {
    const NAMES: [&str; 9] = [
        "libstdc++",
        "libc++",
        "libgcc_s",
        "libm.so",
        "libm-",
        "libgfortran",
        "libquadmath",
        "libflang",
        "libatomic",
    ];
    is_c_library(file) || NAMES.iter().any(|name| file.starts_with(name))
}

/// Whether a source file is a header of the system, such as a header with templates.
pub(super) fn is_header_of_system(file: &str) -> bool {
    file.starts_with("/usr/include/")
        || file.contains("/include/c++/")
        || file.starts_with("/usr/lib/") && file.contains("/include/")
}

/// The innermost node outside of libraries on the path to `node`, and the function of a library
/// that it called there, if `node` lies in one. If the whole path is in libraries, the result is
/// `node` itself.
pub(crate) fn outside_library(calls: &CallTree, node: u32) -> (u32, Option<u32>) {
    let mut called = None;
    let mut at = Some(node);
    while let Some(number) = at {
        let one = &calls.nodes[number as usize];
        if !one.library {
            return (number, called);
        }
        called = Some(number);
        at = one.caller;
    }
    (node, None)
}

/// The name of a library's function for people, without the arguments of templates.
pub(crate) fn short_name(function: &str) -> String {
    if function == "__cxa_throw" || function == "__cxa_rethrow" {
        return "throw".to_owned();
    }
    // The C library's own names of its functions.
    if let Some(own) = function.strip_prefix("__GI_") {
        let name = own.trim_start_matches('_');
        return name.strip_prefix("libc_").unwrap_or(name).to_owned();
    }
    let mut depth = 0_u32;
    let mut name = String::new();
    for letter in function.chars() {
        match letter {
            '<' if !name.ends_with("operator") => depth += 1,
            '>' if depth > 0 => depth -= 1,
            '(' if depth == 0 && !name.ends_with("operator") => break,
            _ if depth == 0 => name.push(letter),
            _ => {}
        }
    }
    // The type of a template's result stands before its name.
    let name = name.rsplit(' ').next().unwrap_or(&name).to_owned();
    if name.is_empty() || function.starts_with("operator ") { function.to_owned() } else { name }
}

#[cfg(test)]
mod tests {
    use super::{is_header_of_system, is_of_system, short_name};

    #[test]
    fn what_comes_with_the_compiler_is_a_library() {
        assert!(is_of_system("libstdc++.so.6.0.30") && is_of_system("libc.so.6"));
        assert!(!is_of_system("libsolver.so") && !is_of_system("a.out"));
        assert!(is_header_of_system("/usr/include/c++/12/bits/stl_algo.h"));
        assert!(is_header_of_system("/usr/lib/gcc/some-linux-gnu/12/include/immintrin.h"));
        assert!(!is_header_of_system("/home/me/include/grid.h"));
    }

    #[test]
    fn names_of_templates_are_short() {
        assert_eq!(short_name("std::sort<__gnu_cxx::__normal_iterator<int*, V> >"), "std::sort");
        assert_eq!(short_name("void std::__introsort_loop<int*, long>"), "std::__introsort_loop");
        assert_eq!(short_name("std::mutex::lock"), "std::mutex::lock");
        assert_eq!(short_name("operator new(unsigned long)"), "operator new(unsigned long)");
        assert_eq!(short_name("__cxa_throw"), "throw");
        assert_eq!(short_name("__GI___libc_read"), "read");
        assert_eq!(short_name("pthread_mutex_lock"), "pthread_mutex_lock");
    }
}
