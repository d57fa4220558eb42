import { GatewayClient } from '@art/gateway-client';
import { expect, it } from 'vitest';
import { resolveGateway } from './gateway-options.ts';

const urls = ['http://10.0.0.5:9090/', 'http://10.0.0.6:9090', 'http://10.0.0.7:9090'];
const agentUrls = ['https://models/0', 'https://models/1', 'https://models/2'];
const ids = Array.from({ length: 40 }, (_, index) => `input/${index}`);

it('sends the agent of a session to the gateway that the trainer takes for it', () => {
  const client = new GatewayClient({ urls });
  const { agentBaseUrlOf } = resolveGateway({ urls, agentUrls })!;
  for (const id of ids)
    expect(agentBaseUrlOf(id)).toBe(`${agentUrls[client.gatewayOf(id)]}/sessions/${id}/v1`);
  const same = resolveGateway({ urls })!;
  for (const id of ids) expect(same.agentBaseUrlOf(id)).toBe(client.baseUrlOf(id));
});

it('keeps the address that agents have for a single gateway', () => {
  const { agentBaseUrlOf } = resolveGateway({ url: 'http://g', agentUrl: 'http://a/' })!;
  expect(agentBaseUrlOf('s')).toBe('http://a/sessions/s/v1');
});

it.each([
  [{ urls, agentUrl: 'http://a' }],
  [{ urls, agentUrls: ['http://a'] }],
  [{ url: 'http://g', agentUrls: ['http://a'] }],
  [{}],
])('refuses %j', (gateway) => {
  expect(() => resolveGateway(gateway)).toThrow(expect.objectContaining({ code: 'ART_INVALID_OPTION' }));
});
