// What the language server knows of a text, shown in it: links above rules and scenarios, and the types of values.
import { Decoration, EditorView, WidgetType } from "@codemirror/view";
import { marks } from "./marks.js";

class Lenses extends WidgetType {
  constructor(commands) {
    super();
    this.commands = commands;
  }

  eq(other) { return JSON.stringify(other.commands) === JSON.stringify(this.commands); }

  // The place of the widget may have moved since: what is done is told with the click.
  toDOM() {
    const row = document.createElement("div");
    row.className = "lenses";
    for (const command of this.commands) {
      const one = document.createElement(command.command ? "button" : "span");
      one.textContent = command.title;
      if (command.command) one.type = "button";
      one.onclick = () => row.dispatchEvent(new CustomEvent("lens", { bubbles: true, detail: command }));
      row.append(one);
    }
    return row;
  }

  ignoreEvent() { return true; }
}

class Hint extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) { return other.text === this.text; }

  toDOM() {
    const one = document.createElement("span");
    Object.assign(one, { className: "hint", textContent: this.text });
    return one;
  }
}

const [found, field] = marks(Decoration.none, (held) => EditorView.decorations.from(held));
export const shownLenses = field;

// Asks for the links and hints of a text, and shows them unless it was edited meanwhile.
export async function look(client, view, uri) {
  const { doc } = view.state;
  const textDocument = { uri };
  const range = { start: { line: 0, character: 0 }, end: { line: doc.lines, character: 0 } };
  const [lenses, hints] = await Promise.all([
    client.request("textDocument/codeLens", { textDocument }),
    client.request("textDocument/inlayHint", { textDocument, range }),
  ]);
  if (!view.state.doc.eq(doc)) return;
  const lines = new Map();
  for (const { range: { start: { line } }, command } of lenses ?? []) {
    if (line < doc.lines) lines.set(line, [...(lines.get(line) ?? []), command]);
  }
  const above = [...lines].map(([line, commands]) =>
    Decoration.widget({ widget: new Lenses(commands), block: true, side: -1 }).range(doc.line(line + 1).from));
  const within = (hints ?? []).filter(({ position }) => position.line < doc.lines).map(({ position, label }) => {
    const line = doc.line(position.line + 1);
    return Decoration.widget({ widget: new Hint(label), side: 1 }).range(Math.min(line.from + position.character, line.to));
  });
  view.dispatch({ effects: found.of(Decoration.set([...above, ...within], true)) });
}
