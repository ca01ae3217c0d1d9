//! Events of devices and target constructs (OpenMP 5.1 §4.5.2, 6.0 chapter 35).

use core::ffi::CStr;

use oxomp_sys::ompt::ompt_id_t;

use crate::{
    CodePtr, DataWord, Device, DeviceAddress, Endpoint, HostAddress, MapItems, Model, Raw,
    TargetDataOpKind, TargetKind,
};

/// A device is ready.
#[derive(Clone, Copy, Debug)]
pub struct DeviceInitialize<'a> {
    /// The device's number.
    pub device_num: i32,
    /// Vendor and model, separated by semicolons.
    pub device_type: Option<&'a CStr>,
    /// The device: a handle that may be kept, by which the device is traced.
    pub device: Device,
    /// The vendor's description of the tracing interface.
    pub documentation: Option<&'a CStr>,
}

/// A device is about to be finalized.
#[derive(Clone, Copy, Debug)]
pub struct DeviceFinalize {
    /// The device's number.
    pub device_num: i32,
}

/// Code was loaded on a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceLoad<'a> {
    /// The device's number.
    pub device_num: i32,
    /// The file the code comes from.
    pub filename: Option<&'a CStr>,
    /// Offset of the code in the file; -1 without a file.
    pub offset_in_file: i64,
    /// Virtual address in the file; all bits set without such an address.
    pub vma_in_file: u64,
    /// Size of the code in bytes.
    pub bytes: usize,
    /// Address of the code on the host.
    pub host_addr: HostAddress,
    /// Address of the code on the device.
    pub device_addr: DeviceAddress,
    /// Identifies the code.
    pub module_id: u64,
}

/// Code is about to be unloaded from a device.
#[derive(Clone, Copy, Debug)]
pub struct DeviceUnload {
    /// The device's number.
    pub device_num: i32,
    /// Identifies the code.
    pub module_id: u64,
}

/// A target construct begins or ends, as runtimes before 5.1 report it.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a, D: Model = Raw> {
    /// The kind of construct.
    pub kind: TargetKind,
    /// Begin or end.
    pub endpoint: Endpoint,
    /// The device's number.
    pub device_num: i32,
    /// The encountering task.
    pub task: Option<D::Task<'a>>,
    /// Identifies the construct's execution.
    pub target_id: ompt_id_t,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A target construct begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct TargetEmi<'a, D: Model = Raw> {
    /// The kind of construct.
    pub kind: TargetKind,
    /// Begin or end.
    pub endpoint: Endpoint,
    /// The device's number.
    pub device_num: i32,
    /// The encountering task.
    pub task: Option<D::Task<'a>>,
    /// The target task, if there is one.
    pub target_task: Option<D::Other<'a>>,
    /// The target region's word.
    pub target: Option<&'a DataWord>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A data operation, as runtimes before 5.1 report it.
#[derive(Clone, Copy, Debug)]
pub struct TargetDataOp {
    /// Identifies the construct's execution.
    pub target_id: ompt_id_t,
    /// Identifies the operation.
    pub host_op_id: ompt_id_t,
    /// The kind of the operation.
    pub kind: TargetDataOpKind,
    /// Source address.
    pub src_addr: DeviceAddress,
    /// Source device.
    pub src_device_num: i32,
    /// Destination address.
    pub dest_addr: DeviceAddress,
    /// Destination device.
    pub dest_device_num: i32,
    /// Number of bytes.
    pub bytes: usize,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A data operation begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct TargetDataOpEmi<'a, D: Model = Raw> {
    /// Begin, end or both.
    pub endpoint: Endpoint,
    /// The target task, if there is one.
    pub target_task: Option<D::Other<'a>>,
    /// The target region's word.
    pub target: Option<&'a DataWord>,
    /// A word for the tool's name of the operation, shown again at the end and in trace records.
    pub host_op_id: Option<&'a DataWord>,
    /// The kind of the operation.
    pub kind: TargetDataOpKind,
    /// Source address.
    pub src_addr: DeviceAddress,
    /// Source device.
    pub src_device_num: i32,
    /// Destination address.
    pub dest_addr: DeviceAddress,
    /// Destination device.
    pub dest_device_num: i32,
    /// Number of bytes.
    pub bytes: usize,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// A kernel is submitted, as runtimes before 5.1 report it.
#[derive(Clone, Copy, Debug)]
pub struct TargetSubmit {
    /// Identifies the construct's execution.
    pub target_id: ompt_id_t,
    /// Identifies the operation.
    pub host_op_id: ompt_id_t,
    /// Teams that the program asked for.
    pub requested_num_teams: u32,
}

/// The submission of a kernel begins or ends.
#[derive(Clone, Copy, Debug)]
pub struct TargetSubmitEmi<'a> {
    /// Begin or end.
    pub endpoint: Endpoint,
    /// The target region's word.
    pub target: Option<&'a DataWord>,
    /// A word for the tool's name of the operation, shown again at the end and in trace records.
    pub host_op_id: Option<&'a DataWord>,
    /// Teams that the program asked for.
    pub requested_num_teams: u32,
}

/// Variables are mapped, as runtimes before 5.1 report it.
#[derive(Clone, Copy, Debug)]
pub struct TargetMap<'a> {
    /// Identifies the construct's execution.
    pub target_id: ompt_id_t,
    /// The variables.
    pub items: MapItems<'a>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}

/// Variables are mapped.
#[derive(Clone, Copy, Debug)]
pub struct TargetMapEmi<'a> {
    /// The target region's word.
    pub target: Option<&'a DataWord>,
    /// The variables.
    pub items: MapItems<'a>,
    /// Where the construct is.
    pub codeptr_ra: CodePtr,
}
