import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatResultDocument } from '@art/protocol';
import { secretScrubber } from './secret-scrubber.ts';

const secret = 'p"w\\d/ü&+ 1';

describe('secretScrubber', () => {
  it.each([
    ['as it is', secret],
    ['in JSON', JSON.stringify({ secret })],
    ['in ASCII JSON', formatResultDocument({ secret })],
    ['in a URL', `https://host/?a=${encodeURIComponent(secret)}`],
    ['in a URL in lower case', encodeURIComponent(secret).toLowerCase()],
    ['in a form', new URLSearchParams({ secret }).toString()],
    ['in JSON in JSON', JSON.stringify({ text: JSON.stringify({ secret }) })],
    ['as Node shows it', inspect({ secret })],
  ])('finds a secret %s', (_name, text) => {
    const scrubber = secretScrubber([secret]);
    expect(scrubber.finds(text)).toBe(true);
    const scrubbed = scrubber.scrubText(`before ${text} after ${text}`);
    expect(scrubbed).toContain('[redacted]');
    expect(scrubber.finds(scrubbed)).toBe(false);
    expect(scrubbed.startsWith('before ') && scrubbed.includes(' after ')).toBe(true);
  });

  it.each([
    ['as Node shows it', inspect({ key: `a'b"c\`d` })],
    ['as Python shows it', String.raw`{'key': 'a\'b"c${'`'}d'}`],
    ['in a shell', String.raw`KEY='a'\''b"c${'`'}d'`],
    ['in HTML', '<b>a&#39;b&quot;c`d</b>'],
  ])('finds one with quotes %s', (_name, text) => {
    const scrubbed = secretScrubber([`a'b"c\`d`]).scrubText(text);
    expect(scrubbed).toContain('[redacted]');
    expect(scrubbed).not.toMatch(/b"c|c.d|a.{1,5}b/);
  });

  it('replaces the longer of two that overlap', () => {
    expect(secretScrubber(['abcdef', 'abcdefghi']).scrubText('abcdefghi abcdef')).toBe(
      '[redacted] [redacted]',
    );
  });

  it('gives a text back that has none', () => {
    expect(secretScrubber([secret]).scrubText('some other text')).toBe('some other text');
    expect(secretScrubber([]).scrubText('anything')).toBe('anything');
  });

  it('leaves a document readable whatever the secret is', () => {
    const hostile = ['result', 'payload', 'status_code', 'nested', '_rollout', 'exp_id', '": "', '\\', 'in1'];
    for (const one of hostile) {
      const { mapDocumentText } = secretScrubber([one]);
      const document = {
        rewards: 1,
        status_code: 200,
        text: `line\nnested ${one}`,
        input_id: 'in1',
        s3_bucket: 'results',
        result_key: 'exp1/in1/s.json',
        payload: { [one]: one, _rollout: { exp_id: 'exp1', input_id: 'in1', s3_bucket: 'results' } },
      };
      const text = formatResultDocument(document, { mapText: mapDocumentText });
      const stored = JSON.parse(text) as typeof document;
      expect(stored).toMatchObject({ rewards: 1, status_code: 200, input_id: 'in1', s3_bucket: 'results' });
      expect(stored.result_key).toBe('exp1/in1/s.json');
      expect(stored.text).not.toContain(one);
    }
  });
});
