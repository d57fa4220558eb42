import { packageBuild } from '@art/tooling/tsup';

export default packageBuild([
  'src/index.ts',
  'src/engine-port.ts',
  'src/json-bytes/index.ts',
  'src/model-wires/index.ts',
]);
