// Everything that sessions of one snapshot share, drawn at start and in the session.
import { randomBytes, randomUUID, randomInt } from 'node:crypto';
import { readSync, openSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { hostname } from 'node:os';

const draw = () => ({
  numbers: [Math.random(), Math.random(), randomInt(1_000_000)],
  ids: [randomUUID(), globalThis.crypto.randomUUID(), randomBytes(8).toString('hex')],
});
const start = {
  ...draw(),
  wallMs: Date.now(),
  date: new Date().toISOString(),
  monotonicMs: performance.now(),
};
const agent = new Agent({ keepAlive: true });
const startKey = process.env.AWS_ACCESS_KEY_ID;

const call = (path) =>
  new Promise((resolve) => {
    const sent = request(`${process.env.PEER}${path}`, { agent }, (answer) => {
      answer.resume().on('end', () => resolve('answered'));
    });
    sent.on('error', (error) => resolve(error.code));
    sent.end();
  });
if (process.env.PEER !== undefined) await call('/start');

// An odd number of draws before the restore, as health checks make.
for (let left = Number(process.env.ODD_DRAWS ?? 0); left > 0; left -= 1) draw();

async function serve(req, response) {
  if (req.url === '/ping') return response.end(JSON.stringify({ status: 'Healthy' }));
  if (req.url === '/warmup') return response.writeHead(204).end();
  const kernel = Buffer.alloc(8);
  readSync(openSync('/dev/urandom'), kernel);
  const calls = process.env.PEER === undefined ? [] : [await call('/first'), await call('/second')];
  const session = {
    ...draw(),
    kernel: kernel.toString('hex'),
    wallMs: Date.now(),
    date: new Date().toISOString(),
    isDate: new Date() instanceof Date && new Date(5).getTime() === 5 && typeof Date() === 'string',
    monotonicMs: performance.now(),
    host: hostname(),
    pid: process.pid,
    isAlive: process.kill(process.pid, 0),
    options: process.env.NODE_OPTIONS,
    keys: [startKey, process.env.AWS_ACCESS_KEY_ID],
    expiresMs: Date.parse(process.env.AWS_CREDENTIAL_EXPIRATION),
    calls,
  };
  response.end(JSON.stringify({ start, session }));
}

createServer((req, response) => void serve(req, response)).listen(Number(process.env.PORT), '127.0.0.1');
