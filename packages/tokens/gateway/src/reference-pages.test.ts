import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { configKeys } from './options/config-keys.ts';
import { readGatewayConfig } from './options/gateway-config.ts';
import { resolveGatewayOptions } from './options/resolve-gateway-options.ts';
import { fullCapture, sampleCapture } from '@art/trajectories/testing';
import { retentionRules } from './store/retention.ts';
import { toCompactCaptures, toCaptureRecord } from '@art/trajectories';

const reference = (page: string): Promise<string> =>
  readFile(new URL(`../../../internal/docs/reference/${page}.md`, import.meta.url), 'utf8');
const routes = await reference('gateway-http');
const configuration = await reference('gateway-config');

describe('the page of the routes', () => {
  it('describes every member of a capture and of a delta, and no other', () => {
    const [members, deltaMembers] = ['| member ', '| member of a delta '].map((head) => {
      const table = routes.slice(routes.indexOf(head)).split('\n\n', 1)[0]!;
      return [...table.matchAll(/^\| `(\w+)` /gm)].map((row) => row[1]!);
    });
    const capture = fullCapture({ captureId: 'a', sessionId: 's' });
    const record = JSON.parse(toCaptureRecord(capture)) as object;
    expect(members!.toSorted()).toEqual(Object.keys(record).toSorted());

    const echo = '{"content":"Hello","role":"assistant"}';
    const first = sampleCapture({ captureId: 'a', sessionId: 's' });
    const second = {
      ...capture,
      messages: [...first.messages, echo],
      promptTokenIds: Int32Array.of(1, 2, 3, 4),
    };
    const { deltas } = JSON.parse(toCompactCaptures([first, second])) as { deltas: object[] };
    const own = Object.keys(deltas[1]!).filter((name) => !(name in record));
    expect(deltaMembers!.toSorted()).toEqual(own.toSorted());
  });
});

describe('the page of the configuration file', () => {
  const text = /^```yaml\n(.*?)^```$/ms.exec(configuration)![1]!;
  const document = parse(text) as Record<string, unknown>;
  const { options } = readGatewayConfig(text);
  const resolved = resolveGatewayOptions(options);

  it('has every key', () => {
    // Refused, with what to do instead.
    const keys = configKeys.filter((key) => key !== 'token_mode');
    expect(Object.keys(document).toSorted()).toEqual(keys.toSorted());
    // Of the mappings as well: the check fills in what they leave out.
    const [worker] = resolved.workers;
    for (const [given, whole] of [
      [options.heartbeat, resolved.heartbeat],
      [options.retry, resolved.retry],
      [options.auth, resolved.auth],
      [options.workers?.[0], worker],
    ]) {
      expect(Object.keys(given as object).toSorted()).toEqual(Object.keys(whole as object).toSorted());
    }
  });

  it('has the defaults, but for what it calls an example', () => {
    const { auth, workers, store, ...others } = resolved;
    const { auth: noAuth, workers: none, store: _inMemory, ...defaults } = resolveGatewayOptions();
    expect(others).toEqual(defaults);
    expect(auth.sessionKeys).toBe(noAuth.sessionKeys);
    expect(none).toEqual([]);
    expect(workers[0]).toMatchObject({ apiPath: '/v1', weight: 1 });
    const maxSessions = retentionRules.maxSessions(undefined, 'maxSessions');
    const maxBytes = 64 * 2 ** 30;
    expect(store).toMatchObject({ kind: 'own', options: { maxSessions, maxBytes } });
  });
});
