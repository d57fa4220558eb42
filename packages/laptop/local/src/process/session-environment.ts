import { homedir } from 'node:os';
import { join } from 'node:path';
import { loopbackWithoutProxy } from '@art/ground';
import { hasShellCredentials } from './shell-credentials.ts';

/** The addresses that a session's AWS SDKs should find: the S3 endpoint of the same runtime. */
export interface LocalAws {
  /** Undefined where the runtime has no S3 endpoint. */
  s3Endpoint: string | undefined;
  /** True if an endpoint that the environment of this process names goes before it. */
  givesWay: boolean;
  region: string;
}

/** Names the address at which `@art/server` listens. */
export const hostVariable = 'ART_HOST';
export const loopbackHost = '127.0.0.1';

/** Settings of the shell that would lead an S3 client away from an endpoint of this machine, or have it refuse that endpoint. */
const misleading = [
  'AWS_IGNORE_CONFIGURED_ENDPOINT_URLS',
  'AWS_USE_FIPS_ENDPOINT',
  'AWS_USE_DUALSTACK_ENDPOINT',
];
const emptyMeansUnset = ['AWS_REGION', 'AWS_DEFAULT_REGION', 'AWS_PROFILE'];

/**
 * The environment of a session's process: that of this process, the agent's own on top, and the port. Unless the agent's own
 * variables name an endpoint, its S3 clients are led to the local one, whatever else the shell says about AWS. Where a client waits
 * for results at that endpoint, it also comes before an endpoint of the shell: in a shell with the exports of an `art dev` they would
 * land there. Sessions listen on loopback unless the agent's own variables name another `ART_HOST`: they answer without
 * credentials and hold the keys of their models. Calls on this machine go to no proxy. What Node compiles is kept below
 * `~/.cache/art`, unless `NODE_COMPILE_CACHE` names another folder.
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
  const own = {
    NODE_COMPILE_CACHE: join(caches, 'art', 'compiled'),
    ...chosen,
    ...loopbackWithoutProxy(chosen),
    ...host,
    PORT: String(port),
  };
  const naming = aws.givesWay ? chosen : agentEnv;
  const hasEndpoint = naming['AWS_ENDPOINT_URL_S3'] !== undefined || naming['AWS_ENDPOINT_URL'] !== undefined;
  if (aws.s3Endpoint === undefined || hasEndpoint) return own;
  return { ...own, ...localAws(agentEnv, aws.region), AWS_ENDPOINT_URL_S3: aws.s3Endpoint };
}

/** The settings that a client of the local S3 needs, beside its endpoint. */
function localAws(agentEnv: Readonly<Record<string, string>>, region: string): NodeJS.ProcessEnv {
  const shell = Object.fromEntries(
    Object.entries(process.env).filter(([name, value]) => value !== '' || !emptyMeansUnset.includes(name)),
  );
  const chosen: NodeJS.ProcessEnv = { ...shell, ...agentEnv };
  const settings: NodeJS.ProcessEnv = {
    // The SDK for JavaScript knows this variable only; boto3 and the CLI read the older one.
    AWS_REGION: chosen['AWS_REGION'] ?? chosen['AWS_DEFAULT_REGION'] ?? region,
  };
  for (const name of misleading)
    if (agentEnv[name] === undefined && process.env[name] !== undefined) settings[name] = 'false';
  // An SDK signs or refuses to send. Invented keys must never hide real ones that the agent calls its model with.
  if (!hasShellCredentials(chosen)) {
    settings['AWS_ACCESS_KEY_ID'] = 'local';
    settings['AWS_SECRET_ACCESS_KEY'] = 'local';
    // With a profile that is not there no SDK would look at the keys.
    settings['AWS_PROFILE'] = undefined;
  }
  return settings;
}
