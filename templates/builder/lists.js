/* Changes of an army list. A list is never changed itself: each change returns another, which shares all that stays. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, readArmy, check, refusalsOf, UnknownCell } = Muster;
  const MOST_TRIED = 60;

  function at(list, path) { return path.reduce((held, step) => held?.[step], list); }
  /* The list in which the part at a path is what `change` makes of it; undefined takes it out. */
  function changed(list, path, change) {
    if (!path.length) { return change(list); }
    const [step, ...rest] = path, copy = Array.isArray(list) ? [...list] : { ...list };
    const value = changed(copy[step], rest, change);
    if (value !== undefined) { copy[step] = value; } else if (Array.isArray(copy)) { copy.splice(step, 1); } else { delete copy[step]; }
    return copy;
  }
  function set(list, path, key, value) { return changed(list, path, (item) => { const copy = { ...item }; if (value === undefined) { delete copy[key]; } else { copy[key] = value; } return copy; }); }
  function remove(list, path) { return tidied(changed(list, path, () => undefined), path.slice(0, -1)); }
  /* Without an empty list at a path. */
  function tidied(list, path) { const held = at(list, path); return Array.isArray(held) && !held.length ? changed(list, path, () => undefined) : list; }
  function insert(list, path, key, item, place = Infinity) {
    return changed(list, path, (held) => ({ ...held, [key]: [...(held[key] ?? []).slice(0, place), item, ...(held[key] ?? []).slice(place)] }));
  }
  function duplicate(list, path) {
    const place = path[path.length - 1];
    return changed(list, path.slice(0, -1), (items) => [...items.slice(0, place + 1), structuredClone(items[place]), ...items.slice(place + 1)]);
  }
  /* One place up (-1) or down (1) in its own list; the same list if there is none. */
  function shift(list, path, by) {
    const from = path[path.length - 1], to = from + by, items = at(list, path.slice(0, -1));
    if (!Array.isArray(items) || to < 0 || to >= items.length) { return list; }
    return changed(list, path.slice(0, -1), (held) => { const copy = [...held]; [copy[from], copy[to]] = [copy[to], copy[from]]; return copy; });
  }
  /* Under another command, at the end, or before a place there; returns the list, and the path of what was moved. */
  function move(list, path, target, key, place = Infinity) {
    const item = at(list, path), from = path.slice(0, -1), own = path[path.length - 1];
    const same = from.join("\n") === [...target, key].join("\n");
    const put = same && place > own ? place - 1 : place;
    // The target may stand behind what is taken out, in the same list of commands.
    const to = target.map((step, n) => (n === path.length - 1 && from.join("\n") === target.slice(0, n).join("\n") && step > own ? step - 1 : step));
    const without = changed(list, path, () => undefined), moved = insert(without, to, key, item, put);
    const places = at(moved, [...to, key]);
    return { list: same ? moved : tidied(moved, from), path: [...to, key, places.indexOf(item)] };
  }

  /* The verdict on a list; null if a value of it names no cell of a table, or a unit none of its book. */
  function verdictOf(system, list, army = null) {
    try { return check(army ?? readArmy(system, list)); } catch (error) {
      if (error instanceof UnknownCell) { return null; }
      throw error;
    }
  }
  function errorsAt(verdict, path) { return verdict ? verdict.findings.filter((finding) => finding.severity === "error" && finding.path === path) : []; }

  /* The army with nothing in it but one node and what it stands under: what a value breaks there, it breaks by itself. */
  function alone(system, list, path) {
    const keep = (item, steps, level) => {
      const copy = {}, [key, place, ...rest] = steps;
      const inner = new Set([...system.below.get(level.id).map((each) => each.key), ...level.leaders.keys()]);
      for (const [name, value] of Object.entries(item)) { if (!inner.has(name)) { copy[name] = value; } }
      if (key === undefined) { return copy; }
      const below = system.below.get(level.id).find((each) => each.key === key);
      if (typeof place !== "number") { copy[key] = item[key]; } else if (below && !system.bottom.has(below.id)) { copy[key] = [keep(item[key][place], rest, below)]; } else { copy[key] = [item[key][place]]; }
      return copy;
    };
    return { list: keep(list, path, system.top), path: path.map((step) => (typeof step === "number" ? 0 : step)) };
  }
  function pathText(path) { return path.map((step) => (typeof step === "number" ? "[" + step + "]" : "." + step)).join("").replace(/^\./, "") || "army"; }
  /* The errors that a node of a list has by itself, each with its message; `change` is tried on its data. */
  function trial(system, list, path) {
    // What the army gives a node, the node has only in the whole of it.
    const one = system.grants.length ? { list, path } : alone(system, list, path), text = pathText(one.path);
    return (change) => {
      const tried = change ? changed(one.list, one.path, change) : one.list;
      const army = readArmy(system, tried), refused = refusalsOf(army).filter((problem) => problem.node.path === (one.path.length ? text : ""));
      if (refused.length) { return refused.map((problem) => ({ code: problem.code, message: problem.text })); }
      return errorsAt(verdictOf(system, tried, army), text);
    };
  }
  /* The errors that a change of a node would add, as messages. */
  function added(tried, change) {
    const before = tried().map((error) => error.code);
    return tried(change).filter((error) => !before.includes(error.code)).map((error) => error.message);
  }
  /* The numbers up to 60 that a field of a node may have without an error. */
  function allowedNumbers(system, list, path, name, least) {
    const tried = trial(system, list, path), found = [];
    for (let number = least; number <= MOST_TRIED; number += 1) {
      const errors = tried((item) => ({ ...item, [name]: String(number) }));
      found.push([number, errors.length]);
    }
    const fewest = Math.min(...found.map(([, errors]) => errors));
    return found.filter(([, errors]) => errors === fewest).map(([number]) => number);
  }

  /* The next number in a direction that a field of a node may have, else the very next. */
  function nextNumber(system, list, path, name, from, by) {
    const tried = trial(system, list, path);
    for (let number = from + by; number >= 1 && number <= from + MOST_TRIED; number += by) {
      if (!tried((item) => ({ ...item, [name]: String(number) })).length) { return number; }
    }
    return from + by;
  }

  /* The list in which the node at a path states all that it must, by itself as legal as can be. */
  function filled(system, list, path) {
    const node = readArmy(system, list).nodes.find((each) => each.path === (path.length ? pathText(path) : "")), size = node.entry?.size;
    const wanted = [...node.fieldSpecs].filter(([name, spec]) => (spec.required || name === size) && node.value(name) === undefined);
    let made = list;
    // A choice may decide on the size that is allowed, so that the size comes last.
    for (const [name, spec] of wanted.sort(([one], [other]) => Number(one === size) - Number(other === size))) {
      let values = [...spec.of.keys()];
      if (spec.form === "flag") { values = ["false", "true"]; }
      if (spec.form === "whole") { values = name === size ? allowedNumbers(system, made, path, name, 1).slice(0, 1).map(String) : ["1"]; }
      if (spec.form === "points") { values = ["0"]; }
      if (!values.length) { values = ["–"]; }
      const tried = trial(system, made, path);
      const counts = values.map((value) => tried((each) => ({ ...each, [name]: value })).length);
      made = set(made, path, name, values[counts.indexOf(Math.min(...counts))]);
    }
    return made;
  }
  /* The list with one more item at the end of a list of a command, and the item's path. */
  function appended(system, list, path, key, item) {
    const made = insert(list, path, key, item), place = [...path, key, at(made, [...path, key]).length - 1];
    return { list: filled(system, made, place), path: place };
  }
  function newList(system, list) { return filled(system, list, []); }
  function addUnit(system, list, path, level, id) { return appended(system, list, path, level.key, { [level.id]: id }); }
  function addLeader(system, list, path, key, led) {
    return led.many ? appended(system, list, path, key, {}) : { list: filled(system, set(list, path, key, {}), [...path, key]), path: [...path, key] };
  }
  function addCommand(system, list, path, level) { return appended(system, list, path, level.key, {}); }

  /* What adding a unit would do: the list, the unit in it, what it costs, and the errors that it adds to the army. */
  function preview(system, list, verdict, path, level, id) {
    const made = addUnit(system, list, path, level, id), after = verdictOf(system, made.list);
    if (!after) { return { ...made, node: null, points: null, errors: [Muster.say("A value does not match any cell of a table.")] }; }
    const line = after.price.lines.find((each) => each.node.path === pathText(made.path));
    const node = after.army.nodes.find((each) => each.path === pathText(made.path));
    return { ...made, node, points: line ? line.known : null, line, errors: newErrors(verdict, { ...after, findings: after.findings.filter(({ code }) => code !== "over-limit") }) };
  }
  function newErrors(before, after) {
    const counts = new Map();
    for (const { severity, code } of before.findings) { if (severity === "error") { counts.set(code, (counts.get(code) ?? 0) + 1); } }
    return after.findings.filter(({ severity, code }) => {
      const left = counts.get(code) ?? 0;
      counts.set(code, left - 1);
      return severity === "error" && left <= 0;
    }).map((finding) => finding.message);
  }

  function withoutOption(list, path, id) {
    const left = (at(list, path).options ?? []).filter((each) => each !== id);
    return set(list, path, "options", left.length ? left : undefined);
  }
  /* The units that may stand at a level, id and title of each: those of the book, then the types that it has none of. */
  function unitsFor(system, book, level) {
    const own = book ? [...book.units.values()].filter((unit) => unit.entry.level === level.id) : [];
    const types = system.entriesAt(level.id).filter((entry) => !own.some((unit) => unit.entry === entry));
    return [...own, ...types].map((unit) => [unit.id, unit.title]);
  }

  Object.assign(Muster, {
    at, changed, set, remove, insert, duplicate, shift, move, verdictOf, trial, added, allowedNumbers, nextNumber, filled, newList, addUnit, addLeader, addCommand,
    preview, withoutOption, pathText, unitsFor, newErrors, exact, ZERO
  });
}(window.Muster));
