import { describeThrown, readMember } from '@art/ground';
import type { RequestContext } from '../request/request-context.ts';
import { errorChain } from './error-chain.ts';
import { InfrastructureError } from './infrastructure-error.ts';
import { isOutageStatus, originOfError, requestsSeen, type SeenRequests } from './seen-requests.ts';

/** The infrastructure failed, not the agent. */
export interface InfrastructureFailure {
  /** The part that failed and how, without secrets of the URL. */
  message: string;
  /** The model endpoint, where it is what failed. */
  endpoint: string | undefined;
  /** The reason, in words, why this process could not reach the endpoint at all; undefined where that is not known. */
  unreachable?: string | undefined;
}

/**
 * Judges what a handler threw. It is a failure of the infrastructure where it is, or was caused by,
 * - an `InfrastructureError`;
 * - a call to the rollout's model endpoint (the origin of its `base_url`) that was not connected, broke, took too long, or was
 *   answered with 408, 429 or a status from 500 on.
 *
 * A call that went elsewhere is the agent's own business: its tools may fail, and the policy must learn to live with that.
 * Where it cannot be told where a call went, the word of a model client counts: for rollouts without a `base_url`, and
 * clients that send neither by `fetch` nor by `node:http`.
 * @param recognise whether failures of the model endpoint are recognised; `InfrastructureError` always is
 * @returns undefined where it is the agent's own failure
 */
export function infrastructureFailure(
  error: unknown,
  context: RequestContext,
  { recognise }: { recognise: boolean },
): InfrastructureFailure | undefined {
  const chain = errorChain(error);
  const named = chain.find((one) => InfrastructureError.isInstance(one));
  if (named !== undefined) return { message: messageOfNamed(named), endpoint: undefined };
  if (!recognise) return undefined;
  const call = failedCall(chain);
  if (call === undefined) return undefined;
  const url = modelEndpoint(context);
  if (!concernsEndpoint(call, url?.origin, context)) return undefined;
  const endpoint = url && shownEndpoint(url);
  const name = endpoint === undefined ? 'The model endpoint' : `The model endpoint ${endpoint}`;
  return { message: `${name} ${call.what}`, endpoint };
}

/** Where a rollout's model is; undefined where it has none, or none of HTTP. */
export function modelEndpoint({ rollout }: RequestContext): URL | undefined {
  return parseUrl(rollout?.baseUrl);
}

/**
 * True if the model endpoint has answered a request of the handler; `'unseen'` if this process saw no request to it.
 */
export function endpointAnswered(context: RequestContext, { origin }: URL): boolean | 'unseen' {
  return requestsSeen(context)?.byOrigin.get(origin)?.wasAnswered ?? 'unseen';
}

/** @param reason why no connection to the endpoint could be made @param error what the handler threw, where it did */
export function unreachableFailure(
  url: URL,
  reason: string,
  thrown?: { error: unknown },
): Required<InfrastructureFailure> {
  const endpoint = shownEndpoint(url);
  const unreachable = `The model endpoint ${endpoint} could not be reached from where the agent runs: ${reason}.`;
  return { message: unreachable + thenFailed(thrown), endpoint, unreachable };
}

/** @param reason why no call got through the tunnel @param error what the handler threw, where it did */
export function unansweredFailure(reason: string, thrown?: { error: unknown }): InfrastructureFailure {
  const message = `The gateway answered none of the calls that the agent sent through the socket of its session: ${reason}.`;
  return { message: message + thenFailed(thrown), endpoint: undefined };
}

function thenFailed(thrown: { error: unknown } | undefined): string {
  return thrown === undefined ? '' : ` Then the handler failed: ${words(thrown.error)}`;
}

/**
 * True if the handler's last call of the rollout's model was cut off after the handler was asked to stop. Its return
 * value is then no finished rollout, although some frameworks return as if it were.
 */
export function isCutOff(context: RequestContext): boolean {
  const origin = modelEndpoint(context)?.origin;
  return origin !== undefined && requestsSeen(context)?.byOrigin.get(origin)?.lastCutOff === true;
}

/** The facts that a chain of errors gives about a call that failed through no fault of its caller. */
interface FailedCall {
  kind: 'status' | 'time_out' | 'connection' | 'unsaid';
  status: number | undefined;
  /** The code of the system or of undici, where a connection failed. */
  code: unknown;
  /** Where it went, as far as that can be told. */
  origins: Set<string>;
  isModelClient: boolean;
  what: string;
}

// Of Node, and of undici, which is Node's fetch.
const connectionCodes = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

