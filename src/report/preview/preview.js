"use strict";
// A picture as large as the window; arrows lead to the others in the same place, so that differences are seen.
const dialog = document.getElementById("large");
const rows = [...document.querySelectorAll(".pose")].map((pose) => [...pose.querySelectorAll("button > img")]);
let at = [0, 0];

function show(row, column) {
  at = [row, column];
  const picture = rows[row][column];
  const large = dialog.querySelector("img");
  large.src = picture.src;
  large.alt = picture.alt;
  document.getElementById("caption").textContent = picture.alt;
  if (!dialog.open) dialog.showModal();
}

rows.forEach((row, r) => {
  row.forEach((picture, c) => picture.parentElement.addEventListener("click", () => show(r, c)));
});

dialog.addEventListener("click", () => dialog.close());

const STEPS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
addEventListener("keydown", (event) => {
  const step = STEPS[event.key];
  if (!step || !dialog.open) return;
  event.preventDefault();
  const row = (at[0] + step[0] + rows.length) % rows.length;
  const count = rows[row].length;
  show(row, (at[1] + step[1] + count) % count);
});
