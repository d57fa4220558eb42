import { expect, it } from 'vitest';
import { preparedCall } from './engine-replies.fixture.ts';

const url = { url: 'data:image/png;base64,AAAA' };
const user = (...content: object[]): object => ({ role: 'user', content });
const text = { type: 'text', text: 'a "content":[{"type":"image_url"}] in words' };

it.each<[object, { path: string; type: string }[]]>([
  [
    user(text, { type: 'image_url', image_url: url }),
    [{ path: 'messages[0].content[1]', type: 'image_url' }],
  ],
  [user({ type: 'input_audio', input_audio: {} }), [{ path: 'messages[0].content[0]', type: 'input_audio' }]],
  [user({ type: 'audio_url', audio_url: url }), [{ path: 'messages[0].content[0]', type: 'audio_url' }]],
  [user({ type: 'video_url', video_url: url }), [{ path: 'messages[0].content[0]', type: 'video_url' }]],
  [user({ type: 'file', file: { file_id: 'f' } }), [{ path: 'messages[0].content[0]', type: 'file' }]],
  [user({ image_url: 'http://x/y.png' }), [{ path: 'messages[0].content[0]', type: 'image_url' }]],
  [user({ type: 'point_cloud' }), [{ path: 'messages[0].content[0]', type: 'point_cloud' }]],
  [
    { role: 'tool', tool_call_id: 'a', content: [text, { type: 'image_url', image_url: url }] },
    [{ path: 'messages[0].content[1]', type: 'image_url' }],
  ],
  [
    user({ type: 'tool_result', content: [text, { type: 'image', source: {} }] }),
    [{ path: 'messages[0].content[0].content[1]', type: 'image' }],
  ],
  [user({ type: 'document', source: {} }), [{ path: 'messages[0].content[0]', type: 'document' }]],
  [
    { role: 'assistant', content: null, audio: { id: 'audio_1' } },
    [{ path: 'messages[0].audio', type: 'audio' }],
  ],
])('finds what token ids do not hold in %j', (message, media) => {
  expect(preparedCall({ messages: [message] }).media).toEqual(media);
});

it('finds those of Responses, and of earlier turns', () => {
  const image = { type: 'input_image', image_url: 'data:' };
  const input = [
    { role: 'user', content: [image] },
    { type: 'function_call_output', output: [image] },
    { role: 'user' },
  ];
  expect(preparedCall({ messages: null, input }).media.map(({ path }) => path)).toEqual([
    'input[0].content[0]',
    'input[1].output[0]',
  ]);
});

it('finds none in text', () => {
  const messages = [
    user(text),
    {
      role: 'assistant',
      content: 'x',
      audio: null,
      tool_calls: [{ function: { arguments: '{"type":"image_url"}' } }],
    },
    { role: 'user', content: '[{"type":"image_url"}]' },
    user({ type: 'tool_result', content: 'plain' }, { type: 'thinking', thinking: 'x' }),
  ];
  expect(preparedCall({ messages }).media).toEqual([]);
});
