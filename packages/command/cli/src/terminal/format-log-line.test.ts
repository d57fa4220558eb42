import { describe, expect, it } from 'vitest';
import { formatLogLine } from './format-log-line.ts';
import type { Paint } from './paint.ts';

const plain: Paint = (_, text) => text;

describe('formatLogLine', () => {
  it('makes a structured line readable', () => {
    const line = JSON.stringify({
      level: 'INFO',
      timestamp: '2026-01-01T00:00:00.000Z',
      logger: 'art.server',
      requestId: 'r',
      sessionId: 's',
      resultKey: 'a/b/c.json',
      res: { statusCode: 200 },
      message: 'Result stored',
    });
    expect(formatLogLine(line, plain)).toEqual([
      'INFO Result stored resultKey=a/b/c.json res={"statusCode":200}',
    ]);
  });

  it('puts a stack trace on lines of its own', () => {
    const line = JSON.stringify({
      level: 'error',
      message: 'It failed',
      stackTrace: ['Error: x', '    at y'],
    });
    expect(formatLogLine(line, plain)).toEqual(['ERROR It failed', 'Error: x', '    at y']);
    expect(formatLogLine(line, (style, text) => `<${String(style)}>${text}`)[0]).toBe('<red>ERROR It failed');
  });

  it('keeps all digits of ids', () => {
    const line = '{"level":"info","message":"Paid","account":9007199254740993}';
    expect(formatLogLine(line, plain).join()).toContain('9007199254740993');
  });

  it.each(['hello', '{not json', '{"level":30,"msg":"pino"}', '{"a":1}', '[1]', ''])(
    'leaves %j as it is',
    (line) => {
      expect(formatLogLine(line, plain)).toEqual([line]);
    },
  );
});
