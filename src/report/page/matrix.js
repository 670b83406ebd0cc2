"use strict";

// Just enough linear algebra: vectors are lists of three, matrices lists of sixteen, column by column.
const matrix = (() => {
  const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const add = (a, b, times = 1) => a.map((x, k) => x + times * b[k]);

  // The axes of a camera that looks at a point with a yaw and a pitch: right, up, and back towards the camera.
  function axes(yaw, pitch) {
    const [sy, cy, sp, cp] = [Math.sin(yaw), Math.cos(yaw), Math.sin(pitch), Math.cos(pitch)];
    return [
      [cy, 0, -sy],
      [-sy * sp, cp, -cy * sp],
      [sy * cp, sp, cy * cp],
    ];
  }

  function view(eye, [right, up, back]) {
    const rows = [right, up, back];
    const columns = [0, 1, 2].map((k) => [...rows.map((row) => row[k]), 0]);
    return [...columns.flat(), ...rows.map((row) => -dot(row, eye)), 1];
  }

  function perspective(slope, aspect, near, far) {
    const f = 1 / slope;
    const depth = near - far;
    return [f / aspect, 0, 0, 0, 0, f, 0, 0, 0, 0, (near + far) / depth, -1, 0, 0, (2 * near * far) / depth, 0];
  }

  function product(a, b) {
    const made = new Array(16).fill(0);
    for (let column = 0; column < 4; column++)
      for (let row = 0; row < 4; row++)
        for (let k = 0; k < 4; k++) made[4 * column + row] += a[4 * k + row] * b[4 * column + k];
    return made;
  }

  return { dot, add, axes, view, perspective, product };
})();
