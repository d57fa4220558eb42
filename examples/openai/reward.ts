import { GSM8KReward } from '@art/agent';

/** 1 where the number after `####` is the right one, else 0. For a reward of your own, extend `RewardFunction`. */
export const reward = new GSM8KReward();

interface Sample {
  task: { payload: { answer?: unknown } };
  document: { text?: unknown };
}

/** The same reward for `art audit` and `art eval --reward`: it judges what the agent has returned. */
export default function judge({ task, document }: Sample): Promise<number> {
  return reward.compute({ responseText: String(document.text), groundTruth: String(task.payload.answer) });
}
