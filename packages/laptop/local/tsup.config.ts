import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/typescript-setup.ts',
  'src/snapshot/snapshot-setup.ts',
  'src/s3/index.ts',
  'src/faults/index.ts',
]);
