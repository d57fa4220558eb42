/** Not our server: answers what no rollout agent should. Starts fast. */
// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');

if (process.argv[2] === 'crash') {
  console.error('Error: MODEL_ID is not set');
  process.exit(3);
}

const answers = {
  garbage: () => 'OK',
  html: () => '<html>it works</html>',
  'wrong-key': (rollout) =>
    JSON.stringify({ status: 'processing', s3_bucket: rollout.s3_bucket, result_key: 'elsewhere/x.json' }),
  'no-key': () => JSON.stringify({ status: 'processing' }),
};

createServer((request, response) => {
  if (request.url === '/ping') {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ status: 'Healthy', time_of_last_update: 1 }));
    return;
  }
  let body = '';
  request.on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    const payload = JSON.parse(body);
    if (payload.do === 'exit-now') process.exit(7);
    if (payload.do === 'refuse') response.statusCode = 500;
    response.end((answers[payload.do] ?? answers.garbage)(payload._rollout));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
