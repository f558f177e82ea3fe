/* Elements made of data: text goes in as text, so that no name in a list is ever taken for code. */
(function (Muster) {
  "use strict";

  /* An element with attributes, `on…` listeners and children; what is null, undefined or false is left out. */
  function el(tag, attributes, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes ?? {})) {
      if (value === null || value === undefined || value === false) { continue; }
      if (name.startsWith("on")) {
        made.addEventListener(name.slice(2), value);
      } else if (name === "value" || name === "checked" || name === "selected") {
        made[name] = value;
      } else { made.setAttribute(name, value === true ? "" : String(value)); }
    }
    made.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
    return made;
  }
  function button(text, onclick, attributes) { return el("button", { type: "button", onclick, ...attributes }, text); }
  function field(title, control, hint) { return el("label", { class: "field" }, el("span", { class: "title" }, title), control, hint && el("span", { class: "hint" }, hint)); }
  function select(choices, value, onchange, attributes) {
    return el("select", { onchange: (event) => onchange(event.target.value), ...attributes }, choices.map(([id, title]) => el("option", { value: id, selected: id === value }, title)));
  }
  function announce(text) {
    const place = document.getElementById("said");
    place.textContent = "";
    place.textContent = text;
  }
  function download(name, text, type) {
    const address = URL.createObjectURL(new Blob([text], { type })), link = el("a", { href: address, download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 1000);
  }
  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const place = el("textarea", { class: "unseen" });
      place.value = text;
      document.body.append(place);
      place.select();
      document.execCommand("copy");
      place.remove();
    }
    announce(Muster.say("{what} copied", { what }));
  }
  /* A file name of letters, digits and dashes. */
  function fileName(text) { return text.toLowerCase().normalize("NFD").replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 60) || "army"; }
  /* Puts elements into a place in order, and touches none that is there already: it keeps the focus. */
  function place(holder, elements) {
    elements.forEach((each, n) => { if (holder.children[n] !== each) { holder.insertBefore(each, holder.children[n] ?? null); } });
    while (holder.children.length > elements.length) { holder.lastElementChild.remove(); }
  }

  Object.assign(Muster, { el, button, field, select, announce, download, copy, fileName, place });
}(window.Muster));
