import { packageBuild } from '@art/tooling/tsup';

export default packageBuild(['src/index.ts', 'src/service-failure/index.ts', 'src/events/index.ts']);
