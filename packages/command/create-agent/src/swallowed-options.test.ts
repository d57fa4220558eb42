import { expect, it } from 'vitest';
import { swallowedOptions } from './swallowed-options.ts';

// Words and environment as npm 11 gives them.
it.each<[string[], Record<string, string>, string | undefined]>([
  [
    ['my-agent', 'strands'],
    { npm_config_framework: 'true', npm_config_yes: '' },
    'my-agent -- --framework strands',
  ],
  [['my-agent'], { npm_config_framework: 'strands' }, 'my-agent -- --framework strands'],
  [
    ['a', 'mastra', 'b'],
    { npm_config_framework: 'true', npm_config_name: 'true' },
    'a -- --framework mastra --name b',
  ],
  [[], { npm_config_framework: 'true' }, '-- --framework ...'],
  [['.'], { npm_config_skills: 'true' }, '. -- --skills'],
  [['my-agent', '--framework', 'strands'], { npm_config_framework: 'true' }, undefined],
  [['my-agent', '--framework=strands'], { npm_config_yes: 'true' }, undefined],
  [['my-agent'], {}, undefined],
])('%j with %j', (words, env, expected) => {
  const advice = swallowedOptions(words, env);
  if (expected === undefined) expect(advice).toBeUndefined();
  else expect(advice).toMatch(new RegExp(`\\n  npm create @art/agent ${expected.replaceAll('.', '\\.')}$`));
});
