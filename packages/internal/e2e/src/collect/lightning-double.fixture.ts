import { fastify } from 'fastify';

type State = 'queuing' | 'running' | 'succeeded' | 'failed';

interface Rollout {
  rollout_id: string;
  input: unknown;
  is_train: boolean;
  config: { timeout_seconds: number; local: null; k8s: null };
  metadata: object;
  status: { state: State; version: number; [field: string]: unknown };
}

interface LightningEvent {
  event_type: string;
  rollout_id: string;
  attempt_id: string;
  timestamp: number;
  data: object;
}

/** A server of Agent Lightning 1.0, as far as a controller sees one. */
export interface LightningDouble extends AsyncDisposable {
  url: string;
  /** Answer to every call of the controller. */
  fault: number | undefined;
  /** True if changes are made, and their answers lost. */
  losesAnswers: boolean;
  rollouts: Map<string, Rollout>;
}

const next: Record<State, readonly State[]> = {
  queuing: ['running', 'failed'],
  running: ['succeeded', 'failed'],
  succeeded: [],
  failed: [],
};

/** Its replies are held to recorded ones of the real server. */
export async function startLightningDouble(key: string, port = 0): Promise<LightningDouble> {
  const rollouts = new Map<string, Rollout>();
  const events = new Map<string, LightningEvent[]>();
  let endpoint: string | undefined;
  const server = fastify({ forceCloseConnections: true });
  const seconds = (): number => Date.now() / 1_000;

  server.addHook('onRequest', async ({ headers, url: asked }, reply) => {
    if (double.fault !== undefined && asked.startsWith('/api/'))
      return reply.code(double.fault).send({ detail: 'fault' });
    if (headers.authorization === `Bearer ${key}`) return undefined;
    return reply.code(401).send({ detail: 'Invalid or missing API key' });
  });
  server.addHook('onSend', async ({ method }, reply, payload) => {
    if (double.losesAnswers && method === 'PATCH') reply.raw.destroy();
    return payload;
  });
  const record = (id: string, attemptId: string, type: string, data: object): LightningEvent => {
    const event = { event_type: type, rollout_id: id, attempt_id: attemptId, timestamp: seconds(), data };
    events.set(id, [...(events.get(id) ?? []), event]);
    return event;
  };

  server.post<{ Body: { endpoint: string }[] }>('/api/models', async ({ body }, reply) => {
    endpoint = body[0]?.endpoint;
    return reply.code(201).send(body.map((model) => ({ version: 0, ...model })));
  });
  server.post<{ Body: Record<string, unknown>[] }>('/api/rollouts', async ({ body }, reply) => {
    const added = body.map(({ rollout_id: id, input, is_train: isTrain = true, config }): Rollout => {
      const rollout: Rollout = {
        rollout_id: id as string,
        input,
        is_train: isTrain as boolean,
        config: { timeout_seconds: 3_600, local: null, k8s: null, ...(config as object) },
        metadata: { batch_idx: null, sample_idx_in_batch: null },
        status: {
          state: 'queuing',
          k8s_job_name: null,
          last_attempt_id: null,
          error_message: null,
          version: 1,
          created_at: seconds(),
          updated_at: seconds(),
        },
      };
      rollouts.set(rollout.rollout_id, rollout);
      return rollout;
    });
    return reply.code(201).send(added);
  });
  server.get<{ Querystring: { state_in: string | string[]; limit?: number } }>(
    '/api/rollouts',
    async ({ query }) =>
      [...rollouts.values()]
        .filter(({ status }) => [query.state_in].flat().includes(status.state))
        .slice(0, query.limit ?? 500),
  );
  const path = '/api/rollouts/:id';
  server.addHook<{ Params: { id?: string } }>('preHandler', async ({ params: { id } }, reply) => {
    if (id === undefined || rollouts.has(id)) return undefined;
    return reply.code(404).send({ detail: `Rollout not found: ${id}` });
  });
  server.get<{ Params: { id: string } }>(path, async ({ params: { id } }) => ({
    rollout: rollouts.get(id),
    attempts: [...new Set(events.get(id)?.map(({ attempt_id: attemptId }) => attemptId))],
  }));
  server.patch<{ Params: { id: string }; Body: { status: { state: State } } }>(
    path,
    async ({ params: { id }, body: { status } }, reply) => {
      const rollout = rollouts.get(id)!;
      const { state, version } = rollout.status;
      if (!next[state].includes(status.state))
        return reply
          .code(409)
          .send({ detail: `Rollout ${id}: cannot transition ${state} -> ${status.state}` });
      rollout.status = { ...rollout.status, ...status, version: version + 1, updated_at: seconds() };
      return rollout;
    },
  );
  server.get<{ Params: { id: string } }>(`${path}/events`, async ({ params: { id } }) => {
    const last = rollouts.get(id)!.status['last_attempt_id'] ?? '0';
    return (events.get(id) ?? []).filter(({ attempt_id: attemptId }) => attemptId === last);
  });
  server.post<{ Params: { id: string; attempt: string }; Body: { event_type: string; data: object } }>(
    `${path}/attempt/:attempt/events`,
    async ({ params: { id, attempt }, body }) => record(id, attempt, body.event_type, body.data),
  );
  server.post<{ Params: { id: string; attempt: string }; Body: Record<string, unknown> }>(
    '/proxy/rollout/:id/attempt/:attempt/mode/:mode/openai/v1/chat/completions',
    async ({ params: { id, attempt }, body }, reply) => {
      if (endpoint === undefined)
        return reply.code(503).send({ detail: "No servers available for model 'policy'" });
      const request = { ...body, model: 'policy', return_token_ids: true, logprobs: true };
      const answer = await fetch(`${endpoint}/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      const response = (await answer.json()) as object;
      record(id, attempt, 'model_request', { request, response, http_status: answer.status, status: 'ok' });
      return reply.code(answer.status).send(response);
    },
  );

  const url = await server.listen({ host: '127.0.0.1', port });
  const close = async (): Promise<void> => server.close();
  const double: LightningDouble = {
    url,
    fault: undefined,
    losesAnswers: false,
    rollouts,
    [Symbol.asyncDispose]: close,
  };
  return double;
}
