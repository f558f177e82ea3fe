/* The filter of a page: hides the blocks in which `find.js` does not find what is typed, by their text and their
   `data-words`, and marks the rows that have it. Works from a file, without a network. */
(function () {
  "use strict";
  const field = document.getElementById("filter");
  if (!field) { return; }
  const hits = document.getElementById("hits"), nothing = document.getElementById("nothing");
  const blocks = [...document.querySelectorAll("[data-block]")];
  const rows = blocks.flatMap((block) => [...block.querySelectorAll("tbody tr, .terms p, .steps p")]);
  const groups = [...document.querySelectorAll("[data-group]")];
  const places = [...blocks, ...rows];
  const finder = window.musterFinder(document.documentElement.lang.slice(0, 2));
  /* Cells that stand side by side have nothing between them in the page's text. */
  function words(place) {
    const texts = document.createTreeWalker(place, NodeFilter.SHOW_TEXT), all = [place.dataset.words || ""];
    while (texts.nextNode()) { all.push(texts.currentNode.data); }
    return all.join(" ");
  }
  finder.add(places.map((place) => ["row", "", "", "", words(place)]), JSON.parse(field.form.dataset.synonyms || "[]"), "");
  function apply() {
    const typed = field.value.trim(), { found, wanted } = finder.search(typed);
    /* All that is wanted must be there; of three things or more, one may be missing, if nothing has all. */
    const most = Math.max(wanted > 2 ? wanted - 1 : Math.max(wanted, 1), ...found.map((each) => each.has));
    const fitting = new Set(found.filter((each) => each.has === most).map((each) => places[each.number]));
    blocks.forEach((block) => { block.hidden = typed !== "" && !fitting.has(block); });
    rows.forEach((row) => { row.classList.toggle("hit", fitting.has(row)); });
    groups.forEach((group) => {
      const holds = group.querySelector("[data-block]:not([hidden])") !== null;
      group.hidden = typed !== "" && !holds;
      /* What is folded away opens where it has what is sought, and closes again afterwards. */
      if (group.tagName === "DETAILS") { group.open = typed !== "" && holds; }
    });
    const shown = blocks.filter((block) => !block.hidden).length;
    hits.textContent = typed ? shown + say(" of ") + blocks.length + (field.form.dataset.counted || "") : "";
    nothing.hidden = !typed || shown > 0;
  }
  field.addEventListener("input", apply);
  field.form.addEventListener("submit", (event) => event.preventDefault());
  document.addEventListener("keydown", (event) => {
    const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !busy && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
    if (event.key === "Escape" && document.activeElement === field) { field.value = ""; apply(); }
  });
}());
