/** `0.0.0.0` and `::` are addresses to listen on; asked from this machine, the gateway is on loopback. */
export function reachableUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
