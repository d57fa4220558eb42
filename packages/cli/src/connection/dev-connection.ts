/** Folder, in the one where `art dev` runs, that says where it is. */
export const connectionFolder = '.art';

/** A running `art dev`, as its file tells of it. */
export interface DevConnection {
  version: 1;
  /** Process that holds everything; the connection is stale when it has gone. */
  pid: number;
  /** `http://127.0.0.1:PORT` */
  endpoint: string;
  agentRuntimeArn: string;
  bucket: string;
  region: string;
}

/** Reads the text of a connection file; undefined where it is none, such as one that another version wrote. */
export function parseDevConnection(text: string): DevConnection | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { version, pid, endpoint, agentRuntimeArn, bucket, region } = (value ?? {}) as Record<
    string,
    unknown
  >;
  const isPid = Number.isSafeInteger(pid) && (pid as number) > 0;
  // A file that somebody left in a folder above must not lead payloads off this machine.
  const isEndpoint = typeof endpoint === 'string' && /^http:\/\/127\.0\.0\.1:\d+$/.test(endpoint);
  if (version !== 1 || !isPid || !isEndpoint) return undefined;
  if (typeof agentRuntimeArn !== 'string' || typeof bucket !== 'string' || typeof region !== 'string') {
    return undefined;
  }
  return { version, pid: pid as number, endpoint, agentRuntimeArn, bucket, region };
}
