/** What both processes know: plain values as JSON, everything else by reference. */
const shared = String.raw`
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

/** Runs the program, and answers calls with values. It learns what it is called with, and nothing else of the tests. */
export const javascriptSolution = String.raw`${shared}
import { writeFileSync } from 'node:fs';

const kept = [];
const numbers = new Map();

function numberOf(value) {
  if (!numbers.has(value)) numbers.set(value, kept.push(value) - 1);
  return numbers.get(value);
}

function refer(value) {
  const number = numberOf(value);
  if (typeof value?.then === 'function') return { promise: number };
  if (value instanceof Error) return { error: errorOf(value) };
  if (typeof value !== 'object' && typeof value !== 'function') throw new TypeError('no value that can be passed on');
  return { ref: [number, typeof value === 'function'] };
}

const resolve = (tag, body) => (tag === 'callback' ? (...args) => callBack(body, args) : kept[body]);

function callBack(number, args) {
  send({ callback: number, args: encode(args, refer) });
  const message = receive();
  if (message === undefined) process.exit();
  if ('error' in message) throw new Error(message.error);
  return decode(message.value, resolve);
}

function errorOf(error) {
  const names = [];
  for (let kind = Object.getPrototypeOf(Object(error)); kind !== null; kind = Object.getPrototypeOf(kind))
    names.push(String(kind.constructor?.name));
  const ref = typeof error === 'object' && error !== null ? { ref: numberOf(error) } : {};
  return { names, name: String(error?.name), message: String(error?.message ?? error).slice(0, 2_000), ...ref };
}

const actions = {
  call: (callee, self, ...args) => Reflect.apply(callee, self, args),
  construct: (callee, ...args) => Reflect.construct(callee, args),
  get: (object, name) => object[name],
  set: (object, name, value) => ((object[name] = value), true),
  has: (object, name) => name in object,
  delete: (object, name) => delete object[name],
  keys: (object) => Object.keys(object),
  iterate: (object) => object[Symbol.iterator](),
  iterateLater: (object) => object[Symbol.asyncIterator](),
  step: (iterator) => iterator.next(),
  await: (promise) => promise,
  isIterable: (object) => typeof object[Symbol.iterator] === 'function',
  isIterableLater: (object) => typeof object[Symbol.asyncIterator] === 'function',
  instanceOf: (object, kind) => object instanceof kind,
  text: (object) => String(object),
};

let evaluate;

function name(text) {
  try {
    return { value: encode(evaluate(text), refer) };
  } catch {
    return undefined;
  }
}

async function perform({ do: action, args: before }) {
  const args = before.map((value) => decode(value, resolve));
  let value = actions[action](...args);
  if (action === 'await' || action === 'step') value = await value;
  const after = args.map((arg) => encode(arg, refer));
  const isReference = (arg) => typeof arg === 'object' && arg !== null && ('ref' in arg || 'callback' in arg);
  const isSame = (arg, at) => isReference(before[at]) || stringify(arg) === stringify(before[at]);
  const changed = after.flatMap((arg, at) => (isSame(arg, at) ? [] : [[at, arg]]));
  return { value: encode(value, refer), changed };
}

const { program } = receive();
const { names } = receive();
globalThis.__scope = (scope) => (evaluate = scope);
// An eval in the module's own scope sees its constants, functions and classes.
writeFileSync('solution.mjs', program + '\n;globalThis.__scope((name) => eval(name));\n');
await import(process.cwd() + '/solution.mjs');
delete globalThis.__scope;
send({ names: Object.fromEntries(names.flatMap((text) => (name(text) ? [[text, name(text)]] : []))) });
for (let message = receive(); message !== undefined; message = receive()) {
  try {
    send(await perform(message));
  } catch (error) {
    send({ error: errorOf(error) });
  }
}
process.exit();
`;

/** Holds the tests and compares. Nothing of the program runs here: what arrives are values, and references that it asks about. */
export const javascriptJudge = String.raw`${shared}
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { SourceTextModule } from 'node:vm';

const tests = readFileSync(0, 'utf8');
const callbacks = [];
const numbers = new WeakMap();
const remotes = new Map();
let used = false;

function end(result) {
  writeSync(5, stringify(result) + '\n');
  process.exit(1);
}

const failed = (error) => end({ failed: String(error?.stack ?? error) });

function refer(value) {
  if (typeof value === 'object' || typeof value === 'function') {
    if (numbers.has(value)) return { ref: numbers.get(value) };
    if (typeof value === 'function') return { callback: callbacks.push(value) - 1 };
  }
  const kind = value?.constructor?.name ?? typeof value;
  return end({ broken: 'The tests pass an object of ' + kind + ' to the program. Pass values or functions.' });
}

refer.knows = (value) => numbers.has(Object(value));

function resolve(tag, body) {
  if (tag === 'promise') return later(() => perform('await', [known(body, false)]));
  if (tag === 'error') return errorOf(body);
  if (tag === 'ref') return known(body[0], body[1]);
  throw new TypeError('no value');
}

/** After what the tests do at once, which may be what the program waits for. */
function later(step) {
  return new Promise((settle, refuse) => {
    setImmediate(() => {
      try {
        settle(step());
      } catch (error) {
        refuse(error);
      }
    });
  });
}

