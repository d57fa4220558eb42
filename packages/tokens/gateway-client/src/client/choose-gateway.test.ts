import { expect, it } from 'vitest';
import { chooseGateway } from './choose-gateway.ts';

const urls = ['http://a:9090', 'http://b:9090', 'http://c:9090', 'http://d:9090'];
const sessions = Array.from({ length: 4_000 }, (_, index) => `gsm8k-${index >> 3}/${index & 7}`);
const placeOf = (list: readonly string[], id: string): string => list[chooseGateway(list, id)]!;

it('spreads sessions evenly', () => {
  const counts = urls.map((url) => sessions.filter((id) => placeOf(urls, id) === url).length);
  for (const count of counts) expect(Math.abs(count - 1_000)).toBeLessThan(120);
});

it('chooses the same whatever the order', () => {
  for (const id of sessions) expect(placeOf(urls.toReversed(), id)).toBe(placeOf(urls, id));
});

it('moves only what a new gateway takes', () => {
  const more = [...urls, 'http://e:9090'];
  const moved = sessions.filter((id) => placeOf(more, id) !== placeOf(urls, id));
  expect(moved.every((id) => placeOf(more, id) === 'http://e:9090')).toBe(true);
  expect(Math.abs(moved.length - 800)).toBeLessThan(120);
});
