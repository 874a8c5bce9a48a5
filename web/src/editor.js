// The workbench: the texts of a game in CodeMirror, the game on the table in a frame. The server works everything out.
import { basicSetup } from "codemirror";
import { indentWithTab } from "@codemirror/commands";
import { syntaxHighlighting, indentUnit } from "@codemirror/language";
import { lintGutter } from "@codemirror/lint";
import { LSPClient, LSPPlugin, languageServerExtensions } from "@codemirror/lsp-client";
import { EditorView, keymap } from "@codemirror/view";
import { classHighlighter } from "@lezer/highlight";
import { Idiomorph } from "idiomorph/dist/idiomorph.esm.js";
import { address, inside, line } from "./line.js";
import { Files, fileOf, uriOf } from "./files.js";
import { complete, completing, indenting, know, rules } from "./language.js";
import { look as lookAt, shownLenses } from "./lenses.js";
import { Moving } from "./moving.js";
import { judge, verdictGutter } from "./verdicts.js";

const bench = document.getElementById("workbench");
const code = document.getElementById("code");
const table = document.getElementById("table-frame");
const sheet = document.getElementById("sheet");
const notice = document.getElementById("notice");
const views = new Map();
let client, socket, judgements = {}, shown = "", patience = 250, handlers = new Set();

function tell(words, isTrouble = false) {
  notice.textContent = words;
  notice.classList.toggle("shown", words !== "");
  notice.classList.toggle("trouble", isTrouble);
}

// Why something could not be done; if it could, what is `said` of it.
const answered = ({ trouble }, said = "") => tell(trouble ?? said, trouble !== undefined);

const looks = EditorView.theme({
  "&": { height: "100%", fontSize: "14px" },
  ".cm-scroller": { overflow: "auto", fontFamily: "ui-monospace, 'DejaVu Sans Mono', monospace" },
});

// What a server says is shown without anything that could act.
function harmless(html) {
  const found = new DOMParser().parseFromString(html, "text/html");
  for (const one of found.body.querySelectorAll("*")) {
    if (!/^(P|B|I|EM|STRONG|CODE|PRE|UL|OL|LI|HR|BR|SPAN|H[1-6]|TABLE|THEAD|TBODY|TR|TH|TD)$/.test(one.tagName)) one.replaceWith(one.textContent);
    else for (const { name } of [...one.attributes]) one.removeAttribute(name);
  }
  return found.body.innerHTML;
}

// A text is sent sooner after the last key than the client sends it by itself.
const SENT_AFTER = 200;
let sending;

function soon() {
  clearTimeout(sending);
  sending = setTimeout(() => {
    client.sync();
    if (!sheet.hidden && sheet.querySelector("[data-clause]")) clauses(true);
  }, SENT_AFTER);
}

async function opened(file) {
  if (views.has(file)) return views.get(file);
  const answer = await client.request("rulelang/read", { file });
  if (answer.trouble) return void answered(answer);
  if (views.has(file)) return views.get(file);
  const parent = document.createElement("div");
  parent.className = "editor";
  parent.hidden = true;
  code.append(parent);
  const isRules = file.endsWith(".rules");
  const view = new EditorView({
    parent,
    doc: answer.text,
    extensions: [
      keymap.of([
        { key: "Mod-s", run: () => (save(file), true), preventDefault: true },
        { key: "Mod-.", run: () => (offer(), true), preventDefault: true },
        { key: "Tab", run: complete },
        indentWithTab,
      ]),
      basicSetup, completing, indentUnit.of("  "), indenting, lintGutter(), isRules ? verdictGutter : [], shownLenses, looks, syntaxHighlighting(classHighlighter), isRules ? rules : [],
      client.plugin(uriOf(file), isRules ? "rules" : "toml"),
      EditorView.contentAttributes.of({ "aria-label": file, tabindex: "0" }),
      EditorView.cspNonce.of(bench.dataset.nonce),
      EditorView.updateListener.of((update) => {
        if (update.docChanged) soon();
        if (update.selectionSet) find();
      }),
    ],
  });
  views.set(file, view);
  if (isRules) judge(view, judgements[file] ?? []);
  return view;
}

async function show(file, line, column) {
  const view = await opened(file);
  if (!view) return null;
  shown = file;
  for (const [name, one] of views) one.dom.parentElement.hidden = name !== file;
  mark();
  lenses(file);
  if (line !== undefined) {
    const there = view.state.doc.line(Math.min(line + 1, view.state.doc.lines));
    const anchor = Math.min(there.from + column, there.to);
    view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: "center" }) });
  }
  view.requestMeasure();
  view.focus();
  return view;
}

// Links above rules and scenarios, and types of values, come when nothing is typed for a moment.
const QUIET = 600;
let quiet;

