import { parseEnv } from 'node:util';
import { readOptionFile } from './read-option-file.ts';

/**
 * The variables that the agent gets on top of this process's: those of the file, then those of the command line.
 * @throws ArtError `ART_INVALID_OPTION` when the file cannot be read
 */
export function agentEnvironment(
  { env, envFile }: { env?: Readonly<Record<string, string>> | undefined; envFile?: string | undefined },
  cwd: string,
): Record<string, string> {
  if (envFile === undefined) return { ...env };
  const text = readOptionFile('--env-file', 'a file with KEY=VALUE lines', envFile, cwd);
  return { ...(parseEnv(text) as Record<string, string>), ...env };
}

const endpointVariables = ['AWS_ENDPOINT_URL_S3', 'AWS_ENDPOINT_URL'] as const;

/**
 * Makes the environment that sessions inherit lead to the local S3. A shell in which the exports of an earlier `art dev` were
 * pasted would lead them to a port where nobody listens, and their results with them.
 * @param env changed in place
 * @returns what to tell the user
 */
export function adaptShellEnvironment(
  env: Record<string, string | undefined>,
  agentEnv: Readonly<Record<string, string>>,
): string[] {
  const notices: string[] = [];
  for (const name of endpointVariables) {
    if (env[name] === undefined) continue;
    notices.push(
      `${name}=${env[name]} of this shell is not passed to the sessions: they find the local S3. Use --env ${name}=... where they need it.`,
    );
    delete env[name];
  }
  const redirected = endpointVariables.find((name) => agentEnv[name] !== undefined);
  if (redirected !== undefined) {
    notices.push(
      `The agent gets ${redirected}=${agentEnv[redirected]}: results that it sends there do not reach the local bucket.`,
    );
  }
  const store = agentEnv['ART_RESULT_STORE'] ?? env['ART_RESULT_STORE'];
  if (store !== undefined && store !== '') {
    notices.push(
      `The agent gets ART_RESULT_STORE=${store.replace(/(:\/\/)[^/?#]*@/, '$1[redacted]@')}: results that it stores there do not reach the local bucket.`,
    );
  }
  return notices;
}
