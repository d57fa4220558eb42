import type { JSX, RefObject } from 'preact';

const keys: readonly [string, string][] = [
  ['1', 'Run'],
  ['2', 'Samples'],
  ['3', 'Compare'],
  ['/', 'Search samples, or the transcript that is open'],
  ['↓ ↑, j k', 'Walk through rows'],
  ['Enter', 'Open what is marked'],
  ['[ ]', 'Previous and next sample'],
  ['a', 'Score the sample yourself; Ctrl Enter keeps it'],
  ['Esc', 'Leave the search; back to the samples'],
  ['?', 'This help'],
];

const filters: readonly [string, string][] = [
  ['weather timeout', 'all words, in task, session, tags or error'],
  ['-weather', 'not this word'],
  ['score<0.5', 'also reward, latency>10s, tokens, calls, attempts, cost'],
  ['outcome:timeout', 'also task:x, tag:x'],
  ['said:"no such booking"', 'in the transcript: messages, tools, task, result, log'],
  ['finding:cut_off', 'what a check of the run is about'],
  ['is:retried', 'also failed, throttled, straggler, unjudged'],
];

export function HelpDialog({ dialog }: { dialog: RefObject<HTMLDialogElement | null> }): JSX.Element {
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title">
      <h2 id="help-title">Keys and filters</h2>
      <dl>
        {keys.map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <dl>
        {filters.map(([text, meaning]) => (
          <div key={text}>
            <dt>
              <code>{text}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">Close</button>
      </form>
    </dialog>
  );
}
