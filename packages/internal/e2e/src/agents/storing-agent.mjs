/** The least agent that there can be: no server framework, stores the payload's reward, or 1, after RUN_MS. For runs with very many sessions. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');

createServer((request, response) => {
  if (request.url === '/ping') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'Healthy', time_of_last_update: 1 }));
    return;
  }
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { _rollout: rollout, reward = 1 } = JSON.parse(body);
    const session = request.headers['x-amzn-bedrock-agentcore-runtime-session-id'];
    const key = `${rollout.exp_id}/${rollout.input_id}/${String(session)}.json`;
    response.end(JSON.stringify({ status: 'processing', s3_bucket: rollout.s3_bucket, result_key: key }));
    const path = join(process.env.RESULT_ROOT, rollout.s3_bucket, key);
    setTimeout(() => void store(path, reward), Number(process.env.RUN_MS ?? 0));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');

async function store(path, reward) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, JSON.stringify({ rewards: reward, status_code: 200 }));
  await rename(`${path}.part`, path);
}
