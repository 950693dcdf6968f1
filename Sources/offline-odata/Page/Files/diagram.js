// Boxes for entity types, lines for relations; broken lines lead to the base type.

const space = "http://www.w3.org/2000/svg";
const line = 16;
const characterWidth = 7.2;
const gap = { x: 70, y: 24 };
const margin = 12;
/// Width of a row of types without relations, unless the diagram is wider.
const rowWidth = 900;
/// Most properties that a box names.
const mostNamed = 8;
/// Most boxes above each other.
const mostInColumn = 7;

export function diagram(types, chosen) {
  const boxes = new Map(types.map((type) => [type.name, box(type)]));
  const edges = connections(types, boxes);
  const size = place([...boxes.values()], edges);
  const label = chosen ? `${chosen.name} and the entity types around it` : "Entity types and their relations";
  return shape("svg", { class: "diagram", role: "group", "aria-label": label, width: size.width, height: size.height,
    viewBox: `0 0 ${size.width} ${size.height}` },
  arrow(), edges.map(connection), [...boxes.values()].map((box) => picture(box, box.type === chosen)));
}

/// The head at the end of a line.
function arrow() {
  return shape("defs", {}, shape("marker", { id: "end", viewBox: "0 0 8 8", refX: 8, refY: 4, markerWidth: 8, markerHeight: 8, orient: "auto" },
    shape("path", { class: "head", d: "M0 0 L8 4 L0 8 Z" })));
}

function shape(name, attributes, ...children) {
  const node = document.createElementNS(space, name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children.flat(2));
  return node;
}

function box(type) {
  const title = type.name.slice(type.name.lastIndexOf(".") + 1);
  const names = type.properties.map((property) => (type.key.includes(property.name) ? `${property.name} (key)` : property.name));
  const lines = names.length > mostNamed ? [...names.slice(0, mostNamed), `and ${names.length - mostNamed} more`] : names;
  const longest = Math.max(title.length + 2, ...lines.map((text) => text.length));
  return { type, title, lines, width: longest * characterWidth + 20, height: (lines.length + 1) * line + 14, x: 0, y: 0 };
}

function connections(types, boxes) {
  return types.flatMap((type) => {
    const from = boxes.get(type.name);
    const targets = new Set(type.relations.map((relation) => relation.type));
    const namesTo = (target) => type.relations.filter((relation) => relation.type === target).map((relation) => relation.name);
    const relations = [...targets].filter((name) => boxes.has(name))
      .map((name) => ({ from, to: boxes.get(name), kind: "relation", names: namesTo(name) }));
    return type.base && boxes.has(type.base) ? [...relations, { from, to: boxes.get(type.base), kind: "inherited" }] : relations;
  });
}

/// Places connected types in columns by their distance from the one with most connections, and the others in rows below.
function place(boxes, edges) {
  const near = new Map(boxes.map((box) => [box, new Set()]));
  for (const { from, to } of edges) {
    near.get(from).add(to);
    near.get(to).add(from);
  }
  const left = new Set([...boxes].sort((one, other) => near.get(other).size - near.get(one).size));
  const size = { width: 0, height: margin };
  const single = [];
  while (left.size > 0) {
    const layers = component(left.values().next().value, near, left);
    if (layers.length === 1) single.push(...layers[0]);
    else placeColumns(layers.flatMap(cut), size);
  }
  placeRows(single, size);
  return { width: Math.ceil(Math.max(size.width, 60) + margin), height: Math.max(size.height, 40) };
}

/// A type and what is connected with it, by distance.
function component(first, near, left) {
  const layers = [];
  let layer = [first];
  left.delete(first);
  while (layer.length > 0) {
    layers.push(layer);
    layer = [...new Set(layer.flatMap((box) => [...near.get(box)]))].filter((box) => left.has(box));
    for (const box of layer) left.delete(box);
  }
  return layers;
}

function cut(layer) {
  const count = Math.ceil(layer.length / mostInColumn);
  return Array.from({ length: count }, (_, index) => layer.slice(index * mostInColumn, (index + 1) * mostInColumn));
}

function placeColumns(columns, size) {
  let x = margin;
  let bottom = size.height;
  for (const column of columns) {
    let y = size.height;
    for (const box of column) {
      Object.assign(box, { x, y });
      y += box.height + gap.y;
    }
    x += Math.max(...column.map((box) => box.width)) + gap.x;
    bottom = Math.max(bottom, y);
  }
  // Curves between boxes of the last column need room beside it.
  size.width = Math.max(size.width, x);
  size.height = bottom;
}

function placeRows(boxes, size) {
  let x = margin;
  let bottom = size.height;
  for (const box of boxes) {
    if (x > margin && x + box.width > Math.max(size.width, rowWidth)) {
      x = margin;
      size.height = bottom;
    }
    Object.assign(box, { x, y: size.height });
    x += box.width + gap.y;
    size.width = Math.max(size.width, x);
    bottom = Math.max(bottom, size.height + box.height + gap.y);
  }
  size.height = bottom;
}

/// A line says by its name, shown under the pointer, what leads where.
function connection({ from, to, kind, names }) {
  const isForward = to.x >= from.x;
  const start = { x: isForward ? from.x + from.width : from.x, y: from.y + 14 };
  const end = { x: isForward && to.x > from.x ? to.x : isForward ? to.x + to.width : to.x + to.width, y: to.y + 14 };
  const bend = Math.max(30, Math.abs(end.x - start.x) / 2);
  const first = start.x + (isForward ? bend : -bend);
  const second = end.x + (isForward && to.x > from.x ? -bend : bend);
  const title = names ? `${from.title}/${names.join(", ")} → ${to.title}` : `${from.title} extends ${to.title}`;
  return shape("path", { class: kind, "marker-end": "url(#end)",
    d: `M${start.x} ${start.y} C${first} ${start.y} ${second} ${end.y} ${end.x} ${end.y}` }, shape("title", {}, title));
}

function picture(box, isChosen) {
  const { x, y, width, height } = box;
  const text = (content, row, kind) => shape("text", { x: x + 10, y: y + 8 + (row + 1) * line - 4, class: kind }, content);
  return shape("a", { href: `#/model/${encodeURIComponent(box.type.name)}`, "aria-label": box.type.name },
    shape("rect", { x, y, width, height, rx: 5, class: isChosen ? "chosen" : "box" }),
    text(box.title, 0, "title"), box.lines.map((content, row) => text(content, row + 1, "line")));
}
