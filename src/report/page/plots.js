"use strict";

// Curves over time, each with a cursor at the current frame; a click or a drag goes to a frame.
const plots = (() => {
  const WIDTH = 320;
  const HEIGHT = 74;
  const EDGE = { left: 44, right: 4, top: 5, bottom: 15 };
  const rows = report.rows;
  const numbers = rows.map((row) => row.frame);
  const of = (name) => rows.map((row) => row[name]);
  const drawn = [];

  // Stages by total time; small ones are merged.
  function stages() {
    const sums = new Map();
    for (const row of rows)
      for (const [name, ms] of Object.entries(row.milliseconds)) sums.set(name, (sums.get(name) || 0) + (ms || 0));
    const names = [...sums.keys()].sort((a, b) => sums.get(b) - sums.get(a));
    const time = (row, some) => {
      const there = some.map((name) => row.milliseconds[name]).filter((ms) => typeof ms === "number");
      return there.length ? there.reduce((sum, ms) => sum + ms, 0) : null;
    };
    const shown = names.length > 6 ? names.slice(0, 5) : names;
    const series = shown.map((name) => ({ name, values: rows.map((row) => time(row, [name])) }));
    const others = names.slice(shown.length);
    if (others.length) series.push({ name: `${others.length} others`, values: rows.map((row) => time(row, others)) });
    return series;
  }

  function figures() {
    const energies = [
      { name: "before the step", values: of("energy_before") },
      { name: "after", values: of("energy_after") },
    ];
    const all = [
      { title: "Largest stretch", unit: "", series: [{ name: "× length at rest", values: of("maximal_stretch") }], reference: 1 },
      { title: "Energy", unit: "J", series: energies, zero: true },
      { title: "Iterations", unit: "", series: [{ name: "of the solver", values: of("iterations") }], zero: true },
      { title: "Time", unit: "ms", series: stages(), stacked: true, zero: true },
    ];
    const has = (plot) => plot.series.some((series) => series.values.some((value) => value !== null));
    return all.map((plot) => ({ ...plot, series: plot.series.filter((s) => s.values.some((v) => v !== null)) })).filter(has);
  }

  const node = (name, attributes = {}, text = "") => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
    made.textContent = text;
    return made;
  };

  const ticks = (low, high) => {
    const rough = (high - low) / 3;
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find((m) => m * power >= rough);
    const found = [];
    for (let k = Math.ceil(low / step - 1e-9); k * step <= high + step * 1e-9; k++) found.push(k * step);
    return found;
  };

  // The range of a plot, and the position of a value in it, from 0 to 1.
  function scaleOf(plot, values) {
    let [low, high] = [Math.min(...values), Math.max(...values)];
    if (plot.zero) low = Math.min(low, 0);
    if (plot.reference !== undefined) [low, high] = [Math.min(low, plot.reference), Math.max(high, plot.reference)];
    if (high - low <= Math.abs(high) * 1e-9) [low, high] = high === 0 ? [0, 1] : [Math.min(low, 0), Math.max(high, 0)];
    const found = ticks(low, high);
    high = Math.max(high, found[found.length - 1]);
    return { place: (v) => (v - low) / (high - low), ticks: found };
  }

  function sums(series) {
    const base = rows.map(() => 0);
    return series.map(({ values }) => values.map((value, k) => [base[k], (base[k] += value || 0)]));
  }

  class Plot {
    constructor(plot) {
      this.plot = plot;
      this.svg = node("svg", { role: "img" });
      this.readings = plot.series.map((_, k) => {
        const made = element("span");
        made.style.setProperty("--ink-of-series", `var(--series-${k + 1})`);
        return made;
      });
      const title = element("h2", { textContent: plot.unit ? `${plot.title}, ${plot.unit}` : plot.title });
      const values = element("div", { className: "values" }, this.readings);
      this.root = element("div", { className: "plot" }, [element("header", {}, [title, values]), this.svg]);
      const follow = (event) => {
        const box = this.svg.getBoundingClientRect();
        state.set("playing", false);
        state.go(this.nearest(event.clientX - box.left));
      };
      this.svg.addEventListener("pointerdown", (event) => {
        this.svg.setPointerCapture(event.pointerId);
        follow(event);
      });
      this.svg.addEventListener("pointermove", (event) => event.buttons && follow(event));
    }

    x(index) {
      const [first, last] = [numbers[0], numbers[numbers.length - 1]];
      const part = last === first ? 0.5 : (numbers[index] - first) / (last - first);
      return EDGE.left + part * (this.width - EDGE.left - EDGE.right);
    }

    nearest(x) {
      let best = 0;
      numbers.forEach((_, k) => {
        if (Math.abs(this.x(k) - x) < Math.abs(this.x(best) - x)) best = k;
      });
      return best;
    }

    draw() {
      const { plot, svg } = this;
      this.width = svg.getBoundingClientRect().width || WIDTH;
      svg.setAttribute("viewBox", `0 0 ${this.width} ${HEIGHT}`);
      svg.replaceChildren();
      const stacks = plot.stacked ? sums(plot.series) : null;
      const values = (stacks ? stacks.flat(2) : plot.series.flatMap((s) => s.values)).filter((v) => v !== null);
      const scale = scaleOf(plot, values);
      const y = (v) => HEIGHT - EDGE.bottom - scale.place(v) * (HEIGHT - EDGE.top - EDGE.bottom);
      rows.forEach((row, k) => row.kept && svg.append(this.band(k)));
      for (const tick of scale.ticks) {
        svg.append(node("line", { class: "rule", x1: EDGE.left, x2: this.width - EDGE.right, y1: y(tick), y2: y(tick) }));
        svg.append(node("text", { x: EDGE.left - 6, y: y(tick) + 3.5, "text-anchor": "end" }, short(tick)));
      }
      const ends = numbers.length > 1 ? [0, numbers.length - 1] : [0];
      for (const k of ends) {
        const anchor = ends.length === 1 ? "middle" : k ? "end" : "start";
        svg.append(node("text", { x: this.x(k), y: HEIGHT - 2, "text-anchor": anchor }, numbers[k]));
      }
      if (plot.reference !== undefined) {
        const at = y(plot.reference);
        svg.append(node("line", { class: "reference", x1: EDGE.left, x2: this.width - EDGE.right, y1: at, y2: at }));
      }
      plot.series.forEach((series, k) => svg.append(stacks ? this.area(stacks[k], y, k) : this.curve(series.values, y, k)));
      this.cursor = svg.appendChild(node("line", { class: "cursor", y1: EDGE.top, y2: HEIGHT - EDGE.bottom }));
      const range = `from ${short(Math.min(...values))} to ${short(Math.max(...values))} ${plot.unit}`;
      svg.setAttribute("aria-label", `${plot.title} over frames ${numbers[0]} to ${numbers[numbers.length - 1]}, ${range}`);
      this.move(state.values.index);
    }

    band(k) {
      const [left, right] = [Math.max(k - 1, 0), Math.min(k + 1, numbers.length - 1)].map((j) => (this.x(j) + this.x(k)) / 2);
      return node("rect", { class: "kept", x: left, width: Math.max(right - left, 1), y: EDGE.top, height: HEIGHT - EDGE.top - EDGE.bottom });
    }

    // A line with gaps where numbers are missing; an isolated one is a dot.
    curve(values, y, k) {
      let path = "";
      values.forEach((value, j) => {
        if (value === null) return;
        const alone = (values[j - 1] ?? null) === null;
        path += `${alone ? "M" : "L"}${this.x(j).toFixed(1)} ${y(value).toFixed(1)}`;
        if (alone && (values[j + 1] ?? null) === null) path += "h0.01";
      });
      return node("path", { class: "curve", d: path, stroke: `var(--series-${k + 1})`, "stroke-linecap": "round" });
    }

    // Also with gaps where no stage is reported.
    area(pairs, y, k) {
      const point = (value, j) => `${this.x(j).toFixed(1)} ${y(value).toFixed(1)}`;
      const runs = [[]];
      pairs.forEach((pair, j) => (this.plot.series.every((s) => s.values[j] === null) ? runs.push([]) : runs[runs.length - 1].push(j)));
      const outline = (run) => [...run.map((j) => point(pairs[j][1], j)), ...[...run].reverse().map((j) => point(pairs[j][0], j))];
      const path = runs.filter((run) => run.length).map((run) => `M${outline(run).join("L")}Z`).join("");
      return node("path", { d: path, fill: `var(--series-${k + 1})`, "fill-opacity": 0.85 });
    }

    move(index) {
      const x = this.x(index);
      this.cursor.setAttribute("x1", x);
      this.cursor.setAttribute("x2", x);
      this.plot.series.forEach((series, k) => (this.readings[k].textContent = `${series.name} ${short(series.values[index])}`));
    }
  }

  return {
    start() {
      drawn.push(...figures().map((plot) => new Plot(plot)));
      if (!drawn.length) return reported.note("No figures in report.json: there are no plots.");
      byId("plots").append(...drawn.map((plot) => plot.root));
      new ResizeObserver(() => drawn.forEach((plot) => plot.draw())).observe(byId("plots"));
      drawn.forEach((plot) => plot.draw());
      state.watch("index", (index) => drawn.forEach((plot) => plot.move(index)));
    },
  };
})();
