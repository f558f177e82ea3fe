/* The changes by which a finding goes: each is tried on the list, and offered only if the finding goes and no other
   error comes, but for what a new unit or command still lacks itself. */
(function (Muster) {
  "use strict";
  const {
    at, set, remove, move, verdictOf, allowedNumbers, addUnit, addLeader, addCommand, withoutOption, pathText, unitsFor, keyPath, refusalsOf, judges, lowerFirst, joinWords, countedOptions, say
  } = Muster;
  const MOST_FIXES = 4, MOST_STEPS = 12, MOST_TRIED = 16;
  const OVER_LIMIT = "over-limit";

  function isError({ severity }) { return severity === "error"; }
  function isWithin(path, above) { return path === above || path.startsWith(above + ".") || path.startsWith(above + "["); }
  function titleOf(node, field) { return lowerFirst(node.fieldSpec(field)?.title || field); }

  /* The words that set a field; `unit` says of what, where that is not plain. */
  function setting(field, value, unit = "") { return unit ? say("Set {field} of {unit} to {value}", { field, unit, value }) : say("Set {field} to {value}", { field, value }); }

  /* Yields after each trial, so that a page can answer meanwhile; returns the fixes, the best first. A fix has the words of
     its button, and a changed list, or else the place `go` where the player enters what nobody else can know. */
  function* findFixes(system, list, verdict, finding) {
    const { node, constraint: rule } = finding, path = keyPath(node.path), fixes = [];
    const same = (each) => each.code === finding.code, here = (each) => same(each) && each.path === finding.path;
    const count = (found, which) => found.findings.filter(which).length;
    const key = (each) => each.code + "\n" + each.path;
    const before = new Map();
    for (const each of verdict.findings) { before.set(key(each), (before.get(key(each)) ?? 0) + 1); }
    /* Tries a list; `made` is the path of what was added, if anything was; `removes` says that the unit itself goes. */
    const tryOut = (label, tried, { made = "", rank = 0, removes = false } = {}) => {
      const after = tried && verdictOf(system, tried);
      if (!after || refusalsOf(after.army).length) { return false; }
      const gone = count(after, here) < count(verdict, here) || count(after, same) < count(verdict, same);
      const left = new Map(before);
      const isNew = (each) => {
        const rest = left.get(key(each)) ?? 0;
        left.set(key(each), rest - 1);
        return rest <= 0;
      };
      // What was there may stand elsewhere now, as the paths of units behind one that has gone.
      const fresh = after.findings.filter((each) => isError(each) && isNew(each) && !(made && (isWithin(each.path, made) || each.code === OVER_LIMIT)));
      const worse = fresh.length > 0 && count(after, isError) >= count(verdict, isError) + (isError(finding) ? 0 : 1);
      const heavier = !made && after.findings.length >= verdict.findings.length && count(after, isError) >= count(verdict, isError);
      if (!gone || worse || heavier) { return false; }
      const errors = count(after, (each) => isError(each) && !(made && isWithin(each.path, made)));
      fixes.push({ label, list: tried, removes, rank: errors * 1000 + after.findings.length + rank });
      return true;
    };

    if (finding.code === OVER_LIMIT) { yield* cheaper(system, list, verdict, tryOut); return best(fixes); }
    if (finding.code === "no-limit") { return [{ label: say("Enter the limit"), go: ["army", "limit"] }]; }
    if (finding.code === "price-unknown") {
      const terms = [...(node.entry?.price ?? []), ...node.options.flatMap((option) => option.price)];
      const fields = terms.filter((term) => Muster.meets(term.where, node)).map((term) => term.each.field);
      return [...new Set(fields)].filter((field) => field && node.fieldSpecs.has(field) && !node.value(field)).map((field) => ({ label: say("Enter the {field}", { field: titleOf(node, field) }), go: [node.path, field] }));
    }
    const selectors = rule ? ["of", "needs", "part", "bars"].map((each) => rule[each]).filter((each) => each?.where) : [];
    if (!node.isBranch) { yield* changesOf(node); }
    yield* choicesAround(node);
    if (!node.isBranch) {
      tryOut(say("Remove {unit}", { unit: node.label }), remove(list, path), { rank: 1e6, removes: true });
      return best(fixes);
    }
    const below = rule?.within === "book" ? verdict.army.nodes : [...node.walk()];
    for (const selector of selectors) {
      for (const [label, add] of additions(system, node, selector)) {
        let grown = { list, path: null };
        for (let n = 1; n <= MOST_STEPS; n += 1) {
          grown = add(grown.list);
          yield;
          if (tryOut(say("Add {unit}", { unit: (n > 1 ? n + " × " : "") + label }), grown.list, { made: pathText(grown.path), rank: n })) { break; }
        }
      }
      // Several may have to go: the same step again, until the finding has gone.
      for (const each of below.filter((one) => one !== node && !one.count.is(1) && one.matches(selector)).slice(0, 3)) {
        const number = Number(each.count);
        for (let less = 1; less < Math.min(number, MOST_STEPS); less += 1) {
          const left = number - less;
          yield;
          if (tryOut(say("Remove {less} of {number} × {unit}", { less, number, unit: each.label }), set(list, keyPath(each.path), "count", left > 1 ? String(left) : undefined), { rank: 500 })) { break; }
        }
      }
      const held = below.filter((each) => each !== node && each.path && each.matches(selector)).reverse();
      // What is too many here may be right in another command.
      for (const each of held.filter((one) => one.parent === node && system.levels.has(one.level)).slice(0, 2)) {
        for (const home of verdict.army.nodes.filter((one) => one !== node && one.isBranch && one.level === node.level).slice(0, MOST_FIXES)) {
          yield;
          tryOut(say("Move {unit} to {command}", { unit: each.label, command: home.label }), move(list, keyPath(each.path), keyPath(home.path), system.levels.get(each.level).key).list, { rank: 300 });
        }
      }
      let made = list;
      for (const [n, each] of held.slice(0, MOST_STEPS).entries()) {
        made = remove(made, keyPath(each.path));
        yield;
        if (tryOut(n ? say("Remove the last {number}: {units}", { number: n + 1, units: joinWords(held.slice(0, n + 1).map((one) => one.title)) }) : say("Remove {unit}", { unit: each.label }), made, { rank: 600 })) { break; }
      }
      if (!fixes.length) {
        for (const each of held.filter((one) => !one.isBranch).slice(-MOST_STEPS)) { yield* changesOf(each, each.label); }
      }
    }
    return best(fixes);

    /* Other sizes, options and choices of one unit; `name` says of which, where it is not the one of the finding. */
    function* changesOf(each, name = "") {
      const own = keyPath(each.path);
      const summed = (judges[rule?.kind]?.measures?.(rule) ?? []).flatMap((measure) => measure.summed ?? []);
      for (const field of new Set(summed.filter((one) => each.fieldSpecs.get(one)?.form === "whole"))) {
        const now = Number(each.number(field)), numbers = allowedNumbers(system, list, own, field, 1);
        // The nearest on either side by which the finding goes.
        for (const side of [numbers.filter((one) => one < now).reverse(), numbers.filter((one) => one > now)]) {
          for (const number of side.slice(0, MOST_STEPS)) {
            yield;
            if (tryOut(setting(titleOf(each, field), String(number), name), set(list, own, field, String(number)), { rank: Math.abs(number - now) / 100 })) { break; }
          }
        }
      }
      if (name) { return; }
      for (const option of each.options.filter((one) => !each.givenOptions.includes(one))) {
        yield;
        tryOut(say("Leave out {option}", { option: say("“{title}”", { title: option.title }) }), withoutOption(list, own, option.id));
      }
      for (const [field, spec] of each.fieldSpecs) {
        if (spec.form !== "choice" || each.profile?.fields.has(field)) { continue; }
        if (each.fields.has(field)) { tryOut(say("Leave the {field} open", { field: titleOf(each, field) }), set(list, own, field, undefined)); }
        for (const [value, title] of spec.of) {
          if (value !== each.text(field)) { yield; tryOut(setting(titleOf(each, field), title), set(list, own, field, value)); }
        }
      }
    }
    /* Values that the rule asks for of what stands above, and of what stands below. */
    function* choicesAround(of) {
      const names = new Set(selectors.flatMap((selector) => selector.where.map(([name]) => name))), holders = [];
      for (let above = of.isBranch ? of : of.parent; above; above = above.parent) { holders.push(above); }
      if (of.isBranch) { holders.push(...[...of.walk()].slice(1, MOST_TRIED)); }
      for (const holder of holders) {
        for (const [field, spec] of holder.fieldSpecs) {
          if (!names.has(field) || holder.profile?.fields.has(field) || fixes.length >= MOST_FIXES) { continue; }
          const choices = spec.form === "flag" ? [["true", say("yes")], ["false", say("no")]] : [...spec.of];
          for (const [value, title] of choices.slice(0, MOST_TRIED)) {
            if (value === holder.text(field)) { continue; }
            yield;
            if (tryOut(setting(titleOf(holder, field), title, holder.path && holder.label), set(list, keyPath(holder.path), field, value)) && of.isBranch) { break; }
          }
        }
      }
    }
  }
  /* At most four fixes, the best first, each change once; and, whatever else there is, to remove a unit. */
  function best(fixes) {
    const labels = new Set(), found = fixes.sort((one, other) => one.rank - other.rank).filter(({ label }) => !labels.has(label) && labels.add(label));
    const first = found.slice(0, MOST_FIXES), removal = found.find(({ removes }) => removes);
    return removal && !first.some(({ removes }) => removes) ? [...first, removal] : first;
  }

  /* Ways to keep to the limit, those that give up least first: fewer in a unit, an option less, a unit less, or several. */
  function* cheaper(system, list, verdict, tryOut) {
    const { army, price } = verdict, excess = price.total.minus(army.limit);
    const cost = new Map(price.lines.map((line) => [line.node, line.known])), lines = [...cost].filter(([node, points]) => node.path && points.above(Muster.ZERO)).sort(([, one], [, other]) => one.compare(other));
    const enough = lines.filter(([, points]) => !points.below(excess));
    // A unit that is wrong itself is not made smaller, but goes before any other.
    const isWrong = (node) => verdict.findings.some((each) => isError(each) && each.node === node);
    let found = 0, gone = 0;
    for (const [node] of [...enough, ...lines.filter((each) => !enough.includes(each)).reverse()].slice(0, MOST_TRIED)) {
      const size = node.entry.size, path = keyPath(node.path);
      if (size && node.fieldSpecs.get(size)?.form === "whole" && !node.profile?.fields.has(size) && !isWrong(node)) {
        const now = Number(node.number(size)), numbers = allowedNumbers(system, list, path, size, 1).filter((each) => each < now).reverse();
        for (const number of numbers.slice(0, MOST_STEPS)) {
          yield;
          if (tryOut(setting(titleOf(node, size), String(number), node.label), set(list, path, size, String(number)), { rank: now - number })) { found += 1; break; }
        }
      }
      for (const option of countedOptions(node, []).filter((each) => !node.givenOptions.includes(each) && each.price.length)) {
        yield;
        if (tryOut(say("Leave out {option} of {unit}", { option: say("“{title}”", { title: option.title }), unit: node.label }), withoutOption(list, path, option.id), { rank: 5 })) { found += 1; }
      }
    }
    for (const [node] of [...enough].sort(([one], [other]) => Number(isWrong(other)) - Number(isWrong(one))).slice(0, MOST_TRIED)) {
      yield;
      if ((found < MOST_FIXES || !gone) && tryOut(say("Remove {unit}", { unit: node.label }), remove(list, keyPath(node.path)), { rank: 20 + found, removes: true })) { found += 1; gone += 1; }
    }
    if (found) { return; }
    // No single step is enough: the dearest go one after the other, those that stand last in the file first.
    const several = [];
    for (const [node] of [...lines].reverse().filter(([each]) => each.level !== Muster.LEADER).slice(0, MOST_TRIED)) {
      several.push(node);
      const left = [...several].sort((one, other) => other.order - one.order).reduce((made, each) => remove(made, keyPath(each.path)), list);
      yield;
      if (tryOut(say("Remove {unit}", { unit: joinWords(several.map((each) => each.label)) }), left)) { return; }
    }
    // Where nothing can go that must not be there, the players may agree on more.
    tryOut(say("Raise the limit to {points}", { points: price.total }), set(list, [], "limit", String(price.total)));
  }

  /* What may be added to a command so that a selector matches it: words, and the change of a list. */
  function additions(system, node, selector) {
    const own = additionsTo(system, node, selector);
    if (own.length) { return own; }
    for (const below of [...node.walk()].filter((each) => each !== node && each.isBranch).slice(0, MOST_TRIED)) {
      const found = additionsTo(system, below, selector);
      if (found.length) { return found.map(([label, add]) => [say("{unit} to {command}", { unit: label, command: below.label }), add]); }
    }
    return own;
  }
  function additionsTo(system, node, selector) {
    const path = keyPath(node.path), level = system.levels.get(node.level), found = [], root = rootOf(node).item;
    const fits = (made) => {
      const after = made && verdictOf(system, made.list);
      return after?.army.nodes.some((each) => each.path === pathText(made.path) && each.matches(selector));
    };
    for (const [key, led] of level.leaders) {
      const add = (list) => addLeader(system, list, path, key, led);
      if ((led.many || !node.item[key]) && fits(add(root))) { found.push([system.entries.get(led.entry).title, (list) => (led.many || !at(list, path)[key] ? add(list) : { list, path: [...path, key] })]); }
    }
    for (const below of system.below.get(level.id)) {
      if (!system.bottom.has(below.id)) {
        const add = (list) => addCommand(system, list, path, below);
        if (fits(add(root))) { found.push([below.title, add]); }
        continue;
      }
      for (const [id, title] of unitsFor(system, node.book, below)) {
        const add = (list) => addUnit(system, list, path, below, id);
        if (found.length < 3 && fits(add(root))) { found.push([title, add]); }
      }
    }
    return found;
  }
  function rootOf(node) { return node.parent ? rootOf(node.parent) : node; }
  /* All fixes for a finding that change the list, at once. */
  function fixesFor(system, list, verdict, finding) {
    const search = findFixes(system, list, verdict, finding);
    let step = search.next();
    while (!step.done) { step = search.next(); }
    return step.value.filter((fix) => fix.list);
  }

  Object.assign(Muster, { findFixes, fixesFor });
}(window.Muster));
