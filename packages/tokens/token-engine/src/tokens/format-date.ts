function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `datetime.strftime` in the C locale, for `strftime_now` of chat templates. An unknown directive is left as it is. */
export function formatDate(date: Date, format: string): string {
  const name = (style: Intl.DateTimeFormatOptions): string => date.toLocaleString('en-US', style);
  const startOfYear = new Date(date.getFullYear(), 0, 1);
  const dayOfYear =
    Math.round(
      (new Date(date.getFullYear(), date.getMonth(), date.getDate()).getTime() - startOfYear.getTime()) /
        86_400_000,
    ) + 1;
  const directives: Readonly<Record<string, string>> = {
    Y: String(date.getFullYear()),
    y: two(date.getFullYear() % 100),
    m: two(date.getMonth() + 1),
    d: two(date.getDate()),
    e: String(date.getDate()).padStart(2, ' '),
    B: name({ month: 'long' }),
    b: name({ month: 'short' }),
    A: name({ weekday: 'long' }),
    a: name({ weekday: 'short' }),
    H: two(date.getHours()),
    I: two(date.getHours() % 12 || 12),
    M: two(date.getMinutes()),
    S: two(date.getSeconds()),
    p: date.getHours() < 12 ? 'AM' : 'PM',
    j: String(dayOfYear).padStart(3, '0'),
    '%': '%',
  };
  return format.replaceAll(/%(-?)([A-Za-z%])/g, (directive: string, unpadded: string, letter: string) => {
    const value = directives[letter];
    if (value === undefined) return directive;
    return unpadded === '' ? value : value.replace(/^[0 ]+(?=\d)/, '');
  });
}
