import { isJsonObject } from '@art/ground';
import type { ChunkLimits, TrainingSessionRequest, SessionRecord, TrainingService } from '@art/train/steps';
import { unknownAnswer } from './encoding/results.ts';
import {
  readTinkerOptions,
  type ResolvedTinkerOptions,
  type TinkerTrainingOptions,
} from './options/tinker-training-options.ts';
import { Heartbeats } from './session/heartbeats.ts';
import { TinkerSteps } from './session/tinker-steps.ts';
import { Futures } from './wire/futures.ts';
import { tinkerFailureOf } from './wire/tinker-failure.ts';
import { jsonOf, TinkerRequests } from './wire/tinker-requests.ts';

/** The version of Tinker's client whose wire this is. */
const sdkVersion = '0.38.0';
const defaultLimits: ChunkLimits = { rows: 1_024, bytes: 5_000_000, bytesPerToken: 4 };

/**
 * Tinker, or a server that speaks its wire, as a service that makes training steps. A session ends at the server some minutes after its last
 * heartbeat, whatever happens here.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function tinkerTraining(options: TinkerTrainingOptions): TrainingService {
  const resolved = readTinkerOptions(options);
  const requests = new TinkerRequests(resolved);
  return {
    name: 'tinker',
    place: { address: resolved.baseUrl },
    open: (session) => openSession(session, requests, resolved),
    ...sessionsOf(requests),
  };
}

/**
 * The sessions of a server, to end them. Nothing can be trained with it.
 * @throws ArtError `ART_INVALID_OPTION`
 */
export function tinkerSessions(
  options: Pick<TinkerTrainingOptions, 'apiKey' | 'baseUrl'>,
): Pick<TrainingService, 'state' | 'stop'> {
  return sessionsOf(new TinkerRequests(readTinkerOptions({ ...options, baseModel: 'none' })));
}

function sessionsOf(requests: TinkerRequests): Pick<TrainingService, 'state' | 'stop'> {
  return {
    // Asking for a session by a heartbeat would keep it alive.
    state: ({ place }) => Promise.resolve(place['sessionId'] === undefined ? 'ended' : 'unknown'),
    stop: ({ place }: SessionRecord, signal) => finish(requests, place['sessionId'], signal),
  };
}

async function openSession(
  opened: TrainingSessionRequest,
  requests: TinkerRequests,
  options: ResolvedTinkerOptions,
): Promise<TinkerSteps> {
  const { baseModel, loraRank, seed, trainUnembed, trainMlp, trainAttention, onNotice, clock } = options;
  const { signal } = opened;
  const limits = await configure(requests, signal);
  const session = await created(
    requests,
    '/create_session',
    { tags: [], user_metadata: {}, sdk_version: sdkVersion, type: 'create_session' },
    'session_id',
    signal,
  );
  await opened.note({ sessionId: session });
  const ended: { steps?: TinkerSteps } = {};
  const heartbeats = new Heartbeats(requests, session, {
    onNotice,
    onEnd: (error) => ended.steps?.end(error),
    clock,
  });
  const end = async (): Promise<void> => {
    heartbeats.stop();
    await finish(requests, session);
  };
  try {
    const futures = new Futures(requests, onNotice);
    const request = {
      path: '/create_model',
      body: {
        session_id: session,
        model_seq_id: 0,
        base_model: baseModel,
        lora_config: {
          rank: loraRank,
          ...(seed !== undefined && { seed }),
          train_unembed: trainUnembed,
          train_mlp: trainMlp,
          train_attn: trainAttention,
        },
        type: 'create_model',
      },
      what: `creating a model on ${baseModel}`,
      options: { signal },
    };
    const model = jsonOf(await futures.result(await futures.ask(request), request));
    const modelId = isJsonObject(model) ? model['model_id'] : undefined;
    if (typeof modelId !== 'string') throw unknownAnswer('a model_id', model);
    const tokenizerId = await tokenizerOf(requests, modelId, signal);
    ended.steps = new TinkerSteps({
      requests,
      options,
      sessionId: session,
      modelId,
      limits,
      info: { baseModel, loraRank, ...(tokenizerId !== undefined && { tokenizerId }) },
      finish: end,
    });
    return ended.steps;
  } catch (error) {
    await end().catch(() => undefined);
    throw error;
  }
}

/** Asks what the server wants of a client: tokens in place of keys, and how large a pass may be. */
async function configure(requests: TinkerRequests, signal?: AbortSignal): Promise<ChunkLimits> {
  const answer = jsonOf(await requests.send('/client/config', { sdk_version: sdkVersion }, { signal }));
  const flags = isJsonObject(answer) ? answer : {};
  if (flags['pjwt_auth_enabled'] === true) requests.useTokens();
  const { fwdbwd_max_chunk_len: rows, fwdbwd_max_chunk_bytes_count: bytes } = flags;
  return {
    ...defaultLimits,
    rows: typeof rows === 'number' && rows >= 1 ? rows : defaultLimits.rows,
    bytes: typeof bytes === 'number' && bytes >= 1 ? bytes : defaultLimits.bytes,
  };
}

async function created(
  requests: TinkerRequests,
  path: string,
  body: object,
  member: string,
  signal?: AbortSignal,
): Promise<string> {
  const answer = jsonOf(await requests.send(path, body, { signal }));
  const id = isJsonObject(answer) ? answer[member] : undefined;
  if (typeof id !== 'string') throw unknownAnswer(`a ${member} from ${path}`, answer);
  return id;
}

async function tokenizerOf(
  requests: TinkerRequests,
  modelId: string,
  signal?: AbortSignal,
): Promise<string | undefined> {
  const answer = jsonOf(
    await requests.send('/get_info', { model_id: modelId, type: 'get_info' }, { signal }),
  );
  const data = isJsonObject(answer) ? answer['model_data'] : undefined;
  const id = isJsonObject(data) ? data['tokenizer_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** Servers without this route end a session when its heartbeats stop. */
async function finish(
  requests: TinkerRequests,
  sessionId: string | undefined,
  signal?: AbortSignal,
): Promise<void> {
  if (sessionId === undefined) return;
  try {
    await requests.send(`/sessions/${encodeURIComponent(sessionId)}/finish`, {}, { signal });
  } catch (error) {
    const status = tinkerFailureOf(error)?.status;
    if (status !== 404 && status !== 405 && status !== 410) throw error;
  }
}
