import { ArtError, describeValue, isJsonObject } from '@art/ground';
import type { TrainingRow, TurnSpan } from './training-row.ts';

const statuses: readonly unknown[] = ['completed', 'truncated', 'aborted', 'failed'];

/**
 * Checks one row against the format: the types of its fields, that mask and logprobs cover exactly the response, that a
 * token that trains has a logprob and belongs to one turn. Takes anything, such as a line of a file.
 * @throws ArtError `ART_INVALID_TRAINING_ROW` with the first violation
 */
export function checkTrainingRow(row: unknown): asserts row is TrainingRow {
  if (!isJsonObject(row)) refuse('a row', 'row', 'an object', row);
  const name = `row ${describeValue(row['row_id'])}`;
  const expect = (field: string, isRight: boolean, expected: string): void => {
    if (!isRight) refuse(name, field, expected, row[field]);
  };
  expect('schema', row['schema'] === 'art.training-row.v1', '"art.training-row.v1"');
  for (const field of ['row_id', 'session_id', 'rollout_id'])
    expect(field, isText(row[field]), 'non-empty text');
  expect('group_id', row['group_id'] === null || typeof row['group_id'] === 'string', 'text or null');
  expect('row_count', isIndex(row['row_count']) && row['row_count'] > 0, 'an integer above 0');
  const rowCount = row['row_count'] as number;
  expect(
    'row_index',
    isIndex(row['row_index']) && row['row_index'] < rowCount,
    `an integer below ${rowCount}`,
  );
  expect(
    'is_last',
    row['is_last'] === (row['row_index'] === rowCount - 1),
    'true for the last row of its rollout only',
  );
  expect('reward', row['reward'] === null || Number.isFinite(row['reward']), 'a finite number or null');
  expect('status', statuses.includes(row['status']), 'completed, truncated, aborted or failed');
  expect(
    'finish_reason',
    row['finish_reason'] === null || typeof row['finish_reason'] === 'string',
    'text or null',
  );
  expect('num_turns', isIndex(row['num_turns']), 'an integer from 0');
  expect('model', typeof row['model'] === 'string', 'text');
  expect('created_at', Number.isFinite(row['created_at']), 'milliseconds since the Unix epoch');
  expect('metadata', isJsonObject(row['metadata']), 'an object');
  checkTokens(row, name);
  checkExperts(row['routed_experts'], name);
  checkSpans(row as unknown as TrainingRow, name);
}

function checkTokens(row: Record<string, unknown>, name: string): void {
  const tokens = list(row, 'token_ids', name);
  for (const [index, id] of tokens.entries()) {
    if (!isIndex(id)) refuse(name, `token_ids[${index}]`, 'an integer from 0', id);
  }
  const promptLength = row['prompt_length'];
  if (!isIndex(promptLength) || promptLength > tokens.length) {
    refuse(name, 'prompt_length', `an integer from 0 to ${tokens.length}`, promptLength);
  }
  const response = tokens.length - promptLength;
  const mask = list(row, 'loss_mask', name, response);
  const logprobs = list(row, 'logprobs', name, response);
  for (let index = 0; index < response; index += 1) {
    const trains = mask[index];
    const logprob = logprobs[index];
    if (trains !== 0 && trains !== 1) refuse(name, `loss_mask[${index}]`, '0 or 1', trains);
    if (trains === 0 && logprob !== 0) refuse(name, `logprobs[${index}]`, '0 where the mask is 0', logprob);
    if (!(typeof logprob === 'number' && Number.isFinite(logprob) && logprob <= 0)) {
      refuse(name, `logprobs[${index}]`, 'a finite number of at most 0', logprob);
    }
  }
  if (row['advantages'] === undefined) return;
  for (const [index, advantage] of list(row, 'advantages', name, response).entries()) {
    if (!Number.isFinite(advantage)) refuse(name, `advantages[${index}]`, 'a finite number', advantage);
  }
}

function checkExperts(experts: unknown, name: string): void {
  if (experts === undefined) return;
  const isRight =
    isJsonObject(experts) && typeof experts['data'] === 'string' && typeof experts['encoding'] === 'string';
  if (!isRight) refuse(name, 'routed_experts', '{ data, encoding, shape? }', experts);
}

function checkSpans(row: TrainingRow, name: string): void {
  const response = row.token_ids.length - row.prompt_length;
  if (!Array.isArray(row.turn_spans)) refuse(name, 'turn_spans', 'a list', row.turn_spans);
  const covered = new Uint8Array(response);
  const captureIds = new Set<string>();
  for (const [index, span] of row.turn_spans.entries()) {
    const field = `turn_spans[${index}]`;
    checkSpan(span, response, name, field);
    if (captureIds.has(span.trace_id))
      refuse(name, `${field}.trace_id`, 'a capture with one span only', span.trace_id);
    captureIds.add(span.trace_id);
    for (let token = span.start; token < span.end; token += 1) {
      if (covered[token] === 1)
        refuse(name, field, `tokens that no other span has, at response token ${token}`, span);
      covered[token] = 1;
    }
  }
  for (let token = 0; token < response; token += 1) {
    if (row.loss_mask[token] === 1 && covered[token] === 0) {
      refuse(name, 'turn_spans', `a span for response token ${token}, whose mask is 1`, row.turn_spans);
    }
  }
}

function checkSpan(span: unknown, response: number, name: string, field: string): asserts span is TurnSpan {
  if (!isJsonObject(span)) refuse(name, field, 'an object', span);
  const { start, end } = span;
  if (!isText(span['trace_id'])) refuse(name, `${field}.trace_id`, 'non-empty text', span['trace_id']);
  if (!isIndex(start) || start > response)
    refuse(name, `${field}.start`, `an integer from 0 to ${response}`, start);
  if (!isIndex(end) || end < start || end > response) {
    refuse(name, `${field}.end`, `an integer from ${start} to ${response}`, end);
  }
  for (const number of ['temperature', 'top_p']) {
    const value = span[number];
    if (value !== undefined && !Number.isFinite(value))
      refuse(name, `${field}.${number}`, 'a finite number', value);
  }
  if (span['turn'] !== undefined && !isIndex(span['turn']))
    refuse(name, `${field}.turn`, 'an integer from 0', span['turn']);
  const version = span['weight_version'];
  if (version !== undefined && version !== null && !Number.isSafeInteger(version)) {
    refuse(name, `${field}.weight_version`, 'an integer or null', version);
  }
  const range = span['weight_version_range'];
  if (range === undefined) return;
  const isRange =
    isJsonObject(range) &&
    Number.isSafeInteger(range['newest']) &&
    (range['oldest'] === null || Number.isSafeInteger(range['oldest']));
  if (!isRange)
    refuse(name, `${field}.weight_version_range`, '{ oldest: integer or null, newest: integer }', range);
}

function list(
  row: Record<string, unknown>,
  field: string,
  name: string,
  length?: number,
): readonly unknown[] {
  const value = row[field];
  if (!Array.isArray(value)) refuse(name, field, 'a list', value);
  if (length !== undefined && value.length !== length) {
    refuse(name, field, `a list of ${length}, one for each token behind the prompt`, value);
  }
  return value;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isIndex(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function refuse(row: string, field: string, expected: string, got: unknown): never {
  throw new ArtError({
    code: 'ART_INVALID_TRAINING_ROW',
    message: `Expected ${field} of ${row} to be ${expected}, got ${describeValue(got)}.`,
  });
}
