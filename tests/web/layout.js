/* What is wrong with the layout of a page, as texts. Called by `test_layout.py` at each width. */
async (scripts) => {
  if (scripts) { await new Promise((done) => requestAnimationFrame(done)); }
  const faults = new Set(), root = document.documentElement;
  const name = (held) => [held.tagName.toLowerCase(), ...held.classList].join(".");
  const words = (held) => held.textContent.trim().replace(/\s+/g, " ").slice(0, 40);
  const isUnseen = (held) => held.closest(".unseen, .skip, script, style, option, datalist, [hidden], details:not([open]) > :not(summary)");
  const heads = (table) => [...table.querySelectorAll("thead tr:last-child > *")];

  if (root.scrollWidth > innerWidth) { faults.add(`the page is wider than the window: ${root.scrollWidth} in ${innerWidth}`); }

  // The nearest place that cuts what sticks out of it, with that place's own.
  const places = new Map([[document.body, null], [root, null]]);
  const cuts = (held) => {
    if (!places.has(held)) {
      const style = getComputedStyle(held), above = cuts(held.parentElement);
      const here = style.display !== "inline" && (style.overflowX !== "visible" || style.clipPath !== "none");
      const scrolls = /auto|scroll/.test(style.overflowX);
      places.set(held, here ? { held, scrolls, box: held.getBoundingClientRect(), above } : above);
    }
    return places.get(held);
  };

  for (const held of document.querySelectorAll("body *")) {
    const style = getComputedStyle(held);
    if (/auto|scroll/.test(style.overflowX) && held.scrollWidth > held.clientWidth + 1 && held.checkVisibility()) {
      const cue = held.previousElementSibling;
      // A grid of the web edition scrolls under its first column, and a line above says so.
      if (held.matches(".scroller") && cue.checkVisibility() && /scroll sideways|seitlich scrollen/.test(cue.textContent) && held.tabIndex === 0) { continue; }
      const told = style.backgroundAttachment.includes("local") ? "scrolls under a shadow" : "scrolls";
      faults.add(`${told}: ${name(held)} ${words(held)}`);
    }
  }

  const seen = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT), range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode, held = node.parentElement;
    if (!node.textContent.replace(/[\s\u200b]/g, "") || isUnseen(held)) { continue; }
    const head = held.closest("thead"), isShown = held.checkVisibility({ visibilityProperty: true });
    // Over rows that are paragraphs, the heads stand before the values instead.
    if (head && (getComputedStyle(head).position === "absolute" || !isShown)) { continue; }
    if (!isShown) {
      if (held.closest("main")) { faults.add(`hidden: ${words(held)}`); }
      continue;
    }
    range.selectNodeContents(node);
    for (const box of range.getClientRects()) {
      if (box.width < 1 || box.height < 1) { continue; }
      const part = { node, left: box.left + 1, right: box.right - 1, top: box.top + box.height * 0.28, bottom: box.bottom - box.height * 0.28 };
      for (let place = cuts(held); place; place = place.above) {
        if (place.scrolls) {
          part.left = Math.max(part.left, place.box.left);
          part.right = Math.min(part.right, place.box.right);
        } else if (part.left < place.box.left || part.right > place.box.right || part.top < place.box.top || part.bottom > place.box.bottom) {
          faults.add(`cut by ${name(place.held)}: ${words(held)}`);
        }
      }
      if (part.right > part.left) { seen.push(part); }
    }
  }
  seen.sort((a, b) => a.top - b.top);
  seen.forEach((a, n) => {
    for (let m = n + 1; m < seen.length && seen[m].top < a.bottom - 0.5; m += 1) {
      const b = seen[m];
      if (a.node !== b.node && Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.5) {
        if (!a.node.parentElement.closest(".filter, .top, .turn") && !b.node.parentElement.closest(".filter, .top, .turn")) {
          faults.add(`overprinted: ${words(a.node)} | ${words(b.node)}`);
        }
      }
    }
  });

  for (const held of document.querySelectorAll("main :is(.tick, .box, img)")) {
    const box = held.getBoundingClientRect();
    if (!held.checkVisibility() || box.width < 4 || box.height < 4) { faults.add(`hidden: ${name(held)}`); continue; }
    for (let place = cuts(held.parentElement); place; place = place.above) {
      if (!place.scrolls && (box.left < place.box.left - 1 || box.right > place.box.right + 1)) { faults.add(`cut by ${name(place.held)}: ${name(held)}`); }
    }
  }
  for (const held of document.querySelectorAll("th, td, p, li")) {
    const em = parseFloat(getComputedStyle(held).fontSize), box = held.getBoundingClientRect();
    if (box.width > 2 && box.width < 3 * em && box.height > 3 * em && held.innerText.length > 14) { faults.add(`squeezed: ${name(held)} ${words(held)}`); }
  }
  for (const table of document.querySelectorAll("main table")) {
    const head = table.tHead;
    if (!head || getComputedStyle(head).position !== "absolute") { continue; }
    const labels = heads(table).map(words);
    for (const row of table.tBodies[0].rows) {
      let place = 0;
      for (const cell of row.cells) {
        const label = getComputedStyle(cell, "::before").content;
        if (cell.tagName === "TD" && cell.colSpan === 1 && !cell.matches(".name") && words(cell) && labels[place] && /^(none|normal|"\s*")$/.test(label)) { faults.add(`without its head: ${words(cell)} (${labels[place]})`); }
        place += cell.colSpan;
      }
    }
  }
  return [...faults];
}