function lenses(file) {
  clearTimeout(quiet);
  quiet = setTimeout(async () => {
    const view = views.get(file);
    if (view && !client.workspace.getFile(uriOf(file))?.isAway) await lookAt(client, view, uriOf(file)).catch(() => {});
  }, QUIET);
}

// A link above a line was clicked.
async function follow({ command, arguments: [, about, places] }) {
  client.sync();
  if (command === "rulelang.play") {
    const line = [...views.get(shown).state.doc.iterLines()].findIndex((one) => one.startsWith(`scenario "${about}"`));
    return line < 0 ? null : open(false, line);
  }
  if (command !== "editor.action.showReferences") return client.request("workspace/executeCommand", { command, arguments: [uriOf(shown), about] });
  const list = document.createElement("ul"), head = document.createElement("h2");
  head.textContent = "Where it is";
  list.className = "faults";
  for (const { uri, range: { start } } of places) {
    const door = document.createElement("button");
    Object.assign(door, { type: "button", className: "event", textContent: `${fileOf(uri)}:${start.line + 1}` });
    door.dataset.open = `${fileOf(uri)}:${start.line}:${start.character}`;
    list.appendChild(document.createElement("li")).append(door);
  }
  sheet.replaceChildren(head, list);
  beside(true);
}

function mark() {
  for (const one of document.querySelectorAll("#tabs [data-file]")) {
    one.setAttribute("aria-current", String(one.dataset.file === shown));
  }
}

// On the right lies the table, or the rulebook, or what else was asked for.
function beside(isSheet) {
  sheet.hidden = !isSheet;
  table.hidden = isSheet;
}

// Lines and scenarios of the rulebook's clauses change with the texts.
async function clauses(isAgain = false) {
  const { sheet: html } = await client.request("rulelang/clauses", {});
  if (isAgain && (sheet.hidden || !sheet.querySelector("[data-clause]"))) return;
  Idiomorph.morph(sheet, html, { morphStyle: "innerHTML" });
  beside(true);
  find();
}

// The clause that the line of the cursor cites is shown in the rulebook.
function find() {
  const view = views.get(shown);
  if (sheet.hidden || !view) return;
  const line = view.state.doc.lineAt(view.state.selection.main.head).text;
  const cited = /\[([A-Z][\w.-]*(?:,\s*[A-Z][\w.-]*)*)\]/.exec(line)?.[1].split(/,\s*/) ?? [];
  for (const one of sheet.querySelectorAll("[data-clause]")) one.classList.toggle("cited", cited.includes(one.dataset.clause));
  sheet.querySelector(".cited")?.scrollIntoView({ block: "center" });
}

async function save(file, overwrites = false) {
  if (inside) return share();
  client.sync();
  answered(await client.request("rulelang/save", { file, overwrites }));
}

// A link holds the game as it is edited; it goes behind the `#` of this page's address.
async function share() {
  client.sync();
  const { link } = await client.request("rulelang/link", {});
  if (!link) return;
  history.replaceState(null, "", `#${link}`);
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  tell("This page's address holds the edit now. It is copied: send it to anybody.");
}

