/* Help in reading a page of the rules: terms and notes explain themselves when tapped, headings give their
   address, long tables can be filtered. Without scripts links lead where they say. */
(function () {
  "use strict";
  const main = document.getElementById("content");
  function make(name, kind, text) {
    const element = document.createElement(name);
    if (kind) { element.className = kind; }
    if (text) { element.textContent = text; }
    return element;
  }

  /* What is explained is told at the foot of the window, in one place for all. */
  const box = make("dialog", "explained");
  box.setAttribute("aria-label", say("Explanation"));
  let asker = null;
  const close = () => { box.close(); if (asker) { asker.focus(); } asker = null; };
  function explain(from, content, link) {
    box.replaceChildren();
    const said = box.appendChild(make("div", "said"));
    said.append(...content);
    const tools = box.appendChild(make("p", "tools"));
    if (link) { const more = tools.appendChild(make("a", "", say("Read the rule"))); more.href = link; more.addEventListener("click", () => box.close()); }
    const button = tools.appendChild(make("button", "", say("Close")));
    button.type = "button";
    button.addEventListener("click", close);
    if (box.open) { box.close(); }
    box.show();
    asker = from;
    button.focus();
  }
  main.append(box);
  document.addEventListener("keydown", (event) => { if (event.key === "Escape" && box.open) { close(); } });
  document.addEventListener("click", (event) => { if (box.open && !box.contains(event.target) && !event.target.closest("[data-told]")) { box.close(); } });

  /* A term is marked where a section first uses it, in any form that has its stem. A shorter form is another
     word, but for a plural in the glossary: `close` is not `Closing`. Abbreviations are taken as they stand. */
  const explanations = [...document.querySelectorAll("#explanations > [data-for]")];
  const { stem } = (window.musterLanguages || {})[document.documentElement.lang.slice(0, 2)] || { stem: (word) => word };
  const WORD = /[\p{L}\p{N}\p{M}]+(?:['’]s(?![\p{L}\p{N}]))?/gu;
  function wordsOf(text) {
    return [...text.matchAll(WORD)].map((match) => {
      const plain = match[0].toLowerCase().normalize("NFD").replace(/\p{M}+/gu, "").replace("’", "'");
      return { written: match[0], plain, stem: stem(plain), from: match.index, to: match.index + match[0].length };
    });
  }
  function plainWords(text) { return wordsOf(text).map((word) => word.plain); }
  const terms = new Map();
  function learn(label, ids) {
    const words = wordsOf(label), key = words.map((word) => word.plain).join(" ");
    const known = terms.get(words[0].stem) || [], same = known.find((term) => term.key === key);
    if (same) { same.ids.push(...ids); } else { known.push({ words, key, ids }); }
    terms.set(words[0].stem, known);
  }
  explanations.filter((held) => held.dataset.for.startsWith("g-")).forEach((held) => {
    const label = held.querySelector("b").textContent.trim(), bare = label.replace(/ \(.*/, "");
    learn(bare, [held.dataset.for]);
    if (bare !== label) { learn(label, [held.dataset.for]); }
  });
  const exceptions = JSON.parse((document.getElementById("explanations") || main).dataset.except || "[]").map(wordsOf);
  function isForm(word, term, list) {
    if (list.length === 1 && term.plain.length < 4) { return word.written === term.written; }
    return word.stem === term.stem && word.plain.length >= term.plain.length - 1;
  }
  /* What a text has of terms, the longest first, so that `command check` is not `in command`. In a phrase that
     is none, any signs may stand between the words. */
  function termsIn(text) {
    const words = wordsOf(text), found = [];
    const between = (n) => text.slice(words[n - 1].to, words[n].from);
    const stands = (from, to) => text[words[from].from - 1] !== "-" && text[words[to - 1].to] !== "-";
    const add = (from, to, ids) => found.push({ from: words[from].from, to: words[to - 1].to, ids });
    const fits = (list, from, same, gap) => from + list.length <= words.length && stands(from, from + list.length)
      && list.every((word, n) => same(words[from + n], word, list) && (!n || gap.test(between(from + n))));
    words.forEach((word, from) => {
      (terms.get(word.stem) || []).filter((term) => fits(term.words, from, isForm, /^(?:\s+\(?|[-‑])$/)).forEach((term) => add(from, from + term.words.length, term.ids));
      exceptions.filter((list) => fits(list, from, (own, other) => own.plain === other.plain, /[^]/)).forEach((list) => add(from, from + list.length, []));
    });
    found.sort((a, b) => b.to - b.from - (a.to - a.from) || a.ids.length - b.ids.length);
    return found.filter((one, n) => !found.slice(0, n).some((other) => other.from < one.to && one.from < other.to)).sort((a, b) => a.from - b.from);
  }
  /* The texts of each paragraph and of each cell, but for marks of notes, with the number of their section. */
  function paragraphsOf(root) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT), all = [];
    let section = 0;
    while (walker.nextNode()) {
      const node = walker.currentNode;
      if (node.nodeType === Node.ELEMENT_NODE) { section += node.tagName === "H2" ? 1 : 0; continue; }
      const place = node.parentElement.closest("p, li, td, th[scope='row']");
      if (!place || node.parentElement.closest("sup, .cap, .caption, .note, .opener, .admonition-title, .group, thead")) { continue; }
      if (!all.length || all.at(-1).place !== place) { all.push({ place, section, nodes: [] }); }
      all.at(-1).nodes.push(node);
    }
    return all;
  }
  function markTerms(root) {
    const texts = [], seen = new Set();
    paragraphsOf(root).forEach(({ place, section, nodes }) => {
      const table = place.closest(".tbl"), begins = [0];
      nodes.forEach((node) => begins.push(begins.at(-1) + node.length));
      termsIn(nodes.map((node) => node.textContent).join("")).forEach(({ from, to, ids }) => {
        const n = nodes.findIndex((_, each) => begins[each] <= from && to <= begins[each + 1]);
        /* A table that explains a term needs no explanation of it; a link leads elsewhere already. */
        const own = table && ids.some((id) => id.startsWith(`g-${table.id.slice(2)}--`));
        const key = `${section} ${ids[0]}`;
        if (!ids.length || n < 0 || nodes[n].parentElement.closest("a") || own || seen.has(key)) { return; }
        seen.add(key);
        texts.push([nodes[n], from - begins[n], to - begins[n], ids]);
      });
    });
    texts.reverse().forEach(([node, from, to, ids]) => {
      const rest = node.splitText(from);
      rest.splitText(to - from);
      const link = make("a", "near", rest.textContent);
      link.href = "glossary.html#" + ids[0];
      link.dataset.also = ids.slice(1).join(" ");
      rest.replaceWith(link);
    });
  }
  main.querySelectorAll("article.chapter").forEach(markTerms);

  explanations.forEach((held) => {
    document.querySelectorAll(`main a[href$="#${CSS.escape(held.dataset.for)}"]`).forEach((link) => {
      link.dataset.told = "";
      link.addEventListener("click", (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) { return; }
        event.preventDefault();
        const also = explanations.filter((other) => (link.dataset.also || "").split(" ").includes(other.dataset.for));
        explain(link, [held, ...also].flatMap((each) => [...each.cloneNode(true).childNodes]), link.getAttribute("href"));
      });
    });
  });

  /* The signs of a table's footnotes become buttons that tell the note. */
  main.querySelectorAll(".tbl").forEach((table) => {
    const notes = new Map([...table.querySelectorAll(".fn")].map((note) => [note.querySelector("b").textContent.replace(/\.$/, ""), note]));
    table.querySelectorAll("sup").forEach((sup) => {
      const signs = sup.textContent.split(/\s+/);
      if (!notes.size || !signs.every((sign) => notes.has(sign))) { return; }
      sup.replaceChildren(...signs.flatMap((sign, place) => {
        const button = make("button", "sign", sign);
        button.type = "button";
        button.dataset.told = "";
        button.setAttribute("aria-label", say("Note ") + sign);
        button.addEventListener("click", () => explain(button, [...notes.get(sign).cloneNode(true).childNodes]));
        return place ? ["\u00a0", button] : [button];
      }));
    });
  });

  /* Each heading and each table has an address of its own, to send to somebody. Headings that no other page
     leads to get it here, from their words. */
  main.querySelectorAll("h2:not([id], .unseen)").forEach((heading) => {
    const copy = (heading.querySelector(".title") || heading).cloneNode(true);
    copy.querySelectorAll(".no").forEach((number) => number.remove());
    const slug = plainWords(copy.textContent).join("-") || "part";
    for (let number = 1; !heading.id; number += 1) {
      const id = `h-${slug}${number > 1 ? `-${number}` : ""}`;
      if (!document.getElementById(id)) { heading.id = id; }
    }
    if (decodeURIComponent(location.hash) === "#" + heading.id) { heading.scrollIntoView(); }
  });
  main.querySelectorAll("h2[id]:not(.unseen), h3[id], .tbl[id] .cap").forEach((heading) => {
    const words = (heading.querySelector(".title") || heading).textContent.trim();
    const link = make("a", "address", "#");
    link.href = "#" + (heading.id || heading.closest(".tbl").id);
    link.setAttribute("aria-label", say("Link to ") + words);
    heading.append("\u00a0", link);
  });

  /* Rows that have all words typed stay; a row of a group stays with the group's name. */
  const plain = (text) => text.toLowerCase().replace(/−/g, "-");
  function rowsOf(table) { return [...table.querySelectorAll("tbody tr:not(.group), .terms > p, .steps > p")]; }
  /* A row of a band is the one that a number lies in: 12 is in 11–12 and in 12+. */
  function isInBand(label, number) {
    const ends = (label.replace(/(\d)\s*[–-]\s*/g, "$1 ").match(/-?\d+/g) || []).map(Number);
    if (ends.length === 2) { return ends[0] <= number && number <= ends[1]; }
    return ends.length === 1 && (ends[0] === number || (/\+$/.test(label) && number > ends[0]));
  }
  function has(row, word, isBanded) {
    const label = isBanded ? plain(row.querySelector("th").textContent).trim() : "";
    return label && /^-?\d+$/.test(word) ? isInBand(label, Number(word)) : plain(label || row.textContent).includes(word);
  }
  function narrow(table, words, whole) {
    const isBanded = Boolean(table.querySelector(".banded th[scope='row']"));
    let shown = 0;
    rowsOf(table).forEach((row) => {
      row.hidden = !whole && !words.every((word) => has(row, word, isBanded));
      if (!row.hidden) { shown += 1; }
    });
    table.querySelectorAll("tr.group").forEach((group) => {
      let row = group.nextElementSibling, any = false;
      for (; row && !row.classList.contains("group"); row = row.nextElementSibling) { any = any || !row.hidden; }
      group.hidden = !any;
    });
    return shown;
  }
  function field(label, apply) {
    const held = make("p", "narrow"), tag = held.appendChild(make("label", "", label + " "));
    const input = tag.appendChild(make("input"));
    input.type = "search";
    input.autocomplete = "off";
    const told = held.appendChild(make("output"));
    input.addEventListener("input", () => { told.textContent = apply(plain(input.value).split(/\s+/).filter(Boolean)); });
    return held;
  }
  const tables = [...main.querySelectorAll(".tbl")];
  /* A field to filter rows stands on long tables, and on those of bands, which a number is looked up in. */
  const LONG = 15, LONG_OF_BANDS = 8;
  if (main.querySelector(".chapter.wide")) {
    const nothing = make("p", "nothing", say("Nothing on this page contains all these words."));
    nothing.setAttribute("role", "status");
    nothing.hidden = true;
    main.querySelector("h1").after(field(say("Filter all tables"), (words) => {
      let shown = 0;
      tables.forEach((table) => {
        const caption = plain(table.querySelector(".cap").textContent);
        const rows = narrow(table, words, words.every((word) => caption.includes(word)));
        table.hidden = !rows && words.length > 0 && !words.every((word) => caption.includes(word));
        shown += table.hidden ? 0 : 1;
      });
      main.querySelectorAll("h2.group").forEach((heading) => {
        let next = heading.nextElementSibling, any = false;
        for (; next && next.tagName !== "H2"; next = next.nextElementSibling) { any = any || (next.matches(".tbl") && !next.hidden); }
        heading.hidden = !any;
      });
      nothing.hidden = !words.length || shown > 0;
      return words.length ? shown + say(" of ") + tables.length + say(" tables") : "";
    }), nothing);
  } else {
    tables.filter((table) => rowsOf(table).length >= (table.querySelector(".banded") ? LONG_OF_BANDS : LONG)).forEach((table) => {
      const all = rowsOf(table).length;
      table.querySelector(".cap").after(field(say("Filter rows"), (words) => {
        const shown = narrow(table, words, false);
        return words.length ? shown + say(" of ") + all + say(" rows") : "";
      }));
    });
  }
}());
