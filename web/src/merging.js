// Texts that were changed in two windows: what differs, and one text with both changes.
import { ChangeSet } from "@codemirror/state";

const MOST_COMPARED = 4_000_000; // The largest product of two numbers of lines that are compared one by one.

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

// The parts of a text that another replaces, by lines and within those by letters.
function* differences(old, text) {
  const whole = difference(old, text);
  const a = old.slice(whole.from, whole.to).split(/(?<=\n)/), b = whole.insert.split(/(?<=\n)/);
  if (a.length * b.length > MOST_COMPARED) return yield whole;
  const width = b.length + 1, common = new Uint32Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i--) {
    for (let j = b.length - 1; j >= 0; j--) {
      common[i * width + j] = a[i] === b[j] ? common[(i + 1) * width + j + 1] + 1
        : Math.max(common[(i + 1) * width + j], common[i * width + j + 1]);
    }
  }
  const same = (i, j) => i < a.length && j < b.length && a[i] === b[j];
  let i = 0, j = 0, from = whole.from;
  while (i < a.length || j < b.length) {
    if (same(i, j)) { from += a[i++].length; j++; continue; }
    let gone = "", came = "";
    while ((i < a.length || j < b.length) && !same(i, j)) {
      if (j >= b.length || (i < a.length && common[(i + 1) * width + j] >= common[i * width + j + 1])) gone += a[i++];
      else came += b[j++];
    }
    const one = difference(gone, came);
    yield { from: from + one.from, to: from + one.to, insert: one.insert };
    from += gone.length;
  }
}

// The change that makes one text of another.
export const changed = (old, text) => ChangeSet.of(old === text ? [] : [...differences(old, text)], old.length);

// How much of two texts differs.
export function distance(old, text) {
  const { from, to, insert } = difference(old, text);
  return to - from + insert.length;
}

// The change that makes another text of a `base` in one that has changes of its own: nothing that was typed is lost.
export function beside(base, theirs, own) {
  return changed(base, theirs).map(own);
}
