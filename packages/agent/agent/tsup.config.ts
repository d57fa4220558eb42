import { packageBuild } from '@art/tooling/tsup';

export default packageBuild(['src/index.ts', 'src/snapshot-safe.ts']);
