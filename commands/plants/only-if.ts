import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PROPERTY_NAMES } from '../../lambda/plant.ts';
import type { Item } from './plant-line.ts';

/** The condition that an item is still as it was read; of a list or an object, only its size: the embedded store compares no more. */
export function onlyIf(item: Item) {
  const names = [...new Set([...PROPERTY_NAMES, ...Object.keys(item)])];
  const conditions: string[] = [];
  const values: Record<string, AttributeValue> = {};
  for (const [n, name] of names.entries()) {
    const value = Object.hasOwn(item, name) ? item[name] : undefined;
    const parts = value?.L ?? (value?.M && Object.keys(value.M));
    conditions.push(value ? `${parts ? `size(#${n})` : `#${n}`} = :${n}` : `attribute_not_exists(#${n})`);
    if (value) values[`:${n}`] = parts ? { N: String(parts.length) } : value;
  }
  return {
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: Object.fromEntries(names.map((name, n) => [`#${n}`, name])),
    ExpressionAttributeValues: values,
  };
}
