import { createServer } from 'node:http';

/** Streams as AWS's templates do: 406 to a caller that does not name events. */
createServer((request, response) => {
  if (request.url === '/ping') return response.end('{"status":"Healthy"}');
  request.resume().on('end', () => {
    if (!String(request.headers.accept).includes('text/event-stream')) {
      response.statusCode = 406;
      return response.end('{"error":"Streaming response requires Accept: text/event-stream header."}');
    }
    response.setHeader('content-type', 'text/event-stream');
    response.end('data: "hello"\n\n');
  });
}).listen(Number(process.env.PORT ?? 8080));
