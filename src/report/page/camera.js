"use strict";

// The camera, in view units (the body is about two wide), and its controls.
const camera = (() => {
  const START = { yaw: 0.5, pitch: 0.22 };
  // The tangent of half the vertical field of view: a long lens, as flat as a model sheet.
  const SLOPE = 0.23;
  const now = { ...START, distance: 6, target: [0, 0, 0], touched: false };
  let changed = () => {};

  function change(values) {
    Object.assign(now, values, { touched: true });
    now.pitch = Math.max(-1.55, Math.min(1.55, now.pitch));
    now.distance = Math.max(0.02, Math.min(200, now.distance));
    changed();
  }

  // The camera target and distance that show some points from the initial direction, in a pane of a given size in
  // pixels.
  function around(points, width, height) {
    const axes = matrix.axes(START.yaw, START.pitch);
    const seen = points.map((p) => axes.map((axis) => matrix.dot(p, axis)));
    const middle = [0, 1, 2].map((k) => {
      const [low, high] = seen.reduce(([l, h], p) => [Math.min(l, p[k]), Math.max(h, p[k])], [Infinity, -Infinity]);
      return 0.5 * (low + high);
    });
    // The pane's name is above, the legend below.
    const [above, below] = [36, report.maps ? 80 : 36];
    const free = Math.max(height - above - below, height / 2);
    const room = ([x, y]) => Math.max((1.08 * Math.abs(x) * height) / width, (Math.abs(y) * height) / free);
    const distances = seen.map((p) => matrix.add(p, middle, -1)).map((p) => p[2] + room(p) / SLOPE);
    const distance = distances.reduce((most, d) => Math.max(most, d), 0.1);
    middle[1] -= (((below - above) / 2 / height) * 2 * SLOPE * distance * (height - free)) / (above + below);
    const target = axes.reduce((sum, axis, k) => matrix.add(sum, axis, middle[k]), [0, 0, 0]);
    return { target, distance };
  }

  function fit(points, width, height) {
    Object.assign(now, START, around(points, width, height), { touched: false });
    changed();
  }

  function orbit(x, y) {
    change({ yaw: now.yaw - x, pitch: now.pitch + y });
  }

  // In fractions of the pane's height.
  function pan(x, y) {
    const [right, up] = matrix.axes(now.yaw, now.pitch);
    const size = 2 * SLOPE * now.distance;
    change({ target: matrix.add(matrix.add(now.target, right, -x * size), up, y * size) });
  }

  function zoom(factor) {
    change({ distance: now.distance * factor });
  }

  function transform(aspect) {
    const axes = matrix.axes(now.yaw, now.pitch);
    const eye = matrix.add(now.target, axes[2], now.distance);
    // The largest distance of the body, whatever the reader does with the camera.
    const far = now.distance + 50;
    const lens = matrix.perspective(SLOPE, aspect, Math.max(now.distance / 200, 0.002), far);
    return { all: matrix.product(lens, matrix.view(eye, axes)), eye, axes };
  }

  // Drags, wheel and touches on the canvas; `height` returns the height of a pane in pixels.
  function listen(canvas, height) {
    const held = new Map();
    const spread = () => {
      const [a, b] = [...held.values()];
      return { size: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    };
    canvas.addEventListener("pointerdown", (event) => {
      canvas.setPointerCapture(event.pointerId);
      held.set(event.pointerId, { x: event.clientX, y: event.clientY, pans: event.button !== 0 || event.shiftKey });
      canvas.classList.add("held");
    });
    canvas.addEventListener("pointermove", (event) => {
      const finger = held.get(event.pointerId);
      if (!finger) return;
      const before = held.size === 2 ? spread() : { ...finger };
      Object.assign(finger, { x: event.clientX, y: event.clientY });
      const after = held.size === 2 ? spread() : finger;
      const [x, y] = [after.x - before.x, after.y - before.y];
      if (held.size === 2) zoom(before.size / Math.max(after.size, 1));
      if (held.size === 2 || finger.pans) pan(x / height(), y / height());
      else orbit(x * 0.008, y * 0.008);
    });
    const release = (event) => {
      held.delete(event.pointerId);
      if (!held.size) canvas.classList.remove("held");
    };
    canvas.addEventListener("pointerup", release);
    canvas.addEventListener("pointercancel", release);
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    const wheel = (event) => {
      event.preventDefault();
      zoom(Math.exp(Math.max(-100, Math.min(100, event.deltaY)) * 0.0016));
    };
    canvas.addEventListener("wheel", wheel, { passive: false });
  }

  return {
    now,
    fit,
    around,
    orbit,
    zoom,
    transform,
    listen,
    onChange(watcher) {
      changed = watcher;
    },
  };
})();
