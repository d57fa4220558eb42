import { isIPv4 } from 'node:net';

/** Whether only this machine reaches a host, as it is given to `listen` or as `URL` spells it. */
export function isLoopback(host: string): boolean {
  return ['localhost', '::1', '[::1]'].includes(host) || (isIPv4(host) && host.startsWith('127.'));
}
