import { describe, expect, it } from 'vitest';
import { protobufPass, readProtobufPass, readProtobufSamples } from './protobuf-pass.ts';

// Written by Tinker's client 0.38.0 and a server of SkyRL; the order of a map's entries is free.
const golden = {
  request:
    'Cg5tb2RlbF82NDEwZTQ3MRABGogBChAKDgoMKAAAAAcAAAApAAAAEiEKCmFkdmFudGFnZXMSEwoMAAAAAAAAAAAAAIA/GAEiAQMSMAoNdGFyZ2V0X3Rva2VucxIfChgHAAAAAAAAACkAAAAAAAAABwAAAAAAAAAYAiIBAxIfCghsb2dwcm9icxITCgwAAAAAAAAAAAAAQMAYASIBAyITaW1wb3J0YW5jZV9zYW1wbGluZw==',
  pass: 'CgZzY2FsYXISahI2ChBlbGVtZW50d2lzZV9sb3NzEiIKDAAAAIAAAACA0rukvhIQAAAAAAAAAAAMAAAAAAAAABgBEi4KCGxvZ3Byb2JzEiIKDIbmcMBpx5vAr0mEwBIQAAAAAAAAAAAMAAAAAAAAABgBGAE=',
  samples: 'Cg4IARIEIgAAABoEFnFTwAoOCAESBAAAAAAaBJeFYcA=',
};
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'base64'));

describe('the protobuf of Tinker', () => {
  it('writes a pass as its own client does, but for the order of a map', () => {
    const written = protobufPass(
      {
        modelId: 'model_6410e471',
        seqId: 1,
        loss: { name: 'importance_sampling' },
        rows: [
          {
            tokens: [40, 7, 41],
            targets: [7, 41, 7],
            weights: [0, 0, 1],
            logprobs: [0, 0, -3],
            advantages: [0, 0, 1],
          },
        ],
      },
      'sum',
    );
    const expected = Buffer.from(golden.request, 'base64');
    expect(written).toHaveLength(expected.length);
    // Each entry of the map stands in both, byte by byte.
    for (const [start, length] of [
      [0, 39],
      [39, 35],
      [74, 50],
      [124, 33],
      [157, 21],
    ])
      expect(Buffer.from(written).includes(expected.subarray(start, start! + length!))).toBe(true);
  });

  it('reads the logprobs of a pass', () => {
    const { logprobs, metrics } = readProtobufPass(bytes(golden.pass));
    expect(logprobs).toHaveLength(1);
    expect(logprobs[0]!.map((logprob) => Number(logprob.toFixed(6)))).toEqual([
      -3.76407, -4.868092, -4.133995,
    ]);
    expect(metrics).toEqual({});
  });

  it('reads samples', () => {
    const { sequences } = readProtobufSamples(bytes(golden.samples));
    expect(sequences.map(({ tokens, stopReason }) => ({ tokens, stopReason }))).toEqual([
      { tokens: [34], stopReason: 'length' },
      { tokens: [0], stopReason: 'length' },
    ]);
    expect(
      sequences.flatMap(({ logprobs }) => logprobs!.map((logprob) => Number(logprob.toFixed(6)))),
    ).toEqual([-3.303777, -3.523779]);
  });

  it('says so where the bytes are something else', () => {
    expect(() => readProtobufPass(Buffer.from('<html>'))).toThrow(
      expect.objectContaining({ code: 'ART_TINKER_UNKNOWN_ANSWER' }),
    );
  });
});
