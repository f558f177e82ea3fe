/* Lists on their way: a link that holds the whole list, and texts for forums and chats. */
(function (Muster) {
  "use strict";
  const { check, readArmy, say, sayNumber, shownNumber } = Muster;
  const LARGEST = 1000000;

  async function through(stream, bytes, most = Infinity) {
    const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader(), parts = [];
    let size = 0;
    for (let next = await reader.read(); !next.done; next = await reader.read()) {
      size += next.value.length;
      if (size > most) { throw new Error("too large"); }
      parts.push(next.value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  }
  /* The fragment of a link to a list, without its #: deflated, in letters that an address may hold. `told` is the verdict under that edition. */
  async function toFragment(edition, list, told) {
    const short = told && [told.total, Number(told.legal), ...(told.prices ? [told.prices] : [])];
    const bytes = await through(new CompressionStream("deflate-raw"), new TextEncoder().encode(JSON.stringify([edition, list, ...(short ? [short] : [])])));
    let letters = "";
    for (const byte of bytes) { letters += String.fromCharCode(byte); }
    return "list=" + btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  }
  /* The edition and the list of a link; raises an error if the link is cut off or is none of ours. */
  async function fromFragment(fragment) {
    const letters = atob(fragment.slice("list=".length).replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = await through(new DecompressionStream("deflate-raw"), Uint8Array.from(letters, (letter) => letter.charCodeAt(0)), LARGEST);
    const [edition, list, verdict] = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    if (typeof edition !== "string" || typeof list?.system !== "string" || !allText(list, 0)) { throw new Error("no list"); }
    return { edition, list, told: Array.isArray(verdict) ? readTold({ total: verdict[0], legal: verdict[1], prices: verdict[2] }) : undefined };
  }
  /* The commands, leaders and units of a list, which are its mappings, in the order of the list. */
  function mappingsOf(list) {
    const found = [];
    const walk = (held) => {
      if (Array.isArray(held)) { held.forEach(walk); } else if (held && typeof held === "object") { found.push(held); Object.values(held).forEach(walk); }
    };
    Object.values(list).forEach(walk);
    return found;
  }
  /* What is kept of a verdict, to compare it with that of a later edition: the total, the price of one of each unit, empty where it has none, and what was found. */
  function toldOf({ price, legal, findings, army }) {
    const prices = new Map(price.lines.map((line) => [line.node.item, line.each]));
    return { total: price.total === null ? "" : String(price.total), legal, prices: mappingsOf(army.data).map((each) => String(prices.get(each) ?? "")), codes: findings.map(({ code, path }) => code + " " + path) };
  }
  /* The same as it was kept, or as it came with a link; undefined if it is none. */
  function readTold(told) {
    if (typeof told?.total !== "string" && !told?.list) { return undefined; }
    const texts = (held) => (Array.isArray(held) && held.every((each) => typeof each === "string") ? held : undefined);
    const isValues = Array.isArray(told.values) && typeof told.values[0] === "string" && Array.isArray(told.values[1]) && told.values[1].every((pairs) => Array.isArray(pairs) && pairs.every((pair) => pair?.length === 2 && texts(pair)));
    return { total: typeof told.total === "string" ? told.total : undefined, legal: Boolean(told.legal), prices: texts(told.prices), codes: texts(told.codes), values: isValues ? told.values : undefined, list: typeof told.list?.system === "string" && allText(told.list, 0) ? told.list : undefined };
  }
  /* Whether data is what a file may hold: mappings, lists and text. */
  function allText(data, depth) {
    if (typeof data === "string") { return true; }
    return depth < 20 && data !== null && typeof data === "object" && Object.values(data).every((each) => allText(each, depth + 1));
  }

  /* What a list is called. */
  function listName({ name }) { return name || say("List without a name"); }
  /* The points of an army and its limit: "218.5 of 250 points"; empty in a system without points. */
  function totalText({ price, army }) {
    if (price.total === null) { return ""; }
    return army.limit === null ? sayNumber("{n} point", "{n} points", price.total) : say("{points} of {limit} points", { points: price.total, limit: army.limit });
  }

  const FORMS = {
    text: { bold: (text) => text, head: (text) => text + "\n" + "=".repeat([...text].length), part: (text) => "\n" + text, item: (depth, text) => "  ".repeat(depth) + "- " + text, escape: (text) => text },
    Markdown: {
      bold: (text) => "**" + text + "**", head: (text) => "# " + text, part: (text) => "\n**" + text + "**\n", item: (depth, text) => "  ".repeat(depth) + "- " + text,
      escape: (text) => text.replace(/[\\`*_[\]<>#|]/g, "\\$&")
    },
    BBCode: {
      bold: (text) => "[b]" + text + "[/b]", head: (text) => "[b]" + text + "[/b]", part: (text) => "\n[b]" + text + "[/b]", item: (depth, text) => "  ".repeat(depth) + "• " + text,
      escape: (text) => text.replaceAll("[", "[\u200b")
    }
  };
  /* What a node is made of, in words: its size, its own values, its options. */
  function detailsOf(node) {
    const size = node.entry?.size, spec = size && node.fieldSpec(size);
    const strength = size && node.value(size)?.number ? Muster.withNoun(node.number(size), spec.one || Muster.lowerFirst(spec.title || size), spec.many || Muster.lowerFirst(spec.title || size)) : "";
    const fields = [...node.fields.keys()].filter((name) => name !== size).map((name) => {
      const own = node.fieldSpec(name), title = own?.title || name, shown = node.shown(name);
      return own?.form === "flag" ? (node.value(name).text === "true" ? title : say("not {what}", { what: Muster.lowerFirst(title) })) : title + ": " + shown;
    });
    return [strength, ...fields, ...node.options.map((option) => option.title)].filter((part) => part);
  }
  /* A list as text in one of the forms `text`, `Markdown`, `BBCode`. */
  function asText(form, system, list) {
    const { bold, head, part, item, escape } = FORMS[form], verdict = check(readArmy(system, list)), { army, price } = verdict;
    const points = new Map(price.lines.map((line) => [line.node, line.points])), lines = [head(escape(army.name))];
    const total = totalText(verdict) && totalText(verdict) + ", ";
    lines.push(escape([system.title, army.root.book?.title].filter((each) => each).join(", ") + ". " + Muster.upperFirst(total + (verdict.legal ? say("legal") : say("not legal")))) + ".");
    const tell = (node, depth) => {
      const details = detailsOf(node).join(", "), cost = points.get(node);
      const label = (node.count.is(1) ? "" : node.count + " × ") + node.label;
      const text = escape(label + (details ? " (" + details + ")" : "") + (cost ? ", " + shownNumber(cost) : "") + (node.notes ? ". " + node.notes : ""));
      lines.push(node.isBranch && depth < 1 ? part(text) : item(Math.max(depth - 1, 0), node.isBranch ? bold(text) : text));
      node.children.forEach((child) => tell(child, depth + 1));
    };
    army.root.children.forEach((child) => tell(child, child.isBranch ? 0 : 1));
    for (const finding of verdict.findings) { lines.push(item(0, escape(((finding.severity === "error" ? say("Error") : say("Warning")) + say(":") + " " + finding.message + " " + finding.remedy).trim()))); }
    return lines.join("\n") + "\n";
  }

  Object.assign(Muster, { mappingsOf, toldOf, readTold, toFragment, fromFragment, asText, listName, totalText, detailsOf, allText });
}(window.Muster));
