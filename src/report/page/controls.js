"use strict";

// Playing, stepping, choosing; keys do what the buttons do.
const controls = (() => {
  const numbers = report.rows.map((row) => row.frame);
  const fps = reported.fps || 24;
  const scrub = byId("scrub");

  // Frames follow the clock, so that a slow computer drops some instead of playing slowly.
  let since = null;
  function tick(now) {
    const { playing, index, speed, loop } = state.values;
    if (!playing) return;
    since ??= { now, index };
    const frame = numbers[since.index] + ((now - since.now) / 1000) * fps * speed;
    let next = index;
    while (next + 1 < state.values.loaded && numbers[next + 1] <= frame) next++;
    if (next === numbers.length - 1 && frame >= numbers[next] + 1) {
      if (!loop) return state.set("playing", false);
      next = 0;
      since = { now, index: 0 };
    }
    state.go(next);
    requestAnimationFrame(tick);
  }

  function play(playing) {
    const atEnd = state.values.index === numbers.length - 1;
    if (playing && atEnd) state.go(0);
    since = null;
    state.set("playing", playing);
  }

  function step(by) {
    state.set("playing", false);
    state.go(state.values.index + by);
  }

  function choose(overlay) {
    if (overlay < overlays.all.length && !byId("overlays").children[overlay].disabled) state.set("overlay", overlay);
  }

  const toggle = (name) => state.set(name, !state.values[name]);

  const keys = {
    " ": () => play(!state.values.playing),
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => step(-numbers.length),
    End: () => step(numbers.length),
    l: () => toggle("loop"),
    c: () => toggle("follow"),
    t: () => report.parts && toggle("through"),
    f: () => view.fit(),
    "+": () => camera.zoom(0.9),
    "=": () => camera.zoom(0.9),
    "-": () => camera.zoom(1.1),
    1: () => choose(0),
    2: () => choose(1),
    3: () => choose(2),
    4: () => choose(3),
  };
  const turns = { ArrowLeft: [0.1, 0], ArrowRight: [-0.1, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };

  function pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || byId("keys").open) return;
    const { target, key } = event;
    // A button takes the space bar, a list its arrow keys, as users expect.
    if (key === " " && target.closest("button, select")) return;
    if (target.closest("select") && key.length > 1) return;
    const turn = event.shiftKey && turns[key];
    const action = turn ? () => camera.orbit(...turn) : keys[key.length === 1 ? key.toLowerCase() : key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  function showFrame() {
    const { index } = state.values;
    const row = report.rows[index];
    const kept = row.kept ? ", kept" : "";
    byId("frame").textContent = `Frame ${row.frame}`;
    byId("position").textContent = `${index + 1} of ${numbers.length}`;
    byId("badge").hidden = !row.kept;
    scrub.value = index;
    scrub.setAttribute("aria-valuetext", `Frame ${row.frame}${kept}`);
    scrub.style.setProperty("--done", `${(100 * index) / Math.max(numbers.length - 1, 1)}%`);
    if (!state.values.playing) byId("live").textContent = `Frame ${row.frame}${kept}`;
  }

  // The largest value of a map in a frame.
  function mostOf(index, map) {
    const { vertices } = decode.surface;
    const numbers = decode.frames[index].maps;
    let most = 0;
    for (let k = map * vertices; k < (map + 1) * vertices; k++) most = Math.max(most, numbers[k]);
    return report.maps[map].low + report.maps[map].step * most;
  }

  function showLegend() {
    const overlay = overlays.all[state.values.overlay];
    byId("legend").hidden = !overlay.range;
    [...byId("overlays").children].forEach((button, k) => button.setAttribute("aria-pressed", k === state.values.overlay));
    if (!overlay.range) return;
    const [low, high] = overlay.range;
    byId("legend-name").textContent = overlay.unit ? `${overlay.title}, ${overlay.unit}` : overlay.title;
    byId("legend-bar").style.background = `linear-gradient(to right, ${overlay.colours.join(", ")})`;
    const { least, most: greatest, step } = overlays.span(overlay);
    const beyond = [least < low - step ? "≤ " : "", "", greatest > high + step ? "≥ " : ""];
    const marks = beyond.map((sign, k) => element("span", { textContent: sign + short(low + 0.5 * k * (high - low)) }));
    byId("legend-ticks").replaceChildren(...marks);
    const { index } = state.values;
    const beside = overlays.mapsOf(overlay).includes(overlay.beside) ? ` sliding, ${short(mostOf(index, overlay.beside))} skinning` : "";
    byId("legend-now").textContent = `this frame up to ${short(mostOf(index, overlay.map))}${beside}`;
  }

  function buttons() {
    const actions = {
      first: keys.Home,
      back: keys.ArrowLeft,
      play: keys[" "],
      next: keys.ArrowRight,
      last: keys.End,
      loop: keys.l,
      follow: keys.c,
      through: keys.t,
      "view-reset": keys.f,
      "keys-open": () => byId("keys").showModal(),
    };
    Object.entries(actions).forEach(([id, action]) => byId(id).addEventListener("click", action));
    // A mouse click leaves no focus on a button, so that the space bar still controls playing.
    document.addEventListener("mousedown", (event) => {
      if (!event.target.closest("button")) return;
      event.preventDefault();
      document.activeElement.blur();
    });
    overlays.all.forEach((overlay, k) => {
      const button = element("button", { type: "button", disabled: k > 0 }, [overlay.name, element("kbd", { textContent: k + 1 })]);
      button.addEventListener("click", () => choose(k));
      byId("overlays").append(button);
    });
    byId("overlays").hidden = overlays.all.length === 1;
    byId("speed").addEventListener("change", (event) => {
      since = null;
      state.set("speed", Number(event.target.value));
    });
    scrub.addEventListener("input", () => step(Number(scrub.value) - state.values.index));
  }

  function showMarks() {
    const at = (index) => `${(100 * index) / Math.max(numbers.length - 1, 1)}%`;
    report.rows.forEach((row, k) => {
      const warned = report.warnings.some((warning) => warning.frame === row.frame);
      if (!warned && !row.kept) return;
      const mark = element("i", { className: row.kept ? "kept" : "" });
      mark.style.left = at(k);
      byId("marks").append(mark);
    });
  }

  return {
    start() {
      scrub.max = numbers.length - 1;
      buttons();
      showMarks();
      document.addEventListener("keydown", pressed);
      state.watch("index", showFrame);
      state.watch("index", showLegend);
      state.watch("overlay", showLegend);
      state.watch("loop", (loop) => byId("loop").setAttribute("aria-pressed", loop));
      byId("through").hidden = !report.parts;
      state.watch("through", (through) => byId("through").setAttribute("aria-pressed", through));
      state.watch("follow", (follow) => byId("follow").setAttribute("aria-pressed", follow));
      state.watch("playing", (playing) => {
        byId("play").dataset.playing = playing;
        byId("play").setAttribute("aria-label", playing ? "Pause" : "Play");
        if (playing) requestAnimationFrame(tick);
        else showFrame();
      });
      showFrame();
    },
    // Once all numbers are loaded the colour ranges are known.
    allCame() {
      overlays.all.forEach((overlay, k) => {
        if (overlay.map !== undefined) overlay.range = overlays.range(overlay);
        byId("overlays").children[k].disabled = false;
      });
      showLegend();
    },
  };
})();
