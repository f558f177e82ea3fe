/* What a node costs, with the arithmetic. A price is a sum of terms: a number from a table or a field, times a number. */
(function (Muster) {
  "use strict";
  const { exact, ZERO, ONE, lowerFirst, say, shownNumber } = Muster;

  /* The price of one node: known points, names of what is missing, arithmetic; null if nothing is paid for it. */
  function priceOf(node) {
    if (node.kind.price === undefined) { node.kind.price = node.entry ? workOut(node) : null; }
    return node.kind.price;
  }
  function knownPrice(node) { return priceOf(node)?.known ?? ZERO; }

  /* What one term of a price comes to; without points where the price is missing, or cannot be paid exactly. */
  function pricedTerm(node, term) {
    const each = "field" in term.each ? node.value(term.each.field) : node.cell(term.each), amount = each?.amount;
    const quantity = term.times === undefined ? null : most(node.number(term.times).minus(exact(term.less ?? 0)), ZERO);
    if (amount === undefined) { return { missing: true }; }
    const every = each.every ?? ONE, points = amount.times(quantity ?? ONE).over(every);
    return points.decimals() === undefined ? { inexact: true } : { amount, quantity, every, points, free: Boolean(each.free) };
  }
  function applies(node, term) { return (term.where ?? []).every(([name, texts]) => texts.includes(node.text(name))); }
  /* The options of a node that are among some, or all of them if none is named. */
  function countedOptions(node, named) { return node.options.filter((option) => !named.length || named.includes(option.id)); }
  /* The known points of a node's options, of some or of all if none is named. */
  function knownOptionPoints(node, named) {
    const terms = node.entry ? countedOptions(node, named).flatMap((option) => option.price) : [];
    return terms.filter((term) => applies(node, term)).reduce((sum, term) => sum.plus(pricedTerm(node, term).points ?? ZERO), ZERO);
  }

  function workOut(node) {
    const terms = [...node.entry.price, ...node.options.flatMap((option) => option.price)].filter((term) => applies(node, term));
    if (!terms.length) { return null; }
    let priced = [], free = true;
    const missing = [];
    for (const term of terms) {
      const made = pricedTerm(node, term);
      const price = lowerFirst(term.label || say("price"));
      if (made.missing || made.inexact) { missing.push(made.inexact ? say("inexact {price}", { price }) : price); continue; }
      free = free && made.free;
      priced.push(made);
    }
    const known = priced.reduce((sum, term) => sum.plus(term.points), ZERO);
    // Where something is missing, terms that count 0 times are left out.
    if (missing.length) { priced = priced.filter((term) => !term.quantity?.is(0)); }
    let working = formatWorking(priced);
    const outside = working.replace(/\([^()]*\)/g, ""), simple = !outside.includes(" + ") && !outside.includes(" − ");
    if (/×|÷| \+ | − /.test(working)) { working += " = " + shownNumber(known); }
    if (missing.length) {
      const without = say("without the {prices}", { prices: missing.join(say(" and the ")) });
      return { known, missing, working: working ? working + ", " + without : without, simple: false };
    }
    return free ? { known, missing, working: say("free"), simple: true } : { known, missing, working, simple };
  }
  function most(one, other) { return one.below(other) ? other : one; }

  /* Terms of one quantity share a bracket: "4 × (3 + 0.25) + 25". */
  function formatWorking(terms) {
    const groups = new Map(), texts = [];
    for (const term of terms) {
      const key = term.quantity + "|" + term.every;
      if (!groups.has(key)) { groups.set(key, { ...term, amounts: [] }); }
      groups.get(key).amounts.push(term.amount);
    }
    for (const { quantity, every, amounts } of groups.values()) {
      if (quantity?.is(0) && texts.length) { continue; }
      const inner = amounts.slice(1).reduce((text, amount) => text + (amount.below(ZERO) ? " − " + shownNumber(amount.size) : " + " + shownNumber(amount)), shownNumber(amounts[0]));
      if (quantity === null) { texts.push(inner); continue; }
      const factor = every.is(1) ? shownNumber(quantity) : shownNumber(quantity) + " ÷ " + shownNumber(every);
      texts.push(factor + " × " + (amounts.length === 1 ? inner : "(" + inner + ")"));
    }
    return texts.join(" + ").replaceAll("+ −", "− ");
  }

  function lineWorking(priced, count) {
    if (count.is(1)) { return priced.working; }
    if (priced.missing.length) { return count + " × (" + priced.working + ")"; }
    const end = priced.working.lastIndexOf(" = "), working = end < 0 ? priced.working : priced.working.slice(0, end);
    return count + " × " + (priced.simple ? working : "(" + working + ")") + " = " + shownNumber(priced.known.times(count));
  }

  /* The price of an army: a line for each node that points are paid for, in the order of the list. */
  function priceArmy(army) {
    if (!army.system.prices) { return { total: null, lines: [], missing: [] }; }
    const lines = [], missing = [];
    let total = ZERO;
    for (const node of army.nodes.slice(1)) {
      const priced = priceOf(node);
      if (!priced) { continue; }
      const known = priced.known.times(node.count), whole = !priced.missing.length;
      total = total.plus(known);
      missing.push(...priced.missing.map((price) => say("the {price} of {unit}", { price, unit: node.label })));
      lines.push({ node, count: node.count, each: whole ? priced.known : null, points: whole ? known : null, known, working: lineWorking(priced, node.count) });
    }
    return { total, lines, missing };
  }

  Object.assign(Muster, { priceOf, knownPrice, countedOptions, knownOptionPoints, priceArmy });
}(window.Muster));
