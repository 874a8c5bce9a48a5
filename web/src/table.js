// A table's page: it shows what the server sends and sends back what was chosen. The server decides everything else.
import { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";
import { address, here, inside, line } from "./line.js";

const live = document.body.dataset.live;
const notice = document.getElementById("notice");
const dialog = document.getElementById("dialog");
const MAY_MOVE = matchMedia("(prefers-reduced-motion: no-preference)");
let socket, clock, patience = 250;

const main = () => document.querySelector("main");

function say(what, text = "") {
  if (socket?.readyState !== WebSocket.OPEN) return tell("The connection is down. It is being tried again …");
  socket.send(JSON.stringify({ do: what, text, step: Number(main().dataset.step) }));
}

function tell(words) {
  notice.textContent = words;
  notice.classList.toggle("shown", words !== "");
}

function show(html) {
  const before = places();
  Idiomorph.morph(main(), html, {
    morphStyle: "outerHTML",
    ignoreActiveValue: true,
    callbacks: {
      beforeAttributeUpdated: (name, node) => node.dataset?.keep !== name,
      beforeNodeMorphed: (node) => !(node.dataset?.keep === "value" && node.value !== ""),
    },
  });
  if (MAY_MOVE.matches && kept("moves", "yes") === "yes") glide(before);
  search();
  call();
}

// Pieces that stand elsewhere now move there, by the First-Last-Invert-Play way. Pieces that look alike are told apart
// by the places that they have left and come to.
function places() {
  const found = new Map();
  for (const one of document.querySelectorAll("[data-piece]")) {
    const spot = one.closest("[data-at]")?.id || one.parentElement.id;
    const known = found.get(one.dataset.piece) ?? [];
    known.push({ one, spot, at: one.getBoundingClientRect() });
    found.set(one.dataset.piece, known);
  }
  return found;
}

function glide(before) {
  for (const [piece, now] of places()) {
    const were = before.get(piece) ?? [];
    const gone = were.filter((old) => !now.some((one) => one.spot === old.spot));
    const come = now.filter((one) => !were.some((old) => old.spot === one.spot));
    for (const [number, { one, at }] of come.entries()) {
      const from = gone[number]?.at;
      if (!from || !from.width || !at.width) continue;
      const scale = one.ownerSVGElement?.getScreenCTM().a ?? 1;
      const by = `translate(${(from.x - at.x) / scale}px, ${(from.y - at.y) / scale}px)`;
      one.animate([{ transform: by }, { transform: "none" }], { duration: 450, easing: "ease-out" });
    }
  }
}

// What a sentence tells of lights up on the board.
function light(event) {
  for (const one of document.querySelectorAll(".lit")) one.classList.remove("lit");
  const line = event.target.closest?.("[data-lights]");
  if (!line || event.type === "pointerout") return;
  const wanted = new Set(line.dataset.lights.split(","));
  for (const one of document.querySelectorAll("[data-at]")) {
    if (wanted.has(one.dataset.at)) one.classList.add("lit");
  }
}

// The arrow keys lead through the sentences of the news, which light up what they tell of and fold what they led to.
const LINES = "[data-lights], .news summary";

function walk(event) {
  const list = event.target.closest?.("#fresh, #before");
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!list || !step) return;
  const lines = [...list.querySelectorAll(LINES)].filter((one) => one.checkVisibility());
  const next = lines[lines.indexOf(event.target.closest(LINES)) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
}

// What a reader chose for all pages stays in the browser.
function kept(name, otherwise) {
  try { return localStorage.getItem(name) ?? otherwise; } catch { return otherwise; }
}

function keep(name, value) {
  try { localStorage.setItem(name, value); } catch { /* A browser may forbid it; then nothing is kept. */ }
}

function remember() {
  const known = JSON.parse(kept("tables", "[]")).filter((path) => path !== location.pathname);
  keep("tables", JSON.stringify([location.pathname, ...known].slice(0, 40)));
}

let wasAsked = true;

function call() {
  const isAsked = main().querySelector("#asking, #handing-over") !== null;
  document.title = document.title.replace(/^• Your turn – /, "");
  if (isAsked && document.hidden) {
    document.title = `• Your turn – ${document.title}`;
    if (!wasAsked && kept("notices") === "yes" && window.Notification?.permission === "granted") {
      new Notification(document.title, { body: document.getElementById("prompt")?.textContent, tag: location.pathname });
    }
  }
  wasAsked = isAsked;
}

function search() {
  const field = document.querySelector("[data-search]");
  const wanted = field?.value.trim().toLowerCase() ?? "";
  for (const line of document.querySelectorAll("#answers > li")) {
    line.hidden = !line.textContent.toLowerCase().includes(wanted);
  }
}

function tick() {
  const shown = document.getElementById("clock");
  if (!shown) return;
  shown.hidden = !clock;
  if (!clock) return;
  const left = Math.max(0, clock.until - Date.now()) / 1000;
  const part = Math.min(1, left / Math.max(clock.of, left, 1));
  document.getElementById("time-left").textContent = `${clock.name}: ${Math.ceil(left)} s`;
  shown.classList.toggle("low", left < 10);
  // The sand of each bulb is 12 units high when it is full; the upper one sinks, the lower one grows.
  for (const [name, top, full] of [["above", 4, part], ["below", 17, 1 - part]]) {
    const heap = shown.querySelector(`[data-sand="${name}"]`);
    heap.setAttribute("y", top + 12 * (1 - full));
    heap.setAttribute("height", 12 * full);
  }
  shown.querySelector(".fall").style.display = left > 0 ? "" : "none";
}

function hear(message) {
  if (message.main !== undefined) {
    tell("");
    show(message.main);
    clock = message.clock && { name: message.clock.name, of: message.clock.of, until: Date.now() + message.clock.left * 1000 };
    tick();
  }
  if (message.notice !== undefined) tell(message.notice);
  if (message.dialog !== undefined) {
    document.getElementById("dialog-body").innerHTML = message.dialog;
    if (!dialog.open) dialog.showModal();
  }
  if (message.at !== undefined) arrive(message.at);
  // What this page's address says of its reader holds for the next game, too.
  if (message.go !== undefined) location.assign(address(message.go) + (inside ? "" : location.search));
}

// A log is looked at step by step; the address names the step, so that a moment can be linked.
let player, wanted = location.hash;

function arrive(at) {
  if (/^#\d+$/.test(wanted)) {
    const step = wanted.slice(1);
    wanted = "";
    if (step !== String(at)) return say("go", step);
  }
  wanted = "";
  history.replaceState(null, "", `#${at}`);
  const slider = document.getElementById("timeline");
  slider.value = at;
  if (player && at >= Number(slider.max)) play();
}

function play() {
  player = player ? void clearInterval(player) : setInterval(() => say("go", "on"), 900);
  const button = document.getElementById("play");
  if (button) button.textContent = player ? "Stop" : "Play";
}

function upload(place, file) {
  tell("Reading the log …");
  fetch(place.dataset.upload, { method: "POST", body: file }).then(async (answer) => {
    const text = await answer.text();
    if (answer.ok) location.assign(text);
    else tell(text);
  }, () => tell("The server cannot be reached."));
}

function connect() {
  socket = line(live);
  socket.onopen = () => { patience = 250; };
  socket.onmessage = (event) => hear(JSON.parse(event.data));
  socket.onclose = (event) => {
    if (event.code === 4404) return tell("This table is closed, or the link is wrong.");
    tell("The connection is down. It is being tried again …");
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 8000);
  };
}

