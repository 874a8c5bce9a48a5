// Texts that were changed in two windows: what differs, and one text with both changes.
import { ChangeSet } from "@codemirror/state";

// Whether the second half of a character stands at a place: a server cannot read halves.
const isLate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

// The one part of a text that another replaces: from, to, and what stands there instead.
function difference(old, text) {
  let from = 0, end = 0;
  const most = Math.min(old.length, text.length);
  while (from < most && old[from] === text[from]) from++;
  if (isLate(old, from) || isLate(text, from)) from--;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  if (end && isLate(old, old.length - end)) end--;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

// The change that makes another text of a `base` in one that has changes of its own: nothing that was typed is lost.
export function beside(base, theirs, own) {
  const changes = ChangeSet.of(base === theirs ? [] : difference(base, theirs), base.length);
  return changes.map(own);
}
