// Texts that were changed in two windows: what differs, and one text with both changes.

// Whether the second half of a character stands at a place: a server cannot read halves.
const isLate = (text, at) => (text.charCodeAt(at) & 0xfc00) === 0xdc00;

// The one part of a text that another replaces: from, to, and what stands there instead.
export function difference(old, text) {
  let from = 0, end = 0;
  const most = Math.min(old.length, text.length);
  while (from < most && old[from] === text[from]) from++;
  if (isLate(old, from) || isLate(text, from)) from--;
  while (end < most - from && old[old.length - 1 - end] === text[text.length - 1 - end]) end++;
  if (end && isLate(old, old.length - end)) end--;
  return { from, to: old.length - end, insert: text.slice(from, text.length - end) };
}

// A text with both changes to another; if they touch each other it is theirs, and `isClash` says so.
export function merged(base, mine, theirs) {
  if (mine === theirs || mine === base) return { text: theirs, isClash: false };
  if (theirs === base) return { text: mine, isClash: false };
  const a = difference(base, mine), b = difference(base, theirs);
  const [first, last] = a.from < b.from ? [a, b] : [b, a];
  if (first.to >= last.from) return { text: theirs, isClash: true };
  const text = base.slice(0, first.from) + first.insert + base.slice(first.to, last.from) + last.insert + base.slice(last.to);
  return { text, isClash: false };
}
