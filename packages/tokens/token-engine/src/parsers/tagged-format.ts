import type { ParsedToolCall } from './parsed-turn.ts';
import { cutTaggedSections, type EndOfInside } from './tagged-sections.ts';
import type { ToolFormat, ToolParse } from './tool-parser.ts';
import type { ToolSchemas } from './tool-schemas.ts';

type Tags = readonly [open: string, close: string];

/** How a model writes calls between tags. */
export interface TaggedCalls {
  /** Around calls. */
  section: Tags;
  /** Around each call of a section, where it has tags of its own. */
  call?: Tags;
  /** Calls may stand without a section, which is where none of these tags occurs: models leave the outer ones out now and then. */
  bareWithout?: readonly string[];
  /** Text between the calls of a section, besides blanks. */
  filler?: RegExp;
  /** True if the last close must be there: a call that was cut off might have said more. @default the last close may be missing */
  mustClose?: boolean;
  /** Where what stands inside the innermost tags ends by its own syntax. */
  endOfInside: EndOfInside;
  /** Reads what stands inside the innermost tags; undefined where it is malformed. */
  read(body: string, schemas: ToolSchemas): ParsedToolCall | ParsedToolCall[] | undefined;
}

/** The format of calls between tags, which all such models share. */
export function taggedFormat(tags: TaggedCalls): ToolFormat {
  const { section, call = [], bareWithout } = tags;
  return {
    parse: (text, schemas) => parseTagged(text, schemas, tags),
    marks: bareWithout === undefined ? section : [...section, ...call],
  };
}

function parseTagged(text: string, schemas: ToolSchemas, tags: TaggedCalls): ToolParse | undefined {
  const { section, call = section, bareWithout, mustClose = false, endOfInside } = tags;
  const isBare = bareWithout?.every((tag) => !text.includes(tag)) === true;
  const sections = isBare
    ? cutTaggedSections(text, ...call, endOfInside)
    : cutTaggedSections(
        text,
        ...section,
        tags.call === undefined ? endOfInside : endOfCalls(tags.call, endOfInside),
      );
  if (sections === undefined || (mustClose && !sections.isClosed)) return undefined;
  const bodies = isBare ? sections.inside : sections.inside.flatMap((inside) => bodiesIn(inside, tags));
  const calls = bodies.map((body) => (body === undefined ? undefined : tags.read(body, schemas)));
  return calls.every((read) => read !== undefined)
    ? { content: sections.outside, calls: calls.flat() }
    : undefined;
}

/** The content of each call of a section, of which one at least is expected, and nothing else. */
function bodiesIn(
  section: string,
  { call, filler, endOfInside }: TaggedCalls,
): readonly (string | undefined)[] {
  if (call === undefined) return [section];
  const calls = cutTaggedSections(section, ...call, endOfInside);
  const isClean = calls?.outside.replace(filler ?? '', '').trim() === '';
  return calls !== undefined && isClean && calls.inside.length > 0 ? calls.inside : [undefined];
}

/** Where the calls of a section end that follow each other from its beginning on. */
function endOfCalls([open, close]: Tags, endOfInside: EndOfInside): EndOfInside {
  return (text, from) => {
    let end = from;
    for (let start = nextOpen(text, open, from); start !== undefined; start = nextOpen(text, open, end)) {
      const closed = text.indexOf(close, endOfInside(text, start + open.length));
      if (closed < 0) break;
      end = closed + close.length;
    }
    return end;
  };
}

/** Finds the opening of a call that has no other tag before it. */
function nextOpen(text: string, open: string, from: number): number | undefined {
  const start = text.indexOf(open, from);
  return start < 0 || text.slice(from, start).includes('<') ? undefined : start;
}
