/** A rollout agent without a framework: answers "processing", then stores its result in S3 by a plain PUT. */
// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');

console.log(`agent up, greeting ${process.env.GREETING ?? 'none'}`);
if (process.argv[2] === 'crash') {
  console.error('Error: MODEL_ID is not set');
  process.exit(3);
}

async function store(rollout, key, document) {
  const endpoint = process.env.AWS_ENDPOINT_URL_S3 ?? process.env.AWS_ENDPOINT_URL;
  const answer = await fetch(`${endpoint}/${rollout.s3_bucket}/${key}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(document),
  });
  console.log(`stored ${answer.status}`);
}

createServer((request, response) => {
  if (request.url === '/ping') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'Healthy', time_of_last_update: 1 }));
    return;
  }
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const { _rollout: rollout, _agentcore_runtime: _, ...payload } = JSON.parse(body);
    console.log(`got ${JSON.stringify(payload)}`);
    const session = String(request.headers['x-amzn-bedrock-agentcore-runtime-session-id']);
    const key = `${rollout.exp_id}/${rollout.input_id}/${session}.json`;
    response.end(JSON.stringify({ status: 'processing', s3_bucket: rollout.s3_bucket, result_key: key }));
    if (payload.hang === true) return;
    const document = payload.fail
      ? { status_code: 500, stop_reason: payload.fail }
      : { status_code: 200, rewards: 1, greeting: process.env.GREETING, rollout, payload };
    void store(rollout, key, document);
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
