// Buttons that copy the text of what they name (`data-copies`) to the clipboard. Without this script, or where the browser does not
// let a page copy, they stay hidden, and the text is selected by a click on it.
"use strict";

for (const button of document.querySelectorAll("[data-copies]")) {
  const text = document.getElementById(button.dataset.copies);
  const said = button.textContent;
  button.hidden = !navigator.clipboard;
  button.setAttribute("aria-live", "polite");
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(text.value ?? text.textContent);
    button.textContent = button.dataset.done;
    setTimeout(() => { button.textContent = said; }, 2000);
  });
}
