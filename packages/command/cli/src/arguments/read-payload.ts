import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ArtError, describeValue, isJsonObject, parseJson } from '@art/ground';
import { maxPayloadBytes } from '@art/protocol';
import type { CliContext } from '../cli-context.ts';
import { readStdin } from './read-stdin.ts';

/**
 * The payload that an argument stands for: JSON text, `@file`, or `-` for stdin.
 * @throws ArtError `ART_INVALID_PAYLOAD`; the signal's reason when it aborts while stdin is read
 */
export async function readPayload(
  argument: string,
  context: Pick<CliContext, 'stdin' | 'stderr' | 'cwd'>,
  signal?: AbortSignal,
): Promise<Record<string, unknown>> {
  const { origin, text } = await readText(argument, context, signal);
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (cause) {
    refuse(`JSON text, @file or - for stdin; ${origin} is not JSON: ${(cause as Error).message}`, cause);
  }
  if (!isJsonObject(value))
    refuse(`a JSON object such as {"prompt":"..."}; ${origin} is ${describeValue(value)}.`);
  return value;
}

async function readText(
  argument: string,
  context: Pick<CliContext, 'stdin' | 'stderr' | 'cwd'>,
  signal: AbortSignal | undefined,
): Promise<{ origin: string; text: string }> {
  if (argument === '-')
    return { origin: 'stdin', text: await readStdin(context, 'the payload', checkBytes, signal) };
  if (!argument.startsWith('@')) return { origin: 'the argument', text: argument };
  const path = resolve(context.cwd, argument.slice(1));
  try {
    return { origin: path, text: await readFile(path, { encoding: 'utf8', signal }) };
  } catch (cause) {
    signal?.throwIfAborted();
    return refuse(`in a file that can be read: ${(cause as Error).message}`, cause);
  }
}

function checkBytes(bytes: number): void {
  if (bytes > maxPayloadBytes) refuse(`of at most ${maxPayloadBytes} bytes; stdin has more.`);
}

function refuse(expected: string, cause?: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_PAYLOAD',
    message: `Expected the payload to be ${expected}`,
    cause,
  });
}
