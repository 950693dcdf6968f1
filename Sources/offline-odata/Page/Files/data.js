// Sets, rows and the query box.

import { announce, button, element, heading, run, table } from "./elements.js";
import { entityView } from "./entity.js";
import { odata, read } from "./service.js";
import { answer, readable, text, writable } from "./values.js";

export const dataLink = (url) => `#/data/${url}`;

export async function showData(url, about) {
  if (!url) return [heading("Data"), queryBox(""), ...await sets(about)];
  const parts = [heading(readable(url.split("?")[0])), queryBox(url)];
  const found = await odata(url);
  if (found.text !== undefined) return [...parts, element("pre", { dir: "auto" }, found.text)];
  const result = answer(found.json);
  if (result.kind === "list") return [...parts, ...list(url, result)];
  if (result.kind === "entity") return [...parts, ...entityView(result.entity, about)];
  return [...parts, element("pre", { dir: "auto" }, JSON.stringify(result.json, null, 2))];
}

function queryBox(url) {
  const input = element("input", {
    id: "query", name: "query", type: "text", spellcheck: "false", autocomplete: "off", autocapitalize: "none",
    placeholder: "Orders?$filter=Price gt 10&$orderby=Name",
  });
  input.value = readable(url);
  const submit = (event) => {
    event.preventDefault();
    location.hash = dataLink(writable(input.value));
  };
  return element("form", { submit, role: "search", "aria-label": "OData query" },
    element("label", { for: "query" }, "OData query"),
    element("div", { class: "query" }, input, element("button", { class: "main" }, "Run")));
}

async function sets(about) {
  const model = await read("model");
  const status = about.kind === "store" ? await read("status") : null;
  const counts = new Map(status?.entitySets.map((set) => [set.name, set]));
  const row = (set) => {
    const count = counts.get(set.name);
    const link = element("a", { href: dataLink(encodeURIComponent(set.name)) }, set.name);
    return { cells: [link, set.type, ...(status ? [text(count?.rows), text(count?.pending), text(count?.inError)] : [])] };
  };
  const columns = ["Set", "Type", ...(status ? ["Rows", "Changed", "Refused"] : [])];
  const list = (caption, isBuiltIn, names) => {
    const rows = model.sets.filter((set) => set.builtIn === isBuiltIn).map(row);
    return rows.length > 0 && table(caption, names, rows, { numbers: [2, 3, 4] });
  };
  return [list("Entity sets and singletons", false, columns), list("Sets of the store itself", true, columns)];
}

function list(url, result) {
  const amount = element("p", { class: "quiet" });
  const body = element("div", {});
  const more = element("p", {});
  const shown = [];
  // Asked for with $count, or found out where more rows follow.
  let total = result.count;
  const say = (follows) => {
    const of = total === undefined || total === null ? "" : ` of ${total}`;
    amount.textContent = `${shown.length}${of} ${shown.length === 1 && !of ? "row" : "rows"}${follows && !of ? ", more follow" : ""}`;
  };
  const add = (page) => {
    shown.push(...page.items);
    body.replaceChildren(rows(shown));
    say(page.next);
    more.replaceChildren(...(page.next ? [button("Show more rows", () => next(page.next))] : []));
  };
  const next = async (link) => {
    add(answer((await odata(link)).json));
    announce(amount.textContent);
  };
  add(result);
  if (result.next && total === undefined) {
    run(async () => {
      total = await count(url);
      if (total !== undefined) say(true);
    });
  }
  return [amount, body, more];
}

/// How many rows there are in all, where the service can count them; of a part of them, or of groups, it counts others.
async function count(url) {
  const [path, query = ""] = url.split("?");
  if (/(^|&)\$?(top|skip|skiptoken|apply)=/.test(query)) return undefined;
  const kept = query.split("&").filter((option) => /^\$?(filter|search)=/.test(option)).join("&");
  try {
    const found = await odata(`${path}/$count${kept ? `?${kept}` : ""}`);
    return found.text ?? text(found.json);
  } catch {
    // A path that cannot be counted is shown without its count.
    return undefined;
  }
}

function rows(entities) {
  const columns = [...new Set(entities.flatMap((entity) => entity.values.map(([name]) => name)))];
  const body = entities.map((entity) => {
    const values = new Map(entity.values);
    const name = entity.url ? element("a", { href: dataLink(entity.url) }, readable(entity.url)) : "";
    return { cells: [name, ...columns.map((column) => text(values.get(column)))] };
  });
  return table("Rows", ["Entity", ...columns], body, { kind: "rows" });
}
