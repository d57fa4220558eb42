import { describeValue } from './describe-value.ts';
import { readMember } from './read-member.ts';

/** Facts about a thrown value. */
export interface ThrownDescription {
  /** Name of the error; the type of a value that is none. */
  name: string;
  message: string;
  /** Undefined for what is no error, or has none that is a text. */
  stack: string | undefined;
}

/** Describes whatever was thrown, error or not. Never throws itself, also where the value throws when it is looked at. */
export function describeThrown(thrown: unknown): ThrownDescription {
  if (!isError(thrown)) return { name: typeof thrown, message: textOf(thrown), stack: undefined };
  const text = (name: string): string | undefined => {
    const member = readMember(thrown, name);
    return typeof member === 'string' ? member : undefined;
  };
  return { name: text('name') ?? 'Error', message: text('message') ?? textOf(thrown), stack: text('stack') };
}

function isError(thrown: unknown): thrown is Error {
  try {
    return thrown instanceof Error;
  } catch {
    return false;
  }
}

function textOf(thrown: unknown): string {
  try {
    return String(thrown);
  } catch {
    // An object without a prototype, one whose toString throws, a revoked Proxy.
    return describeValue(thrown);
  }
}
