// Marks in a text that the server sends anew from time to time, and that move with what is typed meanwhile.
import { StateEffect, StateField } from "@codemirror/state";

// An effect with which marks are sent, and the field that holds them.
export function marks(none, provide) {
  const sent = StateEffect.define();
  const field = StateField.define({
    create: () => none,
    update: (known, change) => change.effects.find((one) => one.is(sent))?.value ?? known.map(change.changes),
    provide,
  });
  return [sent, field];
}
