import { resolve } from 'node:path';
import { ArtError } from '@art/protocol';

/**
 * Both files are JSON lines, so results that are appended to the payloads would become payloads themselves.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkOutputFile(
  { payloads, out }: { payloads: string; out?: string | undefined },
  cwd: string,
): void {
  if (out === undefined || payloads === '-' || resolve(cwd, out) !== resolve(cwd, payloads)) return;
  throw new ArtError({
    code: 'ART_INVALID_OPTION',
    message: `Expected --out to be another file than --payloads, got ${JSON.stringify(out)} for both.`,
  });
}
