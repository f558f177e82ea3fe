/* Exact numbers for points and shares, and the words that findings are made of. An exact number is a
   fraction of two whole numbers of any size: nothing is ever rounded unless a rule says so. */
(function (Muster) {
  "use strict";
  const { say, shownNumber } = Muster;

  class Exact {
    /**
     * @param {bigint} top
     * @param {bigint} bottom
     */
    constructor(top, bottom) { this.top = top; this.bottom = bottom; }
    plus(other) {
      if (this.bottom === other.bottom) { return reduced(this.top + other.top, this.bottom); }
      return reduced(this.top * other.bottom + other.top * this.bottom, this.bottom * other.bottom);
    }
    minus(other) { return this.plus(new Exact(0n - other.top, other.bottom)); }
    times(other) { return reduced(this.top * other.top, this.bottom * other.bottom); }
    over(other) {
      const sign = other.top < 0n ? -1n : 1n;
      return reduced(sign * this.top * other.bottom, sign * this.bottom * other.top);
    }
    compare(other) {
      const left = this.top * other.bottom, right = other.top * this.bottom;
      return left < right ? -1 : left > right ? 1 : 0;
    }
    is(number) { return this.bottom === 1n && this.top === BigInt(number); }
    below(other) { return this.compare(other) < 0; }
    above(other) { return this.compare(other) > 0; }
    floor() {
      const whole = this.top / this.bottom;
      return new Exact(this.top < 0n && whole * this.bottom !== this.top ? whole - 1n : whole, 1n);
    }
    ceil() { return negative(negative(this).floor()); }
    modulo(step) { return this.minus(this.over(step).floor().times(step)); }
    get whole() { return this.bottom === 1n; }
    get size() { return this.top < 0n ? negative(this) : this; }
    toNumber() { return Number(this.top) / Number(this.bottom); }
    /* All of its decimals, if they end: "2.5", with a true minus sign; else undefined. */
    decimals() {
      let rest = this.bottom, places = 0n;
      for (const factor of [2n, 5n]) {
        let count = 0n;
        while (rest % factor === 0n) { rest /= factor; count += 1n; }
        if (count > places) { places = count; }
      }
      if (rest !== 1n) { return undefined; }
      const minus = this.top < 0n ? "−" : "", size = (this.top < 0n ? -this.top : this.top) * 10n ** places / this.bottom;
      const digits = size.toString().padStart(Number(places) + 1, "0"), split = digits.length - Number(places);
      return minus + digits.slice(0, split) + (places ? "." + digits.slice(split) : "");
    }
    toString() { return this.decimals() ?? String(this.toNumber()); }
  }

  function negative(number) { return new Exact(0n - number.top, number.bottom); }
  /**
   * @param {bigint} top
   * @param {bigint} bottom
   */
  function reduced(top, bottom) {
    if (bottom === 1n) { return new Exact(top, bottom); }
    let one = top < 0n ? 0n - top : top, other = bottom;
    while (other) { [one, other] = [other, one % other]; }
    return new Exact(top / one, bottom / one);
  }
  /* The exact number that a text such as "2.5" states, or a whole number is. */
  function exact(written) {
    const [, minus, digits, places] = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(String(written)) || [];
    if (digits === undefined) { throw new Error("no number: " + written); }
    const top = BigInt(digits + (places || ""));
    return reduced(minus ? 0n - top : top, 10n ** BigInt((places || "").length));
  }
  const ZERO = exact(0), ONE = exact(1);

  /* Words as in a sentence: "a, b and c", or with "or" before the last. */
  function joinWords(words, last = "and") {
    return words.length < 2 ? words.join("") : words.slice(0, -1).join(", ") + " " + (last === "or" ? say("or") : say("and")) + " " + words[words.length - 1];
  }
  /* Labels beside one another. Where nouns keep their capitals no other label may have one behind a comma. */
  function joinLabels(labels) { return labels.join(Muster.keepsCapitals ? " · " : ", "); }
  function isUpper(letter) { return letter !== letter.toLowerCase(); }
  /* A title for the middle of a sentence; "C-in-C" and the like keep their capital. */
  function lowerFirst(title) {
    if (Muster.keepsCapitals) { return title; }
    const second = title.slice(1, 2);
    return second === "-" || (second && isUpper(second)) ? title : title.slice(0, 1).toLowerCase() + title.slice(1);
  }
  function upperFirst(text) { return text.slice(0, 1).toUpperCase() + text.slice(1); }
  function pluralOf(noun) {
    if (/(infantry|cavalry|artillery|s|men|militia)$/i.test(noun) || !/\p{L}$/u.test(noun)) { return noun; }
    return /[^aeiou]y$/.test(noun) ? noun.slice(0, -1) + "ies" : noun + "s";
  }
  function withArticle(noun) { return /^[aeiou]/i.test(noun) ? say("an {thing}", { thing: noun }) : say("a {thing}", { thing: noun }); }
  function spaced(id) { return id.replaceAll("-", " "); }
  /* Remedies joined with "or" into one sentence; empty ones are left out. */
  function joinRemedies(...parts) {
    const remedies = parts.map((part) => part.trim().replace(/\.+$/, "")).filter((part) => part);
    return remedies.length ? upperFirst(remedies.join(say(", or "))) + "." : "";
  }
  /* Allowed ranges in words: "3, 4 or 6 stands", "8–20 figures", "at most 2 units". */
  function nameRanges(ranges, one, many) {
    const parts = [], upTo = (number) => (ranges.length === 1 ? say("at most {number}", { number }) : say("up to {number}", { number }));
    for (const [low, high] of ranges) {
      if (high === null) {
        parts.push(say("{number} or more", { number: low }));
      } else if (!low.above(ZERO) && high.above(ZERO)) {
        parts.push(upTo(high));
      } else if (high.minus(low).below(exact(3)) && low.whole) {
        for (let number = low; !number.above(high); number = number.plus(ONE)) { parts.push(shownNumber(number)); }
      } else {
        parts.push(shownNumber(low) + "–" + shownNumber(high));
      }
    }
    if (!ranges.length || (parts.length === 1 && parts[0] === "0")) { return say("none"); }
    const noun = parts.length === 1 && (parts[0] === "1" || parts[0] === upTo(ONE)) ? one : many;
    return joinWords(parts, "or") + " " + noun;
  }

  Object.assign(Muster, {
    exact, ZERO, ONE, joinWords, joinLabels, lowerFirst, upperFirst, pluralOf, withArticle, spaced, joinRemedies, nameRanges
  });
}(window.Muster));
