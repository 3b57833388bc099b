// Buttons that copy the text of the element named by `data-copies` to the clipboard. They stay hidden without this script, and in
// browsers that don't let pages copy; a click selects the text.
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  const text = document.getElementById(button.dataset.copies);
  const label = button.textContent;
  button.hidden = !navigator.clipboard;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.value ?? text.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = label; }, 2000);
  });
}
