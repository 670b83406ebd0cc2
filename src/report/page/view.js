"use strict";

// The two panes: one canvas, one camera, the same body with the artist's UVs and with the slid ones.
const view = (() => {
  const canvas = byId("canvas");
  const panes = { skinning: byId("pane-skinning"), sliding: byId("pane-sliding") };
  const scale = 2 / (report.positions.step * 65535);
  let gl = null;
  let program, uniforms, buffers, ramps;
  let picture = null;
  let boxes = [];
  let drawn = { index: -1, follow: null, overlay: -1 };
  let waiting = false;

  function compiled(kind, text) {
    const shader = gl.createShader(kind);
    gl.shaderSource(shader, text);
    gl.compileShader(shader);
    return shader;
  }

  function makeProgram() {
    program = gl.createProgram();
    gl.attachShader(program, compiled(gl.VERTEX_SHADER, shaders.vertex));
    gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, shaders.fragment));
    ["position", "normal", "uv", "value"].forEach((name, k) => gl.bindAttribLocation(program, k, name));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
    gl.useProgram(program);
    const names = ["transform", "picture", "ramp", "has_picture", "has_overlay", "cells", "has_plain", "plain", "eye", "light"];
    uniforms = Object.fromEntries(names.map((name) => [name, gl.getUniformLocation(program, name)]));
    gl.uniform1i(uniforms.picture, 0);
    gl.uniform1i(uniforms.ramp, 1);
  }

  // A buffer that feeds one attribute; `fill` gives it new numbers.
  function attribute(place, size) {
    const buffer = gl.createBuffer();
    return {
      size,
      use() {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(place);
        gl.vertexAttribPointer(place, size, gl.FLOAT, false, 0, 0);
      },
      fill(numbers) {
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.bufferData(gl.ARRAY_BUFFER, numbers, gl.DYNAMIC_DRAW);
      },
    };
  }

  function makeBuffers() {
    buffers = { position: attribute(0, 3), normal: attribute(1, 3), uv: attribute(2, 2), rest: attribute(2, 2), value: attribute(3, 1), beside: attribute(3, 1) };
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, gl.createBuffer());
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, decode.surface.triangles, gl.STATIC_DRAW);
    if (decode.surface.restUvs) buffers.rest.fill(uvs(decode.surface.restUvs));
    ramps = overlays.all.map((overlay) => overlay.colours && rampTexture(overlay.colours));
  }

  function rampTexture(colours) {
    const made = gl.createTexture();
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, 256, 1, 0, gl.RGBA, gl.UNSIGNED_BYTE, overlays.pixels(colours));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_WRAP_S, gl.CLAMP_TO_EDGE);
    return made;
  }

  // UVs for the graphics card, relative to their first tile: fewer digits before the point.
  function uvs(numbers) {
    const { points } = decode.surface;
    const { low, step } = report.uvs;
    const tile = low.map((x) => x - Math.floor(x * step) / step);
    const made = new Float32Array(2 * points);
    for (let k = 0; k < points; k++) {
      made[2 * k] = step * (tile[0] + numbers[k]);
      made[2 * k + 1] = step * (tile[1] + numbers[points + k]);
    }
    return made;
  }

  // The bounding box of a frame, in the scene's unit.
  function boxOf(index) {
    const { vertices } = decode.surface;
    const numbers = decode.frames[index].positions;
    const low = report.positions.corners[index];
    const high = low.map((x, k) => {
      let most = 0;
      for (let v = k * vertices; v < (k + 1) * vertices; v++) most = Math.max(most, numbers[v]);
      return x + report.positions.step * most;
    });
    return [low, high];
  }

  const middle = ([low, high]) => low.map((x, k) => 0.5 * (x + high[k]));

  function whole() {
    return boxes.reduce(([low, high], box) => [low.map((x, k) => Math.min(x, box[0][k])), high.map((x, k) => Math.max(x, box[1][k]))]);
  }

  // The centre of the view in the scene: that of the frame, or of all frames.
  const centre = (index) => middle(state.values.follow ? boxes[index] : boxes.all);

  // A few hundred points of each of a few frames, in view units: enough to know what must be visible.
  function samples() {
    const found = [];
    const stride = Math.ceil(report.vertices / 300);
    for (let index = 0; index < boxes.length; index += Math.ceil(boxes.length / 24)) {
      const c = centre(index);
      for (let v = 0; v < report.vertices; v += stride) found.push(decode.position(index, v).map((x, k) => (x - c[k]) * scale));
    }
    return found;
  }

  function points(index) {
    const { vertices, points: count, vertexOf } = decode.surface;
    const numbers = decode.frames[index].positions;
    const c = centre(index);
    const { corners, step } = report.positions;
    const from = corners[index].map((x, k) => (x - c[k]) * scale);
    const made = new Float32Array(3 * count);
    for (let p = 0; p < count; p++)
      for (let k = 0; k < 3; k++) made[3 * p + k] = from[k] + scale * step * numbers[k * vertices + vertexOf[p]];
    return made;
  }

  // The area-weighted sum of the adjacent normals; the graphics card normalizes them.
  function normals(at) {
    const { triangles, vertexOf, points: count } = decode.surface;
    const made = new Float32Array(3 * count);
    for (let t = 0; t < triangles.length; t += 3) {
      const [a, b, c] = [vertexOf[triangles[t]] * 3, vertexOf[triangles[t + 1]] * 3, vertexOf[triangles[t + 2]] * 3];
      const [ux, uy, uz] = [at[b] - at[a], at[b + 1] - at[a + 1], at[b + 2] - at[a + 2]];
      const [vx, vy, vz] = [at[c] - at[a], at[c + 1] - at[a + 1], at[c + 2] - at[a + 2]];
      const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
      for (const p of [a, b, c]) {
        made[p] += x;
        made[p + 1] += y;
        made[p + 2] += z;
      }
    }
    for (let p = 3 * decode.surface.vertices; p < made.length; p++) made[p] = made[3 * vertexOf[Math.floor(p / 3)] + (p % 3)];
    return made;
  }

  // The numbers of a map, normalized to a range.
  function levels(index, map, [low, high]) {
    const { vertices, points: count, vertexOf } = decode.surface;
    const from = (report.maps[map].low - low) / (high - low);
    const step = report.maps[map].step / (high - low);
    const numbers = decode.frames[index].maps;
    const made = new Float32Array(count);
    for (let p = 0; p < count; p++) made[p] = from + step * numbers[map * vertices + vertexOf[p]];
    return made;
  }

  const isBeside = (overlay) => overlay.range !== undefined && overlays.mapsOf(overlay).includes(overlay.beside);

  // Uploads what changed since the last draw.
  function upload() {
    const { index, follow, overlay } = state.values;
    const moved = index !== drawn.index || follow !== drawn.follow;
    if (moved) {
      const at = points(index);
      buffers.position.fill(at);
      buffers.normal.fill(normals(at));
      buffers.uv.fill(uvs(decode.frames[index].uvs));
    }
    if (moved || overlay !== drawn.overlay) {
      const { map, beside, range } = overlays.all[overlay];
      const none = new Float32Array(decode.surface.points);
      buffers.value.fill(range ? levels(index, map, range) : none);
      buffers.beside.fill(isBeside(overlays.all[overlay]) ? levels(index, beside, range) : none);
    }
    drawn = { index, follow, overlay };
  }

  function drawPane(pane, uv, value, overlay, ground) {
    const [outer, inner] = [canvas.getBoundingClientRect(), pane.getBoundingClientRect()];
    const ratio = canvas.width / outer.width;
    const [x, y] = [(inner.left - outer.left) * ratio, (outer.bottom - inner.bottom) * ratio].map(Math.round);
    const [width, height] = [inner.width * ratio, inner.height * ratio].map(Math.round);
    if (!width || !height) return;
    gl.viewport(x, y, width, height);
    gl.scissor(x, y, width, height);
    gl.clearColor(...ground, 1);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    const { all, eye, axes } = camera.transform(width / height);
    const light = axes[0].map((x, k) => 0.35 * -x + 0.5 * axes[1][k] + 0.79 * axes[2][k]);
    gl.uniformMatrix4fv(uniforms.transform, false, all);
    gl.uniform3fv(uniforms.eye, eye);
    gl.uniform3fv(uniforms.light, light);
    gl.uniform1i(uniforms.has_overlay, overlay);
    [buffers.position, buffers.normal, uv, value].forEach((buffer) => buffer.use());
    if (report.parts) return muscles.draw(gl, uniforms, { beside: pane === panes.skinning, overlay, through: state.values.through });
    gl.drawElements(gl.TRIANGLES, decode.surface.triangles.length, gl.UNSIGNED_INT, 0);
  }

  // The colour of a style sheet variable.
  function colour(name) {
    const [r, g, b] = [1, 3, 5].map((k) => parseInt(getComputedStyle(document.documentElement).getPropertyValue(name).trim().slice(k, k + 2), 16) / 255);
    return [r, g, b];
  }

  function draw() {
    waiting = false;
    if (!gl || !decode.frames.length || gl.isContextLost()) return;
    upload();
    const overlay = overlays.all[state.values.overlay];
    gl.activeTexture(gl.TEXTURE1);
    gl.bindTexture(gl.TEXTURE_2D, ramps[state.values.overlay] || null);
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, picture);
    gl.uniform1i(uniforms.has_picture, picture !== null);
    gl.disable(gl.SCISSOR_TEST);
    gl.clearColor(0, 0, 0, 0);
    gl.clear(gl.COLOR_BUFFER_BIT);
    gl.enable(gl.SCISSOR_TEST);
    const ground = colour("--stage");
    if (report.rest) drawPane(panes.skinning, buffers.rest, buffers.beside, isBeside(overlay), ground);
    drawPane(panes.sliding, buffers.uv, buffers.value, overlay.range !== undefined, ground);
  }

  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(draw);
  }

  // Side by side or stacked: whichever shows the body larger.
  function arrange() {
    const stage = byId("stage");
    const { width, height } = stage.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio || 1, 2);
    [canvas.width, canvas.height] = [width * ratio, height * ratio].map((x) => Math.max(1, Math.round(x)));
    if (boxes.all && report.rest) {
      const seen = samples();
      const beside = camera.around(seen, width / 2, height).distance;
      const above = camera.around(seen, width, height / 2).distance;
      // An eye at that distance sees a pane's height, and a pane has half the height in rows.
      stage.dataset.layout = above * 2 < beside ? "rows" : "columns";
    }
    if (boxes.all && !camera.now.touched) fit();
    redraw();
  }

  const paneSize = () => panes.sliding.getBoundingClientRect();

  function fit() {
    const { width, height } = paneSize();
    camera.fit(samples(), width, height);
  }

  // Checker cells per unit of UVs: about 36 across the whole layout.
  function checkerCells() {
    const { points: count } = decode.surface;
    const numbers = decode.frames[0].uvs;
    let most = 1;
    for (let k = 0; k < 2 * count; k++) most = Math.max(most, numbers[k]);
    return 2 ** Math.round(Math.log2(36 / (most * report.uvs.step)));
  }

  async function loadPicture() {
    let image = await decode.texture();
    const limit = gl.getParameter(gl.MAX_TEXTURE_SIZE);
    const side = Math.max(image.width, image.height);
    if (side > limit) {
      const [resizeWidth, resizeHeight] = [image.width, image.height].map((x) => Math.max(1, Math.round((x * limit) / side)));
      image = await createImageBitmap(image, { resizeWidth, resizeHeight, resizeQuality: "high" });
    }
    picture = gl.createTexture();
    gl.activeTexture(gl.TEXTURE0);
    gl.bindTexture(gl.TEXTURE_2D, picture);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA, gl.RGBA, gl.UNSIGNED_BYTE, image);
    gl.generateMipmap(gl.TEXTURE_2D);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.LINEAR_MIPMAP_LINEAR);
    const finer = gl.getExtension("EXT_texture_filter_anisotropic");
    if (finer) gl.texParameteri(gl.TEXTURE_2D, finer.TEXTURE_MAX_ANISOTROPY_EXT, 8);
    redraw();
    return side > limit ? `The texture is shown with ${limit} pixels on its longer side: this graphics card supports no more.` : null;
  }

  return {
    // False without WebGL.
    start() {
      gl = canvas.getContext("webgl2", { antialias: true, preserveDrawingBuffer: true });
      if (!gl) return false;
      makeProgram();
      makeBuffers();
      gl.enable(gl.DEPTH_TEST);
      panes.skinning.hidden = !report.rest;
      camera.onChange(redraw);
      camera.listen(canvas, () => paneSize().height);
      canvas.addEventListener("dblclick", fit);
      new ResizeObserver(arrange).observe(byId("stage"));
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", redraw);
      if (report.parts) muscles.start(panes, canvas);
      ["index", "overlay", "follow", "through"].forEach((name) => state.watch(name, redraw));
      state.watch("follow", () => camera.now.touched || fit());
      return true;
    },
    // After every loaded frame; the camera stays where the reader put it.
    frameCame() {
      boxes.push(boxOf(boxes.length));
      boxes.all = whole();
      if (boxes.length === 1) gl.uniform1f(uniforms.cells, checkerCells());
      drawn.index = -1;
      if (boxes.length === 1 || boxes.length === report.rows.length) arrange();
    },
    // Whether the body moves farther than its own size.
    travels() {
      const size = ([low, high]) => Math.max(...high.map((x, k) => x - low[k]));
      return size(boxes.all) > 2 * Math.max(...boxes.map(size));
    },
    canvas,
    fit,
    loadPicture,
    redraw,
  };
})();
