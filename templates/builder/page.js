/* The page: which list is open and how it is shown, its history, and what is kept of it. */
(function (Muster) {
  "use strict";
  const { el, button, field, select, announce, say, sayNumber, download, copy, fileName, store, verdictOf, readList, toFragment, fromFragment, asText } = Muster;
  const views = () => [["build", say("Build")], ["roster", say("Roster")], ["cards", say("Cards")], ["play", say("Play")], ["share", say("Share")]];
  const head = document.getElementById("head"), main = document.getElementById("content");
  if (!main) { return; }
  // Without the other documents of a build the page has no link to their index.
  const documents = head.querySelectorAll(".bar");
  const listed = /** @type {HTMLElement[]} */ ([...document.querySelectorAll("#systems li")]).map((item) => ({
    id: item.dataset.id, own: item.dataset.files.split(" "),
    // In the language of the page, if there is a translation.
    get files() { return item.dataset[document.documentElement.lang]?.split(" ") ?? this.own; },
    get title() { return item.dataset[document.documentElement.lang + "Title"] ?? item.textContent; }
  }));
  const systems = new Map(), loaded = new Map();
  let noting;

  /* What went wrong, in words for the player. */
  class ShownError extends Error {}

  // Systems: each has scripts with its data, which are loaded when a list needs them

  function load(file) {
    if (!loaded.has(file)) {
      loaded.set(file, new Promise((done, failed) => {
        // One that the page itself loads may be here already, or on its way.
        if ((window.musterSystems ?? []).some((each) => file === each.file)) { done(); return; }
        const found = document.readyState === "complete" ? null : document.querySelector('script[src="' + CSS.escape(file) + '"]');
        const script = found ?? el("script", { src: file });
        script.addEventListener("load", () => done());
        script.addEventListener("error", () => { loaded.delete(file); script.remove(); failed(new ShownError(say("{file} is missing.", { file }))); });
        if (!found) { document.head.append(script); }
      }));
    }
    return loaded.get(file);
  }
  /* Loads what the first verdict does without: remedies, files, roster, cards, tables, events. */
  function loadLater() { return load("later.js"); }
  /* The tables of a system, or its pictures; null if there are none beside the page. */
  async function partOf(id, name) {
    const { files, own } = listed.find((each) => each.id === id) ?? { files: [], own: [] };
    // A translation has pictures only if their words differ, and its file may be missing.
    for (const file of [...files, ...own].filter((each) => each.endsWith("." + name + ".js"))) {
      try {
        await load(file);
        const found = window.musterParts.find((each) => each.file === file).data;
        return name === "tables" ? new Muster.Parts(found, await systemOf(id)) : new Muster.Pictures(found);
      } catch { /* The next, if there is one. */ }
    }
    return null;
  }
  async function readSystem(file, title) {
    try { await load(file); } catch (error) { throw new ShownError(say("The data of {rules} could not be loaded: {why}", { rules: title, why: error.message })); }
    try { return new Muster.System(JSON.parse(window.musterSystems.find((each) => each.file === file).data)); } catch { throw new ShownError(say("The data of {rules} is of another version than this page: reload it.", { rules: title })); }
  }
  /**
   * A system in the language of the page, which knows it in its own language, too; or in its own alone.
   * @param {{ files: readonly string[], own: readonly string[], title: string }} system
   */
  async function spokenSystem({ files: [file], own: [first], title }) {
    const original = readSystem(first, title);
    if (file === first) { return original; }
    const [known, system] = await Promise.all([original, readSystem(file, title).catch(() => null)]);
    return system ? Object.assign(system, { original: known }) : known;
  }

  function systemOf(id) {
    const found = listed.find((each) => each.id === id);
    if (!found) { return Promise.reject(new ShownError(say("This list builder has no rules “{name}”; it has: {rules}.", { name: String(id).slice(0, 60), rules: listed.map((each) => each.title).join(", ") }))); }
    if (!systems.has(id)) {
      const made = spokenSystem(found);
      systems.set(id, made);
      made.catch(() => systems.delete(id));
    }
    return systems.get(id);
  }

  // The language: what the reader chose, else the first of the browser's that there are words in, else English

  const languages = ["en", ...document.documentElement.dataset.languages.split(" ")];
  function wantedLanguage() {
    const wanted = [store.language(), ...navigator.languages].map((tag) => tag.split("-")[0].toLowerCase());
    return wanted.find((each) => languages.includes(each)) ?? "en";
  }
  /* Says all from now on in a language, or goes on as before if its words are missing beside the page. */
  async function speak(language) {
    if (language === document.documentElement.lang) { return; }
    if (language !== "en") { try { await load("words-" + language + ".js"); } catch { return; } }
    Muster.speak(language, window.musterWords?.[language] ?? {});
    document.documentElement.lang = language;
    document.querySelector("[data-skip]").textContent = say("Skip to the content");
    for (const each of documents) { each.firstElementChild.textContent = say("All documents"); }
  }

  // The list that is open

  const app = {
    id: null, view: "build", read: null, list: null, system: null, parts: null, pictures: null, verdict: null, open: "army", steps: new Muster.Steps({}), typing: null, focus: null,
    /* The edition that the list was made for, and the verdict that was kept of it; whether the rules here are others. */
    edition: "", told: undefined, isOfOtherRules: false,
    /* Its folder, and the file that it was opened from, as they were kept last. */
    kept: { folder: "", source: undefined },
    /* The list was deleted in another tab; what was changed since is kept nowhere. */
    deleted: false, unkept: false,
    edit(list, /** @type {{ open?: string, focus?: string, typing?: string }} */ { open, focus, typing } = {}) {
      if (list === this.list) { return; }
      let verdict = null, why = say("the tables of these rules have no such value");
      try {
        const army = Muster.readArmy(this.system, list), [refused] = Muster.refusalsOf(army);
        if (refused) { why = refused.text; } else { verdict = verdictOf(this.system, list, army); }
      } catch (error) {
        if (!(error instanceof Muster.UnknownCell)) { throw error; }
        why = error.message;
      }
      if (!verdict) {
        // What is only illegal is told; this would be no list that the rules can judge.
        this.tell(say("Not changed: {why}.", { why }));
        this.sync(true);
        return;
      }
      this.steps.add(list, Boolean(typing) && this.typing === typing);
      this.typing = typing ?? null;
      if (open !== undefined) { this.open = open; }
      this.focus = focus ?? null;
      this.reveal = Boolean(open);
      this.take(list, verdict);
    },
    take(list, verdict = verdictOf(this.system, list)) {
      // Until somebody accepts other rules, what they made of the list is compared with the list as it was.
      if (this.isOfOtherRules) { this.told = { ...this.told, list: this.told?.list ?? this.list }; } else { this.told = Muster.toldOf(verdict); }
      Object.assign(this, { list, verdict });
      this.keep();
      this.sync(true);
    },
    /* Keeps the list and its steps, unless it was deleted elsewhere. */
    keep() {
      if (!this.deleted && !store.has(this.id)) { this.deleted = true; drawNotice(); }
      this.unkept = this.deleted;
      if (this.deleted) { return; }
      store.saveSteps(this.id, this.steps);
      store.save(this.id, this.list, this.edition, { told: this.told });
      this.noteValues();
    },
    /* Keeps the values of the units for the notice of another edition, a little later, when the tables are here. If others were kept,
       the rules have changed since. */
    noteValues() {
      clearTimeout(noting);
      const { id, list } = this;
      noting = setTimeout(() => this.loadParts().then(() => {
        const kept = store.list(id), values = this.list === list && kept && JSON.stringify(kept.list) === JSON.stringify(list) ? Muster.valuesOf(this) : null;
        if (!values) { return; }
        if (Muster.changedValues(this.told?.values, values).length) { this.isOfOtherRules = true; }
        if (this.isOfOtherRules) { drawNotice(); return; }
        this.told = { ...this.told, values };
        store.save(id, list, this.edition, { ...kept, told: this.told });
      }, () => {}), 300);
    },
    /* Accepts the rules that are here for the list. */
    accept() {
      Object.assign(this, { edition: this.system.edition, told: Muster.toldOf(this.verdict), isOfOtherRules: false });
      this.keep();
      drawNotice();
      this.sync();
      announce(say("Edition {edition} is accepted.", { edition: this.edition }));
      main.focus();
    },
    /* Undo, or Redo: to the list that `next` leads to. */
    step(next, said) {
      const list = next();
      if (!list) { return; }
      announce(said);
      this.typing = null;
      const read = readList(this.system, list);
      if (!read.list) {
        this.steps.add(this.list);
        this.tell(say("The list as it was does not fit the rules as they are here: {problem}.", { problem: read.problems[0].text }));
        return;
      }
      this.take(list, read.verdict);
      if (this.view !== "build") { this.render(); }
    },
    undo() { this.step(() => this.steps.back(), say("Undone")); },
    redo() { this.step(() => this.steps.on(), say("Done again")); },
    toggle(path) {
      if (!this.parts) { this.loadParts().then(() => { if (this.view === "build") { this.sync(true); } }, (error) => this.tell(error.message)); }
      this.open = this.open === path ? "" : path;
      this.sync(false);
    },
    /* Opens the row of a path, and puts the focus there, or into one of its fields. */
    show(path, role = "name") {
      this.open = path;
      this.focus = path + " " + role;
      this.sync(false);
      document.querySelector('[data-key="' + CSS.escape(path + " " + role) + '"]')?.scrollIntoView({ block: "center" });
    },
    sync(listChanged = false) {
      this.listChanged = listChanged;
      drawHead();
      if (this.view === "build") { Muster.editor.sync(); }
      this.listChanged = false;
    },
    render() { draw(); },
    /* Loads the tables and pictures of the system, which the first verdict does not need. */
    async loadParts() {
      const { system } = this;
      if (this.parts?.system === system) { return; }
      await loadLater();
      const [parts, pictures] = await Promise.all([partOf(system.id, "tables"), partOf(system.id, "pictures")]);
      if (this.system === system) { Object.assign(this, { parts, pictures }); }
    },
    warn() { drawWarning(); },
    tell(text, action) {
      const note = document.getElementById("note");
      note.replaceChildren(text, " ", action ? button(action[0], () => { note.replaceChildren(); action[1](); }) : "", button(say("Close"), () => note.replaceChildren(), { class: "link" }));
    }
  };

  function drawWarning() {
    const warning = document.getElementById("warning"), text = store.problem || store.loss;
    if (warning.textContent !== text) { warning.textContent = text; }
  }
  function drawHead() {
    const { verdict } = app, { army, price, findings } = verdict, left = army.limit && price.total ? army.limit.minus(price.total) : null;
    const name = Muster.listName(app.list);
    document.title = name + " – Muster";
    const judged = verdict.legal ? say("Legal") : say("Not legal"), parts = {
      total: [Muster.totalText(verdict), left && !left.below(Muster.ZERO) ? el("span", { class: "left" }, " ", say("({points} left)", { points: left })) : ""],
      verdict: (verdict.legal ? "✓ " : "✗ ") + judged + (findings.length ? " · " + findings.length : "")
    };
    const total = head.querySelector(".total"), told = head.querySelector(".told");
    total.replaceChildren(...parts.total);
    told.textContent = parts.verdict;
    told.setAttribute("aria-label", say("{verdict}, {number} findings: show them", { verdict: judged, number: findings.length }));
    told.className = "told " + (verdict.legal ? "good" : "bad");
    head.querySelector("h1").textContent = name;
    /** @type {HTMLButtonElement} */ (head.querySelector("[data-key=undo]")).disabled = !app.steps.past.length;
    /** @type {HTMLButtonElement} */ (head.querySelector("[data-key=redo]")).disabled = !app.steps.future.length;
    drawWarning();
  }
  function notes() { return [el("p", { id: "warning", class: "bad noprint", role: "alert" }), el("p", { id: "note", class: "note noprint", role: "status" }), el("div", { id: "notice", class: "noprint" })]; }
  /* What stays until somebody decides: that the list was deleted in another tab, or that the rules are others than it was made for. */
  function drawNotice() {
    const place = document.getElementById("notice");
    if (app.deleted) {
      place.replaceChildren(el("section", { class: "note", role: "alert" },
        el("p", null, say("This list was deleted in another tab. It is no longer saved.")),
        el("p", { class: "tools" },
          button(say("Save it as a new list"), keepAsNew, { class: "main" }),
          button(say("Close it"), () => { app.unkept = false; location.hash = ""; }))));
    } else { place.replaceChildren(...(app.isOfOtherRules && app.view === "build" && Muster.editionNotice ? [Muster.editionNotice(app)] : [])); }
  }

  function draw() {
    head.className = "top open";
    head.replaceChildren(
      el("div", { class: "line" }, el("a", { href: "#", class: "back" }, "‹", el("span", { class: "long" }, " ", say("All lists"))), el("h1", null), el("span", { class: "total" }),
        button("", () => {
          if (app.view !== "build") { location.hash = "#" + app.id; return; }
          const place = document.getElementById("verdict");
          place.scrollIntoView();
          place.focus({ preventScroll: true });
        }, { class: "told" })),
      el("nav", { class: "line noprint", "aria-label": say("This list") },
        views().map(([id, title]) => el("a", { href: "#" + app.id + (id === "build" ? "" : "/" + id), "aria-current": id === app.view ? "page" : null }, title)),
        el("span", { class: "history" }, button(["↶", el("span", { class: "long" }, " ", say("Undo"))], () => app.undo(), { "data-key": "undo" }), button(["↷", el("span", { class: "long" }, " ", say("Redo"))], () => app.redo(), { "data-key": "redo" }))));
    const holder = el("div", { class: app.view });
    window.scrollTo(0, 0);
    main.replaceChildren(...notes(), holder);
    if (app.view === "build") { Muster.editor.start(holder, app); if (Muster.valuesOf) { app.noteValues(); } } else if (app.view === "share") { holder.append(...shareView().filter((part) => part)); } else { holder.append(Muster[app.view](app)); }
    drawHead();
    drawNotice();
    if (app.opened) { app.tell(app.opened); }
    app.opened = "";
  }

  /* The file of the open list, with the comments of the one that it was opened from. */
  function fileOf({ system, list, id }) {
    const { source } = store.list(id) ?? {};
    if (typeof source !== "string") { return Muster.writeYaml(list); }
    try {
      const { data, comments } = Muster.readYaml(source), before = readList(system, data).list ?? data;
      return JSON.stringify(before) === JSON.stringify(list) ? source : Muster.writeYaml(list, Muster.movedComments(comments, before, list));
    } catch { return Muster.writeYaml(list); }
  }
  function shareView() {
    const link = el("input", { type: "text", readonly: true, "aria-label": say("Link to this list"), onfocus: (event) => event.target.select() });
    toFragment(app.edition, app.list, app.told?.list ? undefined : app.told).then((fragment) => { link.value = location.href.split("#")[0] + "#" + fragment; }, () => { link.placeholder = say("This browser is too old to make links."); });
    const text = el("textarea", { readonly: true, rows: 12, "aria-label": say("The list as text") }), name = fileName(app.verdict.army.name);
    const show = (form) => {
      text.value = asText(form, app.system, app.list);
      copy(text.value, form === "text" ? say("text") : form);
    };
    text.value = asText("text", app.system, app.list);
    const yaml = fileOf(app);
    const code = el("div", { class: "qr" }), showCode = button(say("Show as a code"), async () => {
      await load("qr.js");
      try {
        code.replaceChildren(qrCode(link.value));
        showCode.hidden = true;
      } catch { code.replaceChildren(say("This list is too long for a code: send the link.")); }
    });
    return [
      el("section", null, el("h2", null, say("Link")),
        el("p", null, say("The whole list is in the link: nothing is sent anywhere, and nobody else keeps it.")),
        location.protocol === "file:" ? el("p", { class: "hint" }, say("This page was opened from a folder, so that the link works on this device only. Published on a web space, it works everywhere.")) : null,
        el("p", { class: "tools" }, link, button(say("Copy the link"), () => copy(link.value, say("Link")), { class: "main" }), navigator.share ? button(say("Share …"), () => navigator.share({ title: app.verdict.army.name, url: link.value }).catch(() => {})) : null, showCode), code),
      el("section", null, el("h2", null, say("Text")),
        el("p", { class: "tools" }, button(say("Copy as text"), () => show("text")), button(say("Copy as Markdown"), () => show("Markdown")), button(say("Copy as BBCode"), () => show("BBCode"))), text),
      compareView(),
      el("section", null, el("h2", null, say("File")),
        el("p", null, withCode(say("The file that `muster check` reads, and from which `muster build` prints cards, roster and sheet."))),
        el("p", { class: "tools" }, button(say("Download {file}", { file: name + ".yaml" }), () => download(name + ".yaml", yaml, "application/yaml"), { class: "main" })),
        el("pre", null, yaml))
    ];
  }

  /* Words with `code` in them. */
  function withCode(text) { return text.split("`").map((part, n) => (n % 2 ? el("code", null, part) : part)); }
  /* The QR code of a text, drawn in squares. */
  function qrCode(text) {
    const { data, size } = Muster.encodeQr(text, { ecc: "L", border: 4 }), [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    svg.setAttribute("viewBox", "0 0 " + size + " " + size);
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", say("The link to this list as a QR code"));
    path.setAttribute("d", data.flatMap((line, y) => line.map((dark, x) => (dark ? "M" + x + " " + y + "h1v1h-1z" : ""))).join(""));
    svg.append(path);
    return svg;
  }
  function compareView() {
    const others = store.lists().filter((kept) => kept.id !== app.id && kept.list.system === app.system.id), place = el("div", { role: "status" });
    if (!others.length) { return null; }
    const show = (id) => {
      const { list } = readList(app.system, others.find((kept) => kept.id === id)?.list ?? {});
      place.replaceChildren();
      if (!list) { return; }
      const found = Muster.compare(app.system, app.list, list), named = [
        [say("Only in this list"), found.here], [say("Only in the other"), found.there], [say("Changed, this list first"), found.changed], [say("Under another command"), found.moved],
        [say("Findings of this list only"), found.findingsHere], [say("Findings of the other only"), found.findingsThere]
      ].filter(([, texts]) => texts.length);
      place.append(found.totals[0] ? el("p", null, say("This list: {one}; the other: {other}.", { one: found.totals[0], other: found.totals[1] })) : "", named.length ? "" : el("p", null, say("Both have the same units and findings.")),
        ...named.flatMap(([title, texts]) => [el("h3", null, title), el("ul", null, texts.map((text) => el("li", null, text)))]));
    };
    return el("section", { class: "compare" }, el("h2", null, say("Compare")), field(say("With another list"), select([["", "…"], ...others.map((kept) => [kept.id, Muster.listName(kept.list)])], "", show)), place);
  }

  // All lists

  function home(message, action) {
    app.id = null;
    document.title = say("Muster: list builder");
    head.className = "top";
    head.replaceChildren(...documents, el("h1", null, say("Muster: list builder")), el("p", { class: "facts" }, say("Lists stay on this device. Nothing is sent, and you need no network.")));
    const lists = store.lists();
    main.replaceChildren(...notes(), el("div", { class: "home" },
      el("section", null, el("h2", null, say("Your lists")),
        lists.length ? listsView(lists) : el("p", { class: "hint" }, say("None yet: start one, or open a file.")),
        el("p", { class: "tools" },
          el("label", { class: "file" }, say("Open files …"), el("input", { type: "file", accept: ".yaml,.yml,.json,text/yaml", multiple: true, onchange: (event) => openFiles(event.target) })),
          "BarcodeDetector" in window && navigator.mediaDevices ? button(say("Scan a code …"), scan) : null,
          el("a", { href: "#owned", class: "back" }, say("What you own")),
          el("a", { href: "#event", class: "back" }, say("Check the lists of an event")),
          lists.length || listed.some(({ id }) => store.owned(id).size) ? button(say("Export all"), () => download("muster-lists.json", JSON.stringify({ musterLists: lists.map(({ list, edition, folder, source, told }) => ({ list, edition, folder, source, told })), owned: listed.map(({ id }) => [id, [...store.owned(id)]]) }, null, 1), "application/json")) : null)),
      newForm(), languageField()));
    drawWarning();
    if (message) { app.tell(message, action); }
  }
  /* Reads the code of a list, as a roster for a tournament has it, with the camera. */
  async function scan() {
    const video = el("video", { playsinline: true, muted: true }), dialog = el("dialog", { class: "scan", "aria-label": say("Scan a code"), onclose: () => end() }, button(say("Cancel"), () => dialog.close()), video);
    let stream = null;
    const end = () => {
      stream?.getTracks().forEach((each) => each.stop());
      dialog.remove();
    };
    document.body.append(dialog);
    dialog.showModal();
    try {
      const detector = new BarcodeDetector({ formats: ["qr_code"] });
      stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      video.srcObject = stream;
      await video.play();
      while (dialog.open) {
        const found = (await detector.detect(video)).map((each) => /#(list=[\w-]+)/.exec(each.rawValue)?.[1]).find((each) => each);
        if (found) { dialog.close(); location.hash = "#" + found; return; }
        await new Promise((done) => { setTimeout(done, 200); });
      }
    } catch {
      dialog.close();
      app.tell(say("The camera cannot be used here: open the list’s link instead."));
    }
  }
  /* A page beside the lists, at a fragment of its own: that of an event, or of what somebody owns. */
  async function besideLists(fragment) {
    try { await loadLater(); } catch (error) { home(error.message); return; }
    if (location.hash !== "#" + fragment) { return; }
    app.id = null;
    document.title = (fragment === "event" ? say("Lists of an event") : say("What you own")) + " – Muster";
    head.className = "top";
    head.replaceChildren(el("a", { href: "#", class: "back" }, "‹ " + say("All lists")), el("h1", null, say("Muster: list builder")));
    const keepSame = ({ list, system, kept }) => keep(list, kept.edition ?? system.edition, kept);
    main.replaceChildren(...notes(), fragment === "event" ? Muster.eventPage(systemOf, keepSame) : Muster.collectionPage(listed, systemOf, drawWarning));
  }
  /* All lists; several can be searched, and sorted as somebody wants them. */
  const MOST_UNSORTED = 3;
  let order = "changed";
  function listsView(lists) {
    const titleOf = ({ list }) => listed.find((each) => each.id === list.system)?.title ?? list.system, nameOf = ({ list }) => Muster.listName(list);
    const lines = new Map(lists.map((kept) => [kept.id, listLine(kept)])), holder = el("div"), status = el("p", { class: "hint", role: "status" }), search = el("input", { type: "search", autocomplete: "off", oninput: () => show() });
    // As they were: the latest first.
    const orders = { changed: () => 0, name: (one, other) => nameOf(one).localeCompare(nameOf(other)), rules: (one, other) => titleOf(one).localeCompare(titleOf(other)) || nameOf(one).localeCompare(nameOf(other)) };
    const words = (kept) => Muster.plainForm([nameOf(kept), titleOf(kept), kept.folder, kept.list.book, kept.list.player].filter((part) => part).join(" "));
    const show = () => {
      const asked = Muster.plainForm(search.value).split(" "), found = lists.filter((kept) => asked.every((word) => words(kept).includes(word))).sort(orders[order]);
      holder.replaceChildren(...foldersOf(found, lines, Boolean(search.value.trim())));
      status.textContent = found.length ? "" : say("No list matches all of that.");
    };
    show();
    if (lists.length <= MOST_UNSORTED) { return holder; }
    const sorts = select([["changed", say("Last changed")], ["name", say("Name")], ["rules", say("Rules")]], order, (value) => { order = value; show(); });
    return [el("div", { class: "tools find" }, field(say("Find a list"), search), field(say("Sort by"), sorts)), status, holder];
  }
  /* The lists without a folder, then each folder with its own, by name; a slash in its name leads into a folder within. */
  function foldersOf(lists, lines, isSearch, above = "") {
    const isIn = (folder) => !above || folder.startsWith(above + "/"), own = lists.filter((kept) => (kept.folder ?? "") === above);
    const inside = lists.map((kept) => kept.folder ?? "").filter((folder) => folder !== above && isIn(folder)).map((folder) => folder.slice(above ? above.length + 1 : 0).split("/")[0]);
    const names = [...new Set(inside)].filter((name) => name).sort((one, other) => one.localeCompare(other));
    const folders = names.map((name) => {
      const folder = (above ? above + "/" : "") + name, open = isSearch || !closed.has(folder);
      const made = el("details", { class: "folder", open }, el("summary", null, name), foldersOf(lists, lines, isSearch, folder));
      if (!isSearch) { made.addEventListener("toggle", () => { if (made.open) { closed.delete(folder); } else { closed.add(folder); } }); }
      return made;
    });
    return [...(own.length ? [el("ul", { class: "lists" }, own.map((kept) => lines.get(kept.id)))] : []), ...folders];
  }
  const closed = new Set();
  /* A folder as somebody writes it: names with a slash between them, without empty ones. */
  function folderName(text) { return text.split("/").map((part) => part.trim()).filter((part) => part).slice(0, 8).join("/").slice(0, 120); }
  function listLine(kept) {
    const title = listed.find((each) => each.id === kept.list.system)?.title ?? kept.list.system, verdict = el("span", { class: "hint" });
    systemOf(kept.list.system).then((system) => {
      const { verdict: found } = readList(system, kept.list);
      if (!found) { verdict.after(button(say("Download"), () => loadLater().then(() => download(fileName(kept.list.name || "army") + ".yaml", Muster.writeYaml(kept.list), "application/yaml"), (error) => app.tell(error.message)))); }
      verdict.textContent = found ? " · " + [found.price.total === null ? "" : say("{points} points", { points: found.price.total }), found.legal ? say("legal") : say("not legal")].filter((part) => part).join(", ") : " · " + say("does not fit these rules");
    }, () => {});
    return el("li", null, el("a", { href: "#" + kept.id }, Muster.listName(kept.list)), el("span", { class: "hint" }, " " + title, verdict), el("span", { class: "line" },
      button(say("Folder …"), () => {
        const folder = window.prompt(say("Folder for “{list}” (leave empty for none; Events/Spring is a folder inside a folder):", { list: kept.list.name || say("this list") }), kept.folder ?? "");
        if (folder !== null) { store.save(kept.id, kept.list, kept.edition, { ...kept, folder: folderName(folder) }); home(); }
      }, { "aria-label": say("Folder of {list}", { list: kept.list.name ?? "" }) }),
      button(say("Duplicate"), () => { store.save(store.newId(), { ...kept.list, name: say("{list} (copy)", { list: kept.list.name || say("List") }) }, kept.edition, kept); home(); }, { "aria-label": say("Duplicate {list}", { list: kept.list.name ?? "" }) }),
      button(say("Delete"), () => {
        const removed = store.remove(kept.id);
        home();
        app.tell(say("{list} is deleted.", { list: kept.list.name || say("The list") }), [say("Undo"), () => { store.restore(removed); home(); }]);
      }, { class: "danger", "aria-label": say("Delete {list}", { list: kept.list.name ?? "" }) })));
  }
  function newForm() {
    const books = el("div"), name = el("input", { type: "text", maxlength: 300, autocomplete: "off" }), limit = el("input", { type: "text", inputmode: "decimal", autocomplete: "off" });
    let chosen = listed[0]?.id, book = "";
    const limited = field(say("Limit in points"), limit), title = field(say("Name"), name);
    const load = () => systemOf(chosen).then((system) => {
      book = "";
      const choices = [["", say("None: all types")], ...[...system.books.values()].map((each) => [each.id, each.title])];
      books.replaceChildren(...(system.books.size ? [field(say("Army book"), select(choices, "", (value) => { book = value; }))] : []));
      limited.hidden = !system.prices;
    }, (error) => app.tell(error.message));
    const systemField = field(say("Rules"), select(listed.map((each) => [each.id, each.title]), chosen, (value) => { chosen = value; load(); }));
    const form = el("form", {
      class: "new", onsubmit: (event) => {
        event.preventDefault();
        systemOf(chosen).then((system) => {
          const points = Muster.typedPoints(limit.value), wrong = system.prices && limit.value.trim() !== "" && points === null;
          limit.setAttribute("aria-invalid", String(wrong));
          limit.classList.toggle("wrong", wrong);
          if (wrong) { announce(say("Enter the limit as a number, such as 250.")); limit.focus(); return; }
          const list = /** @type {any} */ ({ system: chosen, ...(book ? { book } : {}), ...(name.value.trim() ? { name: name.value.trim() } : {}) });
          if (system.prices && points !== null) { list.limit = points; }
          keep(Muster.newList(system, list), system.edition);
        }, (error) => app.tell(error.message));
      }
    }, el("h2", null, say("New list")), systemField, books, title, limited, el("p", null, el("button", { class: "main" }, say("Begin"))));
    if (chosen) { load(); }
    return form;
  }
  function languageField() {
    const name = (language) => Muster.upperFirst(new Intl.DisplayNames([language], { type: "language" }).of(language));
    const choose = (language) => {
      store.saveLanguage(language);
      // What a system has worked out so far is in words, too.
      systems.clear();
      speak(language).then(() => home());
    };
    return el("section", null, field(say("Language"), select(languages.map((each) => [each, name(each)]), document.documentElement.lang, choose)));
  }
  /* The largest file of a list, and of an export of all lists, in bytes. */
  const MOST_LIST = 1e6, MOST_EXPORT = 5e7;
  /* Keeps a list as a new one, with what else is known of it (see `store.save`), and shows it. */
  function keep(list, edition, /** @type {{ folder?: string, source?: string, told?: any }} */ { folder = "", source, told } = {}) {
    const id = store.newId();
    store.save(id, list, edition, { folder, source, told });
    location.hash = "#" + id;
    return id;
  }
  /* The open list, which another tab deleted, with its steps, in its folder. */
  function keepAsNew() {
    app.unkept = false;
    store.saveSteps(keep(app.list, app.edition, { ...app.kept, told: app.told }), app.steps);
  }
  /* Opens the list of a file; of several files, or of an export, the lists are added to those that are here. */
  async function openFiles(input) {
    const files = [...input.files], refused = [], lists = [];
    for (const file of files) {
      try { lists.push(...await listsOf(file)); } catch (error) {
        refused.push(say("{file} cannot be opened. {why}", { file: file.name, why: error instanceof Error ? Muster.upperFirst(error.message) : "" }));
      }
    }
    input.value = "";
    if (!lists.length && refused.length) { app.tell(refused.join(" ")); return; }
    if (files.length === 1 && lists.length === 1 && !lists[0].isExported) {
      const [{ list, edition, source, comments }] = lists;
      app.opened = comments ? sayNumber("The file has {n} comment. It is in the file that you download; a link to the list leaves them out.", "The file has {n} comments. They are in the file that you download; a link to the list leaves them out.", comments) : "";
      keep(list, edition, { source });
      return;
    }
    const kept = new Set(store.lists().map((each) => JSON.stringify(each.list))), added = lists.filter(({ list }) => !kept.has(JSON.stringify(list)) && kept.add(JSON.stringify(list)));
    for (const { list, edition, folder = "", source, told } of added) { store.save(store.newId(), list, edition, { folder, source, told }); }
    const known = lists.length - added.length;
    home([sayNumber("{n} list was added.", "{n} lists were added.", added.length), known ? sayNumber("{n} was here already.", "{n} were here already.", known) : "", ...refused].filter((part) => part).join(" "));
  }
  /* The lists of a file, as they are to be kept: one of a list, all of an export. */
  async function listsOf(file) {
    const isExport = /\.json$/i.test(file.name), most = isExport ? MOST_EXPORT : MOST_LIST;
    if (file.size > most) { throw new Error(say("It is larger than {size} MB.", { size: most / 1e6 })); }
    const text = await file.text();
    if (isExport) { return exported(text); }
    await loadLater();
    const { data, comments, lineOf } = Muster.readYaml(text), system = await systemOf(data.system), { list, problems } = readList(system, data);
    if (!list) { throw new Error(problems.map((problem) => say("line {line}: {problem}", { line: lineOf(problem.path), problem: problem.text })).join("; ")); }
    return [{ list, edition: system.edition, source: comments.length ? text : undefined, comments: comments.length }];
  }
  /* The lists of an export, whose counts of what somebody owns are taken over; nothing is taken of a damaged one. */
  function exported(text) {
    let found;
    try { found = JSON.parse(text); } catch { throw new Error(say("It is damaged: download it again.")); }
    if (!Array.isArray(found?.musterLists)) { throw new Error(say("It is not an export from this list builder.")); }
    const lists = found.musterLists.filter((each) => typeof each?.list?.system === "string" && Muster.allText(each.list, 0));
    const owned = (Array.isArray(found.owned) ? found.owned : []).filter((each) => Array.isArray(each) && listed.some(({ id }) => id === each[0]) && Array.isArray(each[1]) && each[1].length && each[1].every((pair) => Array.isArray(pair) && pair.length === 2));
    for (const [id, counts] of owned) { store.saveOwned(id, new Map([...store.owned(id), ...counts])); }
    return lists.map(({ list, edition, folder, source, told }) => ({
      list, edition: typeof edition === "string" ? edition : "", folder: typeof folder === "string" ? folderName(folder) : "", source: typeof source === "string" ? source : undefined, told: Muster.readTold(told), isExported: true
    }));
  }

  // Addresses: # alone is the page of all lists, then the id of a list with its view, or a whole list

  async function route() {
    const fragment = location.hash.slice(1);
    /** @type {HTMLDialogElement | null} */ (document.querySelector("dialog[open]"))?.close();
    if (fragment === "content") { main.focus(); return; }
    // Who went on with a list that was deleted elsewhere wants to keep it.
    if (app.unkept && fragment.split("/")[0] !== app.id) { keepAsNew(); app.opened = say("This list was deleted in another tab and has changed here since: it has been saved as a new list."); return; }
    if (!fragment) { home(); return; }
    if (fragment === "event" || fragment === "owned") { await besideLists(fragment); return; }
    if (fragment.startsWith("list=")) { await openLink(fragment); return; }
    const [id, view] = fragment.split("/"), kept = store.list(id);
    if (!kept && !(app.deleted && app.id === id)) { home(say("That list is not on this device.")); return; }
    app.view = views().some(([each]) => each === view) ? view : "build";
    if (app.id !== id) {
      try {
        const system = await systemOf(kept.list.system);
        let { list, problems, verdict } = app.read?.id === id ? app.read : readList(system, kept.list);
        app.read = null;
        if (!list && app.mending === id) { ({ list } = Muster.withoutUnknown(system, kept.list)); verdict = list && verdictOf(system, list); }
        if (!list) { home(say("This list does not fit the rules as they are here: {problem}.", { problem: problems[0].text }) + otherEdition(kept.edition, system), [say("Open it without that"), () => mend(id)]); return; }
        const mends = app.mending === id, told = mends ? { ...Muster.readTold(kept.told), list: Muster.readTold(kept.told)?.list ?? kept.list } : Muster.readTold(kept.told);
        const isOfOtherRules = areOthers(kept.edition, told, system, verdict);
        Object.assign(app, {
          id, system, list, kept, parts: app.parts?.system === system ? app.parts : null, pictures: app.system === system ? app.pictures : null, verdict, edition: kept.edition, told: isOfOtherRules ? told : { ...Muster.toldOf(verdict), values: told?.values }, isOfOtherRules,
          steps: store.steps(id, list), deleted: false, unkept: false, open: list.name || Object.keys(list).length > 4 ? "" : "army", typing: null
        });
        // What the list costs by the rules here, to compare it with what it will cost by later ones.
        if (!told && !isOfOtherRules) { store.save(id, kept.list, kept.edition, { ...kept, told: app.told }); }
      } catch (error) { home(error.message); return; }
    }
    try {
      if (app.view !== "build") { await (app.view === "share" ? loadLater() : app.loadParts()); }
    } catch (error) { home(error.message); return; }
    if (app.id === id && location.hash.slice(1) === fragment) { draw(); }
  }
  /* Whether a list was made for other rules than those here: another edition, or one that judged it otherwise. */
  function areOthers(edition, told, system, verdict) {
    const judged = told?.prices && told.codes && !told.list ? JSON.stringify([told.total, told.legal, told.prices, told.codes]) : "", now = Muster.toldOf(verdict);
    return edition !== system.edition || Boolean(told?.list) || (judged !== "" && judged !== JSON.stringify([now.total, now.legal, now.prices, now.codes]));
  }
  /* Opens a list without what the rules here do not know; it is kept as it was until it is changed. */
  async function mend(id) {
    try { await loadLater(); } catch (error) { home(error.message); return; }
    const { list } = store.list(id) ?? {};
    if (!list || !Muster.withoutUnknown(await systemOf(list.system), list).list) { app.tell(say("Without that, these rules can read nothing of the list. You can download it as it is.")); return; }
    app.mending = id;
    if (location.hash === "#" + id) { route(); } else { location.hash = "#" + id; }
  }
  function otherEdition(edition, system) { return edition && edition !== system.edition ? " " + say("It was made for edition {old}; these are of edition {edition}.", { old: edition, edition: system.edition }) : ""; }
  async function openLink(fragment) {
    try {
      const { edition, list, told } = await fromFragment(fragment), system = await systemOf(list.system), read = readList(system, list);
      if (!read.list) {
        const open = () => { const id = store.newId(); store.save(id, list, edition, { folder: "", source: undefined, told }); mend(id); };
        home(say("The list in this link does not fit the rules as they are here: {problem}.", { problem: read.problems[0].text }) + otherEdition(edition, system), [say("Open it without that"), open]);
        return;
      }
      // The same link opened twice is the same list.
      const known = store.lists().find((kept) => JSON.stringify(kept.list) === JSON.stringify(read.list));
      if (known) { location.replace("#" + known.id); return; }
      const id = store.newId();
      store.save(id, read.list, edition, { folder: "", source: undefined, told });
      app.opened = say("This list came by a link. It has been saved with yours on this device.");
      // It need not be read again to be shown.
      app.read = { id, ...read };
      history.replaceState(null, "", "#" + id);
      await route();
    } catch (error) {
      home(error instanceof ShownError ? error.message : say("This link is incomplete: ask for it again."));
    }
  }

  window.addEventListener("hashchange", route);
  // What the browser could not keep would be gone.
  window.addEventListener("beforeunload", (event) => { if (store.problem || app.unkept) { event.preventDefault(); } });
  /* Takes over what another tab made of the open list. */
  function meetOtherTab() {
    if (!app.id) { return; }
    const kept = store.list(app.id);
    if (!kept) {
      if (!store.has(app.id) && !app.deleted) { app.deleted = true; drawNotice(); }
      return;
    }
    app.kept = kept;
    if (app.deleted) { app.deleted = false; drawNotice(); }
    const { list, verdict } = readList(app.system, kept.list), isSame = JSON.stringify(kept.list) === JSON.stringify(app.list);
    if (!list) { return; }
    const told = Muster.readTold(kept.told), isOfOtherRules = areOthers(kept.edition, told, app.system, verdict);
    if (isSame && isOfOtherRules === app.isOfOtherRules) { return; }
    // The steps of the other tab are those of both.
    if (!isSame) { Object.assign(app, { list, verdict, steps: store.joinedSteps(app.id, list, app.list) }); }
    Object.assign(app, { edition: kept.edition, told, isOfOtherRules, typing: null, unkept: false });
    app.render();
    if (!isSame) { app.tell(say("This list was changed in another tab; Undo brings back what was here.")); }
  }
  window.addEventListener("storage", (event) => {
    store.forget(event.key);
    if (!app.id && (event.key === null || store.idOf(event.key)) && document.querySelector(".home")) { home(); }
    if (app.id && (event.key === null || store.idOf(event.key) === app.id)) { meetOtherTab(); }
  });
  // A page that slept heard nothing of other tabs.
  window.addEventListener("pageshow", (event) => { if (event.persisted) { meetOtherTab(); } });
  document.addEventListener("keydown", (event) => {
    const isText = event.target instanceof Element && event.target.matches("input:not([type=checkbox]), textarea");
    if (!app.id || isText || !(event.ctrlKey || event.metaKey) || event.altKey) { return; }
    const letter = event.key.toLowerCase();
    if (letter === "z" && !event.shiftKey) { event.preventDefault(); app.undo(); } else if (letter === "y" || (letter === "z" && event.shiftKey)) { event.preventDefault(); app.redo(); }
  });
  if (location.protocol.startsWith("http")) {
    document.head.append(el("link", { rel: "manifest", href: "manifest.webmanifest" }));
  }
  /* Loads what the first page would wait for: fonts, the other scripts, and the service worker, which fetches all files. */
  function loadRest() {
    document.head.append(el("link", { rel: "stylesheet", href: "fonts.css" }));
    loadLater().then(() => { if (app.id && app.view === "build") { drawNotice(); app.sync(); app.noteValues(); } }, () => {});
    // `muster watch` adds a script to the page: what it shows must be what was built last.
    if (location.protocol.startsWith("http") && "serviceWorker" in navigator && !document.querySelector("script[data-run]")) { navigator.serviceWorker.register("sw.js").catch(() => {}); }
  }
  Muster.app = app;
  speak(wantedLanguage()).then(route).finally(() => requestAnimationFrame(() => setTimeout(loadRest, 0)));
}(window.Muster));
