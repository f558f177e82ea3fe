/* The roster and the cards of a list, to print and to play with: boxes for losses stay ticked on this device. */
(function (Muster) {
  "use strict";
  const { el, button, store, exact, say, sayNumber, shownNumber, tellFound } = Muster;
  const MOST_BOXES = 60, CARD_WIDTH = 63, CARD_HEIGHT = 88, LARGEST_TYPE = 9, SMALLEST_TYPE = 4.5, MOST_HEADS = 5;

  function pointsOf(verdict, node) { return verdict.price.lines.find((line) => line.node === node)?.points ?? null; }
  function valuesOf(node) {
    return [...(node.profile?.stats.keys() ?? [])].map((name) => [node.fieldSpec(name)?.title || name, node.shown(name)]).filter(([, shown]) => shown && shown !== "–");
  }
  /* The values of a unit: those that its army book states, else those that a printed roster shows. */
  function shownValues(app, node) {
    const own = valuesOf(node);
    return own.length || !app.parts ? own : app.parts.rosterValues(node).map(({ label, title, cell }) => [label, cell.text, title]);
  }
  function valueList(app, node) {
    const values = shownValues(app, node);
    return values.length ? el("dl", { class: "values" }, values.map(([head, shown, title]) => el("div", { title }, el("dt", null, head), el("dd", null, shown)))) : null;
  }
  function attributesOf(node) { return Muster.joinLabels(Muster.detailsOf(node)); }

  /* A track of boxes: a box ticks those before it, and takes those after it with it when it is unticked. A box of a
     `halved` track takes two ticks. `id` is under what the ticks are kept. */
  function track(app, { id, boxes, name = "", of, halved = false, isLoss = false, shape = "square" }) {
    const step = halved ? 2 : 1, made = [], read = () => Math.min(store.ticks(app.id).get(id) ?? 0, boxes.length * step);
    const show = () => {
      const ticked = read();
      made.forEach((box, n) => { box.setAttribute("aria-checked", ticked >= (n + 1) * step ? "true" : ticked > n * step ? "mixed" : "false"); });
    };
    boxes.forEach(({ mark }, n) => {
      const box = button(mark ? el("span", { class: "loss-mark" }, mark) : "", () => {
        const ticks = store.ticks(app.id), ticked = read();
        ticks.set(id, ticked >= (n + 1) * step ? n * step : ticked > n * step ? (n + 1) * step : n * step + 1);
        store.saveTicks(app.id, ticks);
        app.warn();
        show();
      }, { class: "tick " + shape, role: "checkbox", "aria-label": [say("{box} {n} of {number}", { box: name, n: n + 1, number: boxes.length }), of, mark].filter((part) => part).join(", ") });
      box.addEventListener("keydown", (event) => {
        const to = { ArrowRight: n + 1, ArrowLeft: n - 1, Home: 0, End: boxes.length - 1 }[event.key];
        if (made[to]) { event.preventDefault(); made[to].focus(); }
      });
      made.push(box);
    });
    show();
    return el("div", { class: "track", role: "group", "aria-label": say("{boxes} of {unit}", { boxes: isLoss ? say("Losses") : name, unit: of }) }, made);
  }
  /* The boxes for the losses of one of the units that a node stands for; `losses` are those of its card, if it has one. */
  function lossTrack(app, node, copy, losses) {
    const size = Math.min(node.entry?.size ? Number(node.number(node.entry.size)) : 0, MOST_BOXES), copies = node.count.is(1) ? "" : " (" + (copy + 1) + ")";
    const boxes = losses && !losses.of ? losses.boxes : Array.from({ length: size }, () => ({}));
    if (!boxes.length) { return null; }
    const made = track(app, { id: node.path + " " + node.label + " " + copy, boxes, name: say("Loss"), isLoss: true, of: node.label + copies, halved: losses?.halved });
    const said = [losses?.label, losses?.remark, ...(losses?.meanings ?? []).map(([mark, meaning]) => mark + ": " + (meaning || "▢")), losses?.halved && say("two ticks a box")].filter((part) => part);
    return said.length ? el("div", { class: "losses" }, el("p", { class: "hint" }, said.join(" · ")), made) : made;
  }
  /* The boxes of a node on a roster: for losses, or for what a unit without a size collects, such as kills. */
  function tracks(app, node) {
    const number = Math.min(Number(node.count), 20), found = [], card = app.parts?.card(node);
    for (let copy = 0; copy < number; copy += 1) { found.push(lossTrack(app, node, copy, card?.losses) ?? el("div", { class: "tallies" }, tallyTracks(app, node, copy, card))); }
    return found;
  }
  function tallyTracks(app, node, copy, card) {
    return (card?.tallies ?? []).map((tally) => el("div", { class: "losses" }, el("p", { class: "hint" }, [tally.label, tally.remark].filter((part) => part).join(" · ")), track(app, { id: [node.path, node.label, copy, tally.label].join(" "), boxes: tally.boxes, name: tally.label, of: node.label, shape: tally.shape })));
  }
  function heading(app) {
    const { verdict, system } = app, { army } = verdict;
    return el("header", { class: "sheet-head" },
      el("h2", null, Muster.listName(app.list)),
      el("p", null, [system.title, army.root.book?.title, app.list.player, Muster.totalText(verdict), verdict.legal ? say("legal") : say("not legal")].filter((part) => part).join(" · ")),
      army.root.notes ? el("p", null, army.root.notes) : null);
  }
  function tools(app) {
    return el("p", { class: "tools noprint" }, button(say("Print"), () => window.print(), { class: "main" }), clearButton(app));
  }
  function clearButton(app) {
    return button(say("Clear all ticks"), () => {
      const kept = store.ticks(app.id);
      store.saveTicks(app.id, new Map());
      app.render();
      app.tell(say("All ticks are cleared."), [say("Tick them again"), () => { store.saveTicks(app.id, kept); app.render(); }]);
    });
  }

  function roster(app) {
    const sections = [];
    const tell = (node, depth) => {
      if (node.isBranch) {
        if (node.path) { sections.push(el(depth > 1 ? "h4" : "h3", { class: "branch" }, node.label, attributesOf(node) ? el("span", { class: "hint" }, " " + attributesOf(node)) : null)); }
        node.children.forEach((child) => tell(child, depth + 1));
        return;
      }
      const points = pointsOf(app.verdict, node);
      sections.push(el("div", { class: node.level === Muster.LEADER ? "entry leader" : "entry" },
        el("div", { class: "line" }, el("b", null, (node.count.is(1) ? "" : node.count + " × ") + node.label), el("span", { class: "details" }, attributesOf(node)), points === null ? null : el("span", { class: "points" }, shownNumber(points))),
        valueList(app, node), node.notes ? el("p", { class: "hint" }, node.notes) : null, tracks(app, node)));
    };
    tell(app.verdict.army.root, 0);
    const findings = app.verdict.findings.map((finding) => el("li", null, (finding.severity === "error" ? say("Error") : say("Warning")) + say(":") + " " + finding.message + " " + tellFound(finding) + " " + finding.remedy));
    return el("div", { class: "roster-view" }, tools(app), heading(app), sections, findings.length ? el("section", { class: "findings" }, el("h3", null, say("Findings")), el("ul", null, findings)) : null);
  }

  /* The cards of a node, one for each of the units that it stands for. */
  function cardsOf(app, node) {
    const card = app.parts?.card(node) ?? null, points = pointsOf(app.verdict, node), line = app.verdict.price.lines.find((each) => each.node === node), found = [];
    for (let copy = 0; copy < Math.min(Number(node.count), 100); copy += 1) { found.push(cardView(app, node, copy, card, points === null ? null : line?.each ?? null)); }
    return found;
  }
  function cardView(app, node, copy, card, each) {
    const picture = Muster.pictureOf(app.pictures, node), said = attributesOf(node), facts = [said, ...(card?.facts ?? []).filter((fact) => !said.toLowerCase().includes(fact.toLowerCase()))].filter((part) => part).join(" · ");
    const article = el("article", { class: "unit-card" },
      el("header", null, card?.symbol ? symbolOf(card.symbol) : null, el("div", null, el("h3", null, node.name || node.title), node.name ? el("p", { class: "hint" }, node.title) : null)),
      pictureView(picture),
      facts ? el("p", null, facts) : null,
      card?.figures.length ? el("dl", { class: "figures" }, card.figures.map(({ label, cell }) => el("div", null, el("dd", null, cell.kind === "blank" ? "▢" : cell.text), el("dt", null, label)))) : null,
      card?.blocks.length ? card.blocks.map(blockView) : valueList(app, node),
      node.notes ? el("p", { class: "hint" }, node.notes) : null,
      lossTrack(app, node, copy, card?.losses),
      tallyTracks(app, node, copy, card),
      card?.boxes.length ? el("ul", { class: "written" }, card.boxes.map((label) => el("li", null, label))) : null,
      el("p", { class: "foot" }, [commandOf(node), each === null ? "" : sayNumber("{n} point", "{n} points", each)].filter((part) => part).join(" · ")));
    if (card) { article.style.setProperty("--own", card.colour); }
    return article;
  }
  function pictureView(picture) { return picture ? el("figure", { class: "picture" }, el("img", { src: picture.address, alt: picture.alt }), picture.credit ? el("figcaption", { class: "hint" }, picture.credit) : null) : null; }
  function symbolOf(outline) {
    const [svg, path] = ["svg", "path"].map((tag) => document.createElementNS("http://www.w3.org/2000/svg", tag));
    svg.setAttribute("viewBox", "0 0 100 100");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", outline);
    svg.append(path);
    return svg;
  }
  function cellText(cell) { return cell.kind === "blank" ? "▢" : cell.text; }
  /* A block of a card: a table where its columns have heads, else its rows one after the other. */
  function blockView(block) {
    const title = block.title ? el("h4", null, block.title) : null;
    const pairs = (list) => el("section", { class: "card-block tone-" + block.tone }, title, el("dl", { class: "values" }, list.map(([label, text]) => el("div", null, el("dt", null, label), el("dd", null, text)))));
    if (!block.heads.length) { return pairs(block.rows.map((row) => [row.label, row.cells.map(cellText).join(" ")])); }
    // Many heads above a single row would be too narrow for their words.
    if (block.rows.length === 1 && block.heads.length > MOST_HEADS) { return pairs(block.heads.map((head, n) => [head, cellText(block.rows[0].cells[n])]).filter(([, text]) => text && text !== "–")); }
    return el("section", { class: "card-block tone-" + block.tone }, el("table", null,
      el("thead", null, el("tr", null, block.title ? el("th", { scope: "col" }, block.title) : el("td", null), block.heads.map((head) => el("th", { scope: "col" }, head)))),
      el("tbody", null, block.rows.map((row) => el("tr", null, row.label ? el("th", { scope: "row" }, row.label) : el("td", null), row.cells.map((cell) => el("td", null, cellText(cell))))))));
  }

  const ON_A_SHEET = 9;
  function cards(app) {
    const found = app.verdict.army.nodes.filter((each) => each.entry).flatMap((node) => cardsOf(app, node)), sheets = [];
    for (let n = 0; n < found.length; n += ON_A_SHEET) { sheets.push(el("div", { class: "card-sheet" }, found.slice(n, n + ON_A_SHEET), cutMarks())); }
    return el("div", { class: "cards-view" }, tools(app), heading(app), el("div", { class: "deck" }, sheets));
  }
  /* Marks beside a printed sheet of cards, at which they are cut: millimetres from the corner of the first card. */
  function cutMarks() {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg"), path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    const across = [0, 1, 2, 3].map((n) => n * CARD_WIDTH), down = [0, 1, 2, 3].map((n) => n * CARD_HEIGHT);
    const drawn = [...across.map((x) => "M" + x + "-5v4M" + x + " " + (down[3] + 1) + "v4"), ...down.map((y) => "M-5 " + y + "h4M" + (across[3] + 1) + " " + y + "h4")];
    svg.setAttribute("viewBox", "0 0 " + across[3] + " " + down[3]);
    svg.setAttribute("class", "cut-marks");
    svg.setAttribute("aria-hidden", "true");
    path.setAttribute("d", drawn.join(""));
    svg.append(path);
    return svg;
  }
  /* Sets the type of each card as large as it fits on its paper; before a page is printed. */
  function fitCards() {
    const deck = document.querySelector(".deck");
    if (!deck) { return; }
    document.body.classList.add("on-paper");
    for (const card of /** @type {NodeListOf<HTMLElement>} */ (deck.querySelectorAll(".unit-card"))) {
      for (let size = LARGEST_TYPE; size >= SMALLEST_TYPE; size -= 0.5) {
        card.style.setProperty("--type", size + "pt");
        if (card.scrollHeight <= card.clientHeight) { break; }
      }
    }
    document.body.classList.remove("on-paper");
  }
  window.addEventListener("beforeprint", fitCards);
  function commandOf(node) { return node.parent?.path ? node.parent.label : ""; }

  Object.assign(Muster, { roster, cards, cardsOf, clearButton, tracks, shownValues, pictureView, symbolOf });
}(window.Muster));
