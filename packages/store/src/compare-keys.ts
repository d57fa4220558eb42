/**
 * Orders keys as S3 lists them: by the bytes of their UTF-8 form. JavaScript's `<` compares UTF-16 units, which puts
 * an emoji (a surrogate pair) before U+FFFF although its UTF-8 bytes are greater.
 */
export function compareKeys(left: string, right: string): number {
  const shared = Math.min(left.length, right.length);
  for (let index = 0; index < shared; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return rank(a) - rank(b);
  }
  return left.length - right.length;
}

// Surrogates stand for code points above U+FFFF, so in UTF-8 they come after every other unit.
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x1_0000 : unit;
}
