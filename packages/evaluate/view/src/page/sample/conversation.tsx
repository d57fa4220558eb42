import type { TranscriptRecord } from '@art/eval/records';
import type { JSX } from 'preact';
import { useContext, useMemo, useState } from 'preact/hooks';
import { ForeignText } from '../text/foreign-text.tsx';
import { Find } from '../text/find.ts';
import { formatCount, formatDuration } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';
import { conversationEntries, type ConversationEntry } from './conversation-entries.ts';
import { Tokens } from './tokens.tsx';

/** So many entries are in the page at first, and come with each "more". */
const portion = 100;

/** Conversation in its order. */
export function ConversationView({ transcript }: { transcript: TranscriptRecord }): JSX.Element {
  const all = useMemo(() => conversationEntries(transcript), [transcript]);
  const wanted = useContext(Find);
  const texts = useMemo(() => (wanted === '' ? [] : all.map(entryText)), [all, wanted === '']);
  const entries = wanted === '' ? all : all.filter((_, at) => texts[at]!.includes(wanted));
  const [most, setMost] = useState(portion);
  const hasThreads = all.some(({ thread }) => thread > 1);
  return (
    <section aria-labelledby="conversation-title">
      <h2 id="conversation-title">Conversation</h2>
      {wanted !== '' && (
        <p class="note" role="status">
          {formatCount(entries.length)} of {formatCount(all.length)} messages say it
        </p>
      )}
      {all.length === 0 && <p class="empty">Nothing was captured. A gateway records what is said.</p>}
      <ol class="conversation">
        {entries.slice(0, most).map((entry, at) => (
          <Entry
            key={entry.at}
            entry={entry}
            thread={hasThreads && entry.thread !== entries[at - 1]?.thread ? entry.thread : undefined}
          />
        ))}
      </ol>
      {entries.length > most && (
        <button type="button" onClick={() => setMost(most + portion)}>
          Show {Math.min(portion, entries.length - most)} more of {formatCount(entries.length)} messages
        </button>
      )}
    </section>
  );
}

/** Text of an entry as the page shows it, in small letters. */
function entryText({ message, results }: ConversationEntry): string {
  return [
    message.name ?? '',
    ...message.texts.map(({ text }) => text),
    ...message.toolCalls.flatMap((call) => [call.name, call.arguments]),
    ...message.toolResults.map(({ text }) => text),
    ...[...results.values()].map(({ text }) => text),
  ]
    .join('\n')
    .toLowerCase();
}

/** @param props.thread Told where another conversation of the agent begins. */
function Entry({ entry, thread }: { entry: ConversationEntry; thread: number | undefined }): JSX.Element {
  const { message, call, results } = entry;
  const [showsTokens, setShowsTokens] = useState(false);
  const role = ['system', 'developer', 'user', 'assistant', 'tool'].includes(message.role)
    ? message.role
    : 'other';
  return (
    <li class={`message is-${role}`}>
      {thread !== undefined && <p class="thread">Conversation {thread}</p>}
      <div class="message-head">
        <span class="role">{oneLine(message.role)}</span>
        {message.name !== undefined && <bdi>{oneLine(message.name)}</bdi>}
        {call !== undefined && (
          <span class="call-facts">
            <span title="Time of the model call">{formatDuration(call.latencyMs)}</span>
            <span>
              {formatCount(call.promptTokens)} → {formatCount(call.completionTokens)} tokens
            </span>
            {call.finishReason !== null && <bdi>{oneLine(call.finishReason)}</bdi>}
            {call.weightVersion !== null && <span>weights {call.weightVersion}</span>}
          </span>
        )}
        {call?.tokens != null && (
          <button
            type="button"
            class="small"
            aria-expanded={showsTokens}
            onClick={() => setShowsTokens(!showsTokens)}
          >
            {showsTokens ? 'Hide tokens' : 'Tokens'}
          </button>
        )}
      </div>
      {call?.problems.map((problem) => (
        <p class="warning" key={problem}>
          Capture {oneLine(call.capture ?? 'incomplete')}: {oneLine(problem)}
        </p>
      ))}
      {showsTokens && call?.tokens != null ? (
        <Tokens tokens={call.tokens} />
      ) : (
        message.texts.map(({ kind, text }, number) => (
          <div key={number} class={`said is-${kind}`}>
            {kind === 'reasoning' && <span class="said-kind">Reasoning</span>}
            <ForeignText text={text} label={`Text of ${message.role}`} />
          </div>
        ))
      )}
      {message.toolCalls.map(({ id, name, arguments: given }, number) => {
        const result = results.get(id);
        return (
          <div class="tool" key={`${id}-${number}`}>
            <p class="tool-head">
              <span class="role">calls</span>{' '}
              <code>
                <bdi>{oneLine(name)}</bdi>
              </code>
              {result?.elapsedMs !== undefined && (
                <span class="call-facts" title="Until the model was told the result">
                  {formatDuration(result.elapsedMs)}
                </span>
              )}
            </p>
            {given !== '' && given !== '{}' && <ForeignText text={given} label={`Arguments of ${name}`} />}
            <div class="tool-result">
              <span class="role">{result === undefined ? 'no result' : 'result'}</span>
              {result !== undefined && <ForeignText text={result.text} label={`Result of ${name}`} />}
            </div>
          </div>
        );
      })}
      {message.toolResults
        .filter(() => !message.isOnlyResults || results.size === 0)
        .map(({ id, text }, number) => (
          <div class="tool-result" key={`${id}-${number}`}>
            <span class="role">result</span>
            <ForeignText text={text} label="Result of a tool" />
          </div>
        ))}
    </li>
  );
}
