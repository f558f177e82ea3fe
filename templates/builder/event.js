/* The page for organisers: many lists at once, from files or links, judged under the limit of the event. */
(function (Muster) {
  "use strict";
  const { el, button, field, download, readArmy, check, typedPoints, readList, readYaml, fromFragment, withEventLimit, exact, say, sayNumber, shownNumber } = Muster;
  /* The largest file of a list, in bytes. */
  const MOST_LIST = 1e6;
  const COLUMNS = ["file", "player", "army", "system", "verdict", "points", "limit", "errors", "warnings", "findings"];

  /* What is entered stays until the page is closed: where each list is from, and its data or what is wrong. */
  const entries = [];
  let limit = "";

  async function readFile(file) {
    if (file.size > MOST_LIST) { throw new Error(say("It is larger than {size} MB.", { size: MOST_LIST / 1e6 })); }
    const text = await file.text(), { data, comments, lineOf } = readYaml(text);
    return { data, lineOf, source: comments.length ? text : undefined };
  }
  async function readLink(text) {
    const { list, edition, told } = await fromFragment(text.slice(text.indexOf("list=")));
    return { data: list, edition, told };
  }
  /* The entry of a list; `kept` is what is kept of it besides: the edition of a link and what was told of it, or a file for its comments. */
  async function entryOf(from, reading, systemOf) {
    try {
      const { data, lineOf, ...kept } = await reading(), system = await systemOf(data.system), { list, problems } = readList(system, data);
      const told = (problem) => (lineOf ? say("line {line}: {problem}", { line: lineOf(problem.path), problem: problem.text }) : problem.text);
      return list ? { from, system, list, kept } : { from, problem: problems.map(told).join("; ") };
    } catch (error) {
      return { from, problem: error instanceof TypeError || error instanceof DOMException || error instanceof SyntaxError ? say("this link or file is incomplete") : error.message };
    }
  }
  /* Verdict, total and findings of an entry, in the words of its row. */
  function rowOf(entry) {
    if (entry.problem) { return { file: entry.from, player: "", army: "", system: "", verdict: "unreadable", points: "", limit: "", errors: "0", warnings: "0", findings: entry.problem }; }
    const points = typedPoints(limit), event = points === null ? null : exact(points);
    const { army, warnings } = withEventLimit(readArmy(entry.system, entry.list), event), verdict = check(army), findings = [...warnings, ...verdict.findings];
    const count = (severity) => String(findings.filter((finding) => finding.severity === severity).length);
    return {
      file: entry.from, player: entry.list.player ?? "", army: army.name, system: entry.system.id, verdict: verdict.legal ? "legal" : "not legal",
      points: verdict.price.total === null ? "" : String(verdict.price.total), limit: army.limit === null ? "" : String(army.limit),
      errors: count("error"), warnings: count("warning"), findings: findings.map((finding) => (finding.message + " " + finding.remedy).trim()).join(" | ")
    };
  }
  /* A cell of CSV; what a spreadsheet would take for a formula is given an apostrophe. */
  function cell(text) {
    const harmless = /^[=+\-@]/.test(text) ? "'" + text : text;
    return /[",\n]/.test(harmless) ? '"' + harmless.replaceAll('"', '""') + '"' : harmless;
  }
  function asCsv(rows) { return [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column]))].map((line) => line.map(cell).join(",")).join("\n") + "\n"; }

  /* The page; `open` keeps a list among one's own and shows it. */
  function eventPage(systemOf, open) {
    const table = el("div"), links = el("textarea", { rows: 4 }), status = el("p", { class: "hint", role: "status" });
    const show = () => {
      if (limit && typedPoints(limit) === null) {
        status.textContent = say("Enter the limit as a number, such as 250.");
        table.replaceChildren();
        return;
      }
      const rows = entries.map(rowOf), legal = rows.filter((row) => row.verdict === "legal").length;
      status.textContent = rows.length ? sayNumber("{n} list: {legal} legal", "{n} lists: {legal} legal", rows.length, { legal }) : say("No lists yet.");
      table.replaceChildren(...(rows.length ? [
        el("table", { class: "event" },
          el("thead", null, el("tr", null, [say("Player"), say("Army"), say("Points"), say("Verdict"), say("Findings")].map((title) => el("th", { scope: "col" }, title)))),
          el("tbody", null, rows.map((row, n) => el("tr", null,
            el("td", { "data-label": say("Player") }, row.player || "–"),
            el("th", { scope: "row" }, row.army || row.file, el("span", { class: "hint" }, " " + (row.army ? row.file : "")), row.army ? button(say("Save and open"), () => open(entries[n]), { class: "link" }) : null),
            el("td", { "data-label": say("Points") }, row.points ? (row.limit ? say("{points} of {limit}", { points: shownNumber(row.points), limit: shownNumber(row.limit) }) : shownNumber(row.points)) : "–"),
            el("td", { "data-label": say("Verdict"), class: row.verdict === "legal" ? "good" : "bad" }, { "legal": say("legal"), "not legal": say("not legal"), "unreadable": say("unreadable") }[row.verdict]),
            el("td", { "data-label": say("Findings") }, row.findings ? el("details", null, el("summary", null, row.verdict === "unreadable" ? say("why") : sayNumber("{n} error", "{n} errors", row.errors) + ", " + sayNumber("{n} warning", "{n} warnings", row.warnings)), el("ul", null, row.findings.split(" | ").map((text) => el("li", null, text)))) : say("none")))))),
        el("p", { class: "tools" },
          button(say("Download as CSV"), () => download("lists.csv", asCsv(rows), "text/csv"), { class: "main" }),
          button(say("Clear"), () => { entries.length = 0; show(); }))
      ] : []));
    };
    const addAll = async (made) => { entries.push(...await Promise.all(made)); show(); };
    const addFiles = (event) => {
      const made = [...event.target.files].map((file) => entryOf(file.name, () => readFile(file), systemOf));
      addAll(made);
      event.target.value = "";
    };
    const addLinks = () => {
      const found = links.value.split(/\s+/).filter((text) => text);
      addAll(found.map((text, n) => entryOf(say("link {number}", { number: n + 1 }), () => readLink(text), systemOf)));
      links.value = "";
    };
    show();
    return el("div", { class: "organiser" },
      el("h2", null, say("Lists of an event")),
      el("p", null, say("Add every player’s list: each is checked here, on this device, and nothing is sent.")),
      el("div", { class: "fields" },
        field(say("Limit of the event in points"), el("input", { type: "text", inputmode: "decimal", value: limit, autocomplete: "off", oninput: (event) => { limit = event.target.value.trim(); show(); } }), say("Replaces each army’s own limit.")),
        field(say("Links, one in each line"), links)),
      el("p", { class: "tools" }, button(say("Add the links"), addLinks, { class: "main" }), el("label", { class: "file" }, say("Add files …"), el("input", { type: "file", multiple: true, accept: ".yaml,.yml,text/yaml", onchange: addFiles }))),
      status, table);
  }

  Object.assign(Muster, { eventPage });
}(window.Muster));
