import { expect, it } from 'vitest';
import { openaiChat } from '../gateway/agents/openai-node.ts';
import { expectSameTokens } from '../gateway/compare-captures.ts';
import { startGatewayBed } from '../gateway/gateway-bed.fixture.ts';
import { expectedCalls, finalText, SumTools } from '../gateway/sums-script.ts';
import { ThroughSockets } from './through-sockets.fixture.ts';

// The two most telling of those that `reach-gateway` runs.
it("a gateway's calls through the socket of a session are the same byte for byte, and captured token for token", async () => {
  await using sockets = await ThroughSockets.install();
  const bed = await startGatewayBed({}, { cumulativeTokenMode: true });
  const { baseUrl, anthropicBaseUrl } = await bed.control.createSession({ sessionId: 's' });
  const tools = new SumTools();
  const at = { openaiUrl: baseUrl, anthropicUrl: anthropicBaseUrl, apiKey: 'unused' };
  expect(await openaiChat({ stream: true })(at, tools)).toBe(finalText);
  expect(tools.calls).toEqual(expectedCalls);
  expectSameTokens(await bed.captures('s'), bed.engine.calls);
  const message = 'No tokens to spare: 🧮 \\ud83d';
  const refusing = await startGatewayBed({ fault: () => ({ kind: 'refuse', status: 400, message }) });
  const reply = await fetch(`${refusing.gateway.url}/sessions/s/v1/chat/completions`, {
    method: 'POST',
    body: '{ "messages": [{"role":"user","content":"\\u00fc"}], "seed":1152921504606846976, "a":1.0 }',
  });
  expect(reply.status).toBe(400);
  expect(Buffer.from(await reply.arrayBuffer())).toEqual(refusing.engine.calls.at(-1)!.sent);
  expect(sockets.calls).toBe(bed.engine.calls.length + 1);
});
