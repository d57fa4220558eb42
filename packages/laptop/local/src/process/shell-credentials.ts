import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Variables that name a source of credentials without a profile. */
const sourceVariables = [
  'AWS_WEB_IDENTITY_TOKEN_FILE',
  'AWS_CONTAINER_CREDENTIALS_RELATIVE_URI',
  'AWS_CONTAINER_CREDENTIALS_FULL_URI',
];

/** Members of a profile that lead to credentials. Source: AWS SDKs and Tools Reference Guide, "Standardized credential providers". */
const sourceMembers =
  /^\s*(?:aws_access_key_id|role_arn|credential_process|credential_source|sso_session|sso_start_url|sso_account_id|web_identity_token_file|login_session)\s*=\s*\S/i;

/**
 * True if AWS's SDKs find credentials by these variables or in the files that they name. A profile that is not there, a region alone
 * and half of a pair of keys are none. Whether a login has expired is not asked.
 */
export function hasShellCredentials(env: NodeJS.ProcessEnv): boolean {
  const isSet = (name: string): boolean => (env[name] ?? '') !== '';
  const profile = env['AWS_PROFILE'] ?? '';
  if (profile === '' && isSet('AWS_ACCESS_KEY_ID') && isSet('AWS_SECRET_ACCESS_KEY')) return true;
  return sourceVariables.some(isSet) || profileHasSource(env, profile === '' ? 'default' : profile);
}

function profileHasSource(env: NodeJS.ProcessEnv, profile: string): boolean {
  const folder = join(env['HOME'] ?? homedir(), '.aws');
  const credentials = textOf(env['AWS_SHARED_CREDENTIALS_FILE'] ?? join(folder, 'credentials'));
  const config = textOf(env['AWS_CONFIG_FILE'] ?? join(folder, 'config'));
  const sections = [
    ...sectionOf(credentials, profile),
    ...sectionOf(config, profile === 'default' ? profile : `profile ${profile}`),
    ...sectionOf(config, `profile ${profile}`),
  ];
  return sections.some((line) => sourceMembers.test(line));
}

/** The lines of one section of an ini file. */
function sectionOf(text: string, name: string): string[] {
  let isInside = false;
  return text.split('\n').filter((line) => {
    const [, header] = /^\s*\[\s*(.+?)\s*\]/.exec(line) ?? [];
    if (header !== undefined) isInside = header.replaceAll(/\s+/g, ' ').replaceAll('"', '') === name;
    return isInside;
  });
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
