/* Fits tables into their place, so that nothing has to be scrolled sideways: on a sheet a table that is too
   wide for a column goes across all of them; one that is too wide even so is shown row by row, each
   value behind its head. Without scripts such a table can be scrolled. */
(function () {
  "use strict";
  var ROLES = { TABLE: "table", THEAD: "rowgroup", TBODY: "rowgroup", TR: "row", TD: "cell" };
  var tables = Array.prototype.slice.call(document.querySelectorAll("main table"));
  var width = 0;
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
  function room(table) {
    var place = table.parentElement, style = getComputedStyle(place);
    return place.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
  }
  function tooWide(table) { return table.offsetWidth > room(table) + 1; }
  function fit() {
    if (window.innerWidth === width) { return; }
    width = window.innerWidth;
    tables.forEach(function (table) { table.classList.remove("stacked"); });
    document.querySelectorAll(".across").forEach(function (cell) { cell.classList.remove("across"); });
    tables.filter(tooWide).map(function (table) {
      var cell = table.closest(".flow > .cell");
      return cell && table.offsetWidth <= cell.parentElement.clientWidth ? cell : null;
    }).forEach(function (cell) { if (cell) { cell.classList.add("across"); } });
    // The tables of a roster or of an army book look alike.
    var wide = tables.filter(tooWide);
    var like = wide.map(function (table) { return table.closest(".roster, .armybook"); }).filter(Boolean);
    tables.forEach(function (table) {
      var stacked = wide.includes(table) || like.includes(table.closest(".roster, .armybook"));
      table.classList.toggle("stacked", stacked);
    });
  }
  fit();
  window.addEventListener("resize", fit);
  if (document.fonts) { document.fonts.ready.then(function () { width = 0; fit(); }); }
}());
