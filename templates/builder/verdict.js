/* The verdict on an army: its constraints counted in one pass, its price, and the findings in the order of the list. */
(function (Muster) {
  "use strict";
  const {
    ZERO, ONE, LEADER, judges, counted, judgeCount, countRemedy, keepsCount, knownPrice, knownOptionPoints, countedOptions, priceOf, priceArmy, joinRemedies,
    joinWords, lowerFirst, quotedTitles, withNoun, valueOfStatedTotal, readTree, inBand, say, inPoints
  } = Muster;
  const BOOK = "book";

  /* All constraints, or all grants, with what they count; worked out once for a system. */
  function planOf(system, name) {
    system.plans ??= {};
    if (!system.plans[name]) {
      const plan = system.plans[name] = { name, measures: [], scopes: new Map(), rules: [] }, known = new Map();
      const measure = (each, within) => {
        const key = JSON.stringify(each);
        if (!known.has(key)) { known.set(key, plan.measures.push(each) - 1); }
        if (!plan.scopes.has(within)) { plan.scopes.set(within, new Set()); }
        plan.scopes.get(within).add(known.get(key));
        return known.get(key);
      };
      const prepared = (condition, scope) => {
        if (condition.limit) { return condition; }
        for (const key of ["any", "all"]) {
          if (condition[key]) { return { [key]: condition[key].map((part) => prepared(part, scope)) }; }
        }
        const within = condition.within ?? scope;
        return { measure: measure(counted(condition), within), within, least: condition.least, most: condition.most };
      };
      system[name].forEach((rule, order) => {
        const { judge, measures, countsLimit } = judges[rule.kind] ?? {};
        const conditions = [[rule.when, true], [rule.unless, false]].filter(([condition]) => condition)
          .map(([condition, expected]) => ({ condition: prepared(condition, rule.within), expected }));
        plan.rules.push({
          rule, order, judge, conditions, byLimit: Boolean(countsLimit?.(rule)), measures: measures && measures(rule).map((each) => measure(each, rule.within))
        });
      });
    }
    return system.plans[name];
  }

  /* What one node adds to a measure: a number, or one for a value; null if it does not count there. */
  function amount(node, measure) {
    const { what, of } = measure, key = keyOf(measure), value = key && node.value(key);
    if (!node.matches(of, what === "options" || what === "option-points") || (key && (!value || value.absent))) { return null; }
    const number = amountOf(node, measure);
    return key ? { value: value.text, number } : number;
  }
  function amountOf(node, { what, of, summed }) {
    switch (what) {
      case "sum": return summed.reduce((sum, name) => sum.plus(node.number(name)), ZERO);
      case "points": return knownPrice(node);
      case "options": return countedOptions(node, of.options).reduce((sum) => sum.plus(ONE), ZERO);
      case "option-points": return knownOptionPoints(node, of.options);
    }
    return ONE;
  }
  /* The attribute of which each value has a count; undefined if there is one count. */
  function keyOf({ what, field, each }) { return what === "values" ? field : each; }
  function none(measure) { return keyOf(measure) ? new Map() : ZERO; }
  /* The count of a scope that holds a single node. */
  function ownCount(worth, measure) { return worth === null ? none(measure) : keyOf(measure) ? new Map([[worth.value, worth.number]]) : worth; }
  function holdsFor({ least, most }, count) { return !count.below(least) && (most === null || !count.above(most)); }

  /* What a node adds to the counts of each scope, the rules that it breaks by itself, and those that the limit decides. */
  function contributionOf(node, plan, bottom) {
    if (node.kind[plan.name]) { return node.kind[plan.name]; }
    const all = plan.measures.map((measure) => amount(node, measure)), amounts = [], violations = [], byLimit = [];
    for (const [level, indices] of plan.scopes) {
      const worths = [...indices].filter((index) => all[index] !== null).map((index) => [index, all[index]]);
      if (worths.length && level !== LEADER && !bottom.has(level)) { amounts.push([level, worths]); }
    }
    for (const each of plan.rules.filter(({ judge }) => judge)) {
      let violation = null;
      if (!each.measures) {
        violation = each.judge(each.rule, node);
      } else if (!node.isBranch && each.rule.within === node.level && all[each.measures[0]] !== null) {
        // Nothing stands below a unit or a leader, so its own scope holds only itself.
        const counts = each.measures.map((index) => ownCount(all[index], plan.measures[index]));
        if (each.byLimit) { byLimit.push({ each, counts }); } else { violation = each.judge(each.rule, node, counts, null); }
      }
      if (violation) { violations.push({ each, violation }); }
    }
    return node.kind[plan.name] = { amounts, violations, byLimit };
  }

  /* One pass over an army: every scope with its counts, and what nodes break by themselves. */
  function countArmy(army, plan) {
    const { bottom } = army.system, scopes = [], books = new Map(), alone = [], enclosing = new Map();

    function scopeOf(level, node, chain) {
      if (chain.has(level)) { return chain.get(level); }
      if (level !== BOOK || !node.book) { return null; }
      if (!books.has(node.book.id)) { books.set(node.book.id, { node: army.root, level: BOOK, above: null, counts: new Map() }); }
      return books.get(node.book.id);
    }
    function add(node, chain, scope) {
      const { amounts, violations, byLimit } = contributionOf(node, plan, bottom);
      for (const [level, worths] of amounts) {
        const into = scopeOf(level, node, chain);
        if (!into) { continue; }
        for (const [index, worth] of worths) {
          if (worth.value !== undefined) {
            if (!into.counts.has(index)) { into.counts.set(index, new Map()); }
            const values = into.counts.get(index);
            values.set(worth.value, (values.get(worth.value) ?? ZERO).plus(worth.number.times(node.count)));
          } else {
            into.counts.set(index, (into.counts.get(index) ?? ZERO).plus(worth.times(node.count)));
          }
        }
      }
      enclosing.set(node, scope);
      alone.push(...violations.map(({ each, violation }) => ({ node, scope, each, violation })));
      for (const { each, counts } of byLimit) {
        const violation = each.judge(each.rule, node, counts, army.limit);
        if (violation) { alone.push({ node, scope, each, violation }); }
      }
    }
    function visit(node, chain, above) {
      const scope = { node, level: node.level, above, counts: new Map() }, inside = new Map(chain).set(node.level, scope);
      scopes.push(scope);
      add(node, inside, scope);
      for (const child of node.children) {
        if (child.isBranch) { visit(child, inside, scope); } else { add(child, inside, scope); }
      }
    }
    visit(army.root, new Map(), null);

    function holds(condition, node, scope) {
      if (condition.limit) { return army.limit !== null && inBand(condition.limit, army.limit); }
      if (condition.any) { return condition.any.some((part) => holds(part, node, scope)); }
      if (condition.all) { return condition.all.every((part) => holds(part, node, scope)); }
      let count;
      if (!node.isBranch && condition.within === node.level) {
        count = amount(node, plan.measures[condition.measure]) ?? ZERO;
      } else {
        let within = scope;
        if (condition.within === BOOK && scope.level !== BOOK) { within = node.book ? books.get(node.book.id) : null; }
        while (within && within.level !== condition.within) { within = within.above; }
        count = within?.counts.get(condition.measure) ?? ZERO;
      }
      return holdsFor(condition, count);
    }
    const applies = (each, node, scope) => each.conditions.every(({ condition, expected }) => holds(condition, node, scope) === expected);
    return { scopes, books, alone, enclosing, applies };
  }

  function findViolations(army) {
    const plan = planOf(army.system, "constraints"), { scopes, books, alone, applies } = countArmy(army, plan), broken = [];
    for (const scope of [...scopes, ...books.values()]) {
      for (const each of plan.rules) {
        if (!each.measures || each.rule.within !== scope.level) { continue; }
        const violation = each.judge(each.rule, scope.node, each.measures.map((index) => scope.counts.get(index) ?? none(plan.measures[index])), army.limit);
        if (violation && applies(each, scope.node, scope)) { broken.push({ node: scope.node, each, violation }); }
      }
    }
    broken.push(...alone.filter(({ node, scope, each }) => applies(each, node, scope)));
    return broken.sort((one, other) => one.each.order - other.each.order);
  }

  /* The army of a list under a limit, by default its own, with the attributes that its state gives to units and leaders. */
  function readArmy(system, data, limit) {
    const read = readTree(system, data), army = limit === undefined ? read : { ...read, limit };
    if (!system.grants.length) { return army; }
    const plan = planOf(system, "grants"), { enclosing, applies } = countArmy(army, plan);
    const granted = army.nodes.filter((node) => !node.isBranch).map((node) => [
      node, plan.rules.filter((each) => node.matches(each.rule.of) && applies(each, node, enclosing.get(node)))
    ]);
    for (const [node, given] of granted) { given.forEach((each) => node.grant(each.rule.set)); }
    return army;
  }

  function selectorsOf(rule) { return ["of", "part", "whole", "needs", "bars"].map((key) => rule[key]).filter((selector) => selector?.where); }

  /* Which value a list leaves out although it states the roll; null if it does not. */
  function explainStatedRoll(rule, node) {
    for (const [name, values] of selectorsOf(rule).flatMap((selector) => selector.where)) {
      const spec = node.fieldSpec(name), unrolled = spec?.default?.text;
      if (!spec?.roll || !values.includes(unrolled) || node.text(name) !== unrolled) { continue; }
      const value = valueOfStatedTotal(spec.roll, node);
      if (value !== undefined) {
        const title = lowerFirst(spec.title || name), shown = lowerFirst(spec.of.get(value) ?? value);
        const message = say("The roll of {total} gives the {field} {value}, which the list does not state.", { total: node.text(spec.roll.total), field: title, value: shown });
        return { message, allowed: shown, remedy: say("enter {value} as the {field}", { value, field: title }) };
      }
    }
    return null;
  }

  /* Whether a condition holds for a node by itself; null if the army decides that. */
  function holdsAlone(condition, node, plan, limit) {
    if (condition.limit) { return limit !== null && inBand(condition.limit, limit); }
    if (condition.any || condition.all) {
      const decisive = Boolean(condition.any), parts = (condition.any ?? condition.all).map((part) => holdsAlone(part, node, plan, limit));
      return parts.includes(decisive) ? decisive : parts.includes(null) ? null : !decisive;
    }
    return condition.within === node.level ? holdsFor(condition, amount(node, plan.measures[condition.measure]) ?? ZERO) : null;
  }
  /* The remedy for a number of one node, with regard to the other rules on it. */
  function remedyByAllRules(rule, node, limit) {
    const plan = planOf(node.system, "constraints");
    const others = plan.rules.filter((each) => each.rule.within === node.level && each.rule.kind === "count" && each.rule.sum === rule.sum);
    const alone = (each, changed) => each.conditions.every(({ condition, expected }) => [expected, null].includes(holdsAlone(condition, changed, plan, limit)));
    const faultsOf = (number) => {
      const text = String(number), changed = Object.assign(Object.create(Object.getPrototypeOf(node)), node, {
        fields: new Map(node.fields).set(rule.sum, { text, number, amount: number, shown: text }), kind: { values: new Map() }
      });
      const broken = others.filter((each) => changed.matches(each.rule.of) && alone(each, changed) && !keepsCount(each.rule, changed, number, limit));
      return Math.max(0, ...broken.map((each) => (each.rule.stated === false ? 1 : 2)));
    };
    return countRemedy(rule, node, node.number(rule.sum), limit, faultsOf);
  }

  function findingOf({ node, each: { rule }, violation }, limit) {
    let { allowed, actual } = violation, message = rule.message, remedies = [rule.cure ?? ""];
    if (!rule.cure) {
      let workedOut = violation.remedy;
      const oneField = rule.kind === "count" && typeof rule.sum === "string" && rule.each === undefined;
      if (oneField && !node.isBranch) { workedOut = remedyByAllRules(rule, node, limit) || workedOut; }
      remedies = [workedOut, violation.withoutStated ? "" : rule.remedy ?? ""];
    }
    const rolled = explainStatedRoll(rule, node);
    if (rolled) {
      ({ message, allowed } = rolled);
      actual = say("none stated");
      remedies = [rolled.remedy];
    }
    return {
      severity: rule.stated === false ? "warning" : "error", code: rule.id, path: node.path || "army", message, allowed, actual,
      rule: rule.rule, remedy: joinRemedies(...remedies), node, constraint: rule, key: violation.key
    };
  }
  /* What there is and what may be, as a sentence about what the finding stands at; empty where the message says it. */
  function tellFound({ code, node, allowed, actual, constraint }) {
    const none = say("none"), isCount = constraint?.id === code && constraint.kind === "count" && constraint.each === undefined;
    if (["price-unknown", "no-limit"].includes(code) || ["", say("none stated")].includes(actual)) { return ""; }
    if (isCount && constraint.sum === undefined && allowed === none && !node.isBranch) { return ""; }
    if (!allowed) { return say("Found {actual}.", { actual }); }
    if (!isCount) { return say("Found: {actual}. Allowed: {allowed}.", { actual, allowed }); }
    if (actual === none) { return say("It has none; it needs {allowed}.", { allowed }); }
    const noun = actual.includes(" ") ? actual.slice(actual.indexOf(" ")) : "";
    return say("It has {actual}; it may have {allowed}.", { actual, allowed: noun && allowed.endsWith(noun) ? allowed.slice(0, -noun.length) : allowed });
  }

  /* What army books say of their own units: how many there may be, and which options they may take. */
  function bookFindings(army) {
    const books = new Map(army.root.book ? [[army.root.book.id, army.root.book]] : []), numbers = new Map(), found = [];
    const keyOfUnit = (book, profile) => book.id + "\n" + profile.id;
    for (const node of army.nodes) {
      const { book, profile } = node;
      if (!book || !profile) { continue; }
      books.set(book.id, book);
      const key = keyOfUnit(book, profile);
      numbers.set(key, (numbers.get(key) ?? ZERO).plus(node.count));
      const barred = profile.may ? node.options.filter((option) => !profile.may.includes(option.id) && !profile.options.includes(option)) : [];
      if (barred.length) { found.push(barredOptions(node, barred)); }
    }
    for (const book of books.values()) {
      for (const profile of book.units.values()) {
        const rule = book === army.root.book ? profile.number : profile.alliedNumber;
        const violation = rule && judgeCount(rule, army.root, [numbers.get(keyOfUnit(book, profile)) ?? ZERO], army.limit);
        if (violation) {
          const { allowed, actual, remedy } = violation;
          found.push({ severity: "error", code: "unit-number", path: "army", node: army.root, message: rule.message, allowed, actual, rule: rule.rule, remedy, constraint: rule });
        }
      }
    }
    return found;
  }
  function barredOptions(node, barred) {
    const { profile, system } = node, titles = joinWords(quotedTitles(barred)), permitted = quotedTitles(profile.may.map((id) => system.options.get(id)));
    const allowed = permitted.length ? say("only {things}", { things: joinWords(permitted, "or") }) : say("no options");
    return {
      severity: "error", code: "unit-option", path: node.path, node, message: say("{unit} may take {options}.", { unit: node.title, options: allowed }), allowed, actual: titles,
      rule: profile.rule, remedy: joinRemedies(say("leave out {things}", { things: titles })), constraint: { within: node.level }
    };
  }
  function unknownPrice(node, pricing) {
    const missing = joinWords(priceOf(node).missing.map((price) => say("the {price}", { price })));
    return {
      severity: "warning", code: "price-unknown", path: node.path, node, allowed: say("a price"), actual: say("none"), rule: pricing,
      message: say("No price is known, so the total does not include {prices} of {unit}.", { prices: missing, unit: node.label }),
      remedy: say("If you know the price, add it to the army file or the army book.")
    };
  }
  function limitOf(army) { return army.hasEventLimit ? say("The limit of this event") : say("The limit of this army"); }
  /* An army under the limit of an event, and a warning unless its own limit is the same; null is no event. */
  function withEventLimit(army, limit) {
    if (limit === null || army.limit?.compare(limit) === 0) { return { army, warnings: [] }; }
    const stated = army.limit === null ? say("no limit") : inPoints(army.limit), { prices } = army.system;
    const warning = {
      severity: "warning", code: "other-limit", path: "army", node: army.root, rule: { chapter: limitOf({ hasEventLimit: true }), source: "" },
      message: prices ? say("The army states {limit}; the limit of the event applies.", { limit: stated }) : say("This system has no points, so the limit of the event does not apply."),
      allowed: prices ? inPoints(limit) : "", actual: prices ? stated : "", remedy: prices ? say("State `limit: {points}`.", { points: String(limit) }) : ""
    };
    return { army: prices ? { ...readArmy(army.system, army.data, limit), hasEventLimit: true } : army, warnings: [warning] };
  }
  function noLimit(army) {
    return {
      severity: "warning", code: "no-limit", path: "army", node: army.root, allowed: say("a limit"), actual: say("none"),
      rule: { chapter: limitOf(army), source: "" }, message: say("The army states no limit, so rules that depend on one are not checked."),
      remedy: say("Give the limit of the game, such as `limit: 2000`.")
    };
  }
  function overLimit(army, price) {
    const worth = say("{things} worth at least {points}", { things: say("units or options"), points: inPoints(price.total.minus(army.limit)) }), points = army.limit;
    return {
      severity: "error", code: "over-limit", path: "army", node: army.root, allowed: inPoints(army.limit), actual: inPoints(price.total),
      rule: { chapter: limitOf(army), source: "" },
      message: price.missing.length ? say("The army costs more than the limit of {points} points, not counting what has no known price.", { points }) : say("The army costs more than the limit of {points} points.", { points }),
      remedy: joinRemedies(say("leave out {things}", { things: worth }))
    };
  }

  /* The verdict on an army that was read. */
  function check(army) {
    const price = priceArmy(army);
    const inOrder = (found) => found.sort((one, other) => one.node.order - other.node.order);
    let findings = inOrder([...findViolations(army).map((each) => findingOf(each, army.limit)), ...bookFindings(army)]);
    const unknown = price.lines.filter((line) => line.points === null).map((line) => unknownPrice(line.node, army.system.pricing));
    if (unknown.length) { findings = inOrder([...findings, ...unknown]); }
    if (army.limit === null && (army.system.countsLimit || army.root.book?.countsLimit)) { findings.unshift(noLimit(army)); }
    if (army.limit !== null && price.total !== null && price.total.above(army.limit)) { findings.unshift(overLimit(army, price)); }
    return { army, findings, price, legal: !findings.some((finding) => finding.severity === "error") };
  }

  /* A verdict with the keys of `muster check --format json`, without places in a file. */
  function asJson({ army, findings, price, legal }) {
    const number = (points) => (points === null ? null : points.toNumber());
    return {
      army: army.name, system: army.system.id, legal, points: number(price.total), limit: number(army.limit),
      lines: price.lines.map((line) => ({
        path: line.node.path, label: line.node.label, count: line.count.toNumber(), each: number(line.each), points: number(line.points), how: line.working
      })),
      findings: findings.map(({ severity, code, path, message, allowed, actual, rule: { chapter, source }, remedy }) => (
        { severity, code, path, message, allowed, actual, rule: { chapter, source }, remedy }
      ))
    };
  }

  Object.assign(Muster, { readArmy, check, asJson, withEventLimit, tellFound });
}(window.Muster));
