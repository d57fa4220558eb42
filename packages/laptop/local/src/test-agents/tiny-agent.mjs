/**
 * A whole agent in one file, for tests: starts in a few dozen milliseconds and misbehaves on request.
 * Arguments: how it starts. Payload `{"do": ...}`: what a request makes it do.
 */
import { spawn } from 'node:child_process';

// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');
const { existsSync } = process.getBuiltinModule('node:fs');

const modes = process.argv.slice(2);
const startedAt = Math.floor(Date.now() / 1_000);
let busy = modes.includes('busy');

if (modes.includes('crash')) {
  console.log('reading the configuration');
  console.error('Error: MODEL_ID is not set');
  process.exit(3);
}
if (modes.includes('ignore-sigterm')) process.on('SIGTERM', () => console.log('SIGTERM ignored'));
if (modes.includes('flush-on-sigterm')) {
  // The file that lets it end is the next argument.
  const release = modes[modes.indexOf('flush-on-sigterm') + 1];
  process.on('SIGTERM', () => {
    setInterval(() => {
      if (!existsSync(release)) return;
      console.log('flushed');
      process.exit(0);
    }, 10);
  });
}

const stamps = {
  'stamp-none': () => ({}),
  'stamp-text': () => ({ time_of_last_update: new Date(startedAt * 1_000).toISOString() }),
  'stamp-now': () => ({ time_of_last_update: Date.now() }),
};
const stampMode = modes.find((mode) => mode in stamps);
const stamp = stampMode === undefined ? () => ({ time_of_last_update: startedAt }) : stamps[stampMode];

function answer(response, status, value, headers = { 'content-type': 'application/json' }) {
  response.writeHead(status, headers);
  response.end(JSON.stringify(value));
}

const actions = {
  echo: (payload, request, response) =>
    answer(response, 200, {
      pid: process.pid,
      url: request.url,
      warmedUp,
      headers: request.headers,
      rawHeaders: request.rawHeaders,
    }),
  length: (payload, request, response, body) => answer(response, 200, { bytes: body.length }),
  status: (payload, request, response) =>
    answer(response, payload.status, { secret: 'for the log only', error: payload.error }),
  exit: (payload) => {
    if (payload.says !== undefined) console.error(payload.says);
    process.exit(payload.code ?? 7);
  },
  // Like an agent of the Runtime Invocation Protocol that has just been started.
  rip: (payload, request, response) => {
    const { invocation_id } = payload._agentcore_runtime;
    answer(response, 200, payload.answers ?? { version: 1, invocation_id, status: 'not_found' });
  },
  hang: () => {},
  busy: (payload, request, response) => {
    busy = payload.busy;
    answer(response, 200, { busy });
  },
  child: (payload, request, response) => {
    const child = spawn('sleep', ['600'], { stdio: 'ignore' });
    answer(response, 200, { pid: process.pid, child: child.pid });
  },
  env: (payload, request, response) => answer(response, 200, { value: process.env[payload.name] ?? null }),
  // The second event waits for the release, so that a test can tell streaming from buffering.
  sse: (payload, request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    held = () => {
      response.write('data: "one"\n\n');
      held = () => response.end('data: "two"\n\n');
    };
  },
  release: (payload, request, response) => {
    held();
    answer(response, 200, {});
  },
  raw: (payload, request) => request.socket.write(payload.text),
  'tear-answer': (payload, request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
    response.write('{"part":', () => process.exit(9));
  },
};
let held = () => {};
let warmedUp = 0;

const server = createServer((request, response) => {
  if (request.url === '/ping') {
    answer(response, 200, { status: busy ? 'HealthyBusy' : 'Healthy', ...stamp() });
    return;
  }
  if (request.url === '/warmup') {
    warmedUp += 1;
    answer(response, modes.includes('cold') ? 500 : 204, 'no template');
    return;
  }
  if (request.url === '/.well-known/agent-card.json') {
    answer(response, 200, { name: 'tiny', url: 'http://10.0.0.1:9000/' });
    return;
  }
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks);
    if (modes.includes('digest')) {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-length': body.length * 2 });
      response.end(body.toString('hex'));
      return;
    }
    const isLarge = body.length > 1_000_000;
    const payload = isLarge ? { do: 'length' } : JSON.parse(body.toString() || '{}');
    const action = payload.do ?? (payload._agentcore_runtime?.operation === 'get' ? 'rip' : 'echo');
    actions[action](payload, request, response, body);
  });
});

if (modes.includes('never-listen')) setInterval(() => {}, 1_000);
else {
  const host = modes.includes('listen-everywhere') ? '0.0.0.0' : process.env.ART_HOST;
  server.listen(Number(process.env.PORT), host, () => console.log('listening'));
}
