import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What a session's AWS SDKs should find: the S3 endpoint of the same runtime. */
export interface LocalAws {
  /** Undefined where the runtime has no S3 endpoint. */
  s3Endpoint: string | undefined;
  /** Whether an endpoint that the environment of this process names goes before it. */
  givesWay: boolean;
  region: string;
}

/** Names the address at which `@art/server` listens. */
export const hostVariable = 'ART_HOST';
export const loopbackHost = '127.0.0.1';

const credentialSources = [
  'AWS_ACCESS_KEY_ID',
  'AWS_PROFILE',
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

/**
 * What a session's process finds in its environment: that of this process, the agent's own on top, and the port. Unless the
 * agent's own variables name an endpoint, its S3 clients are led to the local one. Where somebody waits for results at that one, it
 * goes before the shell's, too: in a shell with the exports of an `art dev` they would land there. It is to listen on loopback unless
 * the agent's own variables name another `ART_HOST`: sessions answer without credentials and hold the keys of their models. What
 * Node compiles is kept below `~/.cache/art`, unless `NODE_COMPILE_CACHE` names another folder.
 */
export function sessionEnvironment(
  agentEnv: Readonly<Record<string, string>>,
  port: number,
  aws: LocalAws,
): NodeJS.ProcessEnv {
  const chosen: NodeJS.ProcessEnv = { ...process.env, ...agentEnv };
  const host = { [hostVariable]: agentEnv[hostVariable] ?? loopbackHost };
  // Every session is a process: with what Node compiled for an earlier one it starts in half of the processor time.
  const caches = chosen['XDG_CACHE_HOME'] ?? join(chosen['HOME'] ?? homedir(), '.cache');
  const own = { NODE_COMPILE_CACHE: join(caches, 'art', 'compiled'), ...chosen, ...host, PORT: String(port) };
  const naming = aws.givesWay ? chosen : agentEnv;
  const hasEndpoint = naming['AWS_ENDPOINT_URL_S3'] !== undefined || naming['AWS_ENDPOINT_URL'] !== undefined;
  if (aws.s3Endpoint === undefined || hasEndpoint) return own;
  return { ...localAwsDefaults(chosen, aws.region), ...own, AWS_ENDPOINT_URL_S3: aws.s3Endpoint };
}

function localAwsDefaults(chosen: NodeJS.ProcessEnv, region: string): NodeJS.ProcessEnv {
  const defaults: NodeJS.ProcessEnv = {};
  // The SDK for JavaScript knows this variable only; boto3 and the CLI read the older one.
  defaults['AWS_REGION'] = chosen['AWS_DEFAULT_REGION'] ?? region;
  // An SDK signs or refuses to send. Invented keys must never hide real ones that the agent calls its model with.
  const hasCredentials =
    credentialSources.some((name) => chosen[name] !== undefined) ||
    existsSync(join(chosen['HOME'] ?? homedir(), '.aws'));
  if (!hasCredentials) {
    defaults['AWS_ACCESS_KEY_ID'] = 'local';
    defaults['AWS_SECRET_ACCESS_KEY'] = 'local';
  }
  return defaults;
}
