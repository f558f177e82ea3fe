/* Reads an army list that somebody wrote: ids in the place of labels, and what is wrong with it, as `muster check`
   says it. A problem has a code, a text, and the path of the value: keys and, counted from 0, places in lists. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, LEADER, UnknownCell, readArmy, check, findNames, bandOf, outcomeOf, lowerFirst, withArticle } = Muster;
  const TOP = ["system", "player", "limit", "scale"], COMMON = ["name", "notes", "book", "rolled"], UNIT = ["count", "options"], PICTURE = "picture";
  const MAX_COUNT = 999, MAX_UNITS = 1000, MAX_SIZE = 999, MAX_ENTRIES = 2000, MAX_LINE = 300;
  const WHOLE = /^(0|[1-9][0-9]{0,8})$/, POINTS = /^(0|[1-9][0-9]{0,8})(\.[0-9]{1,4})?$/;

  /* A number of points that somebody typed, with a point for a comma; null if it is none. */
  function typedPoints(text) {
    const found = text.trim().replace(",", ".");
    return POINTS.test(found) ? found : null;
  }
  function shown(raw) {
    if (Array.isArray(raw)) { return "a list"; }
    if (raw !== null && typeof raw === "object") { return "a mapping"; }
    const text = String(raw);
    return text === "" ? "nothing" : "'" + (text.length > 40 ? text.slice(0, 39) + "…" : text) + "'";
  }
  function isMapping(raw) { return raw !== null && typeof raw === "object" && !Array.isArray(raw); }
  /* What a field of some form must be; empty if the text has the form. */
  function expectation(spec, raw) {
    if (typeof raw !== "string") { return "text"; }
    switch (spec.form) {
      case "whole": return WHOLE.test(raw) ? "" : "a whole number" + (WHOLE.test(raw.replace(/^-/, "")) ? " of 0 or more" : "");
      case "points": return POINTS.test(raw) ? "" : "a number of points, 0 or more";
      case "flag": return raw === "true" || raw === "false" ? "" : "true or false";
      case "choice": return spec.of.has(raw) ? "" : "one of " + [...spec.of.keys()].join(", ");
      default: return raw && raw.length <= MAX_LINE && !raw.includes("\n") ? "" : "one line of at most " + MAX_LINE + " characters";
    }
  }

  /* The list with ids for labels, and its problems; the list is null where there are any. A translated system reads
     labels of its own language, which files hold as a rule, and those of the translation. */
  function readList(system, written) {
    const { list } = system.original ? listOf(system.original, written) : { list: null };
    return listOf(system, list ?? written);
  }
  function listOf(system, written) {
    const problems = [], data = structuredClone(written);
    let entries = 0, units = 0;
    const add = (code, path, text) => { problems.push({ code, path, text }); };
    function findId(raw, pairs, path) {
      if (typeof raw !== "string") { return raw; }
      const found = findNames(raw, pairs);
      if (found.length > 1) { add("unclear-name", path, "read " + shown(raw) + ", expected one of " + found.join(", ")); }
      return found.length ? found[0] : raw;
    }
    function refuseUnknownKeys(item, known, title, path) {
      for (const key of Object.keys(item)) {
        if (!known.includes(key)) { add("unknown-key", [...path, key], "there is no key '" + key + "' for " + title + "; known: " + known.join(", ")); }
      }
    }
    function readTexts(item, path, keys) {
      for (const key of keys.filter((each) => (item[each] ?? "") !== "")) {
        if (expectation({ form: "line" }, item[key])) { add("bad-value", [...path, key], "read " + shown(item[key]) + ", expected one line of at most " + MAX_LINE + " characters"); }
      }
    }
    function readFields(item, specs, path) {
      for (const [name, spec] of specs) {
        if (!(name in item)) { continue; }
        if (spec.of.size) { item[name] = findId(item[name], [...spec.of], [...path, name]); }
        const expected = expectation(spec, item[name]);
        if (expected) { add("bad-value", [...path, name], "read " + shown(item[name]) + ", expected " + expected); }
      }
    }
    function readBook(item, path) {
      if (item.book === undefined) { return; }
      let found = findId(item.book, [...system.books.keys()].map((id) => [id, ""]), [...path, "book"]);
      if (!system.books.has(found)) { found = findId(item.book, [...system.books.values()].map((book) => [book.id, book.title]), [...path, "book"]); }
      item.book = found;
      if (!system.books.has(found)) {
        add("unknown-book", [...path, "book"], "there is no army book " + shown(found) + "; known: " + ([...system.books.keys()].join(", ") || "none"));
      }
    }
    function readOptions(item, title, path) {
      if (item.options === undefined) { return; }
      if (!Array.isArray(item.options)) { add("wrong-type", [...path, "options"], "read " + shown(item.options) + ", expected a list of options"); return; }
      const pairs = [...system.options.values()].map((option) => [option.id, option.title]);
      item.options = item.options.map((raw, n) => findId(raw, pairs, [...path, "options", n]));
      item.options.forEach((id, n) => {
        if (!system.options.has(id)) {
          add("unknown-option", [...path, "options", n], "there is no option " + shown(id) + " for " + title + "; known: " + ([...system.options.keys()].join(", ") || "none"));
        } else if (item.options.indexOf(id) !== n) {
          add("option-twice", [...path, "options", n], "the option '" + id + "' is used twice");
        }
      });
    }
    function count(path) {
      entries += 1;
      if (entries > MAX_ENTRIES && entries === MAX_ENTRIES + 1) { add("too-many-units", [], "an army may have at most " + MAX_ENTRIES + " entries"); }
      return entries <= MAX_ENTRIES;
    }
    function asMappings(raw, path, title) {
      if (!Array.isArray(raw)) { add("wrong-type", path, "read " + shown(raw) + ", expected a list, in which each entry begins with a dash"); return []; }
      return raw.map((item, n) => [item, [...path, n]]).filter(([item, at]) => asMapping(item, at, title));
    }
    function asMapping(raw, path, title) {
      if (!isMapping(raw)) { add("wrong-type", path, "read " + shown(raw) + ", expected the keys of " + withArticle(lowerFirst(title)) + " such as {name: Anna}"); }
      return isMapping(raw);
    }

    function readLeader(item, entry, path) {
      if (!count(path)) { return; }
      refuseUnknownKeys(item, [...entry.fields.keys(), ...COMMON, "options", PICTURE], entry.title, path);
      readBook(item, path);
      readFields(item, entry.fields, path);
      readOptions(item, entry.title, path);
      readTexts(item, path, ["name", "notes", "rolled"]);
    }
    function readUnit(item, level, book, path) {
      if (!count(path)) { return; }
      readBook(item, path);
      const own = item.book === undefined ? book : system.books.get(item.book), written = item[level.id];
      const types = system.entriesAt(level.id), profiles = own ? [...own.units.values()].filter((unit) => unit.entry.level === level.id) : [];
      if (typeof written !== "string") { add("missing-unit", path, "expected `" + level.id + ":` with the id of a " + level.title.toLowerCase() + " such as " + types[0].id); return; }
      let unit = system.unitOfId(written, level.id, own);
      for (const labels of [profiles.map((each) => [each.id, each.title]), types.flatMap((each) => [each.title, each.one, each.many].map((label) => [each.id, label ?? ""]))]) {
        if (!unit) {
          item[level.id] = findId(written, labels, [...path, level.id]);
          unit = system.unitOfId(item[level.id], level.id, own);
        }
      }
      if (!unit) {
        if (item.book !== undefined && !own) { return; }
        const ids = [...profiles, ...types].map((each) => each.id);
        add("unknown-" + level.id, [...path, level.id], "there is no " + level.title.toLowerCase() + " " + shown(written) + "; known: " + ids.join(", "));
        return;
      }
      const title = unit.profile?.title ?? unit.entry.title, specs = new Map([...level.fields, ...unit.entry.fields]);
      refuseUnknownKeys(item, [level.id, ...specs.keys(), ...COMMON, ...UNIT, PICTURE], title, path);
      readFields(item, specs, path);
      readOptions(item, title, path);
      readTexts(item, path, ["name", "notes", "rolled"]);
      const raw = item.count ?? "1";
      if (typeof raw !== "string" || !WHOLE.test(raw) || Number(raw) < 1 || Number(raw) > MAX_COUNT) {
        add("bad-count", [...path, "count"], "read " + shown(raw) + ", expected a count from 1 to " + MAX_COUNT);
      } else {
        if (units <= MAX_UNITS && units + Number(raw) > MAX_UNITS) { add("too-many-units", [...path, "count"], "an army may have at most " + MAX_UNITS + " units"); }
        units += Number(raw);
      }
    }
    function readCommand(item, level, book, path) {
      if (!count(path)) { return; }
      const top = !path.length, below = new Map(system.below.get(level.id).map((each) => [each.key, each]));
      readBook(item, path);
      const own = item.book === undefined ? book : system.books.get(item.book);
      refuseUnknownKeys(item, [...level.leaders.keys(), ...below.keys(), ...level.fields.keys(), ...COMMON, ...(top ? TOP : [])], level.title, path);
      readFields(item, level.fields, path);
      readTexts(item, path, ["name", "notes", "rolled", ...(top ? ["player"] : [])]);
      for (const [key, raw] of Object.entries(item)) {
        const at = [...path, key], led = level.leaders.get(key), inner = below.get(key);
        if (led) {
          const entry = system.entries.get(led.entry);
          if (led.many) {
            asMappings(raw, at, entry.title).forEach(([each, place]) => readLeader(each, entry, place));
          } else if (asMapping(raw, at, entry.title)) { readLeader(raw, entry, at); }
        } else if (inner) {
          for (const [each, place] of asMappings(raw, at, inner.title)) {
            if (system.bottom.has(inner.id)) { readUnit(each, inner, own, place); } else { readCommand(each, inner, own, place); }
          }
        }
      }
    }

    readCommand(data, system.top, undefined, []);
    if (data.limit !== undefined) {
      if (!system.prices) {
        add("bad-limit", ["limit"], "nothing has a price in " + system.title + "; leave `limit:` out");
      } else if (expectation({ form: "points" }, data.limit)) {
        add("bad-limit", ["limit"], "read " + shown(data.limit) + ", expected a number of points, 0 or more");
      }
    }
    if (data.scale !== undefined) {
      data.scale = findId(data.scale, system.scales, ["scale"]);
      if (!system.scales.some(([id]) => id === data.scale)) {
        add("unknown-scale", ["scale"], "read " + shown(data.scale) + ", expected one of " + system.scales.map(([id]) => id).join(", "));
      }
    }
    if (problems.length) { return { list: null, problems, verdict: null }; }
    const judged = judge(readArmy(system, data));
    return { list: judged.verdict && data, ...judged };
  }

  /* The verdict on an army whose values all have their form, or what makes `muster check` refuse it. */
  function judge(army) {
    const problems = refusalsOf(army);
    if (problems.length) { return { problems, verdict: null }; }
    try { return { problems, verdict: check(army) }; } catch (error) {
      if (!(error instanceof UnknownCell)) { throw error; }
      return { problems: [{ code: "unknown-cell", path: [], text: error.message, node: army.root }], verdict: null };
    }
  }
  /* The same, but for values that name no cell of a table. */
  function refusalsOf(army) {
    const problems = [];
    for (const node of army.nodes) {
      const path = keyPath(node.path), size = node.entry?.size;
      const add = (code, key, text) => problems.push({ code, path: key in node.item ? [...path, key] : path, text, node });
      for (const [name, spec] of node.fieldSpecs) {
        const missing = (spec.required || name === size) && !(name in node.item) && node.value(name) === undefined;
        if (missing) {
          const choices = spec.of.size ? ", one of " + [...spec.of.keys()].join(", ") : "", what = (spec.title || name).toLowerCase();
          add(name === size ? "missing-size" : "missing-key", name, "the key '" + name + "' is missing here: the " + what + " of " + node.title + choices);
        }
        if (spec.roll) { checkRoll(node, name, spec, add); }
      }
      if (node.isBranch && node.book) {
        for (const [name, value] of node.fields) {
          const said = node.book.attributes.get(name)?.text;
          if (said !== undefined && value.text !== said) {
            add("not-of-the-book", name, "read '" + value.text + "', expected '" + said + "', which the army book '" + node.book.id + "' says; leave `" + name + ":` out or choose another book");
          }
        }
      }
      for (const [name, { text }] of node.profile?.fields ?? []) {
        const own = node.fields.get(name)?.text ?? text;
        if (own !== text) {
          add("not-of-the-profile", name, "read '" + own + "', expected '" + text + "', which the army book says of " + node.title + "; leave `" + name + ":` out or choose another unit");
        }
      }
      if (size && node.number(size).above(exact(MAX_SIZE))) {
        const spec = node.fieldSpec(size);
        add("bad-size", size, "read '" + node.number(size) + "', expected at most " + MAX_SIZE + " " + lowerFirst(spec.many || spec.title || size));
      }
    }
    return problems;
  }
  function checkRoll(node, name, spec, add) {
    const roll = spec.roll, total = roll.total && node.fields.get(roll.total)?.number;
    const value = spec.form === "choice" ? "" : node.fields.get(name)?.text ?? "";
    if ((value === "" || value === spec.default?.text) && !total) { return; }
    const key = typeof roll.key === "object" ? node.text(roll.key.field) : roll.key, scale = node.text("scale") || node.system.scales[0][0];
    const outcomes = (new Map(new Map(roll.outcomes).get(scale)).get(key) ?? []).map(bandOf);
    if (!outcomes.length) { return; }
    const values = [...new Set(outcomes.map((each) => each.value))];
    if (value !== "" && value !== spec.default?.text && !values.includes(value)) {
      add("bad-value", name, "read '" + value + "', expected one of " + values.join(", ") + ", as in “" + roll.title + "”");
    }
    const more = roll.plus.filter((plus) => (plus.where ?? []).every(([each, texts]) => texts.includes(node.text(each))))
      .reduce((sum, plus) => sum.plus(exact(plus.add)), ZERO);
    const totals = roll.thrown.map((thrown) => exact(thrown).plus(more)).filter((each) => outcomeOf(outcomes, each, roll.capped));
    if (total && totals.length && !totals.some((each) => each.compare(total) === 0)) {
      add("bad-value", roll.total, "read '" + total + "', expected a roll from " + totals[0] + " to " + totals[totals.length - 1] + ", as in “" + roll.title + "”");
    }
  }
  /* The keys and places of a path such as "commands[0].units[1]". */
  function keyPath(path) {
    return path ? [...path.matchAll(/([^.[\]]+)|\[(\d+)\]/g)].map(([, key, place]) => (key === undefined || place !== undefined ? Number(place) : key)) : [];
  }

  Object.assign(Muster, { typedPoints, readList, refusalsOf, keyPath, LEADER, expectation, MAX_SIZE, MAX_COUNT });
}(window.Muster));
