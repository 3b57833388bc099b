// A slider for each threshold. The form submits the number field, which works without this script.
"use strict";

for (const slider of document.querySelectorAll("[data-moves]")) {
  const number = document.getElementById(slider.dataset.moves);
  slider.hidden = false;
  // The event bubbles to the form, which refreshes the preview.
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}
