/* Search: by the beginnings of words, and by words a slip away. Works from a file, without a network. */
(function () {
  "use strict";
  const PARTS = ["finds-book.js", "finds-armies.js"];
  const KINDS = { table: "Table", row: "Row", term: "Index", heading: "Section", text: "Text", army: "Army" };
  const WORTH = { table: 10, row: 8, term: 6, army: 6, heading: 5, text: 2 };
  const MOST = 30;
  const field = document.getElementById("query");
  const form = document.getElementById("search");
  const list = document.getElementById("results");
  const told = document.getElementById("found");

  function plain(text) { return text.toLowerCase().normalize("NFD").replace(/\p{M}+/gu, ""); }
  function words(text) { return plain(text).match(/[\p{L}\p{N}]+/gu) || []; }

  /* How many letters must be changed, put in, left out or swapped with the next; more than `most` is too many. */
  function slips(a, b, most) {
    if (Math.abs(a.length - b.length) > most) { return most + 1; }
    let older = [], old = Array.from({ length: b.length + 1 }, (_, n) => n);
    for (let i = 1; i <= a.length; i += 1) {
      const row = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(old[j] + 1, row[j - 1] + 1, old[j - 1] + same);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) { row[j] = Math.min(row[j], older[j - 2] + 1); }
      }
      older = old; old = row;
    }
    return old[b.length];
  }

  /* Every word with where it stands: the number of the find, and what a hit there is worth. */
  let finds = [], known = null;
  function learn() {
    known = new Map();
    finds = window.musterFinds || [];
    finds.forEach(([kind, title, where, , text], number) => {
      const put = (source, worth) => words(source).forEach((word) => {
        if (!known.has(word)) { known.set(word, new Map()); }
        const at = known.get(word);
        at.set(number, Math.max(at.get(number) || 0, worth));
      });
      if (kind !== "text") { put(title, 1); put(where, 0.25); }
      put(text, kind === "text" ? 1 : 0.35);
    });
  }

  /* The known words that a typed one may mean: as it stands, as a beginning; else, a slip or two away. */
  function meant(typed) {
    const sure = [], unsure = [];
    const most = typed.length > 7 ? 2 : typed.length > 2 ? 1 : 0;
    for (const word of known.keys()) {
      if (word === typed) { sure.push([word, 1]); }
      else if (word.startsWith(typed)) { sure.push([word, 0.6 + 0.3 * typed.length / word.length]); }
    }
    if (sure.length || !most) { return sure; }
    for (const word of known.keys()) {
      const away = Math.min(slips(typed, word, most), slips(typed, word.slice(0, typed.length), most) + 0.5);
      if (away <= most + 0.5) { unsure.push([word, 0.6 - 0.15 * away]); }
    }
    return unsure;
  }

  function search(text) {
    const typed = words(text);
    const scores = new Map(), counts = new Map(), marks = new Set();
    typed.forEach((each) => {
      const best = new Map();
      meant(each).forEach(([word, likely]) => {
        marks.add(word);
        known.get(word).forEach((worth, number) => best.set(number, Math.max(best.get(number) || 0, worth * likely)));
      });
      best.forEach((worth, number) => {
        scores.set(number, (scores.get(number) || 0) + worth);
        counts.set(number, (counts.get(number) || 0) + 1);
      });
    });
    const all = [...counts.values()].some((count) => count === typed.length);
    const asked = typed.join(" ");
    const ranked = [...scores.keys()].filter((number) => !all || counts.get(number) === typed.length).map((number) => {
      const [kind, title] = finds[number];
      const own = words(title);
      const whole = own.join(" ") === asked ? 1.5 : 1;
      const share = own.filter((word) => marks.has(word)).length / (own.length || 1);
      return [scores.get(number) * WORTH[kind] * whole * (1 + 0.3 * share), number];
    });
    ranked.sort((a, b) => b[0] - a[0] || a[1] - b[1]);
    return { found: ranked.map(([, number]) => finds[number]), marks };
  }

  function add(parent, name, kind) {
    const element = parent.appendChild(document.createElement(name));
    if (kind) { element.className = kind; }
    return element;
  }
  function write(parent, text, marks) {
    text.split(/([\p{L}\p{N}\p{M}]+)/u).forEach((part) => {
      if (part && marks.has(plain(part))) { add(parent, "mark").textContent = part; } else { parent.append(part); }
    });
  }
  /* A long text is told from a little before its first hit. */
  function excerpt(text, marks) {
    if (text.length <= 150) { return text; }
    const parts = text.split(/([\p{L}\p{N}\p{M}]+)/u);
    let at = 0;
    for (const part of parts) { if (marks.has(plain(part))) { break; } at += part.length; }
    if (at >= text.length) { at = 0; }
    let begin = Math.max(0, at - 50);
    if (begin) { begin = text.indexOf(" ", begin) + 1; }
    const end = text.indexOf(" ", begin + 130);
    return (begin ? "… " : "") + text.slice(begin, end < 0 ? undefined : end) + (end < 0 ? "" : " …");
  }

  function show() {
    list.replaceChildren();
    const asked = field.value.trim();
    list.hidden = true;
    if (!asked || !known) { told.textContent = asked ? "Loading" : ""; return; }
    const { found, marks } = search(asked);
    const counted = found.length === 1 ? "1 place" : found.length + " places";
    told.textContent = found.length > MOST ? counted + ", the best " + MOST + " shown" : found.length ? counted : "Nothing found";
    found.slice(0, MOST).forEach(([kind, title, where, address, text]) => {
      const link = add(add(list, "li"), "a");
      link.href = address;
      add(link, "span", "kind").textContent = KINDS[kind];
      link.append(" ");
      write(add(link, "span", "title"), title, marks);
      add(link, "span", "where").textContent = " " + where;
      if (text) { link.append(" "); write(add(link, "span", "text"), excerpt(text, marks), marks); }
    });
    list.hidden = !found.length;
  }

  /* What there is to find is loaded when search is first wanted. */
  let loading = false;
  function load() {
    if (loading) { return; }
    loading = true;
    Promise.all(PARTS.map((part) => new Promise((done) => {
      const script = document.createElement("script");
      script.src = part;
      script.onload = script.onerror = done;
      document.head.append(script);
    }))).then(() => { learn(); show(); });
  }

  function close() { field.value = ""; show(); }
  function move(event, step) {
    const links = [...list.querySelectorAll("a")];
    const to = links.indexOf(document.activeElement) + step;
    event.preventDefault();
    (links[Math.min(to, links.length - 1)] || field).focus();
  }
  field.addEventListener("focus", () => { load(); show(); });
  field.addEventListener("input", () => { load(); show(); });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const first = list.querySelector("a");
    if (first) { first.click(); }
  });
  form.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") { move(event, 1); }
    if (event.key === "ArrowUp") { move(event, document.activeElement === field ? 0 : -1); }
    if (event.key === "Escape") { close(); field.focus(); }
  });
  list.addEventListener("click", () => setTimeout(close));
  /* The index of all documents passes on what it did not find. */
  field.value = new URLSearchParams(location.search).get("q") || "";
  if (field.value) { load(); show(); }
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) { list.hidden = true; } });
  document.addEventListener("keydown", (event) => {
    const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !busy && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
  });
}());
