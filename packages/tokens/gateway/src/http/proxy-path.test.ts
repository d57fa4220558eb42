import { describe, expect, it } from 'vitest';
import { parseProxyPath, type ProxyTarget } from './proxy-path.ts';

const post = (url: string): ProxyTarget | undefined => parseProxyPath(url, 'POST');

describe('parseProxyPath', () => {
  it.each<[string, Partial<ProxyTarget>]>([
    [
      '/v1/chat/completions',
      { sessionId: undefined, endpoint: 'chat', tail: '/chat/completions', query: '' },
    ],
    ['/v1/v1/chat/completions', { endpoint: 'chat', tail: '/chat/completions' }],
    ['/v1/chat/completions/', { endpoint: 'chat', tail: '/chat/completions' }],
    ['/v1/messages?beta=true', { endpoint: 'messages', tail: '/messages', query: '?beta=true' }],
    ['/v1/v1/messages?beta=true', { endpoint: 'messages', tail: '/messages', query: '?beta=true' }],
    ['/messages', { endpoint: 'messages', tail: '/messages' }],
    ['/v1/messages/count_tokens', { endpoint: 'count_tokens' }],
    ['/v1/responses', { endpoint: 'responses' }],
    ['/v1/completions', { endpoint: 'completions' }],
    ['/v1', { endpoint: 'other', tail: '' }],
    ['/v1/models', { endpoint: 'other', tail: '/models' }],
    ['/v1/models/a%2Fb?x=1', { endpoint: 'other', tail: '/models/a%2Fb', query: '?x=1' }],
    ['/sessions/one/v1/chat/completions', { sessionId: 'one', endpoint: 'chat' }],
    ['/sessions/harbor/hello-world:0/v1/chat/completions', { sessionId: 'harbor/hello-world:0' }],
    ['/sessions/harbor%2Fhello%20world:0/v1', { sessionId: 'harbor/hello world:0', tail: '' }],
    ['/sessions/one/v1/v1/messages', { sessionId: 'one', endpoint: 'messages' }],
    ['/sessions/one/messages', { sessionId: 'one', endpoint: 'messages' }],
    ['/below/sessions/one/v1/models', { sessionId: 'one', tail: '/models' }],
    ['/ng-rollout/7/v1/responses', { sessionId: '7', endpoint: 'responses' }],
    ['/sessions/one/v12/v1/models', { sessionId: 'one/v12', tail: '/models' }],
  ])('reads %s', (url, expected) => {
    expect(post(url)).toMatchObject(expected);
  });

  it.each(['/v12/models', '/sessions/one', '/sessions/one/traces', '/sessions', '/health', '/admin/workers'])(
    'leaves %s to the control routes',
    (url) => {
      expect(post(url)).toBeUndefined();
    },
  );

  it('takes a session without /v1 only where something is posted', () => {
    expect(parseProxyPath('/sessions/one/messages', 'GET')).toBeUndefined();
    expect(parseProxyPath('/messages', 'GET')).toBeUndefined();
  });

  it('throws at an id that is ill-encoded', () => {
    expect(() => post('/sessions/%E0%A4%A/v1/models')).toThrow(URIError);
  });
});
