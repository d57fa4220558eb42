import { execFile, spawnSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { sayMissing } from '@art/tooling/say-missing';
import { expect, it } from 'vitest';
import { testBench } from './gateway-bench.fixture.ts';
import { chatReply, sendJson } from './mock-engine.fixture.ts';

const page = await readFile(new URL('../../../internal/docs/capture-tokens.md', import.meta.url), 'utf8');
const section = page.slice(page.indexOf('## Walk-through with curl'));
const blocks = [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map((block) => block[1]!);
const hasCurl = spawnSync('curl', ['--version']).status === 0;
if (!hasCurl) sayMissing('no curl on the PATH, so the walk-through of the gateway is not tested');

/** The answers that the block promises for each request. */
function promised(block: string): unknown[] {
  return [...block.matchAll(/^# -> (.*(?:\n# {5}.*)*)$/gm)].map(
    ([, json]) => JSON.parse(json!.replaceAll('\n#', '\n')) as unknown,
  );
}

it.skipIf(!hasCurl)('the walk-through with curl does what the page says', async () => {
  const { gateway, engine } = await testBench();
  engine.answer = (_request, response) => {
    const reply = chatReply();
    const [choice] = reply['choices'] as Record<string, unknown>[];
    sendJson(response, 200, {
      ...reply,
      choices: [{ ...choice, message: { role: 'assistant', content: 'Hi!' } }],
    });
  };
  const block = blocks[0]!;
  const script = block.replaceAll('http://127.0.0.1:9090', gateway.url);
  const { stdout, stderr } = await promisify(execFile)('bash', ['--norc', '-euc', script]);
  const answers = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  const expected = promised(block.replaceAll('http://127.0.0.1:8000', engine.url));
  expect(stderr).toBe('');
  expect(expected.length).toBe(block.match(/^api /gm)?.length);
  expect(answers).toMatchObject(expected);
});
