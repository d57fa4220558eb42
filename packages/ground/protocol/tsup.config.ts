import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/schemas.ts',
  'src/rip/conformance/index.ts',
  'src/reach/index.ts',
]);
