/* The judge of each kind of constraint: what it counts, and when it is broken, with the remedy. They stand in the
   table `judges`, under the kinds' names; what they count is added up by the verdict. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, ONE, joinWords, lowerFirst, upperFirst, pluralOf, withArticle, withNoun, spaced, joinRemedies, nameRanges, leastOf, fieldsOf, say, quoted, inPoints, shownNumber } = Muster;

  // Words

  function listValues(node, name, values, last = "and") { return joinWords(values.map((value) => node.system.wordFor(name, value)), last); }
  function quotedTitles(options) { return options.map((option) => quoted(option.title)); }
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
    const isLeader = selector.level === Muster.LEADER;
    const one = level ? lowerFirst(level.title) : isLeader ? say("leader") : say("unit");
    const many = level ? level.many || spaced(level.key || level.title) : isLeader ? say("leaders") : say("units");
    const flag = selector.where.find(([, values]) => values.length === 1 && values[0] === "true");
    if (flag) {
      const spec = system.spec(flag[0]), noun = spec?.title ? lowerFirst(spec.title) : spaced(flag[0]);
      return [noun, noun];
    }
    const chosen = selector.where.map(([name, values]) => [system.spec(name), name, values]), hasChoices = ([spec]) => Boolean(spec?.of.size);
    let described = [one, many];
    // The values of attributes stand before the noun: from the last, so that the first comes first.
    for (const [, name, values] of chosen.filter((each) => !hasChoices(each)).reverse()) {
      const value = listValues(node, name, values, "or");
      described = described.map((thing) => say("{value} {thing}", { value, thing }));
    }
    for (const [spec, name, values] of chosen.filter(hasChoices)) {
      const value = lowerFirst(spec.title || name) + " " + nameChoices(spec, values);
      described = described.map((thing) => say("{thing} with {value}", { thing, value }));
    }
    return described;
  }
  const POINTS = ["points", "option-points"];
  /* The nouns of the values of a field, or of several, or of points or options. */
  function nounsOfSum(name, node) {
    if (Array.isArray(name)) {
      const nouns = name.map((each) => nounsOfSum(each, node));
      return [0, 1].map((place) => joinWords(nouns.map((each) => each[place]), "or"));
    }
    if (POINTS.includes(name)) { return [say("point"), say("points")]; }
    if (name === "options") { return [say("option"), say("options")]; }
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
    return shown.includes(",") ? quoted(shown) : shown;
  }

  // Counts

  function countedNouns(rule, node) {
    if (rule.one) { return [rule.one, rule.many || rule.one]; }
    if (rule.sum !== undefined) { return nounsOfSum(rule.sum, node); }
    if (rule.by === undefined) { return nounsOf(node, rule.of); }
    return rule.by === "options" ? nounsOfOptions(rule.of, node) : [say("point"), say("points")];
  }
  function nounsOfOptions(selector, node) {
    if (!selector.options.length) { return [say("option"), say("options")]; }
    const titles = quotedTitles(selector.options.map((id) => node.system.options.get(id)));
    const words = titles.length === 1 ? titles[0] : say("of {things}", { things: joinWords(titles) });
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
    return joinRemedies(joinWords(words.map(({ verb, amount }, n) => told(verb, n ? shownNumber(amount) : withNoun(amount, one, many))), "or"));
  }
  const VERBS_OF_OPTIONS = { remove: "leave out", add: "choose" };
  /* What to do with things. */
  function told(verb, things) {
    switch (verb) {
      case "remove": return say("remove {things}", { things });
      case "add": return say("add {things}", { things });
      case "choose": return say("choose {things}", { things });
      default: return say("leave out {things}", { things });
    }
  }
  /* Too many or too few points: what they are paid for has to change. */
  function remedyInPoints(rule, node, words) {
    const ofOptions = rule.by === "option-points", verbs = ofOptions ? VERBS_OF_OPTIONS : { remove: "leave out", add: "add" };
    const what = ofOptions ? say("options") : node.isBranch ? say("units or options") : say("options or figures");
    return joinRemedies(joinWords(words.map(({ verb, amount }) => told(verbs[verb], say("{things} worth at least {points}", { things: what, points: inPoints(amount) }))), "or"));
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
      return [say("none: there is no {thing} with {values}", { thing: what, values: joinWords(shown) }), joinRemedies(say("change the {field}", { field: titles }))];
    }
    const army = withArticle(lowerFirst(node.system.top.title));
    const none = shown.length ? say("none: {army} of {values} has no {thing}", { army, values: joinWords(shown), thing: what }) : say("none");
    return [none, joinRemedies(say("field another type of unit instead"))];
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
      allowed: say("{number} each", { number: first.allowed }), actual: joinWords(all.map(([title, each]) => each.actual + " (" + title + ")")),
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
    const actual = number.is(0) ? say("none") : withNoun(number, one, many), key = typeof rule.sum === "string" ? rule.sum : undefined;
    if (!allowed.length) {
      const [none, remedy] = explainDashes(rule, node);
      return { allowed: none, actual, remedy, key };
    }
    let text = nameRanges(allowed, one, many);
    if (Number(rule.step ?? 0) > 1) {
      const anything = allowed.length === 1 && allowed[0][0].is(0) && allowed[0][1] === null;
      text = anything ? say("a multiple of {number} {things}", { number: rule.step, things: many }) : say("{sizes}, a multiple of {number}", { sizes: text, number: rule.step });
    }
    if (rule.per !== undefined) { text = say("{things} under a limit of {points}", { things: text, points: inPoints(limit) }); }
    const top = allowed[allowed.length - 1][1];
    return {
      allowed: text, actual, remedy: countRemedy(rule, node, number, limit), key,
      withoutStated: top !== null && number.below(allowed[0][0])
    };
  }

  // Shares

  function sumOfThings(noun, things) { return say("{noun} of {things}", { noun, things }); }
  function judgeShare(rule, node, [part, counted], limit) {
    const whole = rule.whole === "limit" ? limit ?? ZERO : counted;
    if (!whole.above(ZERO)) { return null; }
    const share = part.over(whole), least = rule.least, most = rule.most;
    if (!(least && share.below(least)) && !(most && share.above(most))) { return null; }
    const roundUp = (number) => { const step = exact(POINTS.includes(rule.by) ? 100 : 1); return number.times(step).ceil().over(step); };
    if (rule.whole === "limit") { return explainShareOfLimit(rule, node, part, whole, roundUp); }
    if (rule.whole_by !== undefined) { return explainRatio(rule, node, part, whole, roundUp); }
    let [one, many] = nounsOf(node, rule.part), [wholeOne, wholeMany] = nounsOf(node, rule.whole);
    let otherOne = say("other {thing}", { thing: wholeOne }), otherMany = say("other {things}", { things: wholeMany });
    const by = rule.by ?? "number";
    if (by !== "number") {
      const [noun, plural] = nounsOfSum(by, node);
      [one, many] = [sumOfThings(noun, many), sumOfThings(plural, many)];
      [otherOne, otherMany] = [sumOfThings(noun, otherMany), sumOfThings(plural, otherMany)];
      wholeMany = plural;
    }
    const actual = say("{part} of {whole} {things}", { part, whole, things: wholeMany });
    if (most && share.above(most)) {
      const away = most.below(ONE) ? roundUp(part.minus(most.times(whole)).over(ONE.minus(most))) : ZERO;
      const others = most.is(0) ? ZERO : roundUp(part.over(most).minus(whole));
      const remedy = joinRemedies(told("remove", withNoun(away, one, many)), others.is(0) ? "" : told("add", withNoun(others, otherOne, otherMany)));
      return { allowed: most.is(0) ? say("none") : say("at most {share} of them", { share: rule.max }), actual, remedy };
    }
    if (least.below(ONE)) {
      const extra = roundUp(least.times(whole).minus(part).over(ONE.minus(least)));
      return { allowed: say("at least {share} of them", { share: rule.min }), actual, remedy: joinRemedies(told("add", withNoun(extra, one, many))) };
    }
    const replaced = withNoun(roundUp(whole.minus(part)), otherOne, otherMany);
    return { allowed: say("only {things}", { things: many }), actual, remedy: joinRemedies(say("replace {others} with {things}", { others: replaced, things: many })) };
  }

  /* Too much or too little of one thing for the number of another. */
  function explainRatio(rule, node, part, whole, roundUp) {
    const nouns = (selector, by) => (by === undefined || by === "number" ? nounsOf(node, selector) : nounsOfSum(by, node));
    const [one, many] = nouns(rule.part, rule.by), [other, others] = nouns(rule.whole, rule.whole_by), { least, most } = rule;
    const actual = say("{things} for {others}", { things: withNoun(part, one, many), others: withNoun(whole, other, others) });
    if (most && part.above(most.times(whole))) {
      const away = withNoun(roundUp(part.minus(most.times(whole))), one, many);
      const extra = most.is(0) ? "" : told("add", withNoun(roundUp(part.over(most).minus(whole)), other, others));
      return { allowed: say("at most {share} of the {things}", { share: rule.max, things: others }), actual, remedy: joinRemedies(told("remove", away), extra) };
    }
    const extra = withNoun(roundUp(least.times(whole).minus(part)), one, many);
    return { allowed: say("at least {share} of the {things}", { share: rule.min, things: others }), actual, remedy: joinRemedies(told("add", extra)) };
  }
  /* A part that costs too much or too little of the limit. */
  function explainShareOfLimit(rule, node, part, limit, roundUp) {
    const [, many] = nounsOf(node, rule.part), { least, most } = rule, above = Boolean(most && part.above(most.times(limit)));
    const away = above ? part.minus(most.times(limit)) : least.times(limit).minus(part);
    const remedy = told(above ? "remove" : "add", withNoun(roundUp(away), sumOfThings(say("point"), many), sumOfThings(say("points"), many)));
    const allowed = above ? say("at most {share} of the limit", { share: rule.max }) : say("at least {share} of the limit", { share: rule.min });
    return { allowed, actual: say("{part} of {whole} {things}", { part, whole: limit, things: say("points") }), remedy: joinRemedies(remedy) };
  }

  // Values

  function judgeAlike(rule, node, [values]) {
    if (values.size < 2) { return null; }
    const all = [...values.keys()];
    const commonest = all.reduce((one, other) => (values.get(other).above(values.get(one)) ? other : one));
    const others = all.filter((value) => value !== commonest);
    const number = others.reduce((sum, value) => sum.plus(values.get(value)), ZERO), [one, many] = nounsOf(node, rule.of);
    const named = listValues(node, rule.attribute, others);
    const what = others.length === 1 ? withNoun(number, say("{value} {thing}", { value: named, thing: one }), say("{value} {thing}", { value: named, thing: many })) : withNoun(number, one, many) + " (" + named + ")";
    return { allowed: say("only one of these"), actual: listValues(node, rule.attribute, all), remedy: joinRemedies(say("move {things} out of this {command}", { things: what, command: lowerFirst(node.title) })) };
  }
  function judgeVariety(rule, node, [values]) {
    const most = Number(rule.max);
    if (values.size <= most) { return null; }
    const all = [...values.keys()];
    const rarest = [...all].sort((one, other) => values.get(one).compare(values.get(other))).slice(0, all.length - most);
    const what = titleOf(node, rule.attribute) + " " + listValues(node, rule.attribute, rarest);
    return { allowed: say("at most {number} of these", { number: rule.max }), actual: listValues(node, rule.attribute, all), remedy: joinRemedies(say("remove the {things} with {value}", { things: nounsOf(node, rule.of)[1], value: what })) };
  }

  // Company

  function judgeRequires(rule, node, [number, needed]) {
    if (number.is(0) || !needed.is(0)) { return null; }
    const [one] = nounsOf(node, rule.needs), [, many] = nounsOf(node, rule.of);
    const needs = withNoun(ONE, one, one);
    return { allowed: say("at least {things}", { things: needs }), actual: say("none"), remedy: joinRemedies(told("add", needs), say("remove the {things}", { things: many })) };
  }
  function chosenOptions(selector, node) { return node.options.filter((option) => selector.options.includes(option.id)); }
  function judgeExcludes(rule, node, [number, barred]) {
    if (number.is(0) || barred.is(0)) { return null; }
    if (!node.isBranch) { return explainExclusion(rule, node); }
    const [one, many] = nounsOf(node, rule.of), [other, others] = nounsOf(node, rule.bars);
    const remedy = joinRemedies(say("remove the {things}", { things: number.is(1) ? one : many }), say("remove the {things}", { things: barred.is(1) ? other : others }));
    return { allowed: say("one or the other"), actual: joinWords([withNoun(number, one, many), withNoun(barred, other, others)]), remedy };
  }
  /* A single node matches both selectors, so that a count would say nothing. */
  function explainExclusion(rule, node) {
    const chosen = [rule.of, rule.bars].map((selector) => chosenOptions(selector, node));
    const own = (options) => options.filter((option) => !node.givenOptions.includes(option));
    const names = chosen.map((options) => joinWords(quotedTitles(options)));
    const both = names[0] && names[1];
    const actual = both ? joinWords(names) : names[0] || names[1] || lowerFirst(node.title);
    const allowed = both ? say("one or the other") : say("none for {unit}", { unit: lowerFirst(node.title) });
    const sides = chosen.map(own).filter((options) => options.length).map((options) => joinWords(quotedTitles(options)));
    const remedy = sides.length ? told("leave out", joinWords(sides, "or")) : say("field another type of unit instead");
    return { allowed, actual, remedy: joinRemedies(remedy) };
  }
  function judgeOnlyIf(rule, node) {
    if (!node.matches(rule.of) || node.standsUnder(rule.needs)) { return null; }
    const unwanted = joinWords(quotedTitles(chosenOptions(rule.of, node))) || say("this {thing}", { thing: nounsOf(node, rule.of)[0] });
    const [actual, allowed] = explainNeed(rule.needs, node);
    return { allowed, actual, remedy: joinRemedies(told("leave out", unwanted)) };
  }
  /* What a node is, and what it would have to be. */
  function explainNeed(needs, node) {
    const system = node.system, itself = lowerFirst(node.title);
    if (needs.entry.length) {
      return [itself, say("only {things}", { things: joinWords(needs.entry.map((id) => lowerFirst(system.entries.get(id).title)), "or") })];
    }
    if (needs.options.length) { return [itself, say("only with {things}", { things: nounsOf(node, needs)[0] })]; }
    for (const [name, values] of needs.where) {
      if (values.includes(node.text(name))) { continue; }
      const title = titleOf(node, name);
      if (values.length === 1 && values[0] === "true") { return [itself, say("only with {things}", { things: quoted(upperFirst(title)) })]; }
      const spec = node.fieldSpec(name) ?? system.spec(name);
      const words = spec ? spec.of : system.words.get(name), titles = values.map((value) => words?.get(value) ?? value);
      const shown = titles.some((each) => each.includes(",")) ? listValues(node, name, values, "or") : joinWords(titles, "or");
      // An attribute of types, such as an arm, has no name that players know.
      if (!spec && node.entry?.attributes.has(name)) { return [itself, say("only {things}", { things: shown })]; }
      const found = quotedInList(node, name);
      return [found ? title + " " + found : say("no {thing}", { thing: title }), title + " " + shown];
    }
    return [itself, say("only {things}", { things: nounsOf(node, needs)[0] })];
  }
  function judgeAvailable(rule, node) {
    if (!node.matches(rule.of) || !node.cell(rule.cell)?.dash) { return null; }
    const byColumn = rule.cell.column !== undefined && typeof rule.cell.column === "object";
    const reference = byColumn ? rule.cell.column : rule.cell.row, name = reference.field ?? "";
    const spec = node.fieldSpec(name) ?? node.system.spec(name), table = node.system.tables.get(rule.cell.table);
    const allowed = (byColumn ? table.columns : table.rows)
      .filter(([id]) => !node.cell({ ...rule.cell, [byColumn ? "column" : "row"]: id })?.dash)
      .map(([id, label]) => spec?.of.get(id) ?? label);
    let leaveOut = spec?.roll && allowed.length ? say("leave it out and roll for it") : say("leave it out");
    if (!spec || spec.required || !node.fields.has(name)) { leaveOut = allowed.length ? "" : say("field another type of unit instead"); }
    const choices = joinWords(allowed, "or");
    return {
      allowed: choices || say("none"), actual: node.shown(name), remedy: joinRemedies(allowed.length ? told("choose", choices) : "", leaveOut),
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
