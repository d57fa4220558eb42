/**
 * Measures what a gateway grows by for live sessions, and says what each part of that is for. `--sessions`; `--flags` are those of its
 * Node. Memory is not disturbed by other work of the machine, so this runs at any hour.
 */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { conversationTokens, conversationTurns, sampledTokens } from './engine/conversation.ts';
import { formatMemory } from './format-gateway-run.ts';
import { startLoadGenerator } from './load/start-load-generator.ts';
import { measureMemory } from './measure/measure-memory.ts';
import { spawnNode } from './subjects/spawn-node.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '1000' },
    flags: { type: 'string', default: '' },
  },
});
const sessions = Number(values.sessions);
const nodeFlags = values.flags.split(' ').filter((flag) => flag !== '');

await using engine = await spawnNode('load', join(import.meta.dirname, 'engine/engine-process.ts'));
await using load = await startLoadGenerator();
const parts = { engineUrl: String(engine.hello['url']), pythonExecutable: undefined, load };
const run = await measureMemory({ sessions, settleMs: 5_000 }, nodeFlags, parts);
console.log(formatMemory(run).trim());

const tokens = sessions * conversationTokens;
const sampled = sessions * conversationTurns * sampledTokens;
const held = {
  'token ids, 4 bytes each': tokens * 4,
  'logprobs of what was sampled, 4 bytes each': sampled * 4,
  'texts of the messages, as they came': tokens * 4,
};
const rest = run.growthBytes - Object.values(held).reduce((sum, bytes) => sum + bytes, 0);
for (const [part, bytes] of Object.entries({
  ...held,
  "headers, V8's young objects and garbage, pages of the allocator": rest,
}))
  console.log(`${(bytes / 1e6).toFixed(0).padStart(5)} MB  ${part}`);
