import type { JsonScanner } from '../json-bytes/json-scanner.ts';

/** Fields that hold a text of which streams send pieces: the piece's JSON without its quotes, and other values whole. */
export interface Fragment {
  /** Name and the inside of the JSON text, escapes as they came. */
  texts: [name: string, piece: string][];
  /** Name and JSON text of what is no text; nulls are left out. */
  values: [name: string, json: string][];
}

/** A piece of a tool call. */
export interface ToolCallFragment extends Fragment {
  /** Which tool call it belongs to; undefined where the engine does not say. */
  index: number | undefined;
  /** The pieces of `function` or `custom`. */
  bodies: [name: string, body: Fragment][];
}

/** Additions of one event to a choice's message. */
export interface Delta extends Fragment {
  functionCall: Fragment | undefined;
  toolCalls: ToolCallFragment[];
}

/** Reads a choice's `delta` and goes past it. undefined where it is no object. */
export function readDelta(scanner: JsonScanner): Delta | undefined {
  if (scanner.skipUnlessObject()) return undefined;
  const delta: Delta = { texts: [], values: [], functionCall: undefined, toolCalls: [] };
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    const name = scanner.key();
    const first = scanner.peek();
    if (name === 'tool_calls') delta.toolCalls = [];
    if (name === 'tool_calls' && first === 0x5b) {
      for (let next = scanner.firstItem(); next; next = scanner.nextItem()) {
        if (!scanner.skipUnlessObject()) delta.toolCalls.push(readToolCall(scanner));
      }
    } else if (name === 'function_call' && first === 0x7b) delta.functionCall = readFragment(scanner);
    else readInto(scanner, name, delta);
  }
  return delta;
}

/** True if the event adds nothing. */
export function isEmptyDelta(delta: Delta | undefined): boolean {
  return (
    delta !== undefined &&
    delta.texts.length === 0 &&
    delta.values.length === 0 &&
    delta.toolCalls.length === 0 &&
    delta.functionCall === undefined
  );
}

function readToolCall(scanner: JsonScanner): ToolCallFragment {
  const call: ToolCallFragment = { texts: [], values: [], index: undefined, bodies: [] };
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    const name = scanner.key();
    const first = scanner.peek();
    if (name === 'index') {
      const index = Number(scanner.readText());
      if (Number.isInteger(index)) call.index = index;
    } else if ((name === 'function' || name === 'custom') && first === 0x7b) {
      drop(call.bodies, name);
      call.bodies.push([name, readFragment(scanner)]);
    } else readInto(scanner, name, call);
  }
  return call;
}

function readFragment(scanner: JsonScanner): Fragment {
  const fragment: Fragment = { texts: [], values: [] };
  for (let more = scanner.firstMember(); more; more = scanner.nextMember()) {
    readInto(scanner, scanner.key(), fragment);
  }
  return fragment;
}

// Of fields with the same name the last one counts.
function readInto(scanner: JsonScanner, name: string, fragment: Fragment): void {
  drop(fragment.texts, name);
  drop(fragment.values, name);
  const first = scanner.peek();
  const start = scanner.at;
  if (first === 0x22) {
    scanner.skipString();
    fragment.texts.push([name, scanner.bytes.toString('utf8', start + 1, scanner.at - 1)]);
  } else if (!scanner.skipNull()) {
    scanner.skipValue();
    fragment.values.push([name, scanner.bytes.toString('utf8', start, scanner.at)]);
  }
}

function drop(entries: [name: string, unknown][], name: string): void {
  // A loop: every piece of every stream comes through here.
  for (let at = 0; at < entries.length; at += 1) {
    if (entries[at]?.[0] === name) return void entries.splice(at, 1);
  }
}
