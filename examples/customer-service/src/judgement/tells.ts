/**
 * True if a text has a fact in it, or one of several that stand between `|`. Amounts are compared as numbers: `$64.9`
 * tells `64.90`, and `164.90` does not.
 */
export function tells(text: string, fact: string): boolean {
  return fact.split('|').some((one) => {
    if (/^\d+(\.\d+)?$/.test(one)) return numbersIn(text).includes(Number(one));
    return plain(text).includes(plain(one));
  });
}

function numbersIn(text: string): number[] {
  return [...text.matchAll(/\d+(?:,\d{3})*(?:\.\d+)?/g)].map(([digits]) =>
    Number(digits.replaceAll(',', '')),
  );
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s,]+/g, ' ');
