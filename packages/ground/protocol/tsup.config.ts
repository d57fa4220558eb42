import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/schemas.ts',
  'src/require-node.ts',
  'src/rip/conformance/index.ts',
]);
