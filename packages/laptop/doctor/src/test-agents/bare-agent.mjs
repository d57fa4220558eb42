/** A server as AWS's guide for Node writes it with Express: it answers users, and knows nothing of rollouts. */
import { createServer } from 'node:http';

const sinceSeconds = Math.floor(Date.now() / 1000);

createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    if (request.url === '/ping')
      return response.end(JSON.stringify({ status: 'Healthy', time_of_last_update: sinceSeconds }));
    if (request.url !== '/invocations') return response.writeHead(404).end('{}');
    const { prompt } = JSON.parse(body);
    response.end(JSON.stringify({ response: `You said ${prompt}`, status: 'success' }));
  });
}).listen(Number(process.env.PORT ?? 8080));
process.on('SIGTERM', () => process.exit(0));
