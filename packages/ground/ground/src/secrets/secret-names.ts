import { refuseOption } from '../options/refuse-option.ts';

/** Which names stand for secrets, on top of the built-in list. */
export interface RedactionOptions {
  /**
   * Further names whose values are secrets: `["wandb_run", "tenant"]`. A name matches where its words occur one after the
   * other in a member's name, so `tenant` also covers `X-Tenant-Id` and `tenantName`.
   * @default []
   */
  names?: readonly string[];
  /** Names that are no secrets although they look like ones, compared as a whole. @default [] */
  keep?: readonly string[];
}

// Joined spellings are their own words: nothing in "apikey" says where one word ends.
const secretWords = new Set(
  `secret secrets password passwords passwd pwd passphrase passcode authorization auth bearer cookie cookies credential
  credentials cred creds jwt apikey apikeys accesskey secretkey privatekey apitoken authtoken accesstoken refreshtoken
  clientsecret`.split(/\s+/),
);

// Node writes the names of headers in small letters, so that `WorkloadAccessToken` is one word.
const joinedSecret =
  /(?:api|access|secret|private|session|signing|encryption|shared|master)keys?$|(?:api|access|auth|bearer|refresh|session|security|id|workload|identity)tokens?$|(?:secret|password|passphrase|credentials?)$/;

const keyWords = new Set(
  `api access private secret signing encryption session master account shared subscription service openai anthropic azure
  aws google gemini mistral groq huggingface hf`.split(/\s+/),
);

// "token" is also a word of language models: eos_token, stop_tokens and max_tokens are settings.
const tokenWords = new Set(['token', 'tokens']);
const modelTokenWords = new Set(
  `eos bos pad stop unk sep cls mask end start begin special image think thinking prompt completion response max min num
  total count ids usage budget per new generated logprob logprobs skip limit`.split(/\s+/),
);

// What ends with one of these says something about a secret and is none: auth_type, secret_name, token_url.
const aboutWords = new Set(
  `type types mode kind url uri endpoint name arn file path scheme method provider count limit budget length size expiry
  expires ttl format`.split(/\s+/),
);

/** The words of a name in snake, kebab or camel case, in lower case. */
function wordsOf(name: string): string[] {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replaceAll(/(?<=[A-Z])(?=[A-Z][a-z])/g, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The classification of a value by its name. */
export interface NameVerdict {
  isSecret: boolean;
  /** True if its value is a map of headers, each of which may be a secret. */
  isHeaderMap: boolean;
  /** True if the value of a query parameter with this name is a secret. */
  isSecretParameter: boolean;
}

/** Tells the names of secrets from others. */
export type SecretNames = (name: string) => NameVerdict;

const rememberedNames = 2_000;
const noSecret: NameVerdict = { isSecret: false, isHeaderMap: false, isSecretParameter: false };

/** @throws ArtError `ART_INVALID_OPTION` */
export function secretNames(options: RedactionOptions = {}): SecretNames {
  const further = wordLists('names', options.names ?? []);
  const kept = new Set(wordLists('keep', options.keep ?? []).map((words) => words.join(' ')));
  const judge = (name: string): NameVerdict => {
    const words = wordsOf(name);
    if (kept.has(words.join(' '))) return noSecret;
    const isSecret = further.some((list) => containsList(words, list)) || isBuiltIn(words);
    const last = words.at(-1) ?? '';
    return {
      isSecret,
      isHeaderMap: last === 'header' || last === 'headers',
      isSecretParameter: isSecret || ['key', 'sig', 'signature', 'code'].includes(last),
    };
  };
  // Payloads have the same names over and over, and taking one apart costs more than everything else here.
  const known = new Map<string, NameVerdict>();
  return (name) => {
    let verdict = known.get(name);
    if (verdict === undefined) {
      verdict = judge(name);
      // Names come from strangers, too: what is remembered must not grow.
      if (known.size >= rememberedNames || name.length > 200) known.clear();
      known.set(name, verdict);
    }
    return verdict;
  };
}

function isBuiltIn(words: readonly string[]): boolean {
  if (words.length > 1 && aboutWords.has(words.at(-1)!)) return false;
  return words.some((word, index) => {
    if (secretWords.has(word) || joinedSecret.test(word)) return true;
    if (tokenWords.has(word)) return !words.some((other) => modelTokenWords.has(other));
    return (word === 'key' || word === 'keys') && index > 0 && keyWords.has(words[index - 1]!);
  });
}

function containsList(words: readonly string[], list: readonly string[]): boolean {
  return words.some((_word, start) => list.every((word, index) => words[start + index] === word));
}

function wordLists(option: string, names: readonly string[]): string[][] {
  if (!Array.isArray(names)) refuse(option, names);
  return names.map((name: unknown) => {
    const words = typeof name === 'string' ? wordsOf(name) : [];
    return words.length > 0 ? words : refuse(option, name);
  });
}

function refuse(option: string, got: unknown): never {
  refuseOption(`redact.${option}`, 'a list of names, each with a letter or digit', got);
}
