// The last things that happened to the store.

import { button, element, heading, table } from "./elements.js";
import { read } from "./service.js";

export async function showEvents(rest, about, refresh) {
  const events = await read("events");
  const rows = events.map((event) => ({ cells: [time(event.Time), event.Type, event.Details ?? ""] }));
  return [heading("Events"), element("div", { class: "buttons" }, button("Refresh", refresh)),
    rows.length === 0 ? element("p", {}, "Nothing has happened yet.") : table("Events, newest first", ["Time", "Event", "Details"], rows)];
}

function time(text) {
  return element("time", { datetime: text }, text.replace("T", " ").replace(/\.\d+Z$/, "Z"));
}
