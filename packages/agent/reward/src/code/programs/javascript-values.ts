/** Code that both processes share: plain values travel as JSON, everything else by reference. */
export const javascriptValues = String.raw`
import { readSync, writeSync } from 'node:fs';

let read = Buffer.alloc(0);
const { parse, stringify } = JSON;

function send(message) {
  const bytes = Buffer.from(stringify(message) + '\n');
  for (let at = 0; at < bytes.length; ) at += writeSync(4, bytes, at);
}

function receive() {
  const parts = [read];
  for (;;) {
    const end = parts.at(-1).indexOf(10);
    if (end !== -1) {
      const line = Buffer.concat([...parts.slice(0, -1), parts.at(-1).subarray(0, end)]).toString('utf8');
      read = parts.at(-1).subarray(end + 1);
      return parse(line);
    }
    const part = Buffer.alloc(65_536);
    const length = readSync(3, part);
    if (length === 0) return undefined;
    parts.push(part.subarray(0, length));
  }
}

const lists = [['t', Uint8Array], ['T', Float64Array], ['I', Int32Array]];

/** Own properties are read as values; what has another prototype than objects have is passed by reference. */
function encode(value, refer, depth = 0) {
  if (depth > 200) throw new RangeError('a value that is nested too deeply');
  const again = (inner) => encode(inner, refer, depth + 1);
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value;
  if (value === undefined) return { u: 0 };
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0) ? value : { n: Object.is(value, -0) ? '-0' : String(value) };
  if (typeof value === 'bigint') return { i: String(value) };
  if (refer.knows?.(value)) return refer(value);
  if (Array.isArray(value)) return { l: Array.from(value, again) };
  if (value instanceof Map) return { m: [...value].map(([key, item]) => [again(key), again(item)]) };
  if (value instanceof Set) return { s: [...value].map(again) };
  if (value instanceof Date) return { d: value.getTime() };
  if (value instanceof RegExp) return { r: [value.source, value.flags] };
  for (const [tag, kind] of lists) if (value instanceof kind) return { [tag]: [...value] };
  const prototype = typeof value === 'object' ? Object.getPrototypeOf(value) : undefined;
  if (prototype === Object.prototype || prototype === null)
    return { o: Object.entries(value).map(([key, item]) => [key, again(item)]) };
  return refer(value);
}

function decode(value, resolve) {
  if (typeof value !== 'object' || value === null) return value;
  const again = (inner) => decode(inner, resolve);
  const [[tag, body] = []] = Object.entries(value);
  if (tag === 'u') return undefined;
  if (tag === 'n') return Number(body);
  if (tag === 'i') return BigInt(body);
  if (tag === 'l') return body.map(again);
  if (tag === 'm') return new Map(body.map(([key, item]) => [again(key), again(item)]));
  if (tag === 's') return new Set(body.map(again));
  if (tag === 'd') return new Date(body);
  if (tag === 'r') return new RegExp(body[0], body[1]);
  for (const [name, kind] of lists) if (tag === name) return name === 't' ? Buffer.from(body) : kind.from(body);
  if (tag === 'o') {
    const made = {};
    for (const [key, item] of body)
      Object.defineProperty(made, String(key), { value: again(item), writable: true, enumerable: true, configurable: true });
    return made;
  }
  return resolve(tag, body);
}
`;
