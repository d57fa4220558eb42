/** `art doctor` as its user wants it. */
export interface DoctorOptions {
  /** A file, the words of a command, an image with its tag, a URL or an ARN. */
  agent: readonly string[];
  payload: string;
  bucket?: string | undefined;
  gateway?: string | undefined;
  qualifier?: string | undefined;
  /** One JSON object a finding instead of text for people. */
  json: boolean;
}
