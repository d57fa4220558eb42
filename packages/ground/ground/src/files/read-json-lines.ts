import { open } from 'node:fs/promises';
import { unlessMissing } from './unless-missing.ts';

/** A whole line of a file of JSON lines. */
export interface JsonLine {
  /** Undefined where the line is not JSON. */
  value: unknown;
  /** First byte behind the line: where a later look begins. */
  endByte: number;
}

const portionBytes = 1 << 18;
const newline = 10;

/**
 * The whole lines of a file that may still grow: `learn.jsonl`, `samples.jsonl`. What stands behind the last line break was cut off,
 * or is still being written, and is left out. A file that is not there has no lines.
 * @param fromByte `endByte` of the last line that is known @default 0
 * @param onTorn gets the number of bytes of each line that is not JSON, and of what was left out behind the last one
 */
export async function* readJsonLines(
  path: string,
  fromByte = 0,
  onTorn?: (bytes: number) => void,
): AsyncGenerator<JsonLine, void, undefined> {
  const file = await unlessMissing(open(path, 'r'));
  if (file === undefined) return;
  try {
    let pending: Buffer[] = [];
    let position = fromByte;
    for (;;) {
      // A buffer of its own for each portion: parts of it are kept until their line is whole.
      const { bytesRead, buffer } = await file.read(
        Buffer.allocUnsafe(portionBytes),
        0,
        portionBytes,
        position,
      );
      if (bytesRead === 0) {
        if (pending.length > 0) onTorn?.(Buffer.concat(pending).length);
        return;
      }
      const portion = buffer.subarray(0, bytesRead);
      let from = 0;
      for (let end = portion.indexOf(newline); end !== -1; end = portion.indexOf(newline, from)) {
        pending.push(portion.subarray(from, end));
        // Also without the byte order mark of an editor.
        const text = Buffer.concat(pending).toString('utf8').trim();
        pending = [];
        from = end + 1;
        if (text === '') continue;
        const value = parsed(text);
        if (value === undefined) onTorn?.(Buffer.byteLength(text));
        yield { value, endByte: position + from };
      }
      if (from < bytesRead) pending.push(portion.subarray(from));
      position += bytesRead;
    }
  } finally {
    await file.close();
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
