import { isThorough } from '@art/tooling/thorough';

/** A shell as users have it: variables, and the two files of `~/.aws`. */
export interface Shell {
  env?: Readonly<Record<string, string>>;
  config?: string;
  credentials?: string;
}

const single: Readonly<Record<string, Shell>> = {
  'nothing at all': {},
  'an empty ~/.aws': { config: '' },
  'a region in the configuration, no credentials': { config: '[default]\nregion = eu-west-1\n' },
  'named profiles only': { config: '[profile work]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = b\n' },
  'a login that has expired': {
    config:
      '[default]\nsso_session = s\nsso_account_id = 1\nsso_role_name = r\n[sso-session s]\nsso_region = x\n',
  },
  'a credential process that fails': { config: '[default]\ncredential_process = /bin/false\n' },
  'a role whose source is not there': {
    config: '[default]\nrole_arn = arn:aws:iam::1:role/x\nsource_profile = gone\n',
  },
  'a profile that is not there': { env: { AWS_PROFILE: 'gone' } },
  'keys beside a profile that is not there': {
    env: { AWS_PROFILE: 'gone', AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' },
  },
  'keys in the environment': { env: { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b' } },
  'keys in the file': { credentials: '[default]\naws_access_key_id = a\naws_secret_access_key = b\n' },
  'keys of another profile': { credentials: '[other]\naws_access_key_id = a\naws_secret_access_key = b\n' },
  'half of a pair of keys': { env: { AWS_ACCESS_KEY_ID: 'a' } },
  'the other half': { env: { AWS_SECRET_ACCESS_KEY: 'b' } },
  'empty variables': {
    env: { AWS_REGION: '', AWS_DEFAULT_REGION: '', AWS_PROFILE: '', AWS_ACCESS_KEY_ID: '' },
  },
  'a region by its older name': { env: { AWS_DEFAULT_REGION: 'eu-west-3' } },
  'a region that does not exist': { env: { AWS_REGION: 'nowhere-1' } },
  'a token without keys': { env: { AWS_SESSION_TOKEN: 't' } },
  FIPS: { env: { AWS_USE_FIPS_ENDPOINT: 'true' } },
  'FIPS in the configuration': { config: '[default]\nuse_fips_endpoint = true\n' },
  'dual stack': { env: { AWS_USE_DUALSTACK_ENDPOINT: 'true' } },
  'dual stack in the configuration': { config: '[default]\nuse_dualstack_endpoint = true\n' },
  'ignored endpoints': { env: { AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true' } },
  'ignored endpoints in the configuration': { config: '[default]\nignore_configured_endpoint_urls = true\n' },
  'an endpoint of the configuration': { config: '[default]\nendpoint_url = http://127.0.0.1:9\n' },
  'an endpoint of S3 in the configuration': {
    config: '[default]\nservices = s\n[services s]\ns3 =\n  endpoint_url = http://127.0.0.1:9\n',
  },
  'an endpoint of another service': { env: { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:9' } },
  'an endpoint of an earlier art dev': { env: { AWS_ENDPOINT_URL: 'http://127.0.0.1:9' } },
  'a proxy': { env: { HTTP_PROXY: 'http://127.0.0.1:9', HTTPS_PROXY: 'http://127.0.0.1:9' } },
  'a proxy that Node uses': { env: { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: 'http://127.0.0.1:9' } },
  'a proxy with exceptions': {
    env: { NODE_USE_ENV_PROXY: '1', http_proxy: 'http://127.0.0.1:9', no_proxy: '.corp' },
  },
  'files that are not there': {
    env: { AWS_CONFIG_FILE: '/nonexistent/a', AWS_SHARED_CREDENTIALS_FILE: '/nonexistent/b' },
  },
  'a configuration that is no ini file': { config: '{"region": 1}\n[[[\n' },
  'a web identity whose token is not there': {
    env: { AWS_WEB_IDENTITY_TOKEN_FILE: '/nonexistent/t', AWS_ROLE_ARN: 'arn:aws:iam::1:role/x' },
  },
  'a container without credentials': { env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1:9/' } },
  'one attempt': { env: { AWS_MAX_ATTEMPTS: '1', AWS_RETRY_MODE: 'legacy' } },
  'checksums only where needed': { env: { AWS_REQUEST_CHECKSUM_CALCULATION: 'when_required' } },
  'a strange home': { env: { AWS_SDK_LOAD_CONFIG: '0', AWS_SDK_UA_APP_ID: 'x' } },
};

/** Several faults at once: what every run of the tests can afford. */
const together: Readonly<Record<string, Shell>> = {
  'a region, no credentials, FIPS, dual stack and empty variables': {
    config: '[default]\nregion = eu-west-1\n',
    env: { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true', AWS_ACCESS_KEY_ID: '' },
  },
  'an expired login, ignored endpoints and a proxy': {
    ...single['a login that has expired'],
    env: {
      AWS_IGNORE_CONFIGURED_ENDPOINT_URLS: 'true',
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: 'http://127.0.0.1:9',
    },
  },
  'a profile that is not there, beside keys': single['keys beside a profile that is not there']!,
};

/** The shells that a run tries: each fault alone in `pnpm thorough`. */
export const shells: Readonly<Record<string, Shell>> = isThorough ? { ...together, ...single } : together;
