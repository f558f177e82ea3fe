/* Which id a written word stands for: the very id, one that differs in case and punctuation only, or a label. */
(function (Muster) {
  "use strict";
  const SIGNS = { "−": "-", "–": "-", "’": "", "'": "", "_": " " };

  function plainForm(name) {
    return name.toLowerCase().replace(/[−–’'_]/g, (sign) => SIGNS[sign])
      .replace(/-/g, (sign, place, text) => (/[^\d\s]/.test(text[place - 1] ?? "") || !/\d/.test(text[place + 1] ?? "") ? " " : sign))
      .replace(/[,;:!?*()[\]“”‘]|[./](?!\d)/g, " ").split(/\s+/).filter((word) => word).join(" ");
  }
  /* The ids, each once; several mean that the word is ambiguous. `pairs` has an id with each of its labels. */
  function findNames(word, pairs) {
    if (pairs.some(([id]) => id === word)) { return [word]; }
    const plain = plainForm(word);
    if (!plain) { return []; }
    const byId = pairs.filter(([id]) => plainForm(id) === plain);
    return [...new Set((byId.length ? byId : pairs.filter(([, label]) => plainForm(label) === plain)).map(([id]) => id))];
  }

  Object.assign(Muster, { findNames, plainForm });
}(window.Muster));
