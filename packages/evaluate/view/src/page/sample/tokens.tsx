import type { CompletionTokens } from '@art/trajectories';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

const portion = 2_000;
/** Probabilities below which a token is shaded more. */
const shades = [0.9, 0.6, 0.3, 0.1, 0.02] as const;

/** The tokens of an answer: shaded where they were improbable, pale and struck under where they do not train. */
export function Tokens({ tokens }: { tokens: CompletionTokens }): JSX.Element {
  const [most, setMost] = useState(portion);
  const [told, setTold] = useState<number>();
  const { ids, logprobs, lossMask } = tokens;
  const pick = (event: Event): void => {
    const at = (event.target as HTMLElement).dataset['at'];
    if (at !== undefined) setTold(Number(at));
  };
  return (
    <div class="tokens">
      <p class="legend">
        {logprobs === null ? (
          <span>The engine gave no logprobs.</span>
        ) : (
          <>
            <span>probability</span>
            {['over 0.9', '0.6', '0.3', '0.1', '0.02', 'under 0.02'].map((name, shade) => (
              <span key={name}>
                <span class={`key shade-${shade}`} aria-hidden="true" />
                {name}
              </span>
            ))}
          </>
        )}
        {lossMask === null ? (
          <span>In no training row.</span>
        ) : (
          <span>
            <span class="is-masked">dotted</span>: loss mask 0
          </span>
        )}
      </p>
      <div class="token-list" onClick={pick} onMouseOver={pick}>
        {ids.slice(0, most).map((_, at) => (
          <Token key={at} tokens={tokens} at={at} />
        ))}
      </div>
      <p class="token-told" role="status">
        {told === undefined ? `${formatCount(ids.length)} tokens. Point at one.` : describe(tokens, told)}
      </p>
      {ids.length > most && (
        <button type="button" class="small" onClick={() => setMost(most + portion)}>
          Show {formatCount(Math.min(portion, ids.length - most))} more
        </button>
      )}
    </div>
  );
}

function Token({ tokens, at }: { tokens: CompletionTokens; at: number }): JSX.Element {
  const { ids, logprobs, texts, lossMask } = tokens;
  const text = texts?.[at];
  const shade = logprobs === null ? 0 : shadeOf(logprobs[at] ?? 0);
  const isMasked = lossMask !== null && lossMask[at] !== 1;
  return (
    <>
      <bdi class={`token shade-${shade}${isMasked ? ' is-masked' : ''}`} data-at={at}>
        {text === undefined ? ids[at] : visible(text)}
      </bdi>
      {text?.includes('\n') === true && <br />}
    </>
  );
}

function shadeOf(logprob: number): number {
  const probability = Math.exp(logprob);
  const shade = shades.findIndex((bound) => probability >= bound);
  return shade === -1 ? shades.length : shade;
}

function visible(text: string): string {
  return text === '' ? '∅' : oneLine(text.replaceAll('\n', '⏎'));
}

function describe({ ids, logprobs, texts, lossMask }: CompletionTokens, at: number): string {
  const logprob = logprobs?.[at];
  return [
    `Token ${at + 1} of ${ids.length}`,
    texts?.[at] === undefined ? '' : JSON.stringify(texts[at]),
    `id ${ids[at]}`,
    logprob == null ? '' : `logprob ${logprob.toFixed(4)}`,
    logprob == null ? '' : `probability ${Math.exp(logprob).toFixed(3)}`,
    lossMask === null ? '' : lossMask[at] === 1 ? 'trains' : 'does not train',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
