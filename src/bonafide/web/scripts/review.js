// Single-key shortcuts: a key clicks the button or link, or toggles the details and enters their first field, with that `data-key`.
// Ignored in text fields and with modifier keys.
"use strict";

document.documentElement.classList.add("has-keys");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
  if (event.target.closest('input:not([type="checkbox"]), select, textarea, [contenteditable]')) return;
  const target = document.querySelector(`[data-key="${CSS.escape(event.key)}"]`);
  if (target === null) return;
  event.preventDefault();
  if (target.localName !== "details") return target.click();
  target.open = !target.open;
  target.scrollIntoView({ block: "nearest" });
  if (target.open) target.querySelector("select, input, textarea")?.focus();
});
