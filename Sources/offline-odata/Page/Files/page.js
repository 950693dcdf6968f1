// Starts the page and changes its views by the address.

import { announce, clearFailure, element, heading, showFailure } from "./elements.js";
import { showVersions } from "./conflict.js";
import { showData } from "./data.js";
import { showErrors } from "./errors.js";
import { showEvents } from "./events.js";
import { showModel } from "./model.js";
import { showQueue } from "./queue.js";
import { forgetToken, keepToken, read, takeToken } from "./service.js";
import { showSync } from "./sync.js";
import { readable } from "./values.js";

const views = [
  { name: "data", title: "Data", show: showData },
  { name: "queue", title: "Queue", show: showQueue, isOfStore: true },
  { name: "errors", title: "Errors", show: showErrors, isOfStore: true },
  { name: "events", title: "Events", show: showEvents, isOfStore: true },
  { name: "sync", title: "Sync", show: showSync, isOfStore: true },
  { name: "model", title: "Model", show: showModel },
  { name: "versions", title: "Versions", show: showVersions, isHidden: true },
];

let about;
/// Counts the views that were asked for: an answer that comes late must not replace a newer one.
let latest = 0;
/// The name of the button that was pressed last, by whatever means.
let lastPressed;

const nameOf = (button) => button?.getAttribute("aria-label") ?? button?.textContent;

/// The view and what it shows: `#/data/Orders(1)`.
function address() {
  const [, name = "data", rest = ""] = location.hash.match(/^#\/([a-z]+)\/?(.*)$/s) ?? [];
  return { view: views.find((view) => view.name === name) ?? views[0], rest };
}

function showNavigation(current) {
  const shown = views.filter((view) => !view.isHidden && (!view.isOfStore || about.kind === "store"));
  document.getElementById("views").replaceChildren(...shown.map((view) =>
    element("li", {}, element("a", { href: `#/${view.name}`, "aria-current": view === current && "page" }, view.title))));
}

/// - Parameter pressed: The name of the button whose work is done; the one of the same name gets the focus again.
async function show(movesFocus, pressed) {
  latest += 1;
  const number = latest;
  const content = document.getElementById("content");
  const { view, rest } = address();
  clearFailure();
  content.setAttribute("aria-busy", "true");
  try {
    about ??= await begin();
    const parts = await view.show(rest, about, () => show(true, lastPressed));
    if (number !== latest) return;
    content.replaceChildren(...parts.flat(2).filter(Boolean));
  } catch (error) {
    if (number !== latest) return;
    if (error.status === 401) content.replaceChildren(...tokenForm(forgetToken()));
    else fail(error, view, rest, content);
  }
  content.removeAttribute("aria-busy");
  if (about) showNavigation(view);
  document.title = `${content.querySelector("h1")?.textContent ?? view.title} – ${about?.name ?? "offline-odata"}`;
  if (!movesFocus) return;
  const same = pressed && [...content.querySelectorAll("button")].find((button) => nameOf(button) === pressed);
  (same || (content.querySelector("h1") ?? content)).focus();
}

/// A query that fails keeps its box, so that it can be corrected.
function fail(error, view, rest, content) {
  showFailure(error);
  const box = content.querySelector("#query");
  if (view.name === "data" && box) {
    // A link leads here as well as the box.
    box.value = readable(rest);
    content.replaceChildren(heading("Data"), box.form);
  }
  else content.replaceChildren(heading(view.title));
}

async function begin() {
  const found = await read("about");
  document.getElementById("name").textContent = found.name;
  document.getElementById("version").textContent = `OData ${found.version}`;
  return found;
}

/// Asks for the token; says so where one was given that is not the right one.
function tokenForm(wasWrong) {
  const input = element("input", { id: "token", type: "password", autocomplete: "off", required: true });
  if (wasWrong) {
    input.setAttribute("aria-invalid", "true");
    announce("This token is not the right one.");
  }
  const submit = (event) => {
    event.preventDefault();
    announce("");
    keepToken(input.value);
    show(true);
  };
  return [heading("Token"), element("form", { submit },
    element("p", {}, wasWrong ? "This token is not the right one. Give the one that the service was started with (--token)."
      : "This service was started with --token. Give the token to go on."),
    element("label", { for: "token" }, "Token"),
    element("div", { class: "query" }, input, element("button", { class: "main" }, "Go on")))];
}

addEventListener("hashchange", () => {
  // The link that skips to the content is no view.
  if (location.hash === "#content") return;
  announce("");
  takeToken();
  show(true);
});
takeToken();
document.addEventListener("click", (event) => {
  lastPressed = nameOf(event.target.closest("button"));
}, true);
show(false);
