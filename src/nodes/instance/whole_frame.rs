//! A host's frame in one call: set inputs, step, read outputs, all or nothing.

use super::super::array::{ArrayView, ArrayViewMut};
use super::super::descriptor::{Direction, Port};
use super::super::node::Report;
use super::Instance;
use sinew_base::control::Control;
use sinew_base::error::{Error, Kind, Result};
use sinew_math::Real;

impl Instance {
    /// A whole frame: sets inputs, steps, reads outputs. Input and output arrays may share memory. On an error the
    /// instance is unchanged and nothing is written.
    pub fn run(
        &mut self,
        frame: i64,
        time_seconds: Real,
        inputs: &[(&str, ArrayView)],
        outputs: &mut [(&str, ArrayViewMut)],
        control: &Control,
    ) -> Result<Report> {
        let mut set = Vec::with_capacity(inputs.len());
        let done = self.try_run(frame, time_seconds, inputs, outputs, &mut set, control);
        if done.is_err() {
            set.into_iter().for_each(|port| self.inputs.undo(port));
        }
        done.map_err(|e| e.frame(frame))
    }

    /// `set` are the ports whose values were replaced.
    fn try_run(
        &mut self,
        frame: i64,
        time_seconds: Real,
        inputs: &[(&str, ArrayView)],
        outputs: &mut [(&str, ArrayViewMut)],
        set: &mut Vec<usize>,
        control: &Control,
    ) -> Result<Report> {
        let node = self.descriptor().id;
        let twice = |port: &Port| {
            Error::new(Kind::InvalidArgument, "the port is named twice").port(port.id).node(node)
        };
        let (mut read, mut named) = (Vec::with_capacity(outputs.len()), Vec::with_capacity(inputs.len()));
        for (id, _) in outputs.iter() {
            let (index, port) = self.port(Direction::Output, id)?;
            if read.contains(&index) {
                return Err(twice(port));
            }
            read.push(index);
        }
        for (id, array) in inputs {
            let (index, port) = self.port(Direction::Input, id)?;
            if named.contains(&index) {
                return Err(twice(port));
            }
            named.push(index);
            set.extend(self.replace_array(id, array)?);
        }
        let report = self.step_checked(frame, time_seconds, control, |instance| {
            outputs.iter().try_for_each(|(id, array)| instance.check_read(&instance.pending, id, array))
        })?;
        for (id, array) in outputs.iter_mut() {
            self.read(id, array)?;
        }
        Ok(report)
    }

    /// Gather, step, scatter for nodes that move points: `points` in, `points` out. Both arrays may share memory. On an
    /// error the input is unchanged and nothing is written.
    pub fn deform(
        &mut self,
        frame: i64,
        time_seconds: Real,
        points_in: &ArrayView,
        points_out: ArrayViewMut,
        control: &Control,
    ) -> Result<Report> {
        let (_, port) = self.port(Direction::Output, "points").map_err(|e| e.frame(frame))?;
        if points_in.count() != points_out.count() {
            let (a, b) = (points_in.count(), points_out.count());
            let message = format!("{a} points are passed in and {b} are read back; the counts must match");
            let error = Error::new(Kind::CountMismatch, message);
            return Err(error.port(port.id).node(self.descriptor().id).frame(frame));
        }
        self.run(frame, time_seconds, &[("points", *points_in)], &mut [("points", points_out)], control)
    }

    /// [`Instance::deform`] with one array for both; on an error it is unchanged.
    pub fn deform_in_place(
        &mut self,
        frame: i64,
        time_seconds: Real,
        points: &mut ArrayViewMut,
        control: &Control,
    ) -> Result<Report> {
        self.port(Direction::Output, "points").map_err(|e| e.frame(frame))?;
        let replaced = self.replace_array("points", &points.as_view()).map_err(|e| e.frame(frame))?;
        let made = self.step_checked(frame, time_seconds, control, |instance| {
            instance.check_read(&instance.pending, "points", points)
        });
        let made = made.and_then(|report| self.read("points", points).map(|()| report));
        made.map_err(|e| {
            replaced.into_iter().for_each(|index| self.inputs.undo(index));
            e.frame(frame)
        })
    }
}
