//! `export!`: writes an exported function and binds it to the version node of LLVM's libomptarget.

/// Defines exported functions: inside, each has another name (`__oxomp_NAME`, hidden), and
/// `.symver` gives it its outside name, `NAME@@VERS1.0`.
macro_rules! export {
    ($(
        $(#[$meta:meta])*
        pub $(($safety:tt))? fn $name:ident($($argument:ident : $ty:ty),* $(,)?) $(-> $ret:ty)?
        $body:block
    )*) => {
        $(
            core::arch::global_asm!(
                concat!(".hidden __oxomp_", stringify!($name)),
                concat!(".globl __oxomp_v_", stringify!($name)),
                concat!(".set __oxomp_v_", stringify!($name), ", __oxomp_", stringify!($name)),
                concat!(
                    ".symver __oxomp_v_", stringify!($name), ", ", stringify!($name),
                    "@@VERS1.0, remove"
                ),
            );
            $(#[$meta])*
            #[unsafe(export_name = concat!("__oxomp_", stringify!($name)))]
            #[allow(non_snake_case, reason = "the name is the ABI's")]
            pub $($safety)? extern "C" fn $name($($argument: $ty),*) $(-> $ret)? $body
        )*
    };
}
