/**
 * The text of the line that says where the app listens. Fastify asks for one for each address of the machine, of which only
 * the first is told; the log leaves empty lines out.
 */
export function listeningLine(host: string): (address: string) => string {
  let isTold = false;
  return (address) => {
    if (isTold) return '';
    isTold = true;
    return `Server listening at ${address}${host === '0.0.0.0' ? ' (and all other addresses of this machine)' : ''}`;
  };
}
