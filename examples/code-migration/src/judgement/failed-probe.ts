import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import type { Probe } from '../task.ts';
import { runCommand } from '../workspace/run-command.ts';
import type { Limits } from '../workspace/run-tests.ts';

/**
 * Runs beside the package and only tells what its functions gave. What they ought to give stays in this process: code that
 * replaces `assert`, or ends the process with success, gains nothing.
 */
const program = `
import { readFileSync } from 'node:fs';
const { url, mark, calls } = JSON.parse(readFileSync(0, 'utf8'));
const pkg = await import(url);
const seen = calls.map(({ call, args }) => {
  try {
    const value = typeof pkg[call] === 'function' ? pkg[call](...args) : pkg[call];
    return value instanceof Promise ? { promise: true } : { gives: value };
  } catch (error) {
    return { throws: String(error?.message) };
  }
});
process.stdout.write('\\n' + mark + JSON.stringify(seen) + '\\n');
`;

/** The first probe that shows another behaviour, in words; undefined where all is as it was. */
export async function failedProbe(
  folder: string,
  probes: readonly Probe[],
  limits: Limits,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const mark = randomUUID();
  const calls = probes.map(({ call, args }) => ({ call, args }));
  const input = JSON.stringify({ url: pathToFileURL(join(folder, 'index.js')).href, mark, calls });
  // Elsewhere than in the package: files of its own must be found from anywhere.
  const command = { args: ['--input-type=module', '--eval', program], cwd: tmpdir(), input };
  const ended = await runCommand(command, limits, signal);
  if (ended.kind !== 'ended') return `behaviour: ${ended.kind}`;
  const told = ended.output.split('\n').find((line) => line.startsWith(mark));
  if (told === undefined)
    return `behaviour: the package cannot be loaded: ${ended.output.trim().slice(-500)}`;
  const seen = JSON.parse(told.slice(mark.length)) as Record<string, unknown>[];
  const wrong = probes.findIndex(({ gives, throws }, index) =>
    throws === undefined
      ? !isDeepStrictEqual(seen[index]?.['gives'], gives)
      : !String(seen[index]?.['throws']).includes(throws),
  );
  return wrong === -1 ? undefined : `behaviour: ${probes[wrong]!.call} is not as before`;
}
