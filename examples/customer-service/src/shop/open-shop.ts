import { shopData } from './shop-data.ts';
import type { Shop } from './shop.ts';

/** A shop of its own for each conversation. */
export function openShop(): Shop {
  return structuredClone(shopData);
}
