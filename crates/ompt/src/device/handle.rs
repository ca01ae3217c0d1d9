//! The handle of a device: what it does in both interfaces.

/// Implements the methods that `Device` has in both interfaces. `Device` has a field `state`, a
/// [`DeviceState`](crate::device::state::DeviceState), and the methods in which the interfaces
/// differ: `set_event`, for one event or for all, and `recommended_bytes`. In scope are the
/// interface's `Answers`, `EventSet` and `SetResult`. `$record` documents `record_events`.
macro_rules! handle {
    ($(#[$record:meta])*) => {
        impl Device {
            /// The device's number, as events have it.
            pub fn number(&self) -> i32 {
                self.state.number
            }

            /// Whether the handle can still be used.
            pub fn is_ready(&self) -> bool {
                self.state.is_ready()
            }

            /// Whether a trace can be started and read: the device has the entry points that it
            /// takes.
            pub fn can_trace(&self) -> bool {
                let functions = &self.state.functions;
                functions.start_trace.function.is_some() && self.can_end_and_read().is_ok()
            }

            /// Checks for the entry points without which it is useless to start a trace.
            fn can_end_and_read(&self) -> Result<(), $crate::trace::TraceError> {
                let functions = &self.state.functions;
                functions.advance_buffer_cursor.or_missing()?;
                functions.get_record_type.or_missing()?;
                functions.stop_trace.or_missing()?;
                Ok(())
            }

            /// The names of the entry points that the device does not have: all of them if it has
            /// no tracing interface.
            pub fn missing(&self) -> impl Iterator<Item = &'static core::ffi::CStr> {
                self.state.functions.missing()
            }

            /// The time now, by the device's clock.
            pub fn time(&self) -> Option<$crate::trace::DeviceTime> {
                // SAFETY: the entry point is the device's, which is alive during the call.
                let time = self.state.ask(self.state.functions.get_time, |get, raw| unsafe {
                    get(raw)
                });
                time.map($crate::trace::DeviceTime)
            }

            /// The host's time at a time of the device, in seconds as `omp_get_wtime` has them. The
            /// clocks may drift: translate soon (6.0 §37.3).
            pub fn translate_time(&self, time: $crate::trace::DeviceTime) -> Option<f64> {
                self.state.ask(self.state.functions.translate_time, |translate, raw| {
                    // SAFETY: the entry point is the device's, which is alive during the call.
                    unsafe { translate(raw, time.0) }
                })
            }

            /// A function of the device that the SDK does not call, by the name that the
            /// documentation of the device gives it; `None` if the device has no such function, or
            /// has ended.
            ///
            /// # Safety
            /// `F` is a function pointer, of the type that the documentation gives the function.
            /// The caller calls the function only while the device lives, and where the
            /// documentation allows.
            pub unsafe fn entry_point<F: Copy>(&self, name: &core::ffi::CStr) -> Option<F> {
                let _call = self.state.begin_call()?;
                // SAFETY: as the caller promises.
                unsafe { self.state.functions.entry_point(name) }
            }

            /// The runtime's device, which the functions of [`Device::entry_point`] take.
            pub fn raw(&self) -> *mut core::ffi::c_void {
                self.state.raw()
            }

            /// What has become of the device's buffers; also after the end of the device.
            pub fn trace_status(&self) -> $crate::trace::TraceStatus {
                self.state.buffers.status()
            }

            /// Asks the device to record these events from now on, besides those that it records
            /// already. Returns the device's answer for each.
            ///
            /// [`SetResult::Error`] where the device is not ready for it, lacks the entry point, or
            /// is not the tool's any more; see also [`trace`](crate::trace), *Threads*.
            ///
            $(#[$record])*
            pub fn record_events(&self, events: EventSet) -> Answers {
                Answers::of(events, |event| self.set_event(Some(event), true).raw())
            }

            /// Asks the device not to record these events any more.
            pub fn drop_events(&self, events: EventSet) -> Answers {
                Answers::of(events, |event| self.set_event(Some(event), false).raw())
            }

            /// Asks the device to record every event that it can record, or no event.
            pub fn record_all_events(&self, enable: bool) -> SetResult {
                self.set_event(None, enable)
            }

            /// Starts the trace. Records come to
            /// [`Tool::trace_records`](super::super::Tool::trace_records), in buffers that the SDK
            /// keeps.
            ///
            /// [`TraceError::Refused`](super::TraceError::Refused) if the trace runs already; one
            /// that has stopped because a buffer was refused starts again.
            pub fn start_trace(
                &self,
                buffers: $crate::trace::TraceBuffers,
            ) -> Result<(), $crate::trace::TraceError> {
                if $crate::device::delivery::Delivery::is_here() {
                    return Err($crate::trace::TraceError::InRecords);
                }
                self.can_end_and_read()?;
                self.state.buffers.set(buffers, self.recommended_bytes());
                let functions = &self.state.functions;
                let (request, complete) = (functions.request, functions.complete);
                $crate::trace::TraceError::of_answer(self.state.control(
                    functions.start_trace,
                    |start, raw| {
                        // SAFETY: the entry point is the device's, which is alive during the call,
                        // and the callbacks have the signatures that it demands.
                        unsafe { start(raw, Some(request), Some(complete)) }
                    },
                ))
            }

            /// Pauses the trace: the device records nothing of what happens in the pause.
            pub fn pause_trace(&self) -> Result<(), $crate::trace::TraceError> {
                self.set_pause(true)
            }

            /// Ends the pause.
            pub fn resume_trace(&self) -> Result<(), $crate::trace::TraceError> {
                self.set_pause(false)
            }

            fn set_pause(&self, begin: bool) -> Result<(), $crate::trace::TraceError> {
                let function = self.state.functions.pause_trace;
                // SAFETY: the entry point is the device's, which is alive during the call.
                let answer = self.state.control(function, |pause, raw| unsafe {
                    pause(raw, begin.into())
                });
                $crate::trace::TraceError::of_answer(answer)
            }

            /// Stops the trace; the device hands over every record.
            pub fn stop_trace(&self) -> Result<(), $crate::trace::TraceError> {
                let function = self.state.functions.stop_trace;
                // SAFETY: the entry point is the device's, which is alive during the call.
                let answer = self.state.control(function, |stop, raw| unsafe { stop(raw) });
                $crate::trace::TraceError::of_answer(answer)
            }
        }

        /// The same device: of one number, begun once.
        impl PartialEq for Device {
            fn eq(&self, other: &Self) -> bool {
                core::ptr::eq(self.state, other.state)
            }
        }

        impl Eq for Device {}
    };
}

pub(crate) use handle;
