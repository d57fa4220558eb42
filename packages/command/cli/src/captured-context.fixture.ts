import { EventEmitter } from 'node:events';
import { Readable } from 'node:stream';
import type { CliContext } from './cli-context.ts';

/** A context whose output and exits are kept, and whose signals are sent by the test. */
export interface CapturedContext extends CliContext {
  output(): string;
  errors(): string;
  exits: number[];
  signals: EventEmitter;
}

export function capturedContext(
  init: { stdin?: string; cwd?: string; env?: Record<string, string | undefined>; isTTY?: boolean } = {},
): CapturedContext {
  const out: string[] = [];
  const err: string[] = [];
  const exits: number[] = [];
  return {
    stdin: Readable.from(init.stdin === undefined ? [] : [init.stdin]),
    stdout: {
      write: (text, done) => {
        out.push(text);
        done?.();
      },
      isTTY: init.isTTY,
    },
    stderr: { write: (text) => err.push(text), isTTY: init.isTTY },
    env: init.env ?? {},
    cwd: init.cwd ?? process.cwd(),
    signals: new EventEmitter(),
    exit: (code) => void exits.push(code),
    output: () => out.join(''),
    errors: () => err.join(''),
    exits,
  };
}
