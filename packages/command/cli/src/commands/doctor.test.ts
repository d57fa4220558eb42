import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { capturedContext } from '../captured-context.fixture.ts';
import { exitCodes } from '../exit-codes.ts';
import { formatFinding } from '../terminal/format-finding.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';
import { type DoctorOptions, runDoctor } from './doctor.ts';

const payload = '{"prompt":"hi"}';

/** An agent that answers everything with one text, or pings alone. */
async function agentThatSays(text: string, { pingsAlone = false } = {}): Promise<string> {
  const server = createServer((request, response) => {
    if (pingsAlone && request.url !== '/ping') response.statusCode = 404;
    response.setHeader('content-type', 'application/json');
    response.end(text);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await vi.waitFor(() => expect(server.listening).toBe(true));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('says of each fault what was seen, why it matters and what to do', async () => {
  const said = '{"status":"Healthy","time_of_last_update":"2026-01-01T00:00:00Z"}';
  // What is refused is not waited for.
  const url = await agentThatSays(said, { pingsAlone: true });
  const context = capturedContext();
  expect(await runDoctor({ agent: [url], payload, json: false }, context)).toBe(exitCodes.faultsFound);
  expect(context.output()).toMatch(
    /FAULT +says it as a whole number +ping\.time-is-whole\n +seen +time_of_last_update "2026-01-01T00:00:00Z"\n +why +.*\n +do +Answer with/,
  );
  expect(context.output()).toMatch(/skipped +starts and answers a ping/);
  expect(context.output()).toMatch(/\d+ of \d+ checks are ok: \d+ faults/);
});

it('says what was seen also where it is ok, if that is what the check was run for', () => {
  const finding = { id: 'a.b', title: 'opens', why: 'w', todo: 't', verdict: 'ok', seen: 'in 1 s' } as const;
  const plain = (_: unknown, text: string): string => text;
  expect(formatFinding(finding, plain)).toBe('ok      opens  a.b\n');
  expect(formatFinding({ ...finding, isNews: true }, plain)).toBe(
    'ok      opens  a.b\n        seen  in 1 s\n',
  );
});

it('writes one JSON object a finding', async () => {
  const context = capturedContext();
  const url = await agentThatSays('{}');
  await runDoctor({ agent: [url], payload, json: true }, context);
  const lines = context
    .output()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(lines.at(-1)).toMatchObject({ event: 'summary', faults: expect.any(Number) as number });
  expect(lines.find(({ id }) => id === 'ping.status')).toMatchObject({ verdict: 'fault', seen: '{}' });
  // It cannot reach the doctor's S3, for which nobody has told it the address.
  for (const stored of ['rollout.stored', 'rollout.failure-stored'])
    expect(lines.find(({ id }) => id === stored)).toMatchObject({ verdict: 'skipped' });
});

it('takes a name with a tag for an image, and says what running it needs', async () => {
  const context = capturedContext({ env: { PATH: '/nowhere' } });
  const agent = ['123456789012.dkr.ecr.us-west-2.amazonaws.com/team/my-agent:v1'];
  await expect(runDoctor({ agent, payload, json: false }, context)).rejects.toMatchObject({
    code: 'ART_NO_CONTAINER_ENGINE',
  });
});

it('looks at one file of JavaScript also as a bundle', async () => {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'main.js'), 'throw new Error("no such model");');
  const context = capturedContext({ cwd, env: process.env });
  expect(await runDoctor({ agent: ['main.js'], payload, json: false }, context)).toBe(exitCodes.faultsFound);
  expect(context.output()).toMatch(/FAULT +starts alone in an empty folder/);
});

it('refuses a payload that is none before the agent is started', async () => {
  await expect(
    runDoctor({ agent: ['agent.ts'], payload: '[]', json: false }, capturedContext()),
  ).rejects.toMatchObject({ code: expect.stringMatching(/^ART_INVALID_(PAYLOAD|OPTION)$/) as string });
});

it.each<[Partial<DoctorOptions> & { agent: string[] }, string]>([
  [{ agent: ['agent.ts'], reach: true }, '--reach'],
  [{ agent: [], train: 'sagemaker', reach: true }, '--reach'],
  [{ agent: [], train: 'sagemaker', otherPayload: '{}' }, '--other-payload'],
  [{ agent: ['http://127.0.0.1:1'], otherPayload: '{}' }, '--other-payload'],
  [{ agent: ['arn:aws:bedrock-agentcore:us-west-2:123456789012:runtime/a-abcdefghij'], hold: 1 }, '--hold'],
])('refuses %j, in which a flag would say nothing', async (options, flag) => {
  await expect(runDoctor({ payload, json: false, ...options }, capturedContext())).rejects.toMatchObject({
    code: 'ART_INVALID_OPTION',
    message: expect.stringContaining(flag) as string,
  });
});

it('ends at Ctrl-C, also in the middle of a check, and leaves no process', async () => {
  const context = capturedContext();
  const file = join(await temporaryFolder(), 'pid');
  const script = `require('node:fs').writeFileSync(${JSON.stringify(file)}, String(process.pid)); setInterval(() => {}, 1000)`;
  const run = runDoctor({ agent: ['node', '-e', script], payload, json: false }, context);
  const pid = await vi.waitFor(() => {
    const text = readFileSync(file, 'utf8');
    expect(text).not.toBe('');
    return Number(text);
  });
  context.signals.emit('SIGINT', 'SIGINT');
  expect(await run).toBe(exitCodes.interrupted);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
});
