/* The steps that Undo and Redo go. Each is the difference between two texts of a list, so that thousands of them take
   little room on the device. */
(function (Muster) {
  "use strict";
  /* The most that is kept of one list, in characters; some thousand steps. */
  const MOST_KEPT = 400000;

  /** What makes another text of one: how much they share at the beginning and at the end, and what is between.
      @returns {[number, number, string]} */
  function difference(from, to) {
    const most = Math.min(from.length, to.length);
    let start = 0, end = 0;
    while (start < most && from[start] === to[start]) { start += 1; }
    while (end < most - start && from[from.length - 1 - end] === to[to.length - 1 - end]) { end += 1; }
    return [start, end, to.slice(start, to.length - end)];
  }
  function changed(text, [start, end, middle]) { return text.slice(0, start) + middle + text.slice(text.length - end); }
  function isStep(step) { return Array.isArray(step) && step.length === 3 && Number.isInteger(step[0]) && Number.isInteger(step[1]) && typeof step[2] === "string"; }

  class Steps {
    constructor(list) {
      this.text = JSON.stringify(list);
      /** @type {[number, number, string][]} */
      this.past = [];
      /** @type {[number, number, string][]} */
      this.future = [];
    }
    /* The steps that were kept with a list; what else was changed in the list since is one step more. */
    static read(kept, list) {
      const steps = new Steps(list);
      try {
        const [text, past, future] = JSON.parse(kept), now = steps.text;
        if (typeof text === "string" && [...past, ...future].every(isStep)) {
          Object.assign(steps, { text, past, future });
          steps.add(JSON.parse(now));
        }
      } catch { /* Nothing is kept, or it is damaged: the history begins here. */ }
      return steps;
    }
    /* The steps that another tab kept with a list; what was here is the step before, unless it is a neighbour already. */
    static joined(kept, list, mine) {
      const steps = Steps.read(kept, list), here = JSON.stringify(mine), isHere = (step) => step !== undefined && changed(steps.text, step) === here;
      if (![steps.past, steps.future].some((each) => isHere(each[each.length - 1]))) {
        steps.add(mine);
        steps.add(list);
      }
      return steps;
    }
    /* Adds a step to a list, or makes the last step lead to it. */
    add(list, goesOn = false) {
      const text = JSON.stringify(list);
      if (text === this.text) { return; }
      const from = goesOn && this.past.length ? changed(this.text, this.past.pop()) : this.text;
      this.past.push(difference(text, from));
      this.text = text;
      this.future = [];
    }
    /* The list before the last step, or after the next one; undefined if there is none. */
    back() { return this.go(this.past, this.future); }
    on() { return this.go(this.future, this.past); }
    go(from, to) {
      if (!from.length) { return undefined; }
      const text = changed(this.text, from.pop());
      to.push(difference(text, this.text));
      this.text = text;
      return JSON.parse(text);
    }
    /* The text to keep: all steps, or only a share of them, the latest; no longer than what is kept at most. */
    toText(share = 1) {
      const latest = (steps) => steps.slice(steps.length - Math.floor(steps.length * share)), [past, future] = [latest(this.past), latest(this.future)];
      const text = past.length + future.length ? JSON.stringify([this.text, past, future]) : "";
      return text.length > MOST_KEPT ? this.toText(share / 2) : text;
    }
    /* A kept text with the later half of its steps. */
    static halved(kept) {
      const steps = new Steps(null);
      try { [steps.text, steps.past, steps.future] = JSON.parse(kept); return steps.toText(0.5); } catch { return ""; }
    }
  }

  Object.assign(Muster, { Steps });
}(window.Muster));
