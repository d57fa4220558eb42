/**
 * Which of several independent gateways a session belongs to: the one whose address gives the highest hash together with the
 * session's id (rendezvous hashing). Every process that knows the same addresses chooses the same, in whatever order it
 * has them; one that is added takes its share of the sessions from all others and moves no other session.
 * @returns the index in `urls`
 */
export function chooseGateway(urls: readonly string[], sessionId: string): number {
  let chosen = 0;
  let highest = -1;
  for (const [index, url] of urls.entries()) {
    const weight = hash(`${url} ${sessionId}`);
    const wins = weight > highest || (weight === highest && url > urls[chosen]!);
    if (!wins) continue;
    chosen = index;
    highest = weight;
  }
  return chosen;
}

/** FNV-1a over UTF-16 units, and the finalizer of MurmurHash3, without which ids that differ in their end hash alike. */
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1)
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
