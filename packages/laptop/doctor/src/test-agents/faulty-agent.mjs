/**
 * An agent by hand, right but for the faults that the environment variable FAULTS names: what people write who do not use our
 * server.
 */
// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');
const { writeFileSync } = process.getBuiltinModule('node:fs');

const faults = (process.env.FAULTS ?? '').split(' ');
const has = (name) => faults.includes(name);
const seconds = () => Math.floor(Date.now() / 1000);

let working = 0;
let changedAt = seconds();
const firstEndpoint = {};
const messages = [];

function work(delta) {
  const before = working;
  working += delta;
  if ((before === 0) !== (working === 0)) changedAt = seconds();
}

function ping() {
  const busy = working > 0 && !has('never-busy');
  const status = has('status-words') ? 'OK' : busy || has('always-busy') ? 'HealthyBusy' : 'Healthy';
  if (has('no-time')) return { status };
  if (has('time-as-text')) return { status, time_of_last_update: new Date().toISOString() };
  if (has('milliseconds')) return { status, time_of_last_update: Date.now() };
  return { status, time_of_last_update: has('time-is-now') ? seconds() : changedAt };
}

async function askModel({ base_url: baseUrl, model_id: model, api_key: key }, sessionId) {
  firstEndpoint.baseUrl ??= baseUrl;
  firstEndpoint.model ??= model;
  const url = has('static-endpoint') ? firstEndpoint.baseUrl : baseUrl;
  if (has('no-model-call')) return 'I do not know';
  if (!has('keeps-history')) messages.length = 0;
  messages.push({ role: 'user', content: 'hi' });
  const response = await fetch(`${url}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: `Bearer ${has('static-key') ? 'sk-of-production' : (key ?? sessionId)}`,
    },
    body: JSON.stringify({
      model: has('static-model') ? 'gpt-5' : model,
      messages,
      temperature: has('no-sampling') ? undefined : 0.375,
    }),
  });
  if (!response.ok) {
    if (has('swallowed-failure')) return 'Sorry, something went wrong.';
    throw new Error(`The model answered ${response.status}.`);
  }
  const [{ message }] = (await response.json()).choices;
  messages.push(message);
  return message.content;
}

async function put(bucket, key, document) {
  await fetch(`${process.env.AWS_ENDPOINT_URL_S3}/${bucket}/${key}`, {
    method: 'PUT',
    body: JSON.stringify(document),
  });
}

async function roll(payload, sessionId) {
  const { exp_id: expId, input_id: inputId, s3_bucket: bucket } = payload._rollout;
  const key = `${expId}/${inputId}/${has('other-key') ? 'result' : sessionId}.json`;
  const stored = structuredClone(payload);
  if (!has('stores-secrets')) delete stored._rollout.api_key;
  const place = { input_id: inputId, s3_bucket: bucket, result_key: key, payload: stored };
  work(1);
  if (has('writes-files')) writeFileSync('scratch.txt', sessionId);
  const run = askModel(payload._rollout, sessionId)
    .then(
      (text) => ({
        ...(has('leaks-environment') && { env: process.env }),
        text,
        status_code: 200,
        rewards: has('reward-as-text') ? 'good' : [1],
        ...place,
      }),
      (error) =>
        has('no-failure-document') ? undefined : { status_code: 500, stop_reason: error.message, ...place },
    )
    .then((document) => document !== undefined && put(bucket, key, document))
    .finally(() => has('stays-busy') || work(-1));
  if (has('dies-at-work')) {
    setTimeout(() => process.exit(1), 300);
    await run;
  }
  if (has('waits')) await run;
  if (has('blocks')) {
    const until = Date.now() + 3_000;
    while (Date.now() < until);
  }
  return { status: 'processing', s3_bucket: bucket, result_key: key };
}

async function bodyOf(request) {
  const parts = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts);
}

async function answer(request) {
  if (request.url.startsWith('/ping')) return ping();
  const type = request.headers['content-type'];
  if (has('wants-json-type') && type !== 'application/json')
    throw Object.assign(new Error('type'), { status: 415 });
  const body = await bodyOf(request);
  if (has('small-body') && body.length > 1 << 20)
    throw Object.assign(new Error('too large'), { status: 413 });
  const sessionId = request.headers['x-amzn-bedrock-agentcore-runtime-session-id'];
  if (has('wants-session') && sessionId === undefined)
    throw Object.assign(new Error('session'), { status: 400 });
  let payload;
  try {
    payload = JSON.parse(new TextDecoder('utf-8', { fatal: !has('any-bytes') }).decode(body));
  } catch {
    if (has('dies-of-bad-json')) process.exit(1);
    throw Object.assign(new Error('This is no JSON.'), { status: 400 });
  }
  if (Array.isArray(payload) && !has('takes-lists'))
    throw Object.assign(new Error('no object'), { status: 400 });
  if (payload._rollout !== undefined && has('begins-late'))
    await new Promise((resolve) => setTimeout(resolve, 1_200));
  if (payload._rollout !== undefined && !has('ignores-rollouts')) return roll(payload, sessionId);
  if (has('no-key')) throw new Error('The OPENAI_API_KEY environment variable is missing or empty.');
  if (has('stream-of-errors')) return 'event: error\ndata: {"error":"boom"}\n\n';
  return { text: 'hi' };
}

const server = createServer((request, response) => {
  const path = request.url.split('?')[0];
  const known =
    (path === '/ping' && request.method === 'GET') || (path === '/invocations' && request.method === 'POST');
  if (path === '/warmup' && has('cold-warmup')) {
    response.writeHead(500).end();
    return;
  }
  if (!known && !has('answers-everything')) {
    response.writeHead(404).end();
    return;
  }
  answer(request).then(
    (value) =>
      typeof value === 'string'
        ? response.writeHead(200, { 'content-type': 'text/event-stream' }).end(value)
        : response
            .writeHead(200, { 'content-type': has('ping-as-text') ? 'text/plain' : 'application/json' })
            .end(JSON.stringify(value)),
    (error) => response.writeHead(error.status ?? 500).end(JSON.stringify({ error: error.message })),
  );
});
server.listen(
  has('fixed-port') ? 45_871 : Number(process.env.PORT),
  has('loopback-only') ? '127.0.0.1' : '0.0.0.0',
);
process.on('SIGTERM', () => {
  if (has('ignores-signal') && working > 0) setTimeout(() => process.exit(0), 6_000);
  else if (!has('ignores-sigterm')) process.exit(0);
});
