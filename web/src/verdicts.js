// The verdicts of scenarios, in a gutter beside their titles.
import { RangeSet } from "@codemirror/state";
import { GutterMarker, gutter } from "@codemirror/view";
import { marks } from "./marks.js";

// Beside the title of each scenario stands whether it passes, fails, or fails since an edit.
class Verdict extends GutterMarker {
  constructor(word) {
    super();
    this.word = word;
  }

  eq(other) { return other.word === this.word; }

  toDOM() {
    const one = document.createElement("span");
    Object.assign(one, { className: `verdict ${this.word}`, title: this.word });
    one.textContent = { passes: "✓", changed: "Δ", fails: "✗" }[this.word];
    return one;
  }
}

const [judged, verdicts] = marks(RangeSet.empty);
export const verdictGutter = [verdicts, gutter({ class: "verdicts", markers: (view) => view.state.field(verdicts) })];

export function judge(view, judgements) {
  const { doc } = view.state;
  const found = judgements.filter(([line]) => line < doc.lines);
  const marks = found.map(([line, word]) => new Verdict(word).range(doc.line(line + 1).from));
  view.dispatch({ effects: judged.of(RangeSet.of(marks, true)) });
}
