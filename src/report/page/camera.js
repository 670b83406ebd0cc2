"use strict";

// The eye, in the scale of the view (the body is about two wide), and the hands that move it.
const camera = (() => {
  const START = { yaw: 0.5, pitch: 0.22 };
  // The tangent of half the angle of view, in height: a long lens, as flat as a model sheet.
  const SLOPE = 0.23;
  const now = { ...START, distance: 6, target: [0, 0, 0], touched: false };
  let changed = () => {};

  function change(values) {
    Object.assign(now, values, { touched: true });
    now.pitch = Math.max(-1.55, Math.min(1.55, now.pitch));
    now.distance = Math.max(0.02, Math.min(200, now.distance));
    changed();
  }

  // How far the eye has to be for a box to fit.
  function distanceFor([low, high], aspect) {
    const [right, up, back] = matrix.axes(now.yaw, now.pitch);
    let distance = 0.1;
    for (let corner = 0; corner < 8; corner++) {
      const p = [0, 1, 2].map((k) => ((corner >> k) & 1 ? 1 : -1) * (high[k] - low[k]) * 0.5);
      const room = Math.max(Math.abs(matrix.dot(p, right)) / aspect, Math.abs(matrix.dot(p, up)));
      distance = Math.max(distance, matrix.dot(p, back) + room / SLOPE);
    }
    return distance * 1.12;
  }

  function fit(box, aspect) {
    const target = box[0].map((x, k) => 0.5 * (x + box[1][k]));
    Object.assign(now, START, { target, touched: false });
    now.distance = distanceFor(box, aspect);
    changed();
  }

  function orbit(x, y) {
    change({ yaw: now.yaw - x, pitch: now.pitch + y });
  }

  // By parts of the pane's height.
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
    // Whatever the reader does with the camera, the body is not further than this.
    const far = now.distance + 50;
    const lens = matrix.perspective(SLOPE, aspect, Math.max(now.distance / 200, 0.002), far);
    return { all: matrix.product(lens, matrix.view(eye, axes)), eye, axes };
  }

  // Drags, wheel and fingers on the canvas; `height` tells the height of a pane in pixels.
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
    distanceFor,
    orbit,
    zoom,
    transform,
    listen,
    onChange(watcher) {
      changed = watcher;
    },
  };
})();