function known(number, isFunction) {
  if (!remotes.has(number)) remotes.set(number, remote(number, isFunction));
  return remotes.get(number);
}

function perform(action, args) {
  used = true;
  send({ do: action, args: args.map((arg) => encode(arg, refer)) });
  for (;;) {
    const message = receive();
    if (message === undefined) end({ failed: 'The program ended before its tests.', ended: true });
    if ('callback' in message) send(calledBack(message));
    else if ('error' in message) throw errorOf(message.error);
    else {
      // What the program changed in a list, it changed in a copy.
      for (const [at, value] of message.changed ?? []) update(args[at], decode(value, resolve));
      return decode(message.value, resolve);
    }
  }
}

function calledBack({ callback, args }) {
  try {
    const value = callbacks[callback](...decode(args, resolve));
    if (typeof value?.then === 'function') throw new TypeError('The tests pass an asynchronous function: pass a synchronous one.');
    return { value: encode(value, refer) };
  } catch (error) {
    return { error: String(error?.message ?? error) };
  }
}

function update(old, made) {
  if (typeof old !== 'object' || old === null || numbers.has(old) || old.constructor !== made?.constructor) return;
  if (Array.isArray(old)) old.splice(0, old.length, ...made);
  else if (old instanceof Map) (old.clear(), made.forEach((item, key) => old.set(key, item)));
  else if (old instanceof Set) (old.clear(), made.forEach((item) => old.add(item)));
  else if (ArrayBuffer.isView(old)) old.set(made.subarray(0, old.length));
  else if (old instanceof Date) old.setTime(made.getTime());
  else if (!(old instanceof RegExp)) {
    for (const key of Object.keys(old)) delete old[key];
    Object.assign(old, made);
  }
}

const kinds = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError };

function errorOf({ names = [], name, message, ref }) {
  const kind = kinds[names.find((each) => Object.hasOwn(kinds, each))] ?? Error;
  const error = new kind(String(message));
  if (error.name !== name) Object.defineProperty(error, 'name', { value: String(name), configurable: true, writable: true });
  if (typeof ref === 'number') numbers.set(error, ref);
  return error;
}

/** An object of the program. It is equal to itself alone, or to what has the same properties, which are compared here. */
function remote(number, isFunction) {
  const keys = () => perform('keys', [made]).filter((key) => typeof key === 'string');
  const made = new Proxy(isFunction ? function () {} : {}, {
    get(_, key) {
      if (key === Symbol.hasInstance) return (value) => numbers.has(Object(value)) && perform('instanceOf', [value, made]) === true;
      if (key === Symbol.toPrimitive) return () => String(perform('text', [made]));
      if (key === Symbol.iterator) return perform('isIterable', [made]) === true ? () => steps(perform('iterate', [made])) : undefined;
      if (key === Symbol.asyncIterator)
        return perform('isIterableLater', [made]) === true ? () => laterSteps(perform('iterateLater', [made])) : undefined;
      return typeof key === 'symbol' ? undefined : perform('get', [made, key]);
    },
    set: (_, key, value) => perform('set', [made, key, value]) === true,
    has: (_, key) => typeof key === 'string' && perform('has', [made, key]) === true,
    deleteProperty: (_, key) => perform('delete', [made, key]) === true,
    ...(isFunction
      ? {}
      : {
          ownKeys: keys,
          getOwnPropertyDescriptor: (_, key) =>
            typeof key === 'string' && keys().includes(key)
              ? { value: perform('get', [made, key]), writable: true, enumerable: true, configurable: true }
              : undefined,
        }),
    apply: (_, self, args) => perform('call', [made, self, ...args]),
    construct: (_, args) => Object(perform('construct', [made, ...args])),
  });
  numbers.set(made, number);
  return made;
}

function* steps(iterator) {
  for (;;) {
    const { done, value } = perform('step', [iterator]);
    if (done) return value;
    yield value;
  }
}

async function* laterSteps(iterator) {
  for (;;) {
    const { done, value } = await later(() => perform('step', [iterator]));
    if (done) return value;
    yield value;
  }
}

process.on('uncaughtException', failed);
try {
  new SourceTextModule(tests);
} catch (error) {
  end({ broken: 'The tests do not compile: ' + error.message });
}
globalThis.assert = assert;
// Names that this process has too, such as assert, are its own, whatever the program calls so.
const words = new Set(tests.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
send({ names: [...words].filter((word) => !(word in globalThis)) });
const loaded = receive();
if (loaded === undefined) end({ failed: 'The program ended before its tests.', ended: true });
for (const [name, { value }] of Object.entries(loaded.names))
  if (words.has(name) && !(name in globalThis)) globalThis[name] = decode(value, resolve);
let isDone = false;
process.on('exit', () => {
  if (!isDone) return;
  writeSync(5, stringify(used ? { passed: true } : { broken: 'The tests ended without a call of the program, so they check nothing.' }) + '\n');
});
await import('data:text/javascript;base64,' + Buffer.from(tests).toString('base64')).catch(failed);
isDone = true;
`;
