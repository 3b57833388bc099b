// The command palette (Ctrl-K) and two single-key shortcuts: `/` goes to the search box of the page, `?` shows the shortcuts. The palette
// is a combobox of the ARIA Authoring Practices Guide: the focus stays in the box, arrow keys select, Enter opens, Escape closes.
// Without this script its link leads to a page with the same results.
"use strict";

const FIND_WAIT_MS = 120;

function startPalette(dialog) {
  const box = dialog.querySelector("[role=combobox]");
  const list = dialog.querySelector("[role=listbox]");
  const count = dialog.querySelector("[role=status]");
  let waiting = 0;
  let request = null;

  const options = () => [...list.querySelectorAll("[role=option]")];
  const current = () => list.querySelector("[aria-selected=true]");

  function mark(option) {
    current()?.setAttribute("aria-selected", "false");
    if (!option) return box.removeAttribute("aria-activedescendant");
    option.setAttribute("aria-selected", "true");
    option.scrollIntoView({ block: "nearest" });
    box.setAttribute("aria-activedescendant", option.id);
  }

  function move(step) {
    const all = options();
    if (all.length === 0) return;
    const at = all.indexOf(current());
    mark(all[at === -1 && step < 0 ? all.length - 1 : (at + step + all.length) % all.length]);
  }

  async function search() {
    request?.abort();
    request = new AbortController();
    try {
      const address = dialog.dataset.address + "?q=" + encodeURIComponent(box.value);
      const response = await fetch(address, { signal: request.signal, headers: { "HX-Request": "true" } });
      if (!response.ok || response.redirected) return;
      list.innerHTML = await response.text();
    } catch {
      return; // a newer request replaced this one, or the service is unreachable
    }
    const n = options().length;
    box.setAttribute("aria-expanded", String(n > 0));
    count.textContent = n === 0 ? count.dataset.none : n === 1 ? count.dataset.one : count.dataset.many.replace("#", n);
    mark(box.value.trim() === "" ? null : options()[0]);
  }

  function open(option) {
    if (option) window.location.assign(option.dataset.address);
  }

  box.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(search, FIND_WAIT_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") open(current());
    else return;
    event.preventDefault();
  });
  list.addEventListener("click", (event) => open(event.target.closest("[role=option]")));
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  dialog.addEventListener("close", () => { clearTimeout(waiting); request?.abort(); });

  return () => {
    if (dialog.open) return dialog.close();
    box.value = "";
    dialog.showModal();
    search();
  };
}

const palette = document.getElementById("palette");
const link = document.querySelector("a[data-palette]");
if (palette !== null && link !== null) {
  palette.dataset.address = link.getAttribute("href");
  const toggle = startPalette(palette);
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    toggle();
  });
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
      event.preventDefault();
      return toggle();
    }
    const help = document.getElementById("keys-help");
    if (help === null || event.ctrlKey || event.altKey || event.metaKey || event.repeat || event.isComposing) return;
    if (event.target.closest("input, select, textarea, dialog, [contenteditable]")) return;
    // A page may have a use of its own for a key.
    if (event.key !== "?" && event.key !== "/" || document.querySelector(`[data-key="${event.key}"]`) !== null) return;
    event.preventDefault();
    const search = document.querySelector("main [data-focus], main input[type=search]");
    if (event.key === "?") help.showModal();
    else if (search === null) toggle();
    else search.focus();
  });
}
