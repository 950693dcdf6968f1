// The model: a diagram of entity types, and a list of all types.

import { element, heading, scrolling, table } from "./elements.js";
import { diagram } from "./diagram.js";
import { read } from "./service.js";

/// Most entity types that are drawn at once without being asked for.
const mostDrawn = 40;

export async function showModel(rest) {
  const model = await read("model");
  // The queue, the archive and the events of a store are no part of its service.
  const builtIn = new Set(model.sets.filter((set) => set.builtIn).map((set) => set.type));
  const entities = model.types.filter((type) => type.kind === "entity" && !builtIn.has(type.name));
  const named = decodeURIComponent(rest);
  const chosen = entities.find((type) => type.name === named) ?? (entities.length > mostDrawn ? firstOfSet(model, entities) : undefined);
  const drawn = chosen ? neighbours(entities, chosen) : entities;
  return [heading("Model"), choice(entities, chosen),
    scrolling("Diagram of the model", diagram(drawn, chosen)),
    element("h2", {}, "Types"), model.types.map((type) => details(type, type === chosen)),
    model.enumerations.map(enumeration)];
}

const firstOfSet = (model, entities) => entities.find((type) => type.name === model.sets[0]?.type) ?? entities[0];

/// A type with those that it refers to and that refer to it.
function neighbours(entities, chosen) {
  const leadsTo = (from, to) => from.base === to.name || from.relations.some((relation) => relation.type === to.name);
  return entities.filter((type) => type === chosen || leadsTo(type, chosen) || leadsTo(chosen, type));
}

function choice(entities, chosen) {
  const select = element("select", { id: "type" },
    entities.length <= mostDrawn && element("option", { value: "" }, "All entity types"),
    entities.map((type) => element("option", { value: type.name, selected: type === chosen }, type.name)));
  const submit = (event) => {
    event.preventDefault();
    location.hash = `#/model/${encodeURIComponent(select.value)}`;
  };
  // The arrow keys change the choice on the way to another one, so that a button is needed.
  return element("form", { submit }, element("label", { for: "type" }, "Entity type"),
    element("div", { class: "query" }, select, element("button", {}, "Show")));
}

function details(type, isOpen) {
  const properties = type.properties.map((property) => ({
    cells: [property.name, property.type, [type.key.includes(property.name) && "key", !property.nullable && "required"].filter(Boolean).join(", ")],
  }));
  const relations = type.relations.map((relation) => ({
    cells: [relation.name, relation.collection ? `Collection(${relation.type})` : relation.type, relation.contained ? "contained" : ""],
  }));
  const kind = [type.abstract && "abstract", type.kind, type.media && "with a stream", type.base && `extends ${type.base}`].filter(Boolean).join(", ");
  return element("details", { open: isOpen },
    element("summary", { dir: "auto" }, `${type.name} (${kind})`),
    properties.length > 0 && table(`Properties of ${type.name}`, ["Property", "Type", ""], properties),
    relations.length > 0 && table(`Relations of ${type.name}`, ["Relation", "Leads to", ""], relations));
}

function enumeration(type) {
  return element("details", {}, element("summary", { dir: "auto" }, `${type.name} (enumeration)`), element("p", { dir: "auto" }, type.members.join(", ")));
}
