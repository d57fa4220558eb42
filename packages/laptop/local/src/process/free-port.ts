import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { ArtError } from '@art/ground';

// Below the ephemeral ranges of Linux (32768) and macOS (49152): an outgoing connection can then never take a port
// between this probe and the moment the agent binds it.
const lowestPort = 10_000;
const highestPort = 32_000;
const maxProbes = 200;

/** Ports that are given out and not yet returned, over all runtimes of this process. */
const taken = new Set<number>();

/**
 * A port for a program that is about to be started: nobody listens on the port, and nobody else in this process gets it
 * until {@link returnPort}. Another process may still bind the port first: see {@link tellsTakenPort}.
 * @throws ArtError `ART_SESSION_START_FAILED` where no port is free
 */
export async function takePort(): Promise<number> {
  for (let probe = 0; probe < maxProbes; probe += 1) {
    const port = randomInt(lowestPort, highestPort);
    if (await takeThisPort(port)) return port;
  }
  throw new ArtError({
    code: 'ART_SESSION_START_FAILED',
    message: `Expected a free port between ${lowestPort} and ${highestPort}, found none in ${maxProbes} tries. Stop sessions that are no longer needed.`,
  });
}

/** Takes a port, as {@link takePort} does; false where it is given out or somebody listens there. */
export async function takeThisPort(port: number): Promise<boolean> {
  if (taken.has(port)) return false;
  taken.add(port);
  const isFree = await isPortFree(port);
  if (!isFree) taken.delete(port);
  return isFree;
}

/** True if nobody listens on a port. */
export async function isPortFree(port: number): Promise<boolean> {
  // Both: macOS lets a specific address be bound beside a wildcard and the other way round.
  return (await canBind(port, '0.0.0.0')) && (await canBind(port, '127.0.0.1'));
}

/** True if {@link takePort} or {@link takeThisPort} gave a port that is not yet returned. */
export function isGivenOut(port: number): boolean {
  return taken.has(port);
}

export function returnPort(port: number): void {
  taken.delete(port);
}

function canBind(port: number, host: string): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const server = createServer();
  server.once('error', () => resolve(false));
  server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  return promise;
}

/**
 * True if a program says in its output that another one has the port that it was given: it is worth a start on another port then. A port
 * of its own choice is taken at the next start too.
 */
export function tellsTakenPort(output: string, port: number): boolean {
  const taken = /EADDRINUSE|ART_PORT_TAKEN|address already in use|is taken by another program/i;
  if (!taken.test(output)) return false;
  // Node also lists the members of an error, a line each.
  const lines = output.split('\n').filter((line) => taken.test(line) || /^\s*port: \d+/.test(line));
  const named = [...lines.join('\n').matchAll(/(?::|, |\bport:? )(\d{2,5})\b/gi)].map(([, digits]) =>
    Number(digits),
  );
  return named.length === 0 || named.includes(port);
}
