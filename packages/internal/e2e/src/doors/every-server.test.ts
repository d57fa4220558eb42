import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';

it('knows every server of the workspace', () => {
  const root = resolve(import.meta.dirname, '../../../..');
  const found = globSync('*/*/src/**/*.ts', { cwd: root, exclude: ['internal/**'] })
    .filter((path) => !/\.(test|fixture|engine)\.ts$|\/test-agents\//.test(path))
    .filter((path) => {
      const text = readFileSync(resolve(root, path), 'utf8');
      const isHttp = /from 'node:https?'/.test(text) && /\bcreateServer\(/.test(text);
      return isHttp || /\b[fF]astify\(\{/.test(text);
    });
  expect(found.toSorted()).toEqual([
    'agent/server-sagemaker/src/local/start-local-job-runtime.ts',
    // For one rollout, and asks for its key.
    'agent/server-sagemaker/src/model-relay.ts',
    'agent/server/src/http/create-http-server.ts',
    // Passes on to the agent server.
    'agent/server/src/ping-thread/thread/front-door.ts',
    // For one rollout, and only the agent beside it; its own tests knock.
    'agent/server/src/reach/agent-tunnel.ts',
    'evaluate/view/src/serve/serve-view.ts',
    // Credentials that are none, for the seconds in which a bundle starts.
    'laptop/doctor/src/room/lone-bundle.ts',
    // The S3 endpoint that the local AgentCore has, too.
    'laptop/doctor/src/room/result-bucket.ts',
    'laptop/local/src/start-local-runtime.ts',
    'laptop/mock-model/src/mock-model-app.ts',
    'rollout/collect/src/serve/serve-http.ts',
    'tokens/gateway/src/server/gateway-server.ts',
  ]);
});
