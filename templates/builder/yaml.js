/* Army files: writes a list as Muster does, and reads the YAML that army files are written in. What is beyond that
   (anchors, tags, text in several lines) is refused with its line. */
(function (Muster) {
  "use strict";
  const WIDTH = 100, LARGEST = 1000000, DEEPEST = 20;
  const RESERVED = new Set(["true", "false", "yes", "no", "on", "off", "null", "y", "n"]);

  // Writing

  function quoted(text) {
    const plain = /^[\p{L}\p{N}](?:[\p{L}\p{N}_.’/&+ -]*[\p{L}\p{N}_.’+])?$/u.test(text) && !RESERVED.has(text.toLowerCase());
    const number = /^(0|[1-9][0-9]*)(\.[0-9]*[1-9])?$/.test(text);
    if (number || (plain && (!/^\p{N}/u.test(text) || /^[0-9]+(st|nd|rd|th)\b/.test(text)))) { return text; }
    return JSON.stringify(text);
  }
  function flow(value) {
    if (Array.isArray(value)) { return "[" + value.map(flow).join(", ") + "]"; }
    if (typeof value === "object") { return "{" + Object.entries(value).map(([key, each]) => key + ": " + flow(each)).join(", ") + "}"; }
    return quoted(value);
  }
  function isText(value) { return typeof value === "string"; }
  /* Whether a mapping is written in one line, as a unit or a leader is. */
  function isLeaf(value) { return Object.values(value).every((part) => isText(part) || (Array.isArray(part) && part.every(isText))); }
  function inline(start, value) {
    const parts = isText(value) || Array.isArray(value) ? [] : Object.entries(value).map(([key, each]) => key + ": " + flow(each));
    if (!parts.length) { return [start + flow(value)]; }
    const lines = [];
    let line = start + "{" + parts[0];
    for (const part of parts.slice(1)) {
      if (line.length + part.length + 3 > WIDTH) {
        lines.push(line + ",");
        line = " ".repeat(start.length + 1) + part;
      } else { line += ", " + part; }
    }
    return [...lines, line + "}"];
  }
  function within(path, key) { return path + "\n" + key; }
  /* Comments by the path of what they are about: those above it and those beside it; each is taken once. */
  class Comments {
    constructor(all = []) { this.all = all.map((each) => ({ ...each, key: each.path.join("\n") })); }
    take(fits, place) {
      const found = this.all.filter((each) => fits(each.key) && each.place === place);
      this.all = this.all.filter((each) => !found.includes(each));
      return found.map((each) => "#" + each.text);
    }
    /* Lines with the comments of their path; of all that stands in them, if they are one value. */
    around(lines, path, indent, isWhole) {
      if (!this.all.length) { return lines; }
      const fits = (key) => key === path || (isWhole && key.startsWith(path + "\n")), above = this.take(fits, "above"), beside = this.take(fits, "beside");
      const at = isWhole ? lines.length - 1 : 0;
      const made = beside.length ? lines.map((line, n) => (n === at ? line + "  " + beside.join(" ") : line)) : lines;
      return [...above.map((text) => " ".repeat(indent) + text), ...made];
    }
  }
  function entry(key, value, indent, path, comments) {
    const start = " ".repeat(indent) + key + ": ";
    const block = (lines) => [...comments.around([start.trimEnd()], path, indent, false), ...lines()];
    if (Array.isArray(value) && value.some((each) => !isText(each) && Object.keys(each).length)) {
      return block(() => value.flatMap((each, n) => item(each, indent + 2, within(path, n), comments)));
    }
    if (!isText(value) && !Array.isArray(value) && !isLeaf(value)) {
      return block(() => Object.entries(value).flatMap(([name, each]) => entry(name, each, indent + 2, within(path, name), comments)));
    }
    return comments.around(inline(start, value), path, indent, true);
  }
  function item(value, indent, path, comments) {
    const start = " ".repeat(indent) + "- ";
    if (isLeaf(value)) { return comments.around(inline(start, value), path, indent, true); }
    const [[first]] = Object.entries(value), above = comments.take((key) => key === path || key === within(path, first), "above");
    const lines = Object.entries(value).flatMap(([key, each]) => entry(key, each, indent + 2, within(path, key), comments));
    const beside = comments.take((key) => key === path, "beside");
    return [...[...above, ...beside].map((text) => " ".repeat(indent) + text), start + lines[0].slice(indent + 2), ...lines.slice(1)];
  }
  /* The file of a list; comments whose part it has no more stand at its end. */
  function writeYaml(data, written = []) {
    const comments = new Comments(written);
    const lines = Object.entries(data).flatMap(([key, value]) => entry(key, value, 0, key, comments)), ends = comments.take((key) => key === "", "above");
    const lost = [...comments.take(() => true, "above"), ...comments.take(() => true, "beside")];
    return [...lines, ...ends, ...(lost.length ? ["# Of what this list has no more:", ...lost] : [])].join("\n") + "\n";
  }

  /* The comments of a list as it was, with the paths that their parts have now: an item of a list is known by what it says,
     else by its unit and its name, else by its place. One whose part has gone has the path `["gone"]`. */
  function movedComments(comments, before, now) {
    const to = new Map(), left = { before: [], now: [] };
    const pair = (old, each, oldPath, path) => {
      to.set(oldPath.join("\n"), path);
      if (isText(old) || isText(each) || !old || !each) { return; }
      if (Array.isArray(old) && Array.isArray(each)) { pairItems(old.map((one, n) => [one, [...oldPath, n]]), each.map((one, n) => [one, [...path, n]]), true); return; }
      for (const key of Object.keys(old)) {
        if (key in each) { pair(old[key], each[key], [...oldPath, key], [...path, key]); } else if (!isText(old[key])) { pairItems([old[key]].flat().map((one, n) => [one, [...oldPath, key, n]]), [], false); }
      }
      for (const key of Object.keys(each)) { if (!(key in old) && Array.isArray(each[key])) { pairItems([], each[key].map((one, n) => [one, [...path, key, n]]), false); } }
    };
    const said = ([one]) => JSON.stringify(one), placeOf = ([, path]) => path[path.length - 1];
    const named = ([one]) => (isText(one) ? one : JSON.stringify(Object.entries(one).filter(([key, value]) => isText(value) && key !== "notes" && !/^(\d+(\.\d+)?|true|false)$/.test(value)).slice(0, 2)));
    const pairItems = (olds, items, byPlace) => {
      const ways = [said, named, ...(byPlace && olds.length === items.length ? [placeOf] : [])];
      for (const way of ways) {
        for (const one of [...olds]) {
          const found = items.find((other) => way(one) === way(other) && isText(one[0]) === isText(other[0]));
          if (!found) { continue; }
          olds.splice(olds.indexOf(one), 1);
          items.splice(items.indexOf(found), 1);
          pair(one[0], found[0], one[1], found[1]);
        }
      }
      left.before.push(...olds);
      left.now.push(...items);
    };
    pair(before, now, [], []);
    // What went into another command is found among what is left.
    const rest = [...left.before], items = [...left.now];
    if (rest.length && items.length) { pairItems(rest, items, false); }
    return comments.map((each) => ({ ...each, path: to.get(each.path.join("\n")) ?? (each.path.length ? ["gone"] : []) }));
  }

  // Reading

  class Refused extends Error {
    constructor(line, text) { super("line " + (line + 1) + ": " + text); this.line = line + 1; }
  }
  class Reader {
    constructor(text) {
      this.lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
      this.at = 0;
      this.comments = [];
      this.pending = [];
      this.places = new Map();
      this.last = [];
    }
    /* Notes where a part stands; comments above it belong to it. */
    mark(path) {
      this.places.set(path.join("\n"), this.at + 1);
      this.comments.push(...this.pending.splice(0).map((text) => ({ path, place: "above", text })));
      this.last = path;
    }
    beside(path, text) { this.comments.push({ path, place: "beside", text: text.slice(text.indexOf("#") + 1) }); }
    refuse(text, line = this.at) { throw new Refused(line, text); }
    /* Goes on to the next line that says something; its indent, or -1 at the end. */
    next() {
      for (; this.at < this.lines.length; this.at += 1) {
        const line = this.lines[this.at];
        if (/^\s*#/.test(line)) { this.pending.push(line.slice(line.indexOf("#") + 1)); } else if (line.trim() && !(this.at === 0 && line.trim() === "---")) {
          if (/^ *\t/.test(line)) { this.refuse("read a tab, expected blanks before the text"); }
          if (/^(---|\.\.\.)/.test(line)) { this.refuse("read a second document, expected one army"); }
          return line.search(/\S/);
        }
      }
      return -1;
    }
    block(indent, path) {
      if (path.length > DEEPEST) { this.refuse("the lists are nested too deeply"); }
      return /^\s*-(\s|$)/.test(this.lines[this.at]) ? this.sequence(indent, path) : this.mapping(indent, path);
    }
    mapping(indent, path) {
      const data = {};
      for (let found = this.next(); found === indent && !/^\s*-(\s|$)/.test(this.lines[this.at]); found = this.next()) {
        const line = this.lines[this.at], [whole, blanks, key] = /^(\s*)([\p{L}\p{N}_][\p{L}\p{N}_ .-]*?)\s*:(?=\s|$)/u.exec(line) ?? [];
        if (whole === undefined) { this.refuse("read “" + line.trim().slice(0, 40) + "”, expected a key, a colon and a value, such as name: First army"); }
        if (Object.hasOwn(data, key) || key === "__proto__") { this.refuse("the key '" + key + "' stands twice"); }
        const at = [...path, key];
        this.mark(at);
        data[key] = this.value(blanks.length, whole.length, at);
      }
      const rest = this.next();
      if (rest > indent) { this.refuse("this line is indented further than the one above"); }
      return data;
    }
    sequence(indent, path) {
      const items = [];
      for (let found = this.next(); found === indent && /^\s*-(\s|$)/.test(this.lines[this.at]); found = this.next()) {
        const line = this.lines[this.at], rest = line.slice(indent + 1), inner = indent + 1 + Math.max(rest.search(/\S/), 0), at = [...path, items.length];
        this.mark(at);
        if (/^[\p{L}\p{N}_][\p{L}\p{N}_ .-]*?\s*:(\s|$)/u.test(rest.trimStart())) {
          this.lines[this.at] = " ".repeat(inner) + rest.trimStart();
          items.push(this.mapping(inner, at));
        } else { items.push(this.value(indent, indent + 1, at)); }
      }
      return items;
    }
    /* The value that begins in a line after a key or a dash, or in the lines below. */
    value(indent, column, path) {
      const rest = this.lines[this.at].slice(column);
      if (/^\s*(#|$)/.test(rest)) {
        if (/#/.test(rest)) { this.beside(path, rest); }
        this.at += 1;
        const found = this.next();
        const isList = found === indent && typeof path[path.length - 1] === "string" && /^\s*-(\s|$)/.test(this.lines[this.at]);
        return found > indent || isList ? this.block(found, path) : "";
      }
      this.column = column;
      const value = this.inline(path);
      const after = this.lines[this.at].slice(this.column);
      if (!/^\s*(\s#.*)?$/.test(after)) { this.refuse("read “" + after.trim().slice(0, 40) + "” after the value"); }
      if (/#/.test(after)) { this.beside(path, after); }
      this.at += 1;
      return value;
    }
    skip() {
      for (; ;) {
        const line = this.lines[this.at];
        if (line === undefined) { this.refuse("a bracket or a quotation mark is not closed", this.lines.length - 1); }
        while (/[ \t]/.test(line[this.column] ?? "")) { this.column += 1; }
        const sign = line[this.column];
        if (sign !== undefined && !(sign === "#" && (this.column === 0 || /\s/.test(line[this.column - 1])))) { return sign; }
        if (sign === "#") { this.beside(this.last, line.slice(this.column)); }
        this.at += 1;
        this.column = 0;
      }
    }
    inline(path, inFlow = false) {
      if (path.length > DEEPEST) { this.refuse("the lists are nested too deeply"); }
      const sign = this.skip();
      if (sign === "{") { return this.flowMapping(path); }
      if (sign === "[") { return this.flowList(path); }
      if (sign === "\"" || sign === "'") { return this.quotedText(sign); }
      if (/[&*!|>%@`]/.test(sign)) { this.refuse("read “" + sign + "”, which this page does not read; write the value plainly, or in quotes"); }
      const rest = this.lines[this.at].slice(this.column);
      const [text] = (inFlow ? /^(?:(?!\s#|:\s|:$)[^,{}[\]])*/ : /^(?:(?!\s#|:\s|:$).)*/).exec(rest);
      if (/^-(\s|$)/.test(rest)) { this.refuse("read a dash inside a value"); }
      this.column += text.length;
      return text.trim();
    }
    quotedText(mark) {
      const rest = this.lines[this.at].slice(this.column);
      const [found] = (mark === "'" ? /^'(?:[^']|'')*'/ : /^"(?:[^"\\]|\\.)*"/).exec(rest) ?? [];
      if (found === undefined) { this.refuse("a quotation mark is not closed in its line"); }
      this.column += found.length;
      if (mark === "'") { return found.slice(1, -1).replaceAll("''", "'"); }
      try { return JSON.parse(found); } catch { return this.refuse("read an escape that this page does not read"); }
    }
    flowMapping(path) {
      const data = {};
      this.column += 1;
      while (this.skip() !== "}") {
        const sign = this.skip(), key = sign === "\"" || sign === "'" ? this.quotedText(sign) : /^[^:,{}[\]]*/.exec(this.lines[this.at].slice(this.column))[0].trim();
        if (sign !== "\"" && sign !== "'") { this.column = this.lines[this.at].indexOf(":", this.column); }
        if (this.column < 0 || this.lines[this.at][this.column] !== ":" || !key) { this.column = 0; this.refuse("expected a key and a colon in these brackets"); }
        if (Object.hasOwn(data, key) || key === "__proto__") { this.refuse("the key '" + key + "' stands twice"); }
        this.column += 1;
        const at = [...path, key];
        this.mark(at);
        data[key] = /[,}]/.test(this.skip()) ? "" : this.inline(at, true);
        if (this.skip() === ",") { this.column += 1; } else if (this.skip() !== "}") { this.refuse("expected a comma or } here"); }
      }
      this.column += 1;
      return data;
    }
    flowList(path) {
      const items = [];
      this.column += 1;
      while (this.skip() !== "]") {
        const at = [...path, items.length];
        this.mark(at);
        items.push(this.inline(at, true));
        if (this.skip() === ",") { this.column += 1; } else if (this.skip() !== "]") { this.refuse("expected a comma or ] here"); }
      }
      this.column += 1;
      return items;
    }
  }

  /* The data of an army file, its comments, each with the path of what it is about, and `lineOf`, which tells the line of a path.
     Raises Refused, with the line, if the file is not of the form that army files have. */
  function readYaml(text) {
    if (text.length > LARGEST) { throw new Refused(0, "the file is larger than any army"); }
    const reader = new Reader(text), indent = reader.next();
    if (indent < 0 || /^\s*-(\s|$)/.test(reader.lines[reader.at])) { reader.refuse("expected an army such as system: my-rules", Math.min(reader.at, reader.lines.length - 1)); }
    const isFlow = reader.lines[reader.at][indent] === "{";
    if (isFlow) { reader.column = indent; }
    const data = isFlow ? reader.flowMapping([]) : reader.mapping(indent, []);
    if (isFlow && reader.lines[reader.at].slice(reader.column).trim()) { reader.refuse("read something after the last bracket"); }
    if (isFlow) { reader.at += 1; }
    if (reader.next() >= 0) { reader.refuse("this line is indented less than the first"); }
    const lineOf = (path) => {
      for (let length = path.length; length > 0; length -= 1) {
        const line = reader.places.get(path.slice(0, length).join("\n"));
        if (line) { return line; }
      }
      return 1;
    };
    const ends = reader.pending.map((text) => ({ path: [], place: "above", text }));
    return { data, comments: [...reader.comments, ...ends], lineOf };
  }

  Object.assign(Muster, { writeYaml, readYaml, movedComments, Refused });
}(window.Muster));
