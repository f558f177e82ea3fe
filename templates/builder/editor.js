/* The page on which a list is built: a row for each command, leader and unit, and the verdict beside them. */
(function (Muster) {
  "use strict";
  const {
    store, el, button, field, select, announce, say, sayNumber, shownNumber, place, at, set, remove, duplicate, shift, move, trial, added, allowedNumbers, nextNumber, addUnit, addLeader, addCommand,
    preview, withoutOption, keyPath, unitsFor, lowerFirst, joinWords, totalText, expectation, tellFound, MAX_COUNT, MAX_SIZE
  } = Muster;

  /* A list from a stranger may have thousands of findings, and each remedy is found by trying it on all units. */
  const MOST_FINDINGS = 50, MOST_NODES = 300, MOST_MILLISECONDS = 8;
  let app, rows = new Map(), tree, side, fixTimer, dialog = null;

  function pointsText(points) { return sayNumber("{n} point", "{n} points", points); }
  function edit(list, change = {}) { app.edit(list, change); }
  function key(node, role) { return (node.path || "army") + " " + role; }
  function focused() { return document.activeElement instanceof HTMLElement ? document.activeElement : null; }
  function isTyping(holder) {
    const focus = document.activeElement;
    return holder.contains(focus) && focus.matches("input:not([type=checkbox]), textarea");
  }

  // What is said about a node

  /* The findings and the costs of all nodes, gathered once for a verdict. */
  const known = { of: null, findings: new Map(), costs: new Map() };
  function gathered() {
    if (known.of !== app.verdict) {
      const findings = new Map(), costs = new Map();
      for (const finding of app.verdict.findings) { findings.set(finding.node.path, [...(findings.get(finding.node.path) ?? []), finding]); }
      for (const { node, known: points } of app.verdict.price.lines) {
        for (let each = node; each; each = each.parent) { costs.set(each, (costs.get(each) ?? Muster.ZERO).plus(points)); }
      }
      Object.assign(known, { of: app.verdict, findings, costs });
    }
    return known;
  }
  function findingsAt(node) { return gathered().findings.get(node.path) ?? []; }
  function costOf(node) { return gathered().costs.get(node) ?? null; }
  function isBelow(node, above) {
    for (let each = node.parent; each; each = each.parent) { if (each === above) { return true; } }
    return false;
  }

  // Rows

  function summary(node) {
    const path = keyPath(node.path), cost = costOf(node), findings = findingsAt(node), open = app.open === (node.path || "army");
    const errors = findings.filter((finding) => finding.severity === "error").length;
    const size = node.entry?.size, isFixed = size && node.profile?.fields.has(size);
    const label = node.isBranch && node.path ? node.title + (node.name ? " " + node.name : " " + (Number(path[path.length - 1]) + 1)) : node.isBranch ? Muster.listName(app.list) : node.label;
    const details = node.isBranch ? [] : Muster.detailsOf(node).slice(size && node.value(size)?.number && !isFixed ? 1 : 0);
    return [
      button([
        el("span", { class: "label" }, (node.count.is(1) ? "" : node.count + " × ") + label),
        details.length ? el("span", { class: "details" }, Muster.joinLabels(details)) : null
      ], () => app.toggle(node.path || "army"), { class: "name", "aria-expanded": String(open), "data-key": key(node, "name") }),
      findings.length ? el("span", { class: errors ? "mark bad" : "mark warn", title: findings.map((finding) => finding.message).join(" ") }, errors ? "✗" : "!", el("span", { class: "unseen" }, (errors ? say("not legal") : say("warning")) + say(":") + " " + findings.map((finding) => finding.message).join(" "))) : null,
      size && !isFixed ? stepper(node, size) : null,
      cost === null ? null : el("span", { class: "points" }, shownNumber(cost), el("span", { class: "unseen" }, " ", say("points")))
    ];
  }
  function stepper(node, size) {
    const spec = node.fieldSpec(size), now = Number(node.number(size)), path = keyPath(node.path);
    const step = (by) => {
      const number = Math.min(Math.max(nextNumber(app.system, app.list, path, size, now, by), 1), MAX_SIZE);
      edit(set(app.list, path, size, String(number)));
      announce(node.label + say(":") + " " + number + " " + (number === 1 ? spec.one : spec.many || spec.title || size));
    };
    const noun = Muster.withNoun(node.number(size), spec.one || lowerFirst(spec.title || size), spec.many || lowerFirst(spec.title || size));
    return el("span", { class: "stepper", role: "group", "aria-label": say("{boxes} of {unit}", { boxes: spec.title || size, unit: node.label }) },
      button("−", () => step(-1), { "aria-label": say("Fewer"), "data-key": key(node, "fewer") }),
      el("span", { class: "size" }, noun),
      button("+", () => step(1), { "aria-label": say("More"), "data-key": key(node, "more") }));
  }

  function editor(node) {
    const path = keyPath(node.path), parts = [], tried = trial(app.system, app.list, path);
    const line = app.verdict.price.lines.find((each) => each.node === node);
    if (line) { parts.push(el("p", { class: "working" }, say("Price") + say(":") + " " + line.working)); }
    parts.push(...findingsAt(node).map((finding) => findingView(finding, false)));
    const values = node.isBranch ? [] : Muster.shownValues?.(app, node) ?? [];
    if (values.length) { parts.push(el("dl", { class: "values" }, values.map(([head, shown, title]) => el("div", { title }, el("dt", null, head), el("dd", null, shown))))); }
    const given = node.givenOptions.map((option) => option.title);
    if (given.length) { parts.push(el("p", { class: "hint" }, say("Always has: {options}.", { options: Muster.joinLabels(given) }))); }
    if (node.profile?.notes) { parts.push(el("p", { class: "hint" }, node.profile.notes)); }
    const fields = [textField(node, path, "name", say("Name"))];
    if (!node.path) { fields.push(...armyFields(path)); }
    if (node.isBranch) { fields.push(bookField(node, path)); }
    if (!node.isBranch && node.level !== Muster.LEADER) {
      fields.push(field(say("How many of these"), numberInput(node, path, "count", String(node.count), 1, MAX_COUNT)));
    }
    if (!node.isBranch && node.level !== Muster.LEADER && Muster.ownedInput) { fields.push(ownedField(node)); }
    for (const [name, spec] of node.fieldSpecs) { fields.push(valueField(node, path, name, spec, tried)); }
    fields.push(textField(node, path, "notes", say("Notes")));
    parts.push(el("div", { class: "fields" }, fields));
    if (!node.isBranch && app.system.options.size) { parts.push(optionsField(node, path, tried)); }
    if (node.path) { parts.push(actions(node, path)); }
    return parts;
  }
  function textField(node, path, name, title) {
    const value = at(app.list, path)[name] ?? "";
    return field(title, el("input", {
      type: "text", value, maxlength: 300, autocomplete: "off", "data-key": key(node, name),
      oninput: (event) => edit(set(app.list, path, name, event.target.value.trim() ? event.target.value : undefined), { typing: key(node, name) })
    }));
  }
  function numberInput(node, path, name, value, least, most, form = "whole") {
    return el("input", {
      type: "text", inputmode: form === "points" ? "decimal" : "numeric", value, autocomplete: "off", "data-key": key(node, name),
      oninput: (event) => {
        const typed = event.target.value.trim(), text = form === "points" ? Muster.typedPoints(typed) ?? typed : typed, wrong = text && (expectation({ form, of: new Map() }, text) || Number(text) < least || Number(text) > most);
        event.target.setAttribute("aria-invalid", String(Boolean(wrong)));
        event.target.classList.toggle("wrong", Boolean(wrong));
        if (!wrong && (text || !node.entry || name !== node.entry.size)) {
          edit(set(app.list, path, name, text === "" || (name === "count" && text === "1") ? undefined : text), { typing: key(node, name) });
        }
      }
    });
  }
  /* How many of these units somebody owns, whatever the list. */
  function ownedField(node) { return field(say("You own"), Muster.ownedInput(app.system, Muster.ownedKey(node), () => app.sync(false), { "data-key": key(node, "owned") })); }
  /* The units of which the list has more than somebody owns; of others nothing was counted. */
  function missingUnits() {
    const owned = store.owned(app.system.id), needed = new Map();
    if (!owned.size || !Muster.ownedKey) { return []; }
    for (const node of app.verdict.army.nodes.filter((each) => each.entry && !each.isBranch)) {
      const unit = Muster.ownedKey(node), [, number] = needed.get(unit) ?? [node, 0];
      if (Muster.ownedOf(owned, unit) !== undefined) { needed.set(unit, [node, number + Number(node.count)]); }
    }
    return [...needed].map(([unit, [node, number]]) => [node, number, Muster.ownedOf(owned, unit)]).filter(([, number, have]) => number > have)
      .map(([node, number, have]) => say("{missing} × {unit} (the list has {number}, you own {owned})", { missing: number - have, unit: node.title, number, owned: have }));
  }
  function armyFields(path) {
    const root = app.verdict.army.root, fields = [textField(root, path, "player", say("Player"))];
    if (app.system.prices) { fields.push(field(say("Limit in points"), numberInput(root, path, "limit", app.list.limit ?? "", 0, 1e9, "points"))); }
    if (app.system.scales.length > 1) {
      fields.push(field(say("Scale"), select(app.system.scales, app.list.scale ?? app.system.scales[0][0], (value) => edit(set(app.list, path, "scale", value)), { "data-key": "army scale" })));
    }
    return fields;
  }
  function bookField(node, path) {
    if (!app.system.books.size) { return null; }
    const own = at(app.list, path).book ?? "", above = node.parent?.book, none = above ? say("As above: {book}", { book: above.title }) : say("None: all types");
    const choices = [["", none], ...[...app.system.books.values()].map((book) => [book.id, book.title])];
    return field(say("Army book"), select(choices, own, (value) => changeBook(path, value), { "data-key": key(node, "book") }));
  }
  /* Another book is taken only if it has all the units that it must have. */
  function changeBook(path, value) {
    const fixed = [...(app.system.books.get(value)?.attributes.keys() ?? [])];
    const list = fixed.reduce((made, name) => set(made, path, name, undefined), set(app.list, path, "book", value || undefined)), { problems } = Muster.readList(app.system, list);
    if (problems.length) {
      announce("");
      app.tell(say("This list has units that the other book does not have: {problem}.", { problem: problems[0].text }));
      return;
    }
    edit(list);
  }
  function valueField(node, path, name, spec, tried) {
    // What a unit has of its book, and a command of its own; to say anything else would be refused.
    const stated = node.isBranch ? node.book?.attributes.has(name) : node.profile?.fields.has(name), title = spec.title || name;
    const value = at(app.list, path)[name];
    if (stated) { return el("p", { class: "field" }, el("span", { class: "title" }, title), say("{value} (as the book says)", { value: node.shown(name) })); }
    const rolled = spec.roll ? say("Rolled: {dice}", { dice: spec.roll.dice }) + ", " + say("“{title}”", { title: spec.roll.title }) : "";
    const change = (raw) => edit(set(app.list, path, name, raw === "" ? undefined : raw));
    if (spec.form === "choice" || spec.form === "flag") {
      const choices = spec.form === "flag" ? [["true", say("yes")], ["false", say("no")]] : [...spec.of];
      const barred = new Map();
      for (const [id] of choices) {
        const errors = added(tried, (item) => ({ ...item, [name]: id }));
        if (errors.length && id !== (value ?? node.text(name))) { barred.set(id, errors); }
      }
      const unset = node.value(name) && value === undefined ? "– (" + node.shown(name) + ")" : "–";
      // What holds where nothing is said is chosen from the start, and not offered a second time.
      const isUsual = spec.default && (value !== undefined || node.text(name) === spec.default.text) && !node.parent?.text(name), usual = isUsual ? spec.default.text : undefined;
      const mayBeOpen = !isUsual && (!spec.required || value === undefined);
      const marked = [...(mayBeOpen ? [["", unset]] : []), ...choices.map(([id, text]) => [id, barred.has(id) ? "✗ " + say("{value} (not allowed)", { value: text }) : text])];
      const why = [...new Set([...barred.values()].flat())].join(" ");
      return field(title, select(marked, value ?? usual ?? "", (raw) => change(raw === usual ? "" : raw), { "data-key": key(node, name) }), [rolled, why && "✗ " + why].filter((part) => part).join(" ") || null);
    }
    if (spec.form === "whole" || spec.form === "points") {
      const isSize = name === node.entry?.size, shown = value ?? "", fallback = node.value(name)?.text;
      const input = numberInput(node, path, name, shown, isSize ? 1 : 0, isSize ? MAX_SIZE : 1e9, spec.form);
      if (fallback && value === undefined) { input.placeholder = fallback; }
      const allowed = isSize ? allowedText(path, name) : rolled;
      return field(title, input, allowed);
    }
    if (spec.of.size) {
      return field(title, select([["", value === undefined && node.shown(name) ? "– (" + node.shown(name) + ")" : "–"], ...spec.of, ...(value && !spec.of.has(value) ? [[value, value]] : [])], value ?? "", change, { "data-key": key(node, name) }));
    }
    return textField(node, path, name, title);
  }
  function allowedText(path, name) {
    const numbers = allowedNumbers(app.system, app.list, path, name, 1), ranges = [];
    for (const number of numbers) {
      const last = ranges[ranges.length - 1];
      if (last && last[1] === number - 1) { last[1] = number; } else { ranges.push([number, number]); }
    }
    const said = ranges.map(([low, high]) => (high === 60 ? say("{number} or more", { number: low }) : low === high ? String(low) : low + "–" + high));
    if (ranges.length === 1 && ranges[0].join() === "1,60") { return ""; }
    return say("Allowed: {numbers}", { numbers: said.length > 8 ? said.slice(0, 8).join(", ") + " …" : joinWords(said, "or") });
  }
  function optionsField(node, path, tried) {
    const own = at(app.list, path).options ?? [], given = node.givenOptions.map((option) => option.id), may = [], others = [];
    for (const option of [...app.system.options.values()].filter((each) => !given.includes(each.id))) {
      const chosen = own.includes(option.id), errors = chosen ? [] : added(tried, (item) => ({ ...item, options: [...(item.options ?? []), option.id] }));
      const box = el("input", {
        type: "checkbox", checked: chosen, "data-key": key(node, "option " + option.id),
        onchange: () => edit(chosen ? withoutOption(app.list, path, option.id) : set(app.list, path, "options", [...own, option.id]))
      });
      (errors.length ? others : may).push(el("label", { class: "check" }, box, el("span", null, option.title, errors.length ? el("span", { class: "hint" }, " ✗ " + errors[0]) : null)));
    }
    if (!may.length && !others.length) { return null; }
    return el("fieldset", { class: "options" }, el("legend", null, say("Options")), may,
      others.length ? el("details", null, el("summary", { "data-key": key(node, "others") }, say("{number} not allowed for this {thing}", { number: others.length, thing: node.level === Muster.LEADER ? say("leader") : lowerFirst(app.system.levels.get(node.level).title) })), others) : null);
  }
  function actions(node, path) {
    const isListed = typeof path[path.length - 1] === "number", items = [];
    const shifted = (by) => {
      const list = shift(app.list, path, by), to = [...path.slice(0, -1), path[path.length - 1] + by];
      if (list !== app.list) {
        edit(list, { open: Muster.pathText(to), focus: Muster.pathText(to) + (by < 0 ? " up" : " down") });
        announce(say("{unit} is now number {number}", { unit: node.label, number: to[to.length - 1] + 1 }));
      }
    };
    if (isListed) {
      items.push(button("↑ " + say("Up"), () => shifted(-1), { "data-key": key(node, "up") }), button("↓ " + say("Down"), () => shifted(1), { "data-key": key(node, "down") }));
      items.push(button(say("Duplicate"), () => {
        const to = [...path.slice(0, -1), path[path.length - 1] + 1];
        edit(duplicate(app.list, path), { open: Muster.pathText(to), focus: Muster.pathText(to) + " name" });
      }, { "data-key": key(node, "duplicate") }));
      const homes = homesFor(node);
      if (homes.length) {
        items.push(el("label", { class: "move" }, say("Move to"), " ", select([["", "…"], ...homes.map(([text, label]) => [text, label])], "", (text) => {
          if (!text) { return; }
          const [, , target, listKey] = homes.find(([each]) => each === text), moved = move(app.list, path, target, listKey);
          edit(moved.list, { open: Muster.pathText(moved.path), focus: Muster.pathText(moved.path) + " name" });
        }, { "data-key": key(node, "move") })));
      }
    }
    items.push(button(say("Remove"), () => {
      edit(remove(app.list, path), { open: "", focus: (node.parent.path || "army") + " name" });
      announce(say("{unit} removed; Undo brings it back", { unit: node.label }));
    }, { class: "danger", "data-key": key(node, "remove") }));
    return el("div", { class: "actions" }, items);
  }
  /* The other commands under which a node may stand: the text and label of each, its path, and the key of its list. */
  function homesFor(node) {
    const level = app.system.levels.get(node.level);
    if (!level) { return []; }
    return app.verdict.army.nodes.filter((each) => each.isBranch && each !== node.parent && each !== node && !isBelow(each, node) && level.under.includes(each.level)).map((each) => {
      const path = keyPath(each.path), number = path.length ? " " + (Number(path[path.length - 1]) + 1) : "";
      return [each.path || "army", each.path ? each.title + (each.name ? " " + say("“{title}”", { title: each.name }) : number) : each.title, path, level.key];
    });
  }

  function adders(node) {
    const path = keyPath(node.path), level = app.system.levels.get(node.level), items = [];
    for (const [name, led] of level.leaders) {
      if (led.many || !node.item[name]) {
        items.push(button("+ " + app.system.entries.get(led.entry).title, () => {
          const made = addLeader(app.system, app.list, path, name, led);
          edit(made.list, { open: Muster.pathText(made.path), focus: Muster.pathText(made.path) + " name" });
        }, { "data-key": key(node, "add " + name) }));
      }
    }
    for (const below of app.system.below.get(level.id)) {
      const isUnits = app.system.bottom.has(below.id);
      items.push(button("+ " + below.title + (isUnits ? " …" : ""), () => {
        if (isUnits) { openDialog(node.path, below); return; }
        const made = addCommand(app.system, app.list, path, below);
        edit(made.list, { open: Muster.pathText(made.path), focus: Muster.pathText(made.path) + " name" });
      }, { class: isUnits ? "main" : null, "data-key": key(node, "add " + below.id) }));
    }
    return items;
  }

  // The tree: rows that did not change stay as they are

  function rowsOf(node, depth, found) {
    found.push({ id: node.path || "army", kind: "node", node, depth });
    for (const child of node.children) { rowsOf(child, depth + 1, found); }
    if (node.isBranch) { found.push({ id: (node.path || "army") + " +", kind: "adders", node, depth: depth + 1 }); }
    return found;
  }
  function signatureOf({ kind, node }) {
    if (kind === "adders") { return JSON.stringify([node.path, node.level, Object.keys(node.item)]); }
    const own = node.isBranch ? Object.entries(node.item).filter(([, value]) => typeof value === "string") : node.item;
    return JSON.stringify([node.path, own, node.label, String(costOf(node)), node.book?.id, findingsAt(node).map((finding) => [finding.message, finding.actual, finding.remedy])]);
  }
  function syncTree() {
    const focus = focused()?.dataset.key, kept = new Map(), elements = [];
    for (const row of rowsOf(app.verdict.army.root, 0, [])) {
      let held = rows.get(row.id);
      const signature = signatureOf(row), isOpen = row.kind === "node" && app.open === row.id;
      if (!held) {
        held = { li: el("li", { class: row.kind, "data-id": row.kind === "node" ? row.id : null }), line: el("div", { class: "line" }), more: el("div", { class: "more" }), grip: el("span", { class: "grip", "aria-hidden": "true" }, "⠿") };
        held.li.append(held.line);
        if (row.kind === "node") { drag(held, row.id); }
      }
      held.li.style.setProperty("--depth", row.depth);
      held.li.classList.toggle("branch", row.node.isBranch && row.kind === "node");
      if (held.signature !== signature || held.open !== isOpen) {
        held.line.replaceChildren(...(row.kind === "adders" ? adders(row.node) : [row.id === "army" || row.node.level === Muster.LEADER ? null : held.grip, ...summary(row.node)]).filter((part) => part));
        held.li.classList.toggle("open", isOpen);
        if (!isOpen) { held.more.remove(); held.stale = false; } else { held.stale = true; }
      }
      // What is being typed into stays; it is renewed with the next change.
      if (isOpen && (held.stale || app.listChanged) && !isTyping(held.more)) {
        held.more.replaceChildren(...editor(row.node).filter((part) => part));
        held.li.append(held.more);
        held.stale = false;
      }
      held.signature = signature;
      held.open = isOpen;
      kept.set(row.id, held);
      elements.push(held.li);
    }
    rows = kept;
    place(tree, elements);
    const wanted = app.focus ?? (document.activeElement === document.body || !document.activeElement ? focus : null);
    app.focus = null;
    // What had the focus may be gone: then the army takes it, so that keys never lead back to the top of the page.
    const target = wanted && /** @type {HTMLElement | null} */ (document.querySelector('[data-key="' + CSS.escape(wanted) + '"]') ?? document.querySelector('[data-key="army name"]'));
    target?.focus({ preventScroll: true });
    if (app.reveal) { target?.scrollIntoView({ block: "nearest" }); }
    app.reveal = false;
  }
  /* A row is dragged onto another, onto a command or before a unit of its own kind: with a mouse by its line, with a
     finger by its grip, since the rest of the line scrolls the page. */
  const FAR = 6, EDGE = 90;
  function drag(held, id) {
    const { line, grip } = held;
    if (id === "army") { return; }
    let start = null, dragging = false, over = null;
    const end = (drops) => {
      const found = drops && over ? targetOf(id, over.dataset.id) : null;
      over?.firstElementChild.classList.remove("over");
      held.li.classList.remove("dragged");
      tree.classList.remove("dragging");
      if (dragging) {
        // The click that ends a drag opens nothing.
        const stop = (event) => { event.stopPropagation(); event.preventDefault(); };
        window.addEventListener("click", stop, { capture: true });
        setTimeout(() => window.removeEventListener("click", stop, { capture: true }), 50);
      }
      [start, dragging, over] = [null, false, null];
      listen("removeEventListener");
      if (!found) { return; }
      const moved = move(app.list, keyPath(id), found.path, found.key, found.before);
      edit(moved.list, { open: "", focus: Muster.pathText(moved.path) + " name" });
      announce(say("{unit} moved", { unit: found.from.label }));
    };
    line.addEventListener("pointerdown", (event) => {
      if (event.button !== 0 || !(event.target === grip || (event.pointerType === "mouse" && !event.target.closest(".stepper")))) { return; }
      start = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
      listen("addEventListener");
    });
    const follow = (event) => {
      if (!start || event.pointerId !== start.pointer) { return; }
      if (!dragging && Math.hypot(event.clientX - start.x, event.clientY - start.y) < FAR) { return; }
      if (!dragging) {
        dragging = true;
        held.li.classList.add("dragged");
        tree.classList.add("dragging");
      }
      const under = document.elementFromPoint(event.clientX, event.clientY), found = /** @type {HTMLElement | null} */ (under?.closest(".tree > li[data-id]") ?? null), next = found && targetOf(id, found.dataset.id) ? found : null;
      if (next !== over) {
        over?.firstElementChild.classList.remove("over");
        next?.firstElementChild.classList.add("over");
        over = next;
      }
      if (event.clientY < EDGE + 60) { window.scrollBy(0, -12); } else if (event.clientY > window.innerHeight - EDGE) { window.scrollBy(0, 12); }
    };
    const drop = (event) => { if (start?.pointer === event.pointerId) { end(dragging); } }, stop = () => end(false);
    const listen = (how) => { for (const [kind, listener] of [["pointermove", follow], ["pointerup", drop], ["pointercancel", stop]]) { /** @type {any} */ (window)[how](kind, listener); } };
    held.cancel = () => { if (start) { end(false); } };
  }
  /* Where a dragged row would go: its node, the path of a command, the key of its list, and the place before which it goes. */
  function targetOf(id, ontoId) {
    const { nodes } = app.verdict.army, from = nodes.find((node) => node.path === id), onto = nodes.find((node) => (node.path || "army") === ontoId);
    const level = from && app.system.levels.get(from.level);
    if (!from || !onto || !level || from === onto || isBelow(onto, from)) { return null; }
    if (onto.isBranch && level.under.includes(onto.level)) { return { from, path: keyPath(onto.path), key: level.key }; }
    return onto.level === from.level && onto.parent ? { from, path: keyPath(onto.parent.path), key: level.key, before: keyPath(onto.path).pop() } : null;
  }

  // The verdict

  function findingView(finding, isLinked) {
    const buttons = el("span", { class: "fixes" });
    buttons.search = () => Muster.findFixes(app.system, app.list, app.verdict, finding);
    buttons.show = (fixes) => {
      buttons.replaceChildren(...fixes.map((fix) => button(fix.label, () => {
        if (fix.go) { app.show(fix.go[0], fix.go[1]); return; }
        edit(fix.list, { open: app.open === "army" ? "" : app.open, focus: (finding.node.path || "army") + " name" });
        announce(say("{change}: done. Undo takes it back", { change: fix.label }));
      }, { class: "fix" })));
    };
    const { chapter, page } = finding.rule;
    return el("article", { class: "finding " + (finding.severity === "error" ? "error" : "warning"), "data-of": isLinked ? finding.node.path || "army" : null },
      el("p", { class: "what" }, el("span", { class: "severity" }, finding.severity === "error" ? say("Error") : say("Warning")), " ", finding.message),
      isLinked && finding.node.path ? button(finding.node.label, () => app.show(finding.node.path), { class: "link" }) : null,
      tellFound(finding) ? el("p", { class: "found" }, tellFound(finding)) : null,
      finding.remedy ? el("p", { class: "remedy" }, finding.remedy) : null,
      chapter ? el("p", { class: "rule" }, say("Rule") + say(":") + " ", page ? el("a", { href: page, target: "_blank", rel: "noopener" }, chapter) : chapter) : null,
      buttons);
  }
  function verdictView() {
    const { findings } = app.verdict, missing = missingUnits();
    return [
      el("h2", null, say("Verdict")),
      el("p", { class: app.verdict.legal ? "good" : "bad" }, app.verdict.legal ? say("Legal") : say("Not legal"), findings.length ? ", " + sayNumber("{n} finding", "{n} findings", findings.length) : ""),
      findings.slice(0, MOST_FINDINGS).map((finding) => findingView(finding, true)),
      findings.length > MOST_FINDINGS ? el("p", { class: "hint" }, say("And {number} more, which are marked at their units.", { number: findings.length - MOST_FINDINGS })) : null,
      missing.length ? [el("h2", null, say("Missing from your collection")), el("ul", { class: "missing" }, missing.map((text) => el("li", null, text)))] : []
    ].flat(2).filter((part) => part);
  }
  /* Where the verdict stands beside the list, it shows the findings of the open row, which has none itself. */
  let shown = "";
  function showFindings() {
    const own = [...side.querySelectorAll(".finding")].filter((each) => { const isOwn = each.dataset.of === app.open; each.classList.toggle("own", isOwn); return isOwn; });
    if (own.length && shown !== app.open && side.scrollHeight > side.clientHeight) { side.scrollTop = own[0].offsetTop - side.offsetTop; }
    shown = app.open;
  }
  function fillFixes() {
    clearTimeout(fixTimer);
    if (!Muster.findFixes || app.verdict.army.nodes.length > MOST_NODES) { return; }
    // One after the other, and each for some milliseconds only, so that the page answers meanwhile.
    let buttons = null, search = null;
    const next = () => {
      const until = performance.now() + MOST_MILLISECONDS;
      do {
        if (!search) {
          buttons = /** @type {any[]} */ ([...document.querySelectorAll(".fixes")]).find((each) => !each.done && each.offsetParent);
          if (!buttons) { return; }
          search = buttons.search();
        }
        const step = search.next();
        if (step.done) {
          buttons.done = true;
          buttons.show(step.value);
          search = null;
        }
      } while (performance.now() < until);
      fixTimer = setTimeout(next, 0);
    };
    fixTimer = setTimeout(next, 150);
  }

  // Choosing a unit

  /* The symbols of units that Muster has, as arms. */
  const arms = () => ({ foot: say("Foot"), horse: say("Horse"), gun: say("Guns"), skirmisher: say("Skirmishers"), wagon: say("Wagons"), wing: say("Wings"), flag: say("Flags"), officer: say("Officers"), commander: say("Commanders") });
  function openDialog(path, level) {
    if (!dialog) {
      dialog = el("dialog", { class: "adding", "aria-labelledby": "adding-title", onclose: () => app.sync() });
      document.body.append(dialog);
    }
    const node = () => app.verdict.army.nodes.find((each) => each.path === path), book = node().book;
    const search = el("input", { type: "search", autocomplete: "off", oninput: () => apply() }), only = el("input", { type: "checkbox", onchange: () => apply() });
    const units = unitsFor(app.system, book, level), types = new Map();
    const list = el("ul", { class: "units" }), items = units.map(([id, title]) => unitItem(id, title));
    for (const item of items) { types.set(item.entry.id, item.entry.title); }
    const kinds = select([["", say("All types")], ...types], "", () => apply(), {}), armsChoice = select([["", say("All arms")]], "", () => apply(), {}), armField = field(say("Arm"), armsChoice);
    armField.hidden = true;
    const status = el("p", { class: "hint", role: "status" });
    function unitItem(id, title) {
      const { entry, profile } = app.system.unitOfId(id, level.id, book), values = el("dl", { class: "values" }), picture = el("div");
      const cost = el("span", { class: "points" }), details = el("p", { class: "hint" }), verdict = el("p", { class: "hint" });
      const li = el("li", null,
        el("div", { class: "line" }, el("b", null, title), cost, button(say("Add"), () => {
          const made = addUnit(app.system, app.list, keyPath(path), level, id);
          edit(made.list, { quietly: true });
          status.textContent = say("{unit} added; {total}", { unit: title, total: totalText(app.verdict) });
          announce(status.textContent);
          fill();
        }, { class: "main", "aria-label": say("Add {unit}", { unit: title }) })),
        details, profile?.notes ? el("p", { class: "hint" }, profile.notes) : null, picture, values, verdict);
      const words = Muster.plainForm(title + " " + entry.title + " " + [...entry.attributes.values()].map((value) => value.text).join(" "));
      const item = { id, li, title, entry, words, cost, details, verdict, values, picture, arm: null, fits: true };
      tellDetails(item, (profile?.options ?? []).map((option) => option.title));
      return item;
    }
    function tellDetails({ details, entry, title }, said) { details.replaceChildren(Muster.joinLabels([entry.title === title ? "" : entry.title, ...said].filter((part) => part))); }
    const NOTHING = say("No unit matches all of that.");
    function apply() {
      const asked = Muster.plainForm(search.value).split(" ");
      const chosen = (item) => (!kinds.value || kinds.value === item.entry.id) && (!armsChoice.value || armsChoice.value === item.arm) && (!only.checked || item.fits);
      place(list, items.filter((item) => asked.every((word) => item.words.includes(word)) && chosen(item)).map((item) => item.li));
      if (!list.children.length) { status.textContent = NOTHING; } else if (status.textContent === NOTHING) { status.textContent = ""; }
    }
    /* The size, the values, the picture and the arm of a unit, as it would stand in the list. */
    function describe(item, node) {
      tellDetails(item, Muster.detailsOf(node));
      item.values.replaceChildren(...Muster.shownValues(app, node).map(([head, shown, title]) => el("div", { title }, el("dt", null, head), el("dd", null, shown))));
      const picture = Muster.pictureView(Muster.pictureOf(app.pictures, node)), rule = app.parts?.symbolRule(node);
      item.picture.replaceChildren(...(picture ? [picture] : []));
      item.arm = rule ? rule.symbol : "";
      if (item.arm && ![...armsChoice.options].some((each) => each.value === item.arm)) {
        armsChoice.append(el("option", { value: item.arm }, arms()[item.arm] ?? Muster.upperFirst(Muster.spaced(item.arm))));
        armField.hidden = armsChoice.options.length < 3;
      }
    }
    // What each would cost and break: found out one by one, so that the page answers meanwhile.
    let run = 0;
    async function fill() {
      const own = run += 1;
      for (const item of items) {
        if (own !== run || !dialog.open) { return; }
        const found = preview(app.system, app.list, app.verdict, keyPath(path), level, item.id), left = app.verdict.army.limit?.minus(app.verdict.price.total);
        const { errors } = found, over = left && found.points?.above(left);
        item.cost.textContent = found.points === null ? "" : pointsText(found.points);
        item.fits = !errors.length && !over;
        item.verdict.className = item.fits ? "hint good" : "hint bad";
        item.verdict.textContent = item.fits ? "✓ " + say("still fits") : "✗ " + [...(over ? [say("over the limit by {points}.", { points: found.points.minus(left) })] : []), ...errors].join(" ");
        if (found.node && item.arm === null) { describe(item, found.node); }
        if (only.checked || armsChoice.value) { apply(); }
        await new Promise((done) => { setTimeout(done, 0); });
      }
    }
    dialog.replaceChildren(...[
      el("div", { class: "line" }, el("h2", { id: "adding-title" }, say("Add to {command}", { command: node().path ? node().label : Muster.listName(app.list) })), button(say("Done"), () => dialog.close(), { class: "main" })),
      book ? el("p", { class: "hint" }, book.sample ? say("{book}: sample values, not those of the game", { book: book.title }) : book.title) : null,
      el("div", { class: "tools" }, field(say("Search"), search), armField, types.size > 1 && types.size < items.length ? field(say("Type"), kinds) : null, el("label", { class: "check" }, only, el("span", null, say("Only what still fits")))),
      status, list
    ].filter((part) => part));
    apply();
    dialog.showModal();
    // On a phone the keyboard would cover the list.
    if (matchMedia("(pointer: fine)").matches) { search.focus(); }
    app.loadParts().then(fill, (error) => app.tell(error.message));
  }

  Muster.editor = {
    start(holder, running) {
      app = running;
      rows = new Map();
      tree = el("ul", { class: "tree", onkeydown: (event) => byKeys(event) });
      side = el("section", { class: "verdict", id: "verdict", "aria-label": say("Verdict"), tabindex: "-1" });
      holder.replaceChildren(el("div", { class: "building" }, tree, side));
      this.sync();
    },
    sync() {
      syncTree();
      const signature = JSON.stringify(app.verdict.findings.map((finding) => [finding.path, finding.message, finding.actual, finding.allowed])) + app.verdict.legal + missingUnits().join();
      if (side.signature !== signature || app.listChanged) { side.replaceChildren(...verdictView()); }
      side.signature = signature;
      showFindings();
      fillFixes();
    }
  };
  /* Alt and an arrow key move the row that has the focus; beyond the last of its command, into the next. */
  function byKeys(event) {
    if (event.key === "Escape") { rows.forEach((held) => held.cancel?.()); }
    const by = { ArrowUp: -1, ArrowDown: 1 }[event.key], id = event.target.dataset?.key?.replace(/ \S+$/, "");
    if (!by || !event.altKey || !id || id === "army") { return; }
    event.preventDefault();
    const path = keyPath(id), list = shift(app.list, path, by), node = app.verdict.army.nodes.find((each) => each.path === id);
    let made = list === app.list ? null : { list, path: [...path.slice(0, -1), path[path.length - 1] + by] };
    if (!made && node) {
      const homes = homesFor(node).filter(([text]) => by * (orderOf(text) - node.parent.order) > 0), home = by > 0 ? homes[0] : homes[homes.length - 1];
      if (home) { made = move(app.list, path, home[2], home[3], by > 0 ? 0 : Infinity); }
      if (home) { announce(say("{unit} is now in {command}", { unit: node.label, command: home[1] })); }
    }
    if (made) { edit(made.list, { open: app.open === id ? Muster.pathText(made.path) : app.open, focus: Muster.pathText(made.path) + " name" }); }
  }
  function orderOf(path) { return app.verdict.army.nodes.find((each) => (each.path || "army") === path)?.order ?? 0; }
}(window.Muster));
