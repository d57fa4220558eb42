import { formatPythonFloat, formatPythonJsonFloat, formatPythonString } from './python-text.ts';
import type { TemplateValue } from './template-values.ts';

/** How `json.dumps` is asked to write. */
export interface PythonJsonOptions {
  /** Spaces a level, or the text itself; undefined writes one line. */
  indent?: number | string | undefined;
  /** @default false, as the `tojson` of chat templates has it */
  ensureAscii?: boolean | undefined;
  /** @default false */
  sortKeys?: boolean | undefined;
  /** Between items, and between name and value. @default [', ', ': '], with `indent` [',', ': '] */
  separators?: readonly [string, string] | undefined;
}

/** How a kind of Python's texts spells values. */
interface Spelling {
  none: string;
  true: string;
  false: string;
  float(value: number): string;
  text(value: string): string;
  /** The items, or the fields, of what stands at a depth from 0. */
  list(brackets: string, items: readonly string[], depth: number): string;
  /** Its brackets, and what stands behind a lone item. */
  tuple: { brackets: string; afterOne: string };
  nameSeparator: string;
  /** Prints a value that has no spelling of its own. */
  other(value: TemplateValue): string;
}

/** `json.dumps` of Python. */
export function dumpPythonJson(value: TemplateValue, options: PythonJsonOptions = {}): string {
  const indent = typeof options.indent === 'number' ? ' '.repeat(options.indent) : options.indent;
  const [itemSeparator, nameSeparator] = options.separators ?? [indent === undefined ? ', ' : ',', ': '];
  const spelling: Spelling = {
    none: 'null',
    true: 'true',
    false: 'false',
    float: formatPythonJsonFloat,
    text(raw) {
      const quoted = JSON.stringify(raw);
      return options.ensureAscii === true ? escapeNonAscii(quoted) : quoted;
    },
    list([open = '', close = ''], items, depth) {
      if (items.length === 0 || indent === undefined) return open + items.join(itemSeparator) + close;
      const inner = `\n${indent.repeat(depth + 1)}`;
      return `${open}${inner}${items.join(itemSeparator + inner)}\n${indent.repeat(depth)}${close}`;
    },
    tuple: { brackets: '[]', afterOne: '' },
    nameSeparator,
    other(item) {
      if (item.type === 'UndefinedValue') return 'null';
      throw new TypeError(`Object of type ${item.type} is not JSON serializable`);
    },
  };
  return spell(value, spelling, options.sortKeys);
}

const repr: Spelling = {
  none: 'None',
  true: 'True',
  false: 'False',
  float: formatPythonFloat,
  text: formatPythonString,
  list: ([open = '', close = ''], items) => open + items.join(', ') + close,
  tuple: { brackets: '()', afterOne: ',' },
  nameSeparator: ': ',
  other: ({ type, value }) => (type === 'UndefinedValue' ? 'Undefined' : String(value)),
};

/** `str(value)` of Python. */
export function printPython(value: TemplateValue): string {
  if (value.type === 'StringValue') return value.value as string;
  return value.type === 'UndefinedValue' ? '' : spell(value, repr);
}
function spell(value: TemplateValue, spelling: Spelling, sortKeys = false, depth = 0): string {
  const inner = (item: TemplateValue): string => spell(item, spelling, sortKeys, depth + 1);
  switch (value.type) {
    case 'NullValue':
      return spelling.none;
    case 'BooleanValue':
      return value.value === true ? spelling.true : spelling.false;
    case 'IntegerValue':
      return String(value.value);
    case 'FloatValue':
      return spelling.float(value.value as number);
    case 'StringValue':
      return spelling.text(value.value as string);
    case 'ArrayValue':
      return spelling.list('[]', itemsOf(value).map(inner), depth);
    case 'TupleValue': {
      const { brackets, afterOne } = spelling.tuple;
      const items = itemsOf(value).map(inner);
      return spelling.list(brackets, items.length === 1 ? [`${items[0]}${afterOne}`] : items, depth);
    }
    case 'ObjectValue': {
      const members = [...membersOf(value)];
      if (sortKeys) members.sort(([left], [right]) => compareCodePoints(left, right));
      const written = members.map(
        ([name, member]) => spelling.text(name) + spelling.nameSeparator + inner(member),
      );
      return spelling.list('{}', written, depth);
    }
    default:
      return spelling.other(value);
  }
}

/** `left == right` of Python: by value, never across kinds but among numbers and truth values. */
export function equalsPython(left: TemplateValue, right: TemplateValue): boolean {
  if (isNumeric(left) && isNumeric(right)) {
    // Loose on purpose: 1 == 1.0 == True, and a big integer compares with a number.
    // oxlint-disable-next-line eslint/eqeqeq
    return (left.value as number) == (right.value as number);
  }
  if (isList(left) && isList(right)) {
    const [leftItems, rightItems] = [itemsOf(left), itemsOf(right)];
    return (
      left.type === right.type &&
      leftItems.length === rightItems.length &&
      leftItems.every((item, index) => equalsPython(item, rightItems[index] as TemplateValue))
    );
  }
  if (left.type !== right.type) return false;
  if (left.type === 'ObjectValue') {
    const [leftMembers, rightMembers] = [membersOf(left), membersOf(right)];
    if (leftMembers.size !== rightMembers.size) return false;
    for (const [name, member] of leftMembers) {
      const other = rightMembers.get(name);
      if (other === undefined || !equalsPython(member, other)) return false;
    }
    return true;
  }
  return left.value === right.value;
}

export function itemsOf(value: TemplateValue): readonly TemplateValue[] {
  return value.value as readonly TemplateValue[];
}

export function membersOf(value: TemplateValue): ReadonlyMap<string, TemplateValue> {
  return value.value as ReadonlyMap<string, TemplateValue>;
}

function isNumeric(value: TemplateValue): boolean {
  return value.type === 'IntegerValue' || value.type === 'FloatValue' || value.type === 'BooleanValue';
}

function isList(value: TemplateValue): boolean {
  return value.type === 'ArrayValue' || value.type === 'TupleValue';
}

function escapeNonAscii(text: string): string {
  return text.replaceAll(
    /[\u007f-\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

// UTF-8 sorts as code points do; UTF-16, JavaScript's own order, does not.
function compareCodePoints(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}
