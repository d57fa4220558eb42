/** Services that an agent of the doctor finds around itself. */
export interface AgentServices {
  s3Url: string;
  /** The model that is played for users: the API of OpenAI, and the address that Anthropic's client wants. */
  users: { baseUrl: string; url: string };
  /** Stands in the environment as a key would. */
  secret: string;
}

const anthropicAccess = [
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'CLAUDE_CODE_OAUTH_TOKEN',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
];

/**
 * As in AgentCore, but that S3 is here, that nothing of this user's rights reaches the agent, and that a model is played for users
 * where this environment has no key for theirs.
 */
export function checkedAgentEnvironment(
  given: NodeJS.ProcessEnv,
  { s3Url, users, secret }: AgentServices,
): NodeJS.ProcessEnv {
  const {
    ART_HOST: _host,
    ART_RESULT_STORE: _store,
    AWS_PROFILE: _profile,
    AWS_SESSION_TOKEN: _token,
    ...env
  } = given;
  return {
    ...env,
    ...playedModels(env, users, secret),
    ART_DOCTOR_SECRET: secret,
    // Of S3 alone: Bedrock and others are no business of the doctor's.
    AWS_ENDPOINT_URL_S3: s3Url,
    AWS_ACCESS_KEY_ID: 'doctor',
    AWS_SECRET_ACCESS_KEY: secret,
    AWS_REGION: env['AWS_REGION'] ?? 'us-west-2',
    AWS_DEFAULT_REGION: env['AWS_DEFAULT_REGION'] ?? 'us-west-2',
  };
}

function playedModels(
  env: NodeJS.ProcessEnv,
  { baseUrl, url }: AgentServices['users'],
  secret: string,
): NodeJS.ProcessEnv {
  const lacks = (names: readonly string[]): boolean => names.every((name) => (env[name] ?? '') === '');
  return {
    ...(lacks(['OPENAI_API_KEY', 'OPENAI_BASE_URL']) && {
      OPENAI_API_KEY: `sk-${secret}`,
      OPENAI_BASE_URL: baseUrl,
      // They would go to OpenAI with that key.
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    }),
    ...(lacks(anthropicAccess) && { ANTHROPIC_API_KEY: `sk-ant-${secret}`, ANTHROPIC_BASE_URL: url }),
  };
}
