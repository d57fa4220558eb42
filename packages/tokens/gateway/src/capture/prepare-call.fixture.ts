import {
  injectCall,
  type InjectionPlan,
  type PreparedCall,
  readCall,
  type ReadPlan,
} from './prepare-call.ts';

/** A call as one kind of engine gets it, in one step. */
export function prepareCall(body: Uint8Array, plan: ReadPlan & InjectionPlan): PreparedCall | undefined {
  const read = readCall(body, plan);
  return read && injectCall(read, plan);
}
