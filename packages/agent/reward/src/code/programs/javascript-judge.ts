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
