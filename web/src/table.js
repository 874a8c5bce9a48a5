// A table's page: it shows what the server sends and sends back what was chosen. The server decides everything else.
import { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";

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
  if (MAY_MOVE.matches) glide(before);
  search();
  document.title = document.title.replace(/^• /, "");
  if (main().querySelector("#asking") && document.hidden) document.title = `• ${document.title}`;
}

// Pieces that stand elsewhere now move there, by the First-Last-Invert-Play way.
function places() {
  return new Map([...document.querySelectorAll("[data-moves]")].map((one) => [one.dataset.moves, one.getBoundingClientRect()]));
}

function glide(before) {
  for (const one of document.querySelectorAll("[data-moves]")) {
    const from = before.get(one.dataset.moves);
    const to = one.getBoundingClientRect();
    if (from && (from.x !== to.x || from.y !== to.y)) {
      const by = `translate(${from.x - to.x}px, ${from.y - to.y}px)`;
      one.animate([{ transform: by }, { transform: "none" }], { duration: 350, easing: "ease-out" });
    }
  }
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
  if (shown && clock) {
    const left = Math.max(0, clock.until - Date.now()) / 1000;
    shown.textContent = `${clock.name}: ${Math.ceil(left)} s`;
    shown.classList.toggle("low", left < 10);
  } else if (shown) shown.textContent = "";
}

function hear(message) {
  if (message.main !== undefined) {
    tell("");
    show(message.main);
    clock = message.clock && { name: message.clock.name, until: Date.now() + message.clock.left * 1000 };
    tick();
  }
  if (message.notice !== undefined) tell(message.notice);
  if (message.dialog !== undefined) {
    document.getElementById("dialog-body").innerHTML = message.dialog;
    if (!dialog.open) dialog.showModal();
  }
  if (message.at !== undefined) arrive(message.at);
  if (message.go !== undefined) location.assign(message.go);
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
  const address = new URL(live, location.href);
  address.protocol = address.protocol.replace("http", "ws");
  socket = new WebSocket(address);
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
  else if (data.skip !== undefined) say("skip");
  else if (data.again !== undefined) say("again");
  else if (data.sit !== undefined) say("sit", data.sit);
  else if (data.look !== undefined) location.assign(location.pathname.replace("/t/", "/r/"));
  else if (data.go !== undefined) say("go", data.go);
  else if (data.play !== undefined) play();
  else if (data.branch !== undefined) say("branch");
  else if (data.ask !== undefined) say("ask", data.ask || document.getElementById("wanted").value);
  else if (data.what !== undefined) say("what", data.what);
  else if (data.why !== undefined) say("why", data.why);
}

const ACTIVE = "[data-choose],[data-done],[data-back],[data-undo],[data-skip],[data-again],[data-what],[data-why],"
  + "[data-sit],[data-look],[data-go],[data-play],[data-branch],[data-ask]";

function active(event) {
  const one = event.target.closest?.(ACTIVE);
  return one && main().contains(one) ? one : null;
}

if (live) {
  connect();
  setInterval(tick, 500);
  document.addEventListener("click", (event) => {
    const one = active(event);
    if (one) act(one);
  });
  document.addEventListener("contextmenu", (event) => {
    const one = active(event);
    if (one?.dataset.choose !== undefined) {
      event.preventDefault();
      say("why", one.dataset.choose);
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
