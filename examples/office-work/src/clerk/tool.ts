import type OpenAI from 'openai';
import { type Static, type TSchema, Type } from 'typebox';
import { Value } from 'typebox/value';

/** A tool's answer to a call that cannot be done. The model reads it and may try again. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';
}

export interface Tool {
  description: string;
  parameters: TSchema;
  /** @throws ToolRefusal */
  run(args: unknown): Promise<string>;
}

/** A tool whose `run` gets arguments that fit its parameters. */
export function tool<Properties extends Record<string, TSchema>>(
  description: string,
  properties: Properties,
  run: (args: Static<Type.TObject<Properties>>) => Promise<string>,
): Tool {
  const parameters = Type.Object(properties, { additionalProperties: false });
  return {
    description,
    parameters,
    run: async (args) => {
      const [problem] = Value.Errors(parameters, args);
      if (problem !== undefined)
        throw new ToolRefusal(`the arguments do not fit: ${problem.instancePath} ${problem.message}`);
      return run(args as Static<Type.TObject<Properties>>);
    },
  };
}

export function toolDefinitions(tools: Readonly<Record<string, Tool>>): OpenAI.ChatCompletionFunctionTool[] {
  return Object.entries(tools).map(([name, { description, parameters }]) => ({
    type: 'function',
    function: { name, description, parameters: parameters as Record<string, unknown> },
  }));
}

/** Runs one call as the model wrote it. A bad call is answered in words: it is part of the episode, and no failure of the agent. */
export async function callTool(
  tools: Readonly<Record<string, Tool>>,
  name: string,
  args: string,
): Promise<string> {
  try {
    if (!Object.hasOwn(tools, name)) throw new ToolRefusal(`there is no tool "${name}"`);
    return await tools[name]!.run(JSON.parse(args));
  } catch (error) {
    if (error instanceof ToolRefusal) return `Error: ${error.message}.`;
    if (error instanceof SyntaxError) return 'Error: the arguments are not JSON.';
    throw error;
  }
}
