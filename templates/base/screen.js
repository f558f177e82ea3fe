/* The text filter: hides what does not hold every word typed, in its text or its `data-words`.
   Works from a file, without a network. */
(function () {
  "use strict";
  var field = document.getElementById("filter");
  if (!field) { return; }
  var hits = document.getElementById("hits"), nothing = document.getElementById("nothing");
  var blocks = Array.prototype.slice.call(document.querySelectorAll("[data-block]"));
  var texts = blocks.map(function (block) {
    return (block.textContent + " " + (block.dataset.words || "")).toLowerCase();
  });
  var folds = Array.prototype.slice.call(document.querySelectorAll("details[data-group]"));
  function apply() {
    var words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    var shown = 0;
    blocks.forEach(function (block, n) {
      var fits = words.every(function (word) { return texts[n].indexOf(word) !== -1; });
      block.hidden = !fits;
      if (fits) { shown += 1; }
      Array.prototype.forEach.call(block.querySelectorAll("tbody tr, .terms p, .steps p"), function (row) {
        var text = row.textContent.toLowerCase();
        row.classList.toggle("hit", words.length > 0 && words.every(function (word) { return text.indexOf(word) !== -1; }));
      });
    });
    Array.prototype.forEach.call(document.querySelectorAll("[data-group]"), function (group) {
      group.hidden = words.length > 0 && !group.querySelector("[data-block]:not([hidden])");
    });
    // What is folded away opens where it has what is sought, and closes again afterwards.
    folds.forEach(function (fold) { fold.open = words.length > 0 && !!fold.querySelector("[data-block]:not([hidden])"); });
    hits.textContent = words.length ? shown + say(" of ") + blocks.length : "";
    nothing.hidden = !words.length || shown > 0;
  }
  field.addEventListener("input", apply);
  field.form.addEventListener("submit", function (event) { event.preventDefault(); });
  document.addEventListener("keydown", function (event) {
    if (event.key === "/" && document.activeElement !== field) { event.preventDefault(); field.focus(); }
    if (event.key === "Escape" && document.activeElement === field) { field.value = ""; apply(); }
  });
}());
