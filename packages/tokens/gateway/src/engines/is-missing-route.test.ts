import { describe, expect, it } from 'vitest';
import { isMissingRoute } from './is-missing-route.ts';

const reply = (status: number, body: string | object) => ({
  status,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
});

describe('isMissingRoute', () => {
  it.each([
    [405, { detail: 'Method Not Allowed' }],
    [501, ''],
    [501, { error: { message: 'not implemented' } }],
    [404, { detail: 'Not Found' }],
    [404, '404 page not found'],
    [404, '<!DOCTYPE html><pre>Cannot POST /v1/responses</pre>'],
    [404, ''],
    [
      404,
      { error: { message: 'Invalid URL (POST /v1/responses)', type: 'invalid_request_error', code: null } },
    ],
    [404, { error: { message: 'Unknown request URL: POST /v1/responses', code: 'unknown_url' } }],
    [404, { error: { code: 404, message: 'File Not Found', type: 'not_found_error' } }],
    [404, { error: { message: 'Not found', code: 'route_not_found' } }],
  ])('is told by %i %j', (status, body) => {
    expect(isMissingRoute(reply(status, body))).toBe(true);
  });

  it.each([
    [200, {}],
    [400, { detail: 'Not Found' }],
    [403, ''],
    [403, { detail: 'Forbidden' }],
    [403, '<html><h1>403 Forbidden</h1></html>'],
    [403, { error: { message: 'You have no access to this model.', code: 'permission_denied' } }],
    [403, { error: { message: 'Scale-out quota exceeded', type: 'PermissionDeniedError', code: 403 } }],
    [500, ''],
    [404, { error: { message: 'The model `m` does not exist', code: 'model_not_found' } }],
    [404, { error: { message: 'Not found.', code: 'model_not_found' } }],
    [404, { object: 'error', message: 'The model `m` does not exist.', type: 'NotFoundError', code: 404 }],
    [404, { type: 'error', error: { type: 'not_found_error', message: 'model: m' } }],
    [404, { error: 'model "m" not found, try pulling it first' }],
    [404, { error: { message: "Response with id 'resp_1' not found.", param: null } }],
    [404, { error: { message: 'Not found.', code: 'previous_response_not_found' } }],
    [404, { error: { message: 'No such File object: file-abc' } }],
  ])('is not told by %i %j', (status, body) => {
    expect(isMissingRoute(reply(status, body))).toBe(false);
  });
});
