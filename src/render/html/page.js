// What CSS cannot do: the arrow keys, and scrolling to what is lit. Without script the page reads the same.
"use strict";
for (const section of document.querySelectorAll("main > section")) {
  const grid = section.querySelector(".grid");
  const bytes = [...section.querySelectorAll("tbody td[title]")];
  const lines = [...section.querySelectorAll(".line")];
  const columns = 16;

  // Scrolls the grid, and nothing else, to a byte.
  const reveal = (byte) => {
    const outer = grid.getBoundingClientRect(), inner = byte.getBoundingClientRect();
    const head = grid.querySelector("thead").getBoundingClientRect().height;
    if (inner.top < outer.top + head) grid.scrollTop -= outer.top + head - inner.top;
    else if (inner.bottom > outer.bottom) grid.scrollTop += inner.bottom - outer.bottom;
  };
  const numberOf = (line) => line.id.slice(line.id.lastIndexOf("-") + 1);
  const bytesOf = (line) => section.querySelectorAll(`td.b${numberOf(line)}, td.f${numberOf(line)}`);
  const lineOf = (byte) => {
    const own = [...byte.classList].find((name) => /^b\d+$/.test(name));
    return own && document.getElementById(`${section.id}-${own.slice(1)}`);
  };

  // Of the bytes, and of the lines, one is in the order of Tab; the arrow keys move on from it.
  const rove = (items) => {
    items.forEach((item, index) => { item.tabIndex = index === 0 ? 0 : -1; });
    let [current] = items;
    return (index) => {
      const item = items[Math.max(0, Math.min(items.length - 1, index))];
      if (!item) return;
      current.tabIndex = -1;
      current = item;
      current.tabIndex = 0;
      item.focus({ preventScroll: item.tagName === "TD" });
      if (item.tagName === "TD") reveal(item);
      else item.scrollIntoView({ block: "nearest" });
    };
  };
  section.querySelector("table").setAttribute("role", "grid");
  const toByte = rove(bytes), toLine = rove(lines);

  const onKey = (items, moves, enter) => (event) => {
    const index = items.indexOf(event.target);
    if (index < 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Enter") enter(event.target);
    else if (event.key in moves) moves[event.key](index);
    else return;
    event.preventDefault();
  };
  grid.addEventListener("keydown", onKey(bytes, {
    ArrowLeft: (at) => toByte(at - 1),
    ArrowRight: (at) => toByte(at + 1),
    ArrowUp: (at) => toByte(at >= columns ? at - columns : at),
    ArrowDown: (at) => toByte(at + columns < bytes.length ? at + columns : at),
    Home: () => toByte(0),
    End: () => toByte(bytes.length - 1),
  }, (byte) => toLine(lines.indexOf(lineOf(byte)))));
  const parentOf = (line) => line.parentElement.parentElement.parentElement.querySelector(":scope > .line");
  section.querySelector(".tree").addEventListener("keydown", onKey(lines, {
    ArrowUp: (at) => toLine(at - 1),
    ArrowDown: (at) => toLine(at + 1),
    ArrowLeft: (at) => { const parent = parentOf(lines[at]); if (parent) toLine(lines.indexOf(parent)); },
    ArrowRight: (at) => { if (lines[at].nextElementSibling) toLine(at + 1); },
    Home: () => toLine(0),
    End: () => toLine(lines.length - 1),
  }, (line) => { const [byte] = bytesOf(line); if (byte) toByte(bytes.indexOf(byte)); }));

  for (const line of lines) {
    for (const kind of ["mouseenter", "focus"]) {
      line.addEventListener(kind, () => { const [byte] = bytesOf(line); if (byte) reveal(byte); });
    }
  }
}
