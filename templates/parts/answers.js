/* Places to write what the players have agreed on before their first game. What is written stays on this
   device, under the id of the system and of the question; nothing is sent. Where the browser may keep nothing,
   it stays until the page is closed. Without scripts there is a line, as on paper. */
(function () {
  "use strict";
  var list = document.querySelector("[data-answers]");
  if (!list) { return; }
  var KEY = "muster-answers " + list.dataset.answers, answers = load();

  function load() {
    var found = {};
    try {
      var kept = JSON.parse(localStorage.getItem(KEY) || "{}");
      Object.keys(kept).forEach(function (id) { if (typeof kept[id] === "string") { found[id] = kept[id]; } });
    } catch (error) { /* Nothing is kept, or nothing that can be read. */ }
    return found;
  }
  function save() {
    try { localStorage.setItem(KEY, JSON.stringify(answers)); } catch (error) { /* Then it holds for this page. */ }
  }
  function grow(area) {
    area.style.height = "";
    area.style.height = area.scrollHeight + area.offsetHeight - area.clientHeight + "px";
  }
  list.querySelectorAll(".answer").forEach(function (line) {
    var id = line.dataset.id, area = document.createElement("textarea");
    var question = line.previousElementSibling.cloneNode(true);
    question.querySelectorAll(".no").forEach(function (number) { number.remove(); });
    area.className = "answer";
    area.rows = 1;
    area.setAttribute("aria-label", question.textContent.trim());
    area.value = answers[id] || "";
    area.addEventListener("input", function () {
      if (area.value) { answers[id] = area.value; } else { delete answers[id]; }
      save();
      grow(area);
    });
    line.replaceWith(area);
    grow(area);
  });
})();
