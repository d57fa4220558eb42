import { connect, type LookupFunction, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { arrivedEvents } from '@art/ground';
import { errorChain } from './error-chain.ts';

/** How long the model endpoint may take to accept a connection. */
const longestMs = 1_000;

// Clients that heed these variables do not connect to the endpoint themselves, so a connection of ours would say nothing of theirs.
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY'];

/**
 * Makes one connection to the model endpoint of a rollout, for https with its handshake, and closes it. What the endpoint would answer to a request
 * does not matter. Takes a second at most, and never rejects.
 * @param signal ends it; then nothing is said
 * @param lookup finds the address of a name. @default the system's
 * @returns why the endpoint could not be reached from this process; undefined where it can be, and where that cannot be told
 */
export async function probeEndpoint(
  endpoint: URL,
  signal: AbortSignal,
  lookup?: LookupFunction,
): Promise<string | undefined> {
  if (signal.aborted || isProxied()) return undefined;
  const connected = Promise.withResolvers<string | undefined>();
  const timeout = AbortSignal.timeout(longestMs);
  const either = AbortSignal.any([signal, timeout]);
  const giveUp = (): void =>
    connected.resolve(
      signal.aborted ? undefined : `${endpoint.host} accepted no connection within ${longestMs} ms`,
    );
  const onEnd = (): void => void arrivedEvents().then(giveUp);
  either.addEventListener('abort', onEnd, { once: true });
  let socket: Socket | undefined;
  try {
    socket = openSocket(endpoint, lookup, () => connected.resolve(undefined));
    socket.on('error', (error) => connected.resolve(reasonOf(error)));
    return await connected.promise;
  } catch {
    return undefined;
  } finally {
    either.removeEventListener('abort', onEnd);
    socket?.destroy();
  }
}

function openSocket(
  { protocol, hostname, port }: URL,
  lookup: LookupFunction | undefined,
  onConnected: () => void,
): Socket {
  const isSecure = protocol === 'https:';
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const place = { host, port: port === '' ? (isSecure ? 443 : 80) : Number(port), lookup };
  if (!isSecure) return connect(place, onConnected);
  // The name of a certificate is no address: https://www.rfc-editor.org/rfc/rfc6066#section-3
  const isAddress = hostname.startsWith('[') || /^[\d.]+$/.test(hostname);
  return connectSecurely({ ...place, ...(!isAddress && { servername: host }) }, onConnected);
}

function isProxied(): boolean {
  return proxyVariables.some((name) => [name, name.toLowerCase()].some((one) => Boolean(process.env[one])));
}

/** Where several addresses of a host were tried, the first error has no message of its own. */
function reasonOf(error: Error): string {
  const said = errorChain(error).find((one) => one instanceof Error && one.message !== '');
  return said === undefined ? ((error as NodeJS.ErrnoException).code ?? error.name) : (said as Error).message;
}
