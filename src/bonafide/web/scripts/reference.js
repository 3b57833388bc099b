// Runs the examples of the API reference with a sandbox key. The key lives in the field alone: it is sent to this service with a request
// and kept nowhere. Ids of answers are kept for the tab, so that one example can go on where another has ended.
"use strict";

(() => {
  const SANDBOX = "bf_test_";
  const MAX_CHARACTERS = 200000;
  const HEADERS = ["content-type", "location", "retry-after", "preference-applied", "idempotent-replayed", "x-request-id", "x-ratelimit-remaining"];
  const UUIDS = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;
  const KNOWN = "bonafide.reference.";
  const box = document.querySelector("[data-key]");
  const field = box.querySelector("input");
  const problem = box.querySelector(".field-error");
  const forms = [...document.querySelectorAll("form.try")];

  const at = (value, path) => path.split(".").reduce((inner, part) => (inner === null || inner === undefined ? undefined : inner[part]), value);

  const element = (name, text, className) => {
    const made = document.createElement(name);
    made.textContent = text;
    made.className = className || "";
    return made;
  };

  function key() {
    const given = field.value.trim();
    const trouble = given === "" ? problem.dataset.missing : given.startsWith(SANDBOX) ? "" : problem.dataset.wrong;
    problem.textContent = trouble;
    field.setAttribute("aria-invalid", String(trouble !== ""));
    if (trouble === "") return given;
    field.focus();
    return null;
  }

  function put(value, path, inner) {
    const parts = path.split(".");
    const last = parts.pop();
    const holder = parts.length === 0 ? value : at(value, parts.join("."));
    if (holder !== null && typeof holder === "object") holder[last] = inner;
  }

  // Puts what earlier answers have given into the requests that need it.
  function fill() {
    for (const form of forms) {
      const names = form.dataset.takes === "" ? [] : form.dataset.takes.split(" ");
      const path = form.querySelector("[data-path]");
      let place = 0;
      path.value = path.value.replaceAll(UUIDS, (id) => sessionStorage.getItem(KNOWN + names[place++]) ?? id);
      const body = form.querySelector("[data-body]");
      for (const [place, name] of Object.entries(JSON.parse(form.dataset.fills))) {
        const found = sessionStorage.getItem(KNOWN + name);
        if (found === null) continue;
        try {
          const value = JSON.parse(body.value);
          put(value, place, found);
          body.value = JSON.stringify(value, null, 2);
        } catch {
          // The reader is in the midst of writing: what isn't JSON is left alone.
        }
      }
    }
  }

  function learn(form, answer) {
    for (const [name, paths] of Object.entries(JSON.parse(form.dataset.gives))) {
      const found = paths.split(" ").map((path) => at(answer, path)).find((value) => typeof value === "string");
      if (found !== undefined) sessionStorage.setItem(KNOWN + name, found);
    }
    fill();
  }

  async function shown(form, response, place) {
    const kind = response.ok ? "good" : "bad";
    const list = element("dl", "", "facts small");
    for (const name of HEADERS.filter((one) => response.headers.has(one))) {
      list.append(element("dt", name), element("dd", response.headers.get(name), "mono"));
    }
    const head = element("p", "");
    head.append(element("span", `${response.status} ${response.statusText}`.trim(), `badge ${kind}`));
    const bytes = await response.arrayBuffer();
    const type = response.headers.get("content-type") || "";
    let text = place.dataset.bytes.replace("%n", bytes.byteLength).replace("%t", type);
    if (type.startsWith("application/json")) {
      const answer = JSON.parse(new TextDecoder().decode(bytes));
      text = JSON.stringify(answer, null, 2).slice(0, MAX_CHARACTERS);
      if (response.ok) learn(form, answer);
    }
    const body = element("pre", "");
    body.tabIndex = 0;
    body.append(element("code", text));
    place.replaceChildren(head, list, body);
  }

  async function run(form) {
    const given = key();
    if (given === null) return;
    const place = form.querySelector("[data-answer]");
    const body = form.querySelector("[data-body]");
    const headers = { Authorization: `Bearer ${given}` };
    if (body !== null) headers["Content-Type"] = "application/json";
    place.replaceChildren(element("p", place.dataset.waiting, "quiet"));
    try {
      // Only a path of this service is asked: the key never leaves it.
      const address = new URL(form.querySelector("[data-path]").value, location.origin);
      if (address.origin !== location.origin) throw new TypeError("elsewhere");
      const response = await fetch(address, { method: form.dataset.method, headers, body: body === null ? undefined : body.value, credentials: "omit" });
      await shown(form, response, place);
    } catch {
      place.replaceChildren(element("p", place.dataset.failed, "field-error"));
    }
  }

  box.hidden = false;
  for (const form of forms) {
    form.hidden = false;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      run(form);
    });
  }
  fill();
})();
