"use strict";

// Pages of muscles: the skin that joints carry beside the skin that muscles carry, and the muscles below it.
const muscles = (() => {
  const SKIN = [0.82, 0.62, 0.51];
  const FLESH = [0.66, 0.22, 0.18];
  // How much of the skin is seen where it faces the reader.
  const VEIL = 0.22;

  // The triangles of a part, as the graphics card counts them: the first byte and the number of corners.
  function range(part) {
    const { skin, skinned, muscles } = report.parts;
    const [first, count] = { skin: [0, skin], skinned: [skin, skinned], muscles: [skin + skinned, muscles] }[part];
    return [12 * first, 3 * count];
  }

  function drawPart(gl, part) {
    const [first, count] = range(part);
    gl.drawElements(gl.TRIANGLES, count, gl.UNSIGNED_INT, first);
  }

  // The part of the skin that is closest to the eye, over what is there already.
  function drawVeil(gl, part) {
    gl.colorMask(false, false, false, false);
    drawPart(gl, part);
    gl.colorMask(true, true, true, true);
    gl.depthFunc(gl.LEQUAL);
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    drawPart(gl, part);
    gl.disable(gl.BLEND);
    gl.depthFunc(gl.LESS);
  }

  return {
    start(panes, canvas) {
      panes.skinning.querySelector("h2").textContent = "Joints alone";
      panes.sliding.querySelector("h2").textContent = "With muscles";
      canvas.setAttribute("aria-label", "The skin and its muscles in 3D. Drag to orbit, shift and drag to pan, wheel to zoom.");
    },
    draw(gl, uniforms, { beside, overlay, through }) {
      const paint = (colour, alpha, coloured) => {
        gl.uniform1i(uniforms.has_plain, true);
        gl.uniform4f(uniforms.plain, ...colour, alpha);
        gl.uniform1i(uniforms.has_overlay, coloured);
      };
      if (beside || !through) {
        paint(SKIN, 1, false);
        return drawPart(gl, beside ? "skinned" : "skin");
      }
      paint(FLESH, 1, overlay);
      drawPart(gl, "muscles");
      paint(SKIN, VEIL, false);
      drawVeil(gl, "skin");
    },
  };
})();
