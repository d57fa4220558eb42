import { connect } from 'node:net';
import { ArtError, isJsonObject, readTextLines } from '@art/ground';
import type { StatusRecord } from '../records/status-record.ts';
import { controlAddress } from './control-address.ts';

/** Commands for a run that works. `stop` ends the run in order: its sessions are stopped, and `--resume` continues it. */
export type ControlCommand =
  | { command: 'status' | 'pause' | 'resume' | 'stop' }
  /** Sessions at once. */
  | { command: 'concurrency'; value: number };

// A process that has died refuses at once; one that lives may be held up.
const timeoutMs = 30_000;

/**
 * Tells the process that works on a run what to do.
 * @returns how far the run is
 * @throws ArtError `ART_RUN_NOT_LIVE` where no process works on it, `ART_INVALID_OPTION` for what the run refuses
 */
export async function askRun(folder: string, command: ControlCommand): Promise<StatusRecord | undefined> {
  const address = controlAddress(folder);
  const asked =
    address === undefined ? Promise.reject(new Error('no process listens')) : answerFrom(address, command);
  const answer = await asked.catch((cause: Error) => {
    throw new ArtError({
      code: 'ART_RUN_NOT_LIVE',
      message: `Expected a process that works on the run in ${folder}, found none: ${cause.message}.`,
      cause,
    });
  });
  const reply: unknown = JSON.parse(answer);
  if (isJsonObject(reply) && typeof reply['error'] === 'string')
    throw new ArtError({ code: 'ART_INVALID_OPTION', message: reply['error'] });
  return (reply as { status?: StatusRecord }).status;
}

async function answerFrom(path: string, command: ControlCommand): Promise<string> {
  const socket = connect(path);
  socket.setTimeout(timeoutMs, () => socket.destroy(new Error('it did not answer in time')));
  socket.write(`${JSON.stringify(command)}\n`);
  // The loop is left by the first line, which closes the socket.
  for await (const { text, isEnded } of readTextLines(socket, 'the answer')) if (isEnded) return text;
  throw new Error('it closed the connection');
}
