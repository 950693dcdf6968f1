// Answers of all versions of OData as one form.

/// A URL of the service relative to its root.
export function relative(url) {
  const absolute = new URL(url, `${location.origin}/`);
  return absolute.pathname.slice(1) + absolute.search;
}

/// A URL as people read it; what would change its meaning stays encoded.
export function readable(url) {
  try {
    return decodeURI(url.replaceAll("%25", "%2525"));
  } catch {
    return url;
  }
}

/// A URL as people write it, as it is sent.
export function writable(text) {
  return text.trim().replace(/^\/+/, "").replace(/%(?![0-9a-f]{2})/gi, "%25").replaceAll("#", "%23");
}

export function text(value) {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/// An answer: a list of entities, one entity, or something else as JSON.
export function answer(json) {
  const body = json.d ?? json;
  const items = Array.isArray(body) ? body : body.results ?? body.value;
  if (Array.isArray(items)) {
    const next = body.__next ?? body["@odata.nextLink"] ?? body["@nextLink"];
    const count = body.__count ?? body["@odata.count"] ?? body["@count"];
    const isEntities = items.every((item) => item !== null && typeof item === "object" && !Array.isArray(item));
    return { kind: isEntities ? "list" : "other", items: isEntities ? items.map(entity) : [], next: next && relative(next), count, json };
  }
  const single = entity(body);
  return single.url || single.relations.length > 0 ? { kind: "entity", entity: single, json } : { kind: "other", json };
}

/// An entity with its values, its links and its streams.
export function entity(object) {
  const control = (name) => object[`@odata.${name}`] ?? object[`@${name}`];
  const url = object.__metadata?.uri ?? control("id") ?? control("editLink") ?? control("readLink");
  const result = { url: url && relative(url), type: type(object.__metadata?.type ?? control("type")), values: [], relations: [], streams: [] };
  const media = object.__metadata?.media_src ?? control("mediaReadLink");
  if (media) result.streams.push({ name: "content", url: relative(media) });
  // The address of a stream is left out where it is the one that the standard gives.
  else if (control("mediaContentType")) result.streams.push({ name: "content", url: `${result.url}/$value` });
  for (const [name, value] of Object.entries(object)) sort(object, name, value, result);
  return result;
}

const type = (name) => name?.replace(/^#/, "");

/// Puts a member where it belongs.
function sort(object, name, value, result) {
  const [property, annotation] = name.split(/@(?:odata\.)?/);
  if (annotation === "navigationLink") return result.relations.push({ name: property, url: relative(value) });
  if (property && annotation === "mediaReadLink") return result.streams.push({ name: property, url: relative(value) });
  if (property && annotation === "mediaContentType" && object[`${property}@odata.mediaReadLink`] === undefined) {
    return result.streams.push({ name: property, url: `${result.url}/${property}` });
  }
  if (annotation !== undefined || name.startsWith("#") || name.startsWith("__")) return undefined;
  if (value?.__deferred) return result.relations.push({ name, url: relative(value.__deferred.uri) });
  if (value?.__mediaresource) return result.streams.push({ name, url: relative(value.__mediaresource.media_src ?? value.__mediaresource.edit_media) });
  if (object[`${name}@odata.navigationLink`] !== undefined) return undefined;
  return result.values.push([name, value]);
}
