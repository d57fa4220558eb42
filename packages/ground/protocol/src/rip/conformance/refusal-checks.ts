import { equal, ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ripEnvelopeField } from '../rip-request.ts';
import type { RipCheck } from './rip-check.ts';
import { defineRipCheck, sameState } from './rip-room.ts';

const good = { version: 1, operation: 'start', invocation_id: 'inv-1' };

const refused: [id: string, envelope: unknown][] = [
  ['envelope-null', null],
  ['envelope-text', 'start'],
  ['envelope-list', [good]],
  ['envelope-empty', {}],
  ['unknown-field', { ...good, payload: {} }],
  ['version-absent', { ...good, version: undefined }],
  ['version-2', { ...good, version: 2 }],
  ['version-text', { ...good, version: '1' }],
  ['version-true', { ...good, version: true }],
  ['version-fraction', { ...good, version: 1.5 }],
  ['version-null', { ...good, version: null }],
  ['operation-absent', { ...good, operation: undefined }],
  ['operation-unknown', { ...good, operation: 'stop' }],
  ['operation-upper-case', { ...good, operation: 'START' }],
  ['operation-null', { ...good, operation: null }],
  ['id-absent', { ...good, invocation_id: undefined }],
  ['id-number', { ...good, invocation_id: 1 }],
  ['id-empty', { ...good, invocation_id: '' }],
  ['id-dash-first', { ...good, invocation_id: '-a' }],
  ['id-underscore-first', { ...good, invocation_id: '_a' }],
  ['id-129', { ...good, invocation_id: 'a'.repeat(129) }],
  ['id-path', { ...good, invocation_id: 'a/../../b' }],
  ['id-dots', { ...good, invocation_id: '..' }],
  ['id-line-break', { ...good, invocation_id: 'a\n' }],
  ['id-letters-of-others', { ...good, invocation_id: 'é' }],
  ['background-text', { ...good, background: 'true' }],
  ['background-number', { ...good, background: 1 }],
  ['background-null', { ...good, background: null }],
  ['background-true-of-get', { ...good, operation: 'get', background: true }],
  ['background-false-of-get', { ...good, operation: 'get', background: false }],
];

const accepted: [id: string, invocationId: string][] = [
  ['id-one-digit', '7'],
  ['id-128', `a${'-_9Z'.repeat(31)}abc`],
];

/**
 * Checks of requests that are refused with 400 and a reason before anything runs, and of those that only just are not.
 */
export const refusalChecks: readonly RipCheck[] = [
  ...refused.map(([id, envelope]) =>
    defineRipCheck({
      id: `refuse.${id}`,
      name: `refuses ${JSON.stringify(envelope)?.slice(0, 80)} with 400 and the reason, and runs nothing`,
      run: async (room) => {
        const key = randomUUID();
        const { status, body } = await room.post({ do: 'count', key, [ripEnvelopeField]: envelope });
        equal(status, 400);
        const { error } = body as { error?: unknown };
        ok(
          typeof error === 'string' && error !== '',
          `expected {"error": "..."}, got ${JSON.stringify(body)}`,
        );
        equal(await room.count(key), 1, 'how often the handler ran, this question included');
      },
    }),
  ),
  ...accepted.map(([id, invocationId]) =>
    defineRipCheck({
      id: `accept.${id}`,
      name: `accepts ${invocationId.length === 1 ? 'an id of one digit' : 'an id of 128 letters, digits, dashes and underscores'}`,
      run: async (room) => {
        const options = { id: invocationId };
        sameState(await room.start({ do: 'value', value: 1 }, options), { status: 'completed', result: 1 });
        sameState(await room.get(options), { status: 'completed', result: 1 });
      },
    }),
  ),
];
