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

/** `json.dumps` of Python. */
export function dumpPythonJson(value: TemplateValue, options: PythonJsonOptions = {}): string {
  const indent = typeof options.indent === 'number' ? ' '.repeat(options.indent) : options.indent;
  const [itemSeparator, nameSeparator] = options.separators ?? [indent === undefined ? ', ' : ',', ': '];
  const text = (raw: string): string => {
    const quoted = JSON.stringify(raw);
    return options.ensureAscii === true ? escapeNonAscii(quoted) : quoted;
  };
  const wrap = (open: string, parts: readonly string[], close: string, depth: number): string => {
    if (parts.length === 0 || indent === undefined) return open + parts.join(itemSeparator) + close;
    const inner = `\n${indent.repeat(depth + 1)}`;
    return `${open}${inner}${parts.join(itemSeparator + inner)}\n${indent.repeat(depth)}${close}`;
  };
  const dump = (item: TemplateValue, depth: number): string => {
    switch (item.type) {
      case 'NullValue':
      case 'UndefinedValue':
        return 'null';
      case 'BooleanValue':
      case 'IntegerValue':
        return String(item.value);
      case 'FloatValue':
        return formatPythonJsonFloat(item.value as number);
      case 'StringValue':
        return text(item.value as string);
      case 'ArrayValue':
      case 'TupleValue': {
        const parts = itemsOf(item).map((part) => dump(part, depth + 1));
        return wrap('[', parts, ']', depth);
      }
      case 'ObjectValue': {
        const members = [...membersOf(item)];
        if (options.sortKeys === true) members.sort(([left], [right]) => compareCodePoints(left, right));
        const parts = members.map(([name, member]) => text(name) + nameSeparator + dump(member, depth + 1));
        return wrap('{', parts, '}', depth);
      }
      default:
        throw new TypeError(`Object of type ${item.type} is not JSON serializable`);
    }
  };
  return dump(value, 0);
}

/** `str(value)` of Python. */
export function printPython(value: TemplateValue): string {
  if (value.type === 'StringValue') return value.value as string;
  return value.type === 'UndefinedValue' ? '' : reprPython(value);
}

function reprPython(value: TemplateValue): string {
  switch (value.type) {
    case 'NullValue':
      return 'None';
    case 'UndefinedValue':
      return 'Undefined';
    case 'BooleanValue':
      return value.value === true ? 'True' : 'False';
    case 'FloatValue':
      return formatPythonFloat(value.value as number);
    case 'StringValue':
      return formatPythonString(value.value as string);
    case 'TupleValue': {
      const items = itemsOf(value).map(reprPython);
      return items.length === 1 ? `(${items[0]},)` : `(${items.join(', ')})`;
    }
    case 'ArrayValue':
      return `[${itemsOf(value).map(reprPython).join(', ')}]`;
    case 'ObjectValue': {
      const members = Array.from(
        membersOf(value),
        ([name, member]) => `${formatPythonString(name)}: ${reprPython(member)}`,
      );
      return `{${members.join(', ')}}`;
    }
    default:
      return String(value.value);
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
