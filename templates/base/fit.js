/* Fits tables into their place, so that nothing has to be scrolled sideways: on a sheet a table that is too
   wide for a column has smaller type, or goes across all columns, as a tall one of words does; one that is
   too wide even so is shown row by row, each value behind its head. In the web edition a grid of the rules leaves
   the column of text and has smaller type; then one of sentences is shown row by row, and one of figures scrolls:
   its first column and its heads stay in view, and a line above says that there is more. Without scripts such a
   table can be scrolled too. */
(function () {
  "use strict";
  var ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  var tables = Array.prototype.slice.call(document.querySelectorAll("main table"));
  var width = 0, TALL = 480, MANY_COLUMNS = 960;
  function words(head) {
    var copy = head.cloneNode(true);
    copy.querySelectorAll("sup").forEach(function (mark) { mark.remove(); });
    return copy.textContent.trim();
  }
  // Blocks are no table to a screen reader unless their roles say so.
  tables.forEach(function (table) {
    var heads = Array.prototype.map.call(table.querySelectorAll("thead tr:last-child > *"), words);
    [table].concat(Array.prototype.slice.call(table.querySelectorAll("thead, tbody, tr, th, td"))).forEach(function (part) {
      part.setAttribute("role", ROLES[part.tagName] || (part.scope === "row" ? "rowheader" : "columnheader"));
    });
    table.querySelectorAll("tbody tr").forEach(function (row) {
      var place = 0;
      Array.prototype.forEach.call(row.cells, function (cell) {
        if (cell.tagName === "TD" && cell.colSpan === 1 && !cell.dataset.label && heads[place]) { cell.dataset.label = heads[place]; }
        place += cell.colSpan;
      });
    });
  });
  // Where a grid scrolls, a head of several words takes several lines, so that more columns are in view.
  function wrap(head) {
    var held = document.createElement("span");
    held.className = "head";
    held.append.apply(held, head.childNodes);
    head.append(held);
  }
  // Grids of the web edition stand in a place of their own, which scrolls if need be.
  var scrollers = tables.filter(function (table) { return table.matches(".web .tbl table.grid"); }).map(function (table) {
    var place = document.createElement("div"), cue = document.createElement("p");
    place.className = "scroller";
    cue.className = "cue";
    cue.hidden = true;
    table.before(cue, place);
    place.append(table);
    table.querySelectorAll("thead tr:last-child > *").forEach(function (head, n) {
      if (n && !head.matches(".words") && /\s/.test(words(head))) { wrap(head); }
    });
    place.addEventListener("scroll", function () { tell(place); }, { passive: true });
    return place;
  });
  document.querySelectorAll(".web .tbl").forEach(function (section) { section.classList.add("fitted"); });
  function tell(place) {
    var edge = place.getBoundingClientRect().right, heads = Array.prototype.slice.call(place.querySelectorAll("thead tr:last-child > *")).slice(1);
    var first = place.querySelector("thead tr:last-child > *").getBoundingClientRect().right;
    var shown = heads.filter(function (head) { var box = head.getBoundingClientRect(); return box.right <= edge + 2 && box.left >= first - 2; }).length;
    var atEnd = place.scrollLeft + place.clientWidth >= place.scrollWidth - 2;
    place.classList.toggle("more-after", !atEnd);
    place.classList.toggle("more-before", place.scrollLeft > 2);
    place.previousElementSibling.textContent = (place.scrollLeft > 2 ? "← " : "") + shown + say(" of ") + heads.length + say(" columns in view: scroll sideways") + (atEnd ? "" : " →");
  }
  // A place that scrolls sideways holds its heads back when the page scrolls on: they are told how far down they stand.
  function follow() {
    var top = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--stuck")) || 0;
    scrollers.forEach(function (place) {
      if (!place.classList.contains("scrolls")) { return; }
      var box = place.getBoundingClientRect(), most = box.height - 2 * place.querySelector("thead").offsetHeight;
      place.style.setProperty("--down", Math.max(0, Math.min(top - box.top, most)) + "px");
    });
  }
  // Figures are compared from row to row, so that they scroll; sentences are read, row by row.
  function scroll(place) {
    var table = place.firstElementChild;
    table.classList.toggle("stacked", tooWide(table) && table.querySelector("td.words") !== null);
    var scrolls = tooWide(table);
    place.classList.toggle("scrolls", scrolls);
    place.previousElementSibling.hidden = !scrolls;
    if (!scrolls) { ["tabindex", "role", "aria-label"].forEach(function (name) { place.removeAttribute(name); }); return; }
    var title = place.closest(".tbl").querySelector(".cap .title");
    place.style.setProperty("--room", place.clientWidth - place.querySelector("thead tr:last-child > *").offsetWidth - 3 + "px");
    place.tabIndex = 0;
    place.setAttribute("role", "region");
    place.setAttribute("aria-label", (title ? words(title) : say("Table")) + say(", scrolls sideways"));
    tell(place);
  }
  function room(table) {
    var place = table.parentElement, style = getComputedStyle(place);
    return place.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }
  // A tall table of words goes across all columns where that makes it much shorter; across three columns or more
  // its lines would be too long, and what stands above it would leave a hole.
  function spread(flow) {
    if (flow.clientWidth > MANY_COLUMNS) { return; }
    var tall = Array.prototype.filter.call(flow.children, function (cell) {
      return cell.querySelector("td.words") && !cell.matches(".across") && cell.offsetHeight > TALL;
    });
    var heights = tall.map(function (cell) { return cell.offsetHeight; });
    tall.forEach(function (cell) { cell.classList.add("across"); });
    tall.filter(function (cell, n) { return cell.offsetHeight > 0.7 * heights[n]; }).forEach(function (cell) { cell.classList.remove("across"); });
  }
  function tooWide(table) { return table.offsetWidth > room(table) + 1; }
  function fit() {
    if (window.innerWidth === width) { return; }
    width = window.innerWidth;
    tables.forEach(function (table) { table.classList.remove("stacked", "tight"); });
    scrollers.forEach(function (place) { place.classList.remove("scrolls"); place.closest(".tbl").classList.remove("wide"); });
    document.querySelectorAll(".across").forEach(function (cell) { cell.classList.remove("across"); });
    scrollers.map(function (place) { return place.firstElementChild; }).filter(tooWide).forEach(function (table) {
      table.closest(".tbl").classList.add("wide");
    });
    tables.filter(tooWide).filter(function (table) { return table.matches(".flow .grid, .scroller .grid"); }).forEach(function (table) {
      table.classList.add("tight");
      if (tooWide(table)) { table.classList.remove("tight"); }
    });
    tables.filter(tooWide).map(function (table) {
      var cell = table.closest(".flow > .cell");
      return cell && table.offsetWidth <= cell.parentElement.clientWidth ? cell : null;
    }).forEach(function (cell) { if (cell) { cell.classList.add("across"); } });
    document.querySelectorAll(".flow").forEach(spread);
    // The tables of a roster or of an army book look alike.
    var wide = tables.filter(function (table) { return !table.parentElement.matches(".scroller") && tooWide(table); });
    var like = wide.map(function (table) { return table.closest(".roster, .armybook"); }).filter(Boolean);
    tables.forEach(function (table) {
      var stacked = wide.includes(table) || like.includes(table.closest(".roster, .armybook"));
      table.classList.toggle("stacked", stacked);
    });
    scrollers.forEach(scroll);
    follow();
  }
  fit();
  if (scrollers.length) { window.addEventListener("scroll", follow, { passive: true }); }
  window.addEventListener("resize", fit);
  if (document.fonts) { document.fonts.ready.then(function () { width = 0; fit(); }); }
}());
