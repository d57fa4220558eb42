import type { TrainingRow } from '../rows/training-row.ts';
import { ArtError } from '@art/ground';
import { describe, expect, it } from 'vitest';
import type { Capture } from '../captures/capture.ts';
import { buildTrajectory } from './build-trajectory.ts';
import { exactVectors, referenceVectors } from './golden-vectors.fixture.ts';
import { checkRows } from './row-invariants.fixture.ts';
import { aCapture, scriptedCaptures } from '../testing/scripted-captures.ts';

function shown(rows: readonly TrainingRow[]): string[] {
  return rows.map((row) => `${row.token_ids.join(' ')} | ${row.loss_mask.join(' ')}`);
}

describe.each([
  ['reference', referenceVectors],
  ['exact', exactVectors],
] as const)('golden vectors in %s mode', (mode, vectors) => {
  it.each(vectors)('$name', ({ turns, options, rows }) => {
    const captures = scriptedCaptures(turns);
    const trajectory = buildTrajectory(captures, { mode, ...options });
    expect(shown(trajectory.rows)).toEqual(rows);
    checkRows(trajectory.rows, captures);
  });
});

describe('buildTrajectory', () => {
  const continued = scriptedCaptures([
    { prompt: [1, 2], output: [3, 4] },
    { prompt: [1, 2, 3, 4, 5], output: [6] },
  ]);
  const forked = scriptedCaptures([
    { prompt: [1, 2], output: [3, 4] },
    { prompt: [9], output: [6] },
  ]);

  it('writes whole rows, the same every time', () => {
    const options = { reward: 0.5, rolloutId: 'r', groupId: 'g', metadata: { step: 3 } };
    const { rows } = buildTrajectory(continued, options);
    expect(rows).toEqual([
      {
        schema: 'art.training-row.v1',
        row_id: 's#0',
        session_id: 's',
        rollout_id: 'r',
        group_id: 'g',
        row_index: 0,
        row_count: 1,
        is_last: true,
        token_ids: [1, 2, 3, 4, 5, 6],
        prompt_length: 2,
        loss_mask: [1, 1, 0, 1],
        logprobs: [-0.3, -0.4, 0, -0.6],
        reward: 0.5,
        status: 'completed',
        finish_reason: 'stop',
        num_turns: 2,
        turn_spans: [
          { trace_id: 't0', start: 0, end: 2, turn: 0, weight_version: null },
          { trace_id: 't1', start: 3, end: 4, turn: 1, weight_version: null },
        ],
        model: 'm',
        created_at: 1_001,
        metadata: { truncated: false, use_tool: false, ill_formed: false, step: 3 },
      },
    ]);
    expect(buildTrajectory(continued, options)).toEqual(buildTrajectory(continued, options));
  });

  it.each(['exact', 'reference'] as const)('marks rows with a turn that spoilt a tool call: %s', (mode) => {
    const spoilt = (captures: readonly Capture[], index: number): Capture[] =>
      captures.map((capture, at) =>
        at === index ? { ...capture, metadata: { ill_formed: true } } : capture,
      );
    const marks = (captures: readonly Capture[]): unknown[] =>
      buildTrajectory(captures, { mode }).rows.map((row) => row.metadata['ill_formed']);
    expect(marks(continued)).toEqual([false]);
    expect(marks(spoilt(continued, 0))).toEqual([true]);
    expect(marks(spoilt(continued, 1))).toEqual([true]);
    // In reference mode both rows are of one conversation.
    expect(marks(spoilt(forked, 1))).toEqual([mode === 'reference', true]);
  });

  it('says of every row of a conversation what happened to it, where the original does', () => {
    const drifted = scriptedCaptures([
      { prompt: [1, 2], output: [3, 4] },
      { prompt: [1, 9, 3, 4, 5], output: [6] },
    ]);
    const [first, second] = drifted;
    const response = '{"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{}"}}]}';
    const last = {
      ...second!,
      finishReason: 'length',
      metadata: { ill_formed: true },
      responseMessage: response,
    };
    const told = { truncated: true, use_tool: true, ill_formed: true };
    const nothing = { truncated: false, use_tool: false, ill_formed: false };
    const metadata = (mode: 'reference' | 'exact') =>
      buildTrajectory([first!, last], { mode }).rows.map((row) => row.metadata);
    expect(metadata('reference')).toEqual([told, told]);
    expect(metadata('exact')).toEqual([nothing, told]);
  });

  it.each([
    ['leaves out', { reasoning_content: 'hm' }, {}, ['1 2 3 4 5 6 | 1 1 0 1']],
    ['has', { reasoning_content: 'hm' }, { reasoning_content: 'hm' }, ['1 2 3 4 5 6 | 1 1 0 1']],
    ['has under its other name', { reasoning: 'hm' }, { reasoning_content: 'hm' }, ['1 2 3 4 5 6 | 1 1 0 1']],
    ['alone has', {}, { reasoning_content: 'hm' }, ['1 2 3 4 5 6 | 1 1 0 1']],
    // Another thought is a rewritten answer.
    ['has other', { reasoning: 'hm' }, { reasoning: 'no' }, ['1 2 3 4 | 1 1', '1 2 3 4 5 6 | 1']],
  ])('reference: takes an echo that %s reasoning', (_name, thought, echoed, rows) => {
    const answer = { role: 'assistant', content: 'a' };
    const question = { role: 'user', content: 'q' };
    const captures = [
      aCapture({ prompt: [1, 2], output: [3, 4], messages: [question], response: { ...answer, ...thought } }),
      aCapture({
        captureId: 't1',
        prompt: [1, 2, 3, 4, 5],
        output: [6],
        messages: [question, { ...answer, ...echoed }, question],
      }),
    ];
    expect(shown(buildTrajectory(captures, { forkThresholdTokens: 0 }).rows)).toEqual(rows);
  });

  it('reference: of answers that differ in their reasoning, an echo continues from its own', () => {
    const turn = (captureId: string, id: number, reasoning: string): Capture =>
      aCapture({
        captureId,
        prompt: [1],
        output: [id],
        response: { role: 'assistant', content: 'a', reasoning },
      });
    const next = aCapture({
      captureId: 't2',
      prompt: [1, 3, 4],
      output: [5],
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a', reasoning_content: 'second' },
        { role: 'user', content: 'r' },
      ],
    });
    const captures = [turn('t0', 2, 'first'), turn('t1', 3, 'second'), next];
    expect(shown(buildTrajectory(captures, { mode: 'reference' }).rows)).toEqual([
      '1 2 | 1',
      '1 3 4 5 | 1 0 1',
    ]);
  });

  it('gives the reward once, unless every row is to have it', () => {
    const rewards = (options: object) =>
      buildTrajectory(forked, { reward: 1, ...options }).rows.map((row) => row.reward);
    expect(rewards({})).toEqual([null, 1]);
    expect(rewards({ rewardOn: 'every' })).toEqual([1, 1]);
    expect(rewards({ mode: 'reference' })).toEqual([1, 1]);
    expect(rewards({ reward: undefined })).toEqual([null, null]);
  });

  it('matches echoes that leave reasoning out or bring it along, respell arguments, and have other ids', () => {
    const call = (id: string, args: string) => ({
      id,
      type: 'function',
      function: { name: 'f', arguments: args },
    });
    const answer = {
      role: 'assistant',
      content: null,
      reasoning_content: 'hm',
      tool_calls: [call('a', '{"x": 1.0, "y":2}')],
    };
    const question = { role: 'developer', content: 'q' };
    const first = aCapture({ prompt: [1, 2], output: [3, 4, 8], messages: [question], response: answer });
    const asked = aCapture({ captureId: 'lost', prompt: [1, 2], output: [7], messages: [question] });
    for (const echo of [
      { role: 'assistant', content: '', tool_calls: [call('b', '{"y":2,"x":1}')] },
      { role: 'assistant', content: [], reasoning: 'other', tool_calls: [call('b', '{"y":2,"x":1}')] },
    ]) {
      const next = aCapture({
        captureId: 't1',
        prompt: [1, 2, 4, 8, 5],
        output: [6],
        messages: [
          { role: 'system', content: [{ type: 'text', text: 'q' }] },
          echo,
          { role: 'tool', content: 'r' },
        ],
      });
      // The other answer to the same prompt shows the match: it is abandoned only where this one was gone on from.
      expect(buildTrajectory([asked, first, next]).summary.masked).toMatchObject([
        { captureId: 'lost', reason: 'abandoned' },
      ]);
    }
  });

  it('says where weights changed in a row, and what the sampling was', () => {
    const [first, second] = continued;
    const captures = [
      {
        ...first!,
        weightVersion: 3,
        weightVersions: [
          { version: 'a', start: 0, end: 1 },
          { version: 'b', start: 1, end: 2 },
        ],
      },
      { ...second!, temperature: 0.7, topP: 0.9, weightVersions: [{ version: 'b', start: 0, end: 1 }] },
    ];
    expect(buildTrajectory(captures).rows[0]?.turn_spans).toEqual([
      {
        trace_id: 't0',
        start: 0,
        end: 2,
        turn: 0,
        weight_version: 3,
        weight_versions: [
          { version: 'a', start: 0, end: 1 },
          { version: 'b', start: 1, end: 2 },
        ],
      },
      {
        trace_id: 't1',
        start: 3,
        end: 4,
        turn: 1,
        temperature: 0.7,
        top_p: 0.9,
        weight_version: null,
        weight_versions: [{ version: 'b', start: 3, end: 4 }],
      },
    ]);
  });

  it.each(['exact', 'reference'] as const)(
    'never trains what was not captured whole, and says so (%s)',
    (mode) => {
      const [first, second] = continued;
      const flaws: [Partial<typeof first>, string][] = [
        [{ status: 'incomplete', problems: ['one logprob is missing'] }, 'incomplete'],
        [{ status: 'partial' }, 'partial'],
        [{ status: 'text_only' }, 'text_only'],
        [{ logprobs: undefined }, 'no_logprobs'],
        [{ logprobs: Float64Array.of(-1) }, 'bad_logprobs'],
        [{ logprobs: Float64Array.of(-1, Number.NaN) }, 'bad_logprobs'],
        [{ logprobs: Float64Array.of(-1, 0.5) }, 'bad_logprobs'],
      ];
      for (const [flaw, reason] of flaws) {
        const { rows, summary } = buildTrajectory([{ ...first!, ...flaw }, second!], { mode });
        expect(rows.flatMap((row) => row.turn_spans.map((span) => span.trace_id))).toEqual(['t1']);
        expect(rows[0]?.metadata['masked_turns']).toEqual([
          { trace_id: 't0', reason, problems: flaw?.problems ?? [] },
        ]);
        expect(summary).toMatchObject({
          sampledTokens: 3,
          trainedTokens: 1,
          masked: [{ captureId: 't0', reason }],
        });
      }
    },
  );

  it('names abandoned turns', () => {
    const { summary } = buildTrajectory(
      scriptedCaptures([
        { prompt: [1], output: [2] },
        { prompt: [1], output: [3], said: ['q0'] },
        { prompt: [1, 3, 4], output: [5] },
      ]),
    );
    expect(summary).toMatchObject({
      turns: 3,
      roots: 2,
      leaves: 2,
      masked: [{ captureId: 't0', reason: 'abandoned' }],
    });
  });

  it('keeps routed experts where a row is one turn, else says that they are left out', () => {
    const routedExperts = { data: 'x', encoding: 'npy_base64', shape: [2, 1, 1] } as const;
    const single = buildTrajectory([{ ...continued[0]!, routedExperts }]).rows[0];
    expect(single?.routed_experts).toEqual(routedExperts);
    const several = buildTrajectory([{ ...continued[0]!, routedExperts }, continued[1]!]).rows[0];
    expect(several).not.toHaveProperty('routed_experts');
    expect(several?.metadata['routed_experts_omitted']).toBe(true);
  });

  it('marks what was cut off, by the engine or by the bound', () => {
    const [first, second] = continued;
    const byEngine = buildTrajectory([first!, { ...second!, finishReason: 'length' }]).rows[0];
    expect(byEngine).toMatchObject({
      status: 'truncated',
      finish_reason: 'length',
      metadata: { truncated: true },
    });
    const { rows, summary } = buildTrajectory(forked, { maxSampleTokens: 3 });
    expect(rows.map((row) => [row.status, row.loss_mask, row.turn_spans[0]?.end])).toEqual([
      ['truncated', [1], 1],
      ['completed', [1], 1],
    ]);
    expect(summary).toMatchObject({ trainedTokens: 2, droppedRows: 0 });
  });

  it('takes the mode of a threshold that it is given', () => {
    const drifted = scriptedCaptures([
      { prompt: [1, 2], output: [3, 4] },
      { prompt: [1, 2, 3, 9, 5], output: [6] },
    ]);
    expect(shown(buildTrajectory(drifted, { forkThresholdTokens: 8 }).rows)).toEqual([
      '1 2 3 9 5 6 | 0 0 0 1',
    ]);
    expect(buildTrajectory(drifted).rows).toHaveLength(2);
  });

  it.each(['exact', 'reference'] as const)('takes conversations deeper than a stack: %s', (mode) => {
    const messages = Array.from({ length: 30_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: String(at),
    }));
    const captures = [20_001, 29_999].map((length, index) =>
      aCapture({
        captureId: `t${index}`,
        prompt: [1, ...(index === 0 ? [] : [2, 3])],
        output: [2],
        messages: messages.slice(0, length),
        response: messages[length]!,
      }),
    );
    expect(shown(buildTrajectory(captures, { mode }).rows)).toEqual(['1 2 3 2 | 1 0 1']);
  });

  it('sees tools used', () => {
    const response = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
    };
    expect(
      buildTrajectory([aCapture({ prompt: [1], output: [2], response })]).rows[0]?.metadata['use_tool'],
    ).toBe(true);
  });

  it('makes nothing of nothing', () => {
    expect(buildTrajectory([]).rows).toEqual([]);
  });

  it.each([
    [{ mode: 'other' as never }, 'mode'],
    [{ forkThresholdTokens: -1 }, 'forkThresholdTokens'],
    [{ maxSampleTokens: 0 }, 'maxSampleTokens'],
    [{ reward: Number.NaN }, 'reward'],
    [{ rewardOn: 'first' as never }, 'rewardOn'],
    [{ rolloutId: '' }, 'rolloutId'],
    [{ groupId: 3 as never }, 'groupId'],
    [{ metadata: [] as never }, 'metadata'],
  ])('refuses the option %j', (options, name) => {
    const build = () => buildTrajectory(continued, options);
    expect(build).toThrow(ArtError);
    expect(build).toThrow(new RegExp(`Expected \`${name}\` to be .*, got`));
  });

  it('refuses captures of several sessions', () => {
    expect(() => buildTrajectory([continued[0]!, { ...continued[1]!, sessionId: 'other' }])).toThrow(
      /one session/,
    );
  });
});

describe('a turn that was sampled under a grammar', () => {
  const [first, second] = scriptedCaptures([
    { prompt: [1, 2], output: [3, 4] },
    { prompt: [1, 2, 3, 4, 5], output: [6] },
  ]) as [Capture, Capture];
  const captures = [{ ...first, constraints: ['tool_choice'] }, second];

  it.each([
    ['exact', '1 2 3 4 5 6 | 1'],
    ['reference', '1 2 3 4 5 6 | 0 0 0 1'],
  ] as const)('is context and does not train, in %s mode', (mode, row) => {
    const { rows, summary } = buildTrajectory(captures, { mode });
    expect(shown(rows)).toEqual([row]);
    expect(summary.masked).toEqual([
      { captureId: first.captureId, reason: 'constrained', problems: ['sampled under tool_choice'] },
    ]);
  });

  it('trains where that is asked for', () => {
    const { rows, summary } = buildTrajectory(captures, { trainConstrained: true });
    expect(shown(rows)).toEqual(['1 2 3 4 5 6 | 1 1 0 1']);
    expect(summary.masked).toEqual([]);
  });
});