function act(one) {
  const data = one.dataset;
  if (data.member !== undefined) say("toggle", data.choose);
  else if (data.choose !== undefined) {
    // The next question has answers of its own to search.
    const field = document.querySelector("[data-search]");
    if (field) field.value = "";
    say("choose", data.choose);
  }
  else if (data.done !== undefined) say("done");
  else if (data.back !== undefined) say("back");
  else if (data.undo !== undefined) say("undo");
  else if (data.withdraw !== undefined) say("withdraw");
  else if (data.skip !== undefined) say("skip");
  else if (data.again !== undefined) say("again");
  else if (data.sit !== undefined) say("sit", data.sit);
  else if (data.look !== undefined) location.assign(address(here().replace("/t/", "/r/")));
  else if (data.go !== undefined) say("go", data.go);
  else if (data.play !== undefined) play();
  else if (data.branch !== undefined) say("branch");
  else if (data.ask !== undefined) say("ask", data.ask || document.getElementById("wanted").value);
  else if (data.what !== undefined) say("what", data.what);
  else if (data.why !== undefined) say("why", data.why);
}

const ACTIVE = "[data-choose],[data-done],[data-back],[data-undo],[data-skip],[data-again],[data-what],[data-why],"
  + "[data-withdraw],[data-sit],[data-look],[data-go],[data-play],[data-branch],[data-ask]";

function active(event) {
  const one = event.target.closest?.(ACTIVE);
  return one && main().contains(one) ? one : null;
}

// A long press asks about what is pressed, as the right button does; not every touch screen says so by itself.
const LONG = 600, STILL = 10;
let press = {};

function hold(event) {
  if (event.type === "pointermove" && Math.hypot(event.x - press.x, event.y - press.y) < STILL) return;
  clearTimeout(press.timer);
  if (event.type !== "pointerdown") return;
  press = { x: event.x, y: event.y };
  const one = event.pointerType === "touch" && active(event);
  if (one?.dataset?.choose === undefined) return;
  press.timer = setTimeout(() => {
    press.isHeld = true;
    say("why", one.dataset.choose);
  }, LONG);
}

