import type { ConfigKey } from './config-keys.ts';

const variables: Record<string, ConfigKey> = {
  RLLM_GATEWAY_HOST: 'host',
  RLLM_GATEWAY_PORT: 'port',
  RLLM_GATEWAY_DB_PATH: 'db_path',
  RLLM_GATEWAY_LOG_LEVEL: 'log_level',
  RLLM_GATEWAY_STORE: 'store_worker',
  RLLM_GATEWAY_STRIP_VLLM_FIELDS: 'strip_vllm_fields',
  RLLM_GATEWAY_HEALTH_CHECK_TIMEOUT: 'health_check_timeout',
  RLLM_GATEWAY_HEALTH_FAILURE_THRESHOLD: 'health_failure_threshold',
};

const numbers = new Set<ConfigKey>(['port', 'health_check_timeout', 'health_failure_threshold']);

/** What the environment says, by the names of the configuration file. Empty variables say nothing. */
export function readEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Partial<Record<ConfigKey, unknown>> {
  const config: Partial<Record<ConfigKey, unknown>> = {};
  for (const [variable, key] of Object.entries(variables)) {
    const value = env[variable];
    if (value !== undefined && value !== '') config[key] = readValue(key, value);
  }
  const adminToken = env['ART_GATEWAY_ADMIN_TOKEN'];
  if (adminToken !== undefined && adminToken !== '') config.auth = { adminToken };
  return config;
}

function readValue(key: ConfigKey, value: string): unknown {
  if (numbers.has(key)) return Number(value);
  if (key === 'strip_vllm_fields') return ['1', 'true', 'yes', 'on'].includes(value.toLowerCase());
  return value;
}
