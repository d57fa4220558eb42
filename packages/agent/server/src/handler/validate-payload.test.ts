import { Type } from 'typebox';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import type { RequestSchema } from './request-schema.ts';
import { validatePayload } from './validate-payload.ts';

const rollout = { exp_id: 'e', input_id: 'i', s3_bucket: 'b' };
const check = (schema: RequestSchema, payload: unknown): ReturnType<typeof validatePayload> =>
  validatePayload(schema, payload);

/** Where the first thing is that is refused. */
async function refusedAt(schema: RequestSchema, payload: unknown): Promise<unknown> {
  const refusal: unknown = await check(schema, payload).catch((error: unknown) => error);
  return (refusal as { body: { details: { path: unknown }[] } }).body.details[0]?.path;
}

const plain = { prompt: z.string() };
const schemas: [string, RequestSchema][] = [
  ['zod object', z.object(plain)],
  ['zod strict object', z.strictObject(plain)],
  ['zod loose object', z.looseObject(plain)],
  ['zod with an async refinement', z.object(plain).refine(async () => true)],
  ['valibot object', v.object({ prompt: v.string() })],
  ['valibot strict object', v.strictObject({ prompt: v.string() })],
  ['TypeBox object', Type.Object({ prompt: Type.String() })],
  ['TypeBox strict object', Type.Object({ prompt: Type.String() }, { additionalProperties: false })],
  ['plain JSON Schema', { type: 'object', required: ['prompt'], properties: { prompt: { type: 'string' } } }],
];

describe('validatePayload', () => {
  it.each(schemas)('keeps _rollout under a %s', async (_name, schema) => {
    const payload = { prompt: 'hi', _rollout: rollout };
    expect(await check(schema, payload)).toEqual(payload);
    expect(await check(schema, { prompt: 'hi' })).toEqual({ prompt: 'hi' });
    expect(payload).toEqual({ prompt: 'hi', _rollout: rollout });
  });

  it.each(schemas)('says where a payload does not fit a %s', async (_name, schema) => {
    expect(await refusedAt(schema, { prompt: 1, _rollout: rollout })).toEqual(['prompt']);
  });

  it('lets a schema declare _rollout', async () => {
    const schema = z.strictObject({ prompt: z.string(), _rollout: z.object({ exp_id: z.string() }) });
    expect(await check(schema, { prompt: 'hi', _rollout: rollout })).toEqual({
      prompt: 'hi',
      _rollout: { exp_id: 'e' },
    });
    expect(await refusedAt(schema, { prompt: 'hi', _rollout: { exp_id: 1 } })).toEqual([
      '_rollout',
      'exp_id',
    ]);
  });

  it('fills in defaults and decodes with TypeBox, without touching the payload', async () => {
    const schema = Type.Object({
      level: Type.String({ default: 'easy' }),
      day: Type.Codec(Type.String())
        .Decode((text) => new Date(text))
        .Encode((date) => date.toISOString()),
    });
    const payload = { day: '2026-01-01', extra: 1 };
    expect(await check(schema, payload)).toEqual({
      level: 'easy',
      day: new Date('2026-01-01'),
      extra: 1,
    });
    expect(payload).toEqual({ day: '2026-01-01', extra: 1 });
    expect(await refusedAt(schema, { day: 1 })).toEqual(['day']);
  });

  it('keeps members whose names mean something in JavaScript', async () => {
    const payload = JSON.parse(
      '{"prompt":"hi","constructor":1,"nested":{"__proto__":{"x":1},"prototype":2}}',
    ) as object;
    const input = await check(Type.Object({ prompt: Type.String(), nested: Type.Unknown() }), payload);
    expect(JSON.stringify(input)).toBe(JSON.stringify(payload));
  });

  it('leaves alone what a transform made of the payload', async () => {
    class Task {
      readonly text = 'x';
    }
    const value = new Task();
    const input = await check(
      z.object({}).transform(() => value),
      { _rollout: rollout },
    );
    expect(input).toBe(value);
  });

  it('writes list positions into the path as numbers, names as they are', async () => {
    const schema = Type.Object({ 'a/b': Type.Array(Type.Object({ 'c~d': Type.String() })) });
    expect(await refusedAt(schema, { 'a/b': [{ 'c~d': 'x' }, { 'c~d': 1 }] })).toEqual(['a/b', 1, 'c~d']);
  });
});
