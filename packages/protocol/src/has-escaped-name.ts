const colon = /[ \t\n\r]*:/y;

/**
 * Whether a member name of a JSON text has an escape in it. V8 13.6 (Node 24) can read such a name as another one: where a
 * name that ends with a backslash stood at the same place in an earlier object, `JSON.parse` takes `"x\u0041"` for `x\`.
 */
export function hasEscapedName(text: string): boolean {
  let at = 0;
  for (;;) {
    // Every backslash of a JSON text is in a string.
    at = text.indexOf('\\', at);
    if (at === -1) return false;
    at = endOfString(text, at);
    if (at === -1) return false;
    colon.lastIndex = at;
    if (colon.test(text)) return true;
  }
}

/** The place behind the string that is open at `from`; -1 where it is not closed. */
function endOfString(text: string, from: number): number {
  let at = from;
  for (;;) {
    at = text.indexOf('"', at);
    if (at === -1) return -1;
    let backslashes = 0;
    while (text[at - 1 - backslashes] === '\\') backslashes += 1;
    at += 1;
    if (backslashes % 2 === 0) return at;
  }
}
