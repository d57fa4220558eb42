import { WireRequestError, type WireTranslation } from '@art/gateway/model-wires';
import type { MockRequest } from '../mock-request.ts';
import { chatWire } from './chat-wire.ts';
import type { ModelWire } from './model-wire.ts';
import { MockRequestError } from './request-parts.ts';

/** A wire over the chat wire, by the translation that the gateway uses for engines. */
export function translatedWire(
  init: Pick<ModelWire, 'name' | 'path' | 'error'> & { translate: (body: string) => WireTranslation },
): ModelWire {
  const { translate, ...wire } = init;
  return {
    ...wire,
    read: (body) => chatWire.read(chatBody(translated(body))),
    whole(request, said) {
      const translation = translated(request.body);
      const reply = chatWire.whole(asChat(request, translation), said);
      return JSON.parse(translation.reply(JSON.stringify(reply))) as object;
    },
    *events(request, said) {
      const translation = translated(request.body);
      const stream = translation.openStream();
      for (const event of chatWire.events(asChat(request, translation), said)) {
        const data = event.slice('data: '.length).trimEnd();
        const events = data === '[DONE]' ? stream.finish() : stream.push(data);
        yield* events.match(/.+?\n\n/gs) ?? [];
      }
    },
  };

  function translated(body: MockRequest['body']): WireTranslation {
    try {
      return translate(JSON.stringify(body));
    } catch (error) {
      if (error instanceof WireRequestError) throw new MockRequestError(error.message);
      throw error;
    }
  }
}

function chatBody({ chatBody: json }: WireTranslation): Record<string, unknown> {
  return JSON.parse(json) as Record<string, unknown>;
}

function asChat(request: MockRequest, translation: WireTranslation): MockRequest {
  return { ...request, body: chatBody(translation) };
}
