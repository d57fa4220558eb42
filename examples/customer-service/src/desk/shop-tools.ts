import { Type } from 'typebox';
import type { Item, Order, Shop } from '../shop/shop.ts';
import { type Tool, tool, ToolRefusal } from './tool.ts';

const orderId = Type.String({ description: 'For example W1001' });

/**
 * Tools of the desk. The tools know the possible, such as which sizes are in stock. The policy text has the allowed,
 * and keeping to it is the model's task.
 */
export function shopTools(shop: Shop): Record<string, Tool> {
  const find = (id: string): Order =>
    shop.orders.find((order) => order.id === id) ?? refuse(`there is no order "${id}"`);

  return {
    find_customer: tool('Finds a customer and the orders.', { email: Type.String() }, ({ email }) => {
      const customer =
        shop.customers.find((one) => one.email === email.trim().toLowerCase()) ??
        refuse(`there is no customer with the address "${email}"`);
      return {
        ...customer,
        orders: shop.orders.filter((order) => order.email === customer.email).map(({ id }) => id),
      };
    }),
    get_order: tool('Shows an order.', { order_id: orderId }, ({ order_id }) => shown(find(order_id))),
    list_variants: tool(
      'Shows all sizes or colours of the product that has this SKU, with the stock.',
      { sku: Type.String() },
      ({ sku }) => {
        const known = shop.products.find((product) => product.sku === sku) ?? refuse(`there is no "${sku}"`);
        return shop.products
          .filter(({ product }) => product === known.product)
          .map(({ cents, ...rest }) => ({ ...rest, price: money(cents) }));
      },
    ),
    cancel_order: tool('Cancels an order that is not sent yet.', { order_id: orderId }, ({ order_id }) => {
      const order = find(order_id);
      if (order.state !== 'processing') refuse(`order ${order.id} is ${order.state}`);
      order.state = 'cancelled';
      return { cancelled: order.id, refund: money(total(order)), to: order.paidBy };
    }),
    refund_item: tool(
      'Takes an item of an order back and returns its price.',
      { order_id: orderId, sku: Type.String() },
      ({ order_id, sku }) => {
        const order = find(order_id);
        const item = keptItem(order, sku);
        item.state = 'refunded';
        return { refunded: sku, refund: money(item.cents), to: order.paidBy };
      },
    ),
    exchange_item: tool(
      'Takes an item back and sends another one.',
      { order_id: orderId, sku: Type.String(), new_sku: Type.String() },
      ({ order_id, sku, new_sku }) => {
        const item = keptItem(find(order_id), sku);
        const product = shop.products.find((one) => one.sku === new_sku);
        if (product === undefined || product.stock === 0) return refuse(`"${new_sku}" is not in stock`);
        product.stock -= 1;
        Object.assign(item, { state: 'exchanged', newSku: new_sku });
        return { exchanged: sku, for: new_sku };
      },
    ),
    change_address: tool(
      'Changes where an order goes.',
      { order_id: orderId, street: Type.String(), city: Type.String(), zip: Type.String() },
      ({ order_id, street, city, zip }) => {
        const order = find(order_id);
        if (order.state !== 'processing') refuse(`order ${order.id} is ${order.state}`);
        order.address = `${street.trim()}, ${city.trim()} ${zip.trim()}`;
        return { order: order.id, address: order.address };
      },
    ),
  };
}

function keptItem(order: Order, sku: string): Item {
  return (
    order.items.find((item) => item.sku === sku && item.state === 'kept') ??
    refuse(`order ${order.id} has no item "${sku}" that was not given back`)
  );
}

function shown(order: Order) {
  return {
    ...order,
    items: order.items.map(({ cents, ...item }) => ({ ...item, price: money(cents) })),
    total: money(total(order)),
  };
}

const total = (order: Order): number => order.items.reduce((sum, { cents }) => sum + cents, 0);
const money = (cents: number): string => `$${(cents / 100).toFixed(2)}`;

function refuse(why: string): never {
  throw new ToolRefusal(why);
}
