import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/typescript-setup.ts',
  'src/snapshot/play-snapshot.ts',
  'src/s3/index.ts',
  'src/faults/index.ts',
]);
