/* A system as it was compiled, and an army list as a tree of nodes: what each says, and what follows from it. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, lowerFirst } = Muster;
  const LEADER = "leader", SCHEMA = 2, LEAST_POINTS = exact(-1e9);

  /* A value: its text, and what it counts for where it counts for something. */
  function valueOf(compiled) {
    const value = typeof compiled === "string" ? { text: compiled } : { ...compiled };
    for (const key of ["number", "amount", "every"]) {
      if (value[key] !== undefined) { value[key] = exact(value[key]); }
    }
    if (value.range) { value.range = rangeOf(value.range); }
    return value;
  }
  function rangeOf(ends) { return ends.map((end) => (end === null ? null : exact(end))); }
  function valuesOf(pairs) { return new Map((pairs || []).map(([name, value]) => [name, valueOf(value)])); }
  function specsOf(pairs) {
    return new Map((pairs || []).map(([name, spec]) => [name, {
      ...spec, of: new Map(spec.of || []), default: spec.default === undefined ? undefined : valueOf(spec.default)
    }]));
  }
  function byId(parts) { return new Map(parts.map((part) => [part.id, part])); }
  function selectorOf(selector) { return { ...selector, where: selector.where || [], entry: selector.entry || [], options: selector.options || [] }; }
  function bandOf(band) { return { ...band, low: band.low === undefined ? null : exact(band.low), high: band.high === undefined ? null : exact(band.high) }; }
  function inBand({ low, lowOpen, high, highOpen }, number) {
    const under = low !== null && (number.below(low) || (lowOpen && number.compare(low) === 0));
    return !under && (high === null || number.below(high) || (!highOpen && number.compare(high) === 0));
  }
  /* The least count where none is said: an option may make a unit cheaper, so that points may be below 0. */
  function leastOf({ min, by }) { return min !== undefined ? exact(min) : by === "points" || by === "option-points" ? LEAST_POINTS : ZERO; }
  /* The fields that a key names: one, several, or none. */
  function fieldsOf(named) { return named === undefined ? [] : [named].flat(); }
  /* A count, a limit, or several conditions of which `all` must hold, or `any`. */
  function conditionOf(condition) {
    if (condition?.limit) { return { limit: bandOf(condition.limit) }; }
    for (const key of ["any", "all"]) {
      if (condition?.[key]) { return { [key]: condition[key].map(conditionOf) }; }
    }
    return condition && { ...condition, of: selectorOf(condition.of), least: leastOf(condition), most: condition.max === undefined ? null : exact(condition.max) };
  }

  /* Raised when a value of a list names no cell of a table, or a unit none of its book. */
  class UnknownCell extends Error {}

  /** @typedef {{ text: string, number?: any, amount?: any, every?: any, range?: any[], shown?: string, absent?: boolean, dash?: boolean, free?: boolean, quantity?: string[] }} Value */

  class System {
    /** @type {System | undefined} The same in its own language, if this is a translation. */ original;
    /** @type {string} */ id;
    /** @type {string} */ title;
    /** @type {string} */ edition;
    /** @type {[string, string][]} */ scales;
    /** @type {boolean} */ prices;
    /** @type {any} */ pricing;
    /** @type {Map<string, { number: number, values: Map<string, Value>, price?: any }>} */ kinds;
    /** @type {number} */ lastKind;
    constructor(data) {
      if (data.schema !== SCHEMA) { throw new Error("data of schema " + data.schema + ", expected " + SCHEMA); }
      Object.assign(this, { id: data.id, title: data.title, edition: data.edition, scales: data.scales, prices: data.prices, pricing: data.pricing });
      this.levels = byId(data.levels.map((level) => ({ ...level, under: level.under || [], fields: specsOf(level.fields), leaders: new Map(level.leaders || []) })));
      this.top = this.levels.values().next().value;
      this.profile = specsOf(data.profile);
      this.words = new Map((data.words || []).map(([name, words]) => [name, new Map(words)]));
      const priced = (part) => ({ ...part, attributes: valuesOf(part.attributes), price: part.price || [] });
      this.entries = byId(data.entries.map((entry) => ({ ...priced(entry), fields: specsOf(entry.fields) })));
      this.options = byId(data.options.map(priced));
      this.bottom = new Set([...this.entries.values()].map((entry) => entry.level));
      this.below = new Map([...this.levels.keys()].map((id) => [id, [...this.levels.values()].filter((level) => level.under.includes(id))]));
      this.tables = byId(data.tables);
      this.cells = new Map();
      for (const table of data.tables) {
        table.cells.forEach((row, r) => row.forEach((cell, c) => {
          const value = valueOf(cell);
          this.cells.set([table.id, table.rows[r][0], table.columns[c][0]].join("\n"), value);
          if (table.columns.length === 1) { this.cells.set([table.id, table.rows[r][0], ""].join("\n"), value); }
        }));
      }
      this.books = byId(data.books.map((book) => ({
        ...book,
        attributes: valuesOf(book.attributes),
        units: byId(book.units.map((unit) => ({
          ...unit,
          entry: this.entries.get(unit.type),
          options: unit.options.map((id) => this.options.get(id)),
          attributes: valuesOf(unit.attributes), fields: valuesOf(unit.fields), stats: valuesOf(unit.stats),
          number: unit.number && this.constraintOf(unit.number), alliedNumber: unit.alliedNumber && this.constraintOf(unit.alliedNumber)
        })))
      })));
      this.countsLimit = data.countsLimit;
      this.constraints = data.constraints.map((rule) => this.constraintOf(rule));
      this.grants = data.grants.map((grant) => ({ ...this.constraintOf(grant), set: valuesOf(grant.set) }));
    }
    constraintOf(rule) {
      const made = { ...rule, when: conditionOf(rule.when), unless: conditionOf(rule.unless) };
      for (const key of ["of", "part", "whole", "needs", "bars"]) {
        if (rule[key] && rule[key] !== "limit") { made[key] = selectorOf(rule[key]); }
      }
      for (const key of ["least", "most"]) {
        if (rule[key]) { made[key] = exact(rule[key][0]).over(exact(rule[key][1])); }
      }
      if (rule.allowed) { made.allowed = rule.allowed.map((each) => (each.range ? { range: rangeOf(each.range) } : each)); }
      return made;
    }
    /* The first field of a name, for its title and nouns. */
    spec(name) {
      const groups = [...[...this.levels.values()].map((level) => level.fields), this.profile, ...[...this.entries.values()].map((entry) => entry.fields)];
      return groups.find((group) => group.has(name))?.get(name);
    }
    /* What players call a value of an attribute. */
    wordFor(name, value) { return this.words.get(name)?.get(value) ?? value.replaceAll("-", " "); }
    entriesAt(level) { return [...this.entries.values()].filter((entry) => entry.level === level); }
    /* The unit of a book, or else the type, that has an id. */
    unitOfId(id, level, book) {
      const profile = book?.units.get(id);
      if (profile && profile.entry.level === level) { return { entry: profile.entry, profile }; }
      const entry = this.entries.get(id);
      return entry && entry.level === level ? { entry, profile: null } : null;
    }
  }

  function readField(spec, raw) {
    if (spec.form === "whole" || spec.form === "points") {
      const number = exact(raw);
      return { text: String(raw), number, amount: number, shown: String(number) };
    }
    if (spec.form === "flag") { return { text: raw, number: exact(raw === "true" ? 1 : 0), shown: raw === "true" ? Muster.say("yes") : Muster.say("no") }; }
    const number = /^-?[0-9]+(\.[0-9]+)?$/.test(raw) && spec.form !== "line" && spec.form !== "choice" ? exact(raw) : undefined;
    return { text: String(raw), amount: number, shown: spec.of.get(raw) };
  }

  /* What equal nodes share, through all changes of a list: values, price and counts are worked out once for all. */
  const MOST_KINDS = 20000;
  function kindOf({ system, level, entry, profile, book, options, fields, granted, parent }) {
    const texts = (values) => [...values].map(([name, value]) => [name, value.text]);
    const parts = [parent ? parent.kind.number : 0, level, entry?.id, profile?.id, book?.id, options.map((option) => option.id), texts(fields), texts(granted)];
    const key = JSON.stringify(parts);
    if (!system.kinds || system.kinds.size > MOST_KINDS) { system.kinds = new Map(); }
    if (!system.kinds.has(key)) { system.kinds.set(key, { number: system.lastKind = (system.lastKind ?? 0) + 1, values: new Map() }); }
    return system.kinds.get(key);
  }

  class Node {
    /** @type {System} */ system;
    /** @type {string} */ level;
    /** @type {any} The type; null for a level of command. */ entry;
    /** @type {any} The unit of a book, if it is one. */ profile;
    /** @type {any} */ book;
    /** @type {any[]} */ options;
    /** @type {Map<string, Value>} */ fields;
    /** @type {Map<string, Value>} */ granted;
    /** @type {Node | null} */ parent;
    /** @type {string} */ path;
    /** @type {Node[]} */ children;
    /** @type {string} */ name;
    /** @type {string} */ notes;
    /** @type {any} How many equal units it stands for. */ count;
    /** @type {any} What the list says of it. */ item;
    /** @type {number} */ order;
    constructor(system, level, parts) {
      Object.assign(this, { system, level, entry: null, profile: null, book: null, options: [], fields: new Map(), granted: new Map(), parent: null, path: "", children: [], ...parts });
      this.kind = kindOf(this);
    }
    /* Gives attributes that the state of the army gives; those that it has already win. */
    grant(attributes) {
      this.granted = new Map([...attributes, ...this.granted]);
      this.kind = kindOf(this);
    }
    get isBranch() { return this.level !== LEADER && !this.entry; }
    get title() { return this.profile?.title ?? this.entry?.title ?? this.system.levels.get(this.level)?.title ?? ""; }
    get label() { return this.name ? this.title + " " + Muster.quoted(this.name) : this.title; }
    get givenOptions() { return this.profile ? this.profile.options : []; }
    /* The fields that a list may fill in: those of the level, then those of the type. */
    get fieldSpecs() { return new Map([...(this.system.levels.get(this.level)?.fields ?? []), ...(this.entry?.fields ?? [])]); }
    fieldSpec(name) {
      return this.entry?.fields.get(name) ?? this.system.levels.get(this.level)?.fields.get(name) ?? (this.profile ? this.system.profile.get(name) : undefined);
    }
    value(name) {
      const known = this.kind.values;
      if (!known.has(name)) { known.set(name, this.lookUp(name)); }
      return known.get(name);
    }
    text(name) { return this.value(name)?.text ?? ""; }
    number(name) { return this.value(name)?.number ?? ZERO; }
    lookUp(name) {
      if (name === "level") { return { text: this.level }; }
      if (name === "type") { return this.entry ? { text: this.entry.id } : undefined; }
      if (name === "unit") { return this.profile ? { text: this.profile.id } : this.entry ? { text: this.entry.id } : undefined; }
      if (name === "book") { return this.book ? { text: this.book.id } : undefined; }
      return this.stated(name) ?? this.entry?.fields.get(name)?.default ?? this.inherited(name);
    }
    stated(name) {
      if (this.fields.has(name)) { return this.fields.get(name); }
      if (this.granted.has(name)) { return this.granted.get(name); }
      const option = this.options.find((each) => each.attributes.has(name));
      if (option) { return option.attributes.get(name); }
      for (const group of this.profile ? [this.profile.attributes, this.profile.fields, this.profile.stats] : []) {
        if (group.has(name)) { return group.get(name); }
      }
      return this.entry?.attributes.get(name);
    }
    inherited(name) {
      for (let node = /** @type {Node} */ (this); node; node = node.parent) {
        if (node !== this && node.fields.has(name)) { return node.fields.get(name); }
        const chosen = node.parent && node.book === node.parent.book ? null : node.book;
        if (chosen?.attributes.has(name)) { return chosen.attributes.get(name); }
        if (chosen?.nation && name === "nation") { return { text: chosen.nation }; }
      }
      for (let node = /** @type {Node} */ (this); node; node = node.parent) {
        const spec = this.system.levels.get(node.level)?.fields.get(name);
        if (spec) { return spec.default; }
      }
      return undefined;
    }
    shown(name) {
      const value = this.value(name), spec = this.fieldSpec(name) ?? this.system.spec(name);
      if (!value) { return ""; }
      if (!spec && value.shown === undefined) { return this.system.wordFor(name, value.text); }
      return spec?.of.get(value.text) ?? value.shown ?? value.text;
    }
    matches(selector, whateverOptions = false) {
      if (selector.level && selector.level !== this.level) { return false; }
      if (selector.entry.length && !selector.entry.includes(this.entry?.id)) { return false; }
      if (selector.options.length && !whateverOptions && !this.options.some((option) => selector.options.includes(option.id))) { return false; }
      return selector.where.every(([name, values]) => values.includes(this.text(name)));
    }
    standsUnder(selector) {
      for (let node = /** @type {Node} */ (this); node; node = node.parent) {
        if (node.matches(selector)) { return true; }
      }
      return false;
    }
    /* The cell that a reference names for this node; undefined if a field in it is empty. */
    cell(reference) {
      const keys = [];
      for (const part of [reference.row, reference.column]) {
        const named = part && typeof part === "object";
        const key = named ? this.text(part.field) : part ?? "";
        if (named && !key) { return undefined; }
        keys.push(key);
      }
      const cell = this.system.cells.get([reference.table, ...keys].join("\n"));
      if (!cell) { throw new UnknownCell("no " + keys.filter((key) => key).join(", ") + " in “" + this.system.tables.get(reference.table).title + "”"); }
      return cell;
    }
    * walk() {
      yield this;
      for (const child of this.children) { yield* child.walk(); }
    }
  }

  /* The army of a list, which is data as a file holds it: mappings, lists and text; nothing is granted yet. */
  function readTree(system, data) {
    let order = 0;
    function make(level, item, parent, path, parts) {
      const book = "book" in item ? system.books.get(item.book) : parent?.book ?? null;
      return new Node(system, level, { name: item.name ?? "", notes: item.notes ?? "", book, parent, path, item, order: order++, ...parts, count: exact(parts.count ?? 1) });
    }
    /** @returns {Map<string, Value>} */
    function fieldsOf(item, specs) {
      return new Map([...specs].filter(([name]) => name in item).map(([name, spec]) => [name, readField(spec, item[name])]));
    }
    function optionsOf(item, given) {
      const chosen = (item.options ?? []).map((id) => system.options.get(id));
      return [...given, ...chosen.filter((option) => !given.includes(option))];
    }
    function leader(item, entry, parent, path) {
      return make(LEADER, item, parent, path, { entry, fields: fieldsOf(item, entry.fields), options: optionsOf(item, []) });
    }
    function unit(item, level, parent, path) {
      const book = "book" in item ? system.books.get(item.book) : parent.book;
      const found = system.unitOfId(item[level.id], level.id, book);
      // A unit of one book may have been moved under another.
      if (!found) { throw new UnknownCell((book ? "the army book " + book.title + " has" : "there is") + " no " + lowerFirst(level.title) + " “" + item[level.id] + "”"); }
      const { entry, profile } = found;
      return make(level.id, item, parent, path, {
        entry, profile, count: item.count, fields: fieldsOf(item, new Map([...level.fields, ...entry.fields])), options: optionsOf(item, profile?.options ?? [])
      });
    }
    function command(item, level, parent, path) {
      const fields = fieldsOf(item, level.fields);
      if (!parent && system.scales.length > 1) { fields.set("scale", { text: item.scale ?? system.scales[0][0] }); }
      const node = make(level.id, item, parent, path, { fields });
      const inner = new Map(system.below.get(level.id).map((each) => [each.key, each]));
      for (const [key, held] of Object.entries(item)) {
        const at = path ? path + "." + key : key, below = inner.get(key), led = level.leaders.get(key);
        if (led) {
          const entry = system.entries.get(led.entry);
          const items = led.many ? held.map((each, n) => [each, at + "[" + n + "]"]) : [[held, at]];
          node.children.push(...items.map(([each, place]) => leader(each, entry, node, place)));
        } else if (below) {
          held.forEach((each, n) => {
            const place = at + "[" + n + "]";
            node.children.push(system.bottom.has(below.id) ? unit(each, below, node, place) : command(each, below, node, place));
          });
        }
      }
      return node;
    }
    const root = command(data, system.top, null, "");
    return { system, data, root, name: root.name || system.title, limit: "limit" in data ? exact(data.limit) : null, nodes: [...root.walk()] };
  }

  /* The value that the stated total of a roll gives a node; undefined if none follows from it. */
  function valueOfStatedTotal(roll, node) {
    const total = roll.total && node.fields.get(roll.total)?.number;
    const key = typeof roll.key === "object" ? node.text(roll.key.field) : roll.key;
    if (!total || !key) { return undefined; }
    const scale = node.text("scale") || node.system.scales[0][0];
    const keys = new Map(roll.outcomes).get(scale) ?? [];
    const found = outcomeOf((new Map(keys).get(key) ?? []).map(bandOf), total, roll.capped);
    return found?.value;
  }
  /* The narrowest band that holds a total; if the roll is capped, the outermost holds all beyond it. */
  function outcomeOf(outcomes, total, capped) {
    const isLower = (one, other) => (one.low === null ? other.low !== null : other.low !== null && one.low.below(other.low));
    const isHigher = (one, other) => (one.high === null ? other.high !== null : other.high !== null && one.high.above(other.high));
    const best = (all, worse) => all.reduce((one, other) => (one && !worse(one, other) ? one : other), undefined);
    const top = best(outcomes, isLower);
    if (capped && top && top.high !== null && total.above(top.high)) { return top; }
    const holding = outcomes.filter((each) => inBand(each, total));
    if (holding.length) { return best(holding, (one, other) => isLower(one, other) || (!isLower(other, one) && isHigher(one, other))); }
    const bottom = best(outcomes, (one, other) => isLower(other, one));
    return capped && bottom && (bottom.low === null ? false : !total.above(bottom.low)) ? bottom : undefined;
  }

  Object.assign(Muster, { LEADER, SCHEMA, System, Node, UnknownCell, readTree, bandOf, inBand, leastOf, fieldsOf, valueOfStatedTotal, outcomeOf });
}(window.Muster));
