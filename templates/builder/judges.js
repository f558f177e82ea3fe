/* The judge of each kind of constraint: what it counts, and when it is broken, with the remedy. They stand in the
   table `judges`, under the kinds' names; what they count is added up by the verdict. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, ONE, joinWords, lowerFirst, upperFirst, pluralOf, withArticle, withNoun, spaced, joinRemedies, nameRanges, leastOf, fieldsOf } = Muster;

  // Words

  function listValues(node, name, values, last = "and") { return joinWords(values.map((value) => node.system.wordFor(name, value)), last); }
  function quotedTitles(options) { return options.map((option) => "“" + option.title + "”"); }
  function nameChoices(spec, values) {
    let titles = values.map((value) => spec.of.get(value) ?? value);
    if (titles.some((title) => title.includes(","))) { titles = values.map(spaced); }
    return joinWords(titles.map(lowerFirst), "or");
  }
  function entryNouns(entry) {
    const one = entry.one || lowerFirst(entry.title);
    return [one, entry.many || pluralOf(one)];
  }
  /* The singular and the plural of what a selector matches. */
  function nounsOf(node, selector) {
    const system = node.system;
    if (selector.options.length) {
      const words = joinWords(quotedTitles(selector.options.map((id) => system.options.get(id))), "or");
      return [words, words];
    }
    if (selector.entry.length) {
      const nouns = selector.entry.map((id) => entryNouns(system.entries.get(id)));
      return [0, 1].map((place) => joinWords(nouns.map((each) => each[place]), "or"));
    }
    const level = system.levels.get(selector.level ?? "");
    const one = level ? lowerFirst(level.title) : selector.level ?? "unit";
    const many = level ? level.many || spaced(level.key || level.title) : one + "s";
    const flag = selector.where.find(([, values]) => values.length === 1 && values[0] === "true");
    if (flag) {
      const spec = system.spec(flag[0]), noun = spec?.title ? lowerFirst(spec.title) : spaced(flag[0]);
      return [noun, noun];
    }
    const before = [], after = [];
    for (const [name, values] of selector.where) {
      const spec = system.spec(name);
      if (spec?.of.size) {
        after.push("with " + lowerFirst(spec.title || name) + " " + nameChoices(spec, values));
      } else {
        before.push(listValues(node, name, values, "or"));
      }
    }
    return [one, many].map((noun) => [...before, noun, ...after].join(" "));
  }
  const POINTS = ["points", "option-points"];
  /* The nouns of the values of a field, or of several, or of points or options. */
  function nounsOfSum(name, node) {
    if (Array.isArray(name)) {
      const nouns = name.map((each) => nounsOfSum(each, node));
      return [0, 1].map((place) => joinWords(nouns.map((each) => each[place]), "or"));
    }
    if (POINTS.includes(name)) { return ["point", "points"]; }
    if (name === "options") { return ["option", "options"]; }
    const spec = node.fieldSpec(name) ?? node.system.spec(name);
    const noun = spec ? lowerFirst(spec.title || name) : name;
    return spec ? [spec.one || noun, spec.many || noun] : [noun, noun];
  }
  function titleOf(node, name) {
    const spec = node.fieldSpec(name) ?? node.system.spec(name);
    return spec?.title ? lowerFirst(spec.title) : spaced(name);
  }
  function quotedInList(node, name) {
    const shown = node.shown(name);
    return shown.includes(",") ? "“" + shown + "”" : shown;
  }

  // Counts

  function countedNouns(rule, node) {
    if (rule.one) { return [rule.one, rule.many || rule.one]; }
    if (rule.sum !== undefined) { return nounsOfSum(rule.sum, node); }
    if (rule.by === undefined) { return nounsOf(node, rule.of); }
    return rule.by === "options" ? nounsOfOptions(rule.of, node) : ["point", "points"];
  }
  function nounsOfOptions(selector, node) {
    if (!selector.options.length) { return ["option", "options"]; }
    const titles = quotedTitles(selector.options.map((id) => node.system.options.get(id)));
    const words = titles.length === 1 ? titles[0] : "of " + joinWords(titles);
    return [words, words];
  }
  /* The least and the most under a limit; null if they depend on one and there is none. */
  function boundsOf(rule, limit) {
    const ends = [rule.min, rule.max].map((end) => (end === undefined ? undefined : exact(end)));
    if (rule.per !== undefined) {
      if (limit === null) { return null; }
      const share = limit.over(exact(rule.per)), times = rule.begun ? share.ceil() : share.floor();
      ends.forEach((end, n) => { ends[n] = end?.times(times); });
    }
    return [ends[0] ?? leastOf({ by: rule.by }), ends[1] ?? null];
  }
  /* The ranges allowed, the lowest first; null if a cell, or no limit, leaves the count open. */
  function allowedRanges(rule, node, limit) {
    const bounds = boundsOf(rule, limit);
    if (bounds === null) { return null; }
    const [least, most] = bounds;
    if (!rule.allowed?.length) { return [[least, most]]; }
    const ranges = [];
    for (const allowed of rule.allowed) {
      const value = allowed.range ? allowed : node.cell(allowed);
      if (value?.dash) { continue; }
      if (!value?.range) { return null; }
      const low = value.range[0].below(least) ? least : value.range[0];
      const high = value.range[1] === null || (most !== null && most.below(value.range[1])) ? most : value.range[1];
      if (high === null || !low.above(high)) { ranges.push([low, high]); }
    }
    const merged = [];
    for (const [low, high] of ranges.sort((one, other) => one[0].compare(other[0]))) {
      const last = merged[merged.length - 1];
      if (last && (last[1] === null || !low.above(last[1].plus(ONE)))) {
        last[1] = last[1] === null || high === null ? null : last[1].below(high) ? high : last[1];
      } else {
        merged.push([low, high]);
      }
    }
    return merged;
  }
  function keepsCount(rule, node, number, limit) {
    const allowed = allowedRanges(rule, node, limit);
    if (allowed === null) { return true; }
    const inside = allowed.some(([low, high]) => !number.below(low) && (high === null || !number.above(high)));
    const step = Number(rule.step ?? 0);
    return inside && !(step && !number.modulo(exact(step)).is(0));
  }
  const TARGETS = 8;
  function targetsBelow(allowed, number, step) {
    const targets = [];
    for (const [low, high] of allowed) {
      let top = high === null || number.below(high) ? number : high;
      top = top.minus(top.modulo(step));
      if (top.compare(number) === 0) { top = top.minus(step); }
      for (let n = 0; n < TARGETS; n += 1, top = top.minus(step)) {
        if (!top.below(low) && top.below(number)) { targets.push(top); }
      }
    }
    return targets.sort((one, other) => other.compare(one));
  }
  function targetsAbove(allowed, number, step) {
    const targets = [];
    for (const [low, high] of allowed) {
      let bottom = low.below(number) ? number : low;
      bottom = bottom.plus(step.minus(bottom.modulo(step)).modulo(step));
      if (bottom.compare(number) === 0) { bottom = bottom.plus(step); }
      for (let n = 0; n < TARGETS; n += 1, bottom = bottom.plus(step)) {
        if (number.below(bottom) && (high === null || !bottom.above(high))) { targets.push(bottom); }
      }
    }
    return targets.sort((one, other) => one.compare(other));
  }
  const ERROR = 2;
  /* The remedy that leads to the nearest allowed number below, above, or both. `faultsOf` says what another number
     would break: 0 for nothing, 1 for a rule that only warns, 2 for any other. */
  function countRemedy(rule, node, number, limit, faultsOf = (/** @type {any} */ _) => 0) {
    const allowed = allowedRanges(rule, node, limit) ?? [], [one, many] = countedNouns(rule, node), step = exact(Number(rule.step ?? 0) || 1);
    const best = [];
    for (const { verb, targets } of [{ verb: "remove", targets: targetsBelow(allowed, number, step) }, { verb: "add", targets: targetsAbove(allowed, number, step) }]) {
      if (targets.length) {
        const target = targets.find((each) => faultsOf(each) < ERROR) ?? targets[0];
        best.push({ faults: faultsOf(target), verb, amount: target.minus(number).size });
      }
    }
    const least = Math.min(...best.map((each) => each.faults));
    let words = best.filter((each) => each.faults === least);
    if (POINTS.includes(rule.by)) { return remedyInPoints(rule, node, words); }
    if (rule.by === "options") { words = words.map((each) => ({ ...each, verb: VERBS_OF_OPTIONS[each.verb] })); }
    return joinRemedies(words.map(({ verb, amount }, n) => verb + " " + (n ? amount : withNoun(amount, one, many))).join(" or "));
  }
  const VERBS_OF_OPTIONS = { remove: "leave out", add: "choose" };
  /* Too many or too few points: what they are paid for has to change. */
  function remedyInPoints(rule, node, words) {
    const ofOptions = rule.by === "option-points", verbs = ofOptions ? VERBS_OF_OPTIONS : { remove: "leave out", add: "add" };
    const what = ofOptions ? "options" : node.isBranch ? "units or options" : "options or figures";
    return joinRemedies(words.map(({ verb, amount }) => verbs[verb] + " " + what + " worth at least " + withNoun(amount, "point", "points")).join(" or "));
  }
  /* What a node cannot be, by the values that name cells with a dash: what is allowed, and the remedy. */
  function explainDashes(rule, node) {
    const names = (rule.allowed ?? []).filter((cell) => !cell.range)
      .flatMap((cell) => [cell.row, cell.column]).filter((key) => key && typeof key === "object")
      .map((key) => key.field).filter((name) => name !== "type" && name !== "unit");
    const what = lowerFirst(node.entry ? node.entry.title : node.title);
    const own = names.filter((name) => node.fieldSpecs.has(name));
    const shown = (own.length ? own : names).map((name) => titleOf(node, name) + " " + quotedInList(node, name));
    if (own.length) {
      const titles = joinWords(own.map((name) => titleOf(node, name)), "or");
      return ["none: there is no " + what + " with " + joinWords(shown), joinRemedies("change the " + titles)];
    }
    const army = withArticle(lowerFirst(node.system.top.title));
    const why = shown.length ? ": " + army + " of " + joinWords(shown) + " has no " + what : "";
    return ["none" + why, joinRemedies("field another type of unit instead")];
  }
  function judgeCount(rule, node, [count], limit) { return rule.each === undefined ? judgeNumber(rule, node, count, limit) : judgeEach(rule, node, count, limit); }
  /* One violation for all values of which there are too many or too few. */
  function judgeEach(rule, node, numbers, limit) {
    const broken = new Map();
    for (const [value, number] of numbers) {
      const violation = judgeNumber(rule, node, number, limit);
      if (violation) { broken.set(titleOfValue(node, rule.each, value), violation); }
    }
    if (!broken.size) { return null; }
    const all = [...broken], [[, first]] = all;
    const remedies = all.map(([title, each]) => lowerFirst(each.remedy.replace(/\.$/, "")) + " (" + title + ")");
    return {
      allowed: first.allowed + " each", actual: joinWords(all.map(([title, each]) => each.actual + " (" + title + ")")),
      remedy: joinRemedies(joinWords(remedies)), key: first.key, withoutStated: all.some(([, each]) => each.withoutStated)
    };
  }
  /* What players call a value: the title of a unit, a type or a choice. */
  function titleOfValue(node, name, value) {
    const named = node.book?.units.get(value) ?? node.system.entries.get(value), spec = node.system.spec(name);
    if (named && (name === "unit" || name === "type")) { return named.title; }
    return spec ? spec.of.get(value) ?? value : node.system.wordFor(name, value);
  }
  function judgeNumber(rule, node, number, limit) {
    if (keepsCount(rule, node, number, limit)) { return null; }
    const allowed = allowedRanges(rule, node, limit), [one, many] = countedNouns(rule, node);
    const actual = number.is(0) ? "none" : withNoun(number, one, many), key = typeof rule.sum === "string" ? rule.sum : undefined;
    if (!allowed.length) {
      const [none, remedy] = explainDashes(rule, node);
      return { allowed: none, actual, remedy, key };
    }
    let text = nameRanges(allowed, one, many);
    if (Number(rule.step ?? 0) > 1) {
      const anything = allowed.length === 1 && allowed[0][0].is(0) && allowed[0][1] === null;
      const multiple = "a multiple of " + rule.step;
      text = anything ? multiple + " " + many : text + ", " + multiple;
    }
    if (rule.per !== undefined) { text += " under a limit of " + withNoun(limit, "point", "points"); }
    const top = allowed[allowed.length - 1][1];
    return {
      allowed: text, actual, remedy: countRemedy(rule, node, number, limit), key,
      withoutStated: top !== null && number.below(allowed[0][0])
    };
  }

  // Shares

  function judgeShare(rule, node, [part, counted], limit) {
    const whole = rule.whole === "limit" ? limit ?? ZERO : counted;
    if (!whole.above(ZERO)) { return null; }
    const share = part.over(whole), least = rule.least, most = rule.most;
    if (!(least && share.below(least)) && !(most && share.above(most))) { return null; }
    const roundUp = (number) => { const step = exact(POINTS.includes(rule.by) ? 100 : 1); return number.times(step).ceil().over(step); };
    if (rule.whole === "limit") { return explainShareOfLimit(rule, node, part, whole, roundUp); }
    if (rule.whole_by !== undefined) { return explainRatio(rule, node, part, whole, roundUp); }
    let [one, many] = nounsOf(node, rule.part), [wholeOne, wholeMany] = nounsOf(node, rule.whole);
    let otherOne = "other " + wholeOne, otherMany = "other " + wholeMany;
    const by = rule.by ?? "number";
    if (by !== "number") {
      const [noun, plural] = nounsOfSum(by, node);
      [one, many] = [noun + " of " + many, plural + " of " + many];
      [otherOne, otherMany] = [noun + " of " + otherMany, plural + " of " + otherMany];
      wholeMany = plural;
    }
    const actual = part + " of " + whole + " " + wholeMany;
    if (most && share.above(most)) {
      const away = most.below(ONE) ? roundUp(part.minus(most.times(whole)).over(ONE.minus(most))) : ZERO;
      const others = most.is(0) ? ZERO : roundUp(part.over(most).minus(whole));
      const remedy = joinRemedies("remove " + withNoun(away, one, many), others.is(0) ? "" : "add " + withNoun(others, otherOne, otherMany));
      return { allowed: most.is(0) ? "none" : "at most " + rule.max + " of them", actual, remedy };
    }
    if (least.below(ONE)) {
      const extra = roundUp(least.times(whole).minus(part).over(ONE.minus(least)));
      return { allowed: "at least " + rule.min + " of them", actual, remedy: joinRemedies("add " + withNoun(extra, one, many)) };
    }
    const replaced = withNoun(roundUp(whole.minus(part)), otherOne, otherMany);
    return { allowed: "only " + many, actual, remedy: joinRemedies("replace " + replaced + " with " + many) };
  }

  /* Too much or too little of one thing for the number of another. */
  function explainRatio(rule, node, part, whole, roundUp) {
    const nouns = (selector, by) => (by === undefined || by === "number" ? nounsOf(node, selector) : nounsOfSum(by, node));
    const [one, many] = nouns(rule.part, rule.by), [other, others] = nouns(rule.whole, rule.whole_by), { least, most } = rule;
    const actual = part + " " + (part.is(1) ? one : many) + " for " + withNoun(whole, other, others);
    if (most && part.above(most.times(whole))) {
      const away = withNoun(roundUp(part.minus(most.times(whole))), one, many);
      const extra = most.is(0) ? "" : "add " + withNoun(roundUp(part.over(most).minus(whole)), other, others);
      return { allowed: "at most " + rule.max + " of the " + others, actual, remedy: joinRemedies("remove " + away, extra) };
    }
    const extra = withNoun(roundUp(least.times(whole).minus(part)), one, many);
    return { allowed: "at least " + rule.min + " of the " + others, actual, remedy: joinRemedies("add " + extra) };
  }
  /* A part that costs too much or too little of the limit. */
  function explainShareOfLimit(rule, node, part, limit, roundUp) {
    const [, many] = nounsOf(node, rule.part), { least, most } = rule, above = Boolean(most && part.above(most.times(limit)));
    const away = above ? part.minus(most.times(limit)) : least.times(limit).minus(part);
    const remedy = (above ? "remove " : "add ") + withNoun(roundUp(away), "point of " + many, "points of " + many);
    return { allowed: (above ? "at most " + rule.max : "at least " + rule.min) + " of the limit", actual: part + " of " + limit + " points", remedy: joinRemedies(remedy) };
  }

  // Values

  function judgeAlike(rule, node, [values]) {
    if (values.size < 2) { return null; }
    const all = [...values.keys()];
    const commonest = all.reduce((one, other) => (values.get(other).above(values.get(one)) ? other : one));
    const others = all.filter((value) => value !== commonest);
    const number = others.reduce((sum, value) => sum.plus(values.get(value)), ZERO), [one, many] = nounsOf(node, rule.of);
    const named = listValues(node, rule.attribute, others);
    const what = others.length === 1 ? withNoun(number, named + " " + one, named + " " + many) : withNoun(number, one, many) + " (" + named + ")";
    return { allowed: "only one of these", actual: listValues(node, rule.attribute, all), remedy: joinRemedies("move " + what + " out of this " + lowerFirst(node.title)) };
  }
  function judgeVariety(rule, node, [values]) {
    const most = Number(rule.max);
    if (values.size <= most) { return null; }
    const all = [...values.keys()];
    const rarest = [...all].sort((one, other) => values.get(one).compare(values.get(other))).slice(0, all.length - most);
    const what = titleOf(node, rule.attribute) + " " + listValues(node, rule.attribute, rarest);
    return { allowed: "at most " + rule.max + " of these", actual: listValues(node, rule.attribute, all), remedy: joinRemedies("remove the " + nounsOf(node, rule.of)[1] + " with " + what) };
  }

  // Company

  function judgeRequires(rule, node, [number, needed]) {
    if (number.is(0) || !needed.is(0)) { return null; }
    const [one] = nounsOf(node, rule.needs), [, many] = nounsOf(node, rule.of);
    return { allowed: "at least 1 " + one, actual: "none", remedy: joinRemedies("add 1 " + one, "remove the " + many) };
  }
  function chosenOptions(selector, node) { return node.options.filter((option) => selector.options.includes(option.id)); }
  function judgeExcludes(rule, node, [number, barred]) {
    if (number.is(0) || barred.is(0)) { return null; }
    if (!node.isBranch) { return explainExclusion(rule, node); }
    const [one, many] = nounsOf(node, rule.of), [other, others] = nounsOf(node, rule.bars);
    const remedy = joinRemedies("remove the " + (number.is(1) ? one : many), "remove the " + (barred.is(1) ? other : others));
    return { allowed: "one or the other", actual: withNoun(number, one, many) + " and " + withNoun(barred, other, others), remedy };
  }
  /* A single node matches both selectors, so that a count would say nothing. */
  function explainExclusion(rule, node) {
    const chosen = [rule.of, rule.bars].map((selector) => chosenOptions(selector, node));
    const own = (options) => options.filter((option) => !node.givenOptions.includes(option));
    const names = chosen.map((options) => joinWords(quotedTitles(options)));
    const both = names[0] && names[1];
    const actual = both ? names.join(" and ") : names[0] || names[1] || lowerFirst(node.title);
    const allowed = both ? "one or the other" : "none for " + lowerFirst(node.title);
    const sides = chosen.map(own).filter((options) => options.length).map((options) => joinWords(quotedTitles(options)));
    const remedy = sides.length ? "leave out " + sides.join(" or ") : "field another type of unit instead";
    return { allowed, actual, remedy: joinRemedies(remedy) };
  }
  function judgeOnlyIf(rule, node) {
    if (!node.matches(rule.of) || node.standsUnder(rule.needs)) { return null; }
    const unwanted = joinWords(quotedTitles(chosenOptions(rule.of, node))) || "this " + nounsOf(node, rule.of)[0];
    const [actual, allowed] = explainNeed(rule.needs, node);
    return { allowed, actual, remedy: joinRemedies("leave out " + unwanted) };
  }
  /* What a node is, and what it would have to be. */
  function explainNeed(needs, node) {
    const system = node.system, itself = lowerFirst(node.title);
    if (needs.entry.length) {
      return [itself, "only " + joinWords(needs.entry.map((id) => lowerFirst(system.entries.get(id).title)), "or")];
    }
    if (needs.options.length) { return [itself, "only with " + nounsOf(node, needs)[0]]; }
    for (const [name, values] of needs.where) {
      if (values.includes(node.text(name))) { continue; }
      const title = titleOf(node, name);
      if (values.length === 1 && values[0] === "true") { return [itself, "only with “" + upperFirst(title) + "”"]; }
      const spec = node.fieldSpec(name) ?? system.spec(name);
      const words = spec ? spec.of : system.words.get(name), titles = values.map((value) => words?.get(value) ?? value);
      const shown = titles.some((each) => each.includes(",")) ? listValues(node, name, values, "or") : joinWords(titles, "or");
      // An attribute of types, such as an arm, has no name that players know.
      if (!spec && node.entry?.attributes.has(name)) { return [itself, "only " + shown]; }
      const found = quotedInList(node, name);
      return [found ? title + " " + found : "no " + title, title + " " + shown];
    }
    return [itself, "only " + nounsOf(node, needs)[0]];
  }
  function judgeAvailable(rule, node) {
    if (!node.matches(rule.of) || !node.cell(rule.cell)?.dash) { return null; }
    const byColumn = rule.cell.column !== undefined && typeof rule.cell.column === "object";
    const reference = byColumn ? rule.cell.column : rule.cell.row, name = reference.field ?? "";
    const spec = node.fieldSpec(name) ?? node.system.spec(name), table = node.system.tables.get(rule.cell.table);
    const allowed = (byColumn ? table.columns : table.rows)
      .filter(([id]) => !node.cell({ ...rule.cell, [byColumn ? "column" : "row"]: id })?.dash)
      .map(([id, label]) => spec?.of.get(id) ?? label);
    let leaveOut = spec?.roll && allowed.length ? "leave it out and roll for it" : "leave it out";
    if (!spec || spec.required || !node.fields.has(name)) { leaveOut = allowed.length ? "" : "field another type of unit instead"; }
    const choices = joinWords(allowed, "or");
    return {
      allowed: choices || "none", actual: node.shown(name), remedy: joinRemedies(allowed.length ? "choose " + choices : "", leaveOut),
      key: node.fields.has(name) ? name : undefined
    };
  }

  /* What each kind counts: nodes, a sum of fields, points, options or their points, or how often each value occurs.
     With `each` there is a count for each value of that attribute. */
  const BY = ["number", "points", "options", "option-points"];
  function sumOf(of, fields) { return { what: "sum", of, summed: fieldsOf(fields) }; }
  function by(of, what = "number") { return BY.includes(what) ? { what, of } : sumOf(of, what); }
  function counted({ of, sum, by: what, each }) { return { ...(sum === undefined ? by(of, what) : sumOf(of, sum)), each }; }
  const judges = {
    "count": { judge: judgeCount, measures: (rule) => [counted(rule)], countsLimit: (rule) => rule.per !== undefined },
    "share": {
      judge: judgeShare, countsLimit: (rule) => rule.whole === "limit",
      measures: (rule) => [by(rule.part, rule.by), ...(rule.whole === "limit" ? [] : [by(rule.whole, rule.whole_by ?? rule.by)])]
    },
    "alike": { judge: judgeAlike, measures: (rule) => [{ what: "values", of: rule.of, field: rule.attribute }] },
    "variety": { judge: judgeVariety, measures: (rule) => [{ what: "values", of: rule.of, field: rule.attribute }] },
    "requires": { judge: judgeRequires, measures: (rule) => [by(rule.of), by(rule.needs)] },
    "excludes": { judge: judgeExcludes, measures: (rule) => [by(rule.of), by(rule.bars)] },
    "only-if": { judge: judgeOnlyIf },
    "available": { judge: judgeAvailable }
  };

  Object.assign(Muster, { judges, counted, judgeCount, countRemedy, keepsCount, quotedTitles });
}(window.Muster));
