import { javascriptValues } from './javascript-values.ts';

/** Runs the program, and answers calls with values. It learns what it is called with, and nothing else of the tests. */
export const javascriptSolution = String.raw`${javascriptValues}
import { writeFileSync } from 'node:fs';
import { createRequire, stripTypeScriptTypes } from 'node:module';

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
let exported = {};

/** The value of a name of the program: in its own scope, or among its exports. */
function name(text) {
  const own = (object) => (Object.hasOwn(Object(object), text) ? object[text] : undefined);
  let value;
  try {
    value = evaluate(text);
  } catch {
    // It is no name of its scope.
  }
  value ??= own(module.exports) ?? own(exported);
  if (value === undefined && typeof module.exports === 'function' && module.exports.name === text) value = module.exports;
  try {
    return value === undefined ? undefined : { value: encode(value, refer) };
  } catch {
    return undefined;
  }
}

/** As a module, which may also use what CommonJS has, or be TypeScript. */
async function run(program) {
  const load = async (text, file) => {
    // An eval in the module's own scope sees its constants, functions and classes.
    writeFileSync(file, text + '\n;globalThis.__scope((__word) => eval(__word));\n');
    return import(process.cwd() + '/' + file);
  };
  try {
    return await load(program, 'solution.mjs');
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return load(stripTypeScriptTypes(program, { mode: 'transform' }), 'typed.mjs');
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
receive();
globalThis.require = createRequire(process.cwd() + '/');
globalThis.module = { exports: {} };
globalThis.exports = globalThis.module.exports;
globalThis.__scope = (scope) => (evaluate = scope);
// Nothing of the tests is asked for: all names of the program are sent, and the judge takes those that it needs.
const words = [...new Set(program.match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/gu) ?? [])].filter((word) => !(word in globalThis));
exported = await run(program);
delete globalThis.__scope;
send({ names: Object.fromEntries(words.map((text) => [text, name(text)]).filter(([, value]) => value !== undefined)) });
for (let message = receive(); message !== undefined; message = receive()) {
  try {
    send(await perform(message));
  } catch (error) {
    send({ error: errorOf(error) });
  }
}
process.exit();
`;
