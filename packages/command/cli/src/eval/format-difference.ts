import { figure } from '@art/eval';

export function signed(value: number): string {
  return `${value > 0 ? '+' : ''}${figure(value)}`;
}

export function formatP(pValue: number): string {
  return pValue < 0.0001 ? '< 0.0001' : pValue.toFixed(4);
}
