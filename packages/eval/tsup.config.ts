import { packageBuild } from '@art/tooling/tsup';

export default packageBuild(['src/records/index.ts']);
