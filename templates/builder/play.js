/* The roster and the cards of a list, to print and to play with: boxes for losses stay ticked on this device. */
(function (Muster) {
  "use strict";
  const { el, button, store, exact } = Muster;
  const MOST_BOXES = 60;

  function pointsOf(verdict, node) { return verdict.price.lines.find((line) => line.node === node)?.points ?? null; }
  function valuesOf(node) {
    return [...(node.profile?.stats.keys() ?? [])].map((name) => [node.fieldSpec(name)?.title || name, node.shown(name)]).filter(([, shown]) => shown && shown !== "–");
  }
  function valueList(node) {
    const values = valuesOf(node);
    return values.length ? el("dl", { class: "values" }, values.map(([title, shown]) => el("div", null, el("dt", null, title), el("dd", null, shown)))) : null;
  }
  function attributesOf(node) { return Muster.detailsOf(node).join(", "); }

  /* A track of boxes: a box ticks those before it, and takes those after it with it when it is unticked. */
  function track(app, node, copy) {
    const most = Math.min(node.entry?.size ? Number(node.number(node.entry.size)) : 0, MOST_BOXES);
    if (!most) { return null; }
    const id = node.path + " " + node.label + " " + copy, boxes = [];
    const show = () => {
      const ticked = Math.min(store.ticks(app.id).get(id) ?? 0, most);
      boxes.forEach((box, n) => { box.setAttribute("aria-checked", String(n < ticked)); });
    };
    for (let n = 0; n < most; n += 1) {
      boxes.push(button("", () => {
        const ticks = store.ticks(app.id), ticked = ticks.get(id) ?? 0;
        ticks.set(id, ticked > n ? n : n + 1);
        store.saveTicks(app.id, ticks);
        app.warn();
        show();
      }, { class: "tick", role: "checkbox", "aria-label": "Loss " + (n + 1) + " of " + most + ", " + node.label + (node.count.is(1) ? "" : " (" + (copy + 1) + ")") }));
      boxes[n].addEventListener("keydown", (event) => {
        const to = { ArrowRight: n + 1, ArrowLeft: n - 1, Home: 0, End: most - 1 }[event.key];
        if (boxes[to]) { event.preventDefault(); boxes[to].focus(); }
      });
    }
    show();
    return el("div", { class: "track", role: "group", "aria-label": "Losses of " + node.label }, boxes);
  }
  function tracks(app, node) {
    const number = Math.min(Number(node.count), 20), found = [];
    for (let copy = 0; copy < number; copy += 1) { found.push(track(app, node, copy)); }
    return found;
  }
  function heading(app) {
    const { verdict, system } = app, { army } = verdict;
    return el("header", { class: "sheet-head" },
      el("h2", null, army.name),
      el("p", null, [system.title, army.root.book?.title, app.list.player, Muster.totalText(verdict), verdict.legal ? "legal" : "not legal"].filter((part) => part).join(" · ")),
      army.root.notes ? el("p", null, army.root.notes) : null);
  }
  function tools(app) {
    return el("p", { class: "tools noprint" },
      button("Print", () => window.print(), { class: "main" }),
      button("Clear all ticks", () => {
        const kept = store.ticks(app.id);
        store.saveTicks(app.id, new Map());
        app.render();
        app.tell("All ticks are cleared.", ["Tick them again", () => { store.saveTicks(app.id, kept); app.render(); }]);
      }));
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
      sections.push(el("div", { class: "entry" },
        el("div", { class: "line" }, el("b", null, (node.count.is(1) ? "" : node.count + " × ") + node.label), el("span", { class: "details" }, attributesOf(node)), points === null ? null : el("span", { class: "points" }, String(points))),
        valueList(node), node.notes ? el("p", { class: "hint" }, node.notes) : null, tracks(app, node)));
    };
    tell(app.verdict.army.root, 0);
    const findings = app.verdict.findings.map((finding) => el("li", null, (finding.severity === "error" ? "Error: " : "Warning: ") + finding.message + " There is: " + finding.actual + ". Allowed: " + finding.allowed + ". " + finding.remedy));
    return el("div", { class: "roster-view" }, tools(app), heading(app), sections, findings.length ? el("section", { class: "findings" }, el("h3", null, "Findings"), el("ul", null, findings)) : null);
  }

  function cards(app) {
    const found = [];
    for (const node of app.verdict.army.nodes.filter((each) => each.entry)) {
      const points = pointsOf(app.verdict, node), line = app.verdict.price.lines.find((each) => each.node === node);
      for (let copy = 0; copy < Math.min(Number(node.count), 100); copy += 1) {
        found.push(el("article", { class: "unit-card" },
          el("h3", null, node.name || node.title), node.name ? el("p", { class: "hint" }, node.title) : null,
          el("p", null, attributesOf(node)), valueList(node), node.notes ? el("p", { class: "hint" }, node.notes) : null, track(app, node, copy),
          el("p", { class: "foot" }, [commandOf(node), points === null || !line?.each ? "" : line.each + (line.each.compare(exact(1)) === 0 ? " point" : " points")].filter((part) => part).join(" · "))));
      }
    }
    return el("div", { class: "cards-view" }, tools(app), heading(app), el("div", { class: "deck" }, found));
  }
  function commandOf(node) { return node.parent?.path ? node.parent.label : ""; }

  Object.assign(Muster, { roster, cards });
}(window.Muster));
