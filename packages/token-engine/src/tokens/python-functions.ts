import {
  dumpPythonJson,
  equalsPython,
  itemsOf,
  membersOf,
  printPython,
  type PythonJsonOptions,
} from './python-values.ts';
import { stripPython } from './python-text.ts';
import {
  templateArray,
  templateBoolean,
  templateNumber,
  templateString,
  type TemplateFunction,
  type TemplateValue,
} from './template-values.ts';

/**
 * What Jinja2 does in Python and the interpreter does differently. Templates are rewritten to call these; see
 * `rewriteForPython`. The names cannot be written in a template.
 */
export const pythonFunctions: Readonly<Record<string, TemplateFunction>> = {
  '#print': (args) => templateString(printPython(first(args))),
  '#equal': (args) => templateBoolean(equalsPython(first(args), second(args))),
  '#unequal': (args) => templateBoolean(!equalsPython(first(args), second(args))),
  '#concat': (args) => templateString(printPython(first(args)) + printPython(second(args))),
  '#tojson': (args) => templateString(dumpPythonJson(first(args), jsonOptions(args))),
  '#length': (args) => templateNumber(lengthOf(first(args))),
  '#list': (args) => templateArray(listOf(first(args))),
  '#items': (args) => templateArray(pairsOf(first(args))),
  '#iterate': (args) => iterate(first(args)),
  '#upper': (args) => templateString(printPython(first(args)).toUpperCase()),
  '#lower': (args) => templateString(printPython(first(args)).toLowerCase()),
  '#capitalize': (args) => templateString(capitalize(printPython(first(args)))),
  '#strip': (args) => strip(args, 'both'),
  '#lstrip': (args) => strip(args, 'left'),
  '#rstrip': (args) => strip(args, 'right'),
  '#join': (args) => join(first(args), args[1]),
  '#join_method': (args) => join(second(args), args[0]),
};

/** The filters, and the methods of strings, that are redirected to {@link pythonFunctions}. */
export const pythonFilters: ReadonlyMap<string, string> = new Map([
  ['tojson', '#tojson'],
  ['string', '#print'],
  ['length', '#length'],
  ['count', '#length'],
  ['list', '#list'],
  ['items', '#items'],
  ['upper', '#upper'],
  ['lower', '#lower'],
  ['capitalize', '#capitalize'],
  ['trim', '#strip'],
  ['join', '#join'],
]);
export const pythonMethods: ReadonlyMap<string, string> = new Map([
  ['strip', '#strip'],
  ['lstrip', '#lstrip'],
  ['rstrip', '#rstrip'],
  ['join', '#join_method'],
]);

function first(args: readonly TemplateValue[]): TemplateValue {
  const value = args[0];
  if (value === undefined) throw new TypeError('an argument is missing');
  return value;
}

function second(args: readonly TemplateValue[]): TemplateValue {
  const value = args[1];
  if (value === undefined) throw new TypeError('the second argument is missing');
  return value;
}

function isNamed(value: TemplateValue | undefined): boolean {
  return value?.type === 'KeywordArgumentsValue';
}

function strip(args: readonly TemplateValue[], side: 'both' | 'left' | 'right'): TemplateValue {
  const text = printPython(first(args));
  const characters = args[1];
  return templateString(
    characters?.type === 'StringValue'
      ? stripPython(text, side, characters.value as string)
      : stripPython(text, side),
  );
}

function lengthOf(value: TemplateValue): number {
  switch (value.type) {
    case 'StringValue': {
      // Python counts code points.
      let length = 0;
      for (const _ of value.value as string) length += 1;
      return length;
    }
    case 'ArrayValue':
    case 'TupleValue':
      return itemsOf(value).length;
    case 'ObjectValue':
      return membersOf(value).size;
    case 'UndefinedValue':
      return 0;
    default:
      throw new TypeError(`object of type ${value.type} has no len()`);
  }
}

function listOf(value: TemplateValue): readonly TemplateValue[] {
  switch (value.type) {
    case 'StringValue':
      return Array.from(value.value as string, templateString);
    case 'ObjectValue':
      return Array.from(membersOf(value).keys(), templateString);
    case 'ArrayValue':
    case 'TupleValue':
      return itemsOf(value);
    case 'UndefinedValue':
      return [];
    default:
      throw new TypeError(`object of type ${value.type} is not iterable`);
  }
}

function pairsOf(value: TemplateValue): readonly TemplateValue[] {
  if (value.type === 'UndefinedValue') return [];
  if (value.type !== 'ObjectValue') throw new TypeError('Can only get item pairs from a mapping.');
  return Array.from(membersOf(value), ([name, member]) => templateArray([templateString(name), member]));
}

// To loop over nothing is no error in Jinja2, nor is it over the characters of a text.
function iterate(value: TemplateValue): TemplateValue {
  const isList = value.type === 'UndefinedValue' || value.type === 'StringValue';
  return isList ? templateArray(listOf(value)) : value;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function join(items: TemplateValue, separator: TemplateValue | undefined): TemplateValue {
  if (isNamed(separator)) {
    const named = separator as TemplateValue;
    if (membersOf(named).has('attribute')) throw new TypeError('join(attribute=...) is not supported');
    return join(items, membersOf(named).get('d'));
  }
  const between = separator?.type === 'StringValue' ? (separator.value as string) : '';
  return templateString(listOf(items).map(printPython).join(between));
}

function jsonOptions(args: readonly TemplateValue[]): PythonJsonOptions {
  const named = args.find(isNamed);
  const get = (name: string): TemplateValue | undefined =>
    named === undefined ? undefined : membersOf(named).get(name);
  // Positional order of transformers' own filter: ensure_ascii, indent, separators, sort_keys.
  const positional = args.slice(1).filter((argument) => !isNamed(argument));
  const indent = get('indent') ?? positional[1];
  const separators = get('separators') ?? positional[2];
  return {
    ensureAscii: (get('ensure_ascii') ?? positional[0])?.value === true,
    indent:
      indent?.type === 'IntegerValue' || indent?.type === 'StringValue'
        ? (indent.value as number | string)
        : undefined,
    separators:
      separators === undefined || separators.type === 'NullValue' ? undefined : textPair(separators),
    sortKeys: (get('sort_keys') ?? positional[3])?.value === true,
  };
}

function textPair(value: TemplateValue): [string, string] {
  const [item, name] = listOf(value);
  if (item === undefined || name === undefined) throw new TypeError('separators must be a pair of strings');
  return [printPython(item), printPython(name)];
}
