import { dumpPythonJson, equalsPython, itemsOf, membersOf, printPython } from './python-values.ts';
import { stripPython } from './python-text.ts';
import { templateValue, type TemplateFunction, type TemplateValue } from './template-values.ts';

/**
 * Functions of Jinja2 in Python that the interpreter has otherwise: operators by their sign, filters after `|`, methods
 * of strings after `.`. Templates are rewritten to call these, see `rewriteForPython`; none of the names can be written
 * in one.
 */
export const pythonFunctions: Readonly<Record<string, TemplateFunction>> = {
  '#print': (value) => printPython(value),
  '#iterate': iterate,
  '==': equalsPython,
  '!=': (left, right) => !equalsPython(left, right),
  '~': (left, right) => printPython(left) + printPython(right),
  '|string': (value) => printPython(value),
  '|tojson': toJson,
  '|length': (value) => listOf(value).length,
  '|count': (value) => listOf(value).length,
  '|list': listOf,
  '|items': pairsOf,
  '|upper': (value) => printPython(value).toUpperCase(),
  '|lower': (value) => printPython(value).toLowerCase(),
  '|capitalize': (value) => capitalize(printPython(value)),
  '|trim': (text, characters) => strip(text, 'both', characters),
  '|join': join,
  '.strip': (text, characters) => strip(text, 'both', characters),
  '.lstrip': (text, characters) => strip(text, 'left', characters),
  '.rstrip': (text, characters) => strip(text, 'right', characters),
  '.join': (separator, items) => join(items, separator),
};

function isNamed(value: TemplateValue | undefined): boolean {
  return value?.type === 'KeywordArgumentsValue';
}

function strip(text: TemplateValue, side: 'both' | 'left' | 'right', characters?: TemplateValue): string {
  return stripPython(printPython(text), side, textOf(characters));
}

function textOf(value: TemplateValue | undefined): string | undefined {
  return value?.type === 'StringValue' ? (value.value as string) : undefined;
}

/** The values that Python iterates over: code points, items, the names of fields; none for an undefined value. */
function listOf(value: TemplateValue): readonly TemplateValue[] {
  switch (value.type) {
    case 'StringValue':
      return Array.from(value.value as string, templateValue);
    case 'ObjectValue':
      return Array.from(membersOf(value).keys(), templateValue);
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
  return Array.from(membersOf(value), ([name, member]) => templateValue([templateValue(name), member]));
}

// To loop over nothing is no error in Jinja2, nor is it over the characters of a text.
function iterate(value: TemplateValue): TemplateValue {
  const isList = value.type === 'UndefinedValue' || value.type === 'StringValue';
  return isList ? templateValue(listOf(value)) : value;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1).toLowerCase();
}

function join(items: TemplateValue, separator?: TemplateValue): string {
  if (separator !== undefined && isNamed(separator)) {
    if (membersOf(separator).has('attribute')) throw new TypeError('join(attribute=...) is not supported');
    return join(items, membersOf(separator).get('d'));
  }
  return listOf(items)
    .map(printPython)
    .join(textOf(separator) ?? '');
}

function toJson(value: TemplateValue, ...args: TemplateValue[]): string {
  const named = args.find(isNamed);
  const positional = args.filter((argument) => !isNamed(argument));
  // In the positional order of transformers' own filter.
  const [ensureAscii, indent, separators, sortKeys] = [
    'ensure_ascii',
    'indent',
    'separators',
    'sort_keys',
  ].map((name, index) => (named && membersOf(named).get(name)) ?? positional[index]);
  return dumpPythonJson(value, {
    ensureAscii: ensureAscii?.value === true,
    indent: indent?.type === 'IntegerValue' ? (indent.value as number) : textOf(indent),
    separators:
      separators === undefined || separators.type === 'NullValue' ? undefined : textPair(separators),
    sortKeys: sortKeys?.value === true,
  });
}

function textPair(value: TemplateValue): [string, string] {
  const [item, name] = listOf(value);
  if (item === undefined || name === undefined) throw new TypeError('separators must be a pair of strings');
  return [printPython(item), printPython(name)];
}
