// One entity: its values, its relations to click through, its streams.

import { button, element, table } from "./elements.js";
import { save } from "./service.js";
import { readable, text } from "./values.js";

export function entityView(entity, about) {
  const values = entity.values.map(([name, value]) => ({ cells: [name, text(value)] }));
  return [
    entity.type && element("p", { class: "quiet" }, entity.type),
    links("Relations", entity.relations.map(({ name, url }) => element("a", { href: `#/data/${url}` }, name))),
    links("Streams", entity.streams.map(({ name, url }) => button(`Save ${name}`, () => save(url, name)))),
    table("Properties", ["Property", "Value"], values, { kind: "rows" }),
    about.kind === "store" && entity.url && element("p", {},
      element("a", { href: `#/versions/${entity.url}` }, `Versions of ${readable(entity.url)}: before, mine, the service's`)),
  ].filter(Boolean);
}

function links(title, items) {
  if (items.length === 0) return null;
  return element("nav", { "aria-label": title },
    element("h2", {}, title), element("ul", {}, items.map((item) => element("li", {}, item))));
}
