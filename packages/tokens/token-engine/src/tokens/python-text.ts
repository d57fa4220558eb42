/** How Python spells values, where a chat template prints them: a token more or less is another prompt. */

/** `repr(float)`: the shortest digits that read back as the same number, exponents below 1e-4 and from 1e16. */
export function formatPythonFloat(value: number): string {
  if (Number.isNaN(value)) return 'nan';
  if (!Number.isFinite(value)) return value > 0 ? 'inf' : '-inf';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const [digits = '0', power = '0'] = value.toExponential().split('e');
  const exponent = Number(power);
  if (exponent < -4 || exponent >= 16) {
    const size = String(Math.abs(exponent)).padStart(2, '0');
    return `${digits}e${exponent < 0 ? '-' : '+'}${size}`;
  }
  const sign = value < 0 ? '-' : '';
  const significant = digits.replace('-', '').replace('.', '');
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${significant}`;
  const whole = significant.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  return `${sign}${whole}.${significant.slice(exponent + 1) || '0'}`;
}

/** `json.dumps(float)`, which has names of its own for what JSON lacks. */
export function formatPythonJsonFloat(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return formatPythonFloat(value);
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\\': '\\\\',
};

/** `repr(str)`, as far as printing the content of lists and dictionaries needs it. */
export function formatPythonString(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll(/[\u0000-\u001f\u007f-\u00a0\u00ad\\'"]/g, (character) => {
    if (character === "'" || character === '"') return character === quote ? `\\${character}` : character;
    return shortEscapes[character] ?? `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return quote + escaped + quote;
}

// What `str.strip()` removes: `str.isspace()`, which differs from JavaScript's trim() in five control characters
// and the byte order mark.
const space = '[\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const spaceCharacter = new RegExp(space);

/** `str.strip`, `lstrip` and `rstrip`; `characters` is a set, not a word. */
export function stripPython(text: string, side: 'both' | 'left' | 'right', characters?: string): string {
  const isStripped = (at: number): boolean => {
    const character = text.charAt(at);
    return characters === undefined ? spaceCharacter.test(character) : characters.includes(character);
  };
  let start = 0;
  let end = text.length;
  if (side !== 'right') while (start < end && isStripped(start)) start += 1;
  if (side !== 'left') while (end > start && isStripped(end - 1)) end -= 1;
  return text.slice(start, end);
}
