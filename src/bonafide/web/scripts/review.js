// Single keys for a page on which the same is done many times: a key presses the button, follows the link or unfolds the part that
// bears it (`data-key`). Never while somebody types, and not with a modifier: those keys are the browser's.
"use strict";

document.documentElement.classList.add("has-keys");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.target.closest("input, select, textarea, [contenteditable]")) return;
  const wanted = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (wanted === null) return;
  event.preventDefault();
  if (wanted.localName !== "details") return wanted.click();
  wanted.open = !wanted.open;
  wanted.scrollIntoView({ block: "nearest" });
});
