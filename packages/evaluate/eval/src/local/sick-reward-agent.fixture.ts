import { AgentCoreRLApp } from '@art/server';

/** Its reward is no number, in the way that the task asks for. */
const rewards: Record<string, object> = {
  nan: { reward: Number.NaN },
  infinite: { reward: Number.POSITIVE_INFINITY },
  text: { reward: '1' },
  null: { reward: null },
  empty: { reward: [] },
  missing: {},
  last: { rewards: [1, Number.NaN] },
  good: { reward: 1 },
};

const app = new AgentCoreRLApp({
  invocationHandler: {
    process: ({ kind = 'missing' }: { kind?: string }) => ({ kind, ...rewards[kind] }),
  },
});

void app.run();
