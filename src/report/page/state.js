"use strict";

// What the reader of the page has chosen. Everything that shows it watches it; nothing else connects the parts.
const state = (() => {
  const values = { index: 0, loaded: 0, overlay: 0, playing: false, speed: 1, loop: true, follow: false, through: true };
  const watchers = new Map();

  function set(name, value) {
    if (values[name] === value) return;
    values[name] = value;
    (watchers.get(name) || []).forEach((watcher) => watcher(value));
  }

  return {
    values,
    set,
    watch(name, watcher) {
      watchers.set(name, [...(watchers.get(name) || []), watcher]);
    },
    // Goes to a frame; only unpacked ones can be shown.
    go(index) {
      set("index", Math.max(0, Math.min(index, values.loaded - 1)));
    },
  };
})();

// The report of the run.
const report = JSON.parse(document.getElementById("report").textContent);

const byId = (id) => document.getElementById(id);

function element(name, properties = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
}

// A number as people write it: four digits, and powers of ten only where they help.
function short(value) {
  if (value === null || value === undefined) return "–";
  const size = Math.abs(value);
  if (size !== 0 && (size >= 1e6 || size < 1e-3)) return String(Number(value.toPrecision(3)).toExponential()).replace("e+", "e");
  return String(Number(value.toPrecision(4)));
}
