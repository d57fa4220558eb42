import { describe, expect, it } from 'vitest';
import { parseRipConfig, parseRolloutConfig } from './rollout-config.ts';

const target = { exp_id: 'e', input_id: 'i', s3_bucket: 'b' };

describe('parseRolloutConfig', () => {
  it('is undefined without _rollout', () => {
    expect(parseRolloutConfig({ prompt: 'hi' })).toBeUndefined();
    expect(parseRolloutConfig({ _rollout: null })).toBeUndefined();
  });

  it('has no target when none of the three is there', () => {
    expect(parseRolloutConfig({ _rollout: { model_id: 'm', extra: 1 } })).toMatchObject({
      target: undefined,
      modelId: 'm',
      samplingParams: {},
      raw: { model_id: 'm', extra: 1 },
    });
  });

  it('reads the target and passes everything else through', () => {
    const raw = {
      ...target,
      base_url: 'http://gw/v1',
      sampling_params: { top_k: 5 },
      temperature: 0.7,
      attempt_id: 'x',
    };
    expect(parseRolloutConfig({ _rollout: raw })).toEqual({
      target: { expId: 'e', inputId: 'i', s3Bucket: 'b' },
      baseUrl: 'http://gw/v1',
      modelId: undefined,
      samplingParams: { top_k: 5 },
      raw,
    });
  });

  it('reads the texts of prompts, which are absent where none was sent', () => {
    const prompts = { system: 'Be brief.' };
    expect(parseRolloutConfig({ _rollout: { prompts } })).toMatchObject({ prompts });
    expect(parseRipConfig({ _config: { prompts } })).toMatchObject({ prompts });
    expect(parseRolloutConfig({ _rollout: { prompts: null } })).not.toHaveProperty('prompts');
  });

  it('formats integer ids into text, as the Python app does', () => {
    expect(parseRolloutConfig({ _rollout: { ...target, input_id: 7 } })?.target?.inputId).toBe('7');
    expect(parseRolloutConfig({ _rollout: { ...target, input_id: 2n ** 60n } })?.target?.inputId).toBe(
      String(2n ** 60n),
    );
  });

  it.each([
    [{ exp_id: 'e', input_id: 'i' }, "Missing required rollout config field: 's3_bucket'"],
    [{ s3_bucket: 'b' }, "Missing required rollout config field: 'exp_id'"],
    [{ ...target, exp_id: '' }, "'exp_id' to be a non-empty string"],
    [{ ...target, s3_bucket: 5 }, "'s3_bucket' to be a non-empty string, got 5"],
    [{ ...target, input_id: 1.5 }, "'input_id'"],
    [{ ...target, base_url: 5 }, "'base_url' to be a string"],
    [{ sampling_params: [1] }, "'sampling_params' to be an object"],
    [{ prompts: 'text' }, "'prompts' to be an object of texts"],
    [{ prompts: { system: 5 } }, "'prompts.system' to be a string, got 5"],
    ['text', 'Expected _rollout to be an object'],
    [[target], 'Expected _rollout to be an object'],
  ])('refuses %j', (raw, message) => {
    expect(() => parseRolloutConfig({ _rollout: raw })).toThrowError(message);
    expect(() => parseRolloutConfig({ _rollout: raw })).toThrowError(
      expect.objectContaining({ code: 'ART_INVALID_ROLLOUT_CONFIG' }) as Error,
    );
  });
});

describe('parseRipConfig', () => {
  it('is undefined without _config', () => {
    expect(parseRipConfig({ prompt: 'hi' })).toBeUndefined();
    expect(parseRipConfig({ _config: null })).toBeUndefined();
    expect(parseRipConfig({ _rollout: target })).toBeUndefined();
  });

  it('reads what the agent has to use, and never asks for storage', () => {
    const raw = { ...target, base_url: 'http://gw/v1', model_id: 'm', api_key: 'k', turns: 3 };
    expect(parseRipConfig({ _config: raw })).toEqual({
      target: undefined,
      baseUrl: 'http://gw/v1',
      modelId: 'm',
      apiKey: 'k',
      samplingParams: {},
      raw,
    });
  });

  it.each([
    [{ _config: 'x' }, /_config to be an object/],
    [{ _config: { base_url: 5 } }, /'base_url'/],
  ])('refuses %j', (payload, message) => {
    expect(() => parseRipConfig(payload)).toThrow(
      expect.objectContaining({
        code: 'ART_INVALID_ROLLOUT_CONFIG',
        message: expect.stringMatching(message) as string,
      }),
    );
  });
});
