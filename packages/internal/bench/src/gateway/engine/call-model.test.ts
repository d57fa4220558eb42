import { expect, it } from 'vitest';
import { modelName, readCallModel, type CallModel } from './call-model.ts';

const models: CallModel[] = [
  { kind: 'whole', promptTokens: 2_000, completionTokens: 200, delayMs: 0 },
  { kind: 'stream', promptTokens: 2_000, chunks: 128, paceMs: 5 },
  { kind: 'turn', conversation: 999, turn: 19 },
];

it.each(models)('is found in a request, wherever a gateway has put it: %j', (model) => {
  expect(readCallModel(`{"model":"${modelName(model)}","messages":[]}`)).toEqual(model);
  // As Python writes JSON.
  expect(readCallModel(`{"messages": [], "model": "${modelName(model)}"}`)).toEqual(model);
});

it('is no other model', () => {
  expect(readCallModel('{"model":"qwen"}')).toBeUndefined();
});
