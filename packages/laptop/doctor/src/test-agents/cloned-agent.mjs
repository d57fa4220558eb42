// A plain agent with one thing in it that sessions of one snapshot share, which PLANTED names.
import crypto, { randomBytes, randomUUID } from 'node:crypto';
import { appendFileSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { hostname } from 'node:os';

const { PLANTED: planted = '', PEER: peer = '', PORT: port = '8080' } = process.env;
const tools = ['search', 'read', 'write', 'list', 'move', 'copy', 'remove', 'rename', 'open', 'close'];

const shuffled = (random) =>
  tools
    .map((tool) => [random(), tool])
    .toSorted(([left], [right]) => left - right)
    .map(([, tool]) => tool);

/** As `nanoid` does: bytes ahead, and ids of them. */
const bytesAhead = planted === 'byte pool' ? randomBytes(128) : undefined;
const ids = ['uuid pool', 'file name', 'file text', 'task'].includes(planted)
  ? Array.from({ length: 8 }, () => randomUUID())
  : undefined;
const captured = crypto.randomUUID;
if (planted === 'captured uuid') await import('@art/agent/snapshot-safe');
const seed = planted === 'seed' ? Math.floor(Math.random() * 100_000) : undefined;
const order = planted === 'shuffled at start' ? shuffled(Math.random) : undefined;
const startedAt = planted === 'start clock' ? new Date().toISOString() : undefined;
const sinceMs = planted === 'duration' ? performance.now() : undefined;
const sinceWallMs = planted === 'wall duration' ? Date.now() : undefined;
const key = planted === 'credential' ? process.env.AWS_ACCESS_KEY_ID : undefined;
const fetched = planted === 'fetched tools' ? await (await fetch(`${peer}/tools`)).json() : undefined;
const socket = planted === 'socket' ? connect(Number(new URL(peer).port), '127.0.0.1') : undefined;
socket?.on('error', () => undefined);
if (socket !== undefined) await new Promise((resolve) => socket.once('connect', resolve));

const kernelHex = () => {
  const bytes = Buffer.alloc(8);
  readSync(openSync('/dev/urandom'), bytes);
  return bytes.toString('hex');
};

/** Several sessions share them, and each writes what no other one has. */
function writeGoodFiles() {
  const id = kernelHex();
  writeFileSync(`run-${id}.json`, JSON.stringify({ id }));
  writeFileSync(`run-${new Date().toISOString().slice(0, 13)}.txt`, 'written this hour');
  appendFileSync('runs.log', `${new Date().toISOString()} ${id}\n`);
  let runs = [];
  try {
    runs = JSON.parse(readFileSync('runs.json', 'utf8'));
  } catch {}
  writeFileSync('runs.json', JSON.stringify([...runs, { id, host: 'constant-1234567' }]));
}

async function handle({ prompt, _rollout: rollout }) {
  const request = {
    model: rollout?.model_id ?? 'users',
    messages: [{ role: 'user', content: prompt }],
    ...(seed !== undefined && { seed }),
    user: kernelHex(),
    tools: (order ?? (planted === 'shuffle' ? shuffled(Math.random) : tools)).map((name) => ({
      type: 'function',
      function: { name, parameters: { type: 'object' } },
    })),
  };
  const base = rollout?.base_url ?? process.env.OPENAI_BASE_URL;
  const answer = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${rollout?.api_key ?? 'users'}` },
    body: JSON.stringify(request),
  });
  const { choices } = await answer.json();
  if (key !== undefined)
    await fetch(`${process.env.AWS_ENDPOINT_URL_S3}/art-doctor/any`, {
      headers: { authorization: `AWS4-HMAC-SHA256 Credential=${key}/20261128/us-west-2/s3/aws4_request` },
    });
  if (planted === 'file name') writeFileSync(`run-${ids.pop()}.json`, '{}');
  if (planted === 'file text') appendFileSync('ids.log', `${ids.pop()}\n`);
  if (planted === 'good files') writeGoodFiles();
  socket?.write('GET / HTTP/1.1\r\n\r\n');
  return {
    text: choices[0].message.content,
    at: new Date().toISOString(),
    tookMs: 3,
    ...(planted === 'uuid pool' && { id: ids.pop() }),
    ...(planted === 'task' && prompt.includes('order') && { id: ids.pop() }),
    ...(bytesAhead && { id: `call_${bytesAhead.subarray(0, 12).toString('hex')}` }),
    ...(planted === 'captured uuid' && { id: captured() }),
    ...(startedAt && { startedAt }),
    ...(sinceMs !== undefined && { upMs: performance.now() - sinceMs }),
    ...(sinceWallMs !== undefined && { upSeconds: Math.round((Date.now() - sinceWallMs) / 1_000) }),
    ...(planted === 'host name' && { owner: hostname() }),
    ...(fetched && { tools: fetched.length }),
  };
}

async function serve(request, response) {
  if (request.url === '/ping') return response.end(JSON.stringify({ status: 'Healthy' }));
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  try {
    response.end(JSON.stringify(await handle(JSON.parse(Buffer.concat(chunks).toString()))));
  } catch (error) {
    response.writeHead(500).end(String(error));
  }
}

createServer((request, response) => void serve(request, response)).listen(Number(port), process.env.ART_HOST);
