/* The words of the page in the reader's language. English words stand in the code, and are the keys of the words of
   another language, which come in a file of their own. */
window.Muster = {};
(function (Muster) {
  "use strict";
  let words = {}, mark = ".", plurals = new Intl.PluralRules("en");

  /* Says all from now on in a language; `known` has its words, two or more where their number counts. */
  function speak(language, known) {
    [words, plurals] = [known, new Intl.PluralRules(language)];
    Muster.keepsCapitals = language === "de";
    mark = new Intl.NumberFormat(language).formatToParts(1.5).find((part) => part.type === "decimal").value;
  }
  /* A number as people read it: data keep the decimal point. */
  function shownNumber(number) { return String(number).replace(".", mark); }
  function filled(text, values) {
    return text.replace(/\{(\w+)\}/g, (place, name) => (!Object.hasOwn(values, name) ? place : typeof values[name] === "string" ? values[name] : shownNumber(values[name])));
  }
  /* Words for the reader; `{name}` in the English ones stands for a value. */
  function say(message, values = {}) { return filled(words[message] ?? message, values); }
  /* Words for a number of things, which `{n}` stands for. */
  function sayNumber(one, many, number, values = {}) {
    // No language here has a form of its own for fractions.
    const isOne = Number.isInteger(Number(number)) && plurals.select(Number(number)) === "one";
    return filled((words[one] ?? [one, many])[isOne ? 0 : 1], { n: number, ...values });
  }

  function quoted(title) { return say("“{title}”", { title }); }
  function inPoints(number) { return sayNumber("{n} point", "{n} points", number); }
  /* A number of things: "1 stand", "2 stands". */
  function withNoun(number, one, many) { return sayNumber("{n} {one}", "{n} {many}", number, { one, many }); }

  Object.assign(Muster, { quoted, inPoints, withNoun, keepsCapitals: false, speak, say, sayNumber, shownNumber });
}(window.Muster));
