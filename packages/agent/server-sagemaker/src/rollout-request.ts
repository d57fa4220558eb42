import {
  ArtError,
  describeValue,
  isHttpUrl,
  isJsonObject,
  isLoopback,
  isRegion,
  regionExpected,
} from '@art/ground';

/** The request of SageMaker's trainer. */
export interface SageMakerRequest {
  jobArn: string;
  /** The trajectory, as the service calls it elsewhere. */
  rolloutId: string;
  region: string;
  /** The job runtime, without a slash at its end. */
  endpoint: string;
  /** `temperature`, `top_p` and `max_tokens`, as far as they were sent. */
  samplingParams: Record<string, number>;
  metadata: Record<string, unknown>;
}

/** The headers that the job runtime requires on every call of the model. */
export function jobHeaders({ jobArn, rolloutId }: SageMakerRequest): Record<string, string> {
  return { 'X-Amzn-SageMaker-Job-Arn': jobArn, 'X-Amzn-SageMaker-Trajectory-Id': rolloutId };
}

const paramNames = { temperature: 'temperature', topP: 'top_p', maxTokens: 'max_tokens' } as const;

/**
 * Reads a request of SageMaker's trainer, under all names that AWS's Python SDK takes. Undefined for a payload without a job
 * and a rollout in `metadata`.
 *
 * @param endpoint where the job runtime is, whatever the request says
 * @throws ArtError `ART_INVALID_ROLLOUT_CONFIG`
 */
export function readRolloutRequest(
  payload: Record<string, unknown>,
  endpoint: string | undefined,
): SageMakerRequest | undefined {
  const { metadata } = payload;
  if (!isJsonObject(metadata)) return undefined;
  const jobArn = firstText(metadata, ['job_arn', 'jobArn']);
  const rolloutId = firstText(metadata, ['trajectory_id', 'trajectoryId', 'rolloutId']);
  if (jobArn === undefined || rolloutId === undefined) return undefined;
  const region =
    firstText(metadata, ['region']) ?? regionOf(jobArn) ?? process.env['AWS_REGION'] ?? 'us-west-2';
  // It becomes part of the address that gets a key.
  if (!isRegion(region))
    refuse(`Expected metadata.region to be ${regionExpected}, got ${describeValue(region)}.`);
  return {
    jobArn,
    rolloutId,
    region,
    endpoint: endpoint ?? endpointOf(metadata, region),
    samplingParams: samplingParamsOf(payload),
    metadata,
  };
}

function firstText(metadata: Record<string, unknown>, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = metadata[name];
    if (value === undefined || value === null || value === '') continue;
    // Both go into headers.
    const text = typeof value === 'number' ? String(value) : value;
    if (typeof text === 'string' && /^[\x21-\x7e]{1,256}$/.test(text)) return text;
    refuse(`Expected metadata.${name} to be 1 to 256 visible ASCII characters, got ${describeValue(value)}.`);
  }
  return undefined;
}

function regionOf(jobArn: string): string | undefined {
  const [, , , region] = jobArn.split(':');
  return region === undefined || region === '' ? undefined : region;
}

function endpointOf(metadata: Record<string, unknown>, region: string): string {
  const configured = process.env['RFT_RUNTIME_ENDPOINT'];
  const named = firstText(metadata, ['endpoint']);
  const endpoint = (named ?? configured ?? `https://job-runtime.sagemaker.${region}.api.aws`).replace(
    /\/+$/,
    '',
  );
  if (!isHttpUrl(endpoint)) refuse(`Expected metadata.endpoint to be a URL, got ${describeValue(endpoint)}.`);
  if (named !== undefined && !isTrusted(new URL(endpoint), configured))
    refuse(
      `Expected metadata.endpoint to be an address of SageMaker, loopback, or what RFT_RUNTIME_ENDPOINT says, got ${describeValue(endpoint)}: it gets a key of this agent's role. Pass it as option endpoint of sagemakerRollouts where it is meant.`,
    );
  return endpoint;
}

// Below amazonaws.com everybody has hosts: buckets, load balancers, functions, machines. A region is no name of a service.
const sageMakerHost =
  /^(vpce-[\w-]+\.)?((job-runtime|runtime|api)\.)?sagemaker(-fips)?\.[a-z]{2,4}(-[a-z]+)+-\d\.(api\.aws|(vpce\.)?amazonaws\.(com(\.cn)?|eu))$/;

/**
 * True if the endpoint may receive a key. The caller of the agent chooses the endpoint, and the key speaks for the
 * agent's role.
 */
function isTrusted({ protocol, hostname, origin }: URL, configured: string | undefined): boolean {
  if (configured !== undefined && URL.canParse(configured) && new URL(configured).origin === origin)
    return true;
  if (isLoopback(hostname)) return true;
  return protocol === 'https:' && sageMakerHost.test(hostname);
}

function samplingParamsOf(payload: Record<string, unknown>): Record<string, number> {
  const given = payload['inferenceParams'] ?? payload['inference_params'];
  if (!isJsonObject(given)) return {};
  const params: Record<string, number> = {};
  for (const [camel, snake] of Object.entries(paramNames)) {
    const value = given[snake] ?? given[camel];
    if (typeof value === 'number' && Number.isFinite(value)) params[snake] = value;
  }
  return params;
}

function refuse(message: string): never {
  throw new ArtError({ code: 'ART_INVALID_ROLLOUT_CONFIG', message });
}
