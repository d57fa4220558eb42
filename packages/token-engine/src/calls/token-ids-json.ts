// A sign, ten digits and a comma.
const mostBytes = 12;
const zero = 0x30;
const comma = 0x2c;
const minus = 0x2d;

/** Token ids as a JSON array. Written byte by byte: with tens of thousands of ids a quarter of what joining them takes. */
export function tokenIdsJson(ids: Int32Array): string {
  const bytes = Buffer.allocUnsafe(ids.length * mostBytes);
  let at = 0;
  for (const id of ids) {
    let rest = Math.abs(id);
    let digits = 1;
    for (let bound = 10; digits < 10 && rest >= bound; bound *= 10) digits += 1;
    if (id < 0) bytes[at++] = minus;
    for (let place = at + digits - 1; place >= at; place -= 1) {
      bytes[place] = zero + (rest % 10);
      rest = Math.floor(rest / 10);
    }
    at += digits;
    bytes[at++] = comma;
  }
  return `[${bytes.toString('latin1', 0, Math.max(0, at - 1))}]`;
}
