//! `export!` and `export_data!`: write exported functions and variables, and bind them to the
//! version node of LLVM's libomptarget.

/// Gives the hidden symbol `__oxomp_NAME` its outside name.
macro_rules! bind {
    ($name:ident) => {
        core::arch::global_asm!(
            concat!(".hidden __oxomp_", stringify!($name)),
            concat!(".globl __oxomp_v_", stringify!($name)),
            concat!(".set __oxomp_v_", stringify!($name), ", __oxomp_", stringify!($name)),
            concat!(
                ".symver __oxomp_v_",
                stringify!($name),
                ", ",
                stringify!($name),
                "@@VERS1.0, remove"
            ),
        );
    };
}

/// Defines an exported variable.
macro_rules! export_data {
    ($(#[$meta:meta])* pub static $name:ident: $ty:ty = $value:expr;) => {
        bind!($name);
        core::arch::global_asm!(
            concat!(".type __oxomp_v_", stringify!($name), ", @object"),
            concat!(".size __oxomp_v_", stringify!($name), ", {size}"),
            size = const size_of::<$ty>(),
        );
        $(#[$meta])*
        #[unsafe(export_name = concat!("__oxomp_", stringify!($name)))]
        #[allow(non_upper_case_globals, reason = "the name is the ABI's")]
        pub static $name: $ty = $value;
    };
}

/// Defines exported functions: inside, each has another name (`__oxomp_NAME`, hidden), and
/// `.symver` gives it its outside name, `NAME@@VERS1.0`.
macro_rules! export {
    ($(
        $(#[$meta:meta])*
        pub $(($safety:tt))? fn $name:ident($($argument:ident : $ty:ty),* $(,)?) $(-> $ret:ty)?
        $body:block
    )*) => {
        $(
            bind!($name);
            $(#[$meta])*
            #[unsafe(export_name = concat!("__oxomp_", stringify!($name)))]
            #[allow(non_snake_case, reason = "the name is the ABI's")]
            pub $($safety)? extern "C" fn $name($($argument: $ty),*) $(-> $ret)? $body
        )*
    };
}
