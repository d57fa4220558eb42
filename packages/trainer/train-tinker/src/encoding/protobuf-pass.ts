import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import {
  type NamedTensor,
  type PassRequest,
  lossConfig,
  lossInputs,
  type Reduction,
} from './pass-request.ts';
import { type PassOutput, type SampledSequence, unknownAnswer } from './results.ts';

// Field numbers of the package tinker_public, as Tinker's client 0.38.0 has them.
const float32 = 1;
const int64 = 2;

/** A pass as the protobuf message ForwardBackwardRequest. */
export function protobufPass(
  { modelId, seqId, rows, loss }: PassRequest,
  reduction: Reduction,
): Uint8Array<ArrayBuffer> {
  const writer = new BinaryWriter();
  writer.tag(1, WireType.LengthDelimited).string(modelId);
  writer.tag(2, WireType.Varint).int32(seqId);
  for (const row of rows) {
    writer.tag(3, WireType.LengthDelimited).fork();
    writer
      .tag(1, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.LengthDelimited)
      .bytes(int32Bytes(row.tokens))
      .join()
      .join();
    for (const tensor of lossInputs(row, loss, reduction)) writeTensor(writer, tensor);
    writer.join();
  }
  writer.tag(4, WireType.LengthDelimited).string(loss.name);
  for (const [name, value] of Object.entries(lossConfig(loss) ?? {}))
    writer
      .tag(5, WireType.LengthDelimited)
      .fork()
      .tag(1, WireType.LengthDelimited)
      .string(name)
      .tag(2, WireType.Bit64)
      .double(value)
      .join();
  return writer.finish();
}

function writeTensor(writer: BinaryWriter, { name, data, dtype }: NamedTensor): void {
  writer
    .tag(2, WireType.LengthDelimited)
    .fork()
    .tag(1, WireType.LengthDelimited)
    .string(name)
    .tag(2, WireType.LengthDelimited)
    .fork();
  writer.tag(1, WireType.LengthDelimited).bytes(dtype === 'int64' ? int64Bytes(data) : float32Bytes(data));
  writer.tag(3, WireType.Varint).int32(dtype === 'int64' ? int64 : float32);
  writer.tag(4, WireType.LengthDelimited).fork().int64(data.length).join().join().join();
}

/** Reads ForwardBackwardOutput. @throws ArtError `ART_TINKER_UNKNOWN_ANSWER` */
export function readProtobufPass(bytes: Uint8Array): PassOutput {
  const metrics: Record<string, number> = {};
  const logprobs: PassOutput['logprobs'] = [];
  eachField(bytes, (field, reader) => {
    if (field === 2) logprobs.push(...logprobsOf(reader.bytes()));
    else if (field === 3) {
      let [name, value] = ['', 0];
      eachField(reader.bytes(), (member, entry) => {
        if (member === 1) name = entry.string();
        else if (member === 2) value = entry.double();
        else return false;
        return true;
      });
      metrics[name] = value;
    } else return false;
    return true;
  });
  return { logprobs, metrics };
}

/** The tensor `logprobs` of an ArrayRecord: the rows' lists behind one another, and where each begins. */
function logprobsOf(record: Uint8Array): (readonly number[] | undefined)[] {
  let rows = 0;
  let lists: number[][] | undefined;
  eachField(record, (field, reader) => {
    if (field === 3) rows = Number(reader.int64());
    else if (field === 2) {
      let name = '';
      let tensor: Uint8Array = new Uint8Array();
      eachField(reader.bytes(), (member, entry) => {
        if (member === 1) name = entry.string();
        else if (member === 2) tensor = entry.bytes();
        else return false;
        return true;
      });
      if (name === 'logprobs') lists = batchedFloats(tensor);
    } else return false;
    return true;
  });
  if (lists !== undefined && lists.length !== rows)
    throw unknownAnswer(`logprobs of ${rows} rows`, lists.length);
  return lists ?? Array.from({ length: rows }, () => undefined);
}

function batchedFloats(tensor: Uint8Array): number[][] {
  let [data, offsets]: [Uint8Array, Uint8Array] = [new Uint8Array(), new Uint8Array()];
  eachField(tensor, (field, reader) => {
    if (field === 1) data = reader.bytes();
    else if (field === 2) offsets = reader.bytes();
    else return false;
    return true;
  });
  const ends = viewOf(offsets);
  const places = Array.from({ length: offsets.length / 8 }, (_, at) =>
    Number(ends.getBigInt64(at * 8, true)),
  );
  return places.slice(1).map((end, at) => floats(data.subarray(places[at], end)));
}

/** Reads SampleResponse. @throws ArtError `ART_TINKER_UNKNOWN_ANSWER` */
export function readProtobufSamples(bytes: Uint8Array): {
  sequences: SampledSequence[];
  promptLogprobs: (number | null)[];
} {
  const sequences: SampledSequence[] = [];
  let promptLogprobs: (number | null)[] = [];
  eachField(bytes, (field, reader) => {
    if (field === 1) sequences.push(sequenceOf(reader.bytes()));
    // NaN stands for none.
    else if (field === 2)
      promptLogprobs = floats(reader.bytes()).map((logprob) => (Number.isNaN(logprob) ? null : logprob));
    else return false;
    return true;
  });
  return { sequences, promptLogprobs };
}

function sequenceOf(bytes: Uint8Array): SampledSequence {
  let tokens: number[] = [];
  let logprobs: number[] | undefined;
  let reason = 0;
  eachField(bytes, (field, reader) => {
    if (field === 1) reason = reader.int32();
    else if (field === 2) tokens = int32s(reader.bytes());
    else if (field === 3) logprobs = floats(reader.bytes());
    else return false;
    return true;
  });
  return {
    tokens,
    logprobs,
    stopReason: reason === 0 ? 'stop' : reason === 1 ? 'length' : `reason ${reason}`,
  };
}

/** @param read says whether it has read the field; what it does not know is passed over */
function eachField(bytes: Uint8Array, read: (field: number, reader: BinaryReader) => boolean): void {
  try {
    const reader = new BinaryReader(bytes);
    while (reader.pos < reader.len) {
      const [field, wireType] = reader.tag();
      if (!read(field, reader)) reader.skip(wireType, field);
    }
  } catch (cause) {
    throw unknownAnswer('a protobuf message', (cause as Error).message);
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function floats(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getFloat32(at * 4, true));
}

function int32s(bytes: Uint8Array): number[] {
  const view = viewOf(bytes);
  return Array.from({ length: bytes.length / 4 }, (_, at) => view.getInt32(at * 4, true));
}

// The wire is little-endian on every machine.
function int32Bytes(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [at, value] of values.entries()) view.setInt32(at * 4, value, true);
  return new Uint8Array(view.buffer);
}

function int64Bytes(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * 8));
  for (const [at, value] of values.entries()) view.setBigInt64(at * 8, BigInt(value), true);
  return new Uint8Array(view.buffer);
}

function float32Bytes(values: readonly number[]): Uint8Array<ArrayBuffer> {
  const view = new DataView(new ArrayBuffer(values.length * 4));
  for (const [at, value] of values.entries()) view.setFloat32(at * 4, value, true);
  return new Uint8Array(view.buffer);
}
