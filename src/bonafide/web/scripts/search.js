// The search box suggests registered businesses while the user types (combobox of the ARIA Authoring Practices Guide: the focus stays
// in the box, arrow keys select, Enter accepts, Escape closes). Without this script the box still searches.
// Also announces how many sources of a running search have responded.
"use strict";

const WAIT_MS = 120;
const ANNOUNCE_EVERY_MS = 4000;

function startOffers(form) {
  const box = form.querySelector("#name");
  const list = form.querySelector("#offers");
  const count = form.querySelector("#offers-count");
  const picked = form.querySelector("#picked");
  const number = form.querySelector("[name=registrationNumber]");
  let waiting = 0;
  let request = null;

  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("aria-controls", list.id);

  const offers = () => [...list.children];
  const current = () => list.querySelector("[aria-selected=true]");

  function close() {
    clearTimeout(waiting);
    request?.abort();
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function announce() {
    const n = offers().length;
    count.textContent = n === 0 ? count.dataset.none : n === 1 ? count.dataset.one : count.dataset.many.replace("#", n);
  }

  function mark(offer) {
    current()?.setAttribute("aria-selected", "false");
    if (offer) {
      offer.setAttribute("aria-selected", "true");
      offer.scrollIntoView({ block: "nearest" });
      box.setAttribute("aria-activedescendant", offer.id);
    } else {
      box.removeAttribute("aria-activedescendant");
    }
  }

  async function fetchOffers() {
    request?.abort();
    request = new AbortController();
    try {
      const response = await fetch("/console/search/suggestions?name=" + encodeURIComponent(box.value), { signal: request.signal });
      if (!response.ok || response.redirected) return close();
      list.innerHTML = await response.text();
    } catch {
      return; // a newer request replaced this one, or the service is unreachable: the box works without suggestions
    }
    list.hidden = offers().length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
    box.removeAttribute("aria-activedescendant");
    announce();
  }

  function clear() {
    if (picked.hidden) return;
    number.value = "";
    picked.hidden = true;
  }

  function take(offer) {
    box.value = offer.dataset.name;
    number.value = offer.dataset.number;
    picked.querySelector("[data-text]").textContent = offer.dataset.text;
    picked.hidden = false;
    close();
  }

  function move(step) {
    const all = offers();
    if (list.hidden || all.length === 0) return;
    const place = all.indexOf(current()) + step;
    mark(all[(place + all.length) % all.length]);
  }

  box.addEventListener("input", () => {
    clear();
    clearTimeout(waiting);
    if (box.value.trim().length < 2) return close();
    waiting = setTimeout(fetchOffers, WAIT_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden && box.value.trim().length >= 2) fetchOffers();
      else if (event.key === "ArrowUp" && !current()) mark(offers().at(-1));
      else move(event.key === "ArrowDown" ? 1 : -1);
    } else if (event.key === "Enter" && !list.hidden && current()) {
      event.preventDefault();
      take(current());
    } else if (event.key === "Escape" && !list.hidden) {
      event.preventDefault();
      close();
    }
  });
  box.addEventListener("blur", close);
  list.addEventListener("mousedown", (event) => event.preventDefault());
  list.addEventListener("click", (event) => {
    const offer = event.target.closest("[role=option]");
    if (offer) take(offer);
  });
  picked.querySelector("button").addEventListener("click", () => {
    clear();
    box.focus();
  });
}

function followAnswers(status) {
  const answers = document.querySelector(status.dataset.progress);
  let announced = 0;
  setInterval(() => {
    const n = answers.children.length;
    if (n !== announced) status.textContent = status.dataset.text.replace("#", n);
    announced = n;
  }, ANNOUNCE_EVERY_MS);
}

for (const form of document.querySelectorAll("[data-search]")) startOffers(form);
for (const status of document.querySelectorAll("[data-progress]")) followAnswers(status);
