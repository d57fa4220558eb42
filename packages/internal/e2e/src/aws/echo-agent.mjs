/** Answers with the request that reached it; has an agent card. Starts fast. */
// An import of node:http would load Node's WebSocket, too, which is half of this agent's start.
const { createServer } = process.getBuiltinModule('node:http');

const answers = {
  '/ping': () => ({ status: 'Healthy', time_of_last_update: 1 }),
  '/.well-known/agent-card.json': () => ({ name: 'echo', url: 'http://container.internal/', version: '1' }),
  '/invocations': (request, body) => ({ method: request.method, headers: request.headers, body }),
};

createServer((request, response) => {
  let body = '';
  request.setEncoding('utf8').on('data', (chunk) => (body += chunk));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(answers[request.url](request, body)));
  });
}).listen(Number(process.env.PORT), '127.0.0.1');
