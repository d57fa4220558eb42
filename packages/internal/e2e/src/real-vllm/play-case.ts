import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import type { CaptureRecord, TrainingRow } from '@art/trajectories';
import type { EngineCase } from './engine-case.ts';
import { readSaid, type Said } from './read-said.ts';
import type { SampledTokens } from '@art/tooling/vllm-recording';

export interface PlayedCase {
  said: Said[];
  captures: CaptureRecord[];
  rows: readonly TrainingRow[];
}

/** A gateway of its own before the engine, a session, the case's calls one after the other, and what was captured of them. */
export async function playCase(
  engineCase: EngineCase,
  { engineUrl }: { engineUrl: string },
): Promise<PlayedCase> {
  const { cumulative, samplingParams } = engineCase;
  const gateway = await startGateway({
    port: 0,
    logLevel: 'silent',
    workers: [{ url: engineUrl }],
    cumulativeTokenMode: cumulative,
  });
  try {
    const control = new GatewayClient({ url: gateway.url });
    const { sessionId } = await control.createSession({
      sessionId: 'case',
      ...(samplingParams && { samplingParams }),
    });
    const said: Said[] = [];
    await engineCase.play({
      async post(path, body) {
        const reply = await fetch(`${gateway.url}/sessions/${sessionId}${path}`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(body),
        });
        const answer = readSaid(path, reply.status, await reply.text());
        said.push(answer);
        return answer;
      },
    });
    const captures = await control.captures(sessionId);
    const rows = captures.length === 0 ? [] : await control.finishTrajectory(sessionId);
    return { said, captures, rows };
  } finally {
    await gateway.close();
  }
}

/** The tokens of each capture, in the order of the captures. */
export function capturedOf(captures: readonly CaptureRecord[]): SampledTokens[] {
  return captures.map((capture) => ({
    promptTokenIds: capture.prompt_token_ids,
    tokenIds: capture.completion_token_ids,
    logprobs: capture.logprobs ?? [],
  }));
}

/** How many turns begin with all tokens of an earlier turn. */
export function continuedTurns(tokens: readonly SampledTokens[]): number {
  return tokens.filter(({ promptTokenIds }, turn) =>
    tokens
      .slice(0, turn)
      .some((before) =>
        [...before.promptTokenIds, ...before.tokenIds].every((id, at) => promptTokenIds[at] === id),
      ),
  ).length;
}
