import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/testing/index.ts',
  'src/telemetry/index.ts',
  'src/draws/index.ts',
  'src/figures/index.ts',
  'src/require-node.ts',
]);
