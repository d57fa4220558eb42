import type { JSX } from 'preact';
import type { RunRecord } from '@art/eval/records';
import { formatTime } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

/** Facts that one needs to do the run again. */
export function RunFactList({ run, folder }: { run: RunRecord; folder: string }): JSX.Element {
  const process = run.processes.at(-1);
  const facts: [string, string][] = [
    ['Folder', folder],
    ['Run', run.runId],
    ['Tasks', `${run.tasks.source}${run.tasks.count === null ? '' : ` (${run.tasks.count})`}`],
    ['Samples of each task', String(run.samples)],
    ['Seed', String(run.seed)],
    ['Model', [run.model.modelId, run.model.baseUrl].filter((part) => part !== null).join(' at ')],
    [
      'Commit',
      run.git === null
        ? ''
        : `${run.git.commit}${run.git.isDirty ? ', with changes that are not committed' : ''}`,
    ],
    ['Judged again from', run.rescoredFrom ?? ''],
    ['Options', Object.keys(run.options).length === 0 ? '' : JSON.stringify(run.options)],
    [
      'Versions',
      process === undefined
        ? ''
        : Object.entries(process.versions)
            .map((pair) => pair.join(' '))
            .join(', '),
    ],
    [
      'Worked on',
      run.processes
        .map(({ startedAtMs, host, pid }) => `${formatTime(startedAtMs)} on ${host}, process ${pid}`)
        .join('; '),
    ],
  ];
  return (
    <details class="panel facts">
      <summary>
        <h2>About this run</h2>
      </summary>
      <dl>
        {facts
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>
                <bdi>{oneLine(value)}</bdi>
              </dd>
            </div>
          ))}
      </dl>
    </details>
  );
}
