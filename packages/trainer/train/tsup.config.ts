import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/local/index.ts',
  'src/local/session/session-worker.ts',
  'src/steps/index.ts',
]);
