/* What cards and rosters show of a unit: a cell of a table, a field of the unit, or a calculation with either.
   The layouts and tables are those from which Muster prints. */
(function (Muster) {
  "use strict";
  const { exact, ZERO } = Muster;
  const SCHEMA = 1, MOST_BOXES = 60;
  const DASH = { text: "–", kind: "dash" }, BLANK = { text: "", kind: "blank" };
  const QUARTERS = new Map([["0.25", "¼"], ["0.5", "½"], ["0.75", "¾"]]), SIGNS = { cm: "\u202fcm", mm: "\u202fmm", in: "″" };
  const NO_COLOUR = "#54585f";

  function cellOf(compiled) {
    if (compiled === 0) { return DASH; }
    if (compiled === 1) { return BLANK; }
    if (typeof compiled === "string") { return { text: compiled, kind: "text" }; }
    const [text, kind, top, bottom = "1", unit = ""] = compiled;
    return { text, kind, number: top === undefined ? undefined : exact(top).over(exact(bottom)), unit };
  }
  /* A number as Muster prints it: a true minus sign, and quarters as signs. */
  function pretty(number) {
    const size = number.size, whole = size.floor(), mark = QUARTERS.get(size.minus(whole).decimals());
    return (number.below(ZERO) ? "−" : "") + (mark ? (whole.is(0) ? "" : whole) + mark : size);
  }
  function numberCell(number, unit = "") {
    const shown = pretty(number), text = unit === "+" ? shown + "+" : unit === "-" ? Muster.say("{number} or less", { number: shown }) : shown + (SIGNS[unit] ?? "");
    return { text, kind: "number", number, unit };
  }
  function isLength({ unit }) { return Boolean(SIGNS[unit]); }

  /* The tables of a system, its layouts of cards, and its sheet. */
  class Parts {
    /** @type {any} */ system;
    /** @type {[string, string, string][]} */ phases;
    /** @type {{ title: string, blocks: any[] }[]} */ sides;
    /** @type {any} The layouts of `cards.yaml`. */ cards;
    /** @type {Map<string, { axis: string, field: string }[]>} */ known;
    constructor(data, system) {
      if (data.schema !== SCHEMA) { throw new Error("tables of schema " + data.schema + ", expected " + SCHEMA); }
      Object.assign(this, { system, phases: data.phases, sides: data.sides, cards: data.cards ?? { cards: [] } });
      this.tables = new Map(data.tables.map((table) => [table.id, { rows: [], columns: [], notes: [], cells: [], ...table, scales: new Map(table.scales ?? []) }]));
    }
    scaleOf(node) { return node.text("scale") || this.system.scales[0]?.[0] || ""; }
    /* The cell of a table at a scale; undefined if it has no such row or column. */
    cell(id, row, column, scale) {
      const table = this.tables.get(id), r = table?.rows.findIndex((each) => each.id === row) ?? -1;
      const c = !table || column === undefined ? 0 : table.columns.findIndex((each) => each.id === column);
      const cell = r < 0 || c < 0 ? undefined : (table.scales.get(scale) ?? table.cells)[r]?.[c];
      return cell === undefined ? undefined : cellOf(cell);
    }

    /* A value ready to be shown. */
    show(written, node) {
      if (written.join) { return joined(written.join.map((part) => this.show(part, node)), written); }
      return this.value(written, node);
    }
    value(written, node) {
      if ("table" in written) { return this.lookUp(written, node); }
      if ("field" in written) { return fieldCell(node, written.field); }
      if ("number" in written) { return numberCell(exact(written.number)); }
      if ("words" in written) { return { text: written.words, kind: "text" }; }
      if ("box" in written) { return BLANK; }
      if (written.join) { return this.show(written, node); }
      const operation = ["product", "sum", "less", "least"].find((each) => written[each]);
      const parts = operation ? written[operation] : [written.share ? written.of : written.down];
      const cells = parts.map((part) => this.value(part, node)), absent = cells.find((each) => each === BLANK) ?? cells.find((each) => each === DASH || !each.number);
      if (absent) { return absent === BLANK ? BLANK : DASH; }
      if (!operation) {
        const [{ number }] = cells;
        return numberCell(written.share ? number.times(exact(written.share.replace("%", "")).over(exact(written.share.endsWith("%") ? 100 : 1))).ceil() : number.floor());
      }
      const numbers = cells.map((each) => each.number), unit = cells.find(isLength)?.unit ?? "", [first] = cells;
      const made = {
        product: () => numbers.reduce((one, other) => one.times(other)), sum: () => numbers.reduce((one, other) => one.plus(other)),
        less: () => numbers[0].minus(numbers[1]), least: () => numbers.reduce((one, other) => (other.below(one) ? other : one))
      }[operation]();
      return numberCell(made, /^[+-]$/.test(first.unit ?? "") && operation !== "product" && operation !== "least" ? first.unit : unit);
    }
    lookUp(reference, node) {
      const keyOf = (named) => {
        if (named === undefined || typeof named === "string") { return named; }
        if ("field" in named) { return node.value(named.field)?.text ?? ""; }
        const cell = this.lookUp(named, node);
        return cell.kind === "dash" || cell.kind === "blank" ? "" : cell.text.toLowerCase().replaceAll(" ", "-");
      };
      const row = keyOf(reference.row), column = keyOf(reference.column);
      return row && column !== "" ? this.cell(reference.table, row, column, this.scaleOf(node)) ?? DASH : DASH;
    }

    /* Rows that concern a node, without those that hold nothing but dashes: the label and the cells of each. */
    rows(written, node) {
      return written.filter((row) => meets(row.where, node)).map((row) => ({ label: row.label ?? "", cells: row.values.map((value) => this.show(value, node)) }))
        .filter((row) => row.cells.some((cell) => cell.kind !== "dash"));
    }
    /* The values that rosters show of a unit, beside its name or in columns: its short head, what that means, and the cell. */
    rosterValues(node) {
      const beside = (this.cards.units ?? []).filter((fact) => fact.column).map(({ column, values, where }) => ({ ...column, value: values[0], where }));
      const columns = node.level === Muster.LEADER ? [] : [...beside, ...(this.cards.roster ?? [])];
      return columns.map((column) => ({ ...column, value: meets(column.where, node) ? column.value : column.otherwise }))
        .filter(({ value }) => value).map(({ label, title, value }) => ({ label, title, cell: this.show(value, node) }))
        .filter(({ cell }) => cell.kind !== "dash" && cell.text);
    }
    layout(node) { return this.cards.cards.find((each) => (each.level ?? "unit") === node.level && meets(each.where, node)); }
    /* The layout of a card; that of a lone unit, whose command has no card, has what the command's would show, too,
       in place of its own block of that title.
       A unit in no command that has cards is alone, too. */
    withCommand(layout, node) {
      if (node.level !== "unit") { return layout; }
      let command = node.parent;
      while (command && !command.isBranch) { command = command.parent; }
      const its = command?.path ? this.layout(command) : undefined;
      if (its && unitsOf(command).reduce((sum, unit) => sum + Number(unit.count), 0) > 1) { return layout; }
      const above = its ?? this.cards.cards.find((each) => each.lone?.length), { losses } = layout;
      const own = losses && above?.losses && !losses.marks?.length ? { ...losses, marks: above.losses.marks, remark: above.losses.remark } : losses;
      const lone = (above?.lone ?? []).filter((block) => meets(block.where, node)), titles = lone.map((block) => block.title);
      return { ...layout, losses: own, blocks: [...(layout.blocks ?? []).filter((block) => !block.title || !titles.includes(block.title)), ...lone] };
    }
    /* What the card of a node shows; null if there is no layout for it. */
    card(listed) {
      const own = this.layout(listed), layout = own && this.withCommand(own, listed), node = listed.isBranch ? withShared(listed) : listed;
      if (!layout) { return null; }
      return {
        facts: (layout.facts ?? []).filter((fact) => meets(fact.where, node)).map((fact) => this.show(fact.value, node)).filter((cell) => cell.text && cell.kind !== "dash").map((cell) => cell.text),
        figures: (layout.figures ?? []).filter((figure) => meets(figure.where, node)).map((figure) => ({ label: figure.label, cell: this.show(figure.value, node) })).filter(({ cell }) => cell.kind !== "dash"),
        losses: layout.losses ? lossesOf(layout.losses, node, this) : null,
        tallies: (layout.tallies ?? []).map((tally) => tallyOf(tally, node)),
        boxes: layout.boxes ?? [],
        blocks: (layout.blocks ?? []).filter((block) => block.only !== "small" && meets(block.where, node))
          .map((block) => ({ title: block.title ?? "", tone: block.tone ?? "neutral", heads: block.heads ?? [], rows: this.rows(block.rows, node) })).filter((block) => block.rows.length),
        colour: this.colour(listed), symbol: this.symbol(listed)
      };
    }
    colour(node) { return node.book?.colour || ((this.cards.colours ?? []).find((rule) => meets(rule.where, node))?.colour ?? NO_COLOUR); }
    symbolRule(node) { return (this.cards.symbols ?? []).find((rule) => (rule.level ?? node.level) === node.level && meets(rule.where, node)); }
    symbol(node) { return this.symbolRule(node)?.outline ?? ""; }
    /* Whether a part of a table concerns an army: one without a filter concerns all. */
    concerns(part, nodes) { return !part.for || part.for.some((where) => nodes.some((node) => meets(where, node))); }

    /* The fields by whose values cards and prices find rows or columns of tables: a table's id, then pairs of axis and field. */
    get keys() {
      if (!this.known) {
        this.known = new Map();
        const search = (part) => {
          if (part === null || typeof part !== "object") { return; }
          if (typeof part.table === "string" && "row" in part) {
            for (const axis of ["row", "column"]) {
              const field = part[axis]?.field, found = this.known.get(part.table) ?? this.known.set(part.table, []).get(part.table);
              if (field && !found.some((each) => each.axis === axis && each.field === field)) { found.push({ axis, field }); }
            }
          }
          Object.values(part).forEach(search);
        };
        search(this.cards);
        search([...this.system.entries.values()].map((entry) => entry.price));
      }
      return this.known;
    }
    /* The ids of a table's rows, or columns, that a unit is looked up in. */
    placesOf(table, node, axis) {
      const ids = (this.keys.get(table.id) ?? []).filter((each) => each.axis === axis).map(({ field }) => node.text(field));
      const own = axis === "row" ? [node.profile?.id, node.entry?.id] : [];
      return new Set([...ids, ...own].filter((id) => id && table[axis + "s"].some((each) => each.id === id)));
    }
  }

  /* The pictures of types, and of units in army books. */
  class Pictures {
    constructor(data) {
      const pictures = new Map(data.pictures.map(([name, address, alt, credit]) => [name, { address, alt, credit }]));
      this.units = new Map(data.units.map(([book, unit, name]) => [book + "\n" + unit, pictures.get(name)]));
    }
    of(book, unit, type) { return this.units.get((book ?? "") + "\n" + unit) ?? this.units.get("\n" + type) ?? null; }
  }
  /* The picture of a node; null if there is none. */
  function pictureOf(pictures, node) { return pictures?.of(node.book?.id, node.profile?.id, node.entry?.id) ?? null; }

  function fieldCell(node, name) {
    const value = node.value(name);
    if (!value || value.text === "" || value.dash) { return DASH; }
    if (value.absent) { return BLANK; }
    if (value.number && /^(true|false)$/.test(value.text)) { return { text: value.text === "true" ? Muster.say("yes") : Muster.say("no"), kind: "text" }; }
    if (value.quantity) { return cellOf([value.shown ?? value.text, "number", ...value.quantity]); }
    const number = value.number ?? (node.fieldSpec(name)?.form === "choice" ? undefined : value.amount);
    return number ? numberCell(number) : { text: node.shown(name), kind: "text" };
  }
  function joined(cells, { by = " / ", dashes = false }) {
    if (cells.some((cell) => cell.kind === "blank")) { return BLANK; }
    const known = cells.filter((cell) => cell.kind !== "dash"), texts = (dashes ? cells : known).map((cell) => cell.text);
    return known.length ? { text: texts.join(by), kind: "number" } : DASH;
  }
  /* Whether a node has one of the values of every attribute; one that it lacks has the value `none`. */
  function meets(where, node) { return (where ?? []).every(([name, values]) => values.includes(node.value(name)?.text ?? "none")); }
  function sizeOf(node) { return node.entry?.size ? node.number(node.entry.size) : ZERO; }
  /* A command: what it does not state itself is what all its units have alike. */
  function withShared(command) {
    const [first, ...others] = unitsOf(command);
    return Object.assign(Object.create(command), {
      value(name) {
        const own = command.value(name), its = first?.value(name);
        return own || !others.every((each) => each.value(name)?.text === its?.text) ? own : its;
      },
      shown(name) { return command.shown(name) || first?.shown(name) || ""; }
    });
  }
  function unitsOf(node) { return [...node.walk()].filter((each) => each.level === "unit"); }
  /* The boxes to tick, each with the mark that this loss reaches; of too many only the number, `of`, and those with a mark. */
  function lossesOf(written, node, parts) {
    const units = node.isBranch ? unitsOf(node) : [];
    const size = Number(node.isBranch ? units.reduce((sum, unit) => sum.plus(sizeOf(unit).times(unit.count)), ZERO) : node.number(written.count)), marks = new Map();
    if (!Number.isInteger(size) || size < 1) { return null; }
    /* The last loss leaves nothing that a mark could change. */
    const lossAt = (share) => Number(exact(size).times(exact(share.replace("%", ""))).over(exact(100)).ceil());
    const own = (written.marks ?? []).filter((mark) => meets(mark.where, node)), used = own.filter(({ share }) => lossAt(share) < size);
    const told = (words) => (typeof words === "object" ? parts.show(words, node).text : words ?? "");
    for (const { share, label } of used) {
      const loss = lossAt(share);
      marks.set(loss, [...(marks.get(loss) ?? []), label]);
    }
    const isModifier = (label) => /^[+−]\d+$/.test(label);
    const markAt = (number) => {
      const labels = marks.get(number) ?? [];
      return [...labels.filter(isModifier).slice(-1), ...labels.filter((label) => !isModifier(label))].join(", ");
    };
    const numbers = size > MOST_BOXES ? [...marks.keys()].sort((one, other) => one - other) : Array.from({ length: size }, (_, n) => n + 1);
    return {
      label: written.label, of: size > MOST_BOXES ? size : 0, boxes: numbers.map((number) => ({ number, mark: markAt(number) })), remark: used.length || !written.marks?.length ? told(written.remark) : "",
      meanings: (used.length ? own : []).filter((mark) => mark.meaning).map((mark) => [mark.label, told(mark.meaning)]), halved: Boolean(written.halved?.length) && meets(written.halved, node)
    };
  }
  /* The boxes of what a unit collects; the last has a mark if the unit states how many there are. */
  function tallyOf(written, node) {
    const stated = written.count ? Number(node.number(written.count)) : 0, isStated = Number.isInteger(stated) && stated >= 1 && stated <= MOST_BOXES;
    const boxes = Array.from({ length: isStated ? stated : Number(written.boxes) }, (_, n) => ({ number: n + 1, mark: "" }));
    if (isStated) { boxes[stated - 1].mark = written.mark ?? ""; }
    return { label: written.label, boxes, remark: isStated ? written.remark ?? "" : "", shape: written.shape ?? "square" };
  }

  Object.assign(Muster, { Parts, Pictures, pictureOf, cellOf, meets });
}(window.Muster));
