import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalSession, type LocalSessionOptions } from '@art/train/local';
import type { StepRow } from '@art/train/steps';
import { onTestFinished } from 'vitest';

export const shape: LocalSessionOptions['shape'] = {
  vocabularySize: 11,
  hiddenSize: 8,
  intermediateSize: 8,
  layers: 1,
  heads: 2,
  headSize: 4,
  maxContext: 64,
  endToken: 10,
};

// oxlint-disable-next-line typescript/no-explicit-any -- what requests say is looked at where it is used
type Body = Record<string, any>;

/** Answer to a request in place of the true one. */
export type TinkerFault =
  | { status: number; headers?: Record<string, string>; body?: object }
  /** The request is done, and its answer is lost. */
  | 'lose_reply';

export interface TinkerServer {
  baseUrl: string;
  /** Paths and bodies of all requests that were looked at, in order. */
  seen: { path: string; body: Body; headers: IncomingMessage['headers'] }[];
  /** Training operations that had an effect. */
  applied: string[];
  fault: (path: string, body: Body) => TinkerFault | undefined;
  config: Body;
}

/** The JSON of Tinker's client 0.24.1, as SkyRL 0.3.0 answered it, in front of a small policy. */
export async function tinkerServer(): Promise<TinkerServer> {
  const directory = await mkdtemp(join(tmpdir(), 'art-train-tinker-'));
  const policy = new LocalSession({ shape, seed: 2, directory });
  const promises = new Map<string, Promise<Body>>();
  const done = new Map<string, Body>();
  const weights = new Map<string, string | undefined>();
  const kept = new Set<string>();
  const served: TinkerServer = { baseUrl: '', seen: [], applied: [], fault: () => undefined, config: {} };

  const later = (kind: string, work: () => Promise<Body>): Body => {
    if (kind !== 'sample') served.applied.push(kind);
    const id = String(promises.size + 1);
    const promise = work().catch((error: Error) => ({ error: error.message, category: 'user' }));
    promises.set(id, promise);
    return { request_id: id };
  };
  const samplerOf = (name: string | undefined, id: string): Body => {
    weights.set(id, name);
    return { sampling_session_id: id };
  };
  const routes: Record<string, (body: Body) => Body | Promise<Body>> = {
    '/client/config': () => served.config,
    '/create_session': () => ({ session_id: 'session_1' }),
    '/session_heartbeat': () => ({ type: 'session_heartbeat' }),
    '/create_model': () => later('create_model', () => Promise.resolve({ model_id: 'model_1' })),
    '/get_info': () => ({ model_data: { model_name: 'tiny', tokenizer_id: 'tiny/tokenizer' } }),
    '/forward_backward': (body) =>
      later('forward_backward', async () => {
        const { data, loss_fn: name } = body['forward_backward_input'];
        const rows: StepRow[] = data.map(({ model_input: input, loss_fn_inputs: given }: Body) => ({
          tokens: input['chunks'][0].tokens,
          targets: given['target_tokens'].data,
          weights: given['weights']?.data ?? given['target_tokens'].data.map(() => 1),
          logprobs: given['logprobs']?.data,
          advantages: given['advantages']?.data,
        }));
        const { logprobs } = await policy.forwardBackward(rows, { name }).result();
        return {
          loss_fn_output_type: 'scalar',
          loss_fn_outputs: logprobs!.map((list) => ({
            logprobs: { data: list, dtype: 'float32', shape: [list.length] },
          })),
          metrics: { 'loss:sum': rows.length },
        };
      }),
    '/optim_step': ({ adam_params: adam }) =>
      later('optim_step', async () => {
        const {
          learning_rate: learningRate,
          weight_decay: weightDecay,
          grad_clip_norm: gradClipNorm,
          ...rest
        } = adam;
        await policy.optimStep({ learningRate, weightDecay, gradClipNorm, ...rest }).result();
        return { metrics: { grad_norm: 1 } };
      }),
    '/save_weights_for_sampler': ({ path, sampling_session_seq_id: number }) =>
      later('save_weights_for_sampler', async () => {
        const saved = await policy.saveForSampling(path ?? `s${number}`, { keep: true }).result();
        if (path === undefined) return { path: null, ...samplerOf(saved.weights, `sampling_${number}`) };
        weights.set(`tinker://model_1/${path}`, saved.weights);
        kept.add(`/training_runs/model_1/checkpoints/sampler_weights/${path}`);
        return { path: `tinker://model_1/${path}` };
      }),
    '/save_weights': ({ path }) =>
      later('save_weights', async () => ({ path: (await policy.saveState(path).result()).state })),
    '/load_weights': ({ path, optimizer }) =>
      later('load_weights', async () => {
        await policy.loadState({ state: path }, { optimizer }).result();
        return { type: 'load_weights' };
      }),
    '/create_sampling_session': ({ model_path: path, sampling_session_seq_id: number }) =>
      samplerOf(path === undefined ? undefined : weights.get(path), `sampling_${number}`),
    '/asample': (body) =>
      later('sample', async () => {
        const name = weights.get(body['sampling_session_id']);
        const from = name === undefined ? 'base' : { weights: name };
        const prompt: number[] = body['prompt'].chunks[0].tokens;
        const { max_tokens: maxTokens, temperature, seed } = body['sampling_params'];
        const samples = await policy.sample({
          prompt,
          samples: body['num_samples'],
          maxTokens,
          temperature,
          seed,
          weights: from,
        });
        return {
          sequences: samples.map(({ tokens, logprobs, stopReason }) => ({
            tokens,
            logprobs,
            stop_reason: stopReason,
          })),
          prompt_logprobs: body['prompt_logprobs'] ? (await policy.logprobs(prompt, from)).slice(1) : null,
        };
      }),
    '/retrieve_future': async ({ request_id: id }) => (await promises.get(id)) ?? { error: `no ${id}` },
  };

  const answer = async (request: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const text = Buffer.concat(await Array.fromAsync(request as AsyncIterable<Buffer>)).toString('utf8');
    const path = request.url!.replace('/api/v1', '');
    const body = (text === '' ? {} : JSON.parse(text)) as Body;
    served.seen.push({ path, body, headers: request.headers });
    const wrong = served.fault(path, body);
    const send = (status: number, said: object, headers: Record<string, string> = {}): void => {
      reply.writeHead(status, { 'content-type': 'application/json', ...headers });
      reply.end(JSON.stringify(said));
    };
    if (wrong !== undefined && wrong !== 'lose_reply')
      return send(wrong.status, wrong.body ?? {}, wrong.headers);
    if (request.method === 'DELETE' && path.includes('/checkpoints/')) {
      if (!kept.delete(path)) return send(404, { detail: `Checkpoint not found: ${path}` });
      reply.writeHead(204).end();
      return;
    }
    const route = routes[path];
    if (route === undefined) return send(404, { detail: 'Not Found' });
    const key = String(request.headers['x-idempotency-key']);
    const said = done.get(key) ?? (await route(body));
    if (path !== '/retrieve_future') done.set(key, said);
    if (wrong === 'lose_reply') return void request.socket.destroy();
    send(200, said);
  };
  const server = createServer((request, reply) => void answer(request, reply));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await policy.stop();
    await rm(directory, { recursive: true, force: true });
  });
  served.baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return served;
}
