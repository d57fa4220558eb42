import { packageBuild } from '@art/tooling/tsup';

export default packageBuild(['src/steps/index.ts']);
