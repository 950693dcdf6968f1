// Elements of the page. Text of any origin becomes a text node, never HTML.

/// Builds an element: functions among the attributes listen to events, `null` and `false` leave an attribute or a child out.
export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key, value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(2).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export function button(text, action, attributes = {}) {
  return element("button", { type: "button", click: (event) => run(() => action(event), event.currentTarget), ...attributes }, text);
}

/// A heading that a view begins with; it takes the focus when the view is changed.
export const heading = (text) => element("h1", { tabindex: "-1", dir: "auto" }, text);

/// A region that scrolls by itself, also by the keyboard, so that the page does not.
export function scrolling(label, ...children) {
  return element("div", { class: "scroll", role: "region", "aria-label": label, tabindex: "0" }, children);
}

/// A table of texts and elements; the first cell of each row names it.
export function table(caption, columns, rows, options = {}) {
  const head = columns.map((column) => element("th", { scope: "col", dir: "auto" }, column));
  const body = rows.map(({ cells, kind }) =>
    element("tr", { class: kind }, cells.map((cell, index) =>
      index === 0
        ? element("th", { scope: "row", dir: "auto" }, cell)
        : element("td", { dir: "auto", class: options.numbers?.includes(index) && "number" }, cell))));
  return scrolling(caption, element("table", { class: options.kind },
    element("caption", {}, caption), element("thead", {}, element("tr", {}, head)), element("tbody", {}, body)));
}

/// Names with values; those without a value are left out.
export function facts(pairs) {
  const shown = pairs.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", {}, shown.map(([name, value]) => [element("dt", {}, name), element("dd", { dir: "auto" }, value)]));
}

/// Says something to people, those who listen included.
export function announce(text) {
  document.getElementById("status").textContent = text;
}

export function showFailure(error) {
  const lines = [error.message, ...(error.details ?? [])];
  document.getElementById("alert").replaceChildren(...lines.map((line) => element("p", { dir: "auto" }, line)));
}

export function clearFailure() {
  document.getElementById("alert").replaceChildren();
}

/// Runs what a control does: once at a time, and what fails is shown.
///
/// The control is not `disabled` meanwhile, since it would lose the focus.
export async function run(action, control) {
  if (control?.hasAttribute("aria-disabled")) return;
  clearFailure();
  announce("");
  control?.setAttribute("aria-disabled", "true");
  try {
    await action();
  } catch (error) {
    showFailure(error);
  } finally {
    control?.removeAttribute("aria-disabled");
  }
}

/// Asks before something that cannot be taken back; answers whether it is wanted.
export function confirmed(question, verb) {
  return new Promise((resolve) => {
    const dialog = element("dialog", { "aria-label": verb, close: () => {
      resolve(dialog.returnValue === "yes");
      dialog.remove();
    } },
    element("p", { dir: "auto" }, question),
    element("div", { class: "buttons" },
      element("button", { type: "button", class: "main", click: () => dialog.close("yes") }, verb),
      element("button", { type: "button", click: () => dialog.close("no") }, "Keep")));
    document.body.append(dialog);
    dialog.showModal();
  });
}

let fieldCount = 0;

/// A text to be edited in place, with its label; `save` gets the text.
export function editor(label, text, verb, save, close) {
  fieldCount += 1;
  const id = `field-${fieldCount}`;
  const field = element("textarea", { id, spellcheck: "false", dir: "auto" });
  field.value = text;
  return element("div", {}, element("label", { for: id }, label), field,
    element("div", { class: "buttons" }, button(verb, () => save(field.value), { class: "main" }), button("Close", close)));
}
