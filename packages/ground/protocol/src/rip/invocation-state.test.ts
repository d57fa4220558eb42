import { describe, expect, it } from 'vitest';
import { stringifyJson } from '@art/ground';
import { type InvocationState, invocationStateWire, parseInvocationState } from './invocation-state.ts';

const wire = { version: 1, invocation_id: 'a', status: 'completed' };

describe('the state of an invocation', () => {
  it.each<InvocationState>([
    { status: 'in_progress' },
    { status: 'in_progress', unreachable: 'no way to it' },
    { status: 'interrupted' },
    { status: 'not_found' },
    { status: 'not_found', reason: 'The process exited with code 3.' },
    { status: 'completed', result: null },
    { status: 'completed', result: { reward: 1, id: 12345678901234567890n } },
    { status: 'completed', result: { reward: 0 }, unreachable: 'refused' },
    { status: 'completed', error: 'x', unreachable: 'refused' },
    { status: 'completed', error: '' },
    { status: 'in_progress', unsaved: 'access denied' },
    { status: 'completed', result: { reward: 1 }, unsaved: 'access denied', unreachable: 'refused' },
    { status: 'completed', error: 'x', failure: { statusCode: 503, stopReason: 'infrastructure_error' } },
  ])('is read as it was written: %o', (state) => {
    const written = invocationStateWire('a', state);
    expect(parseInvocationState(stringifyJson(written), 'a')).toEqual(state);
    expect(parseInvocationState(written, 'a')).toEqual(state);
  });

  it.each([
    ['text that is no JSON', 'event: x'],
    ['another id', { ...wire, invocation_id: 'b', result: 1 }],
    ['no version', { invocation_id: 'a', status: 'completed', result: 1 }],
    ['no status', { version: 1, invocation_id: 'a' }],
    ['a list', [wire]],
  ])('is not seen in an answer with %s', (_name, answer) => {
    expect(parseInvocationState(answer, 'a')).toBeUndefined();
  });

  it.each([
    ['another version', { ...wire, version: 2, result: 1 }],
    ['another status', { ...wire, status: 'done' }],
    ['neither result nor error', wire],
    ['result and error', { ...wire, result: 1, error: 'x' }],
    ['an error that is no text', { ...wire, error: 1 }],
    ['a result that is not there yet', { ...wire, status: 'in_progress', result: null }],
    ['an error of what was interrupted', { ...wire, status: 'interrupted', error: 'x' }],
  ])('is refused with %s', (_name, answer) => {
    expect(() => parseInvocationState(answer, 'a')).toThrow(
      expect.objectContaining({ code: 'ART_INVALID_REPLY' }),
    );
  });
});
