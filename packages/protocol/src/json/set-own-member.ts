/** Adds a member, whatever its name: plain assignment to `__proto__` would change the prototype instead. */
export function setOwnMember(record: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
  } else {
    record[name] = value;
  }
}
