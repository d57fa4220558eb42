const months = 'January February March April May June July August September October November December'.split(
  ' ',
);
const month = `(${months.join('|')}|${months.map((name) => name.slice(0, 3)).join('|')})\\.?`;
const spelled = new RegExp(
  `\\b(?:(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${month}|${month} (\\d{1,2})(?:st|nd|rd|th)?)\\b`,
  'gi',
);

/** The amounts of money and the days of the year in a text, each in one spelling: `64.90` and `3-26`. */
export function factsIn(text: string): Set<string> {
  const amounts = [...text.matchAll(/\$\s*([\d,]+(?:\.\d+)?)|(?<![\d.])([\d,]+\.\d{2})(?!\d)/g)].map(
    ([, dollars, plain]) => Number((dollars ?? plain ?? '').replaceAll(',', '')).toFixed(2),
  );
  const days = [...text.matchAll(/\b\d{4}-(\d{2})-(\d{2})\b/g)].map(
    ([, number, day]) => `${Number(number)}-${Number(day)}`,
  );
  const spelledDays = [...text.matchAll(spelled)].map(([, before, second, first, after]) => {
    const name = (first ?? second ?? '').slice(0, 3).toLowerCase();
    const number = months.findIndex((one) => one.toLowerCase().startsWith(name)) + 1;
    return `${number}-${Number(before ?? after)}`;
  });
  return new Set([...amounts, ...days, ...spelledDays]);
}
