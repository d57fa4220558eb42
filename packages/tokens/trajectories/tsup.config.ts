import { packageBuild } from '@art/tooling/tsup';

export default packageBuild(['src/index.ts', 'src/parquet/index.ts', 'src/testing/index.ts']);
