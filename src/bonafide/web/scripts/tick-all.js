// A checkbox that selects all others of its form that are named by `data-ticks`. Hidden without scripts.
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
