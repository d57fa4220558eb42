import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { evaluate } from '@art/eval';
import { expect, it } from 'vitest';
import { FakeAgent } from '../fake-agent.fixture.ts';
import { temporaryFolder } from '../temporary-folder.fixture.ts';

const tasks = [
  { id: 'a', payload: { n: 1 } },
  { id: 'b', payload: { n: 0 } },
];

it('a run keeps its journal only while something may need it, and samples can be added all the same', async () => {
  const agent = new FakeAgent();
  const client = agent.client();
  const folder = join(await temporaryFolder(), 'run');
  const evaluated = async (samples: number): Promise<string[]> => {
    const run = await evaluate({ agent: client, tasks, samples, folder, onNotice: () => undefined });
    expect(run.results).toMatchObject({ isComplete: true, samples: { scored: 2 * samples } });
    return readdir(folder);
  };
  try {
    expect(await evaluated(1)).not.toContain('journal');
    // A session that may live is known to its journal alone.
    agent.refusesStops = true;
    expect(await evaluated(2)).toContain('journal');
    expect(agent.sent).toHaveLength(4);
    agent.refusesStops = false;
    agent.stopped.length = 0;
    expect(await evaluated(3)).not.toContain('journal');
    expect(agent.sent).toHaveLength(6);
    // Those of the process before among them.
    expect(agent.stopped).toHaveLength(4);
  } finally {
    await client.close();
  }
});
