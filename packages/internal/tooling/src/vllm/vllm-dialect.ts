import { type Exchange, readVllmRecording } from './vllm-recording.ts';

/** Values at a place of the real engine's answers, of all recordings. */
interface Place {
  /** The members of the objects there, in their order, as one text for each kind of object. */
  objects: Set<string>;
  /** Kinds of values that are no objects. */
  values: Set<string>;
}

type Dialect = ReadonlyMap<string, Place>;

let recorded: ReadonlyMap<string, Dialect> | undefined;

/**
 * In what an engine's answer differs from what the real vLLM answers on that route; empty where it might be vLLM's own. Compared are
 * the members of every object and their order, the kinds of all values, the type of the content and how a stream is framed. What a
 * value says does not count, nor do the headers of a connection.
 */
export function differencesFromVllm(exchange: Exchange): string[] {
  recorded ??= learnDialects();
  const kind = kindOf(exchange);
  const dialect = recorded.get(kind);
  if (dialect === undefined) return [`${kind}: was never recorded`];
  const spoken = new Map<string, Place>();
  learn(spoken, exchange);
  const differences: string[] = [];
  for (const [path, { objects, values }] of spoken) {
    const known = dialect.get(path);
    for (const members of objects) {
      if (known?.objects.has(members) === true) continue;
      differences.push(`${path}: {${members}}, vLLM has ${known === undefined ? 'nothing' : listOf(known)}`);
    }
    for (const value of values) {
      if (known?.values.has(value) === true || known === undefined) continue;
      differences.push(`${path}: ${value}, vLLM has ${listOf(known)}`);
    }
  }
  return differences.map((difference) => `${kind} ${difference}`);
}

function learnDialects(): Map<string, Dialect> {
  const dialects = new Map<string, Map<string, Place>>();
  for (const exchange of readVllmRecording().flatMap(({ exchanges }) => exchanges)) {
    const kind = kindOf(exchange);
    const dialect = dialects.get(kind) ?? new Map<string, Place>();
    dialects.set(kind, dialect);
    learn(dialect, exchange);
  }
  return dialects;
}

function kindOf({ path, status, pieces }: Exchange): string {
  // Errors look alike on all routes.
  if (status !== 200) return `error ${status}`;
  return isStream(pieces) ? `${path}, streamed` : path;
}

function isStream(pieces: readonly string[]): boolean {
  return /^(data|event):/.test(pieces.join(''));
}

function learn(dialect: Map<string, Place>, { headers, pieces }: Exchange): void {
  const names = new Map(headers.map(([name, value]) => [name.toLowerCase(), value]));
  placeAt(dialect, 'content-type').values.add(names.get('content-type') ?? 'none');
  const text = pieces.join('');
  if (!isStream(pieces)) {
    placeAt(dialect, 'length').values.add(names.has('content-length') ? 'told' : 'not told');
    walk(dialect, 'body', JSON.parse(text));
    return;
  }
  const events = text.split('\n\n');
  placeAt(dialect, 'end').values.add(events.slice(-2).join('\\n\\n'));
  for (const event of events.slice(0, -2)) walk(dialect, 'event', JSON.parse(event.replace(/^data: /, '')));
}

function walk(dialect: Map<string, Place>, path: string, value: unknown): void {
  const place = placeAt(dialect, path);
  if (typeof value !== 'object' || value === null) {
    place.values.add(value === null ? 'null' : typeof value);
    return;
  }
  if (Array.isArray(value)) {
    place.values.add(value.length === 0 ? 'an empty list' : 'a list');
    for (const member of value) walk(dialect, `${path}[]`, member);
    return;
  }
  // There the texts of tokens are names.
  if (path.endsWith('.logprobs.top_logprobs[]')) return;
  place.objects.add(Object.keys(value).join(', '));
  for (const [name, member] of Object.entries(value)) walk(dialect, `${path}.${name}`, member);
}

function placeAt(dialect: Map<string, Place>, path: string): Place {
  const place = dialect.get(path) ?? { objects: new Set(), values: new Set() };
  dialect.set(path, place);
  return place;
}

function listOf({ objects, values }: Place): string {
  return [...[...objects].map((members) => `{${members}}`), ...values].join(' or ');
}
