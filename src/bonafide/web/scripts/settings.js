// A slider beside each threshold. The number is what is sent; without this script it is typed.
"use strict";

for (const slider of document.querySelectorAll("[data-moves]")) {
  const number = document.getElementById(slider.dataset.moves);
  slider.hidden = false;
  // The event goes on to the form, whose preview asks anew.
  slider.addEventListener("input", () => { number.value = slider.value; });
  number.addEventListener("input", () => { slider.value = number.value; });
}
