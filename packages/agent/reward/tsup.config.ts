import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/code/index.ts',
  'src/judge/index.ts',
  'src/maths/index.ts',
]);
