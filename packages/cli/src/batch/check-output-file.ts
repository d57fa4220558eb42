import { resolve } from 'node:path';
import { refuseOption } from '@art/protocol';

/**
 * Both files are JSON lines, so results that are appended to the payloads would become payloads themselves.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function checkOutputFile(
  { payloads, out }: { payloads: string; out?: string | undefined },
  cwd: string,
): void {
  if (out === undefined || payloads === '-' || resolve(cwd, out) !== resolve(cwd, payloads)) return;
  refuseOption('--out', 'another file than --payloads', out);
}
