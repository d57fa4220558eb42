/** One step of Adam with decoupled weight decay. No field is optional: services differ in what they take where one is left out. */
export interface AdamParams {
  /** Above 0, at most 0.01. */
  readonly learningRate: number;
  readonly beta1: number;
  readonly beta2: number;
  readonly eps: number;
  /** 0: none. */
  readonly weightDecay: number;
  /** The norm that the whole gradient is cut to. 0: not cut. */
  readonly gradClipNorm: number;
}
