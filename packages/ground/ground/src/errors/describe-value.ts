/**
 * A short name of a value for "expected ..., got ..." messages; long texts are cut so that an error stays readable. Never
 * throws, whatever the value does when it is looked at.
 */
export function describeValue(value: unknown): string {
  try {
    return nameOf(value);
  } catch {
    return 'a value that cannot be read';
  }
}

function nameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  switch (typeof value) {
    case 'string':
      return value.length > 80
        ? `${JSON.stringify(value.slice(0, 77))}... (${value.length} characters)`
        : JSON.stringify(value);
    case 'number':
    case 'boolean':
    case 'undefined':
      return String(value);
    case 'bigint':
      return `${value}n`;
    case 'function':
      return value.name === '' ? 'a function' : `the function ${value.name}`;
    case 'symbol':
      return 'a symbol';
    default: {
      const name = (Object.getPrototypeOf(value) as { constructor?: { name?: string } } | null)?.constructor
        ?.name;
      if (name === undefined || name === 'Object') return 'an object';
      // The class of a generator has no name, but it says what it is: "[object AsyncGenerator]".
      return `an instance of ${name === '' ? Object.prototype.toString.call(value).slice(8, -1) : name}`;
    }
  }
}
