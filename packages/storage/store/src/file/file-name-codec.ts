/**
 * How one segment of a key becomes a file or directory name. The mapping is injective and uses lower-case ASCII only, so
 * it holds on file systems that ignore case or normalise Unicode (macOS):
 *
 * - lower-case letters, digits, `.`, `_`, `-` stay; everything else is `%xx` per UTF-8 byte, and so is a leading dot;
 * - capitals are written small, and `~` with a hexadecimal bit mask says which letters they were (bit 0 the first letter);
 * - a file ends in `.json` or in `%`, a directory in neither, so `a/b` and `a/b/c` can both exist;
 * - what is longer than a file name may be continues in nested directories: `first=` / `=second`;
 * - nothing at all, as between the slashes of `a//b`, is `~`.
 */

const simpleName = /^[a-z0-9_-][a-z0-9._-]*$/;
const jsonSuffix = '.json';
const jsonSuffixOfDirectory = '%2ejson';
const nothing = '~';

/** File names may have 255 bytes; the markers need some of them. */
const longestPiece = 240;

/** The names, outermost first, of the file that stands for the last segment of a key. */
export function fileNames(segment: string): string[] {
  return segment.endsWith(jsonSuffix) && segment.length > jsonSuffix.length
    ? split(encode(segment.slice(0, -jsonSuffix.length)), jsonSuffix)
    : split(encode(segment), '%');
}

/** The names, outermost first, of the directory that stands for any other segment, or for a bucket. */
export function directoryNames(segment: string): string[] {
  const encoded = encode(segment);
  return split(
    encoded.endsWith(jsonSuffix) ? encoded.slice(0, -jsonSuffix.length) + jsonSuffixOfDirectory : encoded,
    '',
  );
}

/** Meaning of a directory entry; `part` is the beginning of a long segment that continues one level down. */
export type DecodedName =
  | { kind: 'file'; segment: string }
  | { kind: 'directory'; segment: string }
  | { kind: 'part'; begun: string };

/**
 * Reads a directory entry back. `begun` is what the `part` directories above it have of the same segment.
 * Undefined for what this codec did not write (`.DS_Store`, notes, a temporary file): only the canonical name counts.
 */
export function decodeName(name: string, isFile: boolean, begun = ''): DecodedName | undefined {
  if (name.startsWith('=') !== (begun !== '')) return undefined;
  const whole = begun + (begun === '' ? name : name.slice(1));
  if (!isFile && name.endsWith('=')) return { kind: 'part', begun: whole.slice(0, -1) };
  const segment = isFile ? decodeFile(whole) : decode(whole);
  if (segment === undefined) return undefined;
  const isSimple = begun === '' && name.length <= longestPiece && simpleName.test(name);
  if (!isSimple || (!isFile && name.endsWith(jsonSuffix))) {
    const canonical = isFile ? fileNames(segment) : directoryNames(segment);
    if (canonical.map(withoutMarks).join('') !== whole || canonical.at(-1) !== name) return undefined;
  }
  return { kind: isFile ? 'file' : 'directory', segment };
}

function encode(segment: string): string {
  if (simpleName.test(segment)) return segment;
  if (segment === '') return nothing;
  const escaped = encodeURIComponent(segment)
    .replaceAll(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`)
    .replace(/^\./, '%2e')
    .toLowerCase();
  const capitals = capitalsOf(segment);
  return capitals === 0n ? escaped : `${escaped}~${capitals.toString(16)}`;
}

function decodeFile(name: string): string | undefined {
  if (name.endsWith('%')) return decode(name.slice(0, -1));
  if (!name.endsWith(jsonSuffix)) return undefined;
  const stem = decode(name.slice(0, -jsonSuffix.length));
  return stem === undefined ? undefined : stem + jsonSuffix;
}

function decode(name: string): string | undefined {
  if (simpleName.test(name)) return name;
  if (name === nothing) return '';
  const [text = '', mask, ...rest] = name.split('~');
  if (text === '' || rest.length > 0) return undefined;
  if (mask !== undefined && !/^[0-9a-f]+$/.test(mask)) return undefined;
  try {
    const plain = decodeURIComponent(text);
    return mask === undefined ? plain : withCapitals(plain, BigInt(`0x${mask}`));
  } catch {
    return undefined; // not valid percent-encoded UTF-8, so not ours
  }
}

function capitalsOf(segment: string): bigint {
  let mask = 0n;
  let letter = 0n;
  for (const character of segment.match(/[A-Za-z]/g) ?? []) {
    if (character <= 'Z') mask |= 1n << letter;
    letter += 1n;
  }
  return mask;
}

function withCapitals(text: string, mask: bigint): string {
  let letter = 0n;
  return text.replaceAll(/[a-z]/g, (character) => {
    const isCapital = ((mask >> letter) & 1n) === 1n;
    letter += 1n;
    return isCapital ? character.toUpperCase() : character;
  });
}

function split(encoded: string, ending: string): string[] {
  const pieces: string[] = [];
  for (let start = 0; start < encoded.length; start += longestPiece) {
    const isLast = start + longestPiece >= encoded.length;
    const piece = encoded.slice(start, start + longestPiece);
    // The leading mark also keeps a continuation from being `.` or `..`.
    pieces.push(`${start === 0 ? '' : '='}${piece}${isLast ? ending : '='}`);
  }
  return pieces;
}

function withoutMarks(name: string, index: number, names: readonly string[]): string {
  return name.slice(index === 0 ? 0 : 1, index === names.length - 1 ? undefined : -1);
}
