// Requests to the service that the page comes from.

const tokenName = "offline-odata-token";

/// A request that failed, with what is to be said about it.
export class Failure extends Error {
  constructor(status, message, details = []) {
    super(message);
    this.status = status;
    this.details = details;
  }
}

export function keepToken(token) {
  // What cannot stand in a header field is no token of any service.
  sessionStorage.setItem(tokenName, /^[\x21-\x7e]+$/.test(token) ? token : "-");
}

/// Forgets the token that was not taken; answers whether there was one.
export function forgetToken() {
  const isGiven = sessionStorage.getItem(tokenName) !== null;
  sessionStorage.removeItem(tokenName);
  return isGiven;
}

/// Takes the token from the address, `#token=…`, and removes it there.
export function takeToken() {
  if (!location.hash.startsWith("#token=")) return;
  const text = location.hash.slice("#token=".length);
  try {
    keepToken(decodeURIComponent(text));
  } catch {
    keepToken(text);
  }
  history.replaceState(null, "", "/");
}

async function send(path, options = {}) {
  const headers = new Headers(options.headers);
  const token = sessionStorage.getItem(tokenName);
  if (token) headers.set("Authorization", `Bearer ${token}`);
  try {
    return await fetch(path, { ...options, headers, cache: "no-store", redirect: "error" });
  } catch {
    throw new Failure(0, "The service does not answer. Is `offline-odata serve` still running?");
  }
}

/// The message of an answer that is no success: OData's or the page's own form, else the text.
function failure(status, text) {
  try {
    const { error } = JSON.parse(text);
    const message = error.message?.value ?? error.message;
    return new Failure(status, message, error.details?.map((detail) => detail.message ?? detail));
  } catch {
    return new Failure(status, text.trim() || `The service answered ${status}.`);
  }
}

async function checked(response) {
  if (!response.ok) throw failure(response.status, await response.text());
  return response;
}

/// Reads data of the page.
export async function read(path) {
  return (await checked(await send(`/$page/${path}`))).json();
}

/// Does what a button says; the media type keeps other sites from doing the same by a form.
export async function act(path, order = {}) {
  const headers = { "Content-Type": "application/json" };
  return (await checked(await send(`/$page/${path}`, { method: "POST", headers, body: JSON.stringify(order) }))).json();
}

/// Reads by OData: the JSON of the service's version with all links, or a text.
export async function odata(url) {
  const response = await checked(await send(`/${url}`, { headers: {
    Accept: "application/json;odata.metadata=full;IEEE754Compatible=true, application/json;q=0.9, */*;q=0.1",
    Prefer: "odata.maxpagesize=50",
  } }));
  if (response.status === 204) return { text: "null" };
  const text = await response.text();
  return response.headers.get("Content-Type")?.startsWith("application/json") ? { json: JSON.parse(text) } : { text };
}

/// Reads a stream into a file of the reader's.
export async function save(url, name) {
  const content = await (await checked(await send(`/${url}`))).blob();
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
