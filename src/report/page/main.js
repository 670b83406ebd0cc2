"use strict";

// Text and plots first, then the numbers, frame by frame.
(async () => {
  const message = byId("message");
  const say = (text) => {
    message.hidden = !text;
    message.textContent = text || "";
  };
  const words = "The run's report is next to and below this.";

  reported.start();
  state.set("loaded", report.rows.length);
  plots.start();
  controls.start();
  if (!window.DecompressionStream) {
    return say(`This browser cannot unpack the 3D view: it is older than Chrome 80, Firefox 113 and Safari 16.4. ${words}`);
  }
  try {
    await decode.readSurface();
    if (!view.start()) {
      return say(`There is no 3D view: this browser has no WebGL 2, or it is switched off. ${words}`);
    }
    view.canvas.addEventListener("webglcontextlost", () => say("The graphics card is no longer available. Reload the page."));
    state.set("loaded", 0);
    for (let k = 0; k < report.rows.length; k++) {
      await decode.readFrame(k);
      state.set("loaded", k + 1);
      view.frameCame();
      if (k % 8 === 7) say(`Reading frame ${k + 1} of ${report.rows.length}`);
    }
    controls.allCame();
    state.set("follow", view.travels());
    say("");
  } catch (error) {
    console.error(error);
    return say(`The page's numbers could not be read: ${error.message}. ${words}`);
  }
  if (report.texture) {
    try {
      const shown = await view.loadPicture();
      if (shown) reported.note(shown);
    } catch (error) {
      say(`${report.texture.name} is not a picture that this browser can show; a checker is shown instead.`);
      setTimeout(say, 8000);
      reported.note(`${report.texture.name} is not a picture that this browser can show; a checker is shown instead.`);
    }
  }
  document.documentElement.dataset.ready = "true";
})();
