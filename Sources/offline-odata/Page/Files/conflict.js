// The versions of an entity side by side, and the decision between them.

import { button, editor, element, heading, table } from "./elements.js";
import { change } from "./queue.js";
import { read } from "./service.js";
import { readable } from "./values.js";

export async function showVersions(url, about, refresh) {
  return [heading(`Versions of ${readable(url)}`), ...await conflictView(url, refresh),
    element("p", {}, element("a", { href: `#/data/${url}` }, "The entity"))];
}

export async function conflictView(url, refresh) {
  const conflict = await read(`conflict?url=${encodeURIComponent(url)}`);
  const rows = conflict.properties.map((property) => ({
    kind: property.changed === "both" ? "both" : null,
    cells: [property.path, property.base, property.local, property.server, property.changed],
  }));
  const parts = [element("p", { dir: "auto" }, conflict.headline)];
  if (rows.length === 0) parts.push(element("p", {}, "Nothing differs."));
  else parts.push(table(`Versions of ${readable(url)}`, ["Property", "Before", "Mine", "Service's", "Changed by"], rows, { kind: "rows" }));
  if (conflict.resolvable) parts.push(decision(url, conflict, refresh));
  return parts;
}

function decision(url, conflict, refresh) {
  const place = element("div", {});
  const resolve = (side, body) => change("errors/resolve", { url, side, body }, refresh);
  const merge = () => {
    place.replaceChildren(editor(`Values of ${readable(url)} that win (JSON)`, JSON.stringify(conflict.body, null, 2), "Merge",
      (body) => resolve("merge", body), () => place.replaceChildren()));
    place.querySelector("textarea").focus();
  };
  return element("div", { role: "group", "aria-label": `Resolve the conflict of ${readable(url)}` },
    element("div", { class: "buttons" },
      button("Keep mine", () => resolve("local")),
      button("Take the service's", () => resolve("server")),
      button("Merge…", merge)),
    place);
}
