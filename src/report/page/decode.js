"use strict";

// Unpacks the numbers of the page; src/report/pack.rs packs them.
const decode = (() => {
  function bytesOf(base64) {
    if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
    return bytes;
  }

  async function inflated(script) {
    const packed = new Blob([bytesOf(script.textContent)]);
    script.textContent = "";
    const stream = packed.stream().pipeThrough(new DecompressionStream("deflate"));
    return { bytes: new Uint8Array(await new Response(stream).arrayBuffer()), at: 0 };
  }

  // The next numbers: changes since the frame before, stored as differences between neighbours.
  function numbers(from, count, width, before) {
    const { bytes, at } = from;
    const values = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
    const mask = 0xffffffff >>> (32 - 8 * width);
    let change = 0;
    for (let k = 0; k < count; k++) {
      let folded = 0;
      for (let b = 0; b < width; b++) folded |= bytes[at + b * count + k] << (8 * b);
      change = (change + ((folded >>> 1) ^ -(folded & 1))) | 0;
      values[k] = ((before ? before[k] : 0) + change) & mask;
    }
    from.at += count * width;
    return values;
  }

  const scripts = [...document.getElementsByClassName("chunk")];
  const vertices = report.vertices;
  const points = vertices + report.split;
  const surface = { vertices, points, triangles: null, vertexOf: null, restUvs: null };
  const frames = [];

  async function readSurface() {
    const from = await inflated(scripts[0]);
    surface.triangles = numbers(from, 3 * report.triangles, 4);
    const split = numbers(from, report.split, 4);
    surface.vertexOf = new Uint32Array(points);
    for (let k = 0; k < points; k++) surface.vertexOf[k] = k < vertices ? k : split[k - vertices];
    if (report.rest) surface.restUvs = numbers(from, 2 * points, report.uvs.bytes);
  }

  async function readFrame(k) {
    const from = await inflated(scripts[k + 1]);
    const before = frames[k - 1] || {};
    frames.push({
      positions: numbers(from, 3 * vertices, 2, before.positions),
      uvs: numbers(from, 2 * points, report.uvs.bytes, before.uvs),
      maps: numbers(from, report.maps ? report.maps.length * vertices : 0, 2, before.maps),
    });
  }

  return {
    surface,
    frames,
    readSurface,
    readFrame,
    // The point of a vertex in a frame, in the scene's unit.
    position(frame, vertex) {
      const { corners, step } = report.positions;
      return [0, 1, 2].map((k) => corners[frame][k] + step * frames[frame].positions[k * vertices + vertex]);
    },
    // The UVs of a render vertex; those at rest if the frame is null.
    uv(frame, point) {
      const { low, step } = report.uvs;
      const uvs = frame === null ? surface.restUvs : frames[frame].uvs;
      return [0, 1].map((k) => step * (low[k] + uvs[k * points + point]));
    },
    map(frame, map, vertex) {
      const { low, step } = report.maps[map];
      return low + step * frames[frame].maps[map * vertices + vertex];
    },
    async texture() {
      const script = document.querySelector(".texture");
      const blob = new Blob([bytesOf(script.textContent)], { type: report.texture.kind });
      script.textContent = "";
      return createImageBitmap(blob, { premultiplyAlpha: "none", colorSpaceConversion: "none" });
    },
  };
})();
