import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/judge-module/judge-worker.ts',
  'src/local/index.ts',
  'src/records/index.ts',
  'src/statistics/index.ts',
  'src/health/index.ts',
]);
