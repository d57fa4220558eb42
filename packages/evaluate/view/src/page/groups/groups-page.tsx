import { haveSpread } from '@art/ground/figures';
import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { GroupMemberRow, GroupRow } from '../../report/group-row.ts';
import type { RunHealthReport } from '../../report/run-health.ts';
import { HealthPanel } from '../health/health-panel.tsx';
import { LineChart } from '../chart/line-chart.tsx';
import type { RunData } from '../data/run-data.ts';
import { meanOf } from '../run/task-summaries.ts';
import { VirtualRows } from '../scroll/virtual-rows.tsx';
import { formatCount, formatDifference, formatDuration, formatScore, formatTick } from '../text/format.ts';
import { oneLine } from '../text/marked-text.ts';

export interface GroupsPageProps {
  run: number;
  data: RunData;
  health: RunHealthReport | null | undefined;
}

/** Groups of rollouts: the rewards of their members, and the advantages that come of them. */
export function GroupsPage({ run, data: { info, groups }, health }: GroupsPageProps): JSX.Element {
  const [open, setOpen] = useState<GroupRow>();
  const means = groups.flatMap(({ meanReward }) => (meanReward === null ? [] : [meanReward]));
  const chart = useMemo(
    () => ({
      xs: groups.map((_, at) => at + 1),
      lines: [
        {
          name: 'mean reward',
          colour: 'accent',
          values: groups.map(({ meanReward }) => meanReward),
          drawn: 'points' as const,
        },
      ],
    }),
    [groups],
  );
  // A group whose members all have the same reward teaches nothing.
  const flat = groups.filter(({ members }) => {
    const rewards = members.flatMap(({ reward }) => reward ?? []);
    return rewards.length > 0 && !haveSpread(rewards);
  }).length;
  return (
    <main class="groups-page">
      <div class="run-head">
        <h1>
          <bdi>{oneLine(info.title)}</bdi>
        </h1>
      </div>
      <dl class="figures">
        <div>
          <dt>Groups</dt>
          <dd>
            <span class="value">{formatCount(groups.length)}</span>
            <span class="note">
              {formatCount(groups.filter(({ kind }) => kind !== 'complete').length)} not complete
            </span>
          </dd>
        </div>
        <div>
          <dt>Mean reward</dt>
          <dd>
            <span class="value">{formatScore(meanOf(means))}</span>
          </dd>
        </div>
        <div>
          <dt>Without a difference</dt>
          <dd>
            <span class="value">{formatCount(flat)}</span>
            <span class="note">all rewards of the group are the same</span>
          </dd>
        </div>
      </dl>
      <HealthPanel run={run} health={health} />
      <div class="panel">
        <LineChart
          title="Mean reward of each group"
          {...chart}
          xName="group"
          formatX={formatCount}
          formatY={formatTick}
        />
      </div>
      <div class="compare-body groups-body">
        <div class="table groups-table" role="table" aria-label="Groups" aria-rowcount={groups.length + 1}>
          <div class="table-head" role="row">
            <span role="columnheader">Input</span>
            <span role="columnheader" class="number">
              Mean
            </span>
            <span role="columnheader">Rewards</span>
            <span role="columnheader" class="number">
              Took
            </span>
          </div>
          <VirtualRows
            class="table-body"
            role="rowgroup"
            label="Rows of groups"
            count={groups.length}
            rowHeight={40}
            row={(at) => (
              <Row
                key={at}
                group={groups[at]!}
                at={at}
                isOpen={groups[at] === open}
                onOpen={() => setOpen(groups[at] === open ? undefined : groups[at])}
              />
            )}
          />
        </div>
        {open !== undefined && <Members group={open} />}
      </div>
    </main>
  );
}

interface RowProps {
  group: GroupRow;
  at: number;
  isOpen: boolean;
  onOpen: () => void;
}

const mostShown = 24;

function Row({ group, at, isOpen, onOpen }: RowProps): JSX.Element {
  return (
    <div class={`table-row${isOpen ? ' is-active' : ''}`} role="row" aria-rowindex={at + 2} onClick={onOpen}>
      <span role="cell" class="task">
        <button type="button" class="link" aria-expanded={isOpen}>
          <bdi>{oneLine(group.inputId)}</bdi>
        </button>
        {group.kind !== 'complete' && <span class="tag">{oneLine(group.kind)}</span>}
      </span>
      <span role="cell" class="number">
        {formatScore(group.meanReward)}
      </span>
      <span role="cell" class="rewards">
        {group.members.slice(0, mostShown).map((member, number) => (
          <Reward key={number} member={member} />
        ))}
        {group.members.length > mostShown && ` +${group.members.length - mostShown}`}
      </span>
      <span role="cell" class="number">
        {formatDuration(group.elapsedMs)}
      </span>
    </div>
  );
}

function Reward({ member: { reward, advantage, status } }: { member: GroupMemberRow }): JSX.Element {
  const direction = advantage === null || advantage === 0 ? 'same' : advantage > 0 ? 'better' : 'worse';
  return (
    <span class={`reward is-change-${direction}`}>
      {reward === null ? oneLine(status).slice(0, 12) : formatTick(reward)}
    </span>
  );
}

function Members({ group }: { group: GroupRow }): JSX.Element {
  return (
    <section class="panel both" aria-label={`Members of ${group.inputId}`}>
      <h2>
        <bdi>{oneLine(group.inputId)}</bdi>
      </h2>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Member</th>
            <th scope="col" class="number">
              Reward
            </th>
            <th scope="col" class="number">
              Advantage
            </th>
          </tr>
        </thead>
        <tbody>
          {group.members.slice(0, 500).map((member, at) => (
            <tr key={at}>
              <th scope="row">
                {at + 1}{' '}
                <span class="note">
                  {member.problem === null ? oneLine(member.status) : <bdi>{oneLine(member.problem)}</bdi>}
                </span>
              </th>
              <td class="number">{formatScore(member.reward)}</td>
              <td class="number">{formatDifference(member.advantage)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
