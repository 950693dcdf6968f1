// The requests that the service refused.

import { button, confirmed, element, facts, heading, run } from "./elements.js";
import { conflictView } from "./conflict.js";
import { bodyEditor, change, pages, requestFacts } from "./queue.js";
import { read } from "./service.js";

export async function showErrors(rest, about, refresh) {
  const skip = Number.parseInt(rest, 10) || 0;
  const archive = await read(`errors?skip=${skip}`);
  const summary = archive.total === 0
    ? "The service has refused nothing."
    : `The service has refused ${archive.total} ${archive.total === 1 ? "request" : "requests"}.`;
  return [heading("Errors"), element("p", {}, summary), archive.requests.map((request) => card(request, refresh)), pages("errors", archive)];
}

function card(request, refresh) {
  const id = request.RequestID;
  const name = `request ${id}`;
  const { place, open } = bodyEditor(request, "errors/edit", refresh);
  const discard = async () => {
    const question = `Discard ${name}? Its change and those that depend on it are taken back in the store.`;
    if (await confirmed(question, "Discard")) await change("errors/discard", { id }, refresh);
  };
  const versions = element("div", {});
  if (request.AffectedEntity) {
    run(async () => versions.replaceChildren(...await conflictView(request.AffectedEntity, refresh)));
  }
  return element("article", { class: "card", "aria-labelledby": `request-${id}`, "data-request": id },
    element("h2", { id: `request-${id}`, dir: "auto" }, `${id} ${request.RequestMethod} ${request.RequestURL}`),
    facts([["Answer", request.HTTPStatusCode], ["Code", request.Code], ["Message", request.Message], ...requestFacts(request)]),
    request.RequestBody !== null && element("pre", { dir: "auto" }, request.RequestBody),
    request.NeedsResolution && element("p", {}, "The service has changed or deleted the entity. Decide which side stands."),
    element("div", { class: "buttons" },
      !request.NeedsResolution && button("Retry", () => change("errors/retry", { id }, refresh), { "aria-label": `Retry ${name}` }),
      !request.NeedsResolution && request.RequestBody !== null && button("Edit", open, { "aria-label": `Edit ${name}` }),
      button("Discard", discard, { "aria-label": `Discard ${name}` })),
    place, versions);
}
