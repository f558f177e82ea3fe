/* What a player needs at the table: the sheet of the army, its tables to look things up in, and dice. */
(function (Muster) {
  "use strict";
  const { el, button, field, select, store, exact, inBand, say } = Muster;
  const MOST_DICE = 40, MOST_ROLLS = 6, SHORT = 10, SIDES = [2, 3, 4, 6, 8, 10, 12, 20, 100];

  /* Text with *emphasis* and **strong emphasis**. */
  function inline(text) {
    return text.split(/(\*\*[^*]+\*\*|\*[^*]+\*)/).filter((part) => part).map((part) => {
      const [, strong, weak] = /^(?:\*\*([^*]+)\*\*|\*([^*]+)\*)$/.exec(part) ?? [];
      return strong ? el("strong", null, strong) : weak ? el("em", null, weak) : part;
    });
  }
  /* A fair number from 1 to so many. */
  function rollDie(sides) {
    const most = Math.floor(2 ** 32 / sides) * sides, number = new Uint32Array(1);
    do { crypto.getRandomValues(number); } while (number[0] >= most);
    return number[0] % sides + 1;
  }
  /* The dice that a text such as "2D6+1" names: how many, their sides, and what is added; null for any other text. */
  function diceOf(text) {
    const [, count, sides, plus] = /^\s*(\d*)\s*[dDwW](\d+)\s*(?:\+\s*(\d+))?\s*$/.exec(text ?? "") ?? [];
    return sides ? { count: Number(count || 1), sides: Number(sides), plus: Number(plus ?? 0) } : null;
  }
  function bandAt(parts, number) {
    return parts.findIndex((ends) => ends && inBand({ low: ends[0] === null ? null : exact(ends[0]), high: ends[1] === null ? null : exact(ends[1]), lowOpen: ends[2], highOpen: ends[3] }, number));
  }

  /* One table: `shown` are the ids of its rows, or null for all that concern the army; `hand` is the unit in hand. */
  function tableView(parts, table, { nodes, hand, shown = null, scale = "", title = "" }) {
    const compiled = table.scales.get(scale) ?? table.cells, concerns = (part) => parts.concerns(part, nodes);
    const places = (axis) => table[axis].map((part, n) => ({ ...part, n })).filter((part) => concerns(part) && (axis === "columns" || !shown?.length || shown.includes(part.id)));
    const rows = places("rows"), columns = places("columns"), cell = (row, column) => Muster.cellOf(compiled[row.n]?.[column.n] ?? 0);
    const own = { row: hand ? parts.placesOf(table, hand, "row") : new Set(), column: hand ? parts.placesOf(table, hand, "column") : new Set() };
    const isWords = table.kind === "sequence" || table.kind === "definitions" || (columns.length === 1 && rows.some((row) => cell(row, columns[0]).text.length > 40));
    const notes = table.notes.filter(concerns).map((note) => el("p", { class: "hint" }, inline(note.text)));
    const page = table.page ? el("p", { class: "hint" }, el("a", { href: table.page, target: "_blank", rel: "noopener" }, say("In the rules"))) : null;
    if (table.drawn) { return [page, ...notes]; }
    if (isWords) {
      return [el("dl", { class: "words" }, rows.map((row) => el("div", { class: own.row.has(row.id) ? "own" : null },
        el("dt", null, row.group ? row.group + ": " : "", inline(row.label)),
        el("dd", null, columns.map((column) => cell(row, column)).filter((each) => each.kind !== "dash").map((each, n) => [n ? " · " : "", inline(each.text)]))))), ...notes, page];
    }
    const answer = el("output", { class: "answer" }), chosen = { row: null, column: columns.length === 1 ? columns[0] : null };
    const heads = columns.map((column) => (column.label ? el("th", { scope: "col", class: own.column.has(column.id) ? "own" : null }, inline(column.label)) : el("td", null)));
    let group = "";
    const body = rows.flatMap((row) => {
      const begins = row.group && row.group !== group;
      group = row.group ?? "";
      const line = el("tr", { class: own.row.has(row.id) ? "own" : null, "data-row": row.id }, row.label ? el("th", { scope: "row", class: row.label.length < SHORT ? "short" : null }, inline(row.label)) : el("td", null),
        columns.map((column) => {
          const found = cell(row, column);
          return el("td", { class: found.kind, onclick: () => choose({ row, column }) }, found.kind === "blank" ? "▢" : inline(found.text));
        }));
      return [begins ? el("tr", { class: "group" }, el("td", { colspan: columns.length + 1 }, row.group)) : null, line];
    });
    const grid = el("table", null, el("thead", null, el("tr", null, el("td", null), heads)), el("tbody", null, body));
    const lines = [...grid.tBodies[0].rows].filter((line) => !line.classList.contains("group"));
    function choose(change) {
      Object.assign(chosen, change);
      const { row, column } = chosen, inRow = rows.indexOf(row), inColumn = columns.indexOf(column);
      lines.forEach((line, n) => [...line.cells].forEach((each, place) => each.classList.toggle("chosen", (n === inRow && (inColumn < 0 || place <= inColumn + 1)) || (inColumn >= 0 && place === inColumn + 1 && inRow >= 0 && n <= inRow && columns.length > 1))));
      for (const [control, part] of [[down, row], [across, column]]) {
        if (control?.matches("select") && part) { control.value = part.id; }
      }
      answer.replaceChildren(...(row && column ? [[row.label, columns.length > 1 && column.label].filter((each) => each).join(" · ") + ": ", el("b", null, cell(row, column).text || say("to be filled in"))] : row ? [row.label] : []));
    }
    /* How a row, or a column, is named: by a number where there are bands, else from a list. */
    function chooser(axis, places, title, bands) {
      if (places.length < 2) { return null; }
      if (bands?.some((each) => each)) {
        return el("input", {
          type: "text", inputmode: "decimal", autocomplete: "off", oninput: (event) => {
            const text = event.target.value.trim().replace("−", "-"), isNumber = /^-?\d{1,6}(\.\d{1,3})?$/.test(text);
            const found = isNumber ? places.find((part) => part.n === bandAt(bands.map((ends, n) => (places.some((each) => each.n === n) ? ends : null)), exact(text))) : null;
            choose({ [axis]: found ?? null });
            if (isNumber && !found) { answer.textContent = axis === "row" ? say("No row for {value}.", { value: text }) : say("No column for {value}.", { value: text }); }
          }
        });
      }
      return select([["", "…"], ...places.map((part) => [part.id, (part.group ? part.group + ": " : "") + (part.label || part.id)])], "", (id) => choose({ [axis]: places.find((part) => part.id === id) ?? null }));
    }
    const [downTitle, acrossTitle] = table.axes ?? [];
    const down = chooser("row", rows, downTitle, table.bands?.[0]), across = chooser("column", columns, acrossTitle, table.bands?.[1]), dice = diceOf(table.dice);
    const roll = dice && down?.matches("input") ? button(say("Roll {dice}", { dice: table.dice.replace("d", "D") }), () => {
      down.value = String(Array.from({ length: dice.count }, () => rollDie(dice.sides)).reduce((sum, each) => sum + each, dice.plus));
      down.dispatchEvent(new Event("input"));
    }) : null;
    const first = (axis, all) => all.find((part) => own[axis].has(part.id));
    if (first("row", rows) || first("column", columns)) { choose({ row: first("row", rows) ?? null, column: first("column", columns) ?? chosen.column }); }
    return [
      down || across ? el("div", { class: "tools" }, down ? field(downTitle || say("Row"), down) : null, across ? field(acrossTitle || say("Column"), across) : null, roll, answer) : null,
      el("div", { class: "grid", tabindex: "0", role: "region", "aria-label": title || table.title }, grid), ...notes, page
    ];
  }

  /* The dice: how many, of how many sides, and the last rolls. */
  function diceView() {
    const rolls = el("ol", { class: "rolls", reversed: true });
    let count = 1, sides = 6;
    const roll = () => {
      const found = Array.from({ length: count }, () => rollDie(sides)), total = found.reduce((sum, each) => sum + each, 0);
      const tally = found.length > 2 && sides <= 12 ? "; " + Array.from({ length: sides }, (_, n) => sides - n).map((face) => [face, found.filter((each) => each >= face).length]).filter(([face, number]) => face > 1 && number).map(([face, number]) => say("{number} at {face}", { number, face: face === sides ? face : face + "+" })).join(", ") : "";
      rolls.prepend(el("li", null, el("b", null, count + "D" + sides + ": " + found.join(" ")), found.length > 1 ? " = " + total : "", tally));
      while (rolls.children.length > MOST_ROLLS) { rolls.lastElementChild.remove(); }
    };
    return el("section", { class: "dice" }, el("h2", null, say("Dice")),
      el("div", { class: "tools" },
        field(say("Number"), select(Array.from({ length: MOST_DICE }, (_, n) => [String(n + 1), String(n + 1)]), "1", (value) => { count = Number(value); })),
        field(say("Sides"), select(SIDES.map((each) => [String(each), "D" + each]), "6", (value) => { sides = Number(value); })),
        button(say("Roll"), roll, { class: "main" })), el("div", { role: "log", "aria-label": say("Rolls") }, rolls));
  }

  /* The view for the table: all units with their losses, dice, and what the sheet of the army has, each table open for look-ups. */
  function play(app) {
    const { parts } = app, { army } = app.verdict;
    if (!parts) { return el("p", null, say("The tables of these rules are missing beside this page: build it again.")); }
    const nodes = army.nodes.filter((node) => node.entry), scale = army.root.text("scale");
    const [path, label] = store.hand(app.id);
    // The list may have changed since: the unit is known by its place and its name.
    let hand = nodes.find((node) => node.path === path && node.label === label) ?? nodes.find((node) => node.label === label) ?? null;
    const sheet = el("div", { class: "sheet" }), present = el("div", { class: "sheet present" }), search = el("input", { type: "search", autocomplete: "off", oninput: () => sift() });
    const status = el("p", { class: "hint", role: "status" });
    const item = (table, shown, title, name = title) => {
      const held = el("details", { class: "table", "data-table": table.id }, el("summary", null, title || table.title, table.remark ? el("span", { class: "hint" }, " " + table.remark) : null));
      held.words = Muster.plainForm([table.title, title, ...table.rows.map((row) => row.label)].join(" "));
      // Only what is open is laid out; a table that is wider than its place gets the whole line.
      const fill = () => {
        if (held.open) { held.replaceChildren(held.firstChild, ...tableView(parts, table, { nodes, hand, shown, scale, title: name }).filter((part) => part)); }
        const place = held.closest(".sheet > *");
        place.classList.remove("wide");
        place.classList.toggle("wide", [...place.querySelectorAll("[open] > .grid")].some((grid) => grid.scrollWidth > grid.clientWidth));
      };
      held.addEventListener("toggle", fill);
      held.fill = fill;
      return held;
    };
    const known = (id) => parts.tables.get(id), used = new Set(), seen = new Set();
    const blocks = parts.sides.flatMap((side) => side.blocks).filter((block) => !block.scale || block.scale === scale || !scale).map((block) => {
      // Paper has a table on both sides if both need it; a screen has it once.
      const tables = (block.tables ?? []).map(known).filter((table) => table && parts.concerns(table, nodes) && !seen.has(table.id + block.rows));
      tables.forEach((table) => { used.add(table.id); seen.add(table.id + block.rows); });
      if (!tables.length && !block.text) { return null; }
      const [phase, , toneOfPhase] = parts.phases.find(([id]) => id === tables[0]?.phase) ?? [], tone = toneOfPhase || block.tone || "neutral";
      // A table alone in its block has the head of the block.
      const isAlone = tables.length === 1 && !block.text && !block.formula;
      const held = el("section", { class: "block tone-" + tone }, isAlone ? null : el("h3", null, block.title || tables[0]?.title || ""), block.formula ? el("p", { class: "formula" }, block.formula) : null, block.text ? el("p", null, inline(block.text)) : null,
        tables.map((table) => item(table, block.rows, isAlone ? block.title : table.title, tables.length === 1 ? block.title : "")));
      return { phase, held };
    }).filter((part) => part);
    const others = [...parts.tables.values()].filter((table) => !used.has(table.id) && parts.concerns(table, nodes)).map((table) => item(table, null, table.title));
    const rest = el("section", { class: "rest tone-neutral" }, el("h3", null, say("Other tables")), el("div", { class: "sheet" }, others));
    // What a sheet has for any phase belongs to none of them.
    const phases = parts.phases.filter(([id, , tone]) => tone !== "neutral" && blocks.some(({ phase }) => phase === id));
    const turn = turnView(app, phases, (phase) => {
      for (const block of blocks) {
        const isNow = phase !== undefined && block.phase === phase;
        if (isNow !== (block.held.parentElement === present)) { block.held.querySelectorAll("details").forEach((each) => { each.open = isNow; }); }
      }
      const now = blocks.filter((block) => phase !== undefined && block.phase === phase);
      Muster.place(present, now.map(({ held }) => held));
      Muster.place(sheet, [...blocks.filter((block) => !now.includes(block)).map(({ held }) => held), ...(others.length ? [rest] : [])]);
    });
    const all = /** @type {any[]} */ ([present, sheet].flatMap((each) => [...each.querySelectorAll("details")]));
    const sift = () => {
      const asked = Muster.plainForm(search.value).split(" ").filter((word) => word);
      for (const each of all) { each.hidden = !asked.every((word) => each.words.includes(word)); }
      for (const each of [...present.children, ...sheet.children]) { each.hidden = asked.length > 0 && ![...each.querySelectorAll("details")].some((table) => !table.hidden); }
      status.textContent = asked.length && all.every((each) => each.hidden) ? say("No table matches all of that.") : "";
    };
    const lines = new Map(army.nodes.filter((node) => node.path).map((node) => [node, el("li", { class: node.isBranch ? "branch" : null }, node.isBranch ? node.label : null)]));
    const draw = (node) => {
      const isInHand = node === hand;
      lines.get(node).replaceChildren(
        button((node.count.is(1) ? "" : node.count + " × ") + node.label, () => take(isInHand ? null : node), { class: "name", "aria-pressed": String(isInHand), "data-key": node.path + " hand" }),
        ...(isInHand ? Muster.cardsOf(app, node) : Muster.tracks(app, node).filter((track) => track?.children.length)));
    };
    const take = (node) => {
      const before = hand;
      hand = node;
      store.saveHand(app.id, node?.path, node?.label);
      app.warn();
      for (const each of [before, node]) { if (each) { draw(each); } }
      /** @type {HTMLElement} */ (lines.get(node ?? before).firstElementChild).focus({ preventScroll: true });
      all.forEach((each) => each.fill());
    };
    nodes.forEach(draw);
    return el("div", { class: "play-view" },
      el("div", { class: "at-hand" }, el("details", { class: "fold", open: true }, el("summary", null, el("h2", null, say("Units"))),
        el("p", { class: "hint" }, say("Tap a unit to take it in hand: its rows are then marked in all tables.")), el("ul", { class: "in-play" }, [...lines.values()]), el("p", null, Muster.clearButton(app))), diceView()),
      el("section", null, el("h2", null, say("Sheet of this army")), turn, present, field(say("Find a table"), search), status, sheet));
  }
  /* The turn and its phase, which stay on the device with the ticks; `show` is called with the id of the present phase. */
  function turnView(app, phases, show) {
    const step = () => store.ticks(app.id).get("turn") ?? 0, number = Math.max(phases.length, 1), told = el("output");
    const tell = () => {
      const [id, title] = phases[step() % number] ?? [];
      told.textContent = say("Turn {number}", { number: Math.floor(step() / number) + 1 }) + (title ? " · " + title : "");
      back.disabled = step() === 0;
      show(id);
    };
    const go = (by) => {
      const ticks = store.ticks(app.id);
      ticks.set("turn", Math.max(step() + by, 0));
      store.saveTicks(app.id, ticks);
      app.warn();
      tell();
    };
    const back = /** @type {HTMLButtonElement} */ (button("‹", () => go(-1), { "aria-label": phases.length ? say("Phase before") : say("Turn before") }));
    const on = button((phases.length ? say("Next phase") : say("Next turn")) + " ›", () => go(1), { class: "main" });
    tell();
    return el("div", { class: "tools turn" }, back, told, on);
  }

  Object.assign(Muster, { play, diceOf, rollDie });
}(window.Muster));
