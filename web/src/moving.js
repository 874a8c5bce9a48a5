// Things are moved on the table beside the texts, by hand or by keys: what is picked up at one place and put down at
// another changes the position. The server knows what that means; here things and places are but marks.
const PLACE = "[data-at]:not([data-at^='thing '])";
const AWAY = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class Moving {
  isOn = false;
  here = "";
  thing = "";
  start = "";

  // `put` is called with what is put down elsewhere; `tell` says to people what happens.
  constructor(frame, put, tell) {
    Object.assign(this, { frame, put, tell });
    frame.addEventListener("load", () => this.attend());
    if (frame.contentDocument?.readyState === "complete") this.attend();
  }

  get page() { return this.frame.contentDocument; }

  get places() { return [...this.page.querySelectorAll(PLACE)]; }

  attend() {
    if (this.attended === this.page) return;
    this.attended = this.page;
    this.here = this.thing = this.start = "";
    this.page.body?.classList.toggle("moving", this.isOn);
    // While things are moved, the table answers to nothing else.
    const hear = (kind, handle) => this.page.addEventListener(kind, (event) => {
      if (!this.isOn) return;
      event.stopImmediatePropagation();
      handle?.call(this, event);
    }, { capture: true });
    for (const kind of ["click", "contextmenu", "pointerover", "pointerout", "focusin"]) hear(kind);
    // Nothing is selected while a thing is dragged.
    hear("mousedown", (event) => event.preventDefault());
    // A finger on a thing carries it, and neither scrolls the page nor leads to another one.
    this.page.addEventListener("touchstart", (event) => {
      if (this.isOn && event.target.closest?.("[data-piece]")) event.preventDefault();
    }, { capture: true, passive: false });
    hear("pointerdown", this.press);
    hear("pointermove", this.pass);
    hear("pointerup", this.release);
    hear("pointercancel", this.drop);
    hear("keydown", this.key);
  }

  turn(isOn) {
    this.isOn = isOn;
    this.page.body.classList.toggle("moving", isOn);
    this.drop();
    if (!isOn) return this.tell("");
    this.tell("Drag things to where they should be. By keys: arrows go from place to place, Enter picks up and puts down, Escape puts back.");
    this.frame.contentWindow.focus();
  }

  at(element) { return element?.closest?.(PLACE); }

  pick(piece) {
    const place = this.at(piece);
    if (!place) return;
    this.drop();
    Object.assign(this, { thing: piece.dataset.piece, start: place.dataset.at });
    piece.classList.add("carried");
    this.go(place);
  }

  go(place) {
    for (const one of this.page.querySelectorAll(".lit")) one.classList.remove("lit");
    this.here = place.id;
    place.classList.add("lit");
  }

  drop() {
    for (const one of this.page?.querySelectorAll(".carried, .lit") ?? []) one.classList.remove("carried", "lit");
    this.thing = this.start = "";
  }

  // What is put down where it was is put back.
  end(place) {
    const { thing, start } = this;
    this.drop();
    if (place) this.go(place);
    if (thing && place && place.dataset.at !== start) this.put({ thing, start, end: place.dataset.at });
  }

  press(event) {
    const piece = event.button === 0 && event.target.closest?.("[data-piece]");
    if (!piece) return;
    event.preventDefault();
    this.frame.contentWindow.focus();
    this.pick(piece);
  }

  under(event) { return this.at(this.page.elementFromPoint(event.clientX, event.clientY)); }

  pass(event) {
    const place = this.thing && this.under(event);
    if (place && place.id !== this.here) this.go(place);
  }

  release(event) { if (this.thing) this.end(this.under(event)); }

  key(event) {
    const now = this.places.find((one) => one.id === this.here) ?? this.places[0];
    if (!now || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") this.drop();
    else if (event.key === "Enter" || event.key === " ") this.use(now);
    else if (AWAY[event.key]) this.walk(now, AWAY[event.key]);
    else return;
    event.preventDefault();
  }

  // At the place where a thing was picked up, the next one there is taken in its place.
  use(place) {
    const pieces = [...place.querySelectorAll("[data-piece]")].filter((one) => this.at(one) === place);
    if (this.thing && this.start !== place.dataset.at) return this.end(place);
    const piece = pieces[pieces.findIndex((one) => one.classList.contains("carried")) + 1];
    if (!piece) return this.drop();
    this.pick(piece);
    this.tell(`Picked up: ${called(piece)}`);
  }

  // The nearest place that lies rather that way than aside.
  walk(now, [x, y]) {
    const from = middle(now);
    const found = this.places.map((one) => {
      const to = middle(one), along = (to.x - from.x) * x + (to.y - from.y) * y;
      const aside = Math.abs((to.x - from.x) * y) + Math.abs((to.y - from.y) * x);
      return { one, along, far: along + 2 * aside };
    }).filter(({ along }) => along > 1).sort((a, b) => a.far - b.far)[0];
    const place = this.here ? found?.one : now;
    if (!place) return;
    this.go(place);
    place.scrollIntoView({ block: "nearest" });
    const said = place.querySelector("title")?.textContent ?? place.textContent;
    this.tell(`${this.thing ? "Carried to" : "At"} ${said.trim().slice(0, 80)}`);
  }
}

const called = (piece) => piece.dataset.piece.replace(/^\w+ /, "");

function middle(element) {
  const { x, y, width, height } = element.getBoundingClientRect();
  return { x: x + width / 2, y: y + height / 2 };
}
