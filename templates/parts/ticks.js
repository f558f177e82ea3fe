/* Boxes to tick in play: a track of losses, a box such as "Moved", a number to write; and what the source leaves
   blank, to write in. What is ticked or written stays on this device, under the name of the army, its edition and
   the unit, so that the cards and the roster of an army show the same losses; nothing is sent. Where the browser may keep nothing, all works until the page is closed. */
(function () {
  "use strict";
  var root = document.querySelector("[data-ticks]");
  if (!root || !root.querySelector(".tick, .fill, .box")) { return; }
  var KEY = "muster-ticks " + root.dataset.ticks;
  var state = load(), cleared = null, controls = [];

  // What is kept: for each track how far it is ticked, by unit and label. What does not fit any more is left out.
  function load() {
    var found = new Map();
    try {
      JSON.parse(localStorage.getItem(KEY) || "[]").forEach(function (pair) {
        if ((Number.isInteger(pair[1]) && pair[1] > 0) || (typeof pair[1] === "string" && pair[1])) { found.set(String(pair[0]), pair[1]); }
      });
    } catch (error) { /* Nothing is kept, or nothing that can be read. */ }
    return found;
  }
  function save() {
    try {
      if (state.size) { localStorage.setItem(KEY, JSON.stringify(Array.from(state))); } else { localStorage.removeItem(KEY); }
    } catch (error) { /* Then it holds for this page. */ }
  }
  function text(held) { return held ? held.textContent.replace(/[\u200b\s]+/g, " ").trim() : ""; }
  function unit(held) {
    var place = held.closest(".card, tr, .item");
    return { place: place, name: text(place && place.querySelector("h2, .name b")) };
  }
  function control(held, label, most, show) {
    var of = held.closest("[data-unit]"), track = held.closest("[data-kept]");
    // What a group has lost is what its units have lost, or more, if only its own track is ticked.
    var sums = of && of.dataset.sums && track ? of.dataset.sums.split("\n").map(function (name) { return name + " | " + track.dataset.kept; }) : [];
    var one = {
      show: show,
      sums: sums,
      key: (of ? of.dataset.unit : unit(held).name) + " | " + (track ? track.dataset.kept : label),
      value: function () {
        var lost = sums.reduce(function (sum, key) { return sum + (state.get(key) || 0); }, 0);
        return Math.min(Math.max(state.get(one.key) || 0, lost), most);
      },
      set: function (value) {
        cleared = null;
        if (value) { state.set(one.key, value); } else { state.delete(one.key); }
        save();
        controls.forEach(function (other) { if (other === one || other.sums.length) { other.show(other.value()); } });
        tell();
      }
    };
    controls.push(one);
    return one;
  }
  function make(held, label) {
    var button = document.createElement("button");
    button.type = "button";
    button.className = held.className;
    button.setAttribute("role", "checkbox");
    button.setAttribute("aria-label", label);
    if (text(held)) { button.append.apply(button, held.childNodes); }
    held.replaceWith(button);
    return button;
  }

  function inFives(boxes) {
    for (var n = 0; n < boxes.length; n += 5) {
      var five = document.createElement("span");
      five.className = "five";
      boxes[n].before(five);
      boxes.slice(n, n + 5).forEach(function (box) { five.appendChild(box); });
    }
  }
  // A track is ticked from its beginning: a box ticks those before it, and takes those after it with it when it
  // is unticked. A box in two halves takes two ticks. The arrow keys move within a track.
  function track(place) {
    var boxes = Array.prototype.slice.call(place.querySelectorAll(".tick"));
    var label = text(place.querySelector("b")) || place.dataset.label || text(unit(place).place.querySelector(".state b"));
    if (!label) { label = (place.closest("td") || root).dataset.label || say("Losses"); }
    // Of equal units each has its number, on a card behind its name, on a roster before its boxes.
    var copy = place.parentElement.querySelector(".copy");
    var per = boxes[0].classList.contains("halved") ? 2 : 1, of = unit(place).name + (copy ? " " + text(copy) : "");
    var one = control(place, label, per * boxes.length, function (value) {
      boxes.forEach(function (box, n) {
        var filled = value - n * per;
        box.setAttribute("aria-checked", filled >= per ? "true" : filled > 0 ? "mixed" : "false");
      });
    });
    function reach(n) { boxes.forEach(function (box, m) { box.tabIndex = n === m ? 0 : -1; }); }
    if (!place.querySelector(".five")) { inFives(boxes); }
    boxes = boxes.map(function (box, n) {
      var mark = box.matches(".marked, .open") ? text(box) : "";
      var button = make(box, label + " " + (n + 1) + say(" of ") + boxes.length + (mark ? " (" + mark + ")" : "") + ", " + of);
      button.addEventListener("click", function () {
        var filled = one.value() - n * per;
        one.set(filled >= per ? n * per : filled > 0 ? (n + 1) * per : n * per + 1);
      });
      button.addEventListener("focus", function () { reach(n); });
      button.addEventListener("keydown", function (event) {
        var to = { ArrowRight: n + 1, ArrowDown: n + 1, ArrowLeft: n - 1, ArrowUp: n - 1, Home: 0, End: boxes.length - 1 }[event.key];
        if (to !== undefined) { event.preventDefault(); if (boxes[to]) { boxes[to].focus(); } }
      });
      return button;
    });
    reach(0);
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", label + ", " + of);
  }
  function box(held) {
    var label = text(held.querySelector(".label")), button = make(held, label + ", " + unit(held).name);
    var one = control(button, label, 1, function (value) { button.setAttribute("aria-checked", value ? "true" : "false"); });
    button.addEventListener("click", function () { one.set(1 - one.value()); });
  }
  function number(held) {
    var most = held.closest("[data-kept]") && Number((/^\s*\S+\s+(\d+)/.exec((held.nextSibling || held).textContent) || [])[1]);
    if (!most) { write(held); return; }
    var field = document.createElement("input");
    var label = text(unit(held).place.querySelector(".state b")) || (held.closest("td") || root).dataset.label || say("Losses");
    field.type = "number"; field.min = 0; field.max = most; field.className = "box";
    field.setAttribute("inputmode", "numeric");
    field.setAttribute("aria-label", label + say(" of ") + most + ", " + unit(held).name);
    var one = control(held, label, most, function (value) { field.value = value || ""; });
    field.addEventListener("change", function () { one.set(Math.max(0, Math.min(most, Math.round(Number(field.value) || 0)))); });
    held.replaceWith(field);
  }

  // What a blank is: the title of its block, its row and its column, or the words that it stands among.
  function blank(held) {
    var cell = held.closest("td"), block = held.closest(".block, .cb"), asked = held.closest(".asked"), place = held.closest(".place");
    function own(part) {
      var copy = part && part.cloneNode(true);
      if (copy) { copy.querySelectorAll("sup, .num, .remark").forEach(function (each) { each.remove(); }); }
      return text(copy);
    }
    if (place) { return [own(place.querySelector(".what"))]; }
    if (asked) { return [own(asked.querySelector(".name")), own(held.closest(".written").querySelector(".head"))]; }
    var title = own(block && block.querySelector("h4, h3, .corner")), row = cell && cell.closest("tr"), above = row;
    while (above && !above.matches(".group")) { above = above.previousElementSibling; }
    if (row) { return [title, own(above), own(row.querySelector("th")), cell.dataset.label]; }
    var line = held.closest("p, li, h2") || held.parentElement;
    return [title, own(line.querySelector("b")) || own(line), own((held.closest(".item") || line).querySelector("i"))];
  }
  var blanks = new Map();
  function write(held) {
    if (held.closest("button")) { return; }
    var of = held.closest("[data-unit]"), who = of ? of.dataset.unit : unit(held).name;
    var label = blank(held).filter(Boolean).join(", "), key = who + " | " + label, times = (blanks.get(key) || 0) + 1;
    blanks.set(key, times);
    if (times > 1) { label += " " + times; key += " " + times; }
    var field = document.createElement("textarea");
    field.rows = 1; field.className = held.className + " blank"; field.maxLength = 200;
    field.setAttribute("aria-label", [label, who].filter(Boolean).join(", "));
    controls.push({ written: true, sums: [], value: function () { return state.get(key) || ""; }, show: function (value) { field.value = value; } });
    field.addEventListener("input", function () {
      if (field.value) { state.set(key, field.value); } else { state.delete(key); }
      save();
    });
    held.replaceWith(field);
  }

  var bar = document.createElement("span"), clear = document.createElement("button"), said = document.createElement("span");
  bar.className = "ticking"; clear.type = "button"; said.className = "unseen"; said.setAttribute("role", "status");
  bar.append(clear, said);
  function tell() {
    var ticked = controls.some(function (one) { return !one.written && one.value(); });
    clear.hidden = !ticked && !cleared;
    clear.textContent = cleared ? say("Undo: tick them again") : say("Clear all ticks");
    said.textContent = cleared ? say("All ticks cleared") : "";
  }
  function show() {
    controls.forEach(function (one) { one.show(one.value()); });
    tell();
  }
  clear.addEventListener("click", function () {
    // What is written in holds for more than one game.
    if (cleared) { state = cleared; cleared = null; } else { cleared = state; state = new Map(Array.from(state).filter(function (pair) { return typeof pair[1] === "string"; })); }
    save();
    show();
  });

  root.classList.add("ticks");
  Array.prototype.filter.call(root.querySelectorAll(".track, .tally, .row"), function (place) {
    return place.querySelector(".tick") && !place.querySelector(".track, .tally, .row");
  }).forEach(track);
  Array.prototype.filter.call(root.querySelectorAll(".fill"), function (held) { return held.querySelector(".label"); }).forEach(box);
  root.querySelectorAll(".box").forEach(number);
  var tools = document.querySelector(".filter");
  if (tools) { tools.appendChild(bar); } else { root.prepend(bar); }
  window.addEventListener("storage", function (event) {
    if (event.key === KEY || event.key === null) { state = load(); cleared = null; show(); }
  });
  show();
}());
