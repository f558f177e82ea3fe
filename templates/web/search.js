/* Search: asks `find.js` for what is typed, and shows the places found. Works from a file, without a network.
   On the index of a build it looks through the rules of all games, whose folders `data-games` names. */
(function () {
  "use strict";
  const PARTS = ["finds-book.js", "finds-armies.js"];
  const KINDS = { table: say("Table"), figure: say("Figure"), row: say("Row"), term: say("Term"), section: say("Rule"), example: say("Example"), question: say("To agree"), erratum: say("Erratum"), about: say("Game"), army: say("Army") };
  const list = document.getElementById("results");
  const all = JSON.parse(list.dataset.games || "null");
  if (all && !all.length) { return; }
  const most = all ? 12 : 30;
  const field = document.getElementById(all ? "filter" : "query");
  const form = field.form;
  const told = document.getElementById("found");
  const STRETCH = /((?<![\p{L}\p{N}])[+−-]?[\p{L}\p{N}\p{M}]+(?:[-–‑][\p{L}\p{N}\p{M}]+)*)/u;
  /* Each game has words of its own that mean the same, and may be there in several languages. */
  const LANGUAGE = document.documentElement.lang.slice(0, 2);
  const games = (all || [["", ""]]).map(([title, folder]) => ({ title, folder, language: LANGUAGE, finder: null }));
  const { isMarked, isNamed } = window.musterFinder(LANGUAGE);
  /* Rules in another language than the page come behind those that answer as well in its own. */
  const FOREIGN = 0.5;
  /* So do those of another game that have only a word of the same meaning. */
  const SAME = 0.5;
  /* What one game does not say, another may: the index takes what is typed from its address. */
  const HANDED_ON = "find";
  let ready = false;

  function add(parent, name, kind) {
    const element = parent.appendChild(document.createElement(name));
    if (kind) { element.className = kind; }
    return element;
  }
  function write(parent, text, marks) {
    text.split(STRETCH).forEach((part) => {
      if (part && isMarked(part, marks)) { add(parent, "mark").textContent = part; } else { parent.append(part); }
    });
  }
  /* A long text is told from a little before its first hit. */
  function excerpt(text, marks) {
    if (text.length <= 150) { return text; }
    let at = 0;
    for (const part of text.split(STRETCH)) {
      if (isMarked(part, marks)) { break; }
      at += part.length;
    }
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
    if (!asked || !ready) { told.textContent = asked ? say("Loading") : ""; return; }
    const answers = games.map((game) => ({ game, ...game.finder.search(asked) }));
    const best = Math.max(...answers.map((answer) => answer.part));
    const found = answers.filter((answer) => answer.part === best).flatMap(({ game, found: own, marks }) => own.map((each) => ({ ...each, marks, game: game.title, language: game.language, score: each.score * (game.language === LANGUAGE ? 1 : FOREIGN) * (all && !each.typed ? SAME : 1) })));
    found.sort((a, b) => b.score - a.score);
    const counted = (found.length === 1 ? say("1 place") : found.length + say(" places")) + (all ? say(" in the rules") : "");
    const others = all ? [] : answers[0].others;
    told.textContent = (found.length > most ? counted + say(", the best ") + most + say(" shown") : found.length ? counted : say("Nothing found")) + (others.length ? say("; searched for: ") + others.join(", ") : "");
    found.slice(0, most).forEach(({ kind, title, where, address, text, marks, game, language }) => {
      const link = add(add(list, "li"), "a");
      if (language !== LANGUAGE) { link.lang = language; }
      link.href = address;
      add(link, "span", "kind").textContent = KINDS[kind];
      link.append(" ");
      write(add(link, "span", "title"), title, marks);
      add(link, "span", "where").textContent = " " + (game ? game + " > " : "") + where;
      if (text) { link.append(" "); write(add(link, "span", "text"), excerpt(text, marks), marks); }
    });
    list.hidden = !found.length;
    if (all) { showBesideDocuments(asked, found.length); return; }
    if (found.length) { return; }
    const link = add(add(list, "li"), "a");
    link.href = document.querySelector(".bar a").href + "#" + new URLSearchParams([[HANDED_ON, asked]]);
    link.textContent = say("Search all games");
    list.hidden = false;
  }
  /* Documents that are called what is typed come before the rules, others after them. That nothing is found in
     one of the two says nothing where there is something in the other. */
  function showBesideDocuments(asked, rules) {
    const section = list.parentElement, page = section.parentElement, nothing = document.getElementById("nothing"), hits = document.getElementById("hits");
    const documents = [...page.querySelectorAll("[data-block]:not([hidden])")];
    const first = documents.some((each) => isNamed(asked, each.textContent + " " + (each.closest(".armies .part")?.querySelector("h3").textContent || "")));
    if (first && section !== page.lastElementChild) { page.append(section); } else if (!first && section !== page.firstElementChild) { page.prepend(section); }
    if (!rules && documents.length) { told.textContent = ""; }
    if (rules && !documents.length) { nothing.hidden = true; hits.textContent = ""; }
  }

  /* What there is to find is loaded when search is first wanted. The scripts run one after the other, so
     that what one leaves behind is taken before the next runs. */
  let loading = false;
  function take(game) {
    game.language = window.musterLanguage || game.language;
    game.finder = game.finder || window.musterFinder(game.language);
    game.finder.add(window.musterFinds || [], window.musterSynonyms, game.folder);
    delete window.musterFinds;
    delete window.musterLanguage;
    delete window.musterSynonyms;
  }
  function load() {
    if (loading) { return; }
    loading = true;
    /* A book on one page brings what there is to find. */
    if (window.musterFinds) { take(games[0]); ready = true; return; }
    Promise.all(games.flatMap((game) => PARTS.map((part) => new Promise((done) => {
      const script = document.createElement("script");
      script.async = false;
      script.src = game.folder + part;
      script.onload = script.onerror = () => {
        take(game);
        done();
      };
      document.head.append(script);
    })))).then(() => { ready = true; show(); });
  }

  /* What stays at the top of the window is as high as it is: nothing may hide below it. */
  const stuck = () => {
    const top = getComputedStyle(form.parentElement).display === "contents" ? form : form.parentElement;
    document.documentElement.style.setProperty("--stuck", (getComputedStyle(top).position === "sticky" ? top.offsetHeight : 0) + "px");
  };
  if (!all) { stuck(); new ResizeObserver(stuck).observe(form); window.addEventListener("resize", stuck); }

  field.addEventListener("focus", () => { load(); show(); });
  field.addEventListener("input", () => { load(); show(); });
  if (all) {
    const handed = new URLSearchParams(location.hash.slice(1)).get(HANDED_ON);
    if (handed) {
      field.value = handed;
      field.dispatchEvent(new Event("input", { bubbles: true }));
    }
    return;
  }

  function close() { field.value = ""; show(); }
  function move(event, step) {
    const links = [...list.querySelectorAll("a")];
    const to = links.indexOf(document.activeElement) + step;
    event.preventDefault();
    (links[Math.min(to, links.length - 1)] || field).focus();
  }
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
  document.addEventListener("click", (event) => { if (!form.contains(event.target)) { list.hidden = true; } });
  document.addEventListener("keydown", (event) => {
    const busy = /^(INPUT|SELECT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !busy && !event.ctrlKey && !event.metaKey) { event.preventDefault(); field.focus(); }
  });
}());
