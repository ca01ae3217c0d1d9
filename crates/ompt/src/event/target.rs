//! Events of devices and target constructs (OpenMP 5.1 §4.5.2, 6.0 chapter 35).

use core::ffi::CStr;

use oxomp_sys::ompt::ompt_id_t;

use super::argument::{id_word, string, word};
use super::arguments;
use super::read::events;
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

events! {
    /// Code was loaded on a device.
    #[derive(Clone, Copy, Debug)]
    DeviceLoad<'a> from c: arguments::ompt_callback_device_load_t {
        /// The device's number.
        device_num: i32 = c.device_num,
        /// The file the code comes from.
        filename: Option<&'a CStr> = string(c.filename),
        /// Offset of the code in the file; -1 without a file.
        offset_in_file: i64 = c.offset_in_file,
        /// Virtual address in the file; all bits set without such an address.
        vma_in_file: u64 = c.vma_in_file.addr() as u64,
        /// Size of the code in bytes.
        bytes: usize = c.bytes,
        /// Address of the code on the host.
        host_addr: HostAddress = HostAddress::new(c.host_addr),
        /// Address of the code on the device.
        device_addr: DeviceAddress = DeviceAddress::new(c.device_addr),
        /// Identifies the code.
        module_id: u64 = c.module_id,
    }

    /// Code is about to be unloaded from a device.
    #[derive(Clone, Copy, Debug)]
    DeviceUnload from c: arguments::ompt_callback_device_unload_t {
        /// The device's number.
        device_num: i32 = c.device_num,
        /// Identifies the code.
        module_id: u64 = c.module_id,
    }

    /// A target construct begins or ends, as runtimes before 5.1 report it.
    #[derive(Clone, Copy, Debug)]
    Target<'a, D> from c: arguments::ompt_callback_target_t {
        /// The kind of construct.
        kind: TargetKind = c.kind.into(),
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The device's number.
        device_num: i32 = c.device_num,
        /// The encountering task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// Identifies the construct's execution.
        target_id: ompt_id_t = c.target_id,
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A target construct begins or ends.
    #[derive(Clone, Copy, Debug)]
    TargetEmi<'a, D> from c: arguments::ompt_callback_target_emi_t {
        /// The kind of construct.
        kind: TargetKind = c.kind.into(),
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The device's number.
        device_num: i32 = c.device_num,
        /// The encountering task.
        task: Option<D::Task<'a>> = D::task(c.task_data),
        /// The target task, if there is one.
        target_task: Option<D::Other<'a>> = D::other(c.target_task_data),
        /// The target region's word.
        target: Option<&'a DataWord> = word(c.target_data),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A data operation, as runtimes before 5.1 report it.
    #[derive(Clone, Copy, Debug)]
    TargetDataOp from c: arguments::ompt_callback_target_data_op_t {
        /// Identifies the construct's execution.
        target_id: ompt_id_t = c.target_id,
        /// Identifies the operation.
        host_op_id: ompt_id_t = c.host_op_id,
        /// The kind of the operation.
        kind: TargetDataOpKind = c.optype.into(),
        /// Source address.
        src_addr: DeviceAddress = DeviceAddress::new(c.src_addr),
        /// Source device.
        src_device_num: i32 = c.src_device_num,
        /// Destination address.
        dest_addr: DeviceAddress = DeviceAddress::new(c.dest_addr),
        /// Destination device.
        dest_device_num: i32 = c.dest_device_num,
        /// Number of bytes.
        bytes: usize = c.bytes,
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A data operation begins or ends.
    #[derive(Clone, Copy, Debug)]
    TargetDataOpEmi<'a, D> from c: arguments::ompt_callback_target_data_op_emi_t {
        /// Begin, end or both.
        endpoint: Endpoint = c.endpoint.into(),
        /// The target task, if there is one.
        target_task: Option<D::Other<'a>> = D::other(c.target_task_data),
        /// The target region's word.
        target: Option<&'a DataWord> = word(c.target_data),
        /// A word for the tool's name of the operation, shown again at the end and in trace
        /// records.
        host_op_id: Option<&'a DataWord> = id_word(c.host_op_id),
        /// The kind of the operation.
        kind: TargetDataOpKind = c.optype.into(),
        /// Source address.
        src_addr: DeviceAddress = DeviceAddress::new(c.src_addr),
        /// Source device.
        src_device_num: i32 = c.src_device_num,
        /// Destination address.
        dest_addr: DeviceAddress = DeviceAddress::new(c.dest_addr),
        /// Destination device.
        dest_device_num: i32 = c.dest_device_num,
        /// Number of bytes.
        bytes: usize = c.bytes,
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// A kernel is submitted, as runtimes before 5.1 report it.
    #[derive(Clone, Copy, Debug)]
    TargetSubmit from c: arguments::ompt_callback_target_submit_t {
        /// Identifies the construct's execution.
        target_id: ompt_id_t = c.target_id,
        /// Identifies the operation.
        host_op_id: ompt_id_t = c.host_op_id,
        /// Teams that the program asked for.
        requested_num_teams: u32 = c.requested_num_teams,
    }

    /// The submission of a kernel begins or ends.
    #[derive(Clone, Copy, Debug)]
    TargetSubmitEmi<'a> from c: arguments::ompt_callback_target_submit_emi_t {
        /// Begin or end.
        endpoint: Endpoint = c.endpoint.into(),
        /// The target region's word.
        target: Option<&'a DataWord> = word(c.target_data),
        /// A word for the tool's name of the operation, shown again at the end and in trace
        /// records.
        host_op_id: Option<&'a DataWord> = id_word(c.host_op_id),
        /// Teams that the program asked for.
        requested_num_teams: u32 = c.requested_num_teams,
    }

    /// Variables are mapped, as runtimes before 5.1 report it.
    #[derive(Clone, Copy, Debug)]
    TargetMap<'a> from c: arguments::ompt_callback_target_map_t {
        /// Identifies the construct's execution.
        target_id: ompt_id_t = c.target_id,
        /// The variables.
        items: MapItems<'a> = MapItems::from_raw(
            c.nitems, c.host_addr, c.device_addr, c.bytes, c.mapping_flags,
        ),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }

    /// Variables are mapped.
    #[derive(Clone, Copy, Debug)]
    TargetMapEmi<'a> from c: arguments::ompt_callback_target_map_emi_t {
        /// The target region's word.
        target: Option<&'a DataWord> = word(c.target_data),
        /// The variables.
        items: MapItems<'a> = MapItems::from_raw(
            c.nitems, c.host_addr, c.device_addr, c.bytes, c.mapping_flags,
        ),
        /// Where the construct is.
        codeptr_ra: CodePtr = CodePtr::new(c.codeptr_ra),
    }
}
