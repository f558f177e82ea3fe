/* What another edition of the rules makes of a list: prices then and now, what the rules no longer have, new findings. */
(function (Muster) {
  "use strict";
  const { el, button, say, sayNumber, shownNumber, at, changed, filled, readList, verdictOf, mappingsOf, toldOf } = Muster;
  const MOST_ROUNDS = 8, MOST_SHOWN = 100;
  /* Where a part of a list stood in it as it was; copies of the part keep it, files and links do not. */
  const PLACE = Symbol("place");

  function numbered(list) {
    const copy = structuredClone(list);
    mappingsOf(copy).forEach((each, n) => { each[PLACE] = n; });
    return copy;
  }
  /* What must go so that the rules can read a list: the unit itself where it is not known, else a value. */
  function culprit({ code, path }) { return code === "unknown-" + path[path.length - 1] ? path.slice(0, -1) : path; }
  /* The list without what the rules do not know: the list, null if that leads to none; what has gone, in words; and for each of its mappings its place in the list as it was. */
  function withoutUnknown(system, list) {
    const gone = [], lost = [];
    let made = numbered(list);
    for (let round = 0; round < MOST_ROUNDS; round += 1) {
      const { list: read, problems } = readList(system, made);
      if (read) { return { list: read, gone, lost, places: mappingsOf(made).map((each) => each[PLACE]) }; }
      const paths = new Map(problems.map((problem) => [JSON.stringify(culprit(problem)), problem]));
      // The last first, so that the places of the others stay as they are.
      for (const [text, problem] of [...paths].sort(([one], [other]) => other.localeCompare(one, "en", { numeric: true }))) {
        const path = JSON.parse(text), held = at(made, path);
        if (problem.code === "missing-key" || problem.code === "missing-size") {
          try { made = filled(system, made, path); } catch { return { list: null, gone, lost, places: [] }; }
          lost.push(Muster.upperFirst(problem.text));
          continue;
        }
        if (held === undefined) { continue; }
        if (!path.length) { return { list: null, gone, lost, places: [] }; }
        if (held !== null && typeof held === "object" && !Array.isArray(held)) {
          gone.push([held.name || Object.entries(held).find(([key]) => system.levels.has(key))?.[1] || "–", held[PLACE]]);
        } else { lost.push(Muster.upperFirst(problem.text)); }
        made = changed(made, path, () => undefined);
      }
    }
    return { list: null, gone, lost, places: [] };
  }

  /* How many of several things there are, each with its number. */
  function counted(things) {
    const found = new Map();
    for (const thing of things) { const key = JSON.stringify(thing); found.set(key, [thing, (found.get(key)?.[1] ?? 0) + 1]); }
    return [...found.values()];
  }
  /* The values of all units, leaders and commands as a roster shows them, as heads and texts, with the language that they are in;
     null without the tables of the system. */
  function valuesOf(app, verdict = app.verdict) {
    if (!app.parts) { return null; }
    const nodes = new Map(verdict.army.nodes.map((node) => [node.item, node]));
    return [document.documentElement.lang, mappingsOf(verdict.army.data).map((each) => (nodes.has(each) ? Muster.shownValues(app, nodes.get(each)).map(([head, shown]) => [head, shown]) : []))];
  }
  /* The values that differ between then and now: the title of a unit, the head of the value, and both texts; none if one of both
     is not known, or in another language. `placeOf` says where a part of the list stood then. */
  function changedValues(then, now, titleAt = /** @type {(n: number) => string} */ (() => ""), placeOf = (n) => n) {
    if (!then || !now || then[0] !== now[0]) { return []; }
    return now[1].flatMap((pairs, n) => {
      const before = new Map(then[1][placeOf(n)] ?? pairs), after = new Map(pairs), heads = [...new Set([...after.keys(), ...before.keys()])];
      return heads.filter((head) => before.get(head) !== after.get(head)).map((head) => [titleAt(n), head, before.get(head) ?? "–", after.get(head) ?? "–"]);
    });
  }
  /* What another edition changed in a list: `told` is what was kept of its verdict then, and of the list if it was changed since. */
  function changesOf(app, told, list) {
    const { system } = app;
    const { list: read, gone, lost, places } = withoutUnknown(system, told?.list ?? list), verdict = read && verdictOf(system, read);
    if (!verdict) { return null; }
    const now = toldOf(verdict), titles = new Map(verdict.army.nodes.map((node) => [node.item, node.title])), then = (place) => told?.prices?.[place] ?? "";
    const mappings = mappingsOf(verdict.army.data), values = changedValues(told?.values, valuesOf(app, verdict), (n) => titles.get(mappings[n]) ?? "", (n) => places[n]);
    const prices = mappings.map((each, n) => [titles.get(each) ?? "", then(places[n]), now.prices[n]]).filter(([, before, after]) => told?.prices && before !== after);
    const key = (each) => (gone.length ? each.split(" ")[0] : each), before = told?.codes?.map(key);
    const findings = verdict.findings.filter((finding) => {
      const place = before?.indexOf(key(finding.code + " " + finding.path)) ?? 0;
      if (before && place >= 0) { before.splice(place, 1); }
      return place < 0;
    });
    return { told, now, prices: counted(prices), values: counted(values), gone: counted(gone.map(([title, place]) => [title, then(place)])), lost, findings };
  }

  function pointsText(points) { return sayNumber("{n} point", "{n} points", points, { n: shownNumber(points) }); }
  function totalOf({ total, legal }) { return [total && pointsText(total), legal ? say("legal") : say("not legal")].filter((part) => part).join(", "); }
  function times(number) { return number > 1 ? number + " × " : ""; }
  function thenAndNow(heads, lines) {
    return el("table", { class: "then-now" },
      el("thead", null, el("tr", null, heads.map((title) => el("th", { scope: "col" }, title)))),
      el("tbody", null, lines.slice(0, MOST_SHOWN).map(([unit, ...cells]) => el("tr", null, el("th", { scope: "row" }, unit), cells.map((text) => el("td", null, text))))));
  }
  /* The notice that a list is of another edition, which stays until somebody accepts the edition here. */
  function editionNotice(app) {
    const found = changesOf(app, app.told, app.list), { edition } = app.system, isOther = app.edition !== edition;
    const said = isOther
      ? app.edition ? say("This list was made for edition {old} of the rules; here it is checked against edition {edition}.", { old: app.edition, edition }) : say("It is not known which edition of the rules this list was made for; here it is checked against edition {edition}.", { edition })
      : say("The rules here have changed since this list was saved, although they are still edition {edition}.", { edition });
    const accept = button(isOther ? say("Accept edition {edition}", { edition }) : say("Accept the changed rules"), () => app.accept(), { class: "main" });
    const was = app.told?.list ? button(say("Download the list as it was"), () => Muster.download(Muster.fileName(app.told.list.name || "army") + ".yaml", Muster.writeYaml(app.told.list), "application/yaml")) : null;
    const parts = [el("p", null, said)];
    if (found) {
      const { told, now, prices, values, gone, lost, findings } = found, shown = (points) => (points === "" ? "–" : shownNumber(points));
      if (told && told.total !== undefined) { parts.push(el("p", null, totalOf(told) === totalOf(now) ? say("It is {verdict}, as it was then.", { verdict: totalOf(now) }) : say("Then it was {old}; now it is {verdict}.", { old: totalOf(told), verdict: totalOf(now) }))); }
      if (!told?.prices && app.system.prices) { parts.push(el("p", { class: "hint" }, say("What each unit cost at the time is not known."))); } else if (app.system.prices && !prices.length && !gone.length) { parts.push(el("p", null, say("No price has changed."))); }
      const details = [
        prices.length ? [el("h3", null, say("Prices that changed, of one unit")), thenAndNow([say("Unit"), say("Then"), say("Now")], prices.map(([[title, before, after], number]) => [times(number) + title, shown(before), shown(after)]))] : null,
        values.length ? [el("h3", null, say("Values that changed")), thenAndNow([say("Unit"), say("Value"), say("Then"), say("Now")], values.map(([[title, head, before, after], number]) => [times(number) + title, head, before, after]))] : null,
        gone.length ? [el("h3", null, say("No longer in these rules")), el("ul", null, gone.slice(0, MOST_SHOWN).map(([[title, before], number]) => el("li", null, times(number) + title + (before ? " (" + pointsText(before) + ")" : ""))))] : null,
        lost.length ? [el("h3", null, say("Left out or filled in, so that these rules can read it")), el("ul", null, lost.slice(0, MOST_SHOWN).map((text) => el("li", null, text)))] : null,
        findings.length ? [el("h3", null, say("New findings")), el("ul", null, findings.slice(0, MOST_SHOWN).map((finding) => el("li", null, finding.message)))] : null
      ].flat(2).filter((part) => part);
      if (details.length) { parts.push(el("details", { open: true }, el("summary", null, say("What changed")), details)); }
    }
    return el("section", { class: "note edition noprint", "aria-label": say("Edition of the rules") }, parts, el("p", { class: "tools" }, accept, was));
  }

  Object.assign(Muster, { withoutUnknown, valuesOf, changedValues, changesOf, editionNotice });
}(window.Muster));
