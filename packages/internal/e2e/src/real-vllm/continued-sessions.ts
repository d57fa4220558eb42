import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startGateway } from '@art/gateway';
import { GatewayClient } from '@art/gateway-client';
import type { SampledTokens } from '@art/tooling/vllm-recording';
import { postJson } from './engine-bed.ts';
import { endsSoon, modelId } from './engine-cases.ts';
import { capturedOf, continuedTurns } from './play-case.ts';

export interface ContinuedSessions {
  /** Tokens of all turns. */
  tokens: SampledTokens[];
  /** Turns that begin with all tokens of an earlier turn. */
  continued: number;
  /** Number of rows that a trainer gets. */
  rows: number;
  rowTokens: number;
  trainedTokens: number;
}

const turns = 3;
/** Next questions of an agent; in its last turn both, of the same conversation. */
const questions = ['And another?', 'And one by the sea?'] as const;
const atATime = 16;

/**
 * Sessions of three turns each, of which the last is asked for twice with different questions, at a gateway that is closed before
 * the last turn and started again at the same store: what is known of the turns before is what the store has.
 */
export async function playSessions(
  engineUrl: string,
  count: number,
  cumulativeTokenMode: boolean,
): Promise<ContinuedSessions> {
  const directory = await mkdtemp(join(tmpdir(), 'art-continued-'));
  const open = (): ReturnType<typeof startGateway> =>
    startGateway({
      port: 0,
      logLevel: 'silent',
      workers: [{ url: engineUrl }],
      store: { directory },
      cumulativeTokenMode,
    });
  const conversations = Array.from({ length: count }, (_, session) => [
    { role: 'user', content: `Session ${session}: name a city 🙂` },
  ]);
  let gateway = await open();
  try {
    for (let session = 0; session < count; session += 1) {
      // `endsSoon` is a bias, and what is sampled under one trains only where that is asked for.
      const init = { sessionId: `s${session}`, trainConstrained: true };
      await new GatewayClient({ url: gateway.url }).createTrajectory(init);
    }
    for (let turn = 0; turn < turns; turn += 1) {
      if (turn === turns - 1) {
        await gateway.close();
        gateway = await open();
      }
      let next = 0;
      const agent = async (): Promise<void> => {
        for (let session = next++; session < count; session = next++) {
          const messages = conversations[session]!;
          const asked = turn === 0 ? [undefined] : turn === 1 ? questions.slice(0, 1) : questions;
          for (const [fork, question] of asked.entries()) {
            const further = question === undefined ? [] : [{ role: 'user', content: question }];
            const body = {
              model: modelId,
              messages: [...messages, ...further],
              temperature: 1,
              max_tokens: 100,
              seed: (session * turns + turn) * questions.length + fork,
              ...endsSoon,
            };
            const reply = await postJson(`${gateway.url}/sessions/s${session}/v1/chat/completions`, body);
            const { choices } = JSON.parse(reply) as { choices: [{ message: { content: string } }] };
            if (turn === turns - 1) continue;
            messages.push(...further, { role: 'assistant', content: choices[0].message.content });
          }
        }
      };
      await Promise.all(Array.from({ length: atATime }, agent));
    }
    const control = new GatewayClient({ url: gateway.url });
    const tokens: SampledTokens[] = [];
    const sums = { continued: 0, rows: 0, rowTokens: 0, trainedTokens: 0 };
    for (let session = 0; session < count; session += 1) {
      const captured = capturedOf(await control.captures(`s${session}`));
      tokens.push(...captured);
      sums.continued += continuedTurns(captured);
      for (const row of await control.finishTrajectory(`s${session}`)) {
        sums.rows += 1;
        sums.rowTokens += row.token_ids.length;
        sums.trainedTokens += row.loss_mask.reduce((sum, trains) => sum + trains, 0);
      }
    }
    return { tokens, ...sums };
  } finally {
    await gateway.close();
    await rm(directory, { recursive: true, force: true, maxRetries: 10 });
  }
}
