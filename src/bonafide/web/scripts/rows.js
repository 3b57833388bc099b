// Keys for the rows of a list, each with a link `data-row`: j and k or the arrow keys move between them, x selects the current one. A
// key that works on the selection (`data-selects`) selects the current row first if none is selected; review.js does the rest.
"use strict";

const rowLinks = [...document.querySelectorAll("[data-row]")];
const findRow = (link) => link.closest("tr, li");
const findBox = (link) => findRow(link).querySelector('input[type="checkbox"]');

function select(box, checked) {
  box.checked = checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

function moveBy(step) {
  const place = rowLinks.findIndex((link) => findRow(link).contains(document.activeElement));
  const next = rowLinks[place < 0 ? 0 : Math.min(Math.max(place + step, 0), rowLinks.length - 1)];
  next.focus();
  findRow(next).scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (rowLinks.length === 0 || event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.target.closest('input:not([type="checkbox"]), select, textarea, [contenteditable]')) return;
  const step = { j: 1, ArrowDown: 1, k: -1, ArrowUp: -1 }[event.key];
  const current = rowLinks.find((link) => findRow(link).contains(document.activeElement));
  const box = current !== undefined ? findBox(current) : null;
  if (step !== undefined) {
    event.preventDefault();
    moveBy(step);
  } else if (event.key === "x" && box !== null) {
    event.preventDefault();
    select(box, !box.checked);
  } else if (box !== null && document.querySelector(`[data-selects][data-key="${CSS.escape(event.key)}"]`) !== null) {
    if (!rowLinks.some((link) => findBox(link)?.checked)) select(box, true);
  }
});
