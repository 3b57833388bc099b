// A box that ticks all others of its form: `data-ticks` names them. Without scripts there is none, and each is ticked by itself.
"use strict";

for (const all of document.querySelectorAll("input[data-ticks]")) {
  const boxes = all.form.querySelectorAll(`input[type="checkbox"][name="${all.dataset.ticks}"]`);
  const show = () => {
    const ticked = [...boxes].filter((box) => box.checked).length;
    all.checked = ticked === boxes.length;
    all.indeterminate = ticked > 0 && ticked < boxes.length;
  };
  all.closest("[hidden]")?.removeAttribute("hidden");
  all.addEventListener("change", () => boxes.forEach((box) => { box.checked = all.checked; }));
  boxes.forEach((box) => box.addEventListener("change", show));
  show();
}
