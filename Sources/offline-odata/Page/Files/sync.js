// Upload and download, their progress and their results.

import { announce, button, element, facts, heading, showFailure, table } from "./elements.js";
import { act, read } from "./service.js";

/// Time between two looks at what runs.
const interval = 300;

export async function showSync(rest, about, refresh) {
  const status = await read("status");
  if (!about.serviceRoot) return [heading("Sync"), element("p", {}, "This store belongs to no service.")];
  const panel = progressPanel(refresh);
  panel.show(await read("sync"));
  const queries = status.queries.map((query) => ({ cells: [query.name, query.url, query.lastDownload ?? "never"] }));
  return [heading("Sync"),
    facts([["Service", about.serviceRoot], ["Waiting", String(status.queue)], ["Refused", String(status.errors)],
      ["Interrupted", status.interrupted && `${status.interrupted}; starting it again goes on`]]),
    panel.element, table("Defining queries", ["Name", "Query", "Last download"], queries)];
}

function progressPanel(refresh) {
  const bar = element("progress", { "aria-label": "Progress", hidden: true });
  const line = element("p", { class: "progress-text" });
  const results = element("div", { class: "results" });
  const start = (operation) => async () => {
    panel.show(await act("sync/start", { operation }));
  };
  const starts = [
    button("Upload", start("upload")), button("Download", start("download")), button("Upload, then download", start("sync"), { class: "main" }),
  ];
  const cancel = button("Cancel", async () => panel.show(await act("sync/cancel")));
  let step = "";
  let wasRunning = false;

  const panel = {
    element: element("section", { "aria-label": "Synchronization" },
      element("div", { class: "buttons" }, starts, cancel), bar, line, results),
    show(state) {
      const isRunning = ["running", "cancelling"].includes(state.state);
      for (const control of starts) control.hidden = isRunning;
      cancel.hidden = !isRunning;
      bar.hidden = !isRunning;
      showProgress(state);
      results.replaceChildren(...(isRunning ? [] : outcome(state)));
      if (isRunning) setTimeout(look, interval);
      else if (wasRunning) finish(state);
      wasRunning = isRunning;
    },
  };

  function showProgress({ state, progress }) {
    const isRunning = ["running", "cancelling"].includes(state);
    line.textContent = !isRunning ? "" : state === "cancelling" ? "cancelling…" : progress ? `${progress.operation}: ${progress.text}` : "starting…";
    if (!isRunning || !progress) return bar.removeAttribute("value");
    bar.max = progress.total;
    bar.value = progress.done;
    const now = `${progress.operation} ${progress.done} of ${progress.total}`;
    if (now !== step) announce(line.textContent);
    step = now;
    return undefined;
  }

  async function look() {
    if (!panel.element.isConnected) return;
    try {
      panel.show(await read("sync"));
    } catch (error) {
      showFailure(error);
      setTimeout(look, interval * 5);
    }
  }

  async function finish(state) {
    await refresh();
    announce(state.message ?? [state.upload, state.download].filter(Boolean).join("; "));
  }
  return panel;
}

/// What the last operation did.
function outcome(state) {
  if (state.state === "idle") return [];
  const parts = [state.upload, state.download, ...state.remarks].filter(Boolean).map((line) => element("p", { dir: "auto" }, line));
  if (state.message) parts.push(element("p", { class: "bad", dir: "auto" }, [state.message, ...state.details].join("\n")));
  if (state.refused > 0) parts.push(element("p", {}, element("a", { href: "#/errors" }, "See what was refused")));
  return parts;
}
