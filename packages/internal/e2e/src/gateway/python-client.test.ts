import { join } from 'node:path';
import type { CaptureRecord } from '@art/trajectories';
import { describe, expect, it } from 'vitest';
import { runPython } from '../interop/run-python.ts';
import { expectSameTokens } from './compare-captures.ts';
import { startGatewayBed } from './gateway-bed.fixture.ts';
import { isPythonMissing, pythonExecutable } from './provided-gateway-python.fixture.ts';

const script = join(import.meta.dirname, 'python/drive_gateway_client.py');

interface Seen extends Record<string, unknown> {
  captures: CaptureRecord[];
}

describe.skipIf(isPythonMissing)("rllm-model-gateway's own clients", () => {
  it('find every route, shape and status that they expect', async () => {
    const bed = await startGatewayBed(
      { answer: (_request, call) => ({ content: `answer ${call}` }) },
      { workers: [] },
    );
    const beforeMs = Date.now();
    const seen = (await runPython({
      executable: pythonExecutable,
      script,
      env: {},
      input: { gateway_url: bed.gateway.url, engine_url: bed.engine.url },
    })) as { sync: Seen; async: Seen };

    expect(bed.engine.calls).toHaveLength(6);
    for (const [prefix, calls] of [
      ['sync', bed.engine.calls.slice(0, 3)],
      ['async', bed.engine.calls.slice(3)],
    ] as const) {
      const { captures, ...rest } = seen[prefix];
      const sessionId = `${prefix}/task:1`;
      expect(rest).toEqual({
        health: { status: 'ok' },
        workers: [
          {
            worker_id: expect.any(String),
            url: bed.engine.url,
            api_path: '/v1',
            model_name: null,
            weight: 2,
            healthy: true,
            active_requests: 0,
          },
        ],
        unused: [
          expect.objectContaining({ url: 'http://127.0.0.1:9', api_path: '/v2', model_name: 'other-model' }),
        ],
        workers_left: 1,
        remove_unknown: 404,
        sessions: [sessionId, sessionId, true],
        unknown_session: 404,
        no_traces: [],
        flushed: true,
        limited: true,
        since_future: [],
        one: true,
        unknown_trace: 404,
        info: expect.objectContaining({
          session_id: sessionId,
          trace_count: 3,
          created_at: expect.any(Number),
          metadata: { task: 't', nested: { n: 1 } },
        }),
        listed: [sessionId],
        listed_limit: 1,
        listed_future: 0,
        deleted: [3, 0],
        after: [],
        uncalled: [],
      });
      // Its models know nothing of our own fields; what they keep is compared here.
      const complete = captures.map((capture) => ({
        ...capture,
        choice_index: 0,
        capture: 'complete' as const,
      }));
      expectSameTokens(complete, calls);
      captures.forEach((capture, turn) => {
        const sampled = calls[turn]!.answer!;
        expect(capture).toMatchObject({
          session_id: sessionId,
          model: 'mock-model',
          messages: [{ role: 'user', content: `turn ${turn}` }],
          response_message: { role: 'assistant', content: `answer ${sampled.callNumber}` },
          token_counts: {
            prompt: sampled.promptTokenIds.length,
            completion: sampled.choices[0]!.tokens.length,
          },
          latency_ms: expect.any(Number),
          timestamp: expect.any(Number),
        });
        expect(capture.timestamp).toBeGreaterThanOrEqual(beforeMs / 1_000);
        expect(capture.timestamp).toBeLessThanOrEqual(Date.now() / 1_000);
      });
    }
  });
});
