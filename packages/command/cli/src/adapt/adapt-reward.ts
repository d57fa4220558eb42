import type * as t from '@babel/types';
import { type FoundApp, handlerOf } from './adapt-class.ts';
import { type Adaptation, type AdaptPage, Unsure } from './adaptation.ts';
import { isFunction, memberOf, nameOf, type Placed, type SourceFile } from './source-file.ts';

type Handler = ReturnType<typeof handlerOf>;

const page = 'adapt#3-the-reward';
const streams = 'adapt#an-agent-that-streams';
/** Members in which agents return their text, the likeliest first. */
const textNames = [
  'text',
  'answer',
  'reply',
  'response',
  'output',
  'result',
  'message',
  'content',
  'completion',
];
/** Ends of an expression that is a text. */
const isText =
  /(?:\.(?:text|textDelta|delta|content|finalOutput|output_text|outputText)|\.(?:toString|text|join)\(.*\)|^String\(.*\)|\?\? ['"`].*)$/s;

/**
 * Lets the handler return a reward where a request brings the right answer, in `answer`.
 * @throws Unsure
 */
export function adaptReward(all: Adaptation, app: FoundApp): void {
  const { file } = app;
  const handler = handlerOf(app);
  const answer = answerOf(file, handler, addAnswer(app));
  const own = (node: Placed): boolean => file.around(node).find(isFunction) === handler;
  if (handler.generator) {
    rewardStream(
      file,
      handler,
      answer,
      file.nodes.filter(
        (node): node is Placed<t.YieldExpression> => node.type === 'YieldExpression' && own(node),
      ),
    );
  } else {
    const returned = file.nodes.filter(
      (node): node is Placed<t.ReturnStatement> => node.type === 'ReturnStatement' && own(node),
    );
    if (handler.body.type !== 'BlockStatement') rewardValue(file, handler.body as Placed, answer, page);
    else if (returned.length === 0) throw new Unsure(file, handler, 'the handler returns nothing', page);
    for (const { argument } of returned) if (argument) rewardValue(file, argument as Placed, answer, page);
    if (!handler.async && handler.start !== undefined) file.edits.appendLeft(handler.start, 'async ');
  }
  all.need(file, 'reward');
}

/** Adds the right answer to the schema of the request. @returns true if the handler's request has it by its type */
function addAnswer({ file, created }: FoundApp): boolean {
  const handler = memberOf(created.arguments[0], 'invocationHandler');
  const member = memberOf(handler?.type === 'ObjectProperty' ? handler.value : undefined, 'requestSchema');
  let schema: t.Node | null | undefined = member?.type === 'ObjectProperty' ? member.value : undefined;
  if (schema === undefined) return false;
  if (schema.type === 'Identifier') schema = file.variable(schema.name)?.init;
  while (schema?.type === 'CallExpression' && schema.callee.type === 'MemberExpression') {
    const { object, property }: t.MemberExpression = schema.callee;
    const [members]: t.Node[] = schema.arguments;
    if (
      object.type === 'Identifier' &&
      nameOf(property) === 'object' &&
      members?.type === 'ObjectExpression'
    ) {
      if (memberOf(members, 'answer') !== undefined) return true;
      const last = members.properties.at(-1);
      const added = `answer: ${object.name}.string().optional()`;
      if (last === undefined) file.edits.appendLeft(members.start! + 1, ` ${added} `);
      else file.edits.appendLeft(last.end!, `, ${added}`);
      return true;
    }
    schema = object;
  }
  throw new Unsure(file, created, 'the schema of the request is not written in this file with zod', page);
}

function typeOf(file: SourceFile, { typeAnnotation }: t.Identifier): string {
  return typeAnnotation ? file.codeOf(typeAnnotation as Placed) : '';
}

/** The expression for the right answer in the handler. */
function answerOf(file: SourceFile, handler: Handler, isInType: boolean): string {
  const [request] = handler.params;
  if (request?.type === 'Identifier') {
    const isTyped = /\.[cm]?tsx?$/.test(file.path) && !/^: any$/.test(typeOf(file, request));
    return isInType || !isTyped
      ? `${request.name}.answer`
      : `(${request.name} as { answer?: string }).answer`;
  }
  if (
    request?.type !== 'ObjectPattern' ||
    request.typeAnnotation ||
    request.properties.some(({ type }) => type === 'RestElement')
  )
    throw new Unsure(file, handler, 'the handler does not take the request by a name', page);
  const known = request.properties.find(
    (property) => property.type === 'ObjectProperty' && nameOf(property.key) === 'answer',
  );
  if (known === undefined) file.edits.appendLeft(request.properties.at(-1)!.end!, ', answer');
  else if (known.type === 'ObjectProperty' && nameOf(known.value) !== 'answer')
    throw new Unsure(file, handler, 'the handler has another name for the answer', page);
  return 'answer';
}

/** Adds the reward to an object in braces; another value is kept as it is for users. */
function rewardValue(file: SourceFile, value: Placed, answer: string, unsurePage: AdaptPage): void {
  if (value.type === 'ObjectExpression') {
    const text = textOf(file, value);
    if (text === undefined || text.type === 'AwaitExpression')
      throw new Unsure(file, value, 'which member of the result is the answer cannot be seen', unsurePage);
    file.edits.appendLeft(
      value.properties.at(-1)!.end!,
      `, ...(await rewardOf(${file.codeOf(text)}, ${answer}))`,
    );
    return;
  }
  if (!isText.test(file.codeOf(madeOf(file, value))))
    throw new Unsure(file, value, 'the handler returns something whose text cannot be seen', unsurePage);
  const code = file.codeOf(value);
  file.edits.overwrite(
    value.start,
    value.end,
    `${answer} === undefined ? ${code} : { text: ${code}, ...(await rewardOf(${code}, ${answer})) }`,
  );
  if (value.type !== 'Identifier' && value.type !== 'MemberExpression')
    throw new Unsure(file, value, 'the handler computes what it returns: give it a name first', unsurePage);
}

/** The answer in an object in braces, also where the object has a name, or is in another one. */
function textOf(file: SourceFile, object: Placed): Placed | undefined {
  const member = textNames.map((name) => memberOf(object, name)).find((found) => found !== undefined);
  if (member?.type !== 'ObjectProperty') return undefined;
  const value = member.value as Placed;
  const made = madeOf(file, value);
  return made.type === 'ObjectExpression' ? textOf(file, made) : value;
}

/** The value that a name was declared with, where it is in sight. */
function madeOf(file: SourceFile, value: Placed): Placed {
  if (value.type !== 'Identifier') return value;
  const around = file.around(value);
  const from = file.nodes.findLast(
    (node): node is Placed<t.VariableDeclarator> =>
      node.type === 'VariableDeclarator' &&
      nameOf(node.id) === value.name &&
      node.start < value.start &&
      around.includes(file.around(node).find(({ type }) => /^(BlockStatement|Program)$/.test(type))!),
  );
  return (from?.init ?? value) as Placed;
}

/** Collects what the handler yields, and returns it at the end. */
function rewardStream(
  file: SourceFile,
  handler: Handler,
  answer: string,
  yields: readonly Placed<t.YieldExpression>[],
): void {
  if (
    handler.body.type !== 'BlockStatement' ||
    yields.length === 0 ||
    yields.some(({ delegate }) => delegate)
  )
    throw new Unsure(file, handler, 'what the handler streams cannot be collected', streams);
  const name = file.text.includes('answered') ? 'collectedText' : 'answered';
  for (const node of yields) {
    // A mark, such as that of the end, is no text of the answer.
    if (node.argument?.type === 'StringLiteral') continue;
    const statement = file.parent(node);
    const piece = pieceOf(file, node.argument as Placed | undefined);
    if (statement?.type !== 'ExpressionStatement' || piece === undefined)
      throw new Unsure(file, node, 'the text in what is yielded cannot be seen', streams);
    const isInBlock = file.parent(statement)?.type === 'BlockStatement';
    file.edits.appendLeft(
      statement.start,
      isInBlock ? `${name} += ${piece};${file.breakAt(statement)}` : `{ ${name} += ${piece}; `,
    );
    if (!isInBlock) file.edits.appendRight(statement.end, ' }');
  }
  const [first] = handler.body.body;
  const indent = file.breakAt((first ?? handler.body) as Placed);
  const ends = file.text.slice(0, handler.body.end! - 1).search(/\s*$/);
  file.edits.appendLeft(handler.body.start! + 1, `${indent}let ${name} = '';`);
  file.edits.appendRight(ends, `${indent}return { text: ${name}, ...(await rewardOf(${name}, ${answer})) };`);
}

/** The text in something that is yielded: of an event, what stands in its `data`. */
function pieceOf(file: SourceFile, node: Placed | undefined): string | undefined {
  if (node?.type === 'ObjectExpression') {
    const member =
      memberOf(node, 'data') ??
      textNames.map((name) => memberOf(node, name)).find((found) => found !== undefined);
    return member?.type === 'ObjectProperty' ? pieceOf(file, member.value as Placed) : undefined;
  }
  if (node === undefined) return undefined;
  const code = file.codeOf(node);
  if (isText.test(file.codeOf(madeOf(file, node)))) return code;
  const loop = file
    .around(node)
    .find((around): around is Placed<t.ForOfStatement> => around.type === 'ForOfStatement');
  const isPiece = loop?.left.type === 'VariableDeclaration' && nameOf(loop.left.declarations[0]!.id) === code;
  return isPiece && /\.(textStream|toTextStream\(.*\))$/.test(file.codeOf(loop.right as Placed))
    ? code
    : undefined;
}