if (live) {
  connect();
  setInterval(tick, 250);
  if (location.pathname.startsWith("/t/")) remember();
  for (const kind of ["pointerover", "pointerout", "focusin"]) document.addEventListener(kind, light);
  document.addEventListener("keydown", walk);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) call(); });
  for (const [name, usual] of [["moves", "yes"], ["notices", "no"]]) {
    const box = document.getElementById(name);
    box.checked = kept(name, usual) === "yes";
    box.addEventListener("change", () => {
      keep(name, box.checked ? "yes" : "no");
      if (name === "notices" && box.checked) window.Notification?.requestPermission();
    });
  }
  for (const kind of ["pointerdown", "pointermove", "pointerup", "pointercancel"]) document.addEventListener(kind, hold);
  document.addEventListener("click", (event) => {
    const one = active(event);
    // The click at the end of a long press answers nothing; a click by a key has no detail.
    if (one && !(press.isHeld && event.detail)) act(one);
  });
  document.addEventListener("contextmenu", (event) => {
    const one = active(event);
    if (one?.dataset.choose !== undefined) {
      event.preventDefault();
      if (!press.isHeld) say("why", one.dataset.choose);
      clearTimeout(press.timer);
    }
  });
  document.addEventListener("keydown", (event) => {
    const one = active(event);
    if (one && one.getAttribute("role") === "button" && (event.key === "Enter" || event.key === " ")) {
      event.preventDefault();
      act(one);
    }
  });
  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (form.dataset.find !== undefined) {
      event.preventDefault();
      const { kind, text } = form.elements;
      socket.send(JSON.stringify({ do: "find", kind: kind.value, text: text.value }));
      return;
    }
    if (form.dataset.beforehand !== undefined) {
      event.preventDefault();
      const { answer, until } = form.elements;
      say("beforehand", `${answer.value} until ${until.value}`);
      return;
    }
    if (form.dataset.number === undefined) return;
    event.preventDefault();
    const field = form.elements.namedItem("number");
    say("choose", field.value);
    field.value = "";
  });
  document.addEventListener("input", (event) => {
    if (event.target.matches?.("[data-search]")) search();
    if (event.target.matches?.("[data-timeline]")) say("go", event.target.value);
  });
  document.addEventListener("change", (event) => {
    if (event.target.matches?.("[data-eyes]")) say("eyes", event.target.value);
  });
  document.addEventListener("keydown", (event) => {
    if (!document.getElementById("timeline") || event.target.matches("input, select, textarea")) return;
    const where = { ArrowRight: "on", ArrowLeft: "back", Home: "first", End: "last", ArrowDown: "phase" }[event.key];
    if (where) {
      event.preventDefault();
      say("go", where);
    }
  });
}

const place = document.querySelector("[data-upload]");
if (place) {
  place.addEventListener("dragover", (event) => event.preventDefault());
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files.length) upload(place, event.dataTransfer.files[0]);
  });
  place.querySelector("input").addEventListener("change", (event) => upload(place, event.target.files[0]));
}

// A lobby asks for another form when variants or the number of players change; without a script a button does.
const lobby = document.querySelector("[data-lobby]");
if (lobby) {
  lobby.addEventListener("change", (event) => {
    if (event.target.dataset.again !== undefined) {
      location.replace(`${lobby.dataset.lobby}?${new URLSearchParams(new FormData(lobby))}`);
    }
  });
  lobby.addEventListener("click", async (event) => {
    const link = event.target.closest("[data-sheet]");
    if (!link) return;
    event.preventDefault();
    const answer = await fetch(link.href);
    const sheet = new DOMParser().parseFromString(await answer.text(), "text/html").querySelector("main");
    document.getElementById("dialog-body").replaceChildren(...sheet.childNodes);
    dialog.showModal();
  });
}

// The list of my tables: this browser knows the links, the server says how they stand.
const mine = document.querySelector("[data-mine]");
if (mine) {
  const look = async () => {
    const answer = await fetch(mine.dataset.mine, { method: "POST", body: kept("tables", "[]") });
    const found = answer.ok ? await answer.json() : [];
    const lines = found.map((one) => {
      const line = document.createElement("li");
      const link = Object.assign(document.createElement("a"), { href: one.path, textContent: one.title });
      const said = Object.assign(document.createElement("small"), { textContent: one.stands });
      line.className = one.mine ? "standing asked" : "standing";
      line.append(link, said);
      return line;
    });
    const waiting = found.filter((one) => one.mine).length;
    document.getElementById("tables").replaceChildren(...lines);
    document.getElementById("looking").textContent =
      found.length ? `${waiting || "None"} of ${found.length} wait${waiting === 1 ? "s" : ""} for you.` : "No table yet.";
    document.title = waiting ? `• ${waiting} – My tables` : "My tables";
  };
  look();
  setInterval(look, 15000);
}
