//! Names of functions as their author wrote them: demangled, and without what compilers append.
//!
//! Compilers outline the body of a construct into a function of its own; the user knows only the
//! function that holds the directive, so that name is the one shown.

use cpp_demangle::{DemangleOptions, Symbol};

/// Marks behind which a compiler's own words begin.
///
/// gcc: `work._omp_fn.0`, `work.constprop.0`; clang: `work.omp_outlined`, `.omp_outlined..3`
/// (before clang 17, without the user's function), `.omp_task_entry.`; flang: `_QPwork..omp_par.1`.
const COMPILER_SUFFIXES: [&str; 16] = [
    "..omp_par",
    "._omp_fn.",
    "._omp_cpyfn.",
    ".omp_outlined",
    ".omp_task_entry",
    ".omp.",
    ".omp_def",
    ".constprop.",
    ".isra.",
    ".part.",
    ".cold",
    ".lto_priv.",
    ".localalias",
    ".llvm.",
    ".resolver",
    ".__omp_outlined",
];

/// The name of a construct's code when the compiler left no name of the user's.
const NAMELESS: &str = "outlined region";

/// The user's name of a function.
///
/// `symbol` is a name of a symbol table or of debug information: mangled by C++, Rust or gfortran
/// or not at all.
#[must_use]
pub fn user_function(symbol: &str) -> String {
    let stripped = strip_compiler_suffixes(symbol);
    if stripped.is_empty() {
        return NAMELESS.to_owned();
    }
    demangle_rust(stripped)
        .or_else(|| demangle_cpp(stripped))
        .or_else(|| gfortran(stripped))
        .or_else(|| flang(stripped))
        .or_else(|| cython(stripped))
        .unwrap_or_else(|| stripped.to_owned())
}

fn strip_compiler_suffixes(symbol: &str) -> &str {
    let end = COMPILER_SUFFIXES.iter().filter_map(|suffix| symbol.find(suffix)).min();
    let name = &symbol[..end.unwrap_or(symbol.len())];
    // Outlined code compiled with debug information calls a twin of the same name.
    let name = name.strip_suffix("_debug__").unwrap_or(name);
    function_of_kernel(name).unwrap_or(name)
}

/// `__omp_offloading_fd00_8c3_main_l6` is the kernel of a construct in line 6 of `main`; the
/// numbers before are those of its source file. A second kernel of the line ends with `_l6_1`.
fn function_of_kernel(name: &str) -> Option<&str> {
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let mut parts = name.strip_prefix("__omp_offloading_")?.splitn(3, '_');
    let function = parts.nth(2)?;
    let (function, line) = function.rsplit_once("_l")?;
    let (line, count) = line.split_once('_').unwrap_or((line, "0"));
    (!function.is_empty() && is_number(line) && is_number(count)).then_some(function)
}

fn demangle_rust(name: &str) -> Option<String> {
    let demangled = rustc_demangle::try_demangle(name).ok()?;
    Some(format!("{demangled:#}"))
}

fn demangle_cpp(name: &str) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    let options = DemangleOptions::new().no_params().no_return_type();
    let demangled = Symbol::new(name).ok()?.demangle_with_options(&options).ok()?;
    Some(demangled.replace("(anonymous namespace)::", ""))
}

/// `__solver_MOD_relax` is `relax` of the module `solver`.
fn gfortran(name: &str) -> Option<String> {
    let (module, procedure) = name.strip_prefix("__")?.split_once("_MOD_")?;
    Some(format!("{module}::{procedure}"))
}

/// `_QMsolverPrelax` is `relax` of the module `solver`: each part of the name, in lower case, has
/// its kind before it in upper case. The main program is `_QQmain`.
fn flang(name: &str) -> Option<String> {
    let parts = name.strip_prefix("_Q")?;
    if parts == "Qmain" {
        return Some("main program".to_owned());
    }
    let kinds = ['M', 'S', 'F', 'P'];
    if !parts.starts_with(kinds) || parts.ends_with(kinds) {
        return None;
    }
    let names: Vec<&str> = parts.split(kinds).filter(|part| !part.is_empty()).collect();
    let is_name = |part: &&str| part.chars().all(|c| !c.is_ascii_uppercase());
    names.iter().all(is_name).then(|| names.join("::"))
}

/// `__pyx_pw_7sklearn_7cluster_6common_3work` is `work`: the names of the modules come with their
/// lengths, the function's own may have a number before it, and so may its fused variants.
fn cython(name: &str) -> Option<String> {
    let mut rest = without_fuse(name.strip_prefix("__pyx_")?);
    let (kind, behind) = rest.split_once('_')?;
    if !["pw", "pf", "f"].contains(&kind) {
        return None;
    }
    rest = behind;
    while let Some(behind) = behind_module(rest) {
        rest = behind;
    }
    let function = rest.trim_start_matches(|character: char| character.is_ascii_digit());
    let function = function.strip_prefix("__pyx_").map_or(function, without_fuse);
    (!function.is_empty()).then(|| function.to_owned())
}

/// The name without a prefix such as `fuse_1` or `fuse_0_2`.
fn without_fuse(name: &str) -> &str {
    let Some(mut rest) = name.strip_prefix("fuse") else { return name };
    while let Some(number) = rest.strip_prefix('_') {
        let behind = number.trim_start_matches(|character: char| character.is_ascii_digit());
        if behind.len() == number.len() {
            break;
        }
        rest = behind;
    }
    rest.strip_prefix("__pyx_").unwrap_or(rest)
}

