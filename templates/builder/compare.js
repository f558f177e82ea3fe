/* What one list has and another has not: units, values, findings. */
(function (Muster) {
  "use strict";
  const { readArmy, check, detailsOf, totalText } = Muster;

  function partsOf(verdict) {
    const points = new Map(verdict.price.lines.map((line) => [line.node, line.points]));
    return verdict.army.nodes.filter((node) => node.entry).map((node) => ({
      label: node.label, place: node.parent.path ? node.parent.label : "", points: points.get(node) ?? null,
      says: (node.count.is(1) ? "" : node.count + " × ") + Muster.joinLabels([node.label, ...detailsOf(node)]), by: [...node.options.map((option) => option.id)].join()
    }));
  }
  /* Takes from two lists the pairs that agree in some key; the rest stays in them. */
  function pairs(ones, others, keyOf) {
    const found = [];
    for (const one of [...ones]) {
      const place = others.findIndex((other) => keyOf(other) === keyOf(one));
      if (place >= 0) {
        found.push([one, others[place]]);
        ones.splice(ones.indexOf(one), 1);
        others.splice(place, 1);
      }
    }
    return found;
  }
  /* The differences between two lists of one system, each as text. */
  function compare(system, list, other) {
    const [mine, theirs] = [list, other].map((each) => check(readArmy(system, each))), ones = partsOf(mine), others = partsOf(theirs);
    pairs(ones, others, (part) => part.place + "|" + part.says);
    const moved = pairs(ones, others, (part) => part.says), changed = pairs(ones, others, (part) => part.label);
    const finding = (each) => each.path + ": " + each.message;
    const only = (one, another) => one.findings.map(finding).filter((text) => !another.findings.map(finding).includes(text));
    const said = (part) => part.says + (part.points ? ", " + Muster.shownNumber(part.points) : "");
    return {
      totals: [totalText(mine), totalText(theirs)],
      here: ones.map(said), there: others.map(said),
      changed: changed.map(([one, another]) => said(one) + " → " + said(another)),
      moved: moved.map(([one, another]) => one.says + ": " + (one.place || Muster.say("army")) + " → " + (another.place || Muster.say("army"))),
      findingsHere: only(mine, theirs), findingsThere: only(theirs, mine)
    };
  }

  Object.assign(Muster, { compare });
}(window.Muster));
