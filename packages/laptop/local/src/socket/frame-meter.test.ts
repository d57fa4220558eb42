import { expect, it } from 'vitest';
import { FrameMeter } from './frame-meter.ts';

it('counts frames in any second, and says which limit one breaks', () => {
  const meter = new FrameMeter({ maxFrameBytes: 100, framesPerSecond: 2 });
  const verdicts = [
    meter.count(100, 0),
    meter.count(1, 999),
    meter.count(1, 1_000),
    meter.count(1, 1_998),
    meter.count(101, 3_000),
  ];
  expect(verdicts).toEqual([undefined, undefined, undefined, 'frame_rate', 'frame_size']);
  expect(meter).toMatchObject({ frames: 5, largestFrameBytes: 101, mostFramesPerSecond: 3 });
});
