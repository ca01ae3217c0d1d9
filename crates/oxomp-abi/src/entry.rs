//! `entry!`: writes an exported function and binds it to its version nodes.
//!
//! One shared object answers to programs of LLVM's and of GCC's runtime, whose references carry
//! different version nodes. So an entry's function has another name inside (`__oxomp_NAME`, hidden)
//! and `.symver` gives it its outside names: `NAME@@VERSION` for clang's programs and for new
//! links, `NAME@NODE` for each node of the older libraries. `exports.tsv` alone lists the nodes of
//! a name.
//!
//! ```text
//! entry! {
//!     /// `void GOMP_barrier(void)`                       every node of the table
//!     pub fn GOMP_barrier() { … }
//!
//!     /// one function under several names
//!     pub fn omp_get_level | omp_get_level_() -> c_int { … }
//!
//!     /// a second body of one name: the nodes are divided by hand, each body lists its own
//!     pub fn omp_pause_resource_all_@["VERSION"](kind: c_int) -> c_int { … }
//!     pub fn omp_pause_resource_all_by_reference = omp_pause_resource_all_@["OMP_5.0"](
//!         kind: ByRef<c_int>,
//!     ) -> c_int { … }
//!
//!     /// a default that a definition elsewhere may replace
//!     pub unsafe weak fn ompt_start_tool(…) -> … { … }
//!
//!     /// assembly that sees its caller's registers and stack as they were at the call
//!     pub unsafe naked fn __kmpc_fork_call(…) { naked_asm!(…) }
//!     pub naked fn ompd_bp_task_begin() { naked_asm!(…) }
//! }
//! ```
//!
//! The types of `argument` and of the families say which contract an argument has; an entry is
//! `unsafe` if two of its arguments belong together.

include!(concat!(env!("OUT_DIR"), "/versions.rs"));

/// The version part of a symbol: `VERSION` is the default (`@@`). The other nodes are not, and
/// neither is `not default VERSION`, which is for routines that new links take from libomptarget.
macro_rules! node {
    ("VERSION") => {
        "@@VERSION"
    };
    ("not default VERSION") => {
        "@VERSION"
    };
    ($node:tt) => {
        concat!("@", $node)
    };
}

/// Defines exported variables, under every node that the table says.
macro_rules! data {
    ($($(#[$meta:meta])* pub static $name:ident: $ty:ty = $value:expr;)*) => {
        $(
            entry! { @symbol $name [versions!($name)] }
            core::arch::global_asm!(
                concat!(".type __oxomp_v_", stringify!($name), ", @object"),
                concat!(".size __oxomp_v_", stringify!($name), ", {size}"),
                size = const size_of::<$ty>(),
            );
            $(#[$meta])*
            #[unsafe(export_name = concat!("__oxomp_", stringify!($name)))]
            #[allow(non_upper_case_globals, reason = "the name is the ABI's")]
            pub static $name: $ty = $value;
        )*
    };
}

/// Defines exported functions; see the module documentation for the forms.
macro_rules! entry {
    () => {};

    ($(#[$meta:meta])* pub unsafe naked fn $($rest:tt)*) => {
        entry! { @bind [$(#[$meta])* #[unsafe(naked)]] [unsafe] $($rest)* }
    };
    ($(#[$meta:meta])* pub naked fn $($rest:tt)*) => {
        entry! { @bind [$(#[$meta])* #[unsafe(naked)]] [] $($rest)* }
    };
    ($(#[$meta:meta])* pub unsafe weak fn $name:ident ($($signature:tt)*) $($rest:tt)*) => {
        core::arch::global_asm!(concat!(".hidden __oxomp_", stringify!($name)));
        entry! { @alias ".weak" $name $name [versions!($name)] }
        entry! { @define [$(#[$meta])*] [unsafe] $name ($($signature)*) $($rest)* }
    };
    ($(#[$meta:meta])* pub unsafe fn $($rest:tt)*) => {
        entry! { @bind [$(#[$meta])*] [unsafe] $($rest)* }
    };
    ($(#[$meta:meta])* pub fn $($rest:tt)*) => {
        entry! { @bind [$(#[$meta])*] [] $($rest)* }
    };

    (@bind $attributes:tt $safety:tt $name:ident ($($signature:tt)*) $($rest:tt)*) => {
        entry! { @symbol $name [versions!($name)] }
        entry! { @define $attributes $safety $name ($($signature)*) $($rest)* }
    };
    (@bind $attributes:tt $safety:tt
        $name:ident $(| $other:ident)+ ($($signature:tt)*) $($rest:tt)*
    ) => {
        entry! { @symbol $name [versions!($name)] }
        $(entry! { @alias ".globl" $other $name [versions!($other)] })+
        entry! { @define $attributes $safety $name ($($signature)*) $($rest)* }
    };
    (@bind $attributes:tt $safety:tt
        $name:ident @ $nodes:tt ($($signature:tt)*) $($rest:tt)*
    ) => {
        entry! { @symbol $name [entry!(@versions $name $name $nodes)] }
        entry! { @define $attributes $safety $name ($($signature)*) $($rest)* }
    };
    (@bind $attributes:tt $safety:tt
        $name:ident = $export:ident @ $nodes:tt ($($signature:tt)*) $($rest:tt)*
    ) => {
        entry! { @symbol $name [entry!(@versions $name $export $nodes)] }
        entry! { @define $attributes $safety $name ($($signature)*) $($rest)* }
    };

    // The hidden function gets a visible alias from which the versioned symbols are made, because
    // they inherit its visibility; the alias itself leaves no trace.
    (@symbol $name:ident [$versions:expr]) => {
        core::arch::global_asm!(concat!(".hidden __oxomp_", stringify!($name)));
        entry! { @alias ".globl" $name $name [$versions] }
    };
    (@alias $binding:literal $alias:ident $name:ident [$versions:expr]) => {
        core::arch::global_asm!(
            concat!($binding, " __oxomp_v_", stringify!($alias)),
            concat!(".set __oxomp_v_", stringify!($alias), ", __oxomp_", stringify!($name)),
            $versions,
        );
    };
    (@versions $name:ident $export:ident [$first:tt $(, $node:tt)*]) => {
        concat!(
            ".symver __oxomp_v_", stringify!($name), ", ", stringify!($export), node!($first),
            ", remove\n",
            $(
                ".symver __oxomp_v_", stringify!($name), ", ", stringify!($export), node!($node),
                "\n",
            )*
        )
    };

    (@define [$($attribute:tt)*] [$($safety:tt)?] $name:ident
        ($($argument:ident : $ty:ty),* $(,)?) $(-> $ret:ty)? $body:block $($rest:tt)*
    ) => {
        $($attribute)*
        #[unsafe(export_name = concat!("__oxomp_", stringify!($name)))]
        #[allow(non_snake_case, reason = "the name is the ABI's")]
        pub $($safety)? extern "C" fn $name($($argument: $ty),*) $(-> $ret)? $body

        entry! { $($rest)* }
    };
}
