import { javascriptValues } from './javascript-values.ts';

/** Holds the tests and compares. Nothing of the program runs here: what arrives are values, and references that it asks about. */
export const javascriptJudge = String.raw`${javascriptValues}
import assert from 'node:assert';
import { readFileSync } from 'node:fs';
import { SourceTextModule } from 'node:vm';

const tests = readFileSync(0, 'utf8');
const callbacks = [];
const numbers = new WeakMap();
const remotes = new Map();
let used = false;
let isSaid = false;

/** The one verdict: the first that is known. */
function end(result) {
  if (!isSaid) writeSync(5, stringify(result) + '\n');
  isSaid = true;
  process.exit(1);
}

const failed = (error) => end({ failed: String(error?.stack ?? error) });

const malformed = () => end({ failed: 'The program wrote what is no answer.' });

/** The value that the program wrote, read under guard: no test that expects an error takes the guard's for one. */
function guarded(step) {
  try {
    return step();
  } catch {
    return malformed();
  }
}

function answer() {
  const message = guarded(receive);
  if (message === undefined) end({ failed: 'The program ended before its tests.', ended: true });
  return typeof message === 'object' && message !== null && !Array.isArray(message) ? message : malformed();
}

function knownIndex(at, among) {
  if (!Number.isInteger(at) || at < 0 || at >= among.length) throw new RangeError('no such number');
  return at;
}

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
  if (tag === 'promise') {
    const promise = later(() => perform('await', [known(body, false)]));
    numbers.set(promise, body);
    return promise;
  }
  if (tag === 'error' && Number.isInteger(body.ref)) return errorOf(body);
  if (tag === 'ref') return known(body[0], body[1] === true);
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
  if (!Number.isInteger(number) || number < 0) throw new TypeError('no reference');
  if (!remotes.has(number)) remotes.set(number, remote(number, isFunction));
  return remotes.get(number);
}

function perform(action, args) {
  used = true;
  send({ do: action, args: args.map((arg) => encode(arg, refer)) });
  for (;;) {
    const message = answer();
    if (Object.hasOwn(message, 'callback')) send(calledBack(message));
    else if (Object.hasOwn(message, 'error')) throw guarded(() => errorOf(message.error));
    else {
      // What the program changed in a list, it changed in a copy.
      const changed = guarded(() => (message.changed ?? []).map(([at, value]) => [knownIndex(at, args), decode(value, resolve)]));
      for (const [at, value] of changed) update(args[at], value);
      return guarded(() => decode(message.value, resolve));
    }
  }
}

function calledBack({ callback, args }) {
  const called = guarded(() => callbacks[knownIndex(callback, callbacks)]);
  const given = guarded(() => [...decode(args, resolve)]);
  try {
    const value = called(...given);
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
    for (const key of Object.keys(made)) Object.defineProperty(old, key, Object.getOwnPropertyDescriptor(made, key));
  }
}

const kinds = { Error, TypeError, RangeError, SyntaxError, ReferenceError, EvalError, URIError, AggregateError };

function errorOf({ names, name, message, ref }) {
  if (ref !== undefined && (!Number.isInteger(ref) || ref < 0)) throw new TypeError('no reference');
  const kind = kinds[names.find((each) => Object.hasOwn(kinds, each))] ?? Error;
  const error = new kind(String(message));
  if (error.name !== name) Object.defineProperty(error, 'name', { value: String(name), configurable: true, writable: true });
  if (ref !== undefined) numbers.set(error, ref);
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
    construct: (_, args) => {
      const object = perform('construct', [made, ...args]);
      return typeof object === 'object' && object !== null ? object : malformed();
    },
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
const words = new Set(tests.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu));
send({ run: true });
const { names } = answer();
// Names that this process has too, such as assert, are its own, whatever the program calls so.
for (const [name, body] of guarded(() => Object.entries(names)))
  if (words.has(name) && !(name in globalThis)) globalThis[name] = guarded(() => decode(body.value, resolve));
let isDone = false;
process.on('exit', () => {
  if (!isDone || isSaid) return;
  // A runner of tests says so when one has failed, also because a name is not defined.
  const isFailed = (process.exitCode ?? 0) !== 0;
  writeSync(5, stringify(isFailed ? { failed: 'The tests ended with ' + process.exitCode + '.' } : used ? { passed: true } : { broken: 'The tests ended without a call of the program, so they check nothing.' }) + '\n');
});
await import('data:text/javascript;base64,' + Buffer.from(tests).toString('base64')).catch(failed);
isDone = true;
`;