/// The rest of the name behind a module with its length, such as `7sklearn_`.
fn behind_module(name: &str) -> Option<&str> {
    let digits = name.len() - name.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let length: usize = name[..digits].parse().ok()?;
    let behind = name.get(digits + length..)?.strip_prefix('_')?;
    (!behind.is_empty()).then_some(behind)
}

#[cfg(test)]
mod tests {
    use super::user_function;

    #[test]
    fn outlined_functions_have_the_name_of_the_function_with_the_directive() {
        assert_eq!(user_function("main._omp_fn.0"), "main");
        assert_eq!(user_function("relax._omp_fn.12"), "relax");
        assert_eq!(user_function("main.omp_outlined"), "main");
        assert_eq!(user_function("main.omp_outlined.3"), "main");
        assert_eq!(user_function("main.omp_outlined_debug__"), "main");
        assert_eq!(user_function("main.omp_outlined_debug__.5"), "main");
        assert_eq!(user_function("work._omp_fn.1.constprop.0"), "work");
        assert_eq!(user_function("work.part.0.isra.0"), "work");
    }

    #[test]
    fn kernels_have_the_name_of_the_function_with_the_construct() {
        assert_eq!(user_function("__omp_offloading_fd00_8c3_main_l6"), "main");
        assert_eq!(user_function("__omp_offloading_10306_48c0f_my_loop_l1_l17_1"), "my_loop_l1");
        let outlined = "__omp_offloading_fd00_8c3_main_l6_debug__.omp_outlined_debug__.3";
        assert_eq!(user_function(outlined), "main");
        let member = "__omp_offloading_fd00_8c3__ZN4mesh5relaxEPdi_l12.omp_outlined";
        assert_eq!(user_function(member), "mesh::relax");
        assert_eq!(user_function("__omp_offloading_fd00_8c3__QQmain_l4..omp_par"), "main program");
        for other in ["__omp_offloading_", "__omp_offloading_a_b_c", "__omp_offloading_a_b__l3"] {
            assert_eq!(user_function(other), other);
        }
    }

    #[test]
    fn nested_outlining_keeps_the_outermost_name() {
        assert_eq!(user_function("main.omp_outlined.omp_outlined"), "main");
        assert_eq!(user_function("main._omp_fn.0._omp_fn.1"), "main");
    }

    #[test]
    fn outlined_functions_of_old_clang_are_nameless() {
        assert_eq!(user_function(".omp_outlined."), "outlined region");
        assert_eq!(user_function(".omp_outlined._debug__.7"), "outlined region");
    }

    #[test]
    fn names_of_cpp_lose_parameters_and_keep_scopes() {
        assert_eq!(user_function("_ZN4mesh5relaxEPdi._omp_fn.0"), "mesh::relax");
        assert_eq!(user_function("_ZN12_GLOBAL__N_15sweepEv"), "sweep");
        assert_eq!(user_function("_Z3foov.omp_outlined"), "foo");
        assert_eq!(user_function("_Z3addIdET_S0_S0_"), "add<double>");
    }

    #[test]
    fn names_of_rust_lose_their_hash() {
        assert_eq!(
            user_function("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"),
            "core::fmt::Formatter::pad"
        );
    }

    #[test]
    fn procedures_of_fortran_modules_have_their_module() {
        assert_eq!(user_function("__solver_MOD_relax._omp_fn.0"), "solver::relax");
        assert_eq!(user_function("MAIN__._omp_fn.0"), "MAIN__");
    }

    #[test]
    fn procedures_of_flang_have_their_module_or_host() {
        assert_eq!(user_function("_QMsolverPrelax..omp_par.1"), "solver::relax");
        assert_eq!(user_function("_QPdaxpy"), "daxpy");
        assert_eq!(user_function("_QFhostPinner"), "host::inner");
        assert_eq!(user_function("_QQmain..omp_par"), "main program");
        assert_eq!(user_function("_QQclX6869"), "_QQclX6869", "a constant");
    }

    #[test]
    fn functions_of_cython_lose_modules_and_variants() {
        let module = "7sklearn_7cluster_14_k_means_lloyd";
        for (symbol, name) in [
            (format!("__pyx_pw_{module}_3work"), "work"),
            (format!("__pyx_f_{module}__update_chunk"), "_update_chunk"),
            (format!("__pyx_pf_{module}_6__pyx_fuse_1lloyd_dense._omp_fn.0"), "lloyd_dense"),
            (format!("__pyx_fuse_1__pyx_pw_{module}_7lloyd_iter_dense"), "lloyd_iter_dense"),
            (format!("__pyx_pw_{module}_29__pyx_fuse_1_inertia_dense"), "_inertia_dense"),
        ] {
            assert_eq!(user_function(&symbol), name, "{symbol}");
        }
        assert_eq!(user_function("__pyx_tp_new"), "__pyx_tp_new");
    }

    #[test]
    fn plain_names_stay() {
        assert_eq!(user_function("main"), "main");
        assert_eq!(user_function("__libc_start_main"), "__libc_start_main");
        assert_eq!(user_function("_Znotmangled"), "_Znotmangled");
    }
}
