// Rules as they are typed: colours, completion, how deep a new line stands.
import { acceptCompletion, autocompletion, completionStatus, moveCompletionSelection, selectedCompletion } from "@codemirror/autocomplete";
import { StreamLanguage, indentService } from "@codemirror/language";

let keywords = new Set();

export const know = (words) => { keywords = new Set(words); };

// Enter begins a new line even while completions are shown, unless one was chosen with the arrows: a word that is whole
// already must stay as it was typed. Tab takes the first.
export const completing = autocompletion({ selectOnOpen: false, icons: false });

export function complete(view) {
  if (completionStatus(view.state) !== "active") return false;
  if (!selectedCompletion(view.state)) moveCompletionSelection(true)(view);
  return acceptCompletion(view);
}

// Colours: keywords are those of the server; everything else is plain to see.
export const rules = StreamLanguage.define({
  name: "rules",
  token(stream) {
    if (stream.match(/#.*/)) return "comment";
    if (stream.match(/"""[^]*?"""/) || stream.match(/"(?:[^"\\]|\\.)*"?/)) return "string";
    if (stream.match(/\[[A-Z][\w.-]*(?:,\s*[A-Z][\w.-]*)*\]/)) return "meta";
    if (stream.match(/\d+/)) return "number";
    if (stream.match(/[A-Za-z_]\w*/)) {
      const word = stream.current();
      return keywords.has(word) ? "keyword" : /^[A-Z]/.test(word) ? "typeName" : null;
    }
    stream.next();
    return null;
  },
  languageData: { commentTokens: { line: "#" } },
});

// A new line stands as deep as the one before, and deeper below a head.
export const indenting = indentService.of((context, at) => {
  if (context.simulatedBreak === null) return undefined;
  const { text } = context.lineAt(at, -1), own = /^ */.exec(text)[0].length;
  return /:\s*(\[[^\]]*\]\s*)?(#.*)?$/.test(text) ? own + context.unit : own;
});
