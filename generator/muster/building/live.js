// Lets an open page reload while `muster watch` runs, and show what is wrong. The server adds it
// to pages as they are served, never to files. All texts are inserted as text, never as HTML.
(function () {
  "use strict";
  var me = document.currentScript;
  var page = me.dataset.page;
  var frame = me.dataset.frame ? document.getElementById(me.dataset.frame) : null;
  var key = "muster-watch:" + page;
  var host = null;
  var hidden = "";

  function withStorage(use) {
    // A browser may forbid storage altogether.
    try { return use(window.sessionStorage); } catch (_) { return null; }
  }

  function restore() {
    var kept = withStorage(function (store) { return store.getItem(key); });
    if (!kept) { return; }
    var place = kept.split(",").map(Number);
    window.scrollTo({ left: place[0], top: place[1], behavior: "instant" });
  }

  function reload() {
    if (frame) {
      frame.src = frame.dataset.src + "?" + Date.now();
      return;
    }
    withStorage(function (store) { store.setItem(key, window.scrollX + "," + window.scrollY); });
    window.location.reload();
  }

  function element(name, text, parent) {
    var made = document.createElement(name);
    made.textContent = text;
    parent.appendChild(made);
    return made;
  }

  var STYLE = ":host{all:initial}" +
    "section{position:fixed;z-index:2147483647;left:0;right:0;bottom:0;max-height:70vh;" +
    "overflow:auto;box-sizing:border-box;padding:12px 16px;background:#fff4f2;color:#1a1a1a;" +
    "border-top:4px solid #a3160a;font:14px/1.45 system-ui,sans-serif}" +
    "h2{margin:0 2em 8px 0;font-size:15px;color:#7d1007}" +
    "article{margin:8px 0;padding:8px 10px;background:#fff;border-left:3px solid #a3160a}" +
    "code,pre{font:13px/1.4 ui-monospace,monospace}" +
    "code{font-weight:600}p{margin:2px 0}pre{margin:6px 0 0;overflow-x:auto}" +
    "button{position:absolute;right:12px;top:10px;font:inherit;padding:2px 10px}" +
    "@media print{section{display:none}}";

  function show(faults) {
    var shown = JSON.stringify(faults);
    if (host) { host.remove(); host = null; }
    if (!faults.length) { hidden = ""; return; }
    if (shown === hidden) { return; }
    host = document.createElement("muster-faults");
    var root = host.attachShadow({ mode: "open" });
    element("style", STYLE, root);
    var box = element("section", "", root);
    box.setAttribute("role", "alert");
    box.tabIndex = -1;
    var count = faults.length === 1 ? "One problem" : faults.length + " problems";
    element("h2", count + "; the page shows the last build", box);
    var close = element("button", "Hide", box);
    close.type = "button";
    close.onclick = function () { hidden = shown; host.remove(); host = null; };
    faults.forEach(function (fault) {
      var part = element("article", "", box);
      element("code", fault.place, part);
      element("p", fault.text, part);
      if (fault.excerpt) { element("pre", fault.excerpt, part); }
    });
    document.documentElement.appendChild(host);
  }

  var source = null;

  function connect() {
    if (source) { return; }
    source = new EventSource("/.muster/events?page=" + encodeURIComponent(page) +
      "&run=" + me.dataset.run + "&since=" + me.dataset.since);
    source.addEventListener("reload", function (event) {
      var data = JSON.parse(event.data);
      me.dataset.run = data.run;
      me.dataset.since = data.serial;
      reload();
    });
    source.addEventListener("faults", function (event) { show(JSON.parse(event.data)); });
    source.addEventListener("progress", function (event) {
      var data = JSON.parse(event.data);
      var place = document.getElementById("muster-progress");
      if (place && data.total) { place.textContent = data.done + " of " + data.total; }
    });
  }

  function disconnect() {
    if (source) { source.close(); source = null; }
  }

  // Browsers open at most six connections to a server, so a hidden page closes its own. When it is
  // shown again, it gets what it missed.
  var timer = 0;
  document.addEventListener("visibilitychange", function () {
    window.clearTimeout(timer);
    if (document.hidden) { timer = window.setTimeout(disconnect, 5000); } else { connect(); }
  });
  connect();
  document.addEventListener("keydown", function (event) {
    if (event.key === "Escape" && host) { host.shadowRoot.querySelector("button").click(); }
  });
  window.addEventListener("pagehide", disconnect);
  window.addEventListener("pageshow", connect);
  if (!frame) {
    restore();
    window.addEventListener("load", function () {
      restore();
      withStorage(function (store) { store.removeItem(key); });
    });
  }
})();
