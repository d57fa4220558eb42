import { delegateBackend, judgeCondition, type ObjectBackend } from '@art/local-s3';

/** A view of a backend whose commits judge and answer like the real ones, and keep nothing. */
export function forgetfulBackend(backend: ObjectBackend): ObjectBackend {
  return delegateBackend(backend, {
    stage: async (at) => {
      const staged = await backend.stage(at);
      return {
        write: (chunk) => staged.write(chunk),
        commit: async (_properties, condition) => {
          const outcome = judgeCondition(condition, await backend.describe(at));
          await staged.discard();
          return outcome;
        },
        discard: () => staged.discard(),
      };
    },
  });
}
