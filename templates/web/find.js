/* Finds places of the rules by words: as they stand, by their stems, by their beginnings, by synonyms, and
   by words a slip away. It knows nothing of pages; `search.js` asks it. */
window.musterFinder = function (language) {
  "use strict";
  const { stem, idle, compounds, dice = /^d(?=\d)/ } = (window.musterLanguages || {})[language] || { stem: (word) => word, idle: new Set(), compounds: false };
  const WORTH = { table: 10, term: 9, section: 8.5, row: 8, question: 7, figure: 6, army: 6, about: 4, example: 3, erratum: 2 };
  /* What a word in the text is worth beside one in the title; the cells of a row are its text. */
  const TEXT_WORTH = { row: 0.5, section: 0.45, question: 0.45, example: 0.45, erratum: 0.45 };
  const WORD = /(?:(?<![\p{L}\p{N}.)])[+-])?\d+(?:[.,]\d+)?[½¼¾]?|[½¼¾]|\p{L}+\d*(?:'s\b)?/gu;
  const SYNONYM = 0.8;

  function plain(text) {
    return text.toLowerCase().normalize("NFD").replace(/\p{M}+/gu, "").replace(/[−–‑]/g, "-").replace(/’/g, "'");
  }

  /* The words of a text. `+3` keeps its sign; `28mm` is two words, as `28 mm` is. Words with hyphens
     between them form a run: `counter-charge`. */
  function runs(text) {
    const all = [], clean = plain(text);
    let end = -1;
    for (const match of clean.matchAll(WORD)) {
      if (end >= 0 && clean.slice(end, match.index) === "-") { all.at(-1).push(match[0]); } else { all.push([match[0]]); }
      end = match.index + match[0].length;
    }
    return all;
  }
  function joined(run) { return run.join(/\d/.test(run[0]) ? "-" : ""); }
  function words(text) { return runs(text).flat(); }
  function telling(list) {
    const kept = list.filter((word) => !idle.has(word));
    return kept.length ? kept : list;
  }

  const stems = new Map();
  function stemOf(word) {
    if (!stems.has(word)) { stems.set(word, /\d/.test(word) ? word.replace(dice, "d") : stem(word)); }
    return stems.get(word);
  }
  function stemText(list) { return " " + list.map(stemOf).join(" ") + " "; }

  /* Every word with where it stands: the number of the place, and what a hit there is worth. */
  const finds = [], known = new Map(), groups = new Map();
  let longest = 1;
  function put(word, number, worth) {
    if (!known.has(word)) { known.set(word, new Map()); }
    const at = known.get(word);
    at.set(number, Math.max(at.get(number) || 0, worth));
  }
  function learn(number, text, worth) {
    const all = runs(text);
    all.forEach((run) => {
      run.forEach((word) => {
        put(word, number, worth);
        if (/^[+-]/.test(word)) { put(word.slice(1), number, worth * 0.7); }
      });
      if (run.length > 1) { put(joined(run), number, worth); }
    });
    return all.flat();
  }
  function add(places, synonyms, folder) {
    places.forEach(([kind, title, where, address, text, keys]) => {
      const number = finds.length;
      const heading = learn(number, title, 1), own = telling(heading);
      learn(number, where, 0.25);
      const rest = learn(number, text, TEXT_WORTH[kind] || 0.35);
      const named = learn(number, keys || "", 0.7);
      finds.push({ kind, title, where, address: folder + address, text, own, said: stemText([...heading, ...rest, ...named]) });
    });
    (synonyms || []).forEach((group) => group.forEach((phrase) => {
      const list = words(phrase), key = list.map(stemOf).join("");
      longest = Math.max(longest, list.length + 1);
      groups.set(key, [...new Set([...(groups.get(key) || []), ...group])]);
    }));
  }

  /* How many letters must be changed, put in, left out or swapped with the next; more than `most` is too many. */
  function slips(a, b, most) {
    if (Math.abs(a.length - b.length) > most) { return most + 1; }
    let older = [], old = Array.from({ length: b.length + 1 }, (_, n) => n);
    for (let i = 1; i <= a.length; i += 1) {
      const row = [i];
      for (let j = 1; j <= b.length; j += 1) {
        const same = a[i - 1] === b[j - 1] ? 0 : 1;
        row[j] = Math.min(old[j] + 1, row[j - 1] + 1, old[j - 1] + same);
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) { row[j] = Math.min(row[j], older[j - 2] + 1); }
      }
      older = old; old = row;
    }
    return old[b.length];
  }

  /* The known words that a typed one surely means, each with how likely: itself, other forms, what begins so,
     and in a language of long words what ends so: `Bataillon` is in `Infanteriebataillon`. */
  function sure(typed) {
    const found = [], own = stemOf(typed);
    for (const word of known.keys()) {
      if (word === typed) { found.push([word, 1]); }
      else if (stemOf(word) === own) { found.push([word, 0.95]); }
      else if (word.startsWith(typed) && (!/\d$/.test(typed) || !/^\d/.test(word.slice(typed.length)))) { found.push([word, 0.5 + 0.3 * typed.length / word.length]); }
      else if (compounds && typed.length > 4 && stemOf(word).endsWith(own)) { found.push([word, 0.3 + 0.3 * typed.length / word.length]); }
    }
    return found;
  }
  /* Those that may be meant if the typed word is a slip or two away. */
  function unsure(typed) {
    const most = /\d/.test(typed) ? 0 : typed.length > 6 ? 2 : typed.length > 2 ? 1 : 0, found = [];
    for (const word of most ? known.keys() : []) {
      const away = Math.min(slips(typed, word, most), slips(typed, word.slice(0, typed.length), most) + 0.5);
      if (away <= most + 0.5) { found.push([word, 0.6 - 0.15 * away]); }
    }
    return found;
  }

  /* A number is wanted with the unit that is typed behind it: 28 mm is not 28 cm. */
  const UNIT = /^(?:mm|cm|in|inch|inches|zoll|pouces?)$/;
  function isMeasure(run, next) { return run.length === 1 && /^\d[^\p{L}]*$/u.test(run[0]) && next && next.length === 1 && UNIT.test(next[0]); }

  /* A wanted thing is a list of choices; of a choice, all words must be in a place. */
  function choice(run, worth, phrase, instead) { return { run, worth, phrase: phrase ? stemText(run) : "", instead }; }
  function choices(run) {
    if (run.length > 1) { return [choice([joined(run)], 1), choice(run, 0.95)]; }
    const [word] = run;
    if (sure(word).length) { return [choice(run, 1)]; }
    const split = [];
    for (let at = 3; at <= word.length - 3; at += 1) {
      const parts = [word.slice(0, at), word.slice(at)];
      if (parts.every((part) => known.has(part))) { split.push(choice(parts, 0.95, true)); }
    }
    return split.length ? split : [choice(run, 1)];
  }
  function wanted(text) {
    const asked = runs(text), all = [];
    for (let from = 0; from < asked.length;) {
      let group = null, length = 0;
      for (let many = Math.min(longest, asked.length - from); many > 0 && !group; many -= 1) {
        group = groups.get(asked.slice(from, from + many).flat().map(stemOf).join(""));
        length = many;
      }
      const measured = isMeasure(asked[from], asked[from + 1]);
      if (!group && measured) { all.push({ choices: [choice([asked[from][0], asked[from + 1][0]], 1, true)], idle: false }); from += 2; continue; }
      if (!group) { all.push({ choices: choices(asked[from]), idle: asked[from].every((word) => idle.has(word)) }); from += 1; continue; }
      const own = asked.slice(from, from + length), key = own.flat().map(stemOf).join("");
      const same = [...(length === 1 ? choices(own[0]) : [choice(own.flat(), 1, length === 2 && measured)])];
      group.forEach((phrase) => {
        const run = words(phrase), typed = run.map(stemOf).join("") === key, worth = typed ? 1 : SYNONYM, instead = typed ? "" : phrase;
        same.push(choice(run, worth, run.length > 1, instead));
        if (run.length > 1 && runs(phrase).length === 1) { same.push(choice([joined(run)], worth, false, instead)); }
      });
      all.push({ choices: same, idle: false });
      from += length;
    }
    const kept = all.filter((each) => !each.idle);
    return kept.length ? kept : all;
  }

  /* The places that have a word, each with how much that says. */
  function places(word, guess, marks) {
    const best = new Map(), certain = sure(word);
    (certain.length || !guess ? certain : unsure(word)).forEach(([each, likely]) => {
      marks.add(each);
      known.get(each).forEach((worth, number) => best.set(number, Math.max(best.get(number) || 0, worth * likely)));
    });
    return best;
  }
  function fitting(want, marks, others) {
    const best = new Map(), hits = [];
    want.choices.forEach(({ run, worth, phrase, instead }) => {
      const own = new Set();
      const each = run.map((word) => places(word, worth > SYNONYM, own));
      const [first, ...others] = each;
      let any = false;
      first.forEach((_, number) => {
        if (!others.every((at) => at.has(number)) || (phrase && !finds[number].said.includes(phrase))) { return; }
        any = true;
        const mean = each.reduce((sum, at) => sum + at.get(number), 0) / each.length;
        best.set(number, Math.max(best.get(number) || 0, mean * worth));
      });
      if (any) { own.forEach((word) => marks.add(word)); hits.push(instead); }
    });
    /* What was typed is nowhere: it is told what was looked for in its place. */
    if (hits.every(Boolean)) { hits.forEach((each) => others.add(each)); }
    return best;
  }

  function search(text) {
    const marks = new Set(), others = new Set(), asked = words(text), phrase = stemText(asked), whole = stemText(telling(asked));
    const all = wanted(text).map((want) => fitting(want, marks, others));
    const scores = new Map(), counts = new Map();
    all.forEach((best) => {
      const rare = Math.log(2 + finds.length / (1 + best.size));
      best.forEach((worth, number) => {
        scores.set(number, (scores.get(number) || 0) + worth * rare);
        counts.set(number, (counts.get(number) || 0) + 1);
      });
    });
    const most = Math.max(0, ...counts.values()), least = most > 2 ? most - 1 : most;
    const ranked = [...scores.keys()].filter((number) => counts.get(number) >= least).map((number) => {
      const { kind, own, said } = finds[number];
      const share = own.filter((word) => marks.has(word)).length / (own.length || 1);
      const exact = stemText(own) === whole ? 1.5 : said.includes(phrase) ? 1.15 : 1;
      const typed = asked.every((word) => said.includes(stemText([word])));
      return { ...finds[number], number, typed, has: counts.get(number), score: scores.get(number) * WORTH[kind] * exact * (1 + 0.3 * share) * (counts.get(number) / most) ** 2 };
    });
    ranked.sort((a, b) => b.score - a.score || a.number - b.number);
    return { found: ranked, marks, others: [...others], wanted: all.length, part: most / (all.length || 1) };
  }

  /* Whether a stretch of text is one of the words found; `+3` and `counter-charge` are stretches too. */
  function isMarked(part, marks) { return runs(part).some((run) => marks.has(joined(run)) || run.some((word) => marks.has(word))); }
  /* Whether a title has all the words of a text, in any form. */
  function isNamed(text, title) { const has = stemText(words(title)); return telling(words(text)).every((word) => has.includes(stemText([word]))); }
  return { add, search, isMarked, isNamed };
};
