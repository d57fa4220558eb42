import { Option } from '@commander-js/extra-typings';
import { journalArgument } from './journal-argument.ts';
import { urlArgument } from './text-argument.ts';

/** Where the journal is; the same for every command about runs. */
export function journalOption() {
  return new Option(
    '--journal <place>',
    'folder, s3://bucket/prefix, or file:///root#bucket (default: the nearest .art/runs, here or above)',
  ).argParser(journalArgument);
}

/** Where AgentCore and S3 are, for a run or for a journal in a bucket. */
export function endpointOption() {
  return new Option(
    '--endpoint <url>',
    'where AgentCore and S3 are (default: that "art dev", or AWS)',
  ).argParser(urlArgument);
}
