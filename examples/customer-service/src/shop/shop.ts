export interface Item {
  sku: string;
  cents: number;
  isFinalSale?: boolean;
  state: 'kept' | 'refunded' | 'exchanged';
  /** Article that it was exchanged for. */
  newSku?: string;
}

export interface Order {
  id: string;
  email: string;
  placedOn: string;
  state: 'processing' | 'shipped' | 'delivered' | 'cancelled';
  /** Day that the carrier names, for a parcel that is under way. */
  expectedOn?: string;
  deliveredOn?: string;
  paidBy: 'card' | 'gift card';
  address: string;
  items: Item[];
}

export interface Shop {
  customers: { email: string; name: string; zip: string; address: string }[];
  orders: Order[];
  products: { sku: string; product: string; variant: string; cents: number; stock: number }[];
}
