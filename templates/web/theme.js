/* Light or dark: as the system has it, or as the reader chose, who is remembered. Runs before the page shows. */
(function () {
  "use strict";
  var KEY = "muster-colours";
  var sheet = document.getElementById("dark");
  function remembered() { try { return localStorage.getItem(KEY) || ""; } catch (error) { return ""; } }
  function show(choice) {
    sheet.media = choice === "dark" ? "screen" : choice === "light" ? "not all" : "screen and (prefers-color-scheme: dark)";
    document.documentElement.style.colorScheme = choice;
  }
  show(remembered());
  document.addEventListener("DOMContentLoaded", function () {
    var field = document.getElementById("colours");
    field.value = remembered();
    document.getElementById("theme").hidden = false;
    field.addEventListener("change", function () {
      show(field.value);
      try { localStorage.setItem(KEY, field.value); } catch (error) { /* Then it holds for this page. */ }
    });
  });
}());
