import { javascriptValues } from './javascript-values.ts';

/** Runs the program, and answers calls with values. It learns what it is called with, and nothing else of the tests. */
export const javascriptSolution = String.raw`${javascriptValues}
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