function failedCall(chain: readonly object[]): FailedCall | undefined {
  const origins = new Set<string>();
  for (const one of chain) {
    const origin = originOfError(one) ?? parseUrl(readMember(one, 'url'))?.origin;
    if (origin !== undefined) origins.add(origin);
  }
  const isModelClient = chain.some(isOfModelClient);
  const call = (kind: FailedCall['kind'], error: object, what: string, status?: number): FailedCall => ({
    kind,
    status,
    code: readMember(error, 'code'),
    origins,
    isModelClient,
    what: `${what}: ${words(error)}`,
  });
  const broken = chain.find((one) => connectionCodes.has(readMember(one, 'code')));
  if (broken !== undefined)
    return call('connection', broken, 'could not be reached, or the connection broke');
  const answered = chain.find((one) => statusOf(one) !== undefined);
  if (answered !== undefined) {
    const status = statusOf(answered)!;
    return isOutageStatus(status)
      ? call('status', answered, `answered with status ${status}`, status)
      : undefined;
  }
  const late = chain.find(isTimeout);
  if (late !== undefined) return call('time_out', late, 'did not answer in time');
  // `streamText` of the AI SDK gives the reason to its `onError` only.
  const unsaid = chain.find((one) => readMember(one, 'name') === 'AI_NoOutputGeneratedError');
  return unsaid && call('unsaid', unsaid, 'failed');
}

function concernsEndpoint(call: FailedCall, endpoint: string | undefined, context: RequestContext): boolean {
  if (endpoint === undefined) return call.isModelClient && call.kind !== 'unsaid';
  if (call.origins.size > 0) return call.origins.has(endpoint);
  const seen = requestsSeen(context);
  const went = seen && whereItWent(call, seen);
  if (went !== undefined) {
    // Nothing ties a time-out to its request; a status or an error code does, also where another call has ended well since.
    const isTied = call.kind === 'status' || call.kind === 'connection';
    return went === endpoint && (isTied || seen?.byOrigin.get(endpoint)?.lastFailed === true);
  }
  // A tool may use a client of the same make: its word counts where no call to the endpoint was seen at all.
  return call.isModelClient && call.kind !== 'unsaid' && seen?.byOrigin.has(endpoint) !== true;
}

/** The origin of what fits a failed call best among the requests that were seen; undefined where none does. */
function whereItWent(call: FailedCall, { lastByStatus, lastFailure }: SeenRequests): string | undefined {
  switch (call.kind) {
    case 'status':
      return lastByStatus.get(call.status!);
    case 'connection':
      return lastFailure?.code === call.code ? lastFailure?.origin : undefined;
    case 'time_out':
    case 'unsaid':
      return lastFailure?.origin;
  }
}

// By what their errors have in common, since a bundler may rename classes: OpenAI's and Anthropic's clients are of one
// make, the AI SDK marks its errors, Strands names its own.
function isOfModelClient(error: object): boolean {
  const name = readMember(error, 'name');
  return (
    (hasMember(error, 'requestID') && hasMember(error, 'headers')) ||
    (typeof name === 'string' && /^AI_|^Model(Throttled)?Error$/.test(name))
  );
}

// Also where it is undefined, as in the errors of a call that got no answer.
function hasMember(error: object, name: string): boolean {
  try {
    return name in error;
  } catch {
    return false;
  }
}

function statusOf(error: object): number | undefined {
  for (const name of ['status', 'statusCode']) {
    const status = readMember(error, name);
    // The AI SDK reports 200 where a stream broke.
    if (typeof status === 'number' && status >= 400) return status;
  }
  return undefined;
}

function isTimeout(error: object): boolean {
  const name = readMember(error, 'name');
  return (
    (typeof name === 'string' && /time-?out/i.test(name)) ||
    /tim(ed|e)[ -]?out/i.test(describeThrown(error).message)
  );
}

function messageOfNamed(error: InfrastructureError): string {
  const { cause } = error;
  return cause === undefined ? error.message : `${error.message} Cause: ${words(cause)}`;
}

function words(error: unknown): string {
  const { message, name } = describeThrown(error);
  const code = readMember(error, 'code');
  // Where several addresses of a host were tried, Node gives the error no message.
  const text = message === '' && typeof code === 'string' ? code : message;
  return text === '' ? name : text;
}

function shownEndpoint({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}

function parseUrl(url: unknown): URL | undefined {
  return typeof url === 'string' && /^https?:/i.test(url) && URL.canParse(url) ? new URL(url) : undefined;
}
