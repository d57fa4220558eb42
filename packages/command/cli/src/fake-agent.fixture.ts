import { type AgentRuntime, MemoryResultStore, RolloutClient } from '@art/client';
import { buildResultKey, type InvokeRequest, parseRolloutConfig, RuntimeError } from '@art/protocol';
import { isJsonObject, parseJson } from '@art/ground';
import type { ClientSettings, createRolloutClient } from './connection/create-rollout-client.ts';
import type { InvokeTarget } from './connection/invoke-target.ts';

export const agentArn = 'arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/my_agent-abc123';

/** An agent that answers at once: `{fail}` fails, `{hang}` never stores anything, `{unstarted}` never starts, all else has `n` as its reward. */
export class FakeAgent implements AgentRuntime {
  readonly store = new MemoryResultStore();
  /** Payloads that were sent, `_rollout` among them. */
  readonly sent: Record<string, unknown>[] = [];
  readonly stopped: string[] = [];
  readonly targets: InvokeTarget[] = [];
  /** Sessions cannot be stopped: what a client that is killed leaves behind. */
  refusesStops = false;

  async invoke(request: InvokeRequest) {
    const payload = parseJson(request.body);
    if (!isJsonObject(payload)) throw new Error('no object');
    this.sent.push(payload);
    if (payload['unstarted'] === true)
      throw new RuntimeError({
        code: 'ART_RUNTIME_REJECTED',
        delivery: 'never',
        message: 'the image is missing',
      });
    const target = parseRolloutConfig(payload)!.target!;
    const key = buildResultKey({ ...target, sessionId: request.sessionId });
    if (payload['hang'] !== true) {
      const document =
        payload['fail'] === undefined
          ? { status_code: 200, rewards: payload['n'] ?? 1 }
          : { status_code: 500, stop_reason: payload['fail'] };
      await this.store.put({ bucket: target.s3Bucket, key }, JSON.stringify(document));
    }
    return { body: JSON.stringify({ status: 'processing', s3_bucket: target.s3Bucket, result_key: key }) };
  }

  async stop(sessionId: string) {
    if (this.refusesStops) throw new Error('no route to AgentCore');
    this.stopped.push(sessionId);
    return { kind: 'stopped' as const };
  }

  client(settings: Partial<ClientSettings> = {}, bucket = 'results'): RolloutClient {
    return new RolloutClient({
      agentRuntimeArn: agentArn,
      runtime: () => this,
      store: this.store,
      bucket,
      expId: settings.expId ?? 'try',
      baseUrl: settings.baseUrl,
      extraConfig: settings.set,
      watch: { lagBoundMs: 5 },
      stopTimeoutMs: 100,
      onWarning: () => undefined,
    });
  }

  readonly connect: typeof createRolloutClient = (target, settings) => {
    this.targets.push(target);
    const client = this.client(settings, target.bucket);
    return { client, [Symbol.asyncDispose]: () => client.close() };
  };
}
