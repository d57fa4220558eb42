import { RolloutClient } from '@art/client';

// The loop of the README, and a single rollout beside it; nobody catches anything.
const [agentRuntimeArn = '', kind] = process.argv.slice(2);

await using client = new RolloutClient({
  agentRuntimeArn,
  bucket: 'default-bucket',
  expId: 'interrupted',
  stopOnSignals: true,
});
const problems = Array.from({ length: 12 }, () => ({ do: 'hang' }));

if (kind === 'single') {
  const future = await client.invoke(problems[0]!);
  console.log('accepted');
  await future.result();
} else {
  let accepted = 0;
  const onEvent = ({ type }: { type: string }): void => {
    if (type === 'accepted' && ++accepted === 6) console.log('accepted');
  };
  for await (const item of client.runBatch(problems, { maxConcurrentSessions: 6, onEvent }))
    console.log(item.outcome.kind);
}
