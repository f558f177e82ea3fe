/* The verdict on an army: its constraints counted in one pass, its price, and the findings in the order of the list. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, ONE, LEADER, judges, countRemedy, keepsCount, knownPrice, priceOf, priceArmy, joinRemedies, joinWords, lowerFirst, withNoun, valueOfStatedTotal } = Muster;
  const BOOK = "book";

  /* All constraints with what they count; worked out once for a system. */
  function planOf(system) {
    if (!system.plan) {
      const plan = system.plan = { measures: [], scopes: new Map(), rules: [] }, known = new Map();
      const measure = (each, within) => {
        const key = JSON.stringify(each);
        if (!known.has(key)) { known.set(key, plan.measures.push(each) - 1); }
        if (!plan.scopes.has(within)) { plan.scopes.set(within, new Set()); }
        plan.scopes.get(within).add(known.get(key));
        return known.get(key);
      };
      system.constraints.forEach((rule, order) => {
        const { judge, measures } = judges[rule.kind];
        const conditions = [[rule.when, true], [rule.unless, false]].filter(([condition]) => condition).map(([condition, expected]) => {
          const within = condition.within ?? rule.within;
          const counted = condition.sum === undefined ? { what: "number", of: condition.of } : { what: "sum", of: condition.of, field: condition.sum };
          return { measure: measure(counted, within), within, least: condition.min, most: condition.max, expected };
        });
        plan.rules.push({ rule, order, judge, conditions, measures: measures && measures(rule).map((each) => measure(each, rule.within)) });
      });
    }
    return system.plan;
  }

  /* What one node adds to a measure; null if it does not count there. */
  function amount(node, measure) {
    if (!node.matches(measure.of)) { return null; }
    if (measure.what === "number") { return ONE; }
    if (measure.what === "sum") { return node.number(measure.field); }
    if (measure.what === "points") { return knownPrice(node); }
    const value = node.value(measure.field);
    return !value || value.absent ? null : value.text;
  }
  function none(measure) { return measure.what === "values" ? new Map() : ZERO; }

  /* What a node adds to the counts of each scope, and the rules that it breaks by itself. */
  function contributionOf(node, plan, bottom) {
    if (node.kind.contribution) { return node.kind.contribution; }
    const all = plan.measures.map((measure) => amount(node, measure)), amounts = [], violations = [];
    for (const [level, indices] of plan.scopes) {
      const worths = [...indices].filter((index) => all[index] !== null).map((index) => [index, all[index]]);
      if (worths.length && level !== LEADER && !bottom.has(level)) { amounts.push([level, worths]); }
    }
    for (const each of plan.rules) {
      let violation = null;
      if (!each.measures) {
        violation = each.judge(each.rule, node);
      } else if (!node.isBranch && each.rule.within === node.level && all[each.measures[0]] !== null) {
        // Nothing stands below a unit or a leader, so its own scope holds only itself.
        violation = each.judge(each.rule, node, each.measures.map((index) => {
          const worth = all[index];
          return worth === null ? none(plan.measures[index]) : typeof worth === "string" ? new Map([[worth, ONE]]) : worth;
        }));
      }
      if (violation) { violations.push({ each, violation }); }
    }
    return node.kind.contribution = { amounts, violations };
  }

  function findViolations(army) {
    const plan = planOf(army.system), bottom = army.system.bottom, scopes = [], books = new Map(), alone = [], broken = [];

    function scopeOf(level, node, chain) {
      if (chain.has(level)) { return chain.get(level); }
      if (level !== BOOK || !node.book) { return null; }
      if (!books.has(node.book.id)) { books.set(node.book.id, { node: army.root, level: BOOK, above: null, counts: new Map() }); }
      return books.get(node.book.id);
    }
    function add(node, chain, scope) {
      const { amounts, violations } = contributionOf(node, plan, bottom);
      for (const [level, worths] of amounts) {
        const into = scopeOf(level, node, chain);
        if (!into) { continue; }
        for (const [index, worth] of worths) {
          if (typeof worth === "string") {
            if (!into.counts.has(index)) { into.counts.set(index, new Map()); }
            const values = into.counts.get(index);
            values.set(worth, (values.get(worth) ?? ZERO).plus(node.count));
          } else {
            into.counts.set(index, (into.counts.get(index) ?? ZERO).plus(worth.times(node.count)));
          }
        }
      }
      alone.push(...violations.map(({ each, violation }) => ({ node, scope, each, violation })));
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
      let count;
      if (!node.isBranch && condition.within === node.level) {
        count = amount(node, plan.measures[condition.measure]) ?? ZERO;
      } else {
        let within = scope;
        if (condition.within === BOOK && scope.level !== BOOK) { within = node.book ? books.get(node.book.id) : null; }
        while (within && within.level !== condition.within) { within = within.above; }
        count = within?.counts.get(condition.measure) ?? ZERO;
      }
      return !count.below(condition.least) && (condition.most === null || !count.above(condition.most));
    }
    const applies = (each, node, scope) => each.conditions.every((condition) => holds(condition, node, scope) === condition.expected);
    for (const scope of [...scopes, ...books.values()]) {
      for (const each of plan.rules) {
        if (!each.measures || each.rule.within !== scope.level) { continue; }
        const violation = each.judge(each.rule, scope.node, each.measures.map((index) => scope.counts.get(index) ?? none(plan.measures[index])));
        if (violation && applies(each, scope.node, scope)) { broken.push({ node: scope.node, each, violation }); }
      }
    }
    broken.push(...alone.filter(({ node, scope, each }) => applies(each, node, scope)));
    return broken.sort((one, other) => one.node.order - other.node.order || one.each.order - other.each.order);
  }

  function selectorsOf(rule) { return ["of", "part", "whole", "needs", "bars"].map((key) => rule[key]).filter((selector) => selector); }

  /* Which value a list leaves out although it states the roll; null if it does not. */
  function explainStatedRoll(rule, node) {
    for (const [name, values] of selectorsOf(rule).flatMap((selector) => selector.where)) {
      const spec = node.fieldSpec(name), unrolled = spec?.default?.text;
      if (!spec?.roll || !values.includes(unrolled) || node.text(name) !== unrolled) { continue; }
      const value = valueOfStatedTotal(spec.roll, node);
      if (value !== undefined) {
        const title = lowerFirst(spec.title || name), shown = lowerFirst(spec.of.get(value) ?? value);
        const message = "The roll of " + node.text(spec.roll.total) + " gives the " + title + " " + shown + ", which the list does not state.";
        return { message, allowed: shown, remedy: "enter " + value + " as the " + title };
      }
    }
    return null;
  }

  /* The remedy for a number of one node, with regard to the other rules on it. */
  function remedyByAllRules(rule, node) {
    const plan = planOf(node.system);
    const others = plan.rules.filter((each) => each.rule.within === node.level && each.rule.kind === "count" && each.rule.sum === rule.sum);
    const alone = (each, changed) => each.conditions.every((condition) => {
      if (condition.within !== node.level) { return true; }
      const count = amount(changed, plan.measures[condition.measure]) ?? ZERO;
      return (!count.below(condition.least) && (condition.most === null || !count.above(condition.most))) === condition.expected;
    });
    const faultsOf = (number) => {
      const text = String(number), changed = Object.assign(Object.create(Object.getPrototypeOf(node)), node, {
        fields: new Map(node.fields).set(rule.sum, { text, number, amount: number, shown: text }), kind: { values: new Map() }
      });
      const broken = others.filter((each) => changed.matches(each.rule.of) && alone(each, changed) && !keepsCount(each.rule, changed, number));
      return Math.max(0, ...broken.map((each) => (each.rule.stated === false ? 1 : 2)));
    };
    return countRemedy(rule, node, node.number(rule.sum), faultsOf);
  }

  function findingOf({ node, each: { rule }, violation }) {
    let { allowed, actual } = violation, message = rule.message, remedies = [rule.cure ?? ""];
    if (!rule.cure) {
      let workedOut = violation.remedy;
      if (rule.kind === "count" && rule.sum !== undefined && !node.isBranch) { workedOut = remedyByAllRules(rule, node) || workedOut; }
      remedies = [workedOut, violation.withoutStated ? "" : rule.remedy ?? ""];
    }
    const rolled = explainStatedRoll(rule, node);
    if (rolled) {
      ({ message, allowed } = rolled);
      actual = "none stated";
      remedies = [rolled.remedy];
    }
    return {
      severity: rule.stated === false ? "warning" : "error", code: rule.id, path: node.path || "army", message, allowed, actual,
      rule: rule.rule, remedy: joinRemedies(...remedies), node, constraint: rule, key: violation.key
    };
  }
  function unknownPrice(node, pricing) {
    const missing = joinWords(priceOf(node).missing.map((what) => "the " + what));
    return {
      severity: "warning", code: "price-unknown", path: node.path, node, allowed: "a price", actual: "none", rule: pricing,
      message: "No price is known, so the total does not include " + missing + " of " + node.label + ".",
      remedy: "If you know the price, add it to the army file or the army book."
    };
  }
  const EVENT = "The limit of this event";
  /* An army under the limit of an event, and a warning unless its own limit is the same; null is no event. */
  function withEventLimit(army, limit) {
    if (limit === null || army.limit?.compare(limit) === 0) { return { army, warnings: [] }; }
    const points = (number) => withNoun(number, "point", "points"), stated = army.limit === null ? "no limit" : points(army.limit), { prices } = army.system;
    const warning = {
      severity: "warning", code: "other-limit", path: "army", node: army.root, rule: { chapter: EVENT, source: "" },
      message: prices ? "The army states " + stated + "; the limit of the event applies." : "This system has no points, so the limit of the event does not apply.",
      allowed: prices ? points(limit) : "", actual: prices ? stated : "", remedy: prices ? "State `limit: " + limit + "`." : ""
    };
    return { army: prices ? { ...army, limit, hasEventLimit: true } : army, warnings: [warning] };
  }
  function overLimit(army, price) {
    const points = (number) => withNoun(number, "point", "points"), known = price.missing.length ? ", not counting what has no known price" : "";
    return {
      severity: "error", code: "over-limit", path: "army", node: army.root, allowed: points(army.limit), actual: points(price.total),
      rule: { chapter: army.hasEventLimit ? EVENT : "The limit of this army", source: "" },
      message: "The army costs more than the limit of " + army.limit + " points" + known + ".",
      remedy: "Leave out units or options worth at least " + points(price.total.minus(army.limit)) + "."
    };
  }

  /* The verdict on an army that was read. */
  function check(army) {
    const price = priceArmy(army);
    let findings = findViolations(army).map(findingOf);
    const unknown = price.lines.filter((line) => line.points === null).map((line) => unknownPrice(line.node, army.system.pricing));
    if (unknown.length) { findings = [...findings, ...unknown].sort((one, other) => one.node.order - other.node.order); }
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

  Object.assign(Muster, { check, asJson, withEventLimit });
}(window.Muster));