// What takes more than a line is shown beside the texts.
function explain(markdown) {
  const plugin = LSPPlugin.get(views.get(shown));
  sheet.innerHTML = plugin.docToHTML({ kind: "markdown", value: markdown.replace(/^#(?= )/, "##") });
  beside(true);
}

function heard(method, handle) {
  return { [method]: (_, params) => (handle(params), true) };
}

function morph(id, html) {
  const callbacks = { beforeAttributeUpdated: (name, node) => node.dataset?.keep !== name };
  Idiomorph.morph(document.getElementById(id), html, { morphStyle: "innerHTML", callbacks });
}

const extensions = languageServerExtensions();
client = new LSPClient({
  extensions,
  timeout: 120_000,
  sanitizeHTML: harmless,
  workspace: (own) => new Files(own, opened, show),
  notificationHandlers: {
    ...heard("rulelang/state", (found) => {
      morph("tabs", found.tabs);
      morph("state", found.state);
      judgements = found.verdicts;
      for (const [file, view] of views) if (file.endsWith(".rules")) judge(view, judgements[file] ?? []);
      mark();
      if (shown) lenses(shown);
    }),
    ...heard("rulelang/text", (told) => client.workspace.hear(told)),
    ...heard("window/showMessage", ({ message }) => (message.includes("\n") ? explain(message) : tell(message))),
  },
});

function connect() {
  socket = line(bench.dataset.live);
  socket.onmessage = (event) => { for (const handle of handlers) handle(event.data); };
  socket.onopen = async () => {
    patience = 250;
    client.connect({ send: (said) => socket.send(said), subscribe: (h) => handlers.add(h), unsubscribe: (h) => handlers.delete(h) });
    await client.initializing;
    const { files, keywords: words, table: path } = await client.request("rulelang/files", {});
    know(words);
    tell("");
    await client.workspace.rejoin();
    if (!table.hasAttribute("src")) table.src = table.dataset.table = address(path);
    if (!shown) await show(files[0]);
    document.body.dataset.ready = "true";
  };
  socket.onclose = () => {
    client.disconnect();
    handlers = new Set();
    tell("The connection is down. It is being tried again …", true);
    setTimeout(connect, patience);
    patience = Math.min(patience * 2, 8000);
  };
}

function goOn() {
  back();
  return client.request("rulelang/take", {});
}

// The last choice at the table becomes a scenario that expects what was ticked.
function write(form) {
  const said = new FormData(form);
  return written("rulelang/scenario", { title: said.get("title"), expects: said.getAll("expect") });
}

async function written(method, about) {
  tell("Looking for the shortest scenario …");
  const answer = await client.request(method, about);
  answered(answer);
  if (!answer.file) return;
  beside(false);
  await show(answer.file, answer.line, 0);
  const { state } = views.get(answer.file);
  views.get(answer.file).dispatch({ selection: { anchor: state.doc.length } });
}

// The table that the server names is shown, if it is another one.
function lead(path) {
  table.dataset.table = address(path);
  back();
}

// From a log, or from both boards, the frame goes back to the table.
function back() {
  if (!table.contentWindow.location.href.endsWith(table.dataset.table)) table.src = table.dataset.table;
}

// A page that was asked for among the texts: on a narrow screen it lies below them.
function look(path) {
  if (!path) return;
  table.src = address(path);
  beside(false);
  table.scrollIntoView({ block: "nearest" });
}

// The position of the scenario at the cursor comes onto the table: by its givens, or where it fails.
async function open(runs, line) {
  const view = views.get(shown);
  if (!view) return;
  client.sync();
  const at = line ?? view.state.doc.lineAt(view.state.selection.main.head).number - 1;
  const answer = await client.request("rulelang/open", { file: shown, line: at, runs });
  answered(answer, answer.said);
  if (!answer.table) return;
  beside(false);
  lead(answer.table);
}

const moving = new Moving(table, async (drag) => {
  const answer = await client.request("rulelang/move", drag);
  answered(answer, `given ${answer.givens?.join(", ")}`);
  if (answer.table) lead(answer.table);
}, tell);

// The edits that are offered at the cursor: the fixes of faults there, and those that people make often.
async function offer() {
  const view = views.get(shown);
  if (!view) return;
  client.sync();
  const { doc } = view.state;
  const { from, to } = view.state.selection.main;
  const place = (at) => { const line = view.state.doc.lineAt(at); return { line: line.number - 1, character: at - line.from }; };
  const range = { start: place(from), end: place(to) };
  const asked = { textDocument: { uri: uriOf(shown) }, range, context: { diagnostics: [] } };
  const found = await client.request("textDocument/codeAction", asked);
  const head = document.createElement("h2"), list = document.createElement("ul");
  head.textContent = found.length ? "Edits at the cursor" : "No edit is offered at the cursor";
  list.className = "faults";
  for (const action of found) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", className: "event", textContent: action.title, onclick: () => (view.state.doc.eq(doc) ? make(action) : offer()) });
    list.appendChild(document.createElement("li")).append(button);
  }
  sheet.replaceChildren(head, list);
  beside(true);
  sheet.querySelector("button")?.focus();
}

async function make(action) {
  if (action.command) return client.request("workspace/executeCommand", action.command);
  tell(action.edit ? "" : "Working it out …");
  const { edit } = action.edit ? action : await client.request("codeAction/resolve", action);
  if (!edit) return;
  tell("");
  for (const [uri, changes] of Object.entries(edit.changes)) {
    const view = await opened(fileOf(uri));
    if (!view) continue;
    const at = ({ line, character }) => view.state.doc.line(line + 1).from + character;
    view.dispatch({ changes: changes.map(({ range, newText }) => ({ from: at(range.start), to: at(range.end), insert: newText })) });
    await show(fileOf(uri), changes[0].range.start.line, 0);
  }
  client.sync();
  beside(false);
}

// A new game gets a page of its own; what is not saved here stays with the server, so nobody is asked.
let isLeaving = false;

async function begin(form) {
  client.sync();
  const answer = await client.request("rulelang/new", Object.fromEntries(new FormData(form)));
  answered(answer);
  isLeaving = Boolean(answer.path);
  if (answer.path) location.assign(answer.path);
}

// The steps of the game on the table, or of a log in a file.
async function steps(where) {
  const { form, path } = await client.request("rulelang/steps", {});
  if (where !== "here") {
    sheet.innerHTML = form;
    // Without a server there is nobody to send a file to.
    if (inside) sheet.querySelector("label").remove();
    return beside(true);
  }
  table.src = address(path);
  beside(false);
}

async function send(file) {
  tell("Reading the log …");
  const answer = await fetch(bench.dataset.logs, { method: "POST", body: file }).catch(() => null);
  const text = answer ? await answer.text() : "The server cannot be reached.";
  tell(answer?.ok ? "" : text, !answer?.ok);
  if (!answer?.ok) return;
  table.src = address(text);
  beside(false);
}

// A page beside the texts may lead to another table, as a step of a log does: it follows the texts from then on.
async function attend() {
  const there = decodeURIComponent(table.contentWindow?.location.href ?? "");
  if (!/\/t\/[a-z2-7]{16}\//.test(there) || there.endsWith(decodeURIComponent(table.dataset.table))) return;
  lead((await client.request("rulelang/table", {})).table);
}

async function act({ dataset }) {
  if (socket.readyState === 1) tell("");
  if (dataset.file !== undefined) return show(dataset.file);
  if (dataset.open !== undefined) {
    const [, file, line, column] = /^(.*):(\d+):(\d+)$/.exec(dataset.open);
    return show(file, Number(line), Number(column));
  }
  if (dataset.save !== undefined) return save(shown);
  if (dataset.overwrite !== undefined) return save(dataset.overwrite, true);
  if (dataset.reload !== undefined) return client.request("rulelang/reload", { file: dataset.reload });
  if (dataset.take !== undefined) return goOn();
  if (dataset.backToTable !== undefined) {
    back();
    return beside(false);
  }
  if (dataset.rulebook !== undefined) return clauses();
  if (dataset.game !== undefined) {
    return look((await client.request("rulelang/game", { course: dataset.game })).path);
  }
  if (dataset.scenario !== undefined) {
    client.sync();
    const answer = await client.request("rulelang/claims", {});
    answered(answer);
    if (!answer.form) return;
    sheet.innerHTML = answer.form;
    beside(true);
    return sheet.querySelector("input").focus();
  }
  if (dataset.steps !== undefined) return steps(dataset.steps);
  if (dataset.position !== undefined) return written("rulelang/position", {});
  if (dataset.givens !== undefined) return open(dataset.givens === "run");
  if (dataset.moves !== undefined) {
    beside(false);
    const isOn = !moving.isOn;
    document.querySelector("[data-moves]").setAttribute("aria-pressed", String(isOn));
    return moving.turn(isOn);
  }
  if (dataset.refusals !== undefined) {
    client.sync();
    const answer = await client.request("rulelang/refusals", {});
    answered(answer);
    if (!answer.list) return;
    sheet.innerHTML = answer.list;
    return beside(true);
  }
  if (dataset.refused !== undefined) return written("rulelang/refusal", { option: dataset.refused });
  if (dataset.new !== undefined) {
    const { form } = await client.request("rulelang/templates", {});
    sheet.innerHTML = form;
    beside(true);
    return sheet.querySelector("input").focus();
  }
  if (dataset.link !== undefined) return share();
  if (dataset.offers !== undefined) return offer();
  if (dataset.beside !== undefined) {
    return look((await client.request("rulelang/beside", {})).path);
  }
}

document.addEventListener("click", (event) => {
  const one = event.target.closest?.("[data-file],[data-open],[data-save],[data-overwrite],[data-reload],[data-take],[data-beside],[data-back-to-table],[data-rulebook],[data-game],[data-scenario],[data-position],[data-steps],[data-givens],[data-moves],[data-refusals],[data-refused],[data-new],[data-link],[data-offers]");
  if (one) act(one);
});
document.addEventListener("submit", (event) => {
  event.preventDefault();
  if (event.target.dataset.expects !== undefined) write(event.target);
  if (event.target.dataset.begins !== undefined) begin(event.target);
});
document.addEventListener("lens", ({ detail }) => follow(detail));
table.addEventListener("load", attend);
document.addEventListener("change", ({ target }) => {
  if (target.id === "log" && target.files.length) return send(target.files[0]);
  if (target.dataset?.variant === undefined) return;
  const variants = [...document.querySelectorAll("[data-variant]:checked")].map((one) => one.dataset.variant);
  back();
  client.request("rulelang/variants", { variants });
});
addEventListener("keydown", (event) => {
  if (event.altKey && event.key === "Enter" && document.querySelector("[data-take]")) {
    event.preventDefault();
    return goOn();
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "s" && !event.defaultPrevented) {
    event.preventDefault();
    save(shown);
  }
});
addEventListener("beforeunload", (event) => {
  if (!inside && !isLeaving && document.querySelector("#tabs [title='not saved']")) event.preventDefault();
});
connect();
