import { expect, it } from 'vitest';
import { agentLabelHeaders } from './agent-label.ts';

it('is a header that a model client sends', () => {
  expect(agentLabelHeaders('critic-2')).toEqual({ 'x-art-label': 'critic-2' });
});

it.each(['', 'two words', 'a\nb', 'é', 'x'.repeat(65), undefined])('refuses %j', (label) => {
  expect(() => agentLabelHeaders(label as string)).toThrow(
    expect.objectContaining({ code: 'ART_INVALID_OPTION' }) as Error,
  );
});
