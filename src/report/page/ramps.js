"use strict";

// What can be shown as a colour: its map, range and colours.
const overlays = (() => {
  const unit = typeof report.about.unit === "string" ? report.about.unit : "scene units";
  // Lightness is monotonic, so that colours can be read without hue.
  const ofSkin = [
    { name: "Texture" },
    { name: "Slide", map: 0, title: "Slide distance", unit, colours: ["#20265c", "#2a5f9e", "#2f9c95", "#8fcf72", "#f7ef9a"] },
    {
      name: "Strain",
      map: 1,
      // The stretch of skin that does not slide is shown next to it, in the same colours.
      beside: 3,
      title: "Largest stretch",
      unit: "× length at rest",
      middle: 1,
      colours: ["#2458a6", "#7fb0d8", "#eeeeea", "#eda06a", "#a3271f"],
    },
    { name: "Wrinkles", map: 2, title: "Wrinkle amplitude", unit: "", colours: ["#efeee6", "#d9b8d0", "#b274b0", "#6d3a8c", "#2c1550"] },
  ];

  const ofMuscles = [
    { name: "Flesh" },
    { name: "Tension", map: 0, title: "Force of the springs", unit: "N", colours: ["#20265c", "#2a5f9e", "#2f9c95", "#8fcf72", "#f7ef9a"] },
    { name: "Muscles", map: 1, title: "One colour for each", unit: "", colours: ["#b23a34", "#d98e3f", "#d9c84a", "#5fa45a", "#3a8fa8", "#5a62b0", "#a25a9c", "#b23a34"] },
  ];
  const all = report.parts ? ofMuscles : ofSkin;

  // The 99.5th percentile: one bad triangle must not use up the colours of all others.
  function highest(map) {
    const counts = new Uint32Array(65536);
    let total = 0;
    for (const frame of decode.frames) {
      const from = map * report.vertices;
      for (let k = from; k < from + report.vertices; k++) counts[frame.maps[k]]++;
      total += report.vertices;
    }
    let left = total / 200;
    let value = 65535;
    while (value > 0 && (left -= counts[value]) >= 0) value--;
    return value;
  }

  // The next of 1, 1.5, 2, 3, 5, 8 times a power of ten.
  function rounded(value) {
    if (!(value > 0)) return 1;
    const power = 10 ** Math.floor(Math.log10(value));
    return power * [1, 1.5, 2, 3, 5, 8, 10].find((m) => m * power >= value * 0.999);
  }

  // The maps of an overlay: that of the sliding skin, and perhaps that of skin that does not slide.
  const mapsOf = (overlay) => [overlay.map, overlay.beside].filter((map) => map in report.maps);

  // Their contents.
  function span(overlay) {
    const maps = mapsOf(overlay).map((map) => report.maps[map]);
    return {
      least: Math.min(...maps.map(({ low }) => low)),
      most: Math.max(...maps.map(({ low, step }) => low + 65535 * step)),
      step: Math.max(...maps.map(({ step }) => step)),
    };
  }

  function range(overlay) {
    const low = span(overlay).least;
    const high = Math.max(...mapsOf(overlay).map((map) => report.maps[map].low + report.maps[map].step * highest(map)));
    if (overlay.middle === undefined) return [0, rounded(high)];
    const away = rounded(Math.max(high - overlay.middle, overlay.middle - low, 0.01));
    return [overlay.middle - Math.min(away, overlay.middle), overlay.middle + away];
  }

  // 256 pixels of the colours in between.
  function pixels(colours) {
    const stops = colours.map((c) => [1, 3, 5].map((k) => parseInt(c.slice(k, k + 2), 16)));
    const made = new Uint8Array(256 * 4);
    for (let k = 0; k < 256; k++) {
      const place = (k / 255) * (stops.length - 1);
      const from = Math.min(Math.floor(place), stops.length - 2);
      for (let c = 0; c < 3; c++) made[4 * k + c] = stops[from][c] + (stops[from + 1][c] - stops[from][c]) * (place - from);
      made[4 * k + 3] = 255;
    }
    return made;
  }

  return { all: report.maps ? all : all.slice(0, 1), mapsOf, span, range, pixels };
})();
