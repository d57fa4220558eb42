import { figure } from '@art/eval';

export function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}
