/* What somebody owns: a count for each unit of the army books, whatever the lists. It stays on this device. */
(function (Muster) {
  "use strict";
  const { el, field, select, store, say, sayNumber } = Muster;

  /* The unit of a node, under what it is counted: one of a book by itself, since it may be painted as no other is. */
  function ownedKey(node) { return keyOf(node.text("unit"), node.profile ? node.book : null); }
  function keyOf(unit, book) { return book ? book.id + "/" + unit : unit; }
  /* How many of a unit somebody owns; undefined if nobody counted. Lists of older versions counted without the book. */
  function ownedOf(owned, key) { return owned.get(key) ?? owned.get(key.slice(key.indexOf("/") + 1)); }

  /* A field for how many of a unit somebody owns. */
  function ownedInput(system, key, changed, attributes) {
    const value = ownedOf(store.owned(system.id), key);
    return el("input", {
      type: "text", inputmode: "numeric", value: value === undefined ? "" : String(value), placeholder: say("not counted"), autocomplete: "off", ...attributes,
      oninput: (event) => {
        const text = event.target.value.trim(), wrong = text && !/^[0-9]{1,3}$/.test(text), owned = store.owned(system.id);
        event.target.classList.toggle("wrong", Boolean(wrong));
        event.target.setAttribute("aria-invalid", String(Boolean(wrong)));
        if (wrong) { return; }
        owned.delete(key.slice(key.indexOf("/") + 1));
        if (text) { owned.set(key, Number(text)); } else { owned.delete(key); }
        store.saveOwned(system.id, owned);
        changed();
      }
    });
  }

  /* The page of all that somebody owns; the rules that were looked at last stay chosen. */
  let chosen = "";
  function collectionPage(listed, systemOf, warn) {
    const books = el("div"), status = el("p", { class: "hint", role: "status" });
    const show = async () => {
      const system = await systemOf(chosen), counted = () => {
        const total = [...store.owned(chosen).values()].reduce((sum, number) => sum + number, 0);
        status.textContent = sayNumber("{n} unit", "{n} units", total);
        warn();
      };
      const part = (title, units, book) => {
        const inputs = units.map(([id, unit]) => field(unit, ownedInput(system, keyOf(id, book), counted)));
        const isOpen = units.some(([id]) => ownedOf(store.owned(chosen), keyOf(id, book)) !== undefined);
        return units.length ? el("details", { class: "folder", open: isOpen || !system.books.size }, el("summary", null, title), el("div", { class: "fields" }, inputs)) : null;
      };
      const levels = [...system.bottom].filter((level) => level !== Muster.LEADER);
      books.replaceChildren(...[
        ...[...system.books.values()].map((book) => part(book.title, [...book.units.values()].map((unit) => [unit.id, unit.title]), book)),
        part(system.books.size ? say("Units of any army") : say("Units"), levels.flatMap((level) => system.entriesAt(level).map((entry) => [entry.id, entry.title])), null)
      ].filter((each) => each));
      counted();
    };
    chosen = listed.some(({ id }) => id === chosen) ? chosen : (listed.find(({ id }) => store.owned(id).size) ?? listed[0])?.id;
    if (chosen) { show(); }
    return el("div", { class: "collection" },
      el("h2", null, say("What you own")),
      el("p", null, say("Count your units, and each list will tell you what you are missing. The counts stay on this device, and “Export all” includes them.")),
      field(say("Rules"), select(listed.map((each) => [each.id, each.title]), chosen, (value) => { chosen = value; show(); })),
      status, books);
  }

  Object.assign(Muster, { ownedKey, ownedOf, ownedInput, collectionPage });
}(window.Muster));
