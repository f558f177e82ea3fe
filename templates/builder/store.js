/* What stays on this device: the lists, the ticks of a game, and what somebody owns. Where the browser keeps nothing, or has no room,
   `store.problem` says so, and all works until the page is closed. */
(function (Muster) {
  "use strict";
  const LIST = "muster-list ", TICKS = "muster-game ", HAND = "muster-hand ", STEPS = "muster-steps ", OWNED = "muster-owned ", LANGUAGE = "muster-language";
  const memory = new Map();

  function isFull(error) { return error instanceof DOMException && /quota/i.test(error.name); }

  const store = {
    problem: "",
    /* What was given up to keep the lists, in words; empty if nothing was. */
    loss: "",
    read(key) {
      try { return memory.get(key) ?? localStorage.getItem(key); } catch { return memory.get(key) ?? null; }
    },
    write(key, value) {
      memory.set(key, value);
      for (; ;) {
        try {
          localStorage.setItem(key, value);
          memory.delete(key);
          this.problem = "";
          return;
        } catch (error) {
          const full = isFull(error);
          if (full && this.dropSteps()) { continue; }
          this.problem = full
            ? Muster.say("This browser has no room left: download this list, or delete others, before you close the page.")
            : Muster.say("This browser saves nothing for this page: download your lists before you close it.");
          return;
        }
      }
    },
    /* Keeps the steps of a list, or as many of the latest as there is room for. */
    saveSteps(id, steps) {
      const key = STEPS + id;
      memory.set(key, steps.toText());
      for (let share = 1; ; share /= 2) {
        const text = steps.toText(share);
        try {
          if (text) { localStorage.setItem(key, text); } else { localStorage.removeItem(key); }
          memory.delete(key);
          return;
        } catch (error) {
          if (!isFull(error) || !text) { return; }
          this.loseSteps();
        }
      }
    },
    /* The steps of a list that is kept here. */
    steps(id, list) { return Muster.Steps.read(this.read(STEPS + id), list); },
    joinedSteps(id, list, mine) { return Muster.Steps.joined(this.read(STEPS + id), list, mine); },
    /* Makes room: the longest kept history loses the older half of its steps. Whether there was one. */
    dropSteps() {
      const kept = this.keys().filter((key) => key.startsWith(STEPS) && localStorage.getItem(key)), size = (key) => localStorage.getItem(key).length;
      const [longest] = kept.sort((one, other) => size(other) - size(one));
      if (!longest) { return false; }
      const text = Muster.Steps.halved(localStorage.getItem(longest));
      localStorage.removeItem(longest);
      if (text) { localStorage.setItem(longest, text); }
      this.loseSteps();
      return true;
    },
    loseSteps() { this.loss = Muster.say("This browser has no room left: the oldest steps of Undo are no longer kept. Delete what you no longer need."); },
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
    has(id) { return this.read(LIST + id) !== null; },
    /* Keeps a list; it stays in its folder unless another is named. `more` may name its folder, the `source` that it was opened from, for its comments,
       the verdict that was `told` under the edition that it was made for, and when it was `changed`. */
    save(id, list, edition, more = {}) {
      const known = "folder" in more && "source" in more ? {} : this.list(id) ?? {}, { folder = known.folder, source = known.source, told, changed = new Date().toISOString() } = more;
      this.write(LIST + id, JSON.stringify({ list, edition, folder: folder || undefined, source, told, changed }));
    },
    /* Takes a list away with all that belongs to it; returns what was kept, for `restore`. */
    remove(id) {
      const kept = [STEPS, TICKS, HAND, LIST].map((kind) => [kind + id, this.read(kind + id)]);
      for (const [key] of kept) { this.erase(key); }
      return kept.filter(([, value]) => value !== null);
    },
    restore(kept) { for (const [key, value] of kept) { this.write(key, value); } },
    idOf(key) { return key?.startsWith(LIST) ? key.slice(LIST.length) : null; },
    newId() { return Date.now().toString(36) + Math.random().toString(36).slice(2, 6); },
    /* What another tab kept is newer than what this one could not. */
    forget(key) { memory.delete(key); },
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
    /* The unit that was in hand when somebody last played: its path and its label. */
    hand(id) {
      try { const hand = JSON.parse(this.read(HAND + id)); return Array.isArray(hand) ? hand : []; } catch { return []; }
    },
    saveHand(id, path, label) { if (path) { this.write(HAND + id, JSON.stringify([path, label])); } else { this.erase(HAND + id); } },
    saveTicks(id, ticks) { this.write(TICKS + id, JSON.stringify([...ticks])); }
  };

  Object.assign(Muster, { store });
}(window.Muster));
