// The changes that wait to be sent.

import { announce, button, confirmed, editor, element, facts, heading } from "./elements.js";
import { act, read } from "./service.js";
import { readable } from "./values.js";

export async function showQueue(rest, about, refresh) {
  const skip = Number.parseInt(rest, 10) || 0;
  const queue = await read(`queue?skip=${skip}`);
  const cards = queue.requests.map((request, index) => card(request, queue.requests[index - 1], queue.requests[index + 1], refresh));
  return [heading("Queue"), element("p", {}, summary(queue)), cards, pages("queue", queue)];
}

function summary(queue) {
  if (queue.total === 0) return "Nothing is waiting to be uploaded.";
  return `${queue.total} ${queue.total === 1 ? "change waits" : "changes wait"} to be uploaded, in this order.`;
}

/// Links to the requests before and behind those that are shown.
export function pages(view, { total, skipped, requests }) {
  const end = skipped + requests.length;
  const links = [];
  if (skipped > 0) links.push(element("a", { href: `#/${view}/${Math.max(0, skipped - 50)}` }, "Earlier"), " ");
  if (end < total) links.push(element("a", { href: `#/${view}/${end}` }, "Later"));
  return links.length > 0 && element("nav", { "aria-label": "Pages" }, element("p", {}, links));
}

/// What is known of a request, whether it waits or was refused.
export function requestFacts(request) {
  const link = request.AffectedEntity;
  return [
    ["Status", request.Status], ["Entity", link && element("a", { href: `#/data/${link}` }, readable(link))],
    ...Object.entries(request.Labels).map(([name, text]) => [name[0].toUpperCase() + name.slice(1), text]),
    ["Category", request.UploadCategory], ["Transaction", request.TransactionID], ["Waits for", request.DependsOn.join(", ")],
  ];
}

/// Does something with a request, says so and shows the list anew.
export async function change(path, order, refresh) {
  const result = await act(path, order);
  await refresh();
  announce(result.message);
}

/// A place below a request where its body is edited.
export function bodyEditor(request, path, refresh) {
  const place = element("div", {});
  const open = () => {
    const order = (body) => ({ id: request.RequestID, body, evenIfUnknown: request.Status === "unknownOutcome" });
    place.replaceChildren(editor(`Body of request ${request.RequestID} (JSON)`, pretty(request.RequestBody), "Save",
      (body) => change(path, order(body), refresh), () => place.replaceChildren()));
    place.querySelector("textarea").focus();
  };
  return { place, open };
}

function pretty(json) {
  try {
    // Numbers that JavaScript would round stay as they were written.
    const same = JSON.stringify(JSON.parse(json));
    return same === json ? JSON.stringify(JSON.parse(json), null, 2) : json;
  } catch {
    return json ?? "";
  }
}

function card(request, before, after, refresh) {
  const id = request.RequestID;
  const name = `request ${id}`;
  const isUnknown = request.Status === "unknownOutcome";
  const { place, open } = bodyEditor(request, "queue/edit", refresh);
  const drop = async () => {
    const question = `Drop ${name}? Its change and those that depend on it are taken back in the store.`
      + (isUnknown ? " The service may have carried it out already." : "");
    if (await confirmed(question, "Drop")) await change("queue/drop", { id, evenIfUnknown: isUnknown }, refresh);
  };
  return element("article", { class: "card", "aria-labelledby": `request-${id}`, "data-request": id },
    element("h2", { id: `request-${id}`, dir: "auto" }, `${id} ${request.RequestMethod} ${request.RequestURL}`),
    facts(requestFacts(request)),
    request.RequestBody !== null && element("pre", { dir: "auto" }, request.RequestBody),
    element("div", { class: "buttons" },
      request.RequestBody !== null && button("Edit", open, { "aria-label": `Edit ${name}` }),
      button("Drop", drop, { "aria-label": `Drop ${name}` }),
      before && button("Move up", () => change("queue/move", { id, before: before.RequestID }, refresh), { "aria-label": `Move ${name} up` }),
      after && button("Move down", () => change("queue/move", { id, after: after.RequestID }, refresh), { "aria-label": `Move ${name} down` }),
      isUnknown && button("Send again", () => change("queue/retry", { id }, refresh), { "aria-label": `Send ${name} again` })),
    place);
}
