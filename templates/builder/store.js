/* What stays on this device: the lists, the ticks of a game, and what somebody owns. Where the browser keeps nothing, or has no room,
   `store.problem` says so, and all works until the page is closed. */
(function (Muster) {
  "use strict";
  const LIST = "muster-list ", TICKS = "muster-game ", OWNED = "muster-owned ", LANGUAGE = "muster-language";
  const memory = new Map();

  const store = {
    problem: "",
    read(key) {
      try { return localStorage.getItem(key) ?? memory.get(key) ?? null; } catch { return memory.get(key) ?? null; }
    },
    write(key, value) {
      memory.set(key, value);
      try {
        localStorage.setItem(key, value);
        memory.delete(key);
        this.problem = "";
      } catch (error) {
        const full = error instanceof DOMException && /quota/i.test(error.name);
        this.problem = full
          ? Muster.say("This browser has no room left: download this list, or delete others, before you close the page.")
          : Muster.say("This browser keeps nothing for this page: download your lists before you close it.");
      }
    },
    erase(key) {
      memory.delete(key);
      try { localStorage.removeItem(key); } catch { /* Then there is nothing to erase. */ }
    },
    keys() {
      const found = new Set(memory.keys());
      try {
        for (let n = 0; n < localStorage.length; n += 1) { found.add(localStorage.key(n)); }
      } catch { /* Only what is in memory. */ }
      return [...found];
    },
    /* All lists, the latest first; one that cannot be read is left out, and stays where it is. */
    lists() {
      return this.keys().filter((key) => key.startsWith(LIST)).map((key) => this.list(key.slice(LIST.length)))
        .filter((kept) => kept).sort((one, other) => (one.changed < other.changed ? 1 : -1));
    },
    list(id) {
      try {
        const kept = JSON.parse(this.read(LIST + id));
        return kept && typeof kept.list?.system === "string" && Muster.allText(kept.list, 0) ? { ...kept, id } : null;
      } catch { return null; }
    },
    /* Keeps a list; it stays in its folder unless another is named. `more` may name its folder, the `source` that it was opened from, for its comments, and the verdict that was `told`. */
    save(id, list, edition, more = {}) {
      const known = "folder" in more && "source" in more ? {} : this.list(id) ?? {}, { folder = known.folder, source = known.source, told } = more;
      this.write(LIST + id, JSON.stringify({ list, edition, folder: folder || undefined, source, told, changed: new Date().toISOString() }));
    },
    remove(id) { this.erase(LIST + id); this.erase(TICKS + id); },
    idOf(key) { return key?.startsWith(LIST) ? key.slice(LIST.length) : null; },
    newId() { return Date.now().toString(36) + Math.random().toString(36).slice(2, 6); },
    /* How many of each unit of a system somebody owns: the unit's id, and a whole number. */
    owned(system) {
      try { return new Map(JSON.parse(this.read(OWNED + system)).filter(([id, number]) => typeof id === "string" && Number.isInteger(number) && number >= 0)); } catch { return new Map(); }
    },
    saveOwned(system, owned) { this.write(OWNED + system, JSON.stringify([...owned])); },
    /* The language that the reader chose; empty if none was. */
    language() { return this.read(LANGUAGE) ?? ""; },
    saveLanguage(language) { this.write(LANGUAGE, language); },
    ticks(id) {
      try { return new Map(JSON.parse(this.read(TICKS + id)) ?? []); } catch { return new Map(); }
    },
    saveTicks(id, ticks) { this.write(TICKS + id, JSON.stringify([...ticks])); }
  };

  Object.assign(Muster, { store });
}(window.Muster));
