const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' } as const;
const pattern = /^(?:rs|msg|fc)_([0-9A-Za-z]+)_\d+$/;

/** The id of an output item. It names the answer that the item is of, so that echoed items find together again. */
export function itemId(type: keyof typeof prefixes, turn: string, outputIndex: number): string {
  return `${prefixes[type]}_${turn}_${outputIndex}`;
}

/** Which of our answers an item is of; undefined for an id that is not ours. */
export function turnOfItemId(id: string): string | undefined {
  return pattern.exec(id)?.[1];
}
