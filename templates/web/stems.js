/* What search knows of languages: the stem that the forms of a word share, and the words that say nothing
   of what is looked for. Stems leave out inflections only: a form roll is not a formation. */
window.musterLanguages = (function () {
  "use strict";
  const list = (words) => new Set(words.split(" "));

  /* English: steps 1 and 5 of the algorithm of M. F. Porter (1980). */
  const isVowel = (word, at) => /[aeiou]/.test(word[at]) || (word[at] === "y" && at > 0 && !isVowel(word, at - 1));
  const shape = (word) => [...word].map((_, at) => (isVowel(word, at) ? "v" : "c")).join("");
  const measure = (word) => (shape(word).match(/v+c+/g) || []).length;
  const endsShort = (word) => /cvc$/.test(shape(word)) && !/[wxy]$/.test(word);
  function en(word) {
    if (word.length < 4) { return word; }
    let stem = word.replace(/'s?$/, "").replace(/sses$/, "ss").replace(/ies$/, "i").replace(/([^su])s$/, "$1");
    const past = /^(.*)(?:ed|ing)$/.exec(stem);
    if (/eed$/.test(stem)) {
      if (measure(stem.slice(0, -3))) { stem = stem.slice(0, -1); }
    } else if (past && /v/.test(shape(past[1]))) {
      stem = past[1];
      if (/(?:at|bl|iz)$/.test(stem) || (measure(stem) === 1 && endsShort(stem))) { stem += "e"; }
      else if (/([^aeioulsz])\1$/.test(stem)) { stem = stem.slice(0, -1); }
    }
    if (/y$/.test(stem) && /v/.test(shape(stem.slice(0, -1)))) { stem = stem.slice(0, -1) + "i"; }
    if (/e$/.test(stem)) {
      const rest = stem.slice(0, -1);
      if (measure(rest) > 1 || (measure(rest) === 1 && !endsShort(rest))) { stem = rest; }
    }
    return /ll$/.test(stem) && measure(stem) > 1 ? stem.slice(0, -1) : stem;
  }

  /* German: endings are taken off one after the other, as CISTEM (Weissweiler and Fraser, 2017) does; `ge` only
     from what may be a participle, for a Geschütz is no Schütze. */
  function de(word) {
    let stem = word.replace(/ß/g, "ss").replace(/^ge(.{3,}(?:t|en))$/, "$1").replace(/sch/g, "$").replace(/ei/g, "%").replace(/ie/g, "&");
    stem = stem.replace(/(.)\1/g, "$1*");
    while (stem.length > 3) {
      const shorter = stem.length > 5 ? stem.replace(/e[mr]$|nd$/, "") : stem;
      const next = shorter === stem ? stem.replace(/[tesn]$/, "") : shorter;
      if (next === stem) { break; }
      stem = next;
    }
    return stem.replace(/(.)\*/g, "$1$1").replace(/\$/g, "sch").replace(/%/g, "ei").replace(/&/g, "ie");
  }

  /* French: the endings of the plural, the feminine and the infinitive, as in J. Savoy's minimal stemmer (1999). */
  function fr(word) {
    if (word.length < 6) { return word.replace(/s$/, ""); }
    if (/x$/.test(word)) { return word.replace(/aux$/, "al").replace(/x$/, ""); }
    return word.replace(/s$/, "").replace(/r$/, "").replace(/e$/, "").replace(/e$/, "").replace(/(.)\1$/, "$1");
  }

  return {
    en: { stem: en, compounds: false, idle: list("a an and any are at be can could did do does far for from had happen happens has have how i if in into is it its me my of on or our should that the their them then there these they this to us was we what when where which who why will with would you your") },
    de: { stem: de, compounds: true, dice: /^w(?=\d)/, idle: list("aber als am an auf aus bei bin bis da darf das dem den der des die dies diese dieser doch du ein eine einem einen einer er es fur haben hat ich ihr im in ist kann kein man mein mit muss nach nicht noch nur oder sein sich sie sind so um und uber vom von vor wann war warum was weit wenn wer wie wir wird wo zu zum zur") },
    fr: { stem: fr, compounds: false, idle: list("a au aux avec ce ces cette combien comment dans de des du elle en est et il ils je la le les leur loin ma mes mon ne nous on ou par pas pour pourquoi quand que quel quelle quels qui sa ses si son sont sur ta tes ton tu un une vos votre vous y") },
  };
}());
