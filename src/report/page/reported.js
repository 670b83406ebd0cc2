"use strict";

// The run's report in words: a summary, warnings that link to their frames, notes, parameters, precision.
const reported = (() => {
  const count = (number, one, many = `${one}s`) => `${number.toLocaleString("en")} ${number === 1 ? one : many}`;

  const fps = [report.about.fps, (report.about.parameters || {}).fps].map(Number).find((x) => x > 0 && x < 1e4);

  function summary() {
    const kept = report.rows.filter((row) => row.kept).length;
    const parts = [
      count(report.rows.length, "frame"),
      kept ? `${kept} kept` : "all computed",
      count(report.warnings.length, "warning"),
      count(report.vertices, "vertex", "vertices"),
    ];
    byId("summary").textContent = parts.join(" · ");
  }

  function warnings() {
    const list = byId("warnings");
    byId("warnings-count").textContent = report.warnings.length;
    if (!report.warnings.length) list.append(element("li", { className: "muted", textContent: "None" }));
    const places = new Map(report.rows.map((row, k) => [row.frame, k]));
    const lines = report.warnings.map(({ frame, text }) => {
      const leads = places.has(frame);
      const words = [element("b", { textContent: leads ? frame : "run" }), element("span", { textContent: text })];
      const line = element(leads ? "button" : "p", leads ? { type: "button" } : {}, words);
      if (leads) {
        line.setAttribute("aria-label", `Frame ${frame}: ${text}`);
        line.addEventListener("click", () => {
          state.set("playing", false);
          state.go(places.get(frame));
        });
      }
      list.append(element("li", {}, [line]));
      return { line, index: leads ? places.get(frame) : -1 };
    });
    const mark = (index) => lines.forEach((l) => l.line.classList.toggle("now", l.index === index));
    state.watch("index", mark);
    mark(0);
  }

  function note(text) {
    byId("notes").append(element("li", { textContent: text }));
  }

  // Everything in the report apart from frames, one level deep; deeper levels as in the file.
  function about() {
    const lines = [];
    const text = (value) => (typeof value === "object" ? JSON.stringify(value) : String(value));
    for (const [name, value] of Object.entries(report.about)) {
      const nested = value && typeof value === "object" && !Array.isArray(value);
      if (nested) Object.entries(value).forEach(([inner, v]) => lines.push([inner, text(v)]));
      else lines.push([name, text(value)]);
    }
    if (!lines.length) lines.push(["parameters", "not in report.json"]);
    const kept = report.rows.filter((row) => row.kept).map((row) => row.frame);
    if (!fps) lines.push(["played at", "24 frames per second; the run does not state its own rate"]);
    lines.push(["frames with the last good skin", kept.join(", ") || "none"]);
    lines.push(["mesh", `${count(report.vertices, "vertex", "vertices")}, ${count(report.faces, "face")}`]);
    lines.push(["texture", report.texture ? report.texture.name : "the built-in checkerboard"]);
    lines.push(["position error", `at most ${short(report.positions.step / 2)}, in the scene's unit`]);
    lines.push(["UV error", `at most ${short(report.uvs.step / 2)}: ${short((report.uvs.step / 2) * 4096)} pixels of a 4k texture`]);
    lines.push(["made by", `Sinew ${report.version}`]);
    byId("about").append(...lines.flatMap(([name, value]) => [element("dt", { textContent: name }), element("dd", { textContent: value })]));
  }

  return {
    // Frames per second, if in the report.
    fps,
    note,
    start() {
      byId("title").textContent = report.title;
      byId("title").title = report.title;
      summary();
      warnings();
      report.notes.forEach(note);
      about();
    },
  };
})();
