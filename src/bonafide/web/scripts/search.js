// The search box offers registered businesses while a person types (combobox of the ARIA Authoring Practices Guide: the focus stays in
// the box, arrow keys choose, Enter takes, Escape closes). Without this script the box searches all the same.
// It also tells, now and then, how many sources of a search have answered.
"use strict";

const WAIT_MS = 120;
const TELL_EVERY_MS = 4000;

function startOffers(form) {
  const box = form.querySelector("#name");
  const list = form.querySelector("#offers");
  const count = form.querySelector("#offers-count");
  const picked = form.querySelector("#picked");
  const number = form.querySelector("[name=registrationNumber]");
  let waiting = 0;
  let asking = null;

  box.setAttribute("role", "combobox");
  box.setAttribute("aria-autocomplete", "list");
  box.setAttribute("aria-expanded", "false");
  box.setAttribute("aria-controls", list.id);

  const offers = () => [...list.children];
  const current = () => list.querySelector("[aria-selected=true]");

  function close() {
    clearTimeout(waiting);
    asking?.abort();
    list.hidden = true;
    box.setAttribute("aria-expanded", "false");
    box.removeAttribute("aria-activedescendant");
  }

  function tell() {
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

  async function ask() {
    asking?.abort();
    asking = new AbortController();
    try {
      const answer = await fetch("/console/search/suggestions?name=" + encodeURIComponent(box.value), { signal: asking.signal });
      if (!answer.ok || answer.redirected) return close();
      list.innerHTML = await answer.text();
    } catch {
      return; // a newer question has taken its place, or nobody answers: the box works by itself
    }
    list.hidden = offers().length === 0;
    box.setAttribute("aria-expanded", String(!list.hidden));
    box.removeAttribute("aria-activedescendant");
    tell();
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
    waiting = setTimeout(ask, WAIT_MS);
  });
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      if (list.hidden && box.value.trim().length >= 2) ask();
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
  let told = 0;
  setInterval(() => {
    const n = answers.children.length;
    if (n !== told) status.textContent = status.dataset.text.replace("#", n);
    told = n;
  }, TELL_EVERY_MS);
}

for (const form of document.querySelectorAll("[data-search]")) startOffers(form);
for (const status of document.querySelectorAll("[data-progress]")) followAnswers(status);
